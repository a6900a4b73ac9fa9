/* SPDX-License-Identifier: BSD-2-Clause */
/* Enumerators in predicates and conditions. */
#pragma D option quiet
enum state { IDLE = 1, BUSY };
enum state s;
BEGIN { s = BUSY; }
BEGIN /s == IDLE/ { printf("idle\n"); }
BEGIN /s == BUSY/ { printf("busy\n"); }
BEGIN /s > IDLE/ { printf("%s\n", s == BUSY ? "yes" : "no"); exit(0); }
