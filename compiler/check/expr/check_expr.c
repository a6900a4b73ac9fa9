/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_expr.c - checks one expression: dispatch, and helpers for all kinds of
 * checks.
 *
 * Turns a folded tree into a typed one: names are resolved, and conversions that
 * change bits become N_CAST and N_STRINGOF.  NULL means that an error was reported.
 */
#include <dtx/tag.h>

#include "compiler/check/check-private.h"

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
