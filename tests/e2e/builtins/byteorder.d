/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.htonl
/* Byte-order conversions of 16, 32 and 64 bits. */
#pragma D option quiet
BEGIN
{
	printf("%x %x %x\n", htons(0x1234), htonl(0x12345678), htonll(0x123456789abcdef0));
	printf("%x %x %x\n", ntohs(0x1234), ntohl(0x12345678), ntohll(0x123456789abcdef0));
	p = 8080;
	printf("%d %d\n", ntohs(htons(p)), ntohs(p));
	printf("%d %d %d\n", sizeof(htons(1)), sizeof(htonl(1)), sizeof(htonll(1)));
	exit(0);
}
