/* SPDX-License-Identifier: BSD-2-Clause */
/* run: -q */
/* args: 7 seven */
/* Conversions, flags, widths, and script arguments. */
BEGIN
{
	printf("%d|%5d|%-5d|%05d|%+d\n", -3, 42, 42, 42, 42);
	printf("%x|%X|%o|%#x|%u\n", 255, 255, 8, 255, 1);
	printf("%s|%8s|%-8s|%c|%%\n", "abc", "abc", "abc", 'x');
	printf("%d %s\n", $1, $$2);
	printf("%hd %lld\n", (short)-2, (long long)-2);
	exit(0);
}
