/* SPDX-License-Identifier: BSD-2-Clause */
/* %% prints one percent sign; a format without conversions; an empty argument list. */
#pragma D option quiet
BEGIN
{
	printf("100%%");
	printf("%%d %d%%\n", 5);
	printf("plain\n");
	exit(0);
}
