// SPDX-License-Identifier: BSD-2-Clause
// Reading through a userland pointer copies in from the process.
// trigger: syscalls 2
#pragma D option quiet
syscall::getppid:entry
/pid == $target/
{
	this->p = (userland char *)curthread->mm->arg_start;
	printf("%d %d\n", *this->p == copyinstr(curthread->mm->arg_start)[0],
	    stringof(this->p) == copyinstr(curthread->mm->arg_start));
	exit(0);
}
