/* SPDX-License-Identifier: BSD-2-Clause */
/* __has_member() is a constant: the branch that is not taken is not checked. */
#pragma D option quiet
struct s { int a; };
struct s v;
BEGIN { v.a = 4; printf("%d %d\n", __has_member(struct s, a) ? v.a : v.b, __has_member(struct s, b) ? v.b : 9); exit(0); }
