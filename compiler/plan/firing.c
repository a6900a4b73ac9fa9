/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * firing.c - how long memory of alloca() and copyin() must live.
 *
 * It belongs to the firing.  Only a pointer in a variable can show that: where none is read before
 * its own clause has assigned it, each clause may begin again at the start of the area.
 */
#include <dtx/opt.h>

#include "compiler/plan/plan.h"

#define ALL_MOST  65536          /* bytes for all clauses of a firing; one may have more */

struct reads {
	const struct sym *sym;
	bool assigned;           /* in this clause, in any case */
	bool early;              /* it is read before that */
};

static bool is_var(const struct node *n, const struct sym *s)
{
	return (n->kind == N_VAR || n->kind == N_ASSOC) && n->sym == s;
}

static bool firing_look(struct node *n, void *arg)
{
	struct reads *r = arg;

	if (n->kind == N_ASSIGN && n->op == '=' && is_var(n->a, r->sym)) {
		node_walk(n->b, firing_look, r);
		r->assigned = true;
	}
	r->early |= is_var(n, r->sym) && !r->assigned;
	return !r->early;
}

static void look_at(struct node *list, struct reads *r)
{
	for (struct node *n = list; n; n = n->next) {
		bool before;

		if (n->kind == N_BLOCK) {
			look_at(n->b, r);
		} else if (n->kind == N_IF || n->kind == N_LOOP) {
			node_walk(n->a, firing_look, r);
			before = r->assigned;
			look_at(n->b, r);
			r->assigned = before;
			look_at(n->c, r);
			r->assigned = before;
		} else {
			node_walk(n, firing_look, r);
		}
	}
}

/* Is a scratch pointer read that its clause has not assigned? */
static bool is_passed_on(struct comp *c, const struct sym *s)
{
	for (const struct inst *i = c->insts; i; i = i->next) {
		struct reads r = { .sym = s };

		node_walk(i->pred, firing_look, &r);
		look_at(i->body, &r);
		if (r.early)
			return true;
	}
	return false;
}

static bool allocates_not(struct node *n, void *arg)
{
	(void)arg;
	return !(n->kind == N_CALL && n->row->flags & BF_SCRATCH);
}

static bool allocates(const struct inst *i)
{
	if (!node_walk(i->pred, allocates_not, NULL))
		return true;
	for (struct node *n = i->body; n; n = n->next)
		if (!node_walk(n, allocates_not, NULL))
			return true;
	return false;
}

/* The most clauses of a firing that take memory. */
static u32 most_clauses(const struct comp *c)
{
	u32 most = 1;

	for (const struct prog *p = c->bprogs; p; p = p->next) {
		for (u32 g = 0; g < p->ngroups; g++) {
			u32 n = 0;

			for (u32 i = 0; i < p->groups[g].ninsts; i++)
				n += allocates(p->groups[g].insts[i]);
			most = MAX(most, n);
		}
	}
	return most;
}

void layout_memory(struct comp *c)
{
	struct plan *p = c->plan;
	u32 one = ALIGN_UP(opt_num(c->env, OPT_scratchsize), 8);

	p->mem_one = p->mem_size = one;
	for (const struct sym *s = c->syms; s && !p->mem_stays; s = s->next)
		p->mem_stays = s->points == POINTS_SCRATCH && is_passed_on(c, s);
	if (p->mem_stays && one < ALL_MOST)
		p->mem_size = MIN((u64)one * most_clauses(c), ALL_MOST);
	p->mem_mask = p->mem_size > 1 ? UINT32_MAX >> __builtin_clz(p->mem_size - 1) : 0;
}
