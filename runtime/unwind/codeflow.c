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
#define V8_ALIGNED 32                    /* and where V8 does (kCodeAlignment) */
#define STATES     (1u << 22)

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
	bool meets;                      /* a way meets one that knows nothing of the stack */
	bool breaks;                     /* it jumps away and has not kept the caller's registers */
	u32 returning, breaking;         /* functions: that return; that never do, and break */
	bool strict;                     /* those that never return are not believed */
	bool keeps_none;                 /* no function keeps a register for its caller */
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

static bool same_frame(const struct flow *f, u32 a, u32 b)
{
	struct dtx_uw_rule x, y;

	if (a == b)
		return true;
	x = flow_rule(&f->states.v[a]);
	y = flow_rule(&f->states.v[b]);
	return x.kind == y.kind && x.reg == y.reg && x.off == y.off;
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
	if (s->takes_args && flow_has_return(s))
		return true;
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
	f->breaks |= s->lost && !f->keeps_none;
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
	if (at != f->start && !flow_has_frame(s) && is_apart(f, (u32)at) &&
	    makes_frame(f, (u32)at)) {
		set_start(f, to);        /* it may take arguments away: no evidence */
		leaves_by_jump(f, s);
	} else if (is_start(f, (u32)at) && at != f->start) {
		f->breaks |= s->lost && !f->keeps_none;
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

/* After a call of another function. */
static void called(const struct flow *f, struct flow_state *s)
{
	s->holds = 0;                    /* functions keep no other register */
	if (s->takes_args && flow_has_frame(s))
		s->knows_sp = false;
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

/*
 * The instruction is reached a second time.  true: now more is known of it, and of what follows.
 *
 * Where one way knows the frame and the other one does not, the one that knows is right for both:
 * the same code leaves the function, with the return address at the top.
 */
static bool learns(struct flow *f, u32 at, u32 state)
{
	u32 before = f->at[at] - 1;

	if (same_frame(f, before, state))
		return false;
	f->meets = true;
	if (flow_is_astray(&f->states.v[before]))
		return true;
	f->wrong |= !flow_is_astray(&f->states.v[state]);
	return false;
}

static void follow(struct flow *f, u32 at, u32 state)
{
	while (at < f->len) {
		u32 n = arch_insn_len(f->code + at, f->len - at);
		struct flow_state next = f->states.v[state];
		struct arch_stackop op;
		u64 to;

		if (f->at[at] && !learns(f, at, state))
			return;
		if (at != f->start && is_start(f, at))
			return;
		if (!n) {
			f->wrong = true;
			return;
		}
		if (!f->at[at])
			VEC_PUSH(&f->seen, at);
		f->at[at] = state + 1;
		if (!goes_on(f, at, n, state))
			return;
		op = arch_stack_op(f->code + at, n);
		flow_apply(&next, &op);
		if (arch_insn_calls(f->code + at, n, f->addr + at, &to))
			called(f, &next);
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
		*at = flow_has_frame(s) ? add_state(f, &frame) + 1 : 1;
	}
}

/* A function that may begin here, in this state. */
static void take_function(struct flow *f, u32 at, const struct flow_state *first)
{
	struct todo t = { at, add_state(f, first) };

	f->seen.n = f->todo.n = 0;
	f->wrong = f->proven = f->leaves = f->returns = f->breaks = false;
	f->meets = false;
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
	if (f->wrong || (!first->end && ((!f->proven && (f->meets || !begins(f, at))) ||
	    (f->leaves && !f->returns && (f->breaks || f->strict)))))
		reject(f);
}

/* ---- all functions ----------------------------------------------------------------------- */

/* Where V8's builtins begin, whose names are not known: it fills the bytes before each one so, on
 * all machines. */
static void find_filled(struct flow *f)
{
	static const u8 filler[4] = { 0xcc, 0xcc, 0xcc, 0xcc };

	for (u64 at = V8_ALIGNED - f->addr % V8_ALIGNED; at < f->len; at += V8_ALIGNED)
		if (at >= sizeof(filler) && f->code[at] != filler[0] &&
		    !memcmp(f->code + at - sizeof(filler), filler, sizeof(filler)))
			set_start(f, f->addr + at);
}

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
		.takes_args = f->keeps_none,
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
		struct dtx_uw_rule r = flow_rule(&f->states.v[state]);

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
	struct flow f = { .code = code, .addr = addr, .len = len, .keeps_none = known->keeps_none };
	struct flow_state none = { .none = true };

	f.at = xcalloc(len + 1, sizeof(*f.at));
	f.starts = xcalloc(len / 8 + 1, 1);
	f.stops = xcalloc(len / 8 + 1, 1);
	VEC_PUSH(&f.states, none);
	find_starts(&f);
	if (known->is_filled)
		find_filled(&f);
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
