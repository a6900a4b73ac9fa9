/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_fault.c - a clause that cannot go on: what is wrong, and at which expression.
 *
 * The word of the fault has enum dtx_fault + 1 in its low byte; above it is the number of the place
 * in img->places, from 1 on.  Only the path of the fault stores it.
 */
#include "compiler/emit/emit-private.h"

u32 emit_text_place(struct emit *e, const struct range *at)
{
	struct img *img = e->c->img;
	struct img_place p = { 0 };
	u32 *number;

	if (!at->src || at->src->is_library)
		return 0;
	const struct place_key {
		const void *src;
		u32 from, to;
	} key = { at->src, at->from, at->to };

	if (!e->places)
		e->places = keytab_new(sizeof(key), sizeof(*number));
	number = keytab_put(e->places, &key);
	if (*number)
		return *number;
	source_place(at->src, at->from, &p.file, &p.line, &p.column);
	p.text = label_of(e->c, &(struct node){ .at = *at });
	ARENA_PUSH(img->arena, img->places, img->nplaces, p);
	*number = img->nplaces;
	return *number;
}

/* Of the text that is being compiled. */
static u32 here(struct emit *e)
{
	return emit_text_place(e, &e->c->env->diags.use);
}

void emit_fault_if(struct emit *e, val bad, enum dtx_fault fault, val value)
{
	block set = ll_block(e, "bad"), ok = ll_block(e, "ok");

	ll_if(e, bad, set, ok);
	ll_at(e, set);
	ll_store(e, ll_num(e, (fault + 1) | here(e) << DTX_FAULT_PLACE), emit_m(e, fault), 4);
	ll_store(e, value, emit_m(e, fault_val), 8);
	ll_br(e, e->f.fault);
	ll_at(e, ok);
}

void emit_pass_fault(struct emit *e)
{
	block ok = ll_block(e, "ok");

	ll_if(e, ll_load(e, emit_m(e, fault), 4, false), e->f.fault, ok);
	ll_at(e, ok);
}

void emit_check_fault(struct emit *e)
{
	u32 place = here(e);
	block set, ok;
	val fault;

	if (!place) {
		emit_pass_fault(e);
		return;
	}
	set = ll_block(e, "bad");
	ok = ll_block(e, "ok");
	fault = ll_load(e, emit_m(e, fault), 4, false);
	ll_if(e, fault, set, ok);
	ll_at(e, set);
	ll_store(e, LLVMBuildOr(e->b, fault, ll_num(e, place << DTX_FAULT_PLACE), ""),
		 emit_m(e, fault), 4);
	ll_br(e, e->f.fault);
	ll_at(e, ok);
}
