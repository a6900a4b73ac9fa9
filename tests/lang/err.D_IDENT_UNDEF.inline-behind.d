/* SPDX-License-Identifier: BSD-2-Clause */
/* Names become known in textual order: an inline does not reach what stands before it. */
BEGIN
{
	trace(LIMIT);
	exit(0);
}

inline int LIMIT = 5;
