/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * type.c - the rules of types: classes, promotion, compatibility, assignment.
 *
 * Follows the D language reference: no promotion of small types to int, strings are
 * values, not scalars or pointers; arrays decay where a pointer is needed. Uses
 * scope_complete() for struct tags that were only named so far.
 */
#include <dtx/opt.h>

#include "compiler/front/front.h"

bool type_is_int(const struct type *type)
{
	const struct type *t = type_base((struct type *)type);

	return t && ((t->kind == T_INT && t->size <= 8) || t->kind == T_ENUM);
}

bool type_is_wide(const struct type *type)
{
	const struct type *t = type_base((struct type *)type);

	return t && t->kind == T_INT && t->size > 8;
}

bool type_is_ptr(const struct type *type)
{
	const struct type *t = type_base((struct type *)type);

	return t && t->kind == T_PTR;
}

bool type_is_scalar(const struct type *type)
{
	return type_is_int(type) || type_is_ptr(type);
}

bool type_is_array(const struct type *type)
{
	const struct type *t = type_base((struct type *)type);

	return t && t->kind == T_ARRAY;
}

bool type_is_string(const struct type *type)
{
	const struct type *t = type_base((struct type *)type);

	return t && t->kind == T_STRING;
}

bool type_is_struct(const struct type *type)
{
	const struct type *t = type_base((struct type *)type);

	return t && (t->kind == T_STRUCT || t->kind == T_UNION);
}

bool type_is_void(const struct type *type)
{
	const struct type *t = type_base((struct type *)type);

	return !t || t->kind == T_VOID;
}

bool type_is_dyn(const struct type *type)
{
	const struct type *t = type_base((struct type *)type);

	return t && t->kind == T_DYN;
}

bool type_is_func(const struct type *type)
{
	const struct type *t = type_base((struct type *)type);

	return t && t->kind == T_FUNC;
}

static bool type_is_byte(const struct type *type)
{
	const struct type *t = type_base((struct type *)type);

	return t && t->kind == T_INT && t->size == 1 && !t->is_bool;
}

bool type_is_chars(const struct type *type)
{
	const struct type *t = type_base((struct type *)type);

	return t && t->kind == T_ARRAY && type_is_byte(t->to);
}

bool type_is_strcompat(const struct type *type)
{
	const struct type *t = type_base((struct type *)type);

	if (!t)
		return false;
	return t->kind == T_STRING || ((t->kind == T_PTR || t->kind == T_ARRAY) &&
				       type_is_byte(t->to));
}

bool type_signed(const struct type *type)
{
	const struct type *t = type_base((struct type *)type);

	return t && (t->kind == T_INT || t->kind == T_ENUM) && t->is_signed;
}

u64 type_size(struct comp *c, const struct type *type)
{
	struct type *t = type_base((struct type *)type);

	if (!t)
		return 0;
	switch (t->kind) {
	case T_STRING:
		return t->size ? t->size : (u64)opt_num(c->env, OPT_strsize);
	case T_PTR:
		return t->size == 4 ? 4 : 8;     /* of a 32-bit program; D's own have 8 */
	case T_STACK:
		return sizeof(struct dtx_stackref);
	case T_SYMADDR:
		return sizeof(struct dtx_symref);
	case T_ARRAY:
		return t->size ? t->size : t->count * type_size(c, t->to);
	case T_STRUCT:
	case T_UNION:
	case T_ENUM:
		return scope_complete(c, t)->size;
	case T_FUNC:
	case T_DYN:
	case T_VOID:
		return 0;
	default:
		return t->size;
	}
}

/* The type of a string expression is string, with any bound. */
u64 type_sizeof(struct comp *c, const struct type *type)
{
	const struct type *t = type_base((struct type *)type);

	if (t && t->kind == T_ARRAY)
		return t->count * type_sizeof(c, t->to);
	return type_is_string(type) ? (u64)opt_num(c->env, OPT_strsize) : type_size(c, type);
}

/* The alignment of the members; BTF and DWARF do not record `packed`, but places and sizes show
 * it. */
static u32 struct_align(struct type *t)
{
	u32 align = 1;

	if (t->align)
		return t->align;
	type_complete(t);
	for (u32 i = 0; i < t->count; i++) {
		const struct type_member *m = &t->members[i];
		u32 inner = type_align(m->type);

		if (t->size % inner == 0 && (m->bit_size || m->bit_off / 8 % inner == 0))
			align = MAX(align, inner);
	}
	return align;
}

u32 type_align(const struct type *type)
{
	struct type *t = (struct type *)type;

	for (; t && t->kind == T_TYPEDEF; t = t->to)
		if (t->align)
			return t->align;
	if (!t)
		return 1;
	switch (t->kind) {
	case T_ARRAY:
		return t->is_vector ? t->size : type_align(t->to);
	case T_STRUCT:
	case T_UNION:
		return struct_align(t);
	case T_STRING:
		return 1;
	case T_PTR:
		return 8;
	case T_FLOAT:
		return t->size >= 16 ? 16 : t->size ? t->size : 1;
	default:
		return t->size >= 16 ? 16 : t->size >= 8 ? 8 : t->size ? t->size : 1;
	}
}

/* ---- compatibility ------------------------------------------------------------- */

static bool type_same_tag(const struct type *a, const struct type *b)
{
	return a->name && b->name && *a->name && !strcmp(a->name, b->name);
}

/* All addresses are shown as symbols; users, errors, times … each have another text. */
static const char *type_shown(const struct type *t)
{
	const struct builtin *b = builtin_exact(t->name);

	return strchr(t->name, ' ') || (b && b->flags & BF_LINUX) ? t->name : "";
}

bool type_compat(struct comp *c, struct type *a, struct type *b)
{
	a = type_base(a);
	b = type_base(b);
	if (a == b)
		return true;
	if (!a || !b || a->kind != b->kind)
		return false;
	switch (a->kind) {
	case T_INT:
		return a->size == b->size && a->is_signed == b->is_signed;
	case T_FLOAT:
		return a->size == b->size;
	case T_PTR:
		return type_compat(c, a->to, b->to);
	case T_ARRAY:
		return a->count == b->count && type_compat(c, a->to, b->to);
	case T_STRUCT:
	case T_UNION:
	case T_ENUM:
		return type_same_tag(a, b) &&
		       (a->incomplete || b->incomplete || a->size == b->size);
	case T_STACK:
		return true;
	case T_SYMADDR:
		return a->is_user == b->is_user && !strcmp(type_shown(a), type_shown(b));
	case T_FUNC:
		return type_compat(c, a->to, b->to);
	default:
		return true;
	}
}

/* What a pointer or an array (which decays) points to, NULL for anything else. */
struct type *type_target(const struct type *type)
{
	struct type *t = type_base((struct type *)type);

	if (!t || (t->kind != T_PTR && t->kind != T_ARRAY))
		return NULL;
	return t->to ? t->to : &ty_void;
}

bool type_in_user(const struct type *t)
{
	for (; t && (t->kind == T_TYPEDEF || t->kind == T_ARRAY); t = t->to)
		if (t->kind == T_TYPEDEF && t->is_user)
			return true;
	return t && t->is_user && (t->kind == T_PTR || t->kind == T_STRUCT || t->kind == T_UNION);
}

static bool type_is_null(const struct node *n)
{
	return n && n->kind == N_INT && n->value == 0 && type_is_int(n->type);
}

bool type_ptr_compat(struct comp *c, const struct node *l, const struct node *r)
{
	struct type *a = type_target(l->type), *b = type_target(r->type);

	if (a && b)
		return type_is_void(a) || type_is_void(b) || type_compat(c, a, b);
	return (a && type_is_null(r)) || (b && type_is_null(l));
}

bool type_assignable(struct comp *c, struct type *to, struct type *from, const struct node *value)
{
	struct type *a = type_base(to), *b = type_base(from);
	struct type *ta = type_target(to), *tb = type_target(from);

	if (!a || !b || a->kind == T_VOID || b->kind == T_VOID || b->kind == T_DYN)
		return false;
	if (type_is_int(a) && type_is_int(b))
		return true;
	if (type_is_strcompat(a) && type_is_strcompat(b))
		return true;
	if (a->kind == T_PTR && ta && tb)
		return type_is_void(ta) || type_is_void(tb) || type_compat(c, ta, tb);
	if (a->kind == T_PTR)
		return type_is_null(value) || (b->kind == T_FUNC && type_compat(c, ta, b));
	return type_compat(c, a, b);
}

/* ---- promotion --------------------------------------------------------------------- */

static u32 type_rank(const struct type *t)
{
	return (u32)t->size * 8 + !t->is_signed;
}

struct type *type_promote(struct comp *c, struct type *l, struct type *r)
{
	struct type *a = type_base(l), *b = type_base(r);

	(void)c;
	if (a->kind == T_ENUM)
		l = a = &ty_int;
	if (b->kind == T_ENUM)
		r = b = &ty_int;
	if (a->kind != T_INT || b->kind != T_INT)
		return l;
	if (type_rank(a) != type_rank(b))
		return type_rank(a) > type_rank(b) ? l : r;
	return b->int_rank > a->int_rank ? r : l;
}

/* A copy to be modified: user pointers, stacks with a depth. */
struct type *type_copy(struct comp *c, const struct type *t)
{
	return arena_memdup(c->arena, t, sizeof(*t));
}
