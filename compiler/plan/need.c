/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * need.c - what clauses use at their probes: registers, the kernel stack, the program counter.
 *
 * Providers choose by it how to attach, and that decides where arguments lie. So it must be
 * known before typing: it is found from the names in the parsed text, also inside inlines.
 * Why: docs/decisions/32-function-attachment.md
 */
#include <dtx/opt.h>

#include "compiler/plan/plan.h"

#define INLINES_MAX 100          /* the checker reports deeper ones */

struct needs {
	struct comp *c;
	u32 walk;                /* its number */
	u32 needs, depth;
};

static struct needs need_start(struct comp *c, u32 needs)
{
	return (struct needs){ .c = c, .walk = ++c->nwalks, .needs = needs };
}

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
	struct sym *s = named ? scope_find(w->c, SPACE_GLOBAL, n->name) : NULL;
	const struct builtin *b = named && !s ? builtin_find(n->name) : NULL;

	if (b && b->flags & BF_REGS)
		w->needs |= NEED_REGS;
	if (b && b->flags & BF_KSTACK)
		w->needs |= NEED_KSTACK;
	if (b && b->flags & BF_PC)
		w->needs |= NEED_PC;
	if (b && b->flags & BF_UWALK)
		w->needs |= NEED_USTACK;
	if (s && s->kind == SYM_INLINE && s->walk != w->walk && w->depth < INLINES_MAX) {
		s->walk = w->walk;       /* again would tell nothing new, and may double */
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

/* ERROR clauses read it of the place of the fault, which may be any. */
static u32 need_of_errors(struct comp *c)
{
	struct needs w = need_start(c, 0);

	for (struct clause *cl = c->ast.first; cl; cl = cl->next)
		for (struct pdesc *d = cl->descs; d; d = d->next)
			if (d->nprobes && d->probes[0]->id == ID_ERROR) {
				need_list(&w, cl->pred);
				need_list(&w, cl->body);
			}
	return w.needs & (NEED_PC | NEED_USTACK) ? NEED_PC : 0;
}

/* Which clauses use a translator of the program is known only after typing. */
static u32 need_of_translators(struct comp *c)
{
	struct needs w = need_start(c, 0);

	for (struct translator *x = c->ast.xlates; x; x = x->next)
		for (struct xlate_member *m = x->members; m; m = m->next)
			need_list(&w, m->expr);
	return w.needs & (NEED_PC | NEED_USTACK);
}

/* Does this kernel show which files a process has mapped? */
static bool shows_files(struct comp *c)
{
	u32 off;

	return member_of_kernel(c, "mm_struct", "mm_mt", &off, NULL) ||
	       member_of_kernel(c, "mm_struct", "mm_rb", &off, NULL);
}

enum walk need_user_walk(struct comp *c)
{
	const char *how = opt_text(c->env, OPT_ustackunwind);

	if (!strcmp(how, "off") || !shows_files(c))
		return WALK_PLAIN;
	return strcmp(how, "fp") ? WALK_TABLES : WALK_FILES;
}

void probe_needs(struct comp *c)
{
	u32 others = need_of_errors(c) | need_of_translators(c);

	for (struct clause *cl = c->ast.first; cl; cl = cl->next) {
		struct needs w = need_start(c, others);

		need_list(&w, cl->pred);
		need_list(&w, cl->body);
		if (w.needs & NEED_USTACK && need_user_walk(c) != WALK_TABLES)
			w.needs |= NEED_PC;      /* the kernel walks, from where the probe is */
		for (struct pdesc *d = cl->descs; d && w.needs; d = d->next)
			need_tell(c, d, w.needs);
	}
}

/* ---- entries of user functions that are probed after their first instruction ---------------- */

static const u64 *need_place(struct map *paths, const struct dtx_probe *p, u64 off, u64 key[2])
{
	uintptr_t file = (uintptr_t)map_get(paths, p->place.target);

	if (!file) {
		file = map_count(paths) + 1;
		map_set(paths, p->place.target, (void *)file);
	}
	key[0] = file;
	key[1] = off;
	return key;
}

static bool need_pasts(const struct comp *c)
{
	for (u32 i = 0; i < c->nprobes; i++)
		if (c->probes[i]->place.past && !c->probes[i]->late)
			return true;
	return false;
}

/* If another probe of the program is there, they would fire in the order in which they are
 * attached: the entry stays where it is. */
void probe_pasts(struct comp *c)
{
	struct keytab *taken;
	struct map *paths;
	u64 key[2];

	if (!need_pasts(c))
		return;
	taken = keytab_new(2 * sizeof(u64), 1);
	paths = map_new();
	for (u32 i = 0; i < c->nprobes; i++)
		if (c->probes[i]->place.user_ctx && c->probes[i]->place.target)
			keytab_put(taken, need_place(paths, c->probes[i],
						     c->probes[i]->place.off, key));
	for (u32 i = 0; i < c->nprobes; i++) {
		struct dtx_probe *p = c->probes[i];

		if (p->place.past && p->place.target &&
		    keytab_get(taken, need_place(paths, p, p->place.off + p->place.past, key)))
			p->place.past = 0;
	}
	keytab_free(taken);
	map_free(paths);
}
