/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.copyinstr
/* copyinstr reads a string of the traced program, at most the given length. */
/* trigger: syscalls 1 */
#pragma D option quiet
syscall::open:entry /pid == $target/ { self->path = arg0; }
syscall::open:return
/self->path && copyinstr(self->path) == "/dev/null"/
{
	@[copyinstr(self->path), strlen(copyinstr(self->path))] = count();
	@cut[copyinstr(self->path, 5)] = count();
	self->path = 0;
}
