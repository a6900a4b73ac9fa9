/* SPDX-License-Identifier: BSD-2-Clause */
/* The source of bcopy() is a pointer, not a number. */
BEGIN
{
	this->p = alloca(8);
	bcopy(99, this->p, 8);
	exit(0);
}
