/* SPDX-License-Identifier: BSD-2-Clause */
/* Several aggregations: keys once, then the values in the order of the arguments; what is missing is 0. */
#pragma D option quiet
BEGIN
{
	@c["a"] = count(); @c["b"] = count(); @c["b"] = count();
	@s["a"] = sum(30); @s["b"] = sum(10); @s["z"] = sum(7);
	printa(@c, @s);
	printa(@s, @c);
	exit(0);
}
