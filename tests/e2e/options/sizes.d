/* SPDX-License-Identifier: BSD-2-Clause */
/* Sizes take k, m, g in either case, and C integers. */
#pragma D option quiet
#pragma D option bufsize=64k
#pragma D option aggsize=1M
#pragma D option dynvarsize=0x100000
#pragma D option strsize=011
#pragma D option switchrate=10hz
#pragma D option aggrate=100ms
#pragma D option statusrate=1sec
BEGIN { s = "0123456789"; printf("%s\n", s); exit(0); }
