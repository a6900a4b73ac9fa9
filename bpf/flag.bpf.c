/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * flag.bpf.c - flags that clauses on thousands of functions wait for (compiler/plan/flag.c).
 *
 * How many threads have self->x set is counted, so that a program which waits for it ends after
 * one load.  The count is never too low: a thread is counted before its flag is set, and what it
 * had before is what the exchange gives, whatever interrupts it.  A thread that ends with its flag
 * set stays counted, which costs time and nothing else.
 * Why: docs/decisions/34-flags-over-functions.md
 */
#include "dtx.bpf.h"

DTX_FN u64 dtx_gate_open(u64 gate)
{
	return *(volatile u64 *)&dtx_gates[gate];
}

DTX_FN void dtx_gate_set(u64 gate, char *p, u64 v, u64 size)
{
	u64 old;

	if (size == 4)
		v = (u32)v;
	if (v)
		__sync_fetch_and_add(&dtx_gates[gate], 1);
	if (size == 4)
		old = __sync_lock_test_and_set((u32 *)p, (u32)v);
	else
		old = __sync_lock_test_and_set((u64 *)p, v);
	if (old)
		__sync_fetch_and_add(&dtx_gates[gate], -1);
}

/* Does a program of kind kprobe.session run at a return?  What the kernel's own function
 * bpf_session_is_return() reads: current->bpf_ctx. */
DTX_FN u64 dtx_session_return(u64 run_ctx, u64 is_return)
{
	u64 at = 0;
	u8 yes = 0;

	bpf_probe_read_kernel(&at, sizeof(at), (void *)(bpf_get_current_task() + run_ctx));
	bpf_probe_read_kernel(&yes, sizeof(yes), (void *)(at + is_return));
	return yes;
}
