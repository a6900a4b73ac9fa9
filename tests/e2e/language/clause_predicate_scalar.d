/* SPDX-License-Identifier: BSD-2-Clause */
/* A predicate is any integer or pointer; not zero runs the body. */
#pragma D option quiet
uint64_t big; int neg; string s;
BEGIN { big = 1ULL << 40; neg = -1; p = (int *)0x100; c = 'a'; }
BEGIN /big/ { printf("big\n"); }
BEGIN /neg/ { printf("neg\n"); }
BEGIN /p/ { printf("pointer\n"); }
BEGIN /c - 'a'/ { printf("never\n"); }
BEGIN /!p || !big/ { printf("never\n"); }
BEGIN { exit(0); }
