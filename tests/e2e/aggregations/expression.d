/* SPDX-License-Identifier: BSD-2-Clause */
/* The value is any integer expression, negative, boolean, conditional. */
#pragma D option quiet
BEGIN
{
	x = 6;
	@a = sum(x * 2 - 15); @b = sum(x > 5); @c = max(x > 5 ? -x : x); @d = sum(x++); @d = sum(x);
	exit(0);
}
