/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * once.c - evaluates what an inline or a translator was given once.
 *
 * The given expression is copied to each use of the parameter.  If one more evaluation does, or
 * gives, something else - an assignment, ++, rand(), memory from alloca() - it is first kept in a
 * clause-local variable, and that is what is copied: square[n++] is (k = n++, k * k).
 * See docs/decisions/68-given-once.md.
 */
#include "compiler/check/check-private.h"

struct uses {
	const char *name;
	u32 n;
};

static bool once_uses(struct node *n, void *arg)
{
	struct uses *u = arg;

	u->n += n->kind == N_IDENT && n->scope == SCOPE_PLAIN && !strcmp(n->name, u->name);
	return true;
}

static bool once_same(struct node *n, void *many)
{
	u32 flags = n->row ? n->row->flags : 0;

	return n->kind != N_ASSIGN && n->kind != N_INCDEC && !(flags & BF_FRESH) &&
	       !(many && flags & BF_SCRATCH);
}

/* A given expression that is more than a translated object, in a variable. */
static struct node *once_value(struct comp *c, struct node *given, struct type *type,
			       struct node **first)
{
	struct sym *s = scope_add(c, SPACE_THIS, SYM_VAR, ".given", given->at);
	struct node *set = check_make(c, N_ASSIGN, given, type);

	s->type = type;
	s->points = type_is_ptr(type) ? memory_points(given) : POINTS_UNKNOWN;
	set->op = '=';
	set->a = check_sym_node(c, given, s);
	set->b = type_is_string(type) ? check_to_string(c, given) : check_cast(c, given, type);
	*first = check_then(c, *first, set);
	return check_sym_node(c, given, s);
}

/*
 * What is to be copied into `expr`, NULL: into several, in place of `given` for the parameter
 * `name` of that type; *first gets what is to be done before.
 */
struct node *once_given(struct comp *c, const struct node *given, const char *name,
			struct type *type, struct node *expr, struct node **first)
{
	struct uses u = { .name = name, .n = expr ? 0 : 2 };
	struct node *copy = node_copy(c, given);

	node_walk(expr, once_uses, &u);
	if (node_walk(copy, once_same, u.n > 1 ? &u : NULL))
		return copy;
	if (copy->kind == N_XLATE)
		copy->a = once_given(c, copy->a, name, copy->a->type, expr, first);
	else if (type_is_string(type) || (type_is_scalar(type) && type_is_scalar(given->type)))
		copy = once_value(c, copy, type_is_string(type) ? &ty_string : type, first);
	return copy;
}

/* Can something be done before a value of this type? */
bool once_fits(const struct type *t)
{
	return type_is_dyn(t) || type_is_scalar(t) || type_is_strcompat(t);
}

/* The value e after `first`; of a translated object: what is translated. */
struct node *once_then(struct comp *c, struct node *first, struct node *e)
{
	if (!first || !e)
		return e;
	if (e->kind != N_XLATE)
		return check_then(c, first, e);
	e->a = once_then(c, first, e->a);
	return e;
}
