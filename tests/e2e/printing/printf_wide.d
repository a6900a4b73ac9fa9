/* SPDX-License-Identifier: BSD-2-Clause */
// row: conv.ls
/* %lc and %wc print wide characters, %ls and %ws arrays of them. */
#pragma D option quiet
int w[4];
BEGIN
{
	printf("%lc%wc\n", 'A', 'B');
	w[0] = 'd'; w[1] = 't'; w[2] = 'x';
	printf("%ls %ws\n", w, w);
	exit(0);
}
