/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * codewalk.c - follows the code of a function: where it ends, and where it goes back to its entry.
 *
 * A function is the code of its symbol, and parts of it elsewhere: those that are called as it is,
 * with .cold, and code without a symbol to which it jumps in the middle of its frame.  From the
 * entry each way is followed, with how deep the stack is.  A jump out of the code ends the function
 * only where the stack is as at the entry.
 *
 * What no way leads to is reached by the tables of jumps or by exceptions.  It is code if its
 * instructions fit between those that were reached; a function with anything that looks like data
 * is refused, because a probe there would change the data.
 * Why: docs/decisions/39-function-returns.md
 */
#include <stdlib.h>
#include <unistd.h>

#include <dtx/arch.h>

#include "runtime/code/code.h"
#include "runtime/provider/insn.h"
#include "runtime/provider/user/codewalk.h"

#define CODE_MAX   (16u << 20)   /* bytes of a function; larger symbols are not trusted */
#define PART_GAP   64            /* between parts that are next to each other */

#define WHY_SIZE   "its symbol has no size, and its code does not show where it ends"
#define WHY_DATA   "there is data among its code, or an instruction that is not known"
#define WHY_INSIDE "it goes on inside of another function, in the middle of its frame"
#define WHY_PARTS  "it is in too many parts"
#define WHY_REFUSED "the kernel cannot set a probe on an instruction where it ends"
#define WHY_UNCLEAR "it ends by a jump whose condition or target cannot be read"
#define WHY_SHARED "another function begins inside of it"
#define WHY_READ   "its code cannot be read"

/* An instruction, and the stack in front of it. */
struct step {
	u64 addr;
	struct arch_insn in;
	struct arch_stack stack;
	bool reached, targeted;
	bool is_data;            /* another one reads it */
};

struct piece {
	u64 addr, size;
	u8 *code;
	u32 *step;               /* of the instruction that begins at the byte, plus 1 */
	bool loose;              /* where it ends is not known */
};

struct walk {
	struct elfsyms *syms;
	struct codefile *file;
	const struct elfsym *f;
	struct piece pieces[DTX_GUARD_RANGES];
	u32 npieces;
	VEC(struct step) steps;
	VEC(u32) todo;
	const char *why;
	bool has_tables;
	bool catches;            /* exceptions may come to it */
};

/* ---- pieces ---------------------------------------------------------------------------- */

static struct piece *piece_of(struct walk *w, u64 addr)
{
	for (u32 i = 0; i < w->npieces; i++)
		if (addr - w->pieces[i].addr < w->pieces[i].size)
			return &w->pieces[i];
	return NULL;
}

/* Decodes it from its begin to its end, or to what is no instruction. */
static void decode(struct walk *w, struct piece *p)
{
	u8 *unfit = insn_unfit(p->code, p->size);

	for (u64 off = 0; off < p->size;) {
		struct step s = { .addr = p->addr + off };

		if (!arch_insn_read(p->code + off, p->size - off, s.addr, &s.in)) {
			w->why = p->loose ? w->why : WHY_DATA;
			break;
		}
		s.in.probed &= !(unfit && unfit[off]);
		s.is_data = unfit && unfit[off] == UNFIT_DATA;
		if (s.in.flow != ARCH_JUMP || !piece_of(w, s.in.to))
			code_through(w->file, p->code + off, p->size - off, s.addr, &s.in);
		VEC_PUSH(&w->steps, s);
		p->step[off] = w->steps.n;
		off += s.in.len;
	}
	free(unfit);
}

static struct piece *add_piece(struct walk *w, u64 addr, u64 size, bool loose)
{
	u64 off = elfsyms_file_off(w->syms, addr);
	struct piece *p = &w->pieces[w->npieces];
	ssize_t n;

	if (w->npieces == DTX_GUARD_RANGES || off == ~0ull || !size || size > CODE_MAX) {
		w->why = w->npieces == DTX_GUARD_RANGES ? WHY_PARTS : WHY_READ;
		return NULL;
	}
	*p = (struct piece){ addr, size, xmalloc(size), xcalloc(size, sizeof(u32)), loose };
	w->npieces++;
	n = codefile_read(w->file, p->code, size, off);
	if (n < 0 || (!loose && (u64)n < size)) {
		w->why = WHY_READ;
		return NULL;
	}
	p->size = (u64)n;
	decode(w, p);
	return p;
}

/* Does the function call what begins there?  Then it is a function itself. */
static bool is_called(const struct walk *w, u64 addr)
{
	for (u32 i = 0; i < w->steps.n; i++)
		if (w->steps.v[i].in.flow == ARCH_CALL && w->steps.v[i].in.to == addr)
			return true;
	return false;
}

/* Is it "NAME.cold" or "NAME.cold.N", or of clang's -fbasic-block-sections, of any name that the
 * function has? */
static bool is_part(const struct walk *w, const struct elfsym *part)
{
	static const char *const marks[] = { ".cold", ".__part", ".eh" };
	const char *at;

	for (u32 i = 0; i < ARRAY_SIZE(marks); i++)
		if ((at = strstr(part->name, marks[i])) && strchr(".", at[strlen(marks[i])]))
			return elfsyms_named_at(w->syms, w->f->addr, part->name, at - part->name);
	return false;
}

enum where { OUTSIDE, WITHIN, BROKEN };

/* A jump to code without a symbol: it may be a function, or a part of this one. */
static enum where leads_unnamed(struct walk *w, s32 deep, u64 to)
{
	bool framed = deep && deep != ARCH_DEEP_UNKNOWN, catches;
	u64 begin = to, size = extents_at(codefile_extents(w->file), to, &begin, &catches);

	if (!framed && (!size || code_is_stub(w->file, to) ||
			(to == begin && !code_comes_back(w->file, to, size, w->pieces->addr,
							 w->pieces->size))))
		return OUTSIDE;
	if (!size)
		return add_piece(w, to, MIN(elfsyms_next(w->syms, to) - to, LOOSE_MAX), true) ?
		       WITHIN : BROKEN;
	w->catches |= catches;
	return add_piece(w, begin, size, false) ? WITHIN : BROKEN;
}

/* Where a jump from `from` leads; adds the piece if that belongs to the function. */
static enum where leads(struct walk *w, const struct step *from, u64 to)
{
	s32 deep = from->stack.sp;
	const struct elfsym *f;

	if (piece_of(w, to))
		return WITHIN;
	f = elfsyms_at(w->syms, to);
	if (f && (!f->size || to - f->addr >= f->size) && f->addr != to)
		f = NULL;
	if (!f)
		return leads_unnamed(w, deep, to);
	if (is_part(w, f) && !is_called(w, f->addr))
		return add_piece(w, f->addr, f->size, false) ? WITHIN : BROKEN;
	if (!deep || deep == ARCH_DEEP_UNKNOWN || f->addr == to)
		return OUTSIDE;
	w->why = WHY_INSIDE;
	return BROKEN;
}

/* ---- ways -------------------------------------------------------------------------------- */

static bool joined(s32 *to, s32 from)
{
	if (*to == from || *to == ARCH_DEEP_UNKNOWN)
		return false;
	*to = ARCH_DEEP_UNKNOWN;
	return true;
}

/* The number of the instruction at `addr`, plus 1. */
static u32 step_at(struct walk *w, u64 addr)
{
	const struct piece *p = piece_of(w, addr);
	u64 off = p ? addr - p->addr : 0;
	u32 i = p ? p->step[off] : 0;

	if (!i && off && p->step[off - 1] && w->steps.v[p->step[off - 1] - 1].in.inner)
		i = p->step[off - 1];
	return i;
}

/* A way leads to `addr`. */
static void reach(struct walk *w, u64 addr, struct arch_stack stack, bool jump)
{
	u32 i = step_at(w, addr);
	struct step *s = i ? &w->steps.v[i - 1] : NULL;
	bool changed;

	if (!s || s->is_data || s->in.flow == ARCH_ODD) {
		w->why = WHY_DATA;
		return;
	}
	s->targeted |= jump;
	changed = !s->reached;
	if (changed)
		s->stack = stack;
	else if (addr != w->f->addr)     /* there the frame begins */
		changed = joined(&s->stack.sp, stack.sp) | joined(&s->stack.bp, stack.bp);
	s->reached = true;
	if (changed)
		VEC_PUSH(&w->todo, i - 1);
}

static bool falls(enum arch_flow f)
{
	return f == ARCH_NEXT || f == ARCH_CALL || f == ARCH_BRANCH;
}

/* Is its operand between the instructions, and how much is not known? */
static bool reads_itself(struct walk *w, const struct step *s)
{
	if (s->in.flow == ARCH_INDIRECT && s->in.in_memory && !s->in.data)
		return piece_of(w, (u64)s->in.disp);
	return s->in.data && !s->in.is_address && !s->in.data_size && piece_of(w, s->in.data);
}

static void follow(struct walk *w, u32 i)
{
	struct step s = w->steps.v[i];
	const struct piece *p = piece_of(w, s.addr);
	const u8 *code = p->code + (s.addr - p->addr);
	bool at_end = s.addr + s.in.len >= p->addr + p->size;
	struct arch_stack after = s.stack;

	if (reads_itself(w, &s)) {
		w->why = WHY_DATA;
		return;
	}
	if (s.in.flow == ARCH_JUMP || s.in.flow == ARCH_BRANCH)
		if (leads(w, &s, s.in.to) == WITHIN)
			reach(w, s.in.to, s.stack, true);
	if (s.in.is_code && piece_of(w, s.in.data))
		reach(w, s.in.data, s.stack, true);
	if (w->why)
		return;
	w->has_tables |= s.in.flow == ARCH_INDIRECT;
	arch_insn_stack(code, s.in.len, &after);
	if (falls(s.in.flow) && !at_end)
		reach(w, s.addr + s.in.len, after, false);
}

static void run(struct walk *w)
{
	while (w->todo.n && !w->why)
		follow(w, w->todo.v[--w->todo.n]);
}

/* How deep the stack is at all jumps through tables: there it is where they lead, too.  Where it is
 * empty, jumps may be tail calls; they are tables if nothing else leads on. */
static struct arch_stack at_tables(const struct walk *w)
{
	struct arch_stack found = { ARCH_DEEP_UNKNOWN, ARCH_DEEP_UNKNOWN };
	bool any = false, empty = false;

	for (u32 i = 0; i < w->steps.n; i++) {
		const struct step *s = &w->steps.v[i];

		if (!s->reached || s->in.flow != ARCH_INDIRECT)
			continue;
		if (!s->stack.sp) {
			empty = true;
			continue;
		}
		if (!any)
			found = s->stack;
		joined(&found.sp, s->stack.sp);
		joined(&found.bp, s->stack.bp);
		any = true;
	}
	if (!any && empty && !w->catches)
		found.sp = 0;
	return found;
}

/* The address of something between the instructions that no jump leads to: a table, or a label. */
static bool names_data(struct walk *w, const struct step *s)
{
	bool names = s->reached && s->in.is_address && !s->in.is_unclear && !s->in.is_code;
	const struct piece *p = names ? piece_of(w, s->in.data) : NULL;
	u32 i = p ? step_at(w, s->in.data) : 0;

	return p && s->in.data != w->f->addr && (!i || !w->steps.v[i - 1].reached);
}

/*
 * Instructions that no way leads to.  Without tables and exceptions they are never executed; and
 * those of a function without a size may be of another one.
 */
static void fill_gaps(struct walk *w)
{
	struct arch_stack stack = at_tables(w);

	for (u32 i = 0; i < w->steps.n && !w->why; i++)
		if (names_data(w, &w->steps.v[i]))
			w->why = WHY_DATA;
	for (u32 i = 0; i < w->steps.n && !w->why; i++) {
		const struct step *s = &w->steps.v[i];
		const struct piece *p = piece_of(w, s->addr);

		if (s->reached || s->is_data || s->in.is_padding ||
		    (!w->has_tables && !w->catches) ||
		    (s->in.len > ARCH_INSN_MAX && is_called(w, s->addr)))
			continue;
		if (!p->loose)
			reach(w, s->addr, stack, false);
		else if (p == w->pieces)
			w->why = WHY_SIZE;
		run(w);
	}
}

/* ---- results ------------------------------------------------------------------------------- */

static void ranges(const struct walk *w, u64 addr, struct dtx_guard *g)
{
	for (u32 i = 0; i < w->npieces; i++) {
		g->range[i][0] = (s64)(w->pieces[i].addr - addr);
		g->range[i][1] = (s64)(w->pieces[i].addr + w->pieces[i].size - addr);
	}
}

static s16 register_at(u8 word)
{
	return word == ARCH_NO_WORD ? -1 : (s16)(8 * word);
}

static struct dtx_guard indirect(const struct walk *w, const struct step *s)
{
	bool from_ip = s->in.in_memory && s->in.data;
	struct dtx_guard g = {
		.what = DTX_GUARD_LEAVES, .cond = DTX_GUARD_ALWAYS, .indirect = true,
		.in_memory = s->in.in_memory, .reg = register_at(s->in.reg),
		.index = register_at(s->in.index), .scale = s->in.scale, .from_ip = from_ip,
		.disp = from_ip ? (s64)(s->in.data - s->addr) : s->in.disp,
	};

	ranges(w, s->addr, &g);
	return g;
}

static void add_place(struct code_places *to, const struct walk *w, const struct step *s,
		      const struct dtx_guard *g, bool is_jump)
{
	struct code_place p = { .off = elfsyms_file_off(w->syms, s->addr), .addr = s->addr,
				.is_jump = is_jump, .guarded = g, .probed = s->in.probed };

	if (g)
		p.guard = *g;
	VEC_PUSH(to, p);
}

static struct dtx_guard on_condition(enum dtx_guard_what what, u8 cond)
{
	return (struct dtx_guard){ .what = what, .cond = cond, .reg = -1, .index = -1 };
}

static bool is_jump(enum arch_flow f)
{
	return f == ARCH_JUMP || f == ARCH_BRANCH;
}

/* Where it goes on when it has left the function; 0: not known, or in several places. */
static u64 goes_to(const struct step *s, bool out, bool last)
{
	u64 next = s->addr + s->in.len;

	switch (s->in.flow) {
	case ARCH_JUMP:   return s->in.to;
	case ARCH_BRANCH: return out == last ? 0 : out ? s->in.to : next;
	case ARCH_NEXT:   return next;
	default:          return 0;
	}
}

/*
 * gcc's -fsplit-stack: a function calls __morestack for a stack, and that calls its own body,
 * which returns to it.  What then returns behind the call is only the way back to the caller.
 */
static bool is_behind_body(const struct walk *w, u32 i)
{
	const struct step *s = &w->steps.v[i], *call = s - 1;
	const struct elfsym *f;

	if (s->in.flow != ARCH_RETURN || !i || call->in.flow != ARCH_CALL ||
	    call->addr + call->in.len != s->addr)
		return false;
	f = elfsyms_at(w->syms, call->in.to);
	return f && f->addr == call->in.to && !strncmp(f->name, "__morestack", 11);
}

/* An instruction after which the function may have ended. */
static void ends_at(struct walk *w, const struct step *s, struct code_places *ends)
{
	const struct piece *p = piece_of(w, s->addr);
	bool last = s->addr + s->in.len >= p->addr + p->size && (!p->loose || p == w->pieces);
	bool out = is_jump(s->in.flow) && leads(w, s, s->in.to) == OUTSIDE;
	bool back = out && code_returns(w->file, s->in.to);
	struct dtx_guard g;

	if (s->in.flow == ARCH_RETURN) {
		add_place(ends, w, s, NULL, false);
	} else if (s->in.flow == ARCH_INDIRECT) {
		if (s->in.is_table || (s->stack.sp && s->stack.sp != ARCH_DEEP_UNKNOWN))
			return;
		g = indirect(w, s);
		add_place(ends, w, s, &g, true);
		ends->v[ends->n - 1].slot = !s->in.in_memory || s->stack.sp ? 0 : s->in.data;
		w->why = s->in.is_unclear ? WHY_UNCLEAR : w->why;
	} else if (s->in.flow == ARCH_BRANCH && out != last) {
		g = on_condition(DTX_GUARD_LEAVES, out ? s->in.cond : s->in.cond ^ 1);
		add_place(ends, w, s, &g, !back);
		w->why = s->in.is_unclear || (!out && s->in.cond >= ARCH_COND_LOOP) ? WHY_UNCLEAR :
			 w->why;
	} else if (out || (last && s->in.flow == ARCH_NEXT)) {
		add_place(ends, w, s, NULL, !back);
	}
	if (!ends->n || ends->v[ends->n - 1].addr != s->addr)
		return;
	w->why = s->in.probed ? w->why : WHY_REFUSED;
	if (!s->stack.sp && !back)
		ends->v[ends->n - 1].to = goes_to(s, out, last);
}

static void turns_at(struct walk *w, const struct step *s, struct code_places *turns)
{
	struct dtx_guard g = on_condition(DTX_GUARD_TURN, s->in.flow == ARCH_BRANCH ? s->in.cond :
					  DTX_GUARD_ALWAYS);

	if (!is_jump(s->in.flow) || s->in.to != w->f->addr)
		return;
	add_place(turns, w, s, &g, true);
	turns->v[turns->n - 1].unclear = s->in.is_unclear;
}

/* Does this way lead to the turn?  Before its block may be a call that never returns. */
static bool leads_to_turn(struct walk *w, u64 to, u64 block, u64 turn)
{
	u32 i = to >= block && to <= turn ? step_at(w, to) : 0;
	s32 deep = i ? w->steps.v[i - 1].stack.sp : 0;

	return i && (!deep || deep == ARCH_DEEP_UNKNOWN);
}

/*
 * Go: a function first compares the stack's end, and if that is too near it calls what makes more,
 * and begins again.  The place after the comparison is passed once by each call.
 */
static u64 after_check(struct walk *w, const struct code_places *turns)
{
	u64 block = 0;
	u32 last = 0;

	for (u32 i = 0; i < w->steps.n && turns->n == 1; i++) {
		if (!block || (i && !falls(w->steps.v[i - 1].in.flow)))
			block = w->steps.v[i].addr;
		if (w->steps.v[i].addr == turns->v[0].addr)
			break;
	}
	for (u32 i = 0; i + 1 < w->steps.n && w->steps.v[i].stack.sp == 0; i++) {
		const struct step *s = &w->steps.v[i];

		if (s->in.flow == ARCH_BRANCH && turns->n == 1 &&
		    leads_to_turn(w, s->in.to, block, turns->v[0].addr))
			last = i + 1;
		else if (s->in.flow != ARCH_NEXT)
			break;
	}
	return last && w->steps.v[last].in.probed && !w->steps.v[last].targeted ?
	       elfsyms_file_off(w->syms, w->steps.v[last].addr) : 0;
}

/* A jump of which the code does not say where it goes: through a table, say. */
static bool is_unsaid(const struct arch_insn *in)
{
	return in->flow == ARCH_INDIRECT && !(in->in_memory && in->data);
}

/* Such a jump where the stack is, or may be, as at the entry. */
static bool is_table_at_entry(const struct step *s)
{
	return s->reached && is_unsaid(&s->in) &&
	       (!s->stack.sp || s->stack.sp == ARCH_DEEP_UNKNOWN);
}

static void find_places(struct walk *w, struct code_ways *to)
{
	u32 nsteps = w->steps.n;

	for (u32 i = 0; i < nsteps && !w->why; i++) {
		const struct step s = w->steps.v[i];

		if (s.reached && !is_behind_body(w, i))
			ends_at(w, &s, &to->ends);
		if (s.reached)
			turns_at(w, &s, &to->turns);
		to->tables |= is_table_at_entry(&s);
	}
	to->after_check = w->why ? 0 : after_check(w, &to->turns);
}

/* Its size, 0: unknown. */
static u64 size_known(struct walk *w, struct codefile *file)
{
	u64 begin = 0, size;

	size = extents_at(codefile_extents(file), w->f->addr, &begin, &w->catches);
	return w->f->size ? w->f->size : begin == w->f->addr ? size : 0;
}

/* With the parts of it that come next.  Sizes may be anything. */
static u64 size_of_all(const struct walk *w, u64 size)
{
	u64 end = w->f->addr + size, at;
	const struct elfsym *part;

	for (; size && end - w->f->addr <= CODE_MAX; end = at + part->size) {
		at = elfsyms_next(w->syms, end - 1);
		part = at - end < PART_GAP ? elfsyms_at(w->syms, at) : NULL;
		if (!part || part->addr != at || !part->size || part->size > CODE_MAX ||
		    !is_part(w, part))
			break;
	}
	return end - w->f->addr;
}

static void nothing_found(struct code_ways *to)
{
	to->ends.n = to->turns.n = 0;
	to->after_check = 0;
	to->tables = false;
	to->why = NULL;
}

void code_walk(struct codefile *file, const struct elfsym *f, struct code_ways *to)
{
	struct elfsyms *syms = codefile_symbols(file);
	struct walk w = { .syms = syms, .f = f, .file = file };
	u64 size = size_known(&w, file);
	u64 upto = MIN(elfsyms_next(syms, f->addr) - f->addr, LOOSE_MAX);

	nothing_found(to);
	if (!size && elfsyms_partial(syms))
		w.why = WHY_SIZE;
	else if (elfsyms_has_inside(syms, f->addr, size))
		w.why = WHY_SHARED;
	else if (add_piece(&w, f->addr, size ? size_of_all(&w, size) : upto, !size))
		reach(&w, f->addr, (struct arch_stack){ 0, ARCH_DEEP_UNKNOWN }, false);
	run(&w);
	if (!w.why)
		fill_gaps(&w);
	if (!w.why)
		find_places(&w, to);
	to->why = w.why;
	for (u32 i = 0; i < w.npieces; i++) {
		free(w.pieces[i].code);
		free(w.pieces[i].step);
	}
	VEC_FREE(&w.steps);
	VEC_FREE(&w.todo);
}

/* What a look at each instruction tells of the jumps of a function. */
struct look {
	bool turns;              /* one goes back to its entry */
	bool joins;              /* one goes to the bytes after it, or nobody knows */
	bool tables;             /* one does not say where it goes */
};

static void look_jump(const struct elfsym *f, const struct arch_insn *in, u32 past, struct look *l)
{
	l->turns |= is_jump(in->flow) && in->to == f->addr;
	l->joins |= (is_jump(in->flow) || in->flow == ARCH_CALL) && in->to - f->addr - 1 < past;
	l->tables |= is_unsaid(in);
}

/* Most functions have no such jump: they are not followed. */
static struct look look(struct codefile *file, const struct elfsym *f, u32 past)
{
	u8 *code = insn_bytes(file, f->file_off, f->size);
	struct look l = { .joins = !code };
	struct arch_insn in;
	u64 off = 0;

	if (code && !past && !arch_may_reach(code, f->size, f->addr, f->addr, 1))
		off = f->size;
	for (; code && off < f->size && !l.turns; off += in.len) {
		if (!arch_insn_read(code + off, f->size - off, f->addr + off, &in))
			break;
		look_jump(f, &in, past, &l);
	}
	free(code);
	l.joins |= off < f->size;
	return l;
}

void code_turns(struct codefile *file, const struct elfsym *f, bool go, u32 past,
		struct code_ways *to)
{
	struct look l = look(file, f, past);

	nothing_found(to);
	if (l.turns || (past && l.tables && !l.joins))
		code_walk(file, f, to);
	to->joins = l.joins || l.turns || to->tables || to->why;
	if (!go)
		to->after_check = 0;
}

void code_ways_free(struct code_ways *ways)
{
	VEC_FREE(&ways->ends);
	VEC_FREE(&ways->turns);
}
