/* SPDX-License-Identifier: BSD-2-Clause */
// row: lang.2.8
/* Escapes in strings: octal takes three digits at most, hexadecimal as many as follow. */
#pragma D option quiet
BEGIN
{
	printf("%d %d\n", strlen("\a\b\f\n\r\t\v\"\\"), strlen("\1011"));
	printf("%s|%s|%s\n", "\101\102", "\1011", "\x41g");
	printf("%s\n", "tab\there \"quoted\" back\\slash");
	printf("\x64\164\170\n");
	exit(0);
}
