/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.bcopy
/* bcopy copies between pieces of scratch memory. */
#pragma D option quiet
BEGIN
{
	this->a = (int *)alloca(12);
	this->b = (int *)alloca(12);
	this->a[0] = 1; this->a[1] = 2; this->a[2] = 3;
	this->b[0] = 0; this->b[2] = 9;
	bcopy(this->a, this->b, 8);
	printf("%d %d %d\n", this->b[0], this->b[1], this->b[2]);
	bcopy(this->a + 1, this->b, 8);
	printf("%d %d %d\n", this->b[0], this->b[1], this->b[2]);
	exit(0);
}
