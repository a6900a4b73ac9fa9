/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * memfn.bpf.c - copies of variable size, and walks from one kernel object to
 * another.
 */
#include "text/strfn.h"

static inline __attribute__((always_inline)) void mem_bad(struct dtx_mst *m, u64 addr)
{
	m->fault = DTX_FAULT_BADADDR + 1;
	m->fault_val = addr;
}

/* To memory of the current process. */
DTX_FN void dtx_uwrite_var(struct dtx_mst *m, u64 addr, const void *from, u64 size, u64 max)
{
	if (!size)
		return;
	size = str_clamp(size - 1, max - 1) + 1;
	if (bpf_probe_write_user(USER_AT(addr), from, size))
		mem_bad(m, addr);
}

#define JOIN_MAX  32             /* texts */

/*
 * The texts whose addresses are at argv, up to a NULL, as one with `sep` between; both are
 * memory of the program.  `to` has room for twice max bytes.  It ends at a text that cannot be
 * read; if that is the first one, it is a fault.
 */
DTX_FN void dtx_join(struct dtx_mst *m, char *to, u64 argv, u32 sep, u64 max)
{
	u64 at = 0;

	*(volatile char *)to = 0;
	for (u32 i = 0; i < JOIN_MAX; i++) {
		u64 p = 0;
		s64 n;

		if (bpf_probe_read_user(&p, sizeof(p), USER_AT(argv + 8 * i))) {
			if (!i)
				mem_bad(m, argv);
			return;
		}
		if (!p)
			return;
		if (i) {
			*(volatile char *)(to + at) = sep;
			at = str_clamp(at + 1, max - 1);
		}
		n = bpf_probe_read_user_str(to + at, max, USER_AT(p));
		if (n < 0) {
			if (!i)
				mem_bad(m, p);
			return;
		}
		/* Without the NUL; n is 0 for an empty text, see dtx_ureadstr().  No branch, whose
		 * ways the verifier would follow each. */
		at = str_clamp(at + n - ((u64)-n >> 63), max - 1);
	}
}

/* ---- processes ----------------------------------------------------------------------- */

#define GENERATIONS  256

/* Is the task the process `pid` or a descendant?  offs: of real_parent, of tgid << 32. */
DTX_GLOBAL u64 dtx_g_progeny(u64 task, u64 offs, u64 pid)
{
	for (u64 i = 0; i < GENERATIONS; i++) {
		u64 parent = 0;
		s32 tgid = 0;

		if (dtx_opt_pidns)
			tgid = dtx_g_number(task, 0);
		else if (bpf_probe_read_kernel(&tgid, sizeof(tgid), (void *)(task + (offs >> 32))))
			return 0;
		if (tgid == (s32)pid)
			return 1;
		if (!tgid || bpf_probe_read_kernel(&parent, sizeof(parent),
						   (void *)(task + (u32)offs)))
			return 0;
		if (parent == task)
			return 0;
		task = parent;
	}
	return 0;
}
