/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nopcall.c - does the kernel replace a nop of five bytes by a call when a probe on it has fired?
 * It pushes the return address over what a function keeps below its stack pointer (the red zone).
 *
 * Tried with a probe on a function of dtx, for the thread that tries it alone.
 * Why: docs/decisions/51-nops-that-become-calls.md
 */
#include <link.h>
#include <unistd.h>

#include <dtx/arch.h>

#include "runtime/kernel/kernel.h"

#define CALLS 3                  /* it replaces it after the first */

/* Where it is in its file. */
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

/* What cannot be tried is taken for one that does. */
static bool try_it(void)
{
	struct spot s = { .addr = (u64)(uintptr_t)arch_nop_place };
	struct arch_insn in;
	u8 code[8];
	int fd;

	if (!dl_iterate_phdr(find_file, &s))
		return true;
	fd = sys_perf_probe("uprobe", false, s.path, s.off, 0, gettid());
	if (fd < 0)
		return true;
	for (u32 i = 0; i < CALLS; i++)
		arch_nop_place();
	memcpy(code, (const void *)arch_nop_place, sizeof(code));
	close(fd);
	return arch_insn_read(code, sizeof(code), s.addr, &in) && in.flow == ARCH_CALL;
}

bool sys_nops_become_calls(void)
{
	static int known;                /* 1: no, 2: yes */

	if (!known)
		known = try_it() ? 2 : 1;
	return known == 2;
}
