/* SPDX-License-Identifier: BSD-2-Clause */
/* printa without and with a format, two aggregations, clear. */
#pragma D option quiet
BEGIN
{
	@a["x"] = count();
	@a["y"] = count();
	@a["y"] = count();
	@b["y"] = sum(70);
	printa(@a);
	printa("%s has %@d\n", @a);
	printa("%-4s %@4d %@4d\n", @a, @b);
	clear(@a);
	printa("%s %@d\n", @a);
	exit(0);
}
