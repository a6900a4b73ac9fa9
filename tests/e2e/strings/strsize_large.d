/* SPDX-License-Identifier: BSD-2-Clause */
/* strsize above the default keeps longer text. */
#pragma D option quiet
#pragma D option strsize=1k
BEGIN
{
	a = strjoin("0123456789012345678901234567890123456789", "0123456789012345678901234567890123456789");
	b = strjoin(a, a);
	c = strjoin(b, b);
	d = strjoin(c, c);
	printf("%d %d\n", strlen(c), strlen(d));
	exit(0);
}
