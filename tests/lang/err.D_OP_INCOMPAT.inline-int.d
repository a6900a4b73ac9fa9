/* SPDX-License-Identifier: BSD-2-Clause */
inline int s = "abc";

BEGIN
{
	exit(0);
}
