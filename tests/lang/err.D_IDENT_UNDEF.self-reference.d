/* SPDX-License-Identifier: BSD-2-Clause */
inline int i = i;

BEGIN
{
	trace(i);
}
