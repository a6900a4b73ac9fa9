/* SPDX-License-Identifier: BSD-2-Clause */
inline string who = execname == "dtx" ? "me" : "other";
inline int larger[int a, int b] = a > b ? a : b;

BEGIN
{
	trace(who);
	trace(larger[pid, 3]);
	exit(0);
}
