/* SPDX-License-Identifier: BSD-2-Clause */
// row: printa.key64 printa.key32
/* Columns of the keys by size; unsigned ones are shown as they are. */
#pragma D option quiet
BEGIN
{
	@a[(char)5, (short)6, 7, 8LL] = count();
	@b[(unsigned char)200] = count();
	@c[(unsigned short)60000] = count();
	@d[-9] = count();
	@e[-10LL] = count();
	@f["s", 'c'] = count();
	exit(0);
}
