/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nopcall.c - does the kernel replace a nop of five bytes by a call when a probe on it has fired?
 * It pushes the return address over what a function keeps below its stack pointer (the red zone).
 * And does it so with the form of ten bytes, which moves the stack pointer first?
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

enum answer { UNKNOWN, NO, YES, UNTRIED };

/* The function begins with a nop: is it something else after some calls with a probe? */
static enum answer try_it(void (*f)(void))
{
	struct spot s = { .addr = (u64)(uintptr_t)f };
	u8 code[ARCH_INSN_MAX];
	struct arch_insn in;
	int fd;

	if (!dl_iterate_phdr(find_file, &s))
		return UNTRIED;
	fd = sys_perf_probe("uprobe", false, s.path, s.off, 0, gettid());
	if (fd < 0)
		return UNTRIED;
	for (u32 i = 0; i < CALLS; i++)
		f();
	memcpy(code, (const void *)f, sizeof(code));
	close(fd);
	arch_insn_read(code, sizeof(code), s.addr, &in);
	return in.is_padding || in.flow == ARCH_STOP || in.flow == ARCH_RETURN ? NO : YES;
}

/* What cannot be tried is taken for what does harm. */
bool sys_nops_become_calls(void)
{
	static enum answer known;

	if (!known)
		known = try_it(arch_nop_place);
	return known != NO;
}

bool sys_long_nops_become_calls(void)
{
	static enum answer known;

	if (!known)
		known = try_it(arch_long_nop_place);
	return known == YES;
}
