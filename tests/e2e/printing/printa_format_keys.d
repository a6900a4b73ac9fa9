/* SPDX-License-Identifier: BSD-2-Clause */
/* Conversions take the keys in order, and may be fewer than there are. */
#pragma D option quiet
BEGIN
{
	@["k", 5, 'c', -7LL] = sum(42);
	printa("%s|%d|%c|%d|%@d\n", @);
	printa("%-5s|%5d|%@d\n", @);
	printa("%@d %s\n", @);
	printa("%S\n", @);
	printa("constant\n", @);
	exit(0);
}
