/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * slices ROUNDS: computes and sleeps, and says for how long by calling functions.
 *
 *   begun(NS)    when it begins to work, by the monotonic clock
 *   worked(NS)   100 to 500 microseconds later: how long that was
 *   slept(US)    each tenth time after a sleep of 2 ms; slept(0) before it
 *   total(NS)    CPU time of the thread: first and last of all
 */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static long now(clockid_t c)
{
	struct timespec t;

	clock_gettime(c, &t);
	return t.tv_sec * 1000000000l + t.tv_nsec;
}

#define TOLD(name) \
	__attribute__((noinline)) void name(long n) { __asm__ volatile("" : : "r"(n) : "memory"); }
TOLD(begun)
TOLD(worked)
TOLD(slept)
TOLD(total)

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1000;

	total(now(CLOCK_THREAD_CPUTIME_ID));
	for (int i = 0; i < rounds; i++) {
		long start = now(CLOCK_MONOTONIC), end = start + 100000 * (1 + i % 5);

		begun(start);
		while (now(CLOCK_MONOTONIC) < end)
			;
		worked(now(CLOCK_MONOTONIC) - start);
		if (i % 10 == 9) {
			slept(0);
			usleep(2000);
			slept(2000);
		}
	}
	total(now(CLOCK_THREAD_CPUTIME_ID));
	return 0;
}
