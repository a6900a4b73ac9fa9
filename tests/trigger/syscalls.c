/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * syscalls [SCALE]: a known mix of system calls, SCALE (1) times: 100 getppid, 50 getpgid, 25 open
 * of /dev/null, 10 write to it of 5 bytes each, 25 close, 7 read of 64 bytes from a closed
 * descriptor (EBADF), 3 sched_yield.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Newer machines have no open(). */
#ifdef SYS_open
#define OPEN(path, flags) syscall(SYS_open, path, flags)
#else
#define OPEN(path, flags) syscall(SYS_openat, AT_FDCWD, path, flags)
#endif
#define TIMES(n, call) for (int i_ = 0; i_ < (n); i_++) (void)!(call)

int main(int argc, char **argv)
{
	char buf[64];
	int fds[25];

	for (int scale = argc > 1 ? atoi(argv[1]) : 1; scale > 0; scale--) {
		TIMES(100, syscall(SYS_getppid));
		TIMES(50, syscall(SYS_getpgid, 0));
		TIMES(25, fds[i_] = OPEN("/dev/null", O_WRONLY));
		TIMES(10, syscall(SYS_write, fds[0], "five\n", 5));
		TIMES(25, syscall(SYS_close, fds[i_]));
		TIMES(7, syscall(SYS_read, fds[0], buf, sizeof(buf)));
		TIMES(3, syscall(SYS_sched_yield));
	}
	return 0;
}
