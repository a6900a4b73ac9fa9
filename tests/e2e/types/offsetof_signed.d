// SPDX-License-Identifier: BSD-2-Clause
// offsetof() is an int: what is computed with it can be negative.
#pragma D option quiet
struct s { char a; int b; long c[4]; };
BEGIN
{
	printf("%d %d %d\n", offsetof(struct s, b) - 8 < 0, -offsetof(struct s, c) < 0, sizeof(offsetof(struct s, b)));
	x = offsetof(struct s, c[1]) - 100;
	printf("%d %d\n", x, (offsetof(struct s, b) - 12) / 4);
	@ = min(offsetof(struct s, b) - 5);
	exit(0);
}
