/* SPDX-License-Identifier: BSD-2-Clause */
// run: -q
/* exit() is not data: it may stand before commit() and after discard(), and has a clause of its
 * own after commit() (D_DREC_COMM). */
BEGIN { self->s = speculation(); }
BEGIN { speculate(self->s); trace("x"); }
BEGIN { discard(0); exit(3); commit(self->s); }
END { exit(0); }
