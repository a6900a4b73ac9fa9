/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_clause.c - a function per clause: predicate, statements, record, faults; and the frame, the
 * state of the machine that functions of a program share.
 */
#include <stdio.h>

#include "compiler/emit/gen.h"

/* ---- the frame ----------------------------------------------------------------------- */

val emit_mst(struct emit *e, u32 off)
{
	return ll_off(e, e->frame, off);
}

struct inst *emit_first_error(const struct comp *c)
{
	struct inst *i = c->insts;

	while (i && !i->is_error)
		i = i->next;
	return i;
}

/* After the machine state are the arguments of ERROR, then the this-> scalars. */
void emit_place_frame(struct emit *e)
{
	u32 off = sizeof(struct dtx_mst) + (emit_first_error(e->c) ? 8 * ERROR_ARGS : 0);

	for (struct sym *s = e->c->syms; s; s = s->next) {
		if (s->place != PLACE_LOCAL)
			continue;
		s->off = off;
		off += 8;
	}
	e->frame_size = off;
}

/* In a large program the stack is short, and this-> scalars are in scratch memory. */
void emit_frame(struct emit *e, val ctx)
{
	u32 large = sizeof(struct dtx_mst) + (e->in_error ? 8 * ERROR_ARGS : 0);
	u32 size = e->large ? large : e->frame_size;

	e->frame = ll_alloca(e, LLVMArrayType2(e->i64, size / 8), "frame");
	ll_zero(e, e->frame, size);
	LLVMBuildStore(e->b, ctx, emit_m(e, ctx));
	ll_store(e, ll_num(e, e->prog->index), emit_m(e, prog), 4);
}

val emit_scratch(struct emit *e, u32 off)
{
	val slot;

	e->uses |= USES_SCRATCH;
	if (!e->claims[0])
		e->claims[e->phase] = true;
	slot = ll_load_ptr(e, e->slot);
	if (e->large)            /* otherwise addresses are computed early and fill the stack */
		LLVMSetVolatile(slot, true);
	return ll_off(e, slot, off);
}

/* ---- functions -------------------------------------------------------------------------- */

val emit_begin_function(struct emit *e, const char *name, const char *attr, LLVMTypeRef type)
{
	struct range at = e->inst->clause->at;

	e->fn = LLVMAddFunction(e->mod, name, type);
	ll_target(e, e->fn);
	LLVMSetLinkage(e->fn, LLVMInternalLinkage);
	ll_attr(e, e->fn, attr);
	dbg_function(e, e->fn, at, false);
	e->entry = ll_block(e, "entry");
	e->frame = LLVMGetLastParam(e->fn);
	e->key = NULL;
	e->comm = NULL;
	ll_at(e, e->entry);
	dbg_line(e, at);
	return e->fn;
}

val emit_begin_framed(struct emit *e, const char *name, const char *attr)
{
	return emit_begin_function(e, name, attr, LLVMFunctionType(e->none, &e->ptr, 1, false));
}

/* ---- a clause ----------------------------------------------------------------------------- */

static void finish_claim(struct emit *e, u32 i, block next)
{
	val p;

	ll_at(e, e->claim[i]);
	if (!e->claims[i]) {
		ll_br(e, next);
		return;
	}
	p = ll_call(e, "dtx_claim", e->frame);
	LLVMBuildStore(e->b, p, e->slot);
	ll_if(e, LLVMBuildIsNull(e->b, p, ""), e->out, next);
}

/* What a fault does: a message for the user, then the ERROR clauses; the record is lost. */
static void finish_fault(struct emit *e)
{
	ll_at(e, e->fault);
	if (e->in_error) {
		ll_call(e, "dtx_drop", e->frame, ll_num(e, DTX_DROP_DBLERROR));
	} else {
		ll_call(e, "dtx_fault", e->frame);
		if (e->error_fn)
			emit_error_call(e);
	}
	ll_store(e, ll_num(e, 0), emit_m(e, fault), 4);
	ll_br(e, e->out);
}

static void clause_body(struct emit *e, block body, const struct part *parts)
{
	struct inst *inst = e->inst;

	ll_at(e, e->claim[0]);
	block pred = ll_block(e, "predicate");

	ll_at(e, pred);
	e->phase = 0;
	e->held = 0;
	if (inst->pred)
		emit_jump(e, inst->pred, e->claim[1], e->out);
	else
		ll_br(e, e->claim[1]);
	e->phase = 1;
	ll_at(e, body);
	dbg_line(e, inst->clause->at);
	emit_rec_begin(e);
	e->done = ll_block(e, "done");
	if (parts) {
		emit_parts_call(e, parts);
	} else {
		emit_statements(e, inst->body);
		ll_br(e, e->done);
	}
	ll_at(e, e->done);
	dbg_line(e, inst->clause->at);
	emit_rec_end(e);
	ll_br(e, e->out);
	finish_claim(e, 0, pred);
	finish_claim(e, 1, body);
}

/* For names of functions: that of the ERROR clauses follows the program's own. */
u32 emit_group_number(const struct emit *e)
{
	const struct prog *p = e->prog;

	return e->in_error ? p->ngroups : e->group ? (u32)(e->group - p->groups) : 0;
}

/* The function of e->inst in e->prog and e->group. */
val emit_clause(struct emit *e)
{
	struct part *parts = e->inst->parts ? emit_parts(e) : NULL;
	char name[48];
	block body;
	val fn;

	snprintf(name, sizeof(name), "clause_%u_%u_%u", e->prog->index, emit_group_number(e),
		 e->inst->site);
	fn = emit_begin_framed(e, name, "alwaysinline");
	e->claims[0] = e->claims[1] = false;
	e->slot = ll_alloca(e, e->ptr, "slot");
	e->claim[0] = ll_block(e, "claim");
	e->claim[1] = ll_block(e, "claim");
	e->out = ll_block(e, "out");
	e->fault = ll_block(e, "fault");
	body = ll_block(e, "body");
	ll_store(e, ll_num(e, e->inst->site), emit_m(e, site), 4);
	if (!e->c->plan->mem_stays)
		ll_store(e, ll_num(e, 0), emit_m(e, mem), 4);
	ll_store(e, ll_num(e, 0), emit_m(e, spec), 4);
	ll_br(e, e->claim[0]);
	clause_body(e, body, parts);
	finish_fault(e);
	ll_at(e, e->out);
	LLVMBuildRetVoid(e->b);
	return fn;
}
