/* SPDX-License-Identifier: BSD-2-Clause */
struct s { int a; };

BEGIN
{
	trace(((struct s *)0)->b);
}
