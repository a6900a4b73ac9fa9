/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * node.c - nodes of the tree: made, copied, walked.
 */
#include "compiler/front/front.h"

struct node *node_new(struct comp *c, enum node_kind kind, struct range at)
{
	struct node *n = ARENA_NEW(c->arena, struct node);

	n->kind = kind;
	n->at = at;
	n->op_at = at;
	return n;
}

static struct node *list_copy(struct comp *c, const struct node *list)
{
	struct node *first = NULL, **last = &first;

	for (; list; list = list->next) {
		*last = node_copy(c, list);
		last = &(*last)->next;
	}
	return first;
}

/* Statement lists are in b and c of an N_IF, argument lists in b of an N_AGG. */
struct node *node_copy(struct comp *c, const struct node *n)
{
	struct node *copy;

	if (!n)
		return NULL;
	copy = arena_memdup(c->arena, n, sizeof(*n));
	copy->next = NULL;
	copy->a = list_copy(c, n->a);
	copy->b = list_copy(c, n->b);
	copy->c = list_copy(c, n->c);
	copy->list = list_copy(c, n->list);
	return copy;
}

u32 node_count(const struct node *list)
{
	u32 n = 0;

	for (; list; list = list->next)
		n++;
	return n;
}

static bool list_walk(struct node *list, bool (*fn)(struct node *, void *), void *arg)
{
	for (; list; list = list->next)
		if (!node_walk(list, fn, arg))
			return false;
	return true;
}

bool node_walk(struct node *n, bool (*fn)(struct node *, void *), void *arg)
{
	if (!n)
		return true;
	return fn(n, arg) && list_walk(n->a, fn, arg) && list_walk(n->b, fn, arg) &&
	       list_walk(n->c, fn, arg) && list_walk(n->list, fn, arg);
}

void clause_walk(struct node *pred, struct node *body, bool (*fn)(struct node *, void *), void *arg)
{
	node_walk(pred, fn, arg);
	for (; body; body = body->next)
		node_walk(body, fn, arg);
}

struct node *node_map(struct node *list, struct node *(*fn)(struct node *, void *), void *arg)
{
	struct node *out = NULL, **tail = &out, *next;

	for (struct node *n = list; n; n = next) {
		next = n->next;
		n->next = NULL;
		*tail = fn(n, arg);
		tail = &(*tail)->next;
	}
	return out;
}
