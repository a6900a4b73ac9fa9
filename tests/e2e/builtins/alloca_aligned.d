/* SPDX-License-Identifier: BSD-2-Clause */
/* Each allocation is aligned to 8 bytes and apart from the others. */
#pragma D option quiet
BEGIN
{
	this->a = (char *)alloca(3);
	this->b = (char *)alloca(5);
	printf("%d %d\n", (uintptr_t)this->a % 8, (uintptr_t)this->b % 8);
	this->a[0] = 1; this->b[0] = 2;
	printf("%d %d\n", this->a[0], this->b[0]);
	exit(0);
}
