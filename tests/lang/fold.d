/* SPDX-License-Identifier: BSD-2-Clause */
/* Constants are folded first; the branch not taken is not even checked. */
inline int OPT_verbose = 0;
inline int SIZE = 4 * sizeof(int);
enum limits { LOW = 2, HIGH = LOW + 8 };
int table[SIZE / 2];

BEGIN
{
	OPT_verbose ? printf("%d", unknown_name) : 1;
	trace(HIGH << 2 | 'a');
	trace(NULL == 0);
	table[SIZE / 4] = -7 / 2 + -7 % 4;
	exit(0);
}
