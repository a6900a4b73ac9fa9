// SPDX-License-Identifier: BSD-2-Clause
// run: -q -Z
// With -Z a clause without probes still makes its variables and aggregations known.
BEGIN { n = 3; }
nosuch*:::entry /arg0/ { self->depth++; @num[copyinstr(arg0), probefunc] = count(); self->t[self->depth] = timestamp; }
nosuch*:::return /self->t[self->depth]/ { @t = sum(timestamp - self->t[self->depth]); n = 5; }
END { trunc(@num, 10); printa("%s %s %@d\n", @num); printf("end %d %d\n", n, self->depth); }
BEGIN { exit(0); }
