/* SPDX-License-Identifier: BSD-2-Clause */
/* The @ flag with widths, signs and bases. */
#pragma D option quiet
BEGIN
{
	@c["k"] = count(); @s["k"] = sum(-255); @m["k"] = max(255);
	printa("[%@d][%@5d][%@-5d][%5@d][%@05d]\n", @c);
	printa("[%@d][%@x][%@+d]\n", @s);
	printa("[%@x][%@X][%@o][%#@x][%@u]\n", @m);
	exit(0);
}
