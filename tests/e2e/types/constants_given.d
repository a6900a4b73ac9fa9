/* SPDX-License-Identifier: BSD-2-Clause */
/* A constant that the type of a parameter does not hold loses bits where it is given to an inline or a function; this is said. */
/* args: 60000000000 */
#pragma D option quiet
inline long more[int x] = x + 1;
inline long wide[long x] = x + 1;
inline long small[char x] = x;
BEGIN
{
	printf("%d %d %d\n", more[60 * 1000000000], wide[60 * 1000000000], more[$1]);
	printf("%d %d %d\n", small[300], small[255], small[-128]);
	printf("%d %d %d\n", ntohs(70000), ntohs(-1), htonl(4294967295));
	printf("%s %s\n", substr("abc", 4294967297), lltostr(60000000000));
	exit(0);
}
