/* SPDX-License-Identifier: BSD-2-Clause */
// run: -q
/* A clause that faults records nothing, and has ended nothing. */
BEGIN { self->s = speculation(); self->zero = 0; }
BEGIN { speculate(self->s); printf("held\n"); }
BEGIN { speculate(self->s); printf("lost %d\n", 1 / self->zero); }
BEGIN { discard(self->s); self->x = 1 / self->zero; }
BEGIN { commit(self->s); }
BEGIN { exit(0); }
