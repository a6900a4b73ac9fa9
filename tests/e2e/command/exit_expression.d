/* SPDX-License-Identifier: BSD-2-Clause */
/* The status may be computed; END runs after it and does not change it. */
/* exit: 42 */
#pragma D option quiet
BEGIN { n = 20; exit(n * 2 + 2); }
END { n = 1; printf("%d\n", n); }
