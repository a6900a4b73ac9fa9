/* SPDX-License-Identifier: BSD-2-Clause */
/* run: -q */
/* Tuples of integers and strings: columns by the type of the key, rows by value, then by key. */
BEGIN
{
	@["b", 1] = sum(7);
	@["a", 2] = sum(7);
	@["c", 3] = sum(-7);
	@["a", 2] = sum(-1);
	exit(0);
}
