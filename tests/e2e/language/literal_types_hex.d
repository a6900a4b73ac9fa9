/* SPDX-License-Identifier: BSD-2-Clause */
/* A hexadecimal or octal literal may be unsigned before it is long. */
#pragma D option quiet
BEGIN
{
	printf("%d %d %d\n", sizeof(0x7fffffff), sizeof(0xffffffff), sizeof(0x100000000));
	printf("%d %d\n", 0x80000000, 037777777777);
	printf("%d\n", 0xffffffffffffffff);
	printf("%d\n", 0x7fffffffffffffff);
	printf("%d\n", -1 < 0x80000000 ? 1 : 0);
	exit(0);
}
