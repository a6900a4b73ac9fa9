/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * evaltime.c - where a -c command waits until its probes are enabled (option evaltime).
 *
 *   exec, preinit   at the stop of exec: no instruction has run, its libraries are not
 *                   mapped
 *   postinit        at the entry point of the program: libraries are initialised
 *   main            at main(); without symbols at the entry point
 *
 * The kernel stops at exec by itself; the other places get a breakpoint, which is
 * removed when it was hit.  Called by the thread that follows the command (target.c).
 * Why: docs/decisions/02-begin-end-tick.md
 */
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/ptrace.h>
#include <unistd.h>

#include <dtx/arch.h>

#include "runtime/code/code.h"
#include "runtime/run/run.h"

/* AT_ENTRY; 0: unknown. */
static u64 evaltime_entry(pid_t pid)
{
	ElfW(auxv_t) v[64];
	char path[40];
	u64 entry = 0;

	snprintf(path, sizeof(path), "/proc/%d/auxv", pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, v, sizeof(v)) : -1;

	for (u32 i = 0; n > 0 && i < n / sizeof(v[0]) && v[i].a_type != AT_NULL; i++)
		if (v[i].a_type == AT_ENTRY)
			entry = v[i].a_un.a_val;
	if (fd >= 0)
		close(fd);
	return entry;
}

/* Address of main() in a program whose entry point is known; the entry point if it has no such
 * symbol. */
static u64 evaltime_main(pid_t pid, u64 entry)
{
	const char *err;
	char path[40];

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	struct elfsyms *syms = elfsyms_open(path, &err);
	const struct elfsym *at = syms ? elfsyms_by_name(syms, "main") : NULL;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ElfW(Ehdr) head;

	if (at && fd >= 0 && read(fd, &head, sizeof(head)) == sizeof(head))
		entry += at->addr - head.e_entry;
	if (fd >= 0)
		close(fd);
	elfsyms_close(syms);
	return entry;
}

bool evaltime_set(struct evaltime *e, pid_t pid, const char *when)
{
	*e = (struct evaltime){ 0 };
	if (!strcmp(when, "exec") || !strcmp(when, "preinit"))
		return false;
	u64 at = evaltime_entry(pid);

	if (at && !strcmp(when, "main"))
		at = evaltime_main(pid, at);
	if (!at)
		return false;
	e->word = ptrace(PTRACE_PEEKTEXT, pid, at, NULL);
	/* A breakpoint of somebody else (a uprobe) would be taken for ours. */
	if (arch_breakpoint(e->word) == e->word ||
	    ptrace(PTRACE_POKETEXT, pid, at, arch_breakpoint(e->word)))
		return false;
	e->addr = at;
	return true;
}

bool evaltime_hit(struct evaltime *e, pid_t pid)
{
	if (!e->addr ||
	    arch_stopped_at(pid) != e->addr + ARCH_BREAK_BYTES)
		return false;
	ptrace(PTRACE_POKETEXT, pid, e->addr, e->word);
	arch_go_on_at(pid, e->addr);
	e->addr = 0;
	return true;
}
