/* SPDX-License-Identifier: BSD-2-Clause */
/* Successive @ conversions take successive aggregations; more repeat the last. */
#pragma D option quiet
BEGIN
{
	@a["k"] = sum(1); @b["k"] = sum(2); @c["k"] = sum(3);
	printa("%s %@d %@d %@d\n", @a, @b, @c);
	printa("%@d %s %@d\n", @a, @b);
	printa("%@d %@d %@d\n", @a, @b);
	exit(0);
}
