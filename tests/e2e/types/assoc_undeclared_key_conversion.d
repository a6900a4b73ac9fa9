/* SPDX-License-Identifier: BSD-2-Clause */
/* Keys have a type that holds the keys of all uses: 1 and 0x100000001 are two. */
#pragma D option quiet
BEGIN
{
	a[1] = 5;
	printf("%d %d\n", a[1LL], a[0x100000001LL]);
	b[(short)3] = 6;
	printf("%d %d\n", b[3], b[0x10003]);
	exit(0);
}
