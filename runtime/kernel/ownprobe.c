/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ownprobe.c - a probe on code of dtx itself, to try what the kernel does with one.
 */
#include <errno.h>
#include <link.h>
#include <unistd.h>

#include "runtime/kernel/kernel.h"

/* Where the code is in its file. */
struct spot {
	u64 addr, off;
	const char *path;
};

static int find_file(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct spot *s = arg;

	for (u32 i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = &info->dlpi_phdr[i];
		u64 at = s->addr - info->dlpi_addr;

		if (h->p_type != PT_LOAD || at < h->p_vaddr || at - h->p_vaddr >= h->p_filesz)
			continue;
		s->off = at - h->p_vaddr + h->p_offset;
		s->path = *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
		return 1;
	}
	return 0;
}

int sys_probe_own(const void *at, bool ret)
{
	struct spot s = { .addr = (u64)(uintptr_t)at };

	return dl_iterate_phdr(find_file, &s) ?
	       sys_perf_probe("uprobe", ret, s.path, s.off, 0, gettid()) : -ENOENT;
}
