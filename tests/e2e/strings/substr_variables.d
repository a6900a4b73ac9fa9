/* SPDX-License-Identifier: BSD-2-Clause */
/* substr of variables with indices known only at run time. */
#pragma D option quiet
BEGIN
{
	s = "/usr/lib/libc.so"; i = 5; n = 3; m = -4;
	printf("%s %s %s\n", substr(s, i), substr(s, i, n), substr(s, m, 2));
	t = substr(s, i + n + 1, m);
	printf("%s %d\n", t, strlen(t));
	printf("%s\n", substr(substr(s, 1), 0, 3));
	exit(0);
}
