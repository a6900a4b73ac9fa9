/* SPDX-License-Identifier: BSD-2-Clause */
// run: -q
/* Aggregations in one printa() whose keys are of different sizes are joined by value; what no longer
 * fits the first one's type is printed as the wider one. */
BEGIN
{
	@a[1, (char)3, "x"] = sum(1);
	@b[1ll, 3, "a longer text than that"] = sum(2);
	@b[1ll, 3ll, "x"] = sum(5);
	@b[-1ll, 300ll, "x"] = sum(9);
	printa("%d %d %s %@d %@d\n", @a, @b);
	printa(@a, @b);
	printa("%d %d %s %@d %@d\n", @b, @a);
	exit(0);
}
