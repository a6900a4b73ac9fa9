/* SPDX-License-Identifier: BSD-2-Clause */
// row: lang.10
/* Where bits change the typed tree shows it. */
char small;
unsigned short keys[int];

BEGIN
{
	small = 300;
	small = small + 1;
	keys[small] = small - 1;
	this->long_one = (long long)small;
	trace(small == 44 ? small : -1);
	exit(0);
}
