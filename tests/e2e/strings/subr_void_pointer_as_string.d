/* SPDX-License-Identifier: BSD-2-Clause */
/* A void pointer may stand for a string. */
#pragma D option quiet
BEGIN
{
	this->p = alloca(8);
	bcopy("abc/def", this->p, 8);
	printf("%d %s\n", strlen(this->p), basename(this->p));
	exit(0);
}
ERROR
{
	exit(1);
}
