/* SPDX-License-Identifier: BSD-2-Clause */
/* system() runs a command when its record is consumed, in order with the output. */
/* run: -w */
#pragma D option quiet
BEGIN { printf("before\n"); system("echo %s %d", "ran", 7); printf("after\n"); exit(0); }
