/* SPDX-License-Identifier: BSD-2-Clause */
/* Stacks of different depth are no key to join by. */
BEGIN
{
	@a[stack(1)] = count();
	@b[stack(2)] = count();
	printa(@a, @b);
}
