/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_hold.c - in large programs, keeps pending values in scratch memory.
 *
 * They are stored and loaded by volatile instructions. So the optimiser does not keep
 * them in registers, or on the 512 bytes of stack. And the verifier, which does not track
 * the memory of maps, forgets what it knew about them (weight.c).
 */
#include "compiler/emit/emit-private.h"

static val take_places(struct emit *e, u32 n)
{
	u32 at = e->x.held;

	if (e->x.held + n > e->c->plan->held)
		diag_error(&e->c->env->diags, DIAG_NONE, e->p.inst->clause->at,
			   "internal error: too many values wait");
	e->x.held += n;
	return emit_scratch(e, e->c->plan->held_off + 8 * at);
}

val emit_room(struct emit *e, u32 bytes)
{
	return e->p.large ? take_places(e, (bytes + 7) / 8) : ll_temp(e, bytes);
}

struct held emit_hold(struct emit *e, val v)
{
	struct held h = { v, 0 };
	val p;

	if (!e->p.large || LLVMIsConstant(v))
		return h;
	h.at = e->x.held + 1;
	p = take_places(e, 1);
	LLVMSetVolatile(LLVMBuildStore(e->b, ll_ext(e, v, false), p), true);
	return h;
}

val emit_take(struct emit *e, struct held h)
{
	if (!h.at)
		return h.v;
	return ll_load_now(e, emit_scratch(e, e->c->plan->held_off + 8 * (h.at - 1)), 8, false);
}

val emit_forget(struct emit *e, val v)
{
	u32 mark = e->x.held;

	v = emit_take(e, emit_hold(e, v));
	e->x.held = mark;
	return v;
}

bool emit_is_leaf(const struct node *n)
{
	switch (n->kind) {
	case N_INT:
	case N_ARG:
	case N_KSYM:
		return true;
	case N_VAR:
		return n->sym->place != PLACE_SELF;
	case N_CAST:
		return emit_is_leaf(n->a);
	default:
		return false;
	}
}

void emit_both(struct emit *e, const struct node *a, const struct node *b, val *va, val *vb)
{
	u32 mark = e->x.held;
	struct held h = { emit_expr(e, a), 0 };

	if (!emit_is_leaf(b))
		h = emit_hold(e, h.v);
	*vb = emit_expr(e, b);
	*va = emit_take(e, h);
	e->x.held = mark;
}
