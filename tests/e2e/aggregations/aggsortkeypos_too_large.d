/* SPDX-License-Identifier: BSD-2-Clause */
/* A position beyond the keys is 0. */
#pragma D option quiet
#pragma D option aggsortkey
#pragma D option aggsortkeypos=9
BEGIN { @["b", 1] = sum(30); @["a", 2] = sum(20); @["c", 0] = sum(10); exit(0); }
