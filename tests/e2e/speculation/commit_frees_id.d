/* SPDX-License-Identifier: BSD-2-Clause */
// run: -q
/* A speculation prints where it is committed, its number is free for the next. */
BEGIN { self->s = speculation(); printf("id %d\n", self->s); }
BEGIN { speculate(self->s); printf("held %d\n", 1); }
BEGIN { speculate(self->s); printf("held %d\n", 2); }
BEGIN { printf("before\n"); }
BEGIN { commit(self->s); }
BEGIN { printf("after\n"); exit(0); }
