/* SPDX-License-Identifier: BSD-2-Clause */
// row: printa.avg
/* normalize of count, max and avg. */
#pragma D option quiet
BEGIN { @c = count(); @c = count(); @c = count(); @m = max(77); @a = avg(100); @a = avg(51); exit(0); }
END { n = 2; normalize(@c, n); normalize(@m, 10); normalize(@a, 5); printa(@c); printa(@m); printa(@a); }
