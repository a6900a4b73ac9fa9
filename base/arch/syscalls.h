/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * syscalls.h - names of system calls by number, out of the tables of the folder that includes it
 * (in its arch.c, once): syscalls.def, and compat.def for 32-bit programs.
 */
#include <dtx/arch.h>

static const char *const syscall_names[] = {
#define SYSCALL(nr, name) [nr] = #name,
#include <syscalls.def>
#undef SYSCALL
};

const char *arch_syscall_name(u32 nr)
{
	return nr < ARRAY_SIZE(syscall_names) ? syscall_names[nr] : NULL;
}

#define SHARED  424              /* from this number on, system calls are the same in all ABIs */

const char *arch_compat_name(u32 nr)
{
	static const char *const names[SHARED] = {
#define SYSCALL(nr, name) [nr] = #name,
#include <compat.def>
#undef SYSCALL
	};

	return nr < SHARED ? names[nr] : arch_syscall_name(nr);
}

u32 arch_syscall_max(void)
{
	return ARRAY_SIZE(syscall_names) - 1;
}
