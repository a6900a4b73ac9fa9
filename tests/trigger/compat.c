/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * compat [N] - 3 system calls by the 32-bit gate, whose number 20 is getpid() there and writev()
 * for 64-bit programs, with N as first argument; then one writev().  With N also munmap(N, 0) by
 * the gate, which fails.  2: the kernel has no such gate.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

static void none(int sig)
{
	_exit(2);
}

static long gate(long nr, long first)
{
	long r;

	__asm__ volatile("int $0x80"
			 : "=a"(r)
			 : "a"(nr), "b"(first), "c"(0)
			 : "r8", "r9", "r10", "r11", "memory");
	return r;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 0;
	struct iovec v = { "", 0 };

	signal(SIGSEGV, none);
	for (int i = 0; i < 3; i++)
		if (gate(20, n) != getpid())
			return 2;
	if (n && gate(91, n) == 0)
		return 1;
	return writev(1, &v, 1) < 0;
}
