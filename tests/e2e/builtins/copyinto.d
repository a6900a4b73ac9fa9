/* SPDX-License-Identifier: BSD-2-Clause */
// row: sub.copyinto
/* copyinto() fills scratch memory from user memory and leaves the rest. */
// run: -c 'dd if=/proc/self/comm of=/dev/null bs=3 count=1 status=none'
#pragma D option quiet
syscall::write:entry /pid == $target && arg2 == 3/
{
	this->p = (char *)alloca(8);
	bcopy("1234567", this->p, 8);
	copyinto(arg1, 3, this->p + 1);
	printf("%S\n", stringof(this->p));
}
