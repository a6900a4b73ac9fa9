/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.lltostr
/* lltostr gives the decimal text of a signed 64-bit number. */
#pragma D option quiet
BEGIN
{
	printf("[%s]\n", lltostr(0));
	printf("[%s]\n", lltostr(123));
	printf("[%s]\n", lltostr(-1));
	printf("[%s]\n", lltostr(9223372036854775807));
	printf("[%s]\n", lltostr(-9223372036854775807 - 1));
	printf("[%s]\n", lltostr((char)-5));
	printf("[%s]\n", lltostr(4294967295));
	exit(0);
}
