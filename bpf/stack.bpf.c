/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * stack.bpf.c - stacks: the walk, the store, the depth, the caller.
 *
 * The frames of a stack are made in the scratch slot (struct dtx_walk).  The store keeps them once,
 * by a hash of 64 bits: of 10 million different stacks no two have the same one, but with a chance
 * of one in 300,000.  Nothing is removed from the store, so a table of hashes that were kept
 * spares most look-ups.
 */
#include "walk.h"

#define STACK_USER     256       /* BPF_F_USER_STACK */
#define RUN_MOST       8         /* frames of one mapping that are kept in one step */
#define HASH_HERE      64        /* frames that the verifier may follow at each stack() */
#define TASK_KERNEL    0x200000  /* PF_KTHREAD, include/linux/sched.h */

/* ---- the walk of the kernel ------------------------------------------------------------------ */

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

DTX_GLOBAL u64 dtx_g_user_frames(u64 level, u64 n)
{
	struct dtx_walk *w = walk_state(level);
	u64 i = 0, at, pc;

	for (u32 k = 0; k < DTX_STACK_MAX && w && i < n; k++) {
		pc = w->frame[i & (DTX_STACK_MAX - 1)];
		at = dtx_g_vma(level, pc - !!i);
		if (!at && i)
			break;
		i = dtx_g_user_run(level, at, i, n);
	}
	return 0;
}

static inline __attribute__((always_inline)) u64 kernel_walk(struct dtx_mst *m, struct dtx_walk *w,
							     u64 max, u64 flags)
{
	s64 n = bpf_get_stack(m->ctx, w->frame, max * 8, flags);

	return n > 0 ? (u64)n / 8 : 0;
}

/* ---- our own walk ---------------------------------------------------------------------------- */

/*
 * The mappings that the last walk here has found are those of this one, if the process is the same
 * and has changed none: the kernel counts changes from 6.4 on.  A table may be made by now.
 */
static inline __attribute__((always_inline)) void walk_mappings(struct dtx_walk *w, u64 mm)
{
	u32 seq = dtx_walkoff.mm_seq ? kernel_half(mm + dtx_walkoff.mm_seq) : 0;
	u64 start = kernel_word(mm + dtx_walkoff.mm_start);
	bool same = dtx_walkoff.mm_seq && mm == w->mm && seq == w->mm_seq && start == w->mm_start;

	for (u32 i = 0; i < WALK_VMAS; i++)
		if (!same || w->vma[i].table == DTX_TABLE_MAKING)
			w->vma[i].start = w->vma[i].end = 0;
	w->mm = mm;
	w->mm_seq = seq;
	w->mm_start = start;
}

/* The mappings and the registers of the current process.  1: it has 64 bits. */
static inline __attribute__((always_inline)) bool walk_process(struct dtx_walk *w)
{
	u64 task = bpf_get_current_task(), mm = kernel_word(task + dtx_walkoff.mm), utask;

	if (!mm || kernel_half(task + dtx_walkoff.flags) & TASK_KERNEL)
		return false;
	walk_mappings(w, mm);
	utask = dtx_walkoff.returns ? kernel_word(task + dtx_walkoff.utask) : 0;
	w->returns = utask ? kernel_word(utask + dtx_walkoff.returns) : 0;
	bpf_probe_read_kernel(w->node, 8 * ARCH_PTREGS,
			      (void *)(kernel_word(task + dtx_walkoff.stack) + dtx_walkoff.regs));
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
	if (ARCH_IS_32BIT(w->node[ARCH_PTREGS_CS]) || !dtx_opt_tables)
		return 0;
	arch_uw_from_ptregs(w->reg, w->node);
	w->known = ARCH_UW_ALL;
	w->max = max;
	w->exact = 1;
	w->by_pointer = 0;
	w->entry = opts & DTX_WALK_ENTRY;
	for (u32 i = 0; i <= DTX_STACK_MAX; i++) {
		if (!dtx_g_frame(level))
			break;
		w->entry = 0;
	}
	return 1;
}

/* max: a constant. */
static inline __attribute__((always_inline)) void user_walk(struct dtx_mst *m, struct dtx_walk *w,
	u64 level, u64 max, u64 pid, u64 opts)
{
	walk_new(w);
	if (!dtx_g_unwind(level, max, pid, opts))
		dtx_g_user_frames(level, kernel_walk(m, w, max, STACK_USER));
}

/* ---- the store ------------------------------------------------------------------------------- */

/* The store of stacks of `max` frames has this one.  Two stores may have the same hash. */
static inline __attribute__((always_inline)) u64 *stack_known(u64 hash)
{
	return &dtx_kept[hash % DTX_KEPT];
}

static inline __attribute__((always_inline)) bool stack_is_known(u64 hash, u64 max)
{
	return *(volatile u64 *)stack_known(hash) == hash + max;
}

/* Not known: w->stack and its frames are stored, unless they are there. */
static inline __attribute__((always_inline)) u64 stack_store(struct dtx_mst *m, struct dtx_walk *w,
							     void *map, u64 hash, u64 max)
{
	s64 err = 0;

	if (!bpf_map_lookup_elem(map, &hash))
		err = bpf_map_update_elem(map, &hash, &w->stack, BPF_NOEXIST);
	if (err && err != -17 /* EEXIST */) {
		dtx_drop(m, DTX_DROP_STACK);
		return 0;
	}
	*(volatile u64 *)stack_known(hash) = hash + max;
	return hash;
}

DTX_FN u64 dtx_stack_keep(struct dtx_mst *m, struct dtx_walk *w, void *map, u64 max, u64 pid)
{
	u64 hash;

	if (w->raw) {
		w->stack.pid = pid;
		w->hash = walk_mix(w->hash, pid);
	}
	hash = walk_mix(w->hash, w->stack.end) ? : 1;
	w->hash = hash;
	if (!w->stack.n && !w->stack.end)
		return 0;
	return stack_is_known(hash, max) ? hash : stack_store(m, w, map, hash, max);
}

DTX_FN u64 dtx_ustack(struct dtx_mst *m, struct dtx_walk *w, u64 level, void *map, u64 max,
		      u64 pid, u64 opts)
{
	u32 zero = 0, end;
	u64 *ends;

	user_walk(m, w, level, max, pid, opts);
	ends = bpf_map_lookup_elem(dtx_ends, &zero);
	end = w->stack.end;
	barrier_var(end);
	if (ends && end < DTX_END_N)
		__sync_fetch_and_add(&ends[end], 1);
	return dtx_stack_keep(m, w, map, max, pid);
}

/* ustackunwind=off: addresses as the kernel finds them. */
DTX_FN u64 dtx_ustack_plain(struct dtx_mst *m, struct dtx_walk *w, u64 level, void *map, u64 max,
			    u64 pid, u64 opts)
{
	walk_new(w);
	w->raw = 1;
	dtx_g_kernel_frames(level, kernel_walk(m, w, max, STACK_USER));
	return dtx_stack_keep(m, w, map, max, pid);
}

/* A polynomial of the frames: for stacks of the kernel, which are short. */
DTX_SUB u64 kernel_hash(const u64 *frame, u64 n, u64 max)
{
	u64 hash = 1;

	for (u64 i = 0; i < max && i < n; i++)
		hash = hash * 0x9e3779b97f4a7c15ull + frame[i];
	return (hash ^ hash >> 29) ? : 1;
}

/* skip: frames of dtx itself.  max: a constant. */
DTX_FN u64 dtx_kstack(struct dtx_mst *m, struct dtx_walk *w, u64 level, void *map, u64 max,
		      u64 skip)
{
	u64 n = kernel_walk(m, w, max, skip), hash;

	if (max > HASH_HERE) {
		walk_new(w);
		dtx_g_kernel_frames(level, n);
		return dtx_stack_keep(m, w, map, max, 0);
	}
	if (!n)
		return 0;
	hash = kernel_hash(w->frame, n, max);
	if (stack_is_known(hash, max))
		return hash;
	w->stack = (struct dtx_stack){ .n = n, .end = DTX_END_UNKNOWN };
	return stack_store(m, w, map, hash, max);
}

/* ---- depth and caller ------------------------------------------------------------------------ */

DTX_FN u64 dtx_udepth(struct dtx_mst *m, struct dtx_walk *w, u64 level, u64 max, u64 pid, u64 opts)
{
	user_walk(m, w, level, max, pid, opts);
	return w->stack.n;
}

/* Address of the second frame. */
DTX_FN u64 dtx_ucaller2(struct dtx_mst *m, struct dtx_walk *w, u64 level, u64 max, u64 pid,
			u64 opts)
{
	user_walk(m, w, level, max, pid, opts);
	return w->second;
}

/* flags: of bpf_get_stack(). */
DTX_FN u64 dtx_depth(struct dtx_mst *m, struct dtx_walk *w, u64 max, u64 flags)
{
	return kernel_walk(m, w, max, flags);
}

/* Second frame of the stack. */
DTX_FN u64 dtx_frame2(struct dtx_mst *m, u64 flags)
{
	u64 pc[2] = { 0, 0 };

	bpf_get_stack(m->ctx, pc, sizeof(pc), flags);
	return pc[1];
}

/* The context begins with the registers. */
DTX_FN u64 dtx_return_address(void *ctx)
{
	return arch_return_address(ctx);
}
