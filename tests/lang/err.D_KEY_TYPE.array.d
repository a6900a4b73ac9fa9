/* SPDX-License-Identifier: BSD-2-Clause */
struct s { int a[2]; }; this struct s z;

BEGIN
{
	x[this->z.a] = 2;
}
