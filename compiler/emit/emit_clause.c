/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_clause.c - a function per clause: predicate, statements, record, faults; and the frame, the
 * state of the machine that functions of a program share.
 */
#include <stdio.h>

#include "compiler/emit/emit-private.h"

/* ---- the frame ----------------------------------------------------------------------- */

val emit_mst(struct emit *e, u32 off)
{
	return ll_off(e, e->f.frame, off);
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
	e->p.frame_size = off;
}

/* In a large program the stack is short, and this-> scalars are in scratch memory. */
void emit_frame(struct emit *e, val ctx)
{
	u32 large = sizeof(struct dtx_mst) + (e->p.in_error ? 8 * ERROR_ARGS : 0);
	u32 size = e->p.large ? large : e->p.frame_size;

	e->f.frame = ll_alloca(e, LLVMArrayType2(e->i64, size / 8), "frame");
	ll_zero(e, e->f.frame, size);
	LLVMBuildStore(e->b, ctx, emit_m(e, ctx));
	ll_store(e, ll_num(e, e->p.prog->index), emit_m(e, prog), 4);
}

val emit_scratch(struct emit *e, u32 off)
{
	val slot;

	e->p.uses |= USES_SCRATCH;
	if (!e->f.claims[0])
		e->f.claims[e->f.phase] = true;
	slot = ll_load_ptr(e, e->f.slot);
	if (e->p.large)            /* otherwise addresses are computed early and fill the stack */
		LLVMSetVolatile(slot, true);
	return ll_off(e, slot, off);
}

/* ---- functions -------------------------------------------------------------------------- */

val emit_begin_function(struct emit *e, const char *name, const char *attr, LLVMTypeRef type)
{
	struct range at = e->p.inst->clause->at;

	e->f.fn = LLVMAddFunction(e->mod, name, type);
	ll_target(e, e->f.fn);
	LLVMSetLinkage(e->f.fn, LLVMInternalLinkage);
	ll_attr(e, e->f.fn, attr);
	dbg_function(e, e->f.fn, at, false);
	e->f.entry = ll_block(e, "entry");
	e->f.frame = LLVMGetLastParam(e->f.fn);
	e->f.key = NULL;
	e->f.comm = NULL;
	ll_at(e, e->f.entry);
	dbg_line(e, at);
	return e->f.fn;
}

val emit_begin_framed(struct emit *e, const char *name, const char *attr)
{
	return emit_begin_function(e, name, attr, LLVMFunctionType(e->none, &e->ptr, 1, false));
}

/* ---- a clause ----------------------------------------------------------------------------- */

static void finish_claim(struct emit *e, u32 i, block next)
{
	val p;

	ll_at(e, e->f.claim[i]);
	if (!e->f.claims[i]) {
		ll_br(e, next);
		return;
	}
	p = ll_call(e, "dtx_claim", e->f.frame);
	LLVMBuildStore(e->b, p, e->f.slot);
	ll_if(e, LLVMBuildIsNull(e->b, p, ""), e->f.out, next);
}

/* What a fault does: a message for the user, then the ERROR clauses; the record is lost. */
static void finish_fault(struct emit *e)
{
	ll_at(e, e->f.fault);
	if (e->p.in_error) {
		ll_call(e, "dtx_drop", e->f.frame, ll_num(e, DTX_DROP_DBLERROR));
	} else {
		ll_call(e, "dtx_fault", e->f.frame);
		if (e->p.error_fn)
			emit_error_call(e);
	}
	ll_store(e, ll_num(e, 0), emit_m(e, fault), 4);
	ll_br(e, e->f.out);
}

static void clause_body(struct emit *e, block body, const struct part *parts)
{
	struct inst *inst = e->p.inst;

	ll_at(e, e->f.claim[0]);
	block pred = ll_block(e, "predicate");

	ll_at(e, pred);
	e->f.phase = 0;
	e->x.held = 0;
	if (inst->pred)
		emit_jump(e, inst->pred, e->f.claim[1], e->f.out);
	else
		ll_br(e, e->f.claim[1]);
	e->f.phase = 1;
	ll_at(e, body);
	dbg_line(e, inst->clause->at);
	emit_rec_begin(e);
	e->f.done = ll_block(e, "done");
	if (parts) {
		emit_parts_call(e, parts);
	} else {
		emit_statements(e, inst->body);
		ll_br(e, e->f.done);
	}
	ll_at(e, e->f.done);
	dbg_line(e, inst->clause->at);
	emit_rec_end(e);
	ll_br(e, e->f.out);
	finish_claim(e, 0, pred);
	finish_claim(e, 1, body);
}

/* For names of functions: that of the ERROR clauses follows the program's own. */
u32 emit_group_number(const struct emit *e)
{
	const struct prog *p = e->p.prog;

	return e->p.in_error ? p->ngroups : e->p.group ? (u32)(e->p.group - p->groups) : 0;
}

/* The function of e->p.inst in e->p.prog and e->p.group. */
val emit_clause(struct emit *e)
{
	struct part *parts = e->p.inst->parts ? emit_parts(e) : NULL;
	char name[48];
	block body;
	val fn;

	snprintf(name, sizeof(name), "clause_%u_%u_%u", e->p.prog->index, emit_group_number(e),
		 e->p.inst->site);
	fn = emit_begin_framed(e, name, "alwaysinline");
	e->f.claims[0] = e->f.claims[1] = false;
	e->f.slot = ll_alloca(e, e->ptr, "slot");
	e->f.claim[0] = ll_block(e, "claim");
	e->f.claim[1] = ll_block(e, "claim");
	e->f.out = ll_block(e, "out");
	e->f.fault = ll_block(e, "fault");
	body = ll_block(e, "body");
	ll_store(e, ll_num(e, e->p.inst->site), emit_m(e, site), 4);
	if (!e->c->plan->mem_stays)
		ll_store(e, ll_num(e, 0), emit_m(e, mem), 4);
	ll_store(e, ll_num(e, 0), emit_m(e, spec), 4);
	ll_br(e, e->f.claim[0]);
	clause_body(e, body, parts);
	finish_fault(e);
	ll_at(e, e->f.out);
	LLVMBuildRetVoid(e->b);
	return fn;
}
