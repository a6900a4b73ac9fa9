/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.alloca
// where: both
/* alloca gives memory that can be written and read through pointers. */
#pragma D option quiet
BEGIN
{
	this->p = (int *)alloca(16);
	*this->p = 3; this->p[1] = 4; *(this->p + 2) = 5; this->p[3] = this->p[0] + this->p[1];
	printf("%d %d %d %d\n", this->p[0], *(this->p + 1), this->p[2], this->p[3]);
	this->c = (char *)alloca(4);
	this->c[0] = 'a'; this->c[1] = 'b'; this->c[2] = 0;
	printf("%s\n", stringof(this->c));
	this->p[0]++;
	this->p[1] += 10;
	printf("%d %d\n", this->p[0], this->p[1]);
	exit(0);
}
