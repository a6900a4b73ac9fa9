// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// Types that a kernel need not know; a program may still give the names another meaning.
typedef short zoneid_t;
u_char c;
BEGIN
{
	c = 300;
	this->t = (hrtime_t)-1;
	printf("%d %d %d %d %d\n", c, this->t, sizeof(u_long), sizeof(zoneid_t), sizeof(caddr_t));
	exit(0);
}
