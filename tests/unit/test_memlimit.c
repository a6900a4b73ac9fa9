/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_memlimit.c - what a memory group leaves: an answer that is kept knows what was taken since,
 * and a limit that is lowered is seen soon.  In a child, which joins a group.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <dtx/base.h>

#include "runtime/kernel/kernel.h"

#define MB 1048576ull

/* The versions of control groups. */
static const struct group_of {
	const char *folder, *limit;
} groups[] = {
	{ "/sys/fs/cgroup/memory", "memory.limit_in_bytes" },
	{ "/sys/fs/cgroup", "memory.max" },
};

static bool say(const char *folder, const char *file, u64 n)
{
	char path[256];
	FILE *f;
	int bad;

	snprintf(path, sizeof(path), "%s/%s", folder, file);
	f = fopen(path, "we");
	if (!f)
		return false;
	fprintf(f, "%llu\n", (unsigned long long)n);
	bad = ferror(f);
	return !fclose(f) && !bad;
}

/* Times that this process has read something. */
static u64 reads_so_far(void)
{
	char line[128];
	FILE *f = fopen("/proc/self/io", "re");
	unsigned long long n = 0;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "syscr: %llu", &n) == 1)
			break;
	if (f)
		fclose(f);
	return n;
}

static bool limit_becomes(u64 bytes)
{
	s64 end = clock_ns(CLOCK_MONOTONIC) + 2000000000ll;
	bool limited, same;

	do {
		same = env_memory(&limited) == bytes && limited;
	} while (!same && clock_ns(CLOCK_MONOTONIC) < end);
	return same;
}

/* 0, or what is wrong. */
static int in_group(const char *folder, const char *limit)
{
	const size_t taken = 16 * MB;
	u64 before, after, reads;
	volatile char *held;
	bool limited;

	if (!say(folder, "cgroup.procs", (u64)getpid()))
		return 1;
	if (env_memory(&limited) != 56 * MB || !limited)        /* less 8 of any run */
		return 2;
	before = env_memory_left();
	held = xmalloc(taken);
	for (size_t i = 0; i < taken; i += 4096)
		held[i] = 1;
	after = env_memory_left();
	if (before > 64 * MB || after + taken - MB / 2 > before)
		return 3;
	reads = reads_so_far();
	for (int i = 0; i < 1000; i++)
		env_memory_left();
	if (reads_so_far() - reads > 6000)
		return 4;
	if (!say(folder, limit, 48 * MB) || !limit_becomes(40 * MB))
		return 5;
	if (env_memory_left() >= 48 * MB - taken)
		return 6;
	free((void *)held);
	return 0;
}

static void test_memory_of_group(void **state)
{
	char folder[64] = "";
	const struct group_of *g = groups;
	int status = 0;
	bool made = false;
	pid_t child;

	(void)state;
	for (; !made && g < groups + ARRAY_SIZE(groups); g += !made) {
		snprintf(folder, sizeof(folder), "%s/dtx-unit-%d", g->folder, (int)getpid());
		made = !mkdir(folder, 0755);
		if (made && !say(folder, g->limit, 64 * MB)) {
			rmdir(folder);
			made = false;
		}
	}
	if (!made)
		skip();
	child = fork();
	if (!child)
		_exit(in_group(folder, g->limit));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(rmdir(folder), 0);
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory_of_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
