/* SPDX-License-Identifier: BSD-2-Clause */
/* The loopback address and the address of zeros. */
#pragma D option quiet
BEGIN
{
	this->w = (uint16_t *)alloca(16);
	this->w[0] = htons(0x0);
	this->w[1] = htons(0x0);
	this->w[2] = htons(0x0);
	this->w[3] = htons(0x0);
	this->w[4] = htons(0x0);
	this->w[5] = htons(0x0);
	this->w[6] = htons(0x0);
	this->w[7] = htons(0x1);
	printf("%s\n", inet_ntop(AF_INET6, this->w));
	this->w[0] = htons(0x0);
	this->w[1] = htons(0x0);
	this->w[2] = htons(0x0);
	this->w[3] = htons(0x0);
	this->w[4] = htons(0x0);
	this->w[5] = htons(0x0);
	this->w[6] = htons(0x0);
	this->w[7] = htons(0x0);
	printf("%s\n", inet_ntop(AF_INET6, this->w));
	this->w[0] = htons(0x1);
	this->w[1] = htons(0x0);
	this->w[2] = htons(0x0);
	this->w[3] = htons(0x0);
	this->w[4] = htons(0x0);
	this->w[5] = htons(0x0);
	this->w[6] = htons(0x0);
	this->w[7] = htons(0x0);
	printf("%s\n", inet_ntop(AF_INET6, this->w));
	this->w[0] = htons(0x0);
	this->w[1] = htons(0x0);
	this->w[2] = htons(0x0);
	this->w[3] = htons(0x0);
	this->w[4] = htons(0x0);
	this->w[5] = htons(0x0);
	this->w[6] = htons(0x102);
	this->w[7] = htons(0x304);
	printf("%s\n", inet_ntop(AF_INET6, this->w));
	exit(0);
}
