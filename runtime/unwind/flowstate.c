/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * flowstate.c - what is known of the stack at an instruction (codeflow.c), the rule that it makes,
 * and what the instruction changes.
 * Why: docs/decisions/35-unwind-tables.md
 */
#include "runtime/code/cfi.h"

/* ---- states ------------------------------------------------------------------------------ */

bool flow_has_return(const struct flow_state *s)
{
	return !ARCH_RA_SAVED && !s->saved[DTX_UW_RA] && !(s->lost >> DTX_UW_RA & 1);
}

/* Does the function leave with other arguments on the stack than it was given? */
static bool takes_args_away(const struct flow_state *s)
{
	return s->holds || (s->takes_args && flow_has_return(s));
}

/* The caller's frame pointer, to which the register points, is before the return address. */
bool flow_has_frame(const struct flow_state *s)
{
	return s->knows_bp && s->saved[DTX_UW_FP] && s->saved[DTX_UW_FP] == -s->bp &&
	       s->saved[DTX_UW_RA] == 8 - s->bp;
}

struct dtx_uw_rule flow_rule(const struct flow_state *s)
{
	struct dtx_uw_rule r = { .kind = DTX_UW_NONE };
	bool by_bp = flow_has_frame(s) || (!s->knows_sp && s->knows_bp);

	if (s->end)
		r.kind = DTX_UW_END;
	if (s->end || s->none ||
	    (!by_bp && (!s->knows_sp || s->sp < (s->holds ? 0 : ARCH_ENTRY_CFA))))
		return r;
	r.kind = DTX_UW_CFA;
	r.flags = DTX_UW_DERIVED;
	r.reg = by_bp ? ARCH_DWARF_FP : ARCH_DWARF_SP;
	r.off = by_bp ? s->bp : s->sp;
	for (u32 i = DTX_UW_RA; i < DTX_UW_REGS; i++) {
		if (i == DTX_UW_RA && !s->saved[i] && (s->holds || !(s->lost >> i & 1))) {
			r.inreg |= 1u << i;
			r.at[i] = s->holds ? (s16)ARCH_DWARF_OF(s->holds - 1) : ARCH_DWARF_RA;
		} else if (s->saved[i] && s->saved[i] >= INT16_MIN) {
			r.saved |= 1u << i;
			r.at[i] = (s16)s->saved[i];
		} else if (s->saved[i] || s->lost >> i & 1) {
			r.lost |= 1u << i;
		}
	}
	return r;
}

/* Nothing is known of the stack: a number that is not in the code was added to its pointer. */
bool flow_is_astray(const struct flow_state *s)
{
	return !s->none && !s->end && !s->knows_sp && !s->knows_bp;
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

/* The return address is copied: another value may replace it where it was. */
static void push_copy(struct flow_state *s, s64 n)
{
	bool copied = s->knows_sp && s->saved[DTX_UW_RA] && s->saved[DTX_UW_RA] == n - s->sp;

	s->sp += 8;
	if (copied)
		s->saved[DTX_UW_RA] = -s->sp;
	s->put_back |= copied;
}

/*
 * The stack pointer gets a value that is not in the code.  While a register has the return address
 * the function is about to return, and has taken its arguments away: the value is the caller's.
 */
static void lose_sp(struct flow_state *s)
{
	s->knows_sp = takes_args_away(s);
	s->sp = 0;
	for (u32 i = 0; i < DTX_UW_REGS && s->knows_sp; i++) {
		s->lost |= (u32)(s->saved[i] != 0) << i;
		s->saved[i] = 0;
	}
}

/* The instruction's effect on the stack and the registers. */
void flow_apply(struct flow_state *s, const struct arch_stackop *op)
{
	bool takes = takes_return(s, op);

	switch (op->kind) {
	case ARCH_SP_PUSH:
		s->sp += 8;
		reg_stored(s, op->reg, -s->sp);
		break;
	case ARCH_SP_PUSH_COPY: push_copy(s, op->n); break;
	case ARCH_SP_POP:
		reg_loaded(s, op->reg, -s->sp);
		s->sp -= 8;
		break;
	case ARCH_SP_ADD:     s->sp = (s32)((u32)s->sp - (u32)op->n); break;
	case ARCH_SP_FROM_FP: sp_from_bp(s, op->n); break;
	case ARCH_SP_TO_FP:
		reg_written(s, op->reg);
		s->knows_bp = s->knows_sp;
		s->bp = (s32)((u32)s->sp - (u32)op->n);
		break;
	case ARCH_SP_LEAVE:
		sp_from_bp(s, 0);
		reg_loaded(s, op->reg, -s->sp);
		s->sp -= 8;
		break;
	case ARCH_SP_LOST:    lose_sp(s); break;
	case ARCH_SP_STORE: case ARCH_SP_LOAD:
		moved(s, op, op->kind == ARCH_SP_STORE ? reg_stored : reg_loaded);
		break;
	case ARCH_SP_ZERO_FP:
		reg_written(s, op->reg);
		s->end |= s->asked;      /* the begin of a thread, as clone() makes one */
		break;
	case ARCH_SP_WRITE:   reg_written(s, op->reg); break;
	case ARCH_SP_SYSCALL: s->asked = true; break;
	case ARCH_SP_NONE:    break;
	}
	follow_return(s, op);
	if (takes)
		take_return(s, op->reg);
	if (s->sp < 0 && s->takes_args && flow_has_return(s))
		s->sp = 0;               /* arguments are taken away: the caller's stack pointer */
	if (s->sp < (s->holds ? 0 : ARCH_ENTRY_CFA) || s->sp > 1 << 28)      /* no return address */
		s->knows_sp = false;
}
