/* SPDX-License-Identifier: BSD-2-Clause */
/* The third argument limits what is shown; 0 shows nothing, a negative or larger one all. */
#pragma D option quiet
BEGIN
{
	this->p = (char *)alloca(8);
	this->p[0] = 'a'; this->p[1] = 'b'; this->p[2] = 'c'; this->p[3] = 'd';
	n = 2;
	tracemem(this->p, 4, n);
	printf("none:");
	tracemem(this->p, 4, 0);
	printf("all:");
	tracemem(this->p, 4, 9);
	tracemem(this->p, 4, -1);
	exit(0);
}
