/* SPDX-License-Identifier: BSD-2-Clause */
int a[4]; int b[4];

BEGIN
{
	a = b;
}
