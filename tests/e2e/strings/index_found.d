/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.index
/* index gives the offset of the first occurrence at or after the start. */
#pragma D option quiet
BEGIN
{
	printf("%d\n", index("hello", "l"));
	printf("%d\n", index("hello", "l", 2));
	printf("%d\n", index("hello", "l", 3));
	printf("%d\n", index("hello", "l", 4));
	printf("%d\n", index("hello", "hello"));
	printf("%d\n", index("hello", "lo"));
	printf("%d\n", index("hello", "lo", -5));
	exit(0);
}
