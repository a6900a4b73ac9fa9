/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums are exact, however large they are: of sum(), avg(), stats(), stddev(), beyond 64 bits and back;
 * normalized, cleared, in formats. */
#pragma D option quiet
inline long top = 0x7fffffffffffffff;
inline long low = -0x7fffffffffffffff - 1;
BEGIN
{
	@a = sum(5); @a = sum(-8);
	@b = sum(top); @b = sum(1);
	@c = sum((char)200); @d = sum((unsigned char)200);
	@e = sum(0xffffffffu); @e = sum(1);
	@f = sum(low); @f = sum(low); @f = sum(-1);
	@g = sum(top); @g = sum(top); @g = sum(top); @g = sum(low); @g = sum(low); @g = sum(low);
	@up = sum(top); @up = sum((unsigned)(cpu >= 0)); @up = sum(0xffffffffu);
	@down = sum(low); @down = sum(0U); @down = sum(pid ? -1 : 0);
	@none = sum(low); @none = sum(0xffffffffu); @none = sum(-1);
	@avg = avg(1700000000000000000); @avg = avg(1700000000000000001); @avg = avg(1700000000000000002);
	@avg = avg(1700000000000000003); @avg = avg(1700000000000000004); @avg = avg(1700000000000000005);
	@neg = avg(low); @neg = avg(low); @neg = avg(low);
	@stats = stats(top); @stats = stats(top);
	@stddev = stddev(top); @stddev = stddev(low); @stddev = stddev(top); @stddev = stddev(low);
	@stddev = stddev(top); @stddev = stddev(low);
	@keyed["k", 1] = sum(low); @keyed["k", 1] = sum(low); @keyed["l", 2] = sum(top);
	@cleared = sum(top); @cleared = sum(top);
	normalize(@f, -2);
}
BEGIN { printa(@cleared); clear(@cleared); }
BEGIN { printa(@cleared); printa("<%@d|%-24@d|%@30d|%@x>\n", @b, @g, @f, @cleared);
	printa(@up); printa(@down); printa(@none); exit(0); }
