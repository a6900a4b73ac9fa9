/* SPDX-License-Identifier: BSD-2-Clause */
/* A string can be indexed by byte. */
#pragma D option quiet
BEGIN
{
	s = "abc";
	printf("%c%c%c %d\n", s[0], s[1], s[2], s[3]);
	i = 1;
	printf("%d\n", s[i] == 'b');
	printf("%d\n", sizeof(s[0]));
	exit(0);
}
