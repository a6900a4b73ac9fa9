/* SPDX-License-Identifier: BSD-2-Clause */
// run: -q
/* An aggregation that only a clause which never runs fills is empty: nothing is said of it. */
BEGIN /0/ { @a = count(); @b[1] = count(); }
BEGIN { printa(@a); printa("%@d\n", @a); printa(@b); clear(@a); trunc(@b, 1); exit(0); }
