/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rarecalls [TIMES]: system calls that programs make rarely, TIMES (1) times, with errors, and with
 * a number in each register of an argument, also in those that the call does not take; a child
 * process.
 */
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	for (int times = argc > 1 ? atoi(argv[1]) : 1; times > 0; times--) {
		syscall(SYS_kill, 0x7ffffff0, 0, 3, 4, 5, 6);
		syscall(SYS_setpgid, -7, 1, 13, 14, 15, 16);
		syscall(SYS_fdatasync, -1, 22, 23, 24, 25, 26);
		syscall(SYS_openat, -1, "absent", 0x80000, 34, 35, 36);
		syscall(SYS_chdir, "", 42, 43, 44, 45, 46);
		syscall(SYS_getppid, 52, 53, 54, 55, 56, 57);
	}
	if (!fork())
		_exit(3);
	return wait(NULL) < 0;
}
