/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dispatch.c - probes that share an attachment with a dispatching program: are they better off with
 * one each?
 *
 * Each event of the shared attachment runs the program, also those that no clause asks for.  The
 * provider knows what its events cost and how often they are; here is what it cannot see: with the
 * option strict nothing may be lost, and the kernel can skip the program of a perf event inside
 * another one; the kernel's stack begins at another place there.
 */
#include <stdlib.h>

#include <dtx/progkind.h>

#include "compiler/plan/plan.h"

static bool apart_takes_stack(struct node *n, void *arg)
{
	bool *found = arg;

	*found |= n->row && n->row->flags & BF_KSTACK;
	return true;
}

static bool apart_is_shared(const struct dtx_probe *p)
{
	return p->prog.ident == IDENT_DISPATCH && p->provider->split && !p->stable;
}

/* Of each probe, by index: must it stay where it is? */
static void apart_stays(struct comp *c, bool *stays)
{
	bool error = false;

	for (struct inst *i = c->insts; i; i = i->next)
		if (i->is_error)
			clause_walk(i->pred, i->body, apart_takes_stack, &error);
	for (struct inst *i = c->insts; i; i = i->next) {
		bool stack = error;

		if (i->is_error)
			continue;
		clause_walk(i->pred, i->body, apart_takes_stack, &stack);
		for (u32 k = 0; stack && k < i->nprobes; k++)
			stays[probe_index(c, i->probes[k])] = true;
	}
}

/* The probes with the hook of the first one. */
static void apart_hook(struct comp *c, u32 first, const bool *stays, bool *seen)
{
	struct dtx_probe **v = xcalloc(c->nprobes, sizeof(*v));
	const char *hook = c->probes[first]->prog.hook;
	bool stay = false;
	u32 n = 0;

	for (u32 i = first; i < c->nprobes; i++) {
		if (!apart_is_shared(c->probes[i]) || strcmp(c->probes[i]->prog.hook, hook))
			continue;
		v[n++] = c->probes[i];
		stay |= stays[i];
		seen[i] = true;
	}
	if (!stay)
		v[0]->provider->split(c->env, v, n);
	free(v);
}

#define OWN_MOST 64              /* user probes with a program each: loading one takes about 1 ms */

/* One that stands for probes of later programs is loaded for each of these. */
static bool apart_has_own(const struct dtx_probe *p)
{
	return progkinds[p->prog.kind].one && !p->late;
}

/* maxoverhead detaches programs: then a cheap probe must not be in one with an expensive one. */
static void apart_user(struct comp *c)
{
	u32 n = 0;

	for (u32 i = 0; i < c->nprobes; i++)
		n += apart_has_own(c->probes[i]);
	for (u32 i = 0; i < c->nprobes && n <= OWN_MOST; i++) {
		struct dtx_probe *p = c->probes[i];

		if (apart_has_own(p)) {
			p->prog.kind = progkinds[p->prog.kind].one;
			p->prog.ident = IDENT_ONE;
		}
	}
}

void probe_apart(struct comp *c)
{
	bool *stays, *seen;
	u32 first = 0;

	if (env_is_limited(c->env))
		apart_user(c);

	while (first < c->nprobes && !apart_is_shared(c->probes[first]))
		first++;
	if (first == c->nprobes || env_is_strict(c->env))
		return;
	stays = xcalloc(c->nprobes, sizeof(*stays));
	seen = xcalloc(c->nprobes, sizeof(*seen));
	apart_stays(c, stays);
	for (u32 i = first; i < c->nprobes; i++)
		if (!seen[i] && apart_is_shared(c->probes[i]))
			apart_hook(c, i, stays, seen);
	free(stays);
	free(seen);
}
