/* SPDX-License-Identifier: BSD-2-Clause */
/* Declared variables start at zero, strings empty, those of a thread NULL. */
#pragma D option quiet
int i; uint64_t u; string s; self int t; int a[string]; self string ts;
BEGIN
{
	printf("%d %d [%s] %d %d [%d]\n", i, u, s, self->t, a["none"], self->ts == NULL);
	exit(0);
}
