/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.getmajor
/* getmajor and getminor split a device number at bit 20. */
#pragma D option quiet
BEGIN
{
	d = 0x800011;
	printf("%d %d\n", getmajor(d), getminor(d));
	printf("%d %d\n", getmajor(0xfffff), getminor(0xfffff));
	printf("%d %d\n", getmajor(0x100000), getminor(0x100000));
	exit(0);
}
