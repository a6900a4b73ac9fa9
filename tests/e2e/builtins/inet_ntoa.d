/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.inet_ntoa
/* inet_ntoa(): dotted text of an address in network order, behind a pointer. */
#pragma D option quiet
BEGIN
{
	this->a = (ipaddr_t *)alloca(4);
	*this->a = htonl(0x7f000001); printf("%s\n", inet_ntoa(this->a));
	*this->a = htonl(0xc0a80a14); printf("%s\n", inet_ntoa(this->a));
	*this->a = 0; printf("%s\n", inet_ntoa(this->a));
	*this->a = 0xffffffff; printf("%s\n", inet_ntoa(this->a));
	exit(0);
}
