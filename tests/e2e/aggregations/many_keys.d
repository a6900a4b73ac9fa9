/* SPDX-License-Identifier: BSD-2-Clause */
/* A hundred keys, sorted. */
#pragma D option quiet
int i;
tick-1ms /i < 100/ { @[i * 37 % 100] = sum(i * 37 % 100); i++; }
tick-1ms /i == 100/ { exit(0); }
