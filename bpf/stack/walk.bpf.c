/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * walk.bpf.c - the walk along a stack: begins at the registers of the process, goes from frame to
 * frame; or enters the frames that the kernel has found.
 */
#include "stack/walk.h"

#define RUN_MOST       8         /* frames of one mapping that are kept in one step */
#define FEW_RUNS       16        /* mappings whose frames are kept in one step */
#define TASK_KERNEL    0x200000  /* PF_KTHREAD, include/linux/sched.h */

/* ---- frames that the kernel found ------------------------------------------------------------ */

/* The frames that the kernel found are hashed; of user stacks they become places in files. */
DTX_GLOBAL u64 dtx_g_kernel_frames(u64 level, u64 n)
{
	struct dtx_walk *w = walk_state(level);

	if (!w)
		return 0;
	for (u64 i = 0; i < DTX_STACK_MAX && i < n; i++)
		w->hash = walk_mix(w->hash, w->frame[i]);
	w->second = n > 1 ? w->frame[1] : 0;
	w->stack.n = n;
	return 0;
}

/*
 * Frames from i on that are in the mapping w->vma[at - 1], up to n; returns the next one.  0: in
 * none, as the first frame may be.
 */
DTX_GLOBAL u64 dtx_g_user_run(u64 level, u64 at, u64 i, u64 n)
{
	struct dtx_walk *w = walk_state(level);
	u64 start = 0, size = 0, pc;

	if (!w)
		return i;
	if (at) {
		start = w->vma[(at - 1) & (WALK_VMAS - 1)].start;
		size = w->vma[(at - 1) & (WALK_VMAS - 1)].end - start;
	}
	for (u32 k = 0; k < RUN_MOST && i < n; k++, i++) {
		pc = w->frame[i & (DTX_STACK_MAX - 1)];
		if (k && pc - 1 - start >= size)
			break;
		walk_keep(w, at, pc);
	}
	return i;
}

/* Frames from i on, in at most FEW_RUNS mappings; returns the next one, n: there is none. */
DTX_GLOBAL u64 dtx_g_user_runs(u64 level, u64 i, u64 n)
{
	struct dtx_walk *w = walk_state(level);
	u64 at, pc;

	for (u32 k = 0; k < FEW_RUNS && w && i < n; k++) {
		pc = w->frame[i & (DTX_STACK_MAX - 1)];
		at = walk_vma(w, level, pc - !!i);
		if (!at && i)
			return n;
		i = dtx_g_user_run(level, at, i, n);
	}
	return w ? i : n;
}

DTX_GLOBAL u64 dtx_g_user_frames(u64 level, u64 n)
{
	u64 i = 0;

	for (u32 k = 0; k < DTX_STACK_MAX / FEW_RUNS && i < n; k++)
		i = dtx_g_user_runs(level, i, n);
	return 0;
}

/* ---- our own walk ---------------------------------------------------------------------------- */

/*
 * The mappings that the last walk here has found are those of this one, if the process is the same
 * and has changed none: the kernel counts changes from 6.4 on.  A table may be made by now, or have
 * room.
 */
static inline __attribute__((always_inline)) void walk_mappings(struct dtx_walk *w, u64 mm)
{
	u32 seq = WALKOFF(mm_seq) ? kernel_half(mm + WALKOFF(mm_seq)) : 0;
	u64 start = kernel_word(mm + WALKOFF(mm_start));
	bool same = WALKOFF(mm_seq) && mm == w->mm && seq == w->mm_seq && start == w->mm_start;

	for (u32 i = 0; i < WALK_VMAS; i++)
		if (!same || w->vma[i].table == DTX_TABLE_MAKING ||
		    (w->vma[i].table == DTX_TABLE_NONE && w->vma[i].number))
			w->vma[i].start = w->vma[i].end = 0;
		else if (!w->vma[i].number)
			w->vma[i].table = DTX_TABLE_ASK;
	w->mm = mm;
	w->mm_seq = seq;
	w->mm_start = start;
}

/* The mappings and the registers of the current process.  1: it has 64 bits. */
static inline __attribute__((always_inline)) bool walk_process(struct dtx_walk *w)
{
	u64 task = bpf_get_current_task(), mm = kernel_word(task + WALKOFF(mm)), utask;

	if (!mm || kernel_half(task + WALKOFF(flags)) & TASK_KERNEL)
		return false;
	walk_mappings(w, mm);
	utask = WALKOFF(returns) ? kernel_word(task + WALKOFF(utask)) : 0;
	w->returns = utask ? kernel_word(utask + WALKOFF(returns)) : 0;
	bpf_probe_read_kernel(w->node, 8 * ARCH_PTREGS,
			      (void *)(kernel_word(task + WALKOFF(stack)) + WALKOFF(regs)));
	return true;
}

/* 0: the process has 32 bits, and the kernel walks; 1: done. */
DTX_GLOBAL u64 dtx_g_unwind(u64 level, u64 max, u64 pid, u64 opts)
{
	struct dtx_walk *w = walk_state(level);

	if (!w)
		return 1;
	w->pid = pid;
	if (!walk_process(w))
		return 1;
	if (ARCH_IS_32BIT(w->node[ARCH_PTREGS_MODE]))
		w->stack.end = DTX_END_32BIT;
	if (w->stack.end || !OPT(tables))
		return 0;
	arch_uw_from_ptregs(w->reg, w->node);
	w->reg[ARCH_UW_PC] -= opts >> DTX_WALK_PAST;
	w->known = ARCH_UW_ALL;
	w->max = max;
	w->exact = 1;
	w->by_pointer = 0;
	w->cut = opts & DTX_WALK_WHOLE ? DTX_END_FRAMES : DTX_END_CUT;
	w->entry = opts & DTX_WALK_ENTRY;
	for (u32 i = 0; i <= DTX_STACK_MAX; i++) {
		if (!dtx_g_frame(level))
			break;
		w->entry = 0;
	}
	if (w->jit.end && w->stack.end > DTX_END_MAKING && w->stack.end <= DTX_END_LOST &&
	    (w->bare || w->stack.end != DTX_END_NOTABLE) && dtx_g_jit_ask(level))
		w->stack.end = DTX_END_MAKING;
	return 1;
}
