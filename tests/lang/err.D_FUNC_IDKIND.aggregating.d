/* SPDX-License-Identifier: BSD-2-Clause */
/* A variable is not a function, not even in the place of an aggregating one. */
int x;
BEGIN
{
	@a = x(1);
}
