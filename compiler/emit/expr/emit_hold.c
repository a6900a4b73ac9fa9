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

