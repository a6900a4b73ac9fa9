// SPDX-License-Identifier: BSD-2-Clause
// where: both
// A walk along the parents of the current task ends at the first process.
#pragma D option quiet
BEGIN
{
	this->p = curthread;
	this->n = 0;
	while (this->p->pid > 1) {
		this->p = this->p->real_parent;
		this->n++;
	}
	printf("%d %d\n", this->p->pid <= 1, this->n > 0);
	exit(0);
}
