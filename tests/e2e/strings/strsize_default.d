/* SPDX-License-Identifier: BSD-2-Clause */
/* The default strsize is 256 bytes, the NUL among them. */
#pragma D option quiet
BEGIN
{
	a = strjoin("0123456789012345678901234567890123456789", "0123456789012345678901234567890123456789");
	b = strjoin(a, a);
	c = strjoin(b, b);
	printf("%d %d\n", strlen(b), strlen(c));
	exit(0);
}
