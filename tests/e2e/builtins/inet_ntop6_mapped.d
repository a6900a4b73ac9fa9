/* SPDX-License-Identifier: BSD-2-Clause */
/* IPv4-mapped and -compatible addresses have a dotted tail. */
#pragma D option quiet
BEGIN
{
	this->w = (uint16_t *)alloca(16);
	this->w[0] = htons(0x0);
	this->w[1] = htons(0x0);
	this->w[2] = htons(0x0);
	this->w[3] = htons(0x0);
	this->w[4] = htons(0x0);
	this->w[5] = htons(0xffff);
	this->w[6] = htons(0x7f00);
	this->w[7] = htons(0x1);
	printf("%s\n", inet_ntop(AF_INET6, this->w));
	this->w[0] = htons(0x0);
	this->w[1] = htons(0x0);
	this->w[2] = htons(0x0);
	this->w[3] = htons(0x0);
	this->w[4] = htons(0x0);
	this->w[5] = htons(0x0);
	this->w[6] = htons(0x7f00);
	this->w[7] = htons(0x1);
	printf("%s\n", inet_ntop(AF_INET6, this->w));
	this->w[0] = htons(0x0);
	this->w[1] = htons(0x0);
	this->w[2] = htons(0x0);
	this->w[3] = htons(0x0);
	this->w[4] = htons(0x0);
	this->w[5] = htons(0xffff);
	this->w[6] = htons(0xc0a8);
	this->w[7] = htons(0x102);
	printf("%s\n", inet_ntop(AF_INET6, this->w));
	exit(0);
}
