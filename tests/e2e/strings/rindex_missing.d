/* SPDX-License-Identifier: BSD-2-Clause */
/* rindex of what is not there, or with a negative start, is -1. */
#pragma D option quiet
BEGIN
{
	printf("%d\n", rindex("hello", "z"));
	printf("%d\n", rindex("hello", "l", -1));
	printf("%d\n", rindex("hello", "h", -1));
	printf("%d\n", rindex("", "a"));
	printf("%d\n", rindex("he", "hello"));
	exit(0);
}
