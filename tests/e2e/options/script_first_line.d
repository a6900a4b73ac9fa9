/* SPDX-License-Identifier: BSD-2-Clause */
/* An option line before everything, as of a script that is run by name. */
/* args: 8 */
/* run: -q */
BEGIN { printf("%d\n", $1); exit(0); }
