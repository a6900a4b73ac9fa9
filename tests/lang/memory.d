/* SPDX-License-Identifier: BSD-2-Clause */
/* Where objects lie, where pointers lead, where members are: decided by the checker, shown by -S typed. */
/* filter: btf */
struct flags {
	char c;
	unsigned a : 3, b : 7;
	int big : 20;
	struct flags *next;
	int few[4];
};

#pragma pack(1)
struct tight {
	char c;
	unsigned a : 5;
	unsigned long wide : 60;
};
#pragma pack()

this struct flags own;
this userland struct flags *theirs;
self int *early;

BEGIN
{
	trace(*self->early);
	this->own.b = 1;
	this->f = (struct flags *)alloca(sizeof (struct flags));
	this->f->big = 2;
	trace(this->f->next->c);
	trace(((struct flags *)0x1000)->few[1]);
	trace(((struct tight *)0x1000)->wide);
	trace(this->theirs->next->a);
	trace(&this->theirs->few[2]);
	trace((this->own.c ? this->f : NULL)->big);
	exit(0);
}

BEGIN
{
	self->early = (int *)alloca(4);
	trace(curthread->real_parent->tgid);
	trace(curthread->cred->group_info->gid[0].val);
	trace(curthread->comm[this->own.c]);
}

tracepoint:sched:sched_switch
{
	trace(args.prev_comm);
}
