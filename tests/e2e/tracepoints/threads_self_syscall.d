/* SPDX-License-Identifier: BSD-2-Clause */
/* where: both */
/* trigger: threads 8 20000 syscall */
/* self-> variables of eight threads, between a system call's entry and its return. */
syscall::getpgid:entry
/pid == $target/
{
	self->thread = tid;
	self->argument = arg0;
}

syscall::getpgid:return
/self->thread && self->thread != tid/
{
	@mixed = count();
}

syscall::getpgid:return
/self->thread/
{
	@same = count();
	@arguments = sum(self->argument);
	self->thread = 0;
	self->argument = 0;
}
