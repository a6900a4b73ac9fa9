/* SPDX-License-Identifier: BSD-2-Clause */
// row: opt.defaultargs
/* defaultargs: a missing operand is 0 or the empty string. */
/* args: 3 */
#pragma D option quiet
#pragma D option defaultargs
BEGIN
{
	n = $2 ? $2 : 10;
	printf("%d %d %d [%s] [%s]\n", $1, $2, n, $$1, $$2);
	exit(0);
}
