/* SPDX-License-Identifier: BSD-2-Clause */
/* The pragma may come after the clauses. */
BEGIN { printf("x\n"); exit(0); }
#pragma D option quiet
