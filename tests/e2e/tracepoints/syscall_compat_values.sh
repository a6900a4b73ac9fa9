#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root gcc
# where: both
# truth: syscall:ia32:, a program of 32 bits | arguments negative, above 2^31, strings, five registers; results, errno | the values in its source
#
# The arguments of a 32-bit program are the registers that it set, without what is above them; results and errors are those that
# it gets. None of its calls is taken for one of 64 bits: of execve, which began it, the kernel gives the return the number of
# 32 bits.
. "$(dirname "$0")/../lib.sh"
[ "$(uname -m)" = x86_64 ] || skip 'x86-64 has syscall:ia32 (arm64: syscall_arm.sh)'

cat >"$tmp/small.c" <<-'END'
	static long call(long nr, long a, long b, long c, long d, long e)
	{
		long r;

		__asm__ volatile("int $0x80" : "=a"(r) : "a"(nr), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e) : "memory");
		return r;
	}
	void _start(void)
	{
		call(37, -1234567, 0, 0, 0, 0);                 /* kill */
		call(97, 0, 0, -3, 0, 0);                       /* setpriority */
		call(19, 77, -5, 0, 0, 0);                      /* lseek */
		call(295, -100, (long)"/nosuch32", 0, 0, 0);    /* openat */
		call(4, -3, 0, 0x90000000, 0, 0);               /* write */
		call(324, 77, 1, 0xfffffff0, -1, 4096);         /* fallocate: halves of 64 bits */
		call(1, 0, 0, 0, 0, 0);
	}
END
gcc -m32 -static -nostdlib -ffreestanding -fno-pie -no-pie -O1 -o "$tmp/small" "$tmp/small.c" 2>/dev/null || skip 'no compiler for 32 bits'
"$tmp/small" || skip 'this kernel runs no program of 32 bits'
cat >"$tmp/small.d" <<-'END'
	#pragma D option quiet
	syscall:::entry /pid == $target && execname == "small"/ { printf("64 bits: %s\n", probefunc); }
	syscall:ia32:kill:entry /pid == $target/ { printf("kill %d %d\n", (int)arg0, (int)arg0 < 0); }
	syscall:ia32:setpriority:entry /pid == $target/ { printf("setpriority %d %x\n", (int)arg2, arg2); }
	syscall:ia32:lseek:entry /pid == $target/ { printf("lseek %d %d\n", arg0, (int)arg1); }
	syscall:ia32:openat:entry /pid == $target/ { self->path = arg1; self->at = (int)arg0; }
	syscall:ia32:openat:return /self->path/ { printf("openat %d %s\n", self->at, copyinstr(self->path)); self->path = 0; }
	syscall:ia32:write:entry /pid == $target/ { printf("write %d %u\n", (int)arg0, arg2); }
	syscall:ia32:fallocate:entry /pid == $target/ { printf("fallocate %x %x %x %x %x\n", arg0, arg1, arg2, arg3, arg4); }
	syscall:ia32::return /pid == $target/ { printf("%s = %d, %d\n", probefunc, retval, errno); }
END
dtx -s "$tmp/small.d" -c "$tmp/small"
same 'execve = 0, 0
kill -1234567 1
kill = -3, 3
setpriority -3 fffffffd
setpriority = 0, 0
lseek 77 -5
lseek = -9, 9
openat -100 /nosuch32
openat = -2, 2
write -3 2415919104
write = -9, 9
fallocate 4d 1 fffffff0 ffffffff 1000
fallocate = -9, 9' "$(grep . "$tmp/out")" 'what the program did'
