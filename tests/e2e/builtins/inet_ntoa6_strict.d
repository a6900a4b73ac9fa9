/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.inet_ntoa6
/* inet_ntoa6 does not compress a single zero group when it is strict. */
#pragma D option quiet
BEGIN
{
	this->w = (uint16_t *)alloca(16);
	this->w[0] = htons(0x1);
	this->w[1] = htons(0x0);
	this->w[2] = htons(0x2);
	this->w[3] = htons(0x3);
	this->w[4] = htons(0x4);
	this->w[5] = htons(0x5);
	this->w[6] = htons(0x6);
	this->w[7] = htons(0x7);
	this->a = (struct in6_addr *)this->w;
	printf("%s\n", inet_ntoa6(this->a));
	printf("%s\n", inet_ntoa6(this->a, 1));
	printf("%s\n", inet_ntoa6(this->a, 0));
	this->w[2] = 0;
	printf("%s %s\n", inet_ntoa6(this->a), inet_ntoa6(this->a, 1));
	exit(0);
}
