/* SPDX-License-Identifier: BSD-2-Clause */
// row: opt.scratchsize
/* scratchsize makes room for a larger allocation. */
#pragma D option quiet
#pragma D option scratchsize=4096
BEGIN
{
	n = 4000;
	this->p = (char *)alloca(n);
	this->p[0] = 'a'; this->p[3999] = 'z';
	printf("%c%c\n", this->p[0], this->p[3999]);
	exit(0);
}
