/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * constant.c - integer constant expressions, which may have types to be checked: sizeof.  Those of
 * a declaration that is read meanwhile have a state of their own.
 */
#include "compiler/check/check-private.h"

void check_open(struct comp *c)
{
	c->check = ARENA_NEW(c->arena, struct check);
}

void check_close(struct comp *c)
{
	if (c->check->idle)
		map_free(c->check->idle);
}

static bool fold_wants_types(struct node *n, void *arg)
{
	bool *found = arg;

	if (n->kind == N_SIZEOF || n->kind == N_OFFSETOF)
		*found = true;
	return !*found;
}

bool fold_const(struct comp *c, struct node *n, s64 *value)
{
	bool typed = false;

	n = fold_node(c, n);
	if (n && n->kind != N_INT) {
		node_walk(n, fold_wants_types, &typed);
		n = typed ? check_expr(c, n) : n;
	}
	if (!n || n->kind != N_INT)
		return false;
	*value = n->value;
	return true;
}

bool fold_declared(struct comp *c, struct node *n, s64 *value)
{
	struct check *outer = c->check;
	bool ok;

	check_open(c);
	ok = fold_const(c, n, value);
	check_close(c);
	c->check = outer;
	return ok;
}
