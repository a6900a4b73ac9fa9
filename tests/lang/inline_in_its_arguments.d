/* SPDX-License-Identifier: BSD-2-Clause */
/* An inline does not see itself, but the arguments it is given may use it. */
inline int larger[int a, int b] = a > b ? a : b;

BEGIN
{
	trace(larger[larger[pid, 2], larger[ppid, larger[1, uid]]]);
}
