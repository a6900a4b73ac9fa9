/* SPDX-License-Identifier: BSD-2-Clause */
// run: -x quiet=no -x cpu=0
/* speculate() alone is the empty clause; commit() prints no line, exit() beside it does. */
BEGIN { self->s = speculation(); }
BEGIN { speculate(self->s); }
BEGIN { commit(self->s); }
BEGIN { exit(0); }
