/* SPDX-License-Identifier: BSD-2-Clause */
// run: -q
/* Numbers that were never given: speculate() ignores them, and all three ignore 0; commit() and
 * discard() are illegal operations. */
BEGIN { self->n = -1; }
BEGIN { speculate(77); printf("never\n"); }
BEGIN { speculate(self->n); printf("never\n"); }
BEGIN { speculate(0); printf("never\n"); }
BEGIN { commit(0); discard(0); }
BEGIN { printf("zero is silent\n"); }
BEGIN { commit(77); }
BEGIN { commit(self->n); }
BEGIN { discard(77); }
BEGIN { discard(self->n); }
BEGIN { printf("end\n"); exit(0); }
ERROR { printf("fault %d\n", arg4); }
