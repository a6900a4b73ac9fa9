/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_expr.c - checks one expression: dispatch, and helpers for all kinds of
 * checks.
 *
 * Turns a folded tree into a typed one: names are resolved, and conversions that
 * change bits become N_CAST and N_STRINGOF.  NULL means that an error was reported.
 */
#include <dtx/tag.h>

#include "compiler/check/checker.h"

struct node *check_make(struct comp *c, enum node_kind kind, const struct node *at,
			struct type *type)
{
	struct node *n = node_new(c, kind, at->at);

	n->op_at = at->op_at;
	n->type = type;
	return n;
}

struct node *check_int(struct comp *c, const struct node *at, s64 value, struct type *type)
{
	struct node *n = check_make(c, N_INT, at, type);

	n->value = value;
	return n;
}

bool check_is_null(const struct node *n)
{
	return n && n->kind == N_INT && !n->value;
}

/* Does the value have more bits than `to`, or another sign? */
static bool check_changes_bits(struct comp *c, const struct node *n, struct type *to)
{
	u64 want = type_size(c, to), have = type_size(c, n->type);

	if (want >= 8)
		return false;
	if (n->kind == N_BINARY || n->kind == N_UNARY || n->kind == N_COND || n->kind == N_COMMA ||
	    n->kind == N_INT)
		return true;             /* may exceed its static type */
	return have != want || type_signed(n->type) != type_signed(to);
}

struct node *check_cast(struct comp *c, struct node *n, struct type *to)
{
	struct node *cast;

	if (!type_is_int(to) || !type_is_scalar(n->type) || !check_changes_bits(c, n, to)) {
		if (n->kind == N_INT && type_is_int(to))
			n->type = to;
		return n;
	}
	cast = check_make(c, N_CAST, n, to);
	cast->a = n;
	return fold_again(c, cast);
}

struct node *check_decayed(struct comp *c, struct node *n)
{
	struct node *addr;

	if (!type_is_func(n->type))
		return n;
	addr = check_make(c, N_UNARY, n, type_ptr(c->arena, n->type));
	addr->op = '&';
	addr->a = n;
	return addr;
}

struct node *check_to_string(struct comp *c, struct node *n)
{
	return type_is_string(n->type) || check_is_null(n) ? n : check_text_at(c, n);
}

struct node *check_null_text(struct node *n)
{
	return n->kind == N_STRINGOF && check_is_null(n->a) ? n->a : n;
}

struct node *check_text_at(struct comp *c, struct node *n)
{
	struct node *s;

	if (type_is_string(n->type))
		return n;
	s = check_make(c, N_STRINGOF, n, &ty_string);
	s->a = n;
	if (type_is_chars(n->type) && type_base(n->type)->count)
		s->type = type_string_of(c->arena, type_base(n->type)->count + 1);
	return s;
}

bool check_is_action(const struct node *n)
{
	if (n->kind != N_CALL || !n->row || n->row->kind != BK_ACT)
		return false;
	return type_is_void(n->type);
}

bool check_value(struct comp *c, const struct node *n)
{
	if (check_is_action(n)) {
		ERR(c, D_CG_EXPR, n->at, "%s() is an action and has no value", n->row->name);
		return false;
	}
	if (type_is_dyn(n->type)) {
		check_operand_hint(c, diag_error(&c->env->diags, D_OP_DYN, n->at,
					     "this has no single value"), n);
		return false;
	}
	return true;
}

struct node *check_list(struct comp *c, struct node *list, bool *ok)
{
	struct node *out = NULL, **tail = &out, *next, *t;

	for (struct node *n = list; n; n = next) {
		next = n->next;
		n->next = NULL;
		t = check_expr(c, n);
		if (!t) {
			*ok = false;
			continue;
		}
		*tail = t;
		tail = &t->next;
	}
	return out;
}

static struct node *check_string_literal(struct comp *c, struct node *n)
{
	u32 len = n->str ? strlen(n->str) : 0;

	n->type = type_string_of(c->arena, len + 1);
	return n;
}

static struct node *check_agg_value(struct comp *c, struct node *n)
{
	n->type = &ty_dyn;
	return n;
}

static struct node *check_kind(struct comp *c, struct node *n)   /* dispatch */
{
	switch (n->kind) {
	case N_INT:
		if (!n->type)
			n->type = &ty_int;
		return n;
	case N_STR:
		return check_string_literal(c, n);
	case N_IDENT:
		return check_ident(c, n);
	case N_CALL:
		return n->type ? n : check_call(c, n);
	case N_INDEX:
		return n->type ? n : check_index(c, n);
	case N_MEMBER:
		return n->type ? n : check_member(c, n);
	case N_UNARY:
		return n->type ? n : check_unary(c, n);
	case N_INCDEC:
		return n->type ? n : check_incdec(c, n);
	case N_BINARY:
		return n->type ? n : check_binary(c, n);
	case N_ASSIGN:
		return n->type ? n : check_assign(c, n);
	case N_COND:
		return n->type ? n : check_conditional(c, n);
	case N_COMMA:
		return n->type ? n : check_comma(c, n);
	case N_CAST:
		return check_explicit_cast(c, n);
	case N_SIZEOF:
		return check_sizeof(c, n);
	case N_OFFSETOF:
		return check_offsetof(c, n);
	case N_STRINGOF:
		return n->type ? n : check_stringof(c, n);
	case N_XLATE:
		return check_xlate(c, n);
	case N_AGG:
	case N_AGGREF:
		return check_agg_value(c, n);
	case N_VAR:
	case N_ASSOC:
	case N_BUILTIN:
	case N_ARG:
	case N_KSYM:
		return n;
	default:
		return ERR(c, D_SYNTAX, n->at, "this is not an expression");
	}
}

/* Nested inlines may become deeper than the program text. */
struct node *check_expr(struct comp *c, struct node *n)
{
	struct diags *diags = &c->env->diags;
	struct range outer;
	struct node *typed;

	if (c->check->level > NODE_DEPTH + 100)
		return ERR(c, D_UNKNOWN, n->at, "inlines make this expression too deep");
	c->check->level++;
	outer = diags_use(diags, n->at);
	typed = check_kind(c, n);
	diags->use = outer;
	c->check->level--;
	return typed;
}

struct node *check_cond(struct comp *c, struct node *n)
{
	if (!check_cond_assigns(c, n))
		return NULL;
	n = check_expr(c, n);
	c->check->cond_assign = NULL;
	if (!n)
		return NULL;
	n = check_tested(n);
	if (!type_is_scalar(n->type)) {
		struct diag *d = diag_error(&c->env->diags, D_PRED_SCALAR, n->at,
			"a condition must be an integer or a pointer, not '%s'",
			TYPE_TEXT(c, n->type));

		if (type_is_string(n->type))
			diag_hint(&c->env->diags, d,
				  "compare the string: != \"\", or != NULL");
		check_operand_hint(c, d, n);
		return NULL;
	}
	return n;
}
