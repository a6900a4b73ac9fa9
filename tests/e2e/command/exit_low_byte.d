/* SPDX-License-Identifier: BSD-2-Clause */
/* The status is the low 8 bits of the argument. */
/* exit: 7 */
#pragma D option quiet
BEGIN { x = 256; exit(x + 7); }
