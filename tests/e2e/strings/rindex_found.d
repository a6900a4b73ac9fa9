/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.rindex
/* rindex gives the offset of the last occurrence that starts at or before the start. */
#pragma D option quiet
BEGIN
{
	printf("%d\n", rindex("hello", "l"));
	printf("%d\n", rindex("hello", "l", 3));
	printf("%d\n", rindex("hello", "l", 2));
	printf("%d\n", rindex("hello", "l", 1));
	printf("%d\n", rindex("hello", "l", 99));
	printf("%d\n", rindex("hello", "he", 0));
	printf("%d\n", rindex("ababab", "ab"));
	printf("%d\n", rindex("ababab", "ab", 3));
	exit(0);
}
