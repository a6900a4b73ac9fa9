/* SPDX-License-Identifier: BSD-2-Clause */
inline string s = 5;

BEGIN
{
	exit(0);
}
