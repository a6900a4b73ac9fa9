/* SPDX-License-Identifier: BSD-2-Clause */
// row: sort.aggsortrev opt.aggsort
/* aggsortrev reverses the order. */
#pragma D option quiet
#pragma D option aggsortrev
BEGIN { @["b", 1] = sum(30); @["a", 2] = sum(20); @["c", 0] = sum(10); exit(0); }
