/* SPDX-License-Identifier: BSD-2-Clause */
/* A translator from an integer. */
#pragma D option quiet
struct num { int twice; int square; string sign; };
translator struct num < int N > {
	twice = N * 2;
	square = N * N;
	sign = N < 0 ? "-" : "+";
};
BEGIN
{
	n = -3;
	printf("%d %d %s\n", xlate <struct num>(n).twice, xlate <struct num>(n).square, xlate <struct num *>(n)->sign);
	printf("%d\n", xlate <struct num>(n + 10).square);
	exit(0);
}
