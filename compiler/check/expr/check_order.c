/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_order.c - evaluates operands from left to right where an assignment makes the order
 * visible.
 *
 * Code for a store into a part of a variable computes the value first and then the place,
 * because a pointer into a map does not survive the computation.  If one of the two changes
 * what the other reads, the operands of the place are first saved in clause-local variables:
 * a[n++] = n is (k = n++, a[k] = n), and a.m -= (a.m >>= 1) is a.m = a.m - (a.m >>= 1).
 */
#include "compiler/check/check-private.h"

/* ---- does the order matter? --------------------------------------------------------- */

/* The variable that is changed; NULL: memory at a pointer. */
static const struct sym *order_root(const struct node *to)
{
	while (to->kind == N_MEMBER || to->kind == N_INDEX) {
		if (to->kind == N_MEMBER ? to->op == OP_ARROW : type_is_ptr(to->a->type))
			return NULL;
		to = to->a;
	}
	return to->kind == N_VAR || to->kind == N_ASSOC ? to->sym : NULL;
}

struct change {
	const struct sym *sym;           /* NULL: some memory */
	struct node *reader;
	bool read;
};

static bool order_reads(struct node *n, void *arg)
{
	struct change *ch = arg;

	if (n->kind == N_VAR || n->kind == N_ASSOC)
		ch->read |= n->sym == ch->sym;
	else if (!ch->sym && (n->kind == N_MEMBER || n->kind == N_INDEX || n->kind == N_UNARY))
		ch->read |= !order_root(n);
	return !ch->read;
}

static bool order_changes(struct node *n, void *arg)
{
	struct change *ch = arg;

	if (n->kind != N_ASSIGN && n->kind != N_INCDEC)
		return true;
	ch->sym = order_root(n->a);
	node_walk(ch->reader, order_reads, ch);
	return !ch->read;
}

/* Does a change something that b reads? */
static bool order_disturbs(struct node *a, struct node *b)
{
	struct change ch = { .reader = b };

	node_walk(a, order_changes, &ch);
	return ch.read;
}

/* ---- what the place is computed from --------------------------------------------------- */

struct kept {
	struct comp *c;
	const struct node *at;
	struct node *first;      /* assignments to the variables, joined by commas */
};

static struct node *order_keep(struct node *e, void *kept)
{
	struct kept *k = kept;
	struct comp *c = k->c;
	struct node *set;
	struct sym *s;

	if (e->kind == N_INT || !type_is_scalar(e->type))
		return e;
	s = scope_add(c, SPACE_THIS, SYM_VAR, ".place", k->at->at);
	s->type = type_is_ptr(e->type) ? e->type : type_builtin("int64_t");
	set = check_make(c, N_ASSIGN, e, s->type);
	set->op = '=';
	set->a = check_sym_node(c, e, s);
	set->b = check_cast(c, e, s->type);
	k->first = check_then(c, k->first, set);
	return check_sym_node(c, e, s);
}

static void order_place(struct kept *k, struct node *to)
{
	if (to->kind == N_ASSOC)
		to->list = node_map(to->list, order_keep, k);
	if (to->kind != N_MEMBER && to->kind != N_INDEX && to->kind != N_UNARY)
		return;
	if (type_is_ptr(to->a->type))
		to->a = order_keep(to->a, k);
	else
		order_place(k, to->a);
	if (to->kind == N_INDEX)
		to->b = order_keep(to->b, k);
}

struct node *check_order(struct comp *c, struct node *n)
{
	struct kept k = { .c = c, .at = n };
	struct node *value;

	if (n->a->kind == N_VAR || n->a->kind == N_ASSOC ||
	    (!order_disturbs(n->b, n->a) && !order_disturbs(n->a, n->b)))
		return n;
	order_place(&k, n->a);
	if (n->op != '=') {
		value = check_make(c, N_BINARY, n, n->type);
		value->op = n->op;
		value->is_signed = n->is_signed;
		value->a = node_copy(c, n->a);
		value->b = n->b;
		n->b = value;
		n->op = '=';
	}
	return check_then(c, k.first, n);
}
