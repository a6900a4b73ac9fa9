/* SPDX-License-Identifier: BSD-2-Clause */
/* sum: signed 64 bits, which wrap. */
#pragma D option quiet
BEGIN
{
	@a = sum(5); @a = sum(-8);
	@b = sum(0x7fffffffffffffff); @b = sum(1);
	@c = sum((char)200); @d = sum((unsigned char)200);
	@e = sum(0xffffffffu); @e = sum(1);
	exit(0);
}
