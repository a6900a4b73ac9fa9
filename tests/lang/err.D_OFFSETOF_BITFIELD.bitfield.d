/* SPDX-License-Identifier: BSD-2-Clause */
struct s { int a:3; };

BEGIN
{
	trace(offsetof(struct s, a));
}
