// SPDX-License-Identifier: BSD-2-Clause
// A text that is longer than what it is compared with can be is told of: the comparison never holds.
#pragma D option quiet
struct s { char four[4]; };
struct s *p;

BEGIN
{
	p = (struct s *)alloca(sizeof(struct s));
	bcopy("abcd", p->four, 4);
	printf("%d %d %d", p->four == "abcd", p->four == "abcde", "abcde" != p->four);
	printf(" %d %d", execname == "dtx", execname == "a-server-of-names");
	printf(" %d", curthread->comm == "sixteen-letters-");
	exit(0);
}

tracepoint:sched:sched_switch
/args.prev_comm != "sixteen-letters-" && args.prev_comm != "fifteen-letters" && 0/
{
}
