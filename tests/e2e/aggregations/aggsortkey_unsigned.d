/* SPDX-License-Identifier: BSD-2-Clause */
/* Integer keys are sorted as unsigned. */
#pragma D option quiet
#pragma D option aggsortkey
BEGIN { @[-1] = sum(1); @[5] = sum(2); @[0] = sum(3); @[-100] = sum(4); exit(0); }
