/* SPDX-License-Identifier: BSD-2-Clause */
/* %Y and %T print local time; the zone is fixed by the test's environment. */
#pragma D option quiet
BEGIN
{
	printf("%Y\n", 123456000000000000LL);
	printf("%Y\n", timestamp - timestamp);
	exit(0);
}
