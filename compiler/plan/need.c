/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * need.c - what clauses use at their probes: registers, the kernel stack.
 *
 * Providers choose by it how to attach, and that decides where arguments lie. So it must be
 * known before typing: it is found from the names in the parsed text, also inside inlines.
 * Why: docs/decisions/32-function-attachment.md
 */
#include "compiler/plan/plan.h"

#define INLINES_MAX 100          /* the checker reports deeper ones */

struct needs {
	struct comp *c;
	u32 needs, depth;
};

static bool need_walk(struct node *n, void *arg);

static void need_list(struct needs *w, struct node *list)
{
	for (; list; list = list->next)
		node_walk(list, need_walk, w);
}

static bool need_walk(struct node *n, void *arg)
{
	struct needs *w = arg;
	bool named = n->name && ((n->kind == N_IDENT && !n->scope) || n->kind == N_CALL);
	const struct sym *s = named ? scope_find(w->c, SPACE_GLOBAL, n->name) : NULL;
	const struct builtin *b = named && !s ? builtin_find(n->name) : NULL;

	if (b && b->flags & BF_REGS)
		w->needs |= NEED_REGS;
	if (b && b->flags & BF_KSTACK)
		w->needs |= NEED_KSTACK;
	if (s && s->kind == SYM_INLINE && w->depth < INLINES_MAX) {
		w->depth++;
		need_list(w, s->expr);
		w->depth--;
	}
	return true;
}

static void need_tell(struct comp *c, const struct pdesc *d, u32 needs)
{
	for (u32 i = 0; i < d->nprobes; i++) {
		struct dtx_probe *p = d->probes[i];

		if (p->provider->for_needs && !p->stable)
			p->provider->for_needs(c->env, p, needs);
	}
}

void probe_needs(struct comp *c)
{
	for (struct clause *cl = c->ast.first; cl; cl = cl->next) {
		struct needs w = { .c = c };

		need_list(&w, cl->pred);
		need_list(&w, cl->body);
		for (struct pdesc *d = cl->descs; d && w.needs; d = d->next)
			need_tell(c, d, w.needs);
	}
}
