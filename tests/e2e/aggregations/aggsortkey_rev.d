/* SPDX-License-Identifier: BSD-2-Clause */
/* aggsortkey and aggsortrev together. */
#pragma D option quiet
#pragma D option aggsortkey
#pragma D option aggsortrev
BEGIN { @["b", 1] = sum(30); @["a", 2] = sum(20); @["c", 0] = sum(10); exit(0); }
