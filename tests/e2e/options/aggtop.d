// SPDX-License-Identifier: BSD-2-Clause
// Option aggtop: the rows with the largest values, in either order; the other aggregations of a row
// come with it, and no row is lost.
#pragma D option quiet
#pragma D option aggtop=2

BEGIN
{
	@a["one"] = sum(1); @a["four"] = sum(4); @a["three"] = sum(3); @a["two"] = sum(2);
	@b["one"] = sum(100); @b["four"] = sum(400); @b["three"] = sum(300);
	printa("%s %@d\n", @a);
	setopt("aggsortrev");
	printa("%s %@d %@d\n", @a, @b);
	setopt("aggtop", "0");
	printa("%s %@d\n", @a);
	setopt("aggtop", "1");
	exit(0);
}
