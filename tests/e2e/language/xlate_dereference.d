// SPDX-License-Identifier: BSD-2-Clause
// run: -q
// What a translated pointer points to: a member of it, and the whole as the value of a variable.
struct in { int a; };
struct out { int x; int y; } o;
translator struct out < struct in *i > { x = i->a; y = i->a * 2; };
BEGIN
{
	this->p = (struct in *)alloca(4);
	this->p->a = 5;
	o = *xlate <struct out *>(this->p);
	printf("%d %d %d %d\n", o.x, o.y, (*xlate <struct out *>(this->p)).y, (*curpsinfo).pr_pid == pid);
	exit(0);
}
