/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_clause.c - a function per clause: predicate, statements, record, faults; and the calls of
 * these functions.
 */
#include <stdio.h>

#include "compiler/emit/emit-private.h"

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

/* The position in the clause no longer matters: one state instead of many. */
static void forget_clause(struct emit *e)
{
	static const u32 words[] = {
		offsetof(struct dtx_mst, fault), offsetof(struct dtx_mst, spec),
		offsetof(struct dtx_mst, mem),
	};
	u32 n = ARRAY_SIZE(words) - e->c->plan->mem_stays;

	for (u32 i = 0; i < n; i++)
		LLVMSetVolatile(LLVMBuildStore(e->b, ll_num32(e, 0), emit_mst(e, words[i])), true);
	LLVMSetVolatile(LLVMBuildStore(e->b, ll_num(e, 0), emit_m(e, fault_val)), true);
	LLVMSetVolatile(LLVMBuildStore(e->b, LLVMConstNull(e->ptr), emit_m(e, self)), true);
}

static void call_errors(struct emit *e)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(e->p.error_fn);
	val args[] = {
		ll_load(e, emit_m(e, site), 4, false), ll_load(e, emit_m(e, fault), 4, false),
		ll_load(e, emit_m(e, fault_val), 8, false), ll_load(e, emit_m(e, probe), 4, false),
		ll_load_ptr(e, emit_m(e, ctx)),
	};
	val exited;

	if (e->p.large)
		forget_clause(e);
	exited = LLVMBuildCall2(e->b, type, e->p.error_fn, args, LLVMCountParamTypes(type), "");
	ll_store(e, exited, emit_m(e, exited), 4);
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
			call_errors(e);
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

/* ---- lists of clauses ------------------------------------------------------------------------ */

static void call_frame(struct emit *e, val fn)
{
	LLVMBuildCall2(e->b, LLVMGlobalGetValueType(fn), fn, &e->f.frame, 1, "");
}

void emit_calls(struct emit *e, const struct clauses *l, block quit, bool may_exit)
{
	for (u32 i = 0; i < l->n; i++) {
		block next = ll_block(e, "next");

		call_frame(e, l->fns[i]);
		if (may_exit && i + 1 < l->n)
			ll_if(e, ll_load(e, emit_m(e, exited), 4, false), quit, next);
		else
			ll_br(e, next);
		ll_at(e, next);
	}
	ll_br(e, quit);
}

/*
 * In large programs, look-ups shared by several clauses are done first.  Otherwise the
 * verifier follows each clause once for each place of the look-up.
 */
void emit_look_up(struct emit *e, block quit)
{
	block next;
	val slot;

	if (e->p.uses & USES_TIME)
		ll_call(e, "dtx_timestamp", e->f.frame);
	if (e->p.uses & USES_SELF)
		ll_call(e, "dtx_self_get", e->f.frame);
	if (!(e->p.uses & USES_SCRATCH) && !e->p.large)
		return;
	next = ll_block(e, "next");
	slot = ll_call(e, "dtx_claim", e->f.frame);
	ll_if(e, LLVMBuildIsNull(e->b, slot, ""), quit, next);
	ll_at(e, next);
	for (const struct sym *s = e->c->syms; s && e->p.large; s = s->next)
		if (s->place == PLACE_LOCAL)
			ll_store(e, ll_num(e, 0),
				 ll_off(e, slot, e->c->plan->this_off + s->slot_off), 8);
}
