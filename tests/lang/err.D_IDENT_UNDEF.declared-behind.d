/* SPDX-License-Identifier: BSD-2-Clause */
/* Names become known in textual order: a declaration does not reach what stands before it. */
BEGIN
{
	trace(total + 1);
	exit(0);
}

int total;
