/* SPDX-License-Identifier: BSD-2-Clause */
// row: lang.15
/* The arguments of ERROR: the probe that faulted and the code. */
#pragma D option quiet
int zero;
BEGIN { me = id; }
BEGIN { x = 1 / zero; }
ERROR { printf("%d %d %d %d\n", arg0, arg1 == me, arg4, sizeof(arg4)); printf("%s %s\n", probeprov, probename); }
BEGIN { exit(0); }
