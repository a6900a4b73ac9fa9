/* SPDX-License-Identifier: BSD-2-Clause */
/* Keys after the chosen one follow, then those before it. */
#pragma D option quiet
#pragma D option aggsortkey
#pragma D option aggsortkeypos=1
BEGIN { @[2, 1, 9] = count(); @[1, 1, 9] = count(); @[3, 1, 8] = count(); @[9, 0, 9] = count(); exit(0); }
