// SPDX-License-Identifier: BSD-2-Clause
// What is aggregated has all the bits it was computed with; keys have those of their type.
#pragma D option quiet
BEGIN
{
	i = 5;
	@s = sum(i * 1000000000); @c = sum((char)100 + (char)100);
	@m[(char)300] = max(i * 1000000000); @n = min(-i * 1000000000); @a = avg(i * 1000000000);
	@q = quantize(i * 1000000000); @l = lquantize((char)100 + (char)100, 0, 300, 100);
	printa("%@d ", @s); printa("%@d ", @c); printa("%d: %@d ", @m); printa("%@d ", @n); printa("%@d\n", @a);
	printa("%@d", @q); printa("%@d\n", @l);
	exit(0);
}
