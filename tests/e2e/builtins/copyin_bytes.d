/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.copyin
/* copyin reads bytes into scratch memory. */
/* trigger: syscalls 1 */
#pragma D option quiet
int done;
syscall::write:entry
/pid == $target && arg2 == 5 && !done/
{
	this->b = (char *)copyin(arg1, 5);
	printf("%c%c%c%c %d\n", this->b[0], this->b[1], this->b[2], this->b[3], this->b[4]);
	printf("%x\n", *(uint32_t *)copyin(arg1, 4));
	this->d = (char *)alloca(8);
	copyinto(arg1, 3, this->d);
	this->d[3] = 0;
	printf("%s\n", stringof(this->d));
	tracemem(copyin(arg1, arg2), 5);
	done = 1;
}
