/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * prologue.c - arm64: what the first instructions of a function store in its frame.
 *
 * Debugging information of code that is not optimised says where a parameter lies once the function
 * has stored it.  At the entry it is still where the caller put it: the instruction that stores it
 * tells.  Followed are moves between registers and the frame; what is not known ends it, as does a
 * branch.  So nothing is guessed.
 */
#include "decode.h"

#define INSNS_MOST 64

struct scan {
	struct arch_prologue *p;
	struct arch_origin regs[32];     /* bytes 0: unknown */
};

static const struct arch_origin nowhere;

static struct arch_origin narrower(struct arch_origin o, u32 bytes)
{
	o.bytes = MIN(o.bytes, bytes);
	return o;
}

/* A register gets a value. */
static void set(struct scan *s, u32 reg, struct arch_origin from)
{
	if (reg == FP)
		s->p->has_fp = false;
	s->regs[reg] = from;
	s->p->regs[reg].lost = !from.bytes;
	if (from.bytes)
		s->p->regs[reg].from = from;
}

/* An address in the frame, from the CFA. */
static bool in_frame(const struct scan *s, u32 base, s32 n, s32 *at)
{
	*at = n + (base == SP ? s->p->sp : s->p->fp);
	return base == SP ? s->p->has_sp : base == FP && s->p->has_fp;
}

static const struct arch_store *stored(const struct arch_prologue *p, s32 at)
{
	for (u32 i = 0; i < p->n; i++)
		if (p->stores[i].at == at)
			return &p->stores[i];
	return NULL;
}

static void store(struct scan *s, s32 at, u32 bytes, u32 reg)
{
	struct arch_origin from = reg == SP ? nowhere : s->regs[reg];    /* zero */
	struct arch_prologue *p = s->p;

	if (p->n == ARRAY_SIZE(p->stores) || !from.bytes || stored(p, at))
		return;
	p->stores[p->n++] = (struct arch_store){ at, MIN(bytes, from.bytes), p->sp, from };
}

/* What memory holds: something that was stored, an argument on the stack, or a member of what an
 * argument points to. */
static struct arch_origin loaded(const struct scan *s, const struct insn_memory *m, s32 more)
{
	const struct arch_store *from;
	struct arch_origin base = s->regs[m->base];
	s32 at;

	if (in_frame(s, m->base, m->n + more, &at)) {
		from = stored(s->p, at);
		if (from)
			return narrower(from->from, MIN(m->bytes, from->bytes));
		return at < 0 ? nowhere :
		       (struct arch_origin){ .at = at, .bytes = m->bytes, .stack = true };
	}
	if (m->base == SP || base.bytes < 8 || base.stack || base.behind || m->before | m->after)
		return nowhere;
	return (struct arch_origin){ .at = base.at, .bytes = m->bytes, .behind = true,
				     .disp = m->n + more };
}

static void moved(struct scan *s, u32 base, s32 by)
{
	if (!by)
		return;
	if (base == SP)
		s->p->sp += by;
	else
		set(s, base, nowhere);
}

static void access_memory(struct scan *s, const struct insn_memory *m)
{
	u32 regs[2] = { m->reg, m->next };
	s32 at;

	moved(s, m->base, m->before);
	for (u32 i = 0; i < 1u + m->pair && !m->vector; i++) {
		s32 more = (s32)i * m->bytes;

		if (m->load)
			set(s, regs[i] == SP ? 0 : regs[i], loaded(s, m, more));
		else if (in_frame(s, m->base, m->n + more, &at))
			store(s, at, m->bytes, regs[i]);
	}
	moved(s, m->base, m->after);
}

/* add, sub of a constant: of the stack and the frame pointer they are followed. */
static void add(struct scan *s, u32 w, s64 n)
{
	u32 rd = insn_rd(w), rn = insn_rn(w);
	s32 at;

	if (rd == SP && rn == SP) {
		s->p->sp += (s32)n;
	} else if (rd == SP) {
		s->p->has_sp = in_frame(s, rn, (s32)n, &at);
		s->p->sp = at;
	} else if (rd == FP && rn == SP) {
		set(s, FP, nowhere);
		s->p->has_fp = s->p->has_sp;
		s->p->fp = s->p->sp + (s32)n;
	} else {
		set(s, rd, nowhere);
	}
}

static bool is_hint(u32 w)
{
	return (w & 0xfffff01f) == 0xd503201f;   /* nop, bti, paciasp */
}

/* false: it is not followed. */
static bool step(struct scan *s, const u8 *code)
{
	u32 w = insn_word(code), group = insn_bits(w, 25, 4);
	struct insn_memory m;
	s64 n;

	if (is_hint(w))
		return true;
	if (insn_memory(w, &m)) {
		access_memory(s, &m);
		return true;
	}
	if (insn_add(w, &n)) {
		if (!(w & 1u << 29))
			add(s, w, n);
		else if (insn_rd(w) != SP)
			set(s, insn_rd(w), nowhere);
		return true;
	}
	if ((w & 0x7fe0ffe0) == 0x2a0003e0) {    /* mov rd, rm */
		if (insn_rd(w) != SP)
			set(s, insn_rd(w), insn_rm(w) == SP ? nowhere :
					   narrower(s->regs[insn_rm(w)], w >> 31 ? 8 : 4));
		return true;
	}
	if (group == 8 || group == 9 || (group & 7) == 5) {      /* a computation */
		if (insn_rd(w) != SP)
			set(s, insn_rd(w), nowhere);
		else if (arch_stack_op(code, 4).kind == ARCH_SP_LOST)
			s->p->has_sp = false;
		return true;
	}
	return (group & 7) == 7;                 /* of vectors */
}

void arch_prologue(const u8 *code, size_t size, bool bits32, struct arch_prologue *p)
{
	struct scan s = { .p = p };

	*p = (struct arch_prologue){ .has_sp = !bits32 };
	for (u32 i = 0; i < 32; i++) {
		s.regs[i] = (struct arch_origin){ .at = 8 * (s32)i, .bytes = i == SP ? 0 : 8 };
		p->regs[i] = (struct arch_home){ 8 * i, s.regs[i], i == SP };
	}
	for (u32 i = 0; i < INSNS_MOST && 4 * i + 4 <= size && !bits32; i++)
		if (!step(&s, code + 4 * i))
			break;
}
