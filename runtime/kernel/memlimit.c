/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memlimit.c - how much memory may grow: that of the machine, or the least limit of dtx's memory
 * group and of those above it, less what any run takes.  Beyond the limit the kernel kills the
 * process without a word, and the memory of BPF maps counts.
 *
 * It takes a dozen files to find out, and is asked for each file of a traced program that is read.
 * So an answer holds for KEPT_NS, but not for the memory that dtx has taken meanwhile.
 */
#include <inttypes.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/kernel/kernel.h"

#define EACH_RUN  (8ull << 20)   /* programs, small maps, dtx itself */
#define ROOM_LEAST (4ull << 20)
#define SPARE     (4ull << 20)   /* what is left for others while a file is read */
#define KEPT_NS   100000000ll

/* The versions of control groups: cgroups(7). */
static const struct group_kind {
	const char *type, *option;       /* of the mount; NULL: any */
	const char *begins;              /* of the path in /proc/self/cgroup, after the number */
	const char *file, *used;
} kinds[] = {
	{ "cgroup2", NULL, "::", "memory.max", "memory.current" },
	{ "cgroup", "memory", ":memory:", "memory.limit_in_bytes", "memory.usage_in_bytes" },
};

struct group {
	u64 limit;                       /* UINT64_MAX: none */
	u64 left;                        /* what can be had without a kill */
};

static const char *group_mount(struct arena *a, const struct group_kind *k)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	const char *at = NULL;

	for (const struct mntent *m; mounts && !at && (m = getmntent(mounts));)
		if (!strcmp(m->mnt_type, k->type) && (!k->option || hasmntopt(m, k->option)))
			at = arena_strdup(a, m->mnt_dir);
	if (mounts)
		endmntent(mounts);
	return at;
}

/* The path of the group below its mount, which this function may change. */
static char *group_path(struct arena *a, const struct group_kind *k, const char *groups)
{
	for (const char *line = groups; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *at = line + strspn(line, "0123456789");
		size_t n = strlen(k->begins);

		if (!strncmp(at, k->begins, n))
			return arena_strndup(a, at + n, strcspn(at + n, "\n"));
	}
	return NULL;
}

/* Pages of files, which the kernel takes back: memory.stat, of a group and those below it. */
static u64 file_pages(struct arena *a, const char *folder)
{
	static const char *const rows[] = { "inactive_file ", "active_file " };
	char *text = NULL;
	u64 sum = 0;

	if (file_read(arena_printf(a, "%s/memory.stat", folder), &text, NULL))
		return 0;
	for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n')
		for (u32 i = 0; i < ARRAY_SIZE(rows); i++)
			if (!strncmp(line, rows[i], strlen(rows[i])))
				sum += strtoull(line + strlen(rows[i]), NULL, 10);
	free(text);
	return sum;
}

static u64 group_left(struct arena *a, const struct group_kind *k, const char *folder, u64 limit)
{
	u64 used = (u64)file_number(arena_printf(a, "%s/%s", folder, k->used), 0);

	return limit - MIN(limit, used - MIN(used, file_pages(a, folder)));
}

/* The least limit on the path, and what is left there.  A file that says "max" or cannot be read
 * is no limit. */
static struct group least_limit(struct arena *a, const struct group_kind *k, const char *mount,
				char *path)
{
	struct group least = { UINT64_MAX, UINT64_MAX };

	for (;;) {
		const char *folder = arena_printf(a, "%s%s", mount, path);
		s64 n = file_number(arena_printf(a, "%s/%s", folder, k->file), 0);
		char *slash = strrchr(path, '/');

		if (n > 0 && (u64)n < least.limit)
			least = (struct group){ (u64)n, group_left(a, k, folder, (u64)n) };
		if (!slash)
			return least;
		*slash = '\0';
	}
}

static struct group group_ask(void)
{
	struct group least = { UINT64_MAX, UINT64_MAX };
	struct arena *a = arena_new();
	char *groups = NULL;

	if (file_read("/proc/self/cgroup", &groups, NULL))
		groups = xstrdup("");
	for (u32 i = 0; i < ARRAY_SIZE(kinds); i++) {
		const char *mount = group_mount(a, &kinds[i]);
		char *path = group_path(a, &kinds[i], groups);
		struct group g = least;

		if (mount && path)
			g = least_limit(a, &kinds[i], mount, path);
		least = g.limit < least.limit ? g : least;
	}
	free(groups);
	arena_free(a);
	return least;
}

/* Memory of dtx itself: its pages that are of no file. */
static u64 own_bytes(void)
{
	u64 resident = 0, shared = 0;
	char *text = NULL;

	if (!file_read("/proc/self/statm", &text, NULL))
		sscanf(text, "%*u %" SCNu64 " %" SCNu64, &resident, &shared);
	free(text);
	return (resident - MIN(resident, shared)) * (u64)sysconf(_SC_PAGESIZE);
}

static struct group group_now(void)
{
	static _Thread_local struct {
		s64 at;                  /* ns; 0: never asked */
		u64 own;
		struct group said;
	} last;
	s64 now = clock_ns(CLOCK_MONOTONIC);
	struct group g;
	u64 own;

	if (!last.at || now - last.at >= KEPT_NS) {
		last.said = group_ask();
		last.own = last.said.left == UINT64_MAX ? 0 : own_bytes();
		last.at = now;
	}
	g = last.said;
	if (g.left == UINT64_MAX || now == last.at)
		return g;
	own = own_bytes();
	g.left -= MIN(g.left, own - MIN(own, last.own));
	return g;
}

u64 env_memory(bool *limited)
{
	u64 all = (u64)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE), least = group_now().limit;

	*limited = least < all;
	return *limited ? MAX(least - MIN(least, EACH_RUN), ROOM_LEAST) : all;
}

u64 env_memory_left(void)
{
	u64 left = group_now().left;

	return left - MIN(left, SPARE);
}
