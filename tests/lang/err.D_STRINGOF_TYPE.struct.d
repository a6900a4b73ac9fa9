/* SPDX-License-Identifier: BSD-2-Clause */
struct s { int a; }; this struct s z;

BEGIN
{
	trace(stringof(this->z));
}
