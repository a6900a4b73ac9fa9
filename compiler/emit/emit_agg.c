/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_agg.c - @name[keys] = function(arguments).
 */
#include <dtx/aggs.h>

#include "compiler/emit/emit-private.h"

struct agg_args {
	val x, n;                /* value and increment */
};

/* Tell LLVM how large a value of this type may be: it can't see that through a load. */
static void say_range(struct emit *e, const struct type *type, val x)
{
	u32 size = type_size(e->c, type);

	if (size < 8 && !type_signed(type))
		ll_call(e, "dtx_narrow", x, ll_num(e, 1ull << 8 * size));
}

/* Constants are in the symbol; value and increment remain. */
static struct agg_args arguments(struct emit *e, const struct node *n)
{
	struct agg_args a = { NULL, NULL };

	if (n->b && n->b->next)
		emit_both(e, n->b, n->b->next, &a.x, &a.n);
	else if (n->b)
		a.x = emit_expr(e, n->b);
	if (a.x)
		say_range(e, n->b->type, a.x);
	return a;
}

#define NEAR_MOST 4 /* more updates of an AGGF_FAR function are out of line: 35 instructions each \
		     */

static u32 count_updates(const struct node *list, const struct agg_func *f)
{
	u32 n = 0;

	for (; list; list = list->next) {
		if (list->kind == N_AGG)
			n += list->sym->agg == f;
		else if (list->kind == N_IF || list->kind == N_BLOCK || list->kind == N_LOOP)
			n += count_updates(list->b, f) + count_updates(list->c, f);
	}
	return n;
}

static bool is_far(struct emit *e, const struct agg_func *f)
{
	u32 n = 0;

	if (!(f->flags & AGGF_FAR))
		return false;
	for (const struct inst *i = e->c->insts; i && n <= NEAR_MOST; i = i->next)
		n += count_updates(i->body, f);
	return n > NEAR_MOST;
}

#define SMALL (1 << 16) /* with such increments no run lasts until a bucket leaves 64 bits */

static bool is_small(struct emit *e, const struct node *by, val n)
{
	s64 is;

	if (!by || type_size(e->c, by->type) <= 2)
		return true;
	if (!LLVMIsAConstantInt(n))
		return false;
	is = LLVMConstIntGetSExtValue(n);
	return is <= SMALL && is >= -SMALL;
}

static void add_to_bucket(struct emit *e, const struct node *n, val v, val bucket, val by)
{
	const struct sym *s = n->sym;
	val words = ll_num(e, agg_words(s->agg, s->params_v));
	bool small = is_small(e, n->b->next, by);

	by = by ? by : ll_num(e, 1);
	if (small)
		ll_call(e, "dtx_bucket_add", v, bucket, words, by);
	else
		emit_fault_if(e, ll_call(e, "dtx_bucket_add_within", v, bucket, words, by),
			      DTX_FAULT_BUCKET, by);
}

/* The calls that aggs.def describes. */
static void update(struct emit *e, const struct node *node, val v, struct agg_args a)
{
	const struct sym *s = node->sym;
	const struct agg_func *f = s->agg;
	val args[AGG_CONSTS_MAX + 2], to;
	u32 n = 0;

	if (!agg_increments(f))
		args[n++] = v;
	if (a.x)
		args[n++] = a.x;
	for (u32 i = 0; i < s->nparams_v; i++)
		args[n++] = ll_num(e, s->params_v[i]);
	to = ll_call_n(e, arena_printf(e->c->arena, "dtx_agg_%s%s", f->name,
				       is_far(e, f) ? "_far" : ""), args, n);
	if (agg_increments(f))
		add_to_bucket(e, node, v, to, a.n);
}

static const char *reserve_map(struct emit *e, const struct sym *s)
{
	return img_agg_reserve(e->c->arena, &e->c->img->aggs[s->index]);
}

static const char *turn_map(struct emit *e, const struct sym *s, bool reserve)
{
	return img_agg_turn(e->c->arena, &e->c->img->aggs[s->index], reserve);
}

/* Must the slots be marked as used?  Not if this update makes one of their words other than 0. */
static bool wants_mark(const struct node *n)
{
	const struct agg_func *f = n->sym->agg;
	bool adds_one = agg_increments(f) && !(n->b && n->b->next);

	return !(f->flags & AGGF_COUNTS) && !adds_one;
}

static val keyless(struct emit *e, const struct node *n)
{
	const struct sym *s = n->sym;
	val stride = ll_num(e, s->size), mark = ll_num(e, wants_mark(n));

	if (!s->shelved)
		return ll_call(e, "dtx_agg_single", emit_map(e, s->map), stride, mark);
	return ll_call(e, "dtx_agg_single_of", emit_shelf(e, s->map), emit_slot(e, s->map), stride,
		       mark);
}

static val keyed(struct emit *e, const struct sym *s, struct keys ks)
{
	val key = emit_keys_store(e, ks), zero = ll_zero_bytes(e, s->size);
	const char *more = reserve_map(e, s);

	if (s->turns)
		return ll_call(e, "dtx_agg_entry_turn", e->f.frame, emit_map(e, s->map),
			       emit_map(e, more), emit_map(e, turn_map(e, s, false)),
			       emit_map(e, turn_map(e, s, true)), key, zero);
	if (!s->shelved)
		return ll_call(e, "dtx_agg_entry", e->f.frame, emit_map(e, s->map),
			       emit_map(e, more), key, zero);
	return ll_call(e, "dtx_agg_entry_of", e->f.frame, emit_shelf(e, s->map),
		       emit_shelf(e, more), emit_slot(e, s->map), key, zero);
}

void emit_agg(struct emit *e, const struct node *n)
{
	const struct sym *s = n->sym;
	struct keys ks = emit_keys_eval(e, s, n->list);
	struct agg_args a = arguments(e, n);
	block have, end;
	val v;

	if (!s->nkeys && !s->shelved) {
		update(e, n, keyless(e, n), a);
		return;
	}
	have = ll_block(e, "have");
	end = ll_block(e, "end");
	v = s->nkeys ? keyed(e, s, ks) : keyless(e, n);
	ll_if(e, LLVMBuildIsNotNull(e->b, v, ""), have, end);
	ll_at(e, have);
	update(e, n, v, a);
	ll_br(e, end);
	ll_at(e, end);
}
