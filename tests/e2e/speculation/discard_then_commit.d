/* SPDX-License-Identifier: BSD-2-Clause */
// run: -q
/* What is discarded is never printed; a commit after it does nothing. */
BEGIN { self->s = speculation(); }
BEGIN { speculate(self->s); printf("held\n"); }
BEGIN { discard(self->s); }
BEGIN { commit(self->s); }
BEGIN { printf("end\n"); exit(0); }
