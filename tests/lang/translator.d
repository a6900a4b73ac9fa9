/* SPDX-License-Identifier: BSD-2-Clause */
/* filter: btf */
struct info {
	int id;
	string name;
	char kind;
};

translator struct info < struct task_struct *t > {
	id = t->pid;
	name = t->comm;
	kind = 'x';
};

inline struct info *me = xlate <struct info *>(curthread);

BEGIN
{
	trace(me->name);
	this->copy = xlate <struct info>(curthread);
	trace(this->copy.id);
	exit(0);
}
