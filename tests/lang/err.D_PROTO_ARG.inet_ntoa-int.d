/* SPDX-License-Identifier: BSD-2-Clause */
/* The address is read from memory: a pointer to 32 bits. */
BEGIN
{
	trace(inet_ntoa(0x7f000001));
	exit(0);
}
