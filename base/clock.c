/* SPDX-License-Identifier: BSD-2-Clause */
/* clock.c - the time as one number. */
#include <dtx/base.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

/*
 * What the time namespace of this process adds to the clocks, ns; bpf_ktime_get_ns() knows nothing
 * of it.  The lines of timens_offsets, "CLOCK SECONDS NS", are those of processes that this one
 * begins (time_namespaces(7)), which are its own after exec().
 */
static s64 added_monotonic, added_boottime;

static void read_added(void)
{
	FILE *f = fopen("/proc/self/timens_offsets", "re");
	long long s, ns;
	char clock[16];

	if (!f)
		return;
	while (fscanf(f, "%15s %lld %lld", clock, &s, &ns) == 3) {
		if (!strcmp(clock, "monotonic"))
			added_monotonic = s * 1000000000ll + ns;
		else if (!strcmp(clock, "boottime"))
			added_boottime = s * 1000000000ll + ns;
	}
	fclose(f);
}

static s64 added(clockid_t clock)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, read_added);
	switch (clock) {
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_MONOTONIC_COARSE:
		return added_monotonic;
	case CLOCK_BOOTTIME:
		return added_boottime;
	default:
		return 0;
	}
}

static s64 read_clock(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

s64 clock_ns(clockid_t clock)
{
	return read_clock(clock) - added(clock);
}

s64 clock_began(u64 ticks)
{
	return read_clock(CLOCK_REALTIME) - read_clock(CLOCK_BOOTTIME) +
	       (s64)(ticks * (1000000000u / (u64)sysconf(_SC_CLK_TCK)));
}

struct timespec clock_after(s64 ns)
{
	s64 at = read_clock(CLOCK_MONOTONIC) + ns;

	return (struct timespec){ at / 1000000000, at % 1000000000 };
}
