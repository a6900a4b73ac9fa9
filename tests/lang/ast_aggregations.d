// SPDX-License-Identifier: BSD-2-Clause
// Aggregations: the statement, the bare name, keys.
BEGIN
{
	@ = count();
	@a = sum(x);
	@b[pid, execname] = quantize(x + 1);
	@c[stack(), ustack(5)] = lquantize(x, 0, 100, 10);
	printa(@a);
	printa("%@d\n", @a, @b);
	clear(@);
	@a;
}
