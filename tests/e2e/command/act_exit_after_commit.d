/* SPDX-License-Identifier: BSD-2-Clause */
// run: -q
/* exit() is not data: it may stand beside commit(). */
BEGIN { self->s = speculation(); }
BEGIN { speculate(self->s); trace("x"); }
BEGIN { commit(self->s); exit(0); }
