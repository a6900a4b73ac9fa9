/* SPDX-License-Identifier: BSD-2-Clause */
/* Several clauses may write to one speculation. */
#pragma D option quiet
BEGIN { self->s = speculation(); }
BEGIN { speculate(self->s); printf("one "); }
BEGIN { speculate(self->s); printf("two\n"); }
BEGIN /self->s/ { commit(self->s); self->s = 0; }
BEGIN { exit(0); }
END { printf("end\n"); }
