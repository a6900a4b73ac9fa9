/* SPDX-License-Identifier: BSD-2-Clause */
BEGIN
{
	trace(((int *)0)->a);
}
