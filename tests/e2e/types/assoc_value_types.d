/* SPDX-License-Identifier: BSD-2-Clause */
/* The value has the type of the widest assignment. */
#pragma D option quiet
BEGIN
{
	a["i"] = 1;
	a["j"] = 0x100000007LL;
	b[1] = (char)1;
	b[2] = 200;
	printf("%d %d\n", a["j"], b[2]);
	printf("%d %d\n", sizeof(a["i"]), sizeof(b[1]));
	exit(0);
}
