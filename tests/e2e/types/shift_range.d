// SPDX-License-Identifier: BSD-2-Clause
// A number of bits that a value does not have: the same for a constant and at run time, and a warning.
#pragma D option quiet
BEGIN
{
	this->n = 70;
	this->x = 3;
	this->y = -16;
	printf("%d %d ", 1 << 70, 1 << this->n);
	printf("%d %d ", this->y >> 66, this->y >> (this->n - 4));
	this->x <<= -63;
	printf("%d %d %d", this->x, this->y << 63, this->y >> 0);
	exit(0);
}
