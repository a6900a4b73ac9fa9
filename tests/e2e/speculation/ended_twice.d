/* SPDX-License-Identifier: BSD-2-Clause */
// run: -q
/* A number that was given and has ended is no fault. */
BEGIN { self->n = speculation(); }
BEGIN { speculate(self->n); printf("once\n"); }
BEGIN { commit(self->n); }
BEGIN { commit(self->n); discard(self->n); }
BEGIN { exit(0); }
ERROR { printf("a fault\n"); }
