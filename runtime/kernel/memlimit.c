/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memlimit.c - how much memory dtx may use: that of the machine, or the least limit of its memory
 * group and of those above it.  Beyond that limit the kernel kills the process without a word, and
 * the memory of BPF maps counts.
 */
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/kernel/kernel.h"

/* The versions of control groups: cgroups(7). */
static const struct group_kind {
	const char *type, *option;       /* of the mount; NULL: any */
	const char *begins;              /* of the path in /proc/self/cgroup, after the number */
	const char *file;
} kinds[] = {
	{ "cgroup2", NULL, "::", "memory.max" },
	{ "cgroup", "memory", ":memory:", "memory.limit_in_bytes" },
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

/* A file that says "max" or cannot be read is no limit. */
static u64 least_limit(struct arena *a, const struct group_kind *k, const char *mount, char *path)
{
	u64 least = UINT64_MAX;

	for (;;) {
		s64 n = file_number(arena_printf(a, "%s%s/%s", mount, path, k->file), 0);
		char *slash = strrchr(path, '/');

		least = n > 0 ? MIN(least, (u64)n) : least;
		if (!slash)
			return least;
		*slash = '\0';
	}
}

u64 env_memory(bool *limited)
{
	u64 all = (u64)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE), least = UINT64_MAX;
	struct arena *a = arena_new();
	char *groups = NULL;

	if (file_read("/proc/self/cgroup", &groups, NULL))
		groups = xstrdup("");
	for (u32 i = 0; i < ARRAY_SIZE(kinds); i++) {
		const char *mount = group_mount(a, &kinds[i]);
		char *path = group_path(a, &kinds[i], groups);

		u64 limit = mount && path ? least_limit(a, &kinds[i], mount, path) : UINT64_MAX;

		least = MIN(least, limit);
	}
	free(groups);
	arena_free(a);
	*limited = least < all;
	return MIN(all, least);
}
