#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# needs: root btf gcc
# where: both
# timeout: 60
#
# A thread waits for a lock whose end dtx does not see: it has moved to a CPU that the option cpu leaves out. Its next wait for the
# lock is as long as that one alone.
# truth: lockstat:::adaptive-block, rw-block | how long, if the end of the wait before was not seen | the program's own clock
. "$(dirname "$0")/../lib.sh"
matches 'lockstat:::rw-block' || skip 'this kernel has no tracepoints of contention, which lockstat is made of'
[ "$(nproc)" -gt 1 ] || skip 'one CPU'

gcc -x c -o "$tmp/again" - -lpthread <<'END' || fail 'the program does not compile'
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096L
static int to;                   /* a file, or a pipe: its lock is held while somebody writes */
static char *area;
static volatile int wanting, held, got;

static long now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void on(int thread, int cpu)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(thread, sizeof(set), &set))
		exit(1);
}

static void *holds(void *page) { return (void *)write(to, page, 8); }

/* Twice; between the two it sleeps, on the first CPU again. */
static void *wants(void *unused)
{
	for (int i = 0; i < 2; i++) {
		on(0, 0);
		usleep(i ? 400000 : 0);
		while (held <= i)
			usleep(1000);
		wanting = syscall(SYS_gettid);
		long begin = now();
		if (write(to, "wanted!", 8) != 8)
			exit(1);
		got = i + 1;
		if (i)
			printf("own %ld\n", now() - begin);
	}
	return unused;
}

/* The number of the call in which the thread sleeps; 0: it runs. */
static int sleeps_in(int thread)
{
	char name[64];
	int call = 0;
	sprintf(name, "/proc/self/task/%d/syscall", thread);
	FILE *f = fopen(name, "r");
	if (!f || fscanf(f, "%d", &call) != 1)
		call = 0;
	if (f)
		fclose(f);
	return call;
}

int main(int argc, char **argv)
{
	static char data[PAGE];
	struct uffdio_api api = { .api = UFFD_API };
	int fd = syscall(SYS_userfaultfd, 0), ends[2];
	pthread_t a, b;
	area = mmap(NULL, PAGE * 2, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct uffdio_register all = { .range = { (long)area, PAGE * 2 }, .mode = UFFDIO_REGISTER_MODE_MISSING };
	if (fd < 0 || ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &all) || pipe(ends))
		return 77;
	to = argc > 1 ? memfd_create("data", 0) : ends[1];
	for (int i = 0; i < 2; i++) {
		struct uffdio_copy give = { .dst = (long)area + PAGE * i, .src = (long)data, .len = PAGE };
		struct uffd_msg fault;
		while (got < i)
			usleep(1000);
		pthread_create(&a, NULL, holds, area + PAGE * i);
		if (read(fd, &fault, sizeof(fault)) != sizeof(fault))
			return 1;
		held = i + 1;
		if (!i)
			pthread_create(&b, NULL, wants, NULL);
		while (!wanting || sleeps_in(wanting) != SYS_write)
			usleep(1000);
		if (!i)
			on(wanting, 1);
		wanting = 0;
		usleep(50000);
		ioctl(fd, UFFDIO_COPY, &give);
		pthread_join(a, NULL);
	}
	pthread_join(b, NULL);
	return 0;
}
END
"$tmp/again" >/dev/null || skip 'no userfaultfd here'

# again PROBE [file]: one wait is seen, the second one.
again() {
	dtx -x cpu=0 -qn "$1"' /execname == "again" && args[1] > 20000000/ { printf("dtx %d\n", args[1]); }' -c "$tmp/again ${2:-}"
	awk '$1 == "own" { own = $2 } $1 == "dtx" { n++; ns = $2 } END { exit !(n == 1 && ns <= own && ns >= 50000000) }' "$tmp/out" ||
		fail "$1: $(cat "$tmp/out" "$tmp/err")"
}
again lockstat:::adaptive-block
again lockstat:::rw-block file
