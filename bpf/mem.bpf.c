/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * mem.bpf.c - reads that may fail; a failure is a fault of the clause.
 */
#include "dtx.bpf.h"

static inline __attribute__((always_inline)) void mem_fault(struct dtx_mst *m, u64 addr)
{
	m->fault = DTX_FAULT_BADADDR + 1;
	m->fault_val = addr;
}

/* n: a constant. */
DTX_FN void dtx_kread(struct dtx_mst *m, void *to, u32 n, u64 addr)
{
	if (bpf_probe_read_kernel(to, n, (void *)addr))
		mem_fault(m, addr);
}

DTX_FN void dtx_uread(struct dtx_mst *m, void *to, u32 n, u64 addr)
{
	if (bpf_probe_read_user(to, n, USER_AT(addr)))
		mem_fault(m, addr);
}

/* The string fills its buffer: does its NUL follow, or was it cut? */
DTX_SUB int mem_cut(u32 prog, u32 probe, u64 addr, u32 user)
{
	u64 at = addr + dtx_opt_strmax - 1;
	char c = 0;

	if (user)
		bpf_probe_read_user(&c, 1, USER_AT(at));
	else
		bpf_probe_read_kernel(&c, 1, (void *)at);
	if (c)
		drop_count(prog, probe, DTX_DROP_STRCUT);
	return 0;
}

static inline __attribute__((always_inline)) u64 mem_len(struct dtx_mst *m, u32 n, u64 addr,
							 u64 len, u32 user)
{
	if (n == dtx_opt_strmax && len == n)     /* the program requested a smaller n */
		mem_cut(m->prog, m->probe, addr, user);
	return len;
}

/* Copies text with its NUL to `to`, cut to n bytes; returns the bytes written, 0 after a fault. */
DTX_FN u64 dtx_kreadstr(struct dtx_mst *m, char *to, u32 n, u64 addr)
{
	s64 len = bpf_probe_read_kernel_str(to, n, (void *)addr);

	if (len > 0)
		return mem_len(m, n, addr, len, 0);
	mem_fault(m, addr);
	return 0;
}

DTX_FN u64 dtx_ureadstr(struct dtx_mst *m, char *to, u32 n, u64 addr)
{
	s64 len = bpf_probe_read_user_str(to, n, USER_AT(addr));

	if (len > 0)
		return mem_len(m, n, addr, len, 1);
	if (!len) {              /* Linux 5.10 does not count the NUL of an empty text */
		*(volatile char *)to = 0;
		return 1;
	}
	mem_fault(m, addr);
	return 0;
}

DTX_FN u64 dtx_areadstr(struct dtx_mst *m, char *to, u32 n, u64 addr)
{
	return IS_KERNEL(addr) ? dtx_kreadstr(m, to, n, addr) : dtx_ureadstr(m, to, n, addr);
}

/* Text the program owns: never a fault. */
DTX_FN u64 dtx_copystr(char *to, u32 n, const char *from)
{
	s64 len = bpf_probe_read_kernel_str(to, n, from);

	return len > 0 ? len : 0;
}

/* The same for text that may be longer than a string. */
DTX_FN u64 dtx_joinstr(struct dtx_mst *m, char *to, u32 n, const char *from)
{
	s64 len = bpf_probe_read_kernel_str(to, n, from);

	return len > 0 ? mem_len(m, n, (u64)from, len, 0) : 0;
}

DTX_FN void dtx_copy(void *to, u32 n, const void *from)
{
	bpf_probe_read_kernel(to, n, from);
}

/* v, at most max, checked so that the verifier can follow. */
DTX_FN u64 dtx_clamp(u64 v, u64 max)
{
	barrier_var(v);
	if (v > max)
		v = max;
	barrier_var(v);
	return v;
}

/* Hidden from the optimiser: a check of v stays a check of this register. */
DTX_FN u64 dtx_opaque(u64 v)
{
	barrier_var(v);
	return v;
}

/* The same for pointers. */
DTX_FN void *dtx_keep(void *p)
{
	barrier_var(p);
	return p;
}

/*
 * After a turn of a loop made by a backward jump, and after the loop, all paths meet.  But in a
 * loop the verifier records its state only after 20 jumps since the last record: without these, it
 * follows the rest again for each path.  It removes jumps to the next instruction.
 */
DTX_FN void dtx_meet(void)
{
	asm volatile(".rept 20\n\tgoto +0\n\t.endr");
}

/* Calls `turn` until it returns 1, at most n times; returns how often it was called. */
DTX_FN u64 dtx_turns(u64 n, void *turn, struct dtx_mst *m)
{
	return bpf_loop(n, turn, m, 0);
}

DTX_FN void dtx_kread_var(struct dtx_mst *m, void *to, u64 size, u64 addr, u64 max)
{
	barrier_var(size);
	if (size > max)
		size = max;
	if (bpf_probe_read_kernel(to, size, (void *)addr))
		mem_fault(m, addr);
}

DTX_FN void dtx_aread_var(struct dtx_mst *m, void *to, u64 size, u64 addr, u64 max)
{
	barrier_var(size);
	if (size > max)
		size = max;
	if (IS_KERNEL(addr) ? bpf_probe_read_kernel(to, size, (void *)addr) :
			      bpf_probe_read_user(to, size, USER_AT(addr)))
		mem_fault(m, addr);
}

/* size: any number up to max, which is constant. */
DTX_FN void dtx_uread_var(struct dtx_mst *m, void *to, u64 size, u64 addr, u64 max)
{
	barrier_var(size);
	if (size > max)
		size = max;
	if (bpf_probe_read_user(to, size, USER_AT(addr)))
		mem_fault(m, addr);
}

/* A text that has a length and no end gets one: there is room for a byte more. */
DTX_FN void dtx_uread_text(struct dtx_mst *m, char *to, u64 size, u64 addr, u64 max)
{
	dtx_uread_var(m, to, size, addr, max);
	barrier_var(size);
	if (size > max)
		size = max;
	to[size] = 0;
}
