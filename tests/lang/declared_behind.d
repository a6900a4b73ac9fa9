/* SPDX-License-Identifier: BSD-2-Clause */
/* What is assigned before is known, and may be declared behind with the same type. */
BEGIN
{
	total = 1;
	table[1] = 2;
	n++;
}

int total;
int table[int];
int64_t n;

BEGIN
/total == table[1] || n/
{
	exit(0);
}
