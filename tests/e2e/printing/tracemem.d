/* SPDX-License-Identifier: BSD-2-Clause */
/* tracemem dumps the bytes at an address. */
#pragma D option quiet
BEGIN
{
	this->p = (char *)alloca(40);
	this->p[0] = 'h';
	this->p[1] = 'e';
	this->p[2] = 'l';
	this->p[3] = 'l';
	this->p[4] = 'o';
	this->p[5] = ',';
	this->p[6] = 32;
	this->p[7] = 'w';
	this->p[8] = 'o';
	this->p[9] = 'r';
	this->p[10] = 'l';
	this->p[11] = 'd';
	this->p[12] = 10;
	this->p[13] = 0;
	this->p[14] = 127;
	this->p[15] = 128;
	this->p[16] = 'a';
	this->p[17] = 'b';
	this->p[18] = 'c';
	this->p[19] = 'd';
	this->p[20] = 'e';
	this->p[21] = 'f';
	tracemem(this->p, 22);
	tracemem(this->p, 1);
	tracemem(this->p, 16);
	exit(0);
}
