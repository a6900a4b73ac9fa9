/* SPDX-License-Identifier: BSD-2-Clause */
struct s { int a; };
BEGIN
{
	trace(offsetof(struct s, a[1]));
}
