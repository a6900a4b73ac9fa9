/* SPDX-License-Identifier: BSD-2-Clause */
/* index of the empty string is the start, clipped to the length. */
#pragma D option quiet
BEGIN
{
	printf("%d\n", index("hello", ""));
	printf("%d\n", index("hello", "", 3));
	printf("%d\n", index("hello", "", 5));
	printf("%d\n", index("hello", "", 9));
	printf("%d\n", index("hello", "", -2));
	printf("%d\n", index("", ""));
	printf("%d\n", index("", "", 4));
	exit(0);
}
