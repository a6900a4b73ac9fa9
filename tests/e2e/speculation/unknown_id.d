/* SPDX-License-Identifier: BSD-2-Clause */
// run: -q -x nspec=4
/* commit() and discard() of a number above nspec, or negative, are illegal operations; of one that is not in use they do
 * nothing.  speculate() of any such number ignores it, and all three ignore 0. */
BEGIN { self->n = -1; self->idle = 3; }
BEGIN { speculate(77); printf("never\n"); }
BEGIN { speculate(self->n); printf("never\n"); }
BEGIN { speculate(self->idle); printf("never\n"); }
BEGIN { speculate(0); printf("never\n"); }
BEGIN { commit(0); discard(0); }
BEGIN { printf("zero is silent\n"); }
BEGIN { commit(77); }
BEGIN { commit(self->n); }
BEGIN { discard(5); }
BEGIN { discard(self->n); }
BEGIN { commit(4); }
BEGIN { discard(1); commit(self->idle); }
BEGIN { printf("end\n"); exit(0); }
ERROR { printf("fault %d\n", arg4); }
