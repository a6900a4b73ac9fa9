// SPDX-License-Identifier: BSD-2-Clause
// stats(), hist() with buckets between the powers of two, print() of the largest entries.
#pragma D option quiet
BEGIN
{
	@s = stats(5);
	@s = stats(7);
	@k["x"] = stats(-5);
	@k["y"] = stats(50);
	@k["y"] = stats(51);
	printa(@s);
	printa(@k);
	printa("%s: %@d\n", @k);
	@h = hist(2);
	@h = hist(3, 0);
	@b = hist(1, 2);
	@b = hist(1000, 2);
	@b = hist(1100, 2);
	@b = hist(1300, 2);
	@n[1] = sum(10);
	@n[2] = sum(50);
	@n[3] = sum(30);
	print(@n, 1);
	print(@n, 2, 10);
	print(@n, 0, 5);
	print(@n);
	zero(@n);
	print(@n, 1);
	exit(0);
}
