/* SPDX-License-Identifier: BSD-2-Clause */
/* Text of network addresses; unknown families are a fault. */
#pragma D option quiet
BEGIN
{
	this->q = (uint64_t *)alloca(24);
	this->q[0] = 0; this->q[1] = 0;
	printf("%s ", inet_ntop(10, this->q));
	this->q[1] = 0x0100000000000000;
	printf("%s ", inet_ntop(10, this->q));
	this->q[1] = 0x0100007f00000000;
	printf("%s ", inet_ntop(10, this->q));
	this->q[1] = 0x0100007fffff0000;
	printf("%s %s\n", inet_ntop(10, this->q), inet_ntop(2, (char *)this->q + 12));
	this->q[0] = 0x0000010001000100; this->q[1] = 0x0100010001000100;
	printf("%s %s\n", inet_ntoa6((struct in6_addr *)this->q), inet_ntoa6((struct in6_addr *)this->q, 1));
	this->q[0] = 0x000000000000a0fe; this->q[1] = 0x0200000000000100;
	printf("%s\n", inet_ntoa6((struct in6_addr *)this->q));
	this->q[0] = 0x0807060504030201; this->q[1] = 0x100f0e0d0c0b0a09; this->q[2] = 0x14131211;
	printf("%s\n%s\n", link_ntop(1, this->q), link_ntop(32, this->q));
}
BEGIN { printf("%s\n", inet_ntop(7, alloca(4))); }
BEGIN { printf("%s\n", link_ntop(7, alloca(8))); }
ERROR { printf("error %d %d\n", arg4, arg5); }
BEGIN { exit(0); }
