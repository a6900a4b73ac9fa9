#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf gcc
# where: both
#
# Threads that the kernel makes in a process, to work for io_uring: they are made and end like others.
# truth: proc:::lwp-create, lwp-exit, sysinfo:::nthreads | threads that the kernel makes for io_uring | /proc/PID/task
. "$(dirname "$0")/../lib.sh"

gcc -x c -o "$tmp/works" - <<'END' || skip 'the headers here know no io_uring'
#define _GNU_SOURCE
#include <dirent.h>
#include <linux/io_uring.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static void tell_others(void)
{
	DIR *tasks = opendir("/proc/self/task");
	for (struct dirent *d; (d = readdir(tasks));)
		if (atoi(d->d_name) > 0 && atoi(d->d_name) != getpid())
			printf("own %s\n", d->d_name);
	closedir(tasks);
}

int main(void)
{
	struct io_uring_params p = { 0 };
	int fd = syscall(SYS_io_uring_setup, 4, &p), ends[2];
	static char data[8];
	if (fd < 0 || pipe(ends))
		return 77;
	char *sq = mmap(NULL, p.sq_off.array + p.sq_entries * 4, PROT_READ | PROT_WRITE, MAP_SHARED, fd, IORING_OFF_SQ_RING);
	struct io_uring_sqe *e = mmap(NULL, p.sq_entries * sizeof(*e), PROT_READ | PROT_WRITE, MAP_SHARED, fd, IORING_OFF_SQES);
	*e = (struct io_uring_sqe){ .opcode = IORING_OP_READ, .flags = IOSQE_ASYNC, .fd = ends[0], .addr = (long)data, .len = 8 };
	*(unsigned *)(sq + p.sq_off.array) = 0;
	__atomic_store_n((unsigned *)(sq + p.sq_off.tail), 1, __ATOMIC_RELEASE);
	if (syscall(SYS_io_uring_enter, fd, 1, 0, 0, NULL, 0) != 1)
		return 1;
	tell_others();
	if (write(ends[1], "abcdefg", 8) != 8 || syscall(SYS_io_uring_enter, fd, 0, 1, IORING_ENTER_GETEVENTS, NULL, 0) < 0)
		return 1;
	return 0;
}
END
"$tmp/works" | grep -q own || skip 'no io_uring here, or its workers are no threads of the process'
dtx -qn 'proc:::lwp-create /pid == $target/ { printf("made %d\n", args[0]->pr_lwpid); }
	proc:::lwp-exit /pid == $target && tid != pid/ { printf("ended %d\n", tid); }
	sysinfo:::nthreads /pid == $target/ { printf("counted %d\n", arg0); }' -c "$tmp/works"
own=$(awk '$1 == "own" { print $2 }' "$tmp/out" | sort)
same "$own" "$(awk '$1 == "made" { print $2 }' "$tmp/out" | sort)" 'lwp-create'
same "$own" "$(awk '$1 == "ended" { print $2 }' "$tmp/out" | sort)" 'lwp-exit'
same "$(grep -c . <<<"$own")" "$(awk '$1 == "counted" { n += $2 } END { print n + 0 }' "$tmp/out")" 'nthreads'
