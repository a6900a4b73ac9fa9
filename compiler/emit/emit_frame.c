/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_frame.c - where functions begin; the frame, the state of the machine that functions of a
 * program share; and the scratch slot.
 */
#include "compiler/emit/emit-private.h"

/* ---- functions -------------------------------------------------------------------------- */

/* The function of e->p.prog, or of a program beside those of the manifest. */
void emit_begin_program(struct emit *e, const char *name, const char *section)
{
	struct range at = e->p.prog->groups[0].ninsts ? e->p.prog->groups[0].insts[0]->clause->at
						    : (struct range){ 0 };

	e->f.fn = ll_function(e, name, e->i32, e->ptr);
	LLVMSetSection(e->f.fn, section);
	dbg_function(e, e->f.fn, at, true);
	e->f.entry = ll_block(e, "entry");
	ll_at(e, e->f.entry);
	dbg_line(e, at);
}

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

/* For names of functions: that of the ERROR clauses follows the program's own. */
u32 emit_group_number(const struct emit *e)
{
	const struct prog *p = e->p.prog;

	return e->p.in_error ? p->ngroups : e->p.group ? (u32)(e->p.group - p->groups) : 0;
}

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

/* Level of the claimed slot, by which the functions find it. */
val emit_level(struct emit *e)
{
	return ll_load(e, emit_scratch(e, e->c->plan->scratch_size), 4, false);
}
