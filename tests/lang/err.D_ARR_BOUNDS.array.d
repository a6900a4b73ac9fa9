/* SPDX-License-Identifier: BSD-2-Clause */
int a[4];

BEGIN
{
	trace(a[4]);
}
