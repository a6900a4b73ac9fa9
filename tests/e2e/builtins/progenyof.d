/* SPDX-License-Identifier: BSD-2-Clause */
/* progenyof: the process itself and its ancestors. */
#pragma D option quiet
BEGIN { printf("%d %d %d\n", progenyof($pid), progenyof($ppid), progenyof(0x3fffffff)); exit(0); }
