// SPDX-License-Identifier: BSD-2-Clause
// The minus of a narrow unsigned parameter has 64 bits, whether a constant or a variable was given.  A literal is narrowed.
// truth: inlines and translators, unsigned char, short, int | minus in long, unsigned short, keys, sums, comparisons | arithmetic by hand
#pragma D option quiet
inline long c[unsigned char p] = (-p);
inline long s[unsigned short p] = -p;
inline long i[unsigned int p] = -(p);
inline long twice[unsigned char p] = -(p + p);
inline long nested[unsigned char p] = c[p] - 1;
inline long under[unsigned char p] = p ? -p : 0;
inline unsigned short narrow[unsigned char p] = -p;
struct out { uint64_t wide; unsigned short half; long sign; int word; };
translator struct out < unsigned char x > { wide = (-x); half = -x; sign = -x; word = -x; };
unsigned char u;
BEGIN { u = 254; printf("%d %d %d %d\n", c[254], c[u], c[(unsigned char)254], c[510]); }
BEGIN { printf("%d %d %d %d\n", s[65534], s[u], i[4294967294], i[u]); }
BEGIN { printf("%d %d %d %d %d %d\n", twice[254], twice[u], nested[254], nested[u], under[254], under[u]); }
BEGIN { u = 64; printf("%d %d %d %d\n", narrow[64], narrow[u], c[64] < 0, c[u] == -64); }
BEGIN
{
	printf("%d %d %d %d\n", (int64_t)(xlate <struct out>((unsigned char)64)).wide,
	    (xlate <struct out>((unsigned char)64)).half, (xlate <struct out>((unsigned char)64)).sign,
	    (xlate <struct out>((unsigned char)64)).word);
	printf("%d %d %d %d\n", (int64_t)(xlate <struct out>(u)).wide, (xlate <struct out>(u)).half,
	    (xlate <struct out>(u)).sign, (xlate <struct out>(u)).word);
}
BEGIN { @[c[254], narrow[64]] = sum(c[254]); printa("%d %d %@d\n", @); clear(@); trunc(@); }
BEGIN { printf("%d %d\n", -3U, -(unsigned char)3); exit(0); }
