/* SPDX-License-Identifier: BSD-2-Clause */
/* Casts, sizeof, offsetof and character constants fold. */
#pragma D option quiet
struct s { int a; char b; long c; };
int v[sizeof (struct s)];
int w[offsetof(struct s, c) + 1];
int x[(char)257 + 1];
int y['c' - 'a'];
int z[1 ? 3 : 4];
int b[(_Bool)256 + (_Bool)2 + 3];
struct t { _Bool all; _Bool one : 1; } t;
BEGIN
{
	printf("%d %d %d %d %d\n", sizeof(v), sizeof(w), sizeof(x), sizeof(y), sizeof(z));
	t.all = 256;
	t.one = 0x8100;
	printf("%d %d %d\n", sizeof(b), t.all, t.one);
	exit(0);
}
