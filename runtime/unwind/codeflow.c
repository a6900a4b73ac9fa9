/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * codeflow.c - rules for code without call frame information (assembly, programs that were made
 * without it), out of its instructions.
 *
 * Where a function begins, the return address is at the top of the stack, or in a register.  Its
 * instructions are followed from there, along jumps too: what they push, add to the stack pointer
 * and keep of the caller's registers is the rule at each of them.  A function is believed only if
 * nothing speaks against it: each return is made where the return address is back in its place,
 * and an instruction that is reached on two ways has the same frame on both.  It must have a
 * return or a tail call, or begin as functions do.  What is not believed gets no rule, and a stack
 * through it is marked.
 *
 * Functions of V8 take the return address from the stack, put arguments there, and put it back: it
 * is followed through the register.
 *
 * Compilers of functional languages (GHC) have a stack of their own, in another register, and pass
 * control by jumps alone: what is at the top of the machine's stack is no return address.  A
 * function that never returns and does not keep the registers that functions of C keep is theirs;
 * where most are, none that never returns is believed.
 * Why: docs/decisions/35-unwind-tables.md
 */
#include <stdlib.h>

#include "runtime/code/cfi.h"

#define ALIGNED    16                    /* where compilers and assemblers begin functions */
#define STATES     (1u << 22)

/* What is known before an instruction.  Offsets count from the CFA, as in rules. */
struct flow_state {
	s32 sp, bp;                      /* CFA - register */
	s32 saved[DTX_UW_REGS];          /* where the caller's value is, 0: not saved */
	u32 lost;                        /* bits of registers that have another value */
	u8 knows_sp, knows_bp;
	u8 asked;                        /* a system call was made */
	u8 end;                          /* there is no caller */
	u8 none;                         /* nothing is known */
	u8 holds;                        /* 1 + the register that has the return address, 0: none */
	u8 put_back;                     /* it is in another place than at the begin */
	u8 zero[1];
};

struct todo { u32 at, state; };

struct flow {
	const u8 *code;
	u64 addr;
	u32 len;
	u32 *at;                         /* of an instruction: number of its state + 1, 0: none */
	u8 *starts;                      /* bit i: a function begins at the byte i */
	u8 *stops;                       /* bit i: that function never returns */
	VEC(struct flow_state) states;   /* the first: nothing is known */
	VEC(struct todo) todo;
	VEC(u32) seen;                   /* instructions of the function */
	u32 start, table;                /* table: state at an indirect jump, 0: none */
	bool wrong, proven, leaves;
	bool returns;                    /* it has an instruction that returns */
	bool breaks;                     /* it jumps away and has not kept the caller's registers */
	u32 returning, breaking;         /* functions: that return; that never do, and break */
	bool strict;                     /* those that never return are not believed */
};

/* ---- states ------------------------------------------------------------------------------ */

static u32 add_state(struct flow *f, const struct flow_state *s)
{
	for (u32 i = f->states.n; i-- > 0 && i + 16 > f->states.n;)
		if (!memcmp(&f->states.v[i], s, sizeof(*s)))
			return i;
	if (f->states.n == STATES)
		return 0;
	VEC_PUSH(&f->states, *s);
	return f->states.n - 1;
}

/* The caller's frame pointer, to which the register points, is before the return address. */
static bool has_frame(const struct flow_state *s)
{
	return s->knows_bp && s->saved[DTX_UW_FP] && s->saved[DTX_UW_FP] == -s->bp &&
	       s->saved[DTX_UW_RA] == 8 - s->bp;
}

static struct dtx_uw_rule rule_of(const struct flow_state *s)
{
	struct dtx_uw_rule r = { .kind = DTX_UW_NONE };
	bool by_bp = has_frame(s) || (!s->knows_sp && s->knows_bp);

	if (s->end)
		r.kind = DTX_UW_END;
	if (s->end || s->none || (!by_bp && (!s->knows_sp || s->sp < ARCH_ENTRY_CFA)))
		return r;
	r.kind = DTX_UW_CFA;
	r.flags = DTX_UW_DERIVED;
	r.reg = by_bp ? ARCH_DWARF_FP : ARCH_DWARF_SP;
	r.off = by_bp ? s->bp : s->sp;
	for (u32 i = DTX_UW_RA; i < DTX_UW_REGS; i++) {
		if (i == DTX_UW_RA && !s->saved[i] && !(s->lost >> i & 1)) {
			r.inreg |= 1u << i;
			r.at[i] = ARCH_DWARF_RA;
		} else if (s->saved[i] && s->saved[i] >= INT16_MIN) {
			r.saved |= 1u << i;
			r.at[i] = (s16)s->saved[i];
		} else if (s->saved[i] || s->lost >> i & 1) {
			r.lost |= 1u << i;
		}
	}
	return r;
}

static bool same_frame(const struct flow *f, u32 a, u32 b)
{
	struct dtx_uw_rule x, y;

	if (a == b)
		return true;
	x = rule_of(&f->states.v[a]);
	y = rule_of(&f->states.v[b]);
	return x.kind == y.kind && x.reg == y.reg && x.off == y.off;
}

/* ---- an instruction ---------------------------------------------------------------------- */

static void reg_stored(struct flow_state *s, u8 reg, s32 at)
{
	u32 r = arch_kept_reg(reg);

	if (r < DTX_UW_REGS && s->knows_sp && at < 0 && !s->saved[r] && !(s->lost >> r & 1))
		s->saved[r] = at;
}

static void reg_written(struct flow_state *s, u8 reg)
{
	u32 r = arch_kept_reg(reg);

	if (r < DTX_UW_REGS)
		s->lost |= 1u << r;
	if (r == DTX_UW_FP)
		s->knows_bp = false;
}

static void reg_loaded(struct flow_state *s, u8 reg, s32 at)
{
	u32 r = arch_kept_reg(reg);

	reg_written(s, reg);
	if (r == DTX_UW_REGS || !s->knows_sp || s->saved[r] != at)
		return;
	s->saved[r] = 0;
	s->lost &= ~(1u << r);
}

static void sp_from_bp(struct flow_state *s, s64 n)
{
	s->knows_sp = s->knows_bp;
	s->sp = (s32)((u32)s->bp - (u32)n);      /* code of others: it may be nonsense, and wrap */
}

/* One register or a pair is stored or loaded, and the stack pointer may move. */
static void moved(struct flow_state *s, const struct arch_stackop *op,
		  void (*done)(struct flow_state *, u8 reg, s32 at))
{
	s->sp = (s32)((u32)s->sp - (u32)op->before);
	done(s, op->reg, (s32)op->n - s->sp);
	if (op->pair)
		done(s, op->next, (s32)op->n + 8 - s->sp);
	s->sp = (s32)((u32)s->sp - (u32)op->after);
}

/* The return address leaves the stack. */
static bool takes_return(const struct flow_state *s, const struct arch_stackop *op)
{
	return op->kind == ARCH_SP_POP && op->reg != ARCH_SP_NOREG && s->knows_sp &&
	       s->saved[DTX_UW_RA] && s->saved[DTX_UW_RA] == -s->sp &&
	       arch_kept_reg(op->reg) == DTX_UW_REGS;
}

static void take_return(struct flow_state *s, u8 reg)
{
	s->saved[DTX_UW_RA] = 0;
	s->lost |= 1u << DTX_UW_RA;
	s->holds = reg + 1;
}

/* It is put back, or its register gets another value. */
static void follow_return(struct flow_state *s, const struct arch_stackop *op)
{
	bool pushes = op->kind == ARCH_SP_PUSH;
	bool of_it = (pushes || op->kind == ARCH_SP_POP || op->kind == ARCH_SP_LOAD ||
		      op->kind == ARCH_SP_WRITE) && s->holds && op->reg == s->holds - 1;

	if (of_it && pushes && s->knows_sp) {
		s->saved[DTX_UW_RA] = -s->sp;
		s->lost &= ~(1u << DTX_UW_RA);
		s->put_back = true;
	}
	if (of_it)
		s->holds = 0;
}

/* The instruction's effect on the stack and the registers. */
static void apply_stackop(struct flow_state *s, struct arch_stackop op)
{
	bool takes = takes_return(s, &op);

	switch (op.kind) {
	case ARCH_SP_PUSH:
		s->sp += 8;
		reg_stored(s, op.reg, -s->sp);
		break;
	case ARCH_SP_POP:
		reg_loaded(s, op.reg, -s->sp);
		s->sp -= 8;
		break;
	case ARCH_SP_ADD:     s->sp = (s32)((u32)s->sp - (u32)op.n); break;
	case ARCH_SP_FROM_FP: sp_from_bp(s, op.n); break;
	case ARCH_SP_TO_FP:
		reg_written(s, op.reg);
		s->knows_bp = s->knows_sp;
		s->bp = (s32)((u32)s->sp - (u32)op.n);
		break;
	case ARCH_SP_LEAVE:
		sp_from_bp(s, 0);
		reg_loaded(s, op.reg, -s->sp);
		s->sp -= 8;
		break;
	case ARCH_SP_LOST:    s->knows_sp = false; break;
	case ARCH_SP_STORE: case ARCH_SP_LOAD:
		moved(s, &op, op.kind == ARCH_SP_STORE ? reg_stored : reg_loaded);
		break;
	case ARCH_SP_ZERO_FP:
		reg_written(s, op.reg);
		s->end |= s->asked;      /* the begin of a thread, as clone() makes one */
		break;
	case ARCH_SP_WRITE:   reg_written(s, op.reg); break;
	case ARCH_SP_SYSCALL: s->asked = true; break;
	case ARCH_SP_NONE:    break;
	}
	follow_return(s, &op);
	if (takes)
		take_return(s, op.reg);
	if (s->sp < (s->holds ? 0 : ARCH_ENTRY_CFA) || s->sp > 1 << 28)      /* no return address */
		s->knows_sp = false;
}

/* ---- a function -------------------------------------------------------------------------- */

static bool is_start(const struct flow *f, u32 at)
{
	return f->starts[at / 8] >> at % 8 & 1;
}

static void set_start(struct flow *f, u64 addr)
{
	u64 at = addr - f->addr;

	if (at < f->len)
		f->starts[at / 8] |= 1u << at % 8;
}

/* Is the return address where it was at the begin, or at the top of the stack again? */
static bool is_as_at_entry(const struct flow_state *s)
{
	return s->knows_sp && (s->put_back ? s->sp == -s->saved[DTX_UW_RA]
					   : s->sp == ARCH_ENTRY_CFA);
}

/* The function is left: is the return address at the top of the stack? */
static void leaves(struct flow *f, const struct flow_state *s)
{
	f->leaves = true;
	if (!s->knows_sp)
		return;
	if (is_as_at_entry(s))
		f->proven = true;
	else
		f->wrong = true;
}

/* To code of which nothing is known. */
static void leaves_by_jump(struct flow *f, const struct flow_state *s)
{
	f->leaves = true;
	f->breaks |= s->lost;
	f->proven |= is_as_at_entry(s);
}

/* Is it an instruction that functions begin with? */
static bool is_first(const struct flow *f, u32 at)
{
	u32 n = arch_insn_len(f->code + at, f->len - at);
	struct arch_stackop op;

	if (!n)
		return false;
	if (n >= 4 && arch_insn_marks_entry(f->code + at))
		return true;
	op = arch_stack_op(f->code + at, n);
	return (op.kind == ARCH_SP_PUSH && op.reg != ARCH_SP_NOREG) ||
	       (op.kind == ARCH_SP_ADD && op.n < 0) ||
	       (op.kind == ARCH_SP_STORE && op.before < 0);
}

/* Does it keep the caller's frame pointer? */
static bool makes_frame(const struct flow *f, u32 at)
{
	u32 n = arch_insn_len(f->code + at, f->len - at);
	struct arch_stackop op = arch_stack_op(f->code + at, n);

	return (op.kind == ARCH_SP_PUSH || (op.kind == ARCH_SP_STORE && op.before < 0)) &&
	       arch_kept_reg(op.reg) == DTX_UW_FP;
}

/* Does it look as if a function ends before the place? */
static bool is_apart(const struct flow *f, u32 at)
{
	return !((f->addr + at) % ALIGNED) && arch_code_ended(f->code + at, at);
}

/* A jump to another function is a tail call. */
static void jumps(struct flow *f, u64 to, u32 state)
{
	const struct flow_state *s = &f->states.v[state];
	u64 at = to - f->addr;
	struct todo t = { (u32)at, state };

	if (at >= f->len) {
		leaves_by_jump(f, s);
		return;
	}
	if (at != f->start && !has_frame(s) && is_apart(f, (u32)at) && makes_frame(f, (u32)at)) {
		set_start(f, to);        /* it may take arguments away: no evidence */
		leaves_by_jump(f, s);
	} else if (is_start(f, (u32)at) && at != f->start) {
		f->breaks |= s->lost;
		leaves(f, s);
	}
	else
		VEC_PUSH(&f->todo, t);
}

/* Does code as at the begin of functions follow?  Then a call before it does not return. */
static bool begins(const struct flow *f, u32 at)
{
	return !((f->addr + at) % ALIGNED) && is_first(f, at);
}

static u32 skip_padding(const struct flow *f, u32 at)
{
	u32 n;

	while (at < f->len && (n = arch_insn_len(f->code + at, f->len - at)) &&
	       arch_insn_pads(f->code + at, n))
		at += n;
	return at;
}

static bool never_returns(const struct flow *f, u64 to, u32 after)
{
	u64 at = to - f->addr;
	u32 next = skip_padding(f, after);

	if (at < f->len && f->stops[at / 8] >> at % 8 & 1)
		return true;
	return next >= f->len || begins(f, next);
}

/* What follows the instruction?  false: nothing does. */
static bool goes_on(struct flow *f, u32 at, u32 n, u32 state)
{
	const u8 *code = f->code + at, *plain = code + arch_insn_prefix(code, n);
	const struct flow_state *s = &f->states.v[state];
	u64 to;

	if (arch_insn_returns(plain, n)) {
		f->returns = true;
		leaves(f, s);
		return false;
	}
	if (arch_insn_jumps(code, n, f->addr + at, &to)) {
		jumps(f, to, state);
		return !arch_insn_ends(plain);
	}
	if (arch_insn_calls(code, n, f->addr + at, &to))
		return !never_returns(f, to, at + n);
	if (!arch_insn_stops(code, n))
		return !arch_insn_ends(plain);
	if (arch_insn_halts(plain))
		return false;
	leaves_by_jump(f, s);
	if (!is_as_at_entry(s))
		f->table = state;
	return false;
}

static void follow(struct flow *f, u32 at, u32 state)
{
	while (at < f->len) {
		u32 n = arch_insn_len(f->code + at, f->len - at);
		struct flow_state next = f->states.v[state];
		u64 to;

		if (f->at[at] && !same_frame(f, f->at[at] - 1, state))
			f->wrong = true;
		if (f->at[at] || (at != f->start && is_start(f, at)))
			return;
		if (!n) {
			f->wrong = true;
			return;
		}
		f->at[at] = state + 1;
		VEC_PUSH(&f->seen, at);
		if (!goes_on(f, at, n, state))
			return;
		apply_stackop(&next, arch_stack_op(f->code + at, n));
		if (arch_insn_calls(f->code + at, n, f->addr + at, &to))
			next.holds = 0;  /* functions keep no other register */
		state = add_state(f, &next);
		at += n;
	}
}

static void follow_all(struct flow *f)
{
	while (f->todo.n) {
		struct todo t = f->todo.v[--f->todo.n];

		follow(f, t.at, t.state);
	}
}

/* The cases of a switch, which an indirect jump leads to: code between what was reached. */
static void follow_table(struct flow *f)
{
	u32 last = f->start;

	for (u32 i = 0; i < f->seen.n; i++)
		last = MAX(last, f->seen.v[i]);
	for (u32 at = f->start; at < last && f->table;) {
		u32 n = arch_insn_len(f->code + at, f->len - at);

		if (!f->at[at] && n && !arch_insn_pads(f->code + at, n)) {
			follow(f, at, f->table);
			follow_all(f);
		}
		at += n ? n : 1;
	}
}

/*
 * A function that is not believed.  After its instructions that keep the caller's frame pointer and
 * set its own that one is right, whatever the rest is; of other registers nothing is known.
 */
static void reject(struct flow *f)
{
	for (u32 i = 0; i < f->seen.n; i++) {
		u32 *at = &f->at[f->seen.v[i]];
		const struct flow_state *s = &f->states.v[*at - 1];
		struct flow_state frame = {
			.bp = s->bp, .knows_bp = true, .lost = ((1u << DTX_UW_REGS) - 1) &
							       ~((1u << DTX_UW_KEPT) - 1),
		};

		frame.saved[DTX_UW_RA] = s->saved[DTX_UW_RA];
		frame.saved[DTX_UW_FP] = s->saved[DTX_UW_FP];
		*at = has_frame(s) ? add_state(f, &frame) + 1 : 1;
	}
}

/* A function that may begin here, in this state. */
static void take_function(struct flow *f, u32 at, const struct flow_state *first)
{
	struct todo t = { at, add_state(f, first) };

	f->seen.n = f->todo.n = 0;
	f->wrong = f->proven = f->leaves = f->returns = f->breaks = false;
	f->start = at;
	f->table = 0;
	VEC_PUSH(&f->todo, t);
	follow_all(f);
	if (!f->wrong)
		follow_table(f);
	if (!f->wrong && !f->leaves && is_start(f, at))
		f->stops[at / 8] |= 1u << at % 8;
	f->returning += f->returns;
	f->breaking += f->breaks && !f->returns;
	if (f->wrong || (!first->end && ((!f->proven && !begins(f, at)) ||
	    (f->leaves && !f->returns && (f->breaks || f->strict)))))
		reject(f);
}

/* ---- all functions ----------------------------------------------------------------------- */

/* Functions that others here call. */
static void find_starts(struct flow *f)
{
	u64 to;

	for (u32 at = 0, n; at < f->len; at += n ? n : 1) {
		n = arch_insn_len(f->code + at, f->len - at);
		if (n && arch_insn_calls(f->code + at, n, f->addr + at, &to) && to)
			set_start(f, to);
	}
}

/* Code to which a return address leads that no call has made: there a context ends. */
static void find_returned_to(struct flow *f, u32 at)
{
	struct flow_state s = { .end = true };
	u32 len = arch_context_ends(f->code + at, f->len - at);

	if (len)
		f->at[at] = add_state(f, &s) + 1;
}

static void take_rest(struct flow *f, const struct flow_state *first)
{
	for (u32 at = 0, n; at < f->len; at += n ? n : 1) {
		n = arch_insn_len(f->code + at, f->len - at);
		if (f->at[at] || (n && arch_insn_pads(f->code + at, n)))
			continue;
		find_returned_to(f, at);
		if (!f->at[at] && (!((f->addr + at) % ALIGNED) || is_first(f, at)))
			take_function(f, at, first);
	}
}

static void take_all(struct flow *f, u64 entry)
{
	struct flow_state first = {
		.sp = ARCH_ENTRY_CFA, .knows_sp = true, .saved = { [DTX_UW_RA] = ARCH_RA_SAVED },
	}, end = { .end = true };

	if (entry - f->addr < f->len)
		take_function(f, (u32)(entry - f->addr), &end);
	for (u32 at = 0; at < f->len; at++)
		if (is_start(f, at) && !f->at[at])
			take_function(f, at, &first);
	take_rest(f, &first);
}

/* ---- rows -------------------------------------------------------------------------------- */

static void write_rows(struct flow *f, codeflow_row *row, void *arg)
{
	static const struct dtx_uw_rule none = { .kind = DTX_UW_NONE }, back = {
		.kind = DTX_UW_SIGNAL, .reg = ARCH_DWARF_SP, .off = ARCH_UW_SIGCONTEXT,
	};
	u32 last = ~0u;

	for (u32 at = 0, n; at < f->len; at += n) {
		u32 state = f->at[at] ? f->at[at] - 1 : 0, signal;
		struct dtx_uw_rule r = rule_of(&f->states.v[state]);

		signal = arch_sigreturn(f->code + at, f->len - at);
		n = signal || !f->at[at] ? 1 : MAX(arch_insn_len(f->code + at, f->len - at), 1u);
		if (signal) {
			row(arg, f->addr + at, &back);
			n = signal;
			last = ~0u;
		} else if (state != last) {
			row(arg, f->addr + at, &r);
			last = state;
		}
	}
	row(arg, f->addr + f->len, &none);
}

void codeflow_rules(const u8 *code, u64 addr, u32 len, const struct codeflow_known *known,
		    codeflow_row *row, void *arg)
{
	struct flow f = { .code = code, .addr = addr, .len = len };
	struct flow_state none = { .none = true };

	f.at = xcalloc(len + 1, sizeof(*f.at));
	f.starts = xcalloc(len / 8 + 1, 1);
	f.stops = xcalloc(len / 8 + 1, 1);
	VEC_PUSH(&f.states, none);
	find_starts(&f);
	for (u32 i = 0; i < known->n; i++)
		set_start(&f, known->starts[i]);
	take_all(&f, known->entry);
	memset(f.at, 0, (size_t)len * sizeof(*f.at));
	f.strict = f.breaking > f.returning;
	take_all(&f, known->entry);      /* now it is known which functions never return */
	write_rows(&f, row, arg);
	VEC_FREE(&f.states);
	VEC_FREE(&f.todo);
	VEC_FREE(&f.seen);
	free(f.starts);
	free(f.stops);
	free(f.at);
}
