/* SPDX-License-Identifier: BSD-2-Clause */
inline int f[int a, int b] = a + b;

BEGIN
{
	trace(f[1]);
}
