/* SPDX-License-Identifier: BSD-2-Clause */
/* A constant of several characters: the first is the most significant byte. */
#pragma D option quiet
BEGIN
{
	printf("%x %x %x\n", 'ab', 'abc', 'abcd');
	printf("%x %x\n", 'abcde', 'abcdefgh');
	printf("%x\n", 'a\n');
	printf("%d %d %d\n", sizeof('ab'), sizeof('abcd'), sizeof('abcde'));
	exit(0);
}
