/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * giveback.c - memory that only the compilation needed: 15 MB of dtx's own code and constants, and
 * what malloc() keeps.  They are still in the page cache, and come back where they are used again.
 */
#include <fcntl.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <dtx/base.h>

#include "runtime/proc/proc.h"
#include "runtime/run/run.h"

#define PAGES      512
#define OF_FILE    (1ull << 61)          /* Documentation/admin-guide/mm/pagemap.rst */

/* Not pages that are the process's own: what was relocated, and breakpoints of other tracers. */
static void give_back(u64 at, const u64 *pages, u32 n, u64 page)
{
	u32 from = 0;

	for (u32 i = 0; i <= n; i++) {
		if (i < n && pages[i] & OF_FILE)
			continue;
		if (i > from)
			madvise((void *)(at + from * page), (i - from) * page, MADV_DONTNEED);
		from = i + 1;
	}
}

static bool give_back_file(void *arg, struct proc_map *m)
{
	u64 page = (u64)sysconf(_SC_PAGESIZE), pages[PAGES];
	const int *fd = arg;

	/* What another thread writes meanwhile would be lost. */
	if (!m->inode || *m->path != '/' || m->writable)
		return true;
	for (u64 at = m->start; at < m->end; at += PAGES * page) {
		u32 n = (u32)MIN((m->end - at) / page, (u64)PAGES);
		ssize_t got = pread(*fd, pages, n * sizeof(u64), (off_t)(at / page * sizeof(u64)));

		if (got <= 0)
			break;
		give_back(at, pages, (u32)((size_t)got / sizeof(u64)), page);
	}
	return true;
}

void memory_give_back(void)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);

	if (fd >= 0) {
		procmap_each((u32)getpid(), give_back_file, &fd);
		close(fd);
	}
	malloc_trim(0);
}
