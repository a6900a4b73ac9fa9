/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * compat.c - 3 system calls by the 32-bit gate, whose number 20 is getpid() there and writev()
 * for 64-bit programs; then one writev().  2: the kernel has no such gate.
 */
#include <signal.h>
#include <sys/uio.h>
#include <unistd.h>

static void none(int sig)
{
	_exit(2);
}

static long gate(long nr)
{
	long r;

	__asm__ volatile("int $0x80" : "=a"(r) : "a"(nr) : "r8", "r9", "r10", "r11", "memory");
	return r;
}

int main(void)
{
	struct iovec v = { "", 0 };

	signal(SIGSEGV, none);
	for (int i = 0; i < 3; i++)
		if (gate(20) != getpid())
			return 2;
	return writev(1, &v, 1) < 0;
}
