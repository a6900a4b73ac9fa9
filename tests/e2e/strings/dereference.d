// SPDX-License-Identifier: BSD-2-Clause
// A string is an array of characters: * gives the first one.
// run: -q
BEGIN
{
	s = "abc";
	printf("%c%c%d%d\n", *s, *"xyz", *"", sizeof(*s));
	exit(0);
}
