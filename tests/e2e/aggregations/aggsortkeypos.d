/* SPDX-License-Identifier: BSD-2-Clause */
// row: sort.aggsortkeypos opt.aggsort
/* aggsortkeypos chooses the key that is compared first. */
#pragma D option quiet
#pragma D option aggsortkey
#pragma D option aggsortkeypos=1
BEGIN { @["b", 1] = sum(30); @["a", 2] = sum(20); @["c", 0] = sum(10); exit(0); }
