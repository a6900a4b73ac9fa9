/* SPDX-License-Identifier: BSD-2-Clause */
/* An expression is recorded in the size of its type. */
/* filter: cpu */
unsigned char uc; int i;
BEGIN
{
	uc = 250; i = 0x7fffffff;
	trace(uc + uc); trace(i + 1); trace(i + 1LL); trace(uc == 250); trace(uc << 4);
	exit(0);
}
