/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * made.bpf.c - frames of BPF's trampolines, which no stack shows: they are of the tracer.
 *
 * The kernel knows by a tree what BPF has made, programs and trampolines, and finds a symbol by its
 * address there; so does this (kernel/bpf/core.c, linux/rbtree_latch.h).  Where the tree is not
 * known (a kernel without CONFIG_KALLSYMS_ALL), trampolines are known by their code, and the depth
 * of a stack that has other frames outside of the kernel's own code is not available.
 */
#include "stack/walk.h"

#define TREE_DEEPEST  40         /* a balanced tree of a million has no path as long */
#define TREE_TRIES    8
#define NAME_AT       4          /* bpf_trampoline_NUMBER */
#define NAME_PART     0x696c6f706d617274ull      /* "trampoli" */

#define SYMOFF(member)  DECIDED("dtx_symoff", __builtin_offsetof(struct dtx_symoff, member))

static inline __attribute__((always_inline)) bool is_trampoline_symbol(struct dtx_walk *w,
								       u64 symbol)
{
	w->made.start = kernel_word(symbol + SYMOFF(start));
	w->made.end = kernel_word(symbol + SYMOFF(end));
	return kernel_word(symbol + SYMOFF(name) + NAME_AT) == NAME_PART;
}

/* Of the two trees, `which` is the one that nobody is changing.  1: pc is in a trampoline. */
DTX_GLOBAL u64 dtx_g_symbol_in(u64 level, u64 pc, u64 which)
{
	struct dtx_walk *w = walk_state(level);
	u64 node, to_symbol = SYMOFF(node) + which * SYMOFF(node_size);

	if (!w)
		return 0;
	node = kernel_word(w->made.tree + SYMOFF(trees) + which * SYMOFF(tree_size));
	for (u32 i = 0; i < TREE_DEEPEST && node; i++) {
		u64 symbol = node - to_symbol, start = kernel_word(symbol + SYMOFF(start)), next;

		if (pc >= start && pc < kernel_word(symbol + SYMOFF(end)))
			return is_trampoline_symbol(w, symbol);
		next = pc < start ? SYMOFF(left) : SYMOFF(right);
		node = kernel_word(node + next);
	}
	return 0;
}

/* A search fails for certain if the tree has not changed meanwhile. */
DTX_GLOBAL u64 dtx_g_made_symbol(u64 level, u64 pc)
{
	struct dtx_walk *w = walk_state(level);
	u32 seq;

	for (u32 i = 0; i < TREE_TRIES && w; i++) {
		seq = kernel_half(w->made.tree);
		if (dtx_g_symbol_in(level, pc, seq & 1))
			return 1;
		if (kernel_half(w->made.tree) == seq)
			break;
	}
	return 0;
}

/* Has the traced function called what leads to the trampoline?  Its call returns to `called`. */
static inline __attribute__((always_inline)) bool calls_made(struct dtx_walk *w, u64 called)
{
	u64 target = called ? arch_call_target(called) : 0;

	return target && (target - w->made.start < w->made.end - w->made.start ||
			  target == w->made.entry || target == w->made.entry_regs);
}

/* By its code.  What is not found may be one nevertheless, or a module. */
static inline __attribute__((always_inline)) u64 trampoline_by_code(struct dtx_walk *w, u64 pc,
								    u64 called)
{
	u64 out = arch_is_trampoline(pc, called) ? 2 : arch_jumped_trampoline(pc);

	w->unsure |= !out;
	return out;
}

/*
 * A trampoline calls the rest of the traced function, from the place to which its own call would
 * return; that place is left out, too, unless the function has jumped to the trampoline.
 */
DTX_GLOBAL u64 dtx_g_trampoline(u64 level, u64 pc, u64 called)
{
	struct dtx_walk *w = walk_state(level);

	if (!w || pc < ARCH_MADE_CODE || pc - w->made.text < w->made.size)
		return 0;
	if (called && arch_call_target(pc) == called)
		return 2;
	if (!w->made.tree)
		return trampoline_by_code(w, pc, called);
	return dtx_g_made_symbol(level, pc) ? 1 + calls_made(w, called) : 0;
}

/* Frame i, of n. */
DTX_GLOBAL u64 dtx_g_tracer_frame(u64 level, u64 i, u64 n)
{
	struct dtx_walk *w = walk_state(level);
	u64 next = 0, out, pc;

	if (!w || i < w->shown)
		return 0;
	pc = w->frame[i & (DTX_STACK_MAX - 1)];
	if (i + 1 < n)
		next = w->frame[(i + 1) & (DTX_STACK_MAX - 1)];
	out = dtx_g_trampoline(level, pc, next);
	if (!out)
		w->frame[(i - w->tracer) & (DTX_STACK_MAX - 1)] = pc;
	w->shown = i + out;
	w->tracer += i + out > n ? n - i : out;
	return 0;
}

/* Is one of the frames from `first` on not of the kernel's own code?  In most stacks none is. */
static inline __attribute__((always_inline)) bool has_others(const struct dtx_walk *w, u64 first,
							     u64 n)
{
	u64 text = w->made.text, size = w->made.size;

	for (u64 i = first & FIRST_MASK; i < DTX_STACK_MAX && i < n; i++)
		if (w->frame[i] - text >= size)
			return true;
	return false;
}

/* The walk has the count: so all ways through a turn are the same to the verifier. */
DTX_GLOBAL u64 dtx_g_tracer_frames(u64 level, u64 first, u64 n)
{
	struct dtx_walk *w = walk_state(level);

	n += first;
	if (!w)
		return 0;
	w->unsure = 0;
	if (!has_others(w, first, n))
		return 0;
	w->tracer = 0;
	w->shown = first;
	for (u64 i = 0; i < DTX_STACK_MAX && i < n; i++)
		dtx_g_tracer_frame(level, i, n);
	return w->tracer;
}
