/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * merge.c - joins the instances of a clause that became the same typed tree.
 *
 * A clause has an instance for each of its descriptions, because arguments may have other types
 * there.  Often that does not matter ("syscall::read:return, syscall::write:return"): then one copy
 * of the code serves all these probes.
 */
#include <stdlib.h>
#include <string.h>

#include "compiler/plan/plan.h"

#define ALIKE_TRIED 8            /* different instances of a clause with which one is compared */

static bool text_alike(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Types that came from the same declaration, also if one is a copy of the other. */
static bool type_alike(const struct type *a, const struct type *b)
{
	if (a == b || !a || !b)
		return a == b;
	return a->kind == b->kind && text_alike(a->name, b->name) && a->size == b->size &&
	       a->count == b->count && a->is_signed == b->is_signed && a->is_char == b->is_char &&
	       a->is_bool == b->is_bool && a->incomplete == b->incomplete &&
	       a->is_vector == b->is_vector && a->is_user == b->is_user &&
	       a->is_const == b->is_const && a->variadic == b->variadic &&
	       a->in_memory == b->in_memory && a->is_flags == b->is_flags &&
	       a->int_rank == b->int_rank && a->align == b->align && a->members == b->members &&
	       a->enums == b->enums && a->params == b->params && a->btf_id == b->btf_id &&
	       a->fill == b->fill && a->fill_arg == b->fill_arg && a->fill_id == b->fill_id &&
	       type_alike(a->to, b->to);
}

static bool field_alike(const struct field *a, const struct field *b)
{
	return a->off == b->off && a->unit == b->unit && a->shift == b->shift &&
	       a->size == b->size && a->is_signed == b->is_signed && a->is_over == b->is_over;
}

static bool node_alike(const struct node *a, const struct node *b)
{
	return a->kind == b->kind && a->op == b->op && a->value == b->value && a->len == b->len &&
	       a->scope == b->scope && a->prefix == b->prefix && a->raw == b->raw &&
	       a->lvalue == b->lvalue && a->is_signed == b->is_signed && a->sym == b->sym &&
	       a->row == b->row && a->aggrow == b->aggrow && a->member == b->member &&
	       a->lies == b->lies && a->leads == b->leads && a->at.src == b->at.src &&
	       a->at.from == b->at.from && field_alike(&a->field, &b->field) &&
	       text_alike(a->name, b->name) && (a->str == b->str || (a->str && b->str &&
	       !memcmp(a->str, b->str, a->len))) && type_alike(a->type, b->type) &&
	       type_alike(a->names, b->names);
}

/* The same for all that follows and all that is below. */
static bool tree_alike(const struct node *a, const struct node *b)
{
	for (; a && b; a = a->next, b = b->next)
		if (!node_alike(a, b) || !tree_alike(a->a, b->a) || !tree_alike(a->b, b->b) ||
		    !tree_alike(a->c, b->c) || !tree_alike(a->list, b->list))
			return false;
	return a == b;
}

/* Stable probes have text of their own, ERROR no program, late ones no arguments yet. */
static bool inst_may_join(const struct inst *i)
{
	return i->nprobes && !i->is_error && !i->probes[0]->stable && !i->probes[0]->late &&
	       !i->probes[i->nprobes - 1]->late;
}

static bool inst_alike(const struct inst *a, const struct inst *b)
{
	return inst_may_join(a) && inst_may_join(b) && a->uses_args == b->uses_args &&
	       a->args_used == b->args_used && a->records == b->records &&
	       a->leaves == b->leaves && tree_alike(a->pred, b->pred) &&
	       tree_alike(a->body, b->body);
}

/* A clause fires once for each of its descriptions that matches: such instances stay apart. */
static bool inst_takes(struct comp *c, const struct inst *i, const struct clause **taken)
{
	bool again = false;

	for (u32 k = 0; k < i->nprobes; k++) {
		u32 at = probe_index(c, i->probes[k]);

		again |= taken[at] == i->clause;
		taken[at] = i->clause;
	}
	return again;
}

static void inst_append(struct comp *c, struct inst *to, const struct inst *i)
{
	u32 n = to->nprobes + i->nprobes;
	struct dtx_probe **all = ARENA_ARRAY(c->arena, struct dtx_probe *, n);

	memcpy(all, to->probes, to->nprobes * sizeof(*all));
	memcpy(all + to->nprobes, i->probes, i->nprobes * sizeof(*all));
	to->probes = all;
	to->nprobes = n;
}

/* The first of the instances from `first` on that is like this one; NULL: it is the first. */
static struct inst *inst_find(struct inst *first, const struct inst *i)
{
	u32 tried = 0;

	for (; first != i && tried < ALIKE_TRIED; first = first->next, tried++)
		if (inst_alike(first, i))
			return first;
	return NULL;
}

/* Joins the instances of the clause that begin at `first`; returns the place of the next one's. */
static struct inst **inst_join(struct comp *c, struct inst **first, const struct clause **taken)
{
	const struct clause *cl = (*first)->clause;
	struct inst **at = first;

	while (*at && (*at)->clause == cl) {
		struct inst *i = *at, *with = inst_takes(c, i, taken) ? NULL : inst_find(*first, i);

		if (with) {
			inst_append(c, with, i);
			*at = i->next;
		} else {
			at = &i->next;
		}
	}
	return at;
}

void probe_join(struct comp *c)
{
	const struct clause **taken = xcalloc(c->nprobes + 1, sizeof(*taken));
	struct inst **at = &c->insts;

	while (*at)
		at = (*at)->next && (*at)->next->clause == (*at)->clause ? inst_join(c, at, taken)
									 : &(*at)->next;
	c->insts_last = at;
	free(taken);
}
