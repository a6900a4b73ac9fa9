/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_agg.c - @name[keys] = function(arguments).
 */
#include "compiler/emit/gen.h"

struct agg_args {
	val x, n;                /* value and increment */
};

/* Constant parameters are in the symbol: what is left is value and increment. */
static struct agg_args arguments(struct emit *e, const struct node *n)
{
	struct agg_args a = { NULL, ll_num(e, 1) };

	if (n->b && n->b->next)
		emit_both(e, n->b, n->b->next, &a.x, &a.n);
	else if (n->b)
		a.x = emit_expr(e, n->b);
	return a;
}

static void update_lquantize(struct emit *e, const struct sym *s, val v, struct agg_args a)
{
	s64 low = s->params_v[0], high = s->params_v[1], step = MAX(s->params_v[2], 1);

	ll_call(e, "dtx_agg_lquantize", v, a.x, ll_num(e, low), ll_num(e, (high - low) / step),
		ll_num(e, step), a.n);
}

static void update_llquantize(struct emit *e, const struct sym *s, val v, struct agg_args a)
{
	u64 mags = (u32)s->params_v[1] | (u64)s->params_v[2] << 32;
	u32 words = agg_value_size(s->agg, s->params_v, s->nparams_v) / 8;

	ll_call(e, "dtx_agg_llquantize", v, a.x, ll_num(e, s->params_v[0]), ll_num(e, mags),
		ll_num(e, s->params_v[3]), ll_num(e, words), a.n);
}

#define QUANTIZE_NEAR  4         /* more of them find their buckets out of line: 35 instructions each */

static u32 count_quantize(const struct node *list)
{
	u32 n = 0;

	for (; list; list = list->next) {
		if (list->kind == N_AGG)
			n += !strcmp(list->sym->agg->name, "quantize");
		else if (list->kind == N_IF || list->kind == N_BLOCK || list->kind == N_LOOP)
			n += count_quantize(list->b) + count_quantize(list->c);
	}
	return n;
}

static bool quantize_far(struct emit *e)
{
	u32 n = 0;

	for (const struct inst *i = e->c->insts; i && n <= QUANTIZE_NEAR; i = i->next)
		n += count_quantize(i->body);
	return n > QUANTIZE_NEAR;
}

static void update(struct emit *e, const struct sym *s, val v, struct agg_args a)
{
	char *name = arena_printf(e->c->arena, "dtx_agg_%s", s->agg->name);

	if (!strcmp(s->agg->name, "lquantize"))
		update_lquantize(e, s, v, a);
	else if (!strcmp(s->agg->name, "llquantize"))
		update_llquantize(e, s, v, a);
	else if (!strcmp(s->agg->name, "quantize"))
		ll_call(e, quantize_far(e) ? "dtx_agg_quantize_far" : name, v, a.x, a.n);
	else if (a.x)
		ll_call(e, name, v, a.x);
	else
		ll_call(e, name, v);
}

static val reserve(struct emit *e, const struct sym *s)
{
	return emit_map(e, img_agg_reserve(e->c->arena, &e->c->img->aggs[s->index]));
}

void emit_agg(struct emit *e, const struct node *n)
{
	const struct sym *s = n->sym;
	struct keys ks = emit_keys_eval(e, s, n->list);
	struct agg_args a = arguments(e, n);
	val map = emit_map(e, s->map), v;
	block have, end;

	if (!s->nkeys) {
		update(e, s, ll_call(e, "dtx_agg_single", map,
				     ll_num(e, ALIGN_UP(s->size, DTX_SLOT_ALIGN)),
				     ll_num(e, strcmp(s->agg->name, "count") != 0)), a);
		return;
	}
	have = ll_block(e, "have");
	end = ll_block(e, "end");
	v = ll_call(e, "dtx_agg_entry", e->frame, map, reserve(e, s), emit_keys_store(e, ks),
		    ll_zero_bytes(e, s->size));
	ll_if(e, LLVMBuildIsNotNull(e->b, v, ""), have, end);
	ll_at(e, have);
	update(e, s, v, a);
	ll_br(e, end);
	ll_at(e, end);
}
