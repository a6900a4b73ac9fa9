/* SPDX-License-Identifier: BSD-2-Clause */
// row: sort.aggsortkey opt.aggsort
/* aggsortkey sorts by the keys. */
#pragma D option quiet
#pragma D option aggsortkey
BEGIN { @["b", 1] = sum(30); @["a", 2] = sum(20); @["c", 0] = sum(10); exit(0); }
