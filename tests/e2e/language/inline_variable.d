/* SPDX-License-Identifier: BSD-2-Clause */
/* An inline may use variables and subroutines; it is evaluated at each use. */
#pragma D option quiet
int base;
inline int NEXT = base + 1;
inline size_t LEN = strlen(probename);
BEGIN
{
	base = 10;
	printf("%d ", NEXT);
	base = 20;
	printf("%d %d\n", NEXT, LEN);
	exit(0);
}
