/* SPDX-License-Identifier: BSD-2-Clause */
// run: -w
// filter: cpu
/* A clause with raise() or stop() prints the line of its probe, whatever it assigns beside it; but not with the call in a
 * branch that is not taken, and no second one beside data. */
BEGIN { raise(0); }
BEGIN { raise(0); x = 1; self->y = 2; }
BEGIN { this->z = 3; raise(0); @a[x] = count(); }
BEGIN { if (x == 1) { raise(0); } else x = 7; }
BEGIN { if (x == 5) raise(0); }
BEGIN /x == 5/ { raise(0); }
BEGIN { if (x == 1) return; stop(); }
BEGIN { raise(0); trace("data"); }
BEGIN { x = 9; }
END { trace("end"); clear(@a); trunc(@a); }
BEGIN { exit(0); }
