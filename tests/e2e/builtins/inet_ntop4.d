/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.inet_ntop
/* inet_ntop and inet_ntoa of IPv4 addresses. */
#pragma D option quiet
BEGIN
{
	this->a = (ipaddr_t *)alloca(4);
	*this->a = htonl(0x7f000001);
	printf("%s %s\n", inet_ntop(AF_INET, this->a), inet_ntoa(this->a));
	*this->a = htonl(0xc0a80aff);
	printf("%s %s\n", inet_ntop(2, this->a), inet_ntoa(this->a));
	*this->a = 0;
	printf("%s\n", inet_ntop(AF_INET, this->a));
	*this->a = 0xffffffff;
	printf("%s %d\n", inet_ntoa(this->a), strlen(inet_ntoa(this->a)));
	exit(0);
}
