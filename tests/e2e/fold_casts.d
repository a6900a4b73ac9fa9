/* SPDX-License-Identifier: BSD-2-Clause */
/* Casts, sizeof, offsetof and character constants fold. */
#pragma D option quiet
struct s { int a; char b; long c; };
int v[sizeof (struct s)];
int w[offsetof(struct s, c) + 1];
int x[(char)257 + 1];
int y['c' - 'a'];
int z[1 ? 3 : 4];
BEGIN
{
	printf("%d %d %d %d %d\n", sizeof(v), sizeof(w), sizeof(x), sizeof(y), sizeof(z));
	exit(0);
}
