/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_store.c - stores into parts of variables and into scratch memory.
 *
 * Members and elements of structs and arrays, also bit-fields.  An absent element or
 * thread-local variable is first created with zeros; if there is no room, the store is
 * lost.
 */
#include "compiler/emit/emit-private.h"

struct target {
	const struct node *n;
	struct place at;         /* own memory; for a bit-field its unit */
	block lost;              /* where to go if there is no room */
};

/* The variable that n is a part of; NULL: n is accessed through a pointer. */
static const struct node *root_of(const struct node *n)
{
	switch (n->kind) {
	case N_VAR:
	case N_ASSOC:
		return n;
	case N_CAST:
		return root_of(n->a);
	case N_MEMBER:
	case N_UNARY:
	case N_INDEX:
		if (n->kind == N_MEMBER && n->op == '.')
			return root_of(n->a);
		return type_base(n->a->type)->kind == T_ARRAY ? root_of(n->a) : NULL;
	default:
		return NULL;
	}
}

static struct target target_of(struct emit *e, const struct node *n)
{
	struct target t = { .n = n, .lost = ll_block(e, "lost") };
	const struct node *make = e->x.make;
	block lost = e->x.lost;
	u32 size = type_size(e->c, n->type);

	e->x.make = root_of(n);
	e->x.lost = t.lost;
	t.at = emit_place(e, n);
	if (n->field.unit)
		size = n->field.unit + n->field.is_over;
	e->x.make = make;
	e->x.lost = lost;
	t.at = (struct place){ MEM_OWN, emit_place_own(e, &t.at, size), 0 };
	return t;
}

/* The byte after the unit, for a field that ends there. */
static val target_behind(struct emit *e, const struct target *t)
{
	const struct field *f = &t->n->field;

	return f->is_over ? ll_off(e, t->at.p, f->unit) : NULL;
}

static val target_load(struct emit *e, const struct target *t)
{
	if (t->n->field.unit) {
		val more = target_behind(e, t);

		return emit_bits_get(e, ll_load(e, t->at.p, t->n->field.unit, false),
				     more ? ll_load(e, more, 1, false) : NULL, &t->n->field);
	}
	return emit_load(e, &t->at, t->n->type);
}

/* Sets the bits of mask at p to those of v. */
static void store_masked(struct emit *e, val p, u32 unit, u64 mask, val v)
{
	val old = ll_load(e, p, unit, false);

	v = LLVMBuildAnd(e->b, v, ll_num(e, mask), "");
	old = LLVMBuildAnd(e->b, old, ll_num(e, ~mask), "");
	ll_store(e, LLVMBuildOr(e->b, old, v, ""), p, unit);
}

/* Stores a bit-field: writes its unit, and keeps the other bits. */
static void store_bits(struct emit *e, const struct target *t, val v)
{
	const struct field *f = &t->n->field;
	u64 mask = f->size < 64 ? (1ull << f->size) - 1 : ~0ull;
	val behind = target_behind(e, t);

	store_masked(e, t->at.p, f->unit, mask << f->shift,
		     LLVMBuildShl(e->b, v, ll_num(e, f->shift), ""));
	if (behind)
		store_masked(e, behind, 1, mask >> (64 - f->shift),
			     LLVMBuildLShr(e->b, v, ll_num(e, 64 - f->shift), ""));
}

/* Returns the value as stored. */
static val target_store(struct emit *e, const struct target *t, val v)
{
	if (!t->n->field.unit) {
		v = emit_narrow(e, v, t->n->type);
		ll_store(e, v, t->at.p, type_size(e->c, t->n->type));
		return v;
	}
	v = emit_narrow(e, v, t->n->type);
	store_bits(e, t, v);
	struct field kept = { .unit = 8,
			      .size = t->n->field.size,
			      .is_signed = t->n->field.is_signed };

	return emit_bits_get(e, v, NULL, &kept);
}

/* After the store: v, or 0 if there was no room. */
static val target_end(struct emit *e, const struct target *t, val v)
{
	block end = ll_block(e, "end"), from = ll_here(e);

	ll_br(e, end);
	ll_at(e, t->lost);
	ll_br(e, end);
	ll_at(e, end);
	return ll_phi(e, e->i64, v, from, ll_num(e, 0), t->lost);
}

/* Structs, strings in arrays, and text in a translated char array. */
static val store_wide(struct emit *e, const struct node *n)
{
	struct target t = target_of(e, n->a);
	u32 size = type_size(e->c, n->a->type);

	if (type_base(n->a->type)->kind == T_ARRAY)
		emit_str_into(e, emit_str(e, n->b), t.at.p, size, false);
	else
		emit_fill(e, n->b, t.at.p, size);
	return target_end(e, &t, ll_num(e, 0));
}

val emit_store(struct emit *e, const struct node *n)
{
	struct target t;
	val v;

	if (!type_is_scalar(n->a->type))
		return store_wide(e, n);
	v = emit_expr(e, n->b);
	t = target_of(e, n->a);
	if (n->op != '=')
		v = emit_compound(e, n, target_load(e, &t), v);
	return target_end(e, &t, target_store(e, &t, v));
}

val emit_store_step(struct emit *e, const struct node *n, u64 step)
{
	struct target t = target_of(e, n->a);
	val old = target_load(e, &t), new;

	new = n->op == '+' ? LLVMBuildAdd(e->b, old, ll_num(e, step), "")
			   : LLVMBuildSub(e->b, old, ll_num(e, step), "");
	new = target_store(e, &t, new);
	return target_end(e, &t, n->prefix ? new : old);
}
