/* SPDX-License-Identifier: BSD-2-Clause */
/* Keyed entries: sorted by value, ties by key; strings in 50 columns, integers by size. */
#pragma D option quiet
BEGIN
{
	@a["zebra"] = sum(1);
	@a["apple"] = sum(3);
	@a["mango"] = sum(1);
	@b[1, "x", (char)2, (short)3, 4LL] = count();
	exit(0);
}
