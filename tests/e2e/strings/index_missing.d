/* SPDX-License-Identifier: BSD-2-Clause */
/* index of what is not there is -1. */
#pragma D option quiet
BEGIN
{
	printf("%d\n", index("hello", "z"));
	printf("%d\n", index("hello", "hello world"));
	printf("%d\n", index("", "a"));
	printf("%d\n", index("hello", "l", 99));
	printf("%d\n", index("hello", "h", 1));
	printf("%d\n", sizeof(index("a", "b")));
	exit(0);
}
