/* SPDX-License-Identifier: BSD-2-Clause */
// row: opt.pspec
/* run: -q -x pspec */
uint64_t n;
size_t *where;

BEGIN
{
	n = 7;
	printf("%d %d\n", n, where == NULL);
	exit(0);
}
