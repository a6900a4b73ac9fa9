/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counted.c - events that the kernel counts, so many of them, between the system calls
 * getpgid() and getpid().
 *
 *     counted faults N      touches N new pages
 *     counted switches N    sleeps N times; prints how often it left the CPU at least and at most
 *     counted moves N       moves N times from one CPU to another
 *     counted watch N       writes N times to `watched` and reads it as often
 *     counted where         prints the address of `watched`
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile long watched;

static void go_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		exit(1);
}

static long left_cpu(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_nvcsw + u.ru_nivcsw;
}

int main(int argc, char **argv)
{
	const struct timespec nap = {
		.tv_nsec = 3000000
	}; /* not over before it begins on a slow machine */
	const char *what = argc > 1 ? argv[1] : "";
	int n = argc > 2 ? atoi(argv[2]) : 0;
	long inner, outer, sum = 0;
	char *pages = mmap(NULL, (n + 1) * 4096, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (!strcmp(what, "where"))
		return printf("%p\n", (void *)&watched) < 0;
	if (pages == MAP_FAILED || madvise(pages, (n + 1) * 4096, MADV_NOHUGEPAGE))
		return 1;
	if (!strcmp(what, "moves"))
		go_to(0);
	nanosleep(&nap, NULL);
	watched = 1;
	inner = left_cpu();
	outer = left_cpu();
	syscall(SYS_getpgid, 0);
	inner = left_cpu();
	for (int i = 0; i < n; i++) {
		if (!strcmp(what, "faults"))
			pages[i * 4096] = 1;
		else if (!strcmp(what, "switches"))
			nanosleep(&nap, NULL);
		else if (!strcmp(what, "moves"))
			go_to((i + 1) % 2);
		else if (!strcmp(what, "watch"))
			watched = i, sum += watched;
	}
	inner = left_cpu() - inner;
	syscall(SYS_getpid);
	outer = left_cpu() - outer;
	if (!strcmp(what, "switches"))
		printf("%ld %ld\n", inner, outer);
	return 0;
}
