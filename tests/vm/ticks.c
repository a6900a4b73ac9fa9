/* SPDX-License-Identifier: BSD-2-Clause */
/* ticks.c - prints the frequency of this processor's time stamp counter, kHz. */
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

struct pair {
	uint64_t ns, ticks;
};

/* Both at the same time: of many readings the one that was interrupted least. */
static struct pair now(void)
{
	uint64_t least = UINT64_MAX;
	struct pair best = { 0 };
	struct timespec t;

	for (int i = 0; i < 100; i++) {
		uint64_t before = __rdtsc(), after;

		clock_gettime(CLOCK_MONOTONIC_RAW, &t);
		after = __rdtsc();
		if (after - before >= least)
			continue;
		least = after - before;
		best = (struct pair){ t.tv_sec * 1000000000ull + t.tv_nsec, before + least / 2 };
	}
	return best;
}

int main(void)
{
	struct pair from = now(), to;

	nanosleep(&(struct timespec){ 0, 30000000 }, NULL);
	to = now();
	printf("%.0f\n", (double)(to.ticks - from.ticks) * 1e6 / (double)(to.ns - from.ns));
}
