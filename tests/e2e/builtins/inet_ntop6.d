/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.inet_ntop
/* IPv6 addresses: the longest run of zeros is compressed. */
#pragma D option quiet
BEGIN
{
	this->w = (uint16_t *)alloca(16);
	this->w[0] = htons(0x2001);
	this->w[1] = htons(0xdb8);
	this->w[2] = htons(0x0);
	this->w[3] = htons(0x0);
	this->w[4] = htons(0x0);
	this->w[5] = htons(0x0);
	this->w[6] = htons(0x0);
	this->w[7] = htons(0x1);
	printf("%s\n", inet_ntop(AF_INET6, this->w));
	this->w[0] = htons(0x2001);
	this->w[1] = htons(0xdb8);
	this->w[2] = htons(0x0);
	this->w[3] = htons(0x0);
	this->w[4] = htons(0x1);
	this->w[5] = htons(0x0);
	this->w[6] = htons(0x0);
	this->w[7] = htons(0x0);
	printf("%s\n", inet_ntop(AF_INET6, this->w));
	this->w[0] = htons(0xfe80);
	this->w[1] = htons(0x0);
	this->w[2] = htons(0x0);
	this->w[3] = htons(0x0);
	this->w[4] = htons(0x1);
	this->w[5] = htons(0x22);
	this->w[6] = htons(0x333);
	this->w[7] = htons(0x4444);
	printf("%s\n", inet_ntop(AF_INET6, this->w));
	this->w[0] = htons(0x1);
	this->w[1] = htons(0x2);
	this->w[2] = htons(0x3);
	this->w[3] = htons(0x4);
	this->w[4] = htons(0x5);
	this->w[5] = htons(0x6);
	this->w[6] = htons(0x7);
	this->w[7] = htons(0x8);
	printf("%s\n", inet_ntop(AF_INET6, this->w));
	this->w[0] = htons(0x2001);
	this->w[1] = htons(0x0);
	this->w[2] = htons(0x0);
	this->w[3] = htons(0x0);
	this->w[4] = htons(0x1);
	this->w[5] = htons(0x0);
	this->w[6] = htons(0x0);
	this->w[7] = htons(0x1);
	printf("%s\n", inet_ntop(AF_INET6, this->w));
	exit(0);
}
