/* SPDX-License-Identifier: BSD-2-Clause */
/* Declared variables start at zero, strings empty. */
#pragma D option quiet
int i; uint64_t u; string s; self int t; int a[string]; self string ts;
BEGIN
{
	printf("%d %d [%s] %d %d [%s]\n", i, u, s, self->t, a["none"], self->ts);
	exit(0);
}
