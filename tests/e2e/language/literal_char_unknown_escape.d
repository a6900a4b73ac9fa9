/* SPDX-License-Identifier: BSD-2-Clause */
/* A backslash before any other character stays: two characters. */
#pragma D option quiet
BEGIN
{
	printf("%x\n", '\d');
	printf("%d %d\n", strlen("\d"), strlen("\q\w"));
	printf("%s\n", "\d");
	exit(0);
}
