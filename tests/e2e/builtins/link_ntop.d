/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.link_ntop
/* link_ntop of an Ethernet address. */
#pragma D option quiet
BEGIN
{
	this->m = (uint8_t *)alloca(6);
	this->m[0] = 0; this->m[1] = 0x1b; this->m[2] = 0xc; this->m[3] = 0xff; this->m[4] = 0x80; this->m[5] = 9;
	printf("%s\n", link_ntop(ARPHRD_ETHER, this->m));
	printf("%s\n", link_ntop(1, this->m));
	exit(0);
}
