/* SPDX-License-Identifier: BSD-2-Clause */
/* Several declarators in one declaration; const and volatile are accepted. */
#pragma D option quiet
int a, b, c;
const int k;
volatile unsigned long v;
long long int ll;
unsigned u;
short int s;
BEGIN
{
	a = 1; b = 2; c = 3; k = 4; v = 5; ll = 6; u = 7; s = 8;
	printf("%d %d %d %d %d %d %d %d\n", a, b, c, k, v, ll, u, s);
	printf("%d %d %d %d\n", sizeof(v), sizeof(ll), sizeof(u), sizeof(s));
	exit(0);
}
