/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * stack.bpf.c - stacks as programs take them: the store, the depth, the caller.
 *
 * The frames of a stack are made in the scratch slot (struct dtx_walk).  The store keeps them once,
 * by a hash of 64 bits: of 10 million different stacks no two have the same one, but with a chance
 * of one in 300,000.  What dtx takes out of the store it keeps (runtime/value/stackstore.c), so a
 * table of hashes that were kept spares most look-ups.
 */
#include "stack/walk.h"

#define STACK_USER     256       /* BPF_F_USER_STACK */
#define HASH_HERE      64        /* frames that the verifier may follow at each stack() */
#define ERR_THERE      17        /* EEXIST: another CPU was faster */
#define ERR_FULL       7         /* E2BIG */

/* ---- return probes, before Linux 5.16 -------------------------------------------------------- */

extern const struct dtx_kendoff dtx_kendoff;

#define RETURNS_LOOK  64         /* links of a list, which has those of other threads, too */
#define TABLE_BITS    6          /* KPROBE_HASH_BITS */
#define TABLE_HASH    0x61c8864680b583ebull   /* GOLDEN_RATIO_64 */

/* Where the trampoline of return probes is, and the table of what it replaced; 0: a list of each
 * thread. */
DTX_FN void dtx_kends(struct dtx_walk *w, u64 trampoline, u64 size, u64 table)
{
	w->ktrampoline = trampoline;
	w->ksize = size;
	w->kreturns = table;
}

/* The return address that was replaced last in this thread: that of its innermost function with a
 * return probe, which may have several.  0: not found. */
DTX_SUB u64 replaced_last(u64 trampoline, u64 table)
{
	u64 task = bpf_get_current_task(), owner = task, pc = trampoline;
	u64 link = table ? table + 8 * (task * TABLE_HASH >> (64 - TABLE_BITS))
			 : task + dtx_kendoff.list;

	for (u32 i = 0; i < RETURNS_LOOK && pc == trampoline; i++) {
		if (bpf_probe_read_kernel(&link, sizeof(link), (void *)link) || !link)
			return 0;
		if (table)
			bpf_probe_read_kernel(&owner, sizeof(owner),
					      (void *)(link + dtx_kendoff.task));
		if (owner == task && bpf_probe_read_kernel(&pc, sizeof(pc),
							   (void *)(link + dtx_kendoff.address)))
			return 0;
	}
	return pc == trampoline ? 0 : pc;
}

/* The walk has n frames.  If it ends where a return address was replaced, the last one becomes what
 * it was, or is left out; w->kend says whether there is more.  max: a constant. */
static inline __attribute__((always_inline)) u64 walk_end(struct dtx_walk *w, u64 *frame, u64 n,
							  u64 max)
{
	u64 *last = frame + ((n - 1) & (max > HASH_HERE ? DTX_STACK_MAX - 1 : HASH_HERE - 1));
	u64 pc;

	w->kend = DTX_END_UNKNOWN;
	if (!n || *last - w->ktrampoline >= w->ksize)
		return n;
	pc = *last == w->ktrampoline ? replaced_last(*last, w->kreturns) : *last;
	if (!pc || n < max)
		w->kend = DTX_END_RETURN;
	if (!pc)
		return n - 1;
	*last = pc;
	return n;
}

static inline __attribute__((always_inline)) u32 kernel_end(struct dtx_walk *w)
{
	return dtx_opt_kends ? w->kend : DTX_END_UNKNOWN;
}

/* ---- the kernel's walk ----------------------------------------------------------------------- */

/* w->second comes between the first frame that the kernel finds and the second one. */
static inline __attribute__((always_inline)) u64 entry_walk(struct dtx_mst *m, struct dtx_walk *w,
							    u64 max)
{
	s64 n = bpf_get_stack(m->ctx, w->frame + 1, (max - 1) * 8, 0);

	if (n <= 0)
		return 0;
	w->frame[0] = w->frame[1];
	w->frame[1] = w->second;
	return (u64)n / 8 + 1;
}

#define TRACER_FRAMES 4          /* the most that the next function counts */
#define RUN_BYTES     1024       /* bpf_trace_run12() of a kernel with debugging code has 544 */

/*
 * How many of the first frames are of the tracer, in a program that a tracepoint runs.  skip: 0,
 * or the walk begins in bpf_trace_runN(), on 5.10 in the program that it calls.  Its caller
 * __bpf_trace_CLASS() may jump to it, and have no frame, or call it.
 */
static inline __attribute__((always_inline)) u64 tracer_frames(struct dtx_walk *w, u64 skip)
{
	u64 own = skip && w->made.text && w->frame[0] - w->made.text >= w->made.size;
	u64 *pc = w->frame + own, run;

	if (!skip)
		return pc[0] - w->traceiter < w->traceiter_size;
	run = arch_call_target(pc[1]);
	if (run <= pc[0] && pc[0] - run < RUN_BYTES)
		return own + 2 + (pc[2] - w->traceiter < w->traceiter_size);
	return own + 1 + (pc[1] - w->traceiter < w->traceiter_size);
}

/* The frames begin at w->first. */
static inline __attribute__((always_inline)) u64 tracepoint_walk(struct dtx_mst *m,
	struct dtx_walk *w, u64 max, u64 skip)
{
	u64 room = max > HASH_HERE ? max : max + TRACER_FRAMES, n;
	s64 bytes;

	w->frame[0] = w->frame[1] = w->frame[2] = w->frame[3] = 0;
	bytes = bpf_get_stack(m->ctx, w->frame, room * 8, skip ? skip - 1 : 0);
	if (bytes <= 0)
		return 0;
	n = (u64)bytes / 8;
	w->first = tracer_frames(w, skip);
	n -= n > w->first ? w->first : n;
	return n < max ? n : max;
}

/* The first frame that kernel_walk() found. */
static inline __attribute__((always_inline)) u64 *kernel_frames(struct dtx_walk *w, u64 flags)
{
	return w->frame + (flags & DTX_KWALK_TRACER ? w->first & FIRST_MASK : 0);
}

static inline __attribute__((always_inline)) u64 walk_by_kernel(struct dtx_mst *m,
	struct dtx_walk *w, u64 max, u64 flags)
{
	s64 n;

	if (flags & DTX_KWALK_TRACER)
		return tracepoint_walk(m, w, max, (u32)flags);
	if (!ARCH_ENTRY_WALK && max > 1 && flags & DTX_KWALK_ENTRY)
		return entry_walk(m, w, max);
	n = bpf_get_stack(m->ctx, w->frame, max * 8, (u32)flags);
	return n > 0 ? (u64)n / 8 : 0;
}

/* Will kernel_walk_again() find the frames? */
static inline __attribute__((always_inline)) bool walks_again(u64 max, u64 flags)
{
	return max > HASH_HERE && flags & DTX_KWALK_TRACER;
}

/* flags: of bpf_get_stack(), and DTX_KWALK_…  max: a constant. */
static inline __attribute__((always_inline)) u64 kernel_walk(struct dtx_mst *m, struct dtx_walk *w,
							     u64 max, u64 flags)
{
	u64 n = walk_by_kernel(m, w, max, flags);

	if (dtx_opt_kends && !(flags & STACK_USER) && !walks_again(max, flags))
		return walk_end(w, kernel_frames(w, flags), n, max);
	return n;
}

/* After kernel_walk(): the frames are at the begin of w->frame, where they are stored from. */
static inline __attribute__((always_inline)) u64 kernel_walk_again(struct dtx_mst *m,
	struct dtx_walk *w, u64 max, u64 flags, u64 n)
{
	u64 skip = (u32)flags;
	s64 bytes;

	if (!(flags & DTX_KWALK_TRACER))
		return n;
	bytes = bpf_get_stack(m->ctx, w->frame, max * 8, (skip ? skip - 1 : 0) + w->first);
	n = bytes > 0 ? (u64)bytes / 8 : 0;
	return dtx_opt_kends ? walk_end(w, w->frame, n, max) : n;
}

/* Frames of trampolines were left out: others come after those that the walk has found. */
static inline __attribute__((always_inline)) u64 shown_walk(struct dtx_mst *m, struct dtx_walk *w,
	u64 level, u64 max, u64 flags)
{
	u64 n = kernel_walk(m, w, DTX_STACK_MAX, flags);

	n = kernel_walk_again(m, w, DTX_STACK_MAX, flags, n);
	n -= dtx_g_tracer_frames(level, 0, n);
	return n < max ? n : max;
}

/* After kernel_walk(), which found n frames: how many are shown, if it is not all of them.  They
 * are then at the begin of w->frame; else 0. */
static inline __attribute__((always_inline)) u64 shown_frames(struct dtx_mst *m, struct dtx_walk *w,
	u64 level, u64 n, u64 max, u64 flags)
{
	u64 first = kernel_frames(w, flags) - w->frame;
	u64 out = dtx_g_tracer_frames(level, first, n);

	if (!out)
		return 0;
	if (first || n >= max)
		return shown_walk(m, w, level, max, flags);
	return n - out;
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

/* The stack is there, perhaps since now, or the error why it cannot be. */
static inline __attribute__((always_inline)) s64 stack_add(struct dtx_walk *w, void *map, u64 hash)
{
	u64 at = hash;
	s64 err;

	if (bpf_map_lookup_elem(map, &at))
		return 0;
#pragma unroll
	for (u32 i = 0; i < DTX_STACK_PLACES; i++) {
		at = DTX_STACK_AT(hash, i);
		err = bpf_map_update_elem(map, &at, &w->stack, BPF_NOEXIST);
		if (!err)
			__sync_fetch_and_add(&dtx_ctl.stacks, 1);
		if (!err || err == -ERR_FULL || err == -ERR_THERE)
			break;
	}
	return err == -ERR_THERE ? 0 : err;
}

/* Not known: w->stack and its frames are stored, unless they are there. */
static inline __attribute__((always_inline)) u64 stack_store(struct dtx_mst *m, struct dtx_walk *w,
							     void *map, u64 hash, u64 max)
{
	if (stack_add(w, map, hash)) {
		dtx_drop(m, DTX_DROP_STACK);
		return 0;
	}
	*(volatile u64 *)stack_known(hash) = hash + max;
	return hash;
}

/* process: as dtx_process() gives it. */
DTX_FN u64 dtx_stack_keep(struct dtx_mst *m, struct dtx_walk *w, void *map, u64 max, u64 process)
{
	u64 hash;

	if (w->raw) {
		w->stack.pid = process;
		w->stack.exec = process >> 32;
		w->hash = walk_mix(w->hash, process);
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
	return dtx_stack_keep(m, w, map, max, pid | (u64)DTX_EXEC_OF(w->mm_start) << 32);
}

/* ustackunwind=off: addresses as the kernel finds them. */
DTX_FN u64 dtx_ustack_plain(struct dtx_mst *m, struct dtx_walk *w, u64 level, void *map, u64 max,
			    u64 process)
{
	walk_new(w);
	w->raw = 1;
	dtx_g_kernel_frames(level, kernel_walk(m, w, max, STACK_USER));
	return dtx_stack_keep(m, w, map, max, process);
}

/* A polynomial of the frames: for stacks of the kernel, which are short. */
DTX_SUB u64 kernel_hash(const u64 *frame, u64 n, u64 max)
{
	u64 hash = 1;

	for (u64 i = 0; i < max && i < n; i++)
		hash = hash * 0x9e3779b97f4a7c15ull + frame[i];
	return (hash ^ hash >> 29) ? : 1;
}

/* The frames are at the begin of w->frame. */
static inline __attribute__((always_inline)) u64 long_stack(struct dtx_mst *m, struct dtx_walk *w,
	u64 level, void *map, u64 n, u64 max)
{
	walk_new(w);
	if (kernel_end(w))
		w->stack.end = kernel_end(w);
	dtx_g_kernel_frames(level, n);
	return dtx_stack_keep(m, w, map, max, 0);
}

/*
 * flags: of kernel_walk().  max: a constant.  A stack that is known as the kernel found it has no
 * frame to leave out: it was stored whole.  The number of frames is in memory while they are
 * hashed: the verifier would follow what comes after for each number that it has there.
 */
DTX_FN u64 dtx_kstack(struct dtx_mst *m, struct dtx_walk *w, u64 level, void *map, u64 max,
		      u64 flags)
{
	u64 n = kernel_walk(m, w, max, flags), hash = 0, shown;

	if (max <= HASH_HERE) {
		*(volatile u32 *)&w->stack.n = n;
		hash = kernel_hash(kernel_frames(w, flags), n, max) + kernel_end(w);
		if (stack_is_known(hash, max))
			return hash;
		n = *(volatile u32 *)&w->stack.n;
	}
	shown = shown_frames(m, w, level, n, max, flags);
	if (max > HASH_HERE)
		return long_stack(m, w, level, map,
				  shown ? : kernel_walk_again(m, w, max, flags, n), max);
	if (!n && !kernel_end(w))
		return 0;
	if (shown)
		hash = kernel_hash(w->frame, shown, max) + kernel_end(w);
	n = shown ? : kernel_walk_again(m, w, max, flags, n);
	w->stack = (struct dtx_stack){ .n = n, .end = DTX_END_UNKNOWN };
	if (kernel_end(w))
		w->stack.end = kernel_end(w);
	return shown && stack_is_known(hash, max) ? hash : stack_store(m, w, map, hash, max);
}

DTX_FN u64 dtx_pystack(struct dtx_mst *m, struct dtx_walk *w, u64 level, void *map, u64 max,
		       u64 pid)
{
	walk_new(w);
	dtx_g_pystack(level, max, pid);
	return dtx_stack_keep(m, w, map, max, 0);
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

/* Frames that ustack() shows, where the kernel walks. */
DTX_FN u64 dtx_depth(struct dtx_mst *m, struct dtx_walk *w, u64 max, u64 flags)
{
	return kernel_walk(m, w, max, flags);
}

/* There is more of the kernel's stack than the walk has found. */
static inline __attribute__((always_inline)) void stack_fault(struct dtx_mst *m, struct dtx_walk *w)
{
	if (!kernel_end(w))
		return;
	m->fault = DTX_FAULT_STACK + 1;
	m->fault_val = 0;
}

/* Frames that stack() shows.  flags: of kernel_walk().  Where the first frames, of the tracer, have
 * taken the room of others, the kernel walks again. */
DTX_FN u64 dtx_kdepth(struct dtx_mst *m, struct dtx_walk *w, u64 level, u64 max, u64 flags)
{
	u64 n = kernel_walk(m, w, max, flags), first = kernel_frames(w, flags) - w->frame;
	u64 shown = shown_frames(m, w, level, n, max, flags);

	if (!shown && flags & DTX_KWALK_TRACER && (dtx_opt_kends || n + first >= max))
		n = kernel_walk_again(m, w, max, flags, n);
	stack_fault(m, w);
	if (dtx_opt_blind && w->unsure) {
		m->fault = DTX_FAULT_MADE + 1;
		m->fault_val = 0;
	}
	return shown ? : n;
}

/* The function, and two trampolines between it and its caller, each with the call of it. */
#define CALLER_FRAMES 8

/*
 * Who called the function.  In one that a traced function calls last, by a jump, the second frame
 * is the trampoline that calls the traced one; it is left out together with the next one, where
 * the trampoline is called, as stack() does.  The caller of a trampoline is that of the function.
 */
DTX_FN u64 dtx_caller(struct dtx_mst *m, struct dtx_walk *w, u64 level, u64 flags)
{
	u64 *pc, at;

	if (kernel_walk(m, w, CALLER_FRAMES, flags) < 2) {
		stack_fault(m, w);
		return 0;
	}
	pc = kernel_frames(w, flags);
	at = dtx_g_trampoline(level, pc[0], pc[1]) & 3 ? : 1;
	if (pc[at] < ARCH_MADE_CODE)
		return pc[at];
	at += dtx_g_trampoline(level, pc[at], pc[at + 1]) & 3;
	return pc[at] < ARCH_MADE_CODE ? pc[at] :
		pc[at + (dtx_g_trampoline(level, pc[at], pc[at + 1]) & 3)];
}

/* Before a walk: bpf_tree of the kernel, 0: not known; where functions enter the kernel's tracer of
 * functions, as they do if others than a trampoline are at them; the kernel's own code, where there
 * is no trampoline, size 0: not known.  They stay in the slot, which nothing else uses. */
DTX_FN void dtx_made(struct dtx_walk *w, u64 tree, u64 entry, u64 entry_regs, u64 text, u64 size)
{
	if (w->made.size)
		return;
	w->made.text = size ? text : 0;
	w->made.size = size ? : ARCH_MADE_CODE;
	w->made.tree = tree;
	w->made.entry = entry;
	w->made.entry_regs = entry_regs;
}

/* Before a walk in a program that a tracepoint runs: where its __traceiter_EVENT() is. */
DTX_FN void dtx_traceiter(struct dtx_walk *w, u64 at, u64 size)
{
	w->traceiter = at;
	w->traceiter_size = size;
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

/* ---- the caller, where a call leaves the return address in a register ------------------------ */

#define RETURNS_MOST  8          /* return probes at one function */

/* list: the address of a link.  The kernel has replaced the return address by that of its
 * trampoline, once for each return probe at the function. */
DTX_SUB u64 replaced_return(u64 trampoline, u64 list, u64 address)
{
	u64 pc = trampoline;

	for (u32 i = 0; i < RETURNS_MOST && pc == trampoline; i++)
		if (bpf_probe_read_kernel(&list, sizeof(list), (void *)list) || !list ||
		    bpf_probe_read_kernel(&pc, sizeof(pc), (void *)(list + address)))
			return trampoline;
	return pc;
}

/* The frame that entry_walk() adds.  trampoline: 0, or where to look if it is the caller: the list
 * in struct task_struct, and from its links to the addresses. */
DTX_FN void dtx_entry_caller(void *ctx, struct dtx_walk *w, u64 trampoline, u64 list, u64 address)
{
	u64 pc = arch_kernel_return(ctx);

	if (trampoline && pc == trampoline)
		pc = replaced_return(pc, bpf_get_current_task() + list, address);
	w->second = pc;
}
