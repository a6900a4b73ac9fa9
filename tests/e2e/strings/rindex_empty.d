/* SPDX-License-Identifier: BSD-2-Clause */
/* rindex of the empty string is the length or the start; 0 for a negative one. */
#pragma D option quiet
BEGIN
{
	printf("%d\n", rindex("hello", ""));
	printf("%d\n", rindex("hello", "", 2));
	printf("%d\n", rindex("hello", "", 9));
	printf("%d\n", rindex("hello", "", -1));
	printf("%d\n", rindex("", ""));
	exit(0);
}
