/* SPDX-License-Identifier: BSD-2-Clause */
// run: -q
/* Numbers that were not given out are ignored. */
BEGIN { self->n = -1; }
BEGIN { speculate(77); printf("never\n"); }
BEGIN { speculate(self->n); printf("never\n"); }
BEGIN { commit(77); commit(self->n); discard(100000); commit(0); }
BEGIN { printf("end\n"); exit(0); }
