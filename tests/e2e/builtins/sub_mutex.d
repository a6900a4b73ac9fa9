/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.mutex_owned
/* Queries of a kernel mutex: one that nobody holds, and one that says it is held by this thread. */
#pragma D option quiet
BEGIN
{
	this->m = &curthread->signal->cred_guard_mutex;
	printf("%d %d\n", mutex_owned(this->m), mutex_owner(this->m) == NULL);
	printf("%d %d\n", mutex_type_adaptive(this->m), mutex_type_spin(this->m));
	this->n = (struct mutex *)alloca(sizeof(struct mutex));
	this->n->owner.counter = (long)curthread | 1;    /* flags are in the low bits */
	printf("%d %d\n", mutex_owned(this->n), mutex_owner(this->n) == curthread);
	exit(0);
}
