/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * unwind.bpf.c - from one frame of a user stack to its caller: by the table of the file where it
 * has a rule for the program counter (dtx/unwind.h), else by the frame pointer.
 * Why: docs/decisions/37-user-stacks.md
 */
#include "stack/walk.h"

#define FP_RUN        32         /* frames that one step follows by their pointers */
#define REG_MASK      (ARCH_DWARF_REGS - 1)

static inline __attribute__((always_inline)) bool user_read(void *to, u32 n, u64 addr)
{
	return !bpf_probe_read_user(to, n, (void *)addr);
}

static inline __attribute__((always_inline)) u64 walk_end(struct dtx_walk *w, u32 end)
{
	bool cut = end == DTX_END_CUT || end == DTX_END_FRAMES;

	w->stack.end = w->why && (!cut || w->why == DTX_END_MAKING) ? w->why : end;
	return 0;
}

static inline __attribute__((always_inline)) void walk_doubt(struct dtx_walk *w, u32 why)
{
	if (!w->why || why == DTX_END_MAKING)
		w->why = why;
}

/* The table does not lead on: the frame pointer is tried. */
#define STEP_FAILED  2
static inline __attribute__((always_inline)) u64 step_fails(struct dtx_walk *w, u32 why)
{
	if (w->why != DTX_END_MAKING)
		w->why = why;
	return STEP_FAILED;
}

/* ---- the rule -------------------------------------------------------------------------------- */

/* In flags of the rule of a frame. */
#define RULE_UNCALLED  0x80      /* no call is before the place */
#define RULE_ASKED     0x40      /* none: its page is not made yet */

/* The chunk of a table that holds the place. */
static inline __attribute__((always_inline)) const u32 *chunk_at(u32 table, u32 place)
{
	void *map = bpf_map_lookup_elem(dtx_tables, &table);
	u32 chunk = place / DTX_UW_CHUNK_WORDS;

	return map ? bpf_map_lookup_elem(map, &chunk) : NULL;
}

#define WORD_AT(chunk, place)  (((volatile const u32 *)(chunk))[(place) & (DTX_UW_CHUNK_WORDS - 1)])

/* The place of the page's rows, 0: none. */
DTX_GLOBAL u64 dtx_g_uw_page(u64 table, u64 page)
{
	const struct dtx_uw_head *head = (const void *)chunk_at(table, 0);
	const u32 *chunk;
	u32 place = 0;

	if (!head)
		return 0;
	for (u32 i = 0; i < DTX_UW_RANGES && !place; i++)
		if (page - head->range[i].first < head->range[i].npages)
			place = head->range[i].index + (page - head->range[i].first);
	if (!place)
		return 0;
	chunk = chunk_at(table, place);
	return chunk ? WORD_AT(chunk, place) : 0;
}

/* Number of the rule for the offset in a page, whose rows are at the place. */
DTX_GLOBAL u64 dtx_g_uw_row(u64 table, u64 place, u64 off)
{
	const u32 *chunk = chunk_at(table, place);
	u64 n, at = 0;

	if (!chunk)
		return 0;
	n = WORD_AT(chunk, place) >> DTX_UW_ROW_SHIFT;
#pragma unroll
	for (u32 step = 2048; step; step /= 2) {
		u64 row = WORD_AT(chunk, place + at + step) >> DTX_UW_ROW_SHIFT;
		u64 more = n - at - step, less = off - row, fits;

		/* Is there such a row, and is it not after the offset?  Without a branch, and
		 * without a mask of 0 or -1: kernels from 6.18 on follow both, as at a branch. */
		barrier_var(more);
		barrier_var(less);
		fits = ~(more | less) >> 63;
		barrier_var(fits);
		at += step * fits;
	}
	return WORD_AT(chunk, place + at) & DTX_UW_ROW_RULE;
}

/* The page of a table is not made yet: it is asked for. */
DTX_GLOBAL u64 dtx_g_uw_ask(u64 level, u64 table, u64 page)
{
	struct dtx_walk *w = walk_state(level);
	u64 key = table << 32 | (u32)page, now = bpf_ktime_get_ns(), *asked;

	if (!w)
		return 0;
	asked = bpf_map_lookup_elem(dtx_asked, &key);
	if (asked && now - *asked < DTX_ASKED_WAIT)
		return 0;
	bpf_map_update_elem(dtx_asked, &key, &now, BPF_ANY);
	w->sight.number = DTX_SIGHT_PAGE;
	w->sight.pid = w->pid;
	w->sight.start = table;
	w->sight.end = page;
	w->sight.sp = w->reg[ARCH_UW_SP];
	bpf_ringbuf_output(dtx_sights, &w->sight, sizeof(w->sight), BPF_RB_FORCE_WAKEUP);
	return 0;
}

/* The rule for an offset in the file of a table, in w->rule. */
DTX_GLOBAL u64 dtx_g_uw_read(u64 level, u64 table, u64 off)
{
	struct dtx_walk *w = walk_state(level);
	const struct dtx_uw_head *head;
	u64 place;
	u32 number;
	const u32 *chunk;

	if (!w)
		return 0;
	w->rule.kind = DTX_UW_NONE;
	place = dtx_g_uw_page(table, off >> DTX_UW_PAGE_SHIFT);
	if (place <= DTX_UW_ASK) {
		if (!place)
			return 0;
		w->rule.flags = RULE_ASKED;
		return dtx_g_uw_ask(level, table, off >> DTX_UW_PAGE_SHIFT);
	}
	number = dtx_g_uw_row(table, place, off & ((1 << DTX_UW_PAGE_SHIFT) - 1));
	head = (const void *)chunk_at(table, 0);
	if (!head || !number)
		return 0;
	place = head->rules + number * (sizeof(struct dtx_uw_rule) / 4);
	chunk = chunk_at(table, place);
	place &= DTX_UW_CHUNK_WORDS - sizeof(struct dtx_uw_rule) / 4;
	if (chunk)
		__builtin_memcpy(&w->rule, chunk + place, sizeof(w->rule));
	return 0;
}

/* Is there a call before the address?  What can't be read is taken for one. */
DTX_GLOBAL u64 dtx_g_uw_called(u64 addr)
{
	u64 code;

	return !user_read(&code, sizeof(code), addr - sizeof(code)) || arch_uw_is_call(code);
}

/*
 * The rule for the program counter in a mapping, in w->rule.  A return address belongs to the call
 * before it; where there is none, it was put there to be jumped to, and is a place of its own.
 * Rules of files are kept: their tables do not change, as those of code without a file do.
 */
DTX_GLOBAL u64 dtx_g_uw_rule(u64 level, u64 at, u64 pc)
{
	struct dtx_walk *w = walk_state(level);
	const struct walk_vma *v;
	struct walk_rule *kept;
	u64 place, off;
	bool called;

	if (!w)
		return 0;
	v = &w->vma[at & (WALK_VMAS - 1)];
	off = pc + v->delta;
	place = (u64)v->table << DTX_FRAME_SHIFT | (off & DTX_FRAME_OFF);
	if (w->exact)
		place |= DTX_FRAME_EXACT;
	kept = &w->rules[walk_mix(walk_mix(0, place), 0) >> (64 - WALK_RULES)];
	if (v->number && kept->place == place) {
		w->rule = kept->rule;
		return 0;
	}
	called = !w->exact && dtx_g_uw_called(pc);
	dtx_g_uw_read(level, v->table, off - called);
	if (!called && !w->exact)
		w->rule.flags |= RULE_UNCALLED;
	if (v->number && w->rule.kind != DTX_UW_NONE) {
		kept->place = place;
		kept->rule = w->rule;
	}
	return 0;
}

/* ---- the caller's registers ------------------------------------------------------------------ */

/* A register whose value is neither unchanged nor in the block.  1: it could not be read. */
DTX_GLOBAL u64 dtx_g_uw_reg(u64 level, u64 i, u64 cfa)
{
	struct dtx_walk *w = walk_state(level);
	u64 v = 0, bit, from;
	bool fine = true;
	s64 at;

	if (!w)
		return 1;
	i &= ARCH_UW_ROOM - 1;
	bit = 1u << i;
	at = w->rule.at[i];
	from = at & REG_MASK;
	if (w->rule.saved & bit) {
		fine = user_read(&v, 8, cfa + at);
	} else if (w->rule.based & bit) {
		from = w->reg[w->rule.base & REG_MASK] + at;
		fine = w->known >> (w->rule.base & REG_MASK) & 1;
		if (fine && from >= cfa && !(w->rule.flags & DTX_UW_ELSEWHERE))
			v = w->reg[arch_uw_number(i)];   /* has its value again, and the base */
		else
			fine = fine && user_read(&v, 8, from);
	} else if (w->rule.inreg & bit) {
		v = w->reg[at == ARCH_UW_PC ? ARCH_UW_PC : from];
		fine = at == ARCH_UW_PC || w->known >> from & 1;
	} else {
		fine = false;
	}
	w->next[i] = v;
	if (!fine)
		w->known &= ~((ARCH_UW_BITS)1 << arch_uw_number(i));
	return !fine;
}

/* All registers of the caller, whose CFA is known. */
static inline __attribute__((always_inline)) u64 uw_callers(struct dtx_walk *w, u64 level, u64 cfa)
{
	u32 told = w->rule.saved | w->rule.based | w->rule.inreg | w->rule.lost, rare;

	rare = w->rule.based | w->rule.inreg | w->rule.lost;
	if (!user_read(w->block, sizeof(w->block), cfa - sizeof(w->block)))
		rare = told;
	w->next[DTX_UW_SP] = cfa;
#pragma unroll
	for (u32 i = 0; i < DTX_UW_REGS; i++) {
		u64 at = w->rule.at[i] + (s64)sizeof(w->block);

		if (!(told >> i & 1)) {
			if (i != DTX_UW_SP)
				w->next[i] = w->reg[arch_uw_number(i)];
		} else if (rare >> i & 1 || at >= sizeof(w->block) || at & 7) {
			rare |= 1u << i;
		} else {
			w->next[i] = w->block[at >> 3 & (WALK_BLOCK - 1)];
		}
	}
	for (u32 i = 0; i < DTX_UW_REGS; i++)
		if (rare >> i & 1)
			dtx_g_uw_reg(level, i, cfa);
	return !(w->known >> ARCH_UW_PC & 1);
}

/* The caller's registers become those of the frame. */
static inline __attribute__((always_inline)) void walk_up(struct dtx_walk *w)
{
#pragma unroll
	for (u32 i = 0; i < DTX_UW_REGS; i++)
		w->reg[arch_uw_number(i)] = w->next[i];
	w->known &= ARCH_UW_KEPT;
	w->exact = 0;
}

/*
 * A return probe has put the kernel's address in the place of the return address: the true one is
 * in the list of the thread, by the place.
 */
DTX_GLOBAL u64 dtx_g_uw_return(u64 level, u64 place)
{
	struct dtx_walk *w = walk_state(level);
	u64 found = 0;

	if (!w)
		return 0;
	for (u32 i = 0; i < 32 && w->returns; i++) {
		u64 at = kernel_word(w->returns + WALKOFF(ri_stack));

		if (at > place)
			break;
		if (at == place)
			found = kernel_word(w->returns + WALKOFF(ri_address));
		w->returns = kernel_word(w->returns + WALKOFF(ri_next));
	}
	return found;
}

/* The frame's return address is in next[]; is there a caller? */
static inline __attribute__((always_inline)) u64 walk_called(struct dtx_walk *w, u64 level)
{
	if (w->returns) {
		u64 found = dtx_g_uw_return(level, w->next[DTX_UW_SP] - ARCH_ENTRY_CFA);

		if (found)
			w->next[DTX_UW_RA] = found;
	}
	w->next[DTX_UW_RA] = arch_uw_code(w->next[DTX_UW_RA]);
	walk_up(w);
	return w->reg[ARCH_UW_PC] ? 1 : walk_end(w, DTX_END_START);
}

/* ---- by the table ---------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) u64 step_signal(struct dtx_walk *w, u64 at)
{
	if (!user_read(w->node, 8 * ARCH_SIGNAL_WORDS, at))
		return walk_end(w, DTX_END_MEMORY);
	arch_uw_from_signal(w->reg, w->node);
	w->known = ARCH_UW_ALL;
	w->exact = 1;
	w->by_pointer = 0;
	return 1;
}

/*
 * The return address is 0: the start, says the table.  Compilers' tables are wrong where functions
 * return in other ways than by `ret`, but not at an entry, and not where a call was made.
 */
static inline __attribute__((always_inline)) void doubt_start(struct dtx_walk *w)
{
	if (w->rule.flags & DTX_UW_DERIVED)
		walk_doubt(w, DTX_END_NOTABLE);
	else if (w->exact && !(w->entry && w->stack.n == 1))
		walk_doubt(w, DTX_END_NOCODE);
}

/* Offsets in Go's runtime.g and runtime.m; the last one is where runtime.gobuf has no ret. */
enum { G_M = 48, M_G0 = 0, M_CURG = 192, M_CURG_NEW = 184 };
struct go_g {
	u64 m, sp, pc, g, ctxt;  /* from G_M on: m, then sched */
	u64 rest[3];             /* ret, lr, bp; without ret lr is the first */
};

/* Is it the goroutine that this thread runs, whose stack is left? */
static inline __attribute__((always_inline)) bool is_left(struct go_g *own, u64 g, u64 m)
{
	return user_read(own, sizeof(*own), g + G_M) && own->m == m && own->g == g && own->sp;
}

/*
 * Go's runtime has gone on with the stack of the thread, whose runtime.g is m.g0: the goroutine
 * m.curg, and how its stack was left.  All of them must say so, false: they do not.  *runs: the
 * offset of curg in runtime.m; 0: there is no goroutine.
 */
static inline __attribute__((always_inline)) bool goroutine_left(struct dtx_walk *w,
								 struct go_g *own, u64 *runs)
{
	u64 g0 = w->reg[ARCH_UW_G], m, at, g, newer;

	*runs = M_CURG;
	if (!(w->known >> ARCH_UW_G & 1) || !user_read(&m, 8, g0 + G_M) ||
	    !user_read(&at, 8, m + M_G0) || at != g0)
		return false;
	if (!user_read(&g, 8, m + M_CURG) || !is_left(own, g, m)) {
		if (!user_read(&newer, 8, m + M_CURG_NEW))
			return false;
		if (!is_left(own, newer, m)) {
			*runs = g | newer ? M_CURG : 0;
			return false;
		}
		*runs = M_CURG_NEW;
		g = newer;
	}
	w->reg[ARCH_UW_G] = g;
	return true;
}

/*
 * A function of the goroutine has called for a larger stack, before it made its frame: it goes on
 * as if it was interrupted there.  A goroutine that has no thread any more was put away meanwhile,
 * and what the thread does is not for it: there its stack begins, as at runtime.mcall.
 */
static inline __attribute__((always_inline)) u64 step_gobuf(struct dtx_walk *w)
{
	struct go_g own;
	u64 runs;
	bool has_ret;

	if (!goroutine_left(w, &own, &runs))
		return runs ? step_fails(w, DTX_END_LOST) : walk_end(w, DTX_END_START);
	has_ret = runs == M_CURG;
	w->reg[ARCH_UW_PC] = arch_uw_code(own.pc);
	w->reg[ARCH_UW_SP] = own.sp;
	w->reg[ARCH_UW_FP] = has_ret ? own.rest[2] : own.rest[1];
	w->reg[ARCH_DWARF_RA] = has_ret ? own.rest[1] : own.rest[0];
	w->known = ARCH_UW_BY_FP | 1ull << ARCH_UW_SP | 1ull << ARCH_DWARF_RA | 1ull << ARCH_UW_G;
	w->exact = 1;
	w->by_pointer = 0;
	return 1;
}

/* The rule has a CFA, or is that of a signal's frame. */
DTX_GLOBAL u64 dtx_g_uw_step(u64 level)
{
	struct dtx_walk *w = walk_state(level);
	u64 cfa;
	u32 kind;

	if (!w)
		return 0;
	kind = w->rule.kind;
	if (ARCH_UW_G && kind == DTX_UW_GOBUF)
		return step_gobuf(w);
	if (ARCH_UW_G && kind == DTX_UW_GOROUTINE) {
		struct go_g own;
		u64 runs;

		if (!goroutine_left(w, &own, &runs))
			return step_fails(w, DTX_END_LOST);
		cfa = own.sp + (s64)w->rule.off;
	} else if (!(w->known >> (w->rule.reg & REG_MASK) & 1)) {
		return step_fails(w, DTX_END_LOST);
	} else {
		cfa = w->reg[w->rule.reg & REG_MASK] + (s64)w->rule.off;
	}
	if (kind == DTX_UW_SIGNAL)
		return step_signal(w, cfa);
	if (kind == DTX_UW_PLT && (w->reg[ARCH_UW_PC] & 15) >= (u32)w->rule.off2)
		cfa += 8;
	if (kind == DTX_UW_CFA_AT) {
		if (!user_read(&w->block[0], 8, cfa))
			return step_fails(w, DTX_END_MEMORY);
		cfa = w->block[0] + (s64)w->rule.off2;
	}
	if (uw_callers(w, level, cfa))
		return step_fails(w, DTX_END_MEMORY);
	if (w->next[DTX_UW_SP] <= w->reg[ARCH_UW_SP] && w->known >> ARCH_UW_SP & 1 &&
	    !(w->exact && w->next[DTX_UW_SP] == w->reg[ARCH_UW_SP]) &&
	    !(w->rule.flags & DTX_UW_ELSEWHERE) &&
	    !((w->rule.saved | w->rule.based | w->rule.inreg) & 1 << DTX_UW_SP))
		return step_fails(w, DTX_END_MEMORY);
	if (!w->next[DTX_UW_RA])
		doubt_start(w);
	w->known |= 1u << ARCH_UW_SP;
	w->by_pointer = 0;
	return walk_called(w, level);
}

/* ---- by the frame pointer -------------------------------------------------------------------- */

/* Words on the stack before the return address, where the first frame is not made yet; negative:
 * it is made. */
static inline __attribute__((always_inline)) s64 words_before(struct dtx_walk *w)
{
	u64 code = 0;

	if (w->entry)
		return 0;
	bpf_probe_read_user(&code, sizeof(code), (void *)w->reg[ARCH_UW_PC]);
	if (arch_uw_is_sigreturn(code))
		return -2;
	return arch_uw_before_frame(code);
}

DTX_GLOBAL u64 dtx_g_uw_fp(u64 level)
{
	struct dtx_walk *w = walk_state(level);
	u64 fp, sp;
	s64 before = -1;

	if (!w)
		return 0;
	fp = w->reg[ARCH_UW_FP];
	sp = w->reg[ARCH_UW_SP];
	w->block[0] = w->block[1] = 0;
	if (w->exact)
		before = words_before(w);
	if (before == -2)
		return step_signal(w, sp + ARCH_UW_SIGCONTEXT);
	if (before >= 0) {
		if (!arch_uw_unframed(w->reg, sp, before, &w->block[1]))
			return walk_end(w, DTX_END_MEMORY);
		if (!w->bare &&
		    (!w->block[1] || !dtx_g_uw_called(arch_uw_code(w->block[1]))))
			walk_doubt(w, DTX_END_NOTABLE);
		w->block[0] = fp;
		fp = ARCH_UW_UNFRAMED_CFA(sp, before) - 16 - ARCH_UW_RECORD;
	} else {
		if (!fp)                         /* of code that nothing is known of */
			return walk_end(w, w->why ? w->why : DTX_END_NOTABLE);
		if (!(w->known >> ARCH_UW_FP & 1) || fp & 7 || fp < sp)
			return walk_end(w, w->why ? w->why : DTX_END_LOST);
		if (!user_read(w->block, 16, fp + ARCH_UW_RECORD))
			return walk_end(w, DTX_END_MEMORY);
		/* Code without a file is believed to keep frame pointers. */
		if (w->bare == BARE_CODE && !dtx_g_uw_called(arch_uw_code(w->block[1])))
			walk_doubt(w, DTX_END_NOTABLE);
	}
	for (u32 i = 0; i < DTX_UW_REGS; i++)
		w->next[i] = 0;
	w->next[DTX_UW_RA] = w->block[1];
	w->next[DTX_UW_FP] = w->block[0];
	w->next[DTX_UW_SP] = fp + 16 + ARCH_UW_RECORD;
	w->by_pointer = 1;
	w->known = w->bare == BARE_JVM && !w->exact ? ARCH_UW_BY_ENTER : ARCH_UW_BY_FP;
	return walk_called(w, level);
}

/*
 * Frames of code without a table follow each other: JIT, or a whole program.  Goes on while they
 * are in the same mapping; 1: another step is needed.
 */
DTX_GLOBAL u64 dtx_g_uw_fp_run(u64 level, u64 at)
{
	struct dtx_walk *w = walk_state(level);
	u64 fp, pc, frame[2];

	if (!w)
		return 0;
	fp = w->reg[ARCH_UW_FP];
	at &= WALK_VMAS - 1;
	for (u32 i = 0; i < FP_RUN; i++) {
		if (fp < w->reg[ARCH_UW_SP] || fp & 7 || w->stack.n >= w->max ||
		    !user_read(frame, sizeof(frame), fp + ARCH_UW_RECORD))
			return 1;
		pc = arch_uw_code(frame[1]);
		if (w->bare == BARE_CODE && !dtx_g_uw_called(pc))
			return 1;
		if (pc - 1 - w->vma[at].start >= w->vma[at].end - w->vma[at].start)
			return 1;
		walk_keep(w, at + 1, pc);
		w->reg[ARCH_UW_PC] = pc;
		w->reg[ARCH_UW_SP] = fp + 16 + ARCH_UW_RECORD;
		w->reg[ARCH_UW_FP] = fp = frame[0];
	}
	return 1;
}

/* ---- a frame --------------------------------------------------------------------------------- */

/* The mapping has no rule for the frame: if it has no file either, it may be asked for. */
static inline __attribute__((always_inline)) void walk_note_jit(struct dtx_walk *w, u64 at)
{
	const struct walk_vma *v = &w->vma[at & (WALK_VMAS - 1)];

	if (v->number || w->jit.end)
		return;
	w->jit.start = v->start;
	w->jit.end = v->end;
}

/* The frame is in code without a rule: 1: the stack goes on. */
static inline __attribute__((always_inline)) u64 frame_bare(struct dtx_walk *w, u64 level, u64 at,
							    u32 table)
{
	u64 jvm = 0;

	w->bare = at && !w->vma[(at - 1) & (WALK_VMAS - 1)].number;
	if (w->bare)
		jvm = dtx_g_jvm_here(level);
	if (jvm && dtx_g_jvm(level))
		return walk_called(w, level);
	if (jvm)
		w->bare = BARE_JVM;
	if (at && !jvm)
		walk_note_jit(w, at - 1);
	if (!w->bare)
		walk_doubt(w, table == DTX_TABLE_MAKING ? DTX_END_MAKING : DTX_END_NOTABLE);
	if (table == DTX_TABLE_NONE && at && !jvm && !w->exact && !w->returns &&
	    w->known >> ARCH_UW_FP & 1)
		dtx_g_uw_fp_run(level, at - 1);
	return dtx_g_uw_fp(level);
}

DTX_GLOBAL u64 dtx_g_frame(u64 level)
{
	struct dtx_walk *w = walk_state(level);
	u64 pc, at, more, exact = 0;
	u32 table;

	if (!w)
		return 0;
	if (w->stack.n >= w->max)
		return walk_end(w, w->cut);
	pc = w->reg[ARCH_UW_PC];
	at = walk_vma(w, level, pc - !w->exact);
	if (!at && w->stack.n)                   /* at the start the frame pointer is 0 */
		return walk_end(w, w->by_pointer && !w->reg[ARCH_UW_FP] ? DTX_END_START
									: DTX_END_NOCODE);
	table = at ? w->vma[(at - 1) & (WALK_VMAS - 1)].table : DTX_TABLE_NONE;
	if (table == DTX_TABLE_ASK)
		table = dtx_g_jit_table(level, at - 1);
	w->rule.kind = DTX_UW_NONE;
	w->rule.flags = 0;
	if (table != DTX_TABLE_MAKING && table != DTX_TABLE_NONE)
		dtx_g_uw_rule(level, at - 1, pc);
	if (w->stack.n && (w->exact || w->rule.flags & RULE_UNCALLED))
		exact = DTX_FRAME_EXACT;
	walk_keep_as(w, at, pc, exact);
	w->bare = 0;
	if (w->rule.kind == DTX_UW_END)
		return walk_end(w, DTX_END_START);
	if (w->rule.kind != DTX_UW_NONE && w->rule.kind != DTX_UW_CANNOT) {
		more = dtx_g_uw_step(level);
		return more == STEP_FAILED ? dtx_g_uw_fp(level) : more;
	}
	return frame_bare(w, level, at, w->rule.flags & RULE_ASKED ? DTX_TABLE_MAKING : table);
}
