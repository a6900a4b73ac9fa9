/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * entry.bpf.c - registers at the entry of functions, for variables of lines in them
 * (compiler/plan/entry.c); arguments of functions where one program is at many (fentry.multi).
 *
 * The key is the frame: addresses of live frames are unique in a process, whichever thread is on
 * the stack.  The process is known by its number and by when it began, as numbers come again.
 */
#include "dtx.bpf.h"

extern char dtx_calls[];
extern const struct dtx_procoff dtx_procoff;

static inline __attribute__((always_inline)) void call_key(struct dtx_call *k, u64 entry, u64 cfa)
{
	u64 task = bpf_get_current_task();

	k->entry = entry;
	k->cfa = cfa;
	k->began = 0;
	k->pad = 0;
	k->pid = bpf_get_current_pid_tgid() >> 32;
	bpf_probe_read_kernel(&task, sizeof(task), (void *)(task + dtx_procoff.leader));
	bpf_probe_read_kernel(&k->began, sizeof(k->began), (void *)(task + dtx_procoff.began));
}

/* What cannot be stored must not leave the registers of an earlier call. */
DTX_FN void dtx_entry_save(u64 entry, u64 cfa, const void *regs)
{
	struct dtx_call k;

	call_key(&k, entry, cfa);
	if (bpf_map_update_elem(dtx_calls, &k, regs, BPF_ANY))
		bpf_map_delete_elem(dtx_calls, &k);
}

/*
 * Word `n` of what was kept.  The map may give the element to another frame while it is read: it
 * was ours if it is still found.  (Nobody else stores our key: the function runs.)
 */
DTX_FN u64 dtx_entry_value(struct dtx_mst *m, u64 entry, u64 cfa, u64 n)
{
	volatile u64 *p;
	struct dtx_call k;
	u64 v = 0;

	call_key(&k, entry, cfa);
	p = bpf_map_lookup_elem(dtx_calls, &k);
	if (p)
		v = p[n];
	if (!p || bpf_map_lookup_elem(dtx_calls, &k) != p) {
		m->fault = DTX_FAULT_ENTRY + 1;
		m->fault_val = cfa;
	}
	return v;
}

/* The kernel finds them behind the context; without the function's type the verifier knows no slot.
 * Programs are attached only to functions that have the argument, or the result. */
#define FUNC_ARG(n)                                \
	DTX_FN u64 dtx_func_arg##n(void *ctx)      \
	{                                          \
		u64 v = 0;                         \
						   \
		bpf_get_func_arg(ctx, n, &v);      \
		return v;                          \
	}
FUNC_ARG(0) FUNC_ARG(1) FUNC_ARG(2) FUNC_ARG(3) FUNC_ARG(4) FUNC_ARG(5)

DTX_FN u64 dtx_func_result(void *ctx)
{
	u64 v = 0;

	bpf_get_func_ret(ctx, &v);
	return v;
}
