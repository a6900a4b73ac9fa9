/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * group.c - groups instances into programs: which clauses run together, on which probes.
 *
 *   probe ──► list of its instances, in program order ──► signature
 *   equal signature (kind, instances, places of used arguments) ──► one group
 *   one group ──► one program; for dispatching probes one program per hook, with groups
 *
 * ERROR clauses have no program of their own: a fault runs them.  Lists of more than
 * PROG_NODES nodes (JOIN_NODES where probes share a program; weight.c), CLAUSES_MAX instances
 * or MAPS_MAX maps are cut into programs that are attached one after the other.
 */
#include <stdio.h>
#include <stdlib.h>

#include <dtx/tables/loc.h>
#include <dtx/progkind.h>
#include <dtx/tag.h>

#include "compiler/plan/plan.h"

#define CLAUSES_MAX  64
#define CLAUSE_COST  20          /* nodes: entering and leaving a clause */
#define MAPS_MAX     44          /* maps of a part: the kernel allows 64, with those that all
				  * share */

/* The instances of one probe. */
struct hits {
	struct inst **v;
	u32 n;
};

struct group {
	struct prog_group g;
	struct dtx_probe *first;
	u32 order;
	struct group *next;
};

struct grouping {
	struct comp *c;
	struct hits *hits;       /* by index of the probe */
	struct map *by_sig;      /* signature → struct group */
	struct group *first, **last;
	struct buf sig;
	const struct dtx_probe
		*prev; /* the previous probe, if it is in one group and no argument is used */
	const struct hits *prev_hits;
	struct group *prev_group;
	u32 cuts;                /* the most programs of a part */
	u32 orders;              /* the highest order of a group, and one */
	u32 error_nodes;         /* of the ERROR clauses */
	bool error_stack;        /* which take stacks: emit_error.c */
};

static void group_hit(struct arena *a, struct hits *h, struct inst *i)
{
	if (h->n && h->v[h->n - 1] == i)         /* one description, listed twice */
		return;
	ARENA_PUSH(a, h->v, h->n, i);
}

static void group_collect(struct grouping *g)
{
	struct comp *c = g->c;

	g->hits = xcalloc(c->nprobes + 1, sizeof(*g->hits));
	for (struct inst *i = c->insts; i; i = i->next)
		for (u32 k = 0; k < i->nprobes && !i->is_error; k++)
			group_hit(c->arena, &g->hits[probe_index(c, i->probes[k])], i);
}

/* ---- parts: instances that may share a program -------------------------------------------- */

/* The maps of the instances so far. */
struct parts {
	struct map *seen;        /* symbols, by address, and depths of stacks */
	u32 nmaps, part;
	u32 ninsts;              /* of the part */
};

static bool group_sees(struct parts *p, const char *key)
{
	bool seen = map_get(p->seen, key);

	map_set(p->seen, key, p);
	return seen;
}

/* Stacks of one depth share a map. */
static void group_count_stack(const struct node *n, struct parts *p)
{
	const struct type *t = n->type ? type_base(n->type) : NULL;
	char key[32];

	if (!t || t->kind != T_STACK)
		return;
	snprintf(key, sizeof(key), "stack %u", t->count);
	p->nmaps += !group_sees(p, key);
}

static bool group_count_map(struct node *n, void *arg)
{
	struct parts *p = arg;
	char key[32];

	group_count_stack(n, p);
	if (!n->sym || (n->kind != N_AGG && n->kind != N_ASSOC))
		return true;
	snprintf(key, sizeof(key), "%p", (void *)n->sym);
	if (!group_sees(p, key) && !n->sym->shelved)
		p->nmaps += n->kind == N_AGG && n->list ? 2 : 1; /* entries and their reserve */
	return true;
}

/* A clause with more aggregations and arrays than a program may have maps finds them through maps
 * of maps. */
static bool group_shelve(struct node *n, void *arg)
{
	enum node_kind *kind = arg;

	if (n->kind == *kind && n->sym)
		n->sym->shelved = true;
	return true;
}

static void group_count(struct parts *p, struct inst *i)
{
	clause_walk(i->pred, i->body, group_count_map, p);
}

/* Begins a new part; the ERROR clauses are in each. */
static void group_new_part(struct comp *c, struct parts *p)
{
	map_free(p->seen);
	p->seen = map_new();
	p->nmaps = 0;
	for (struct inst *i = c->insts; i; i = i->next)
		if (i->is_error)
			group_count(p, i);
}

static void group_make_room(struct comp *c, struct parts *p, struct inst *i, enum node_kind kind)
{
	if (p->nmaps <= MAPS_MAX)
		return;
	clause_walk(i->pred, i->body, group_shelve, &kind);
	group_new_part(c, p);
	group_count(p, i);
}

static bool group_too_long(struct comp *c, const struct inst *i)
{
	struct diag *d = diag_error(
		&c->env->diags, D_UNKNOWN, i->clause->at,
		"this clause is too long for a BPF program: %u operations and operands, at most %u "
		"are possible",
		i->nodes, CLAUSE_NODES);

	diag_hint(&c->env->diags, d, "split it into two clauses");
	return false;
}

/* What an instance adds to its program. */
static u32 group_cost(const struct grouping *g, const struct inst *i)
{
	return i->nodes + CLAUSE_COST + (g->error_stack ? g->error_nodes : 0);
}

static bool group_takes_stack(struct node *n, void *arg)
{
	bool *found = arg;

	*found |= (n->type && type_base(n->type)->kind == T_STACK) ||
		  (n->row && n->row->flags & (BF_KSTACK | BF_USTACK));
	return true;
}

static void group_errors(struct grouping *g)
{
	for (struct inst *i = g->c->insts; i; i = i->next) {
		if (!i->is_error)
			continue;
		g->error_nodes += i->nodes;
		clause_walk(i->pred, i->body, group_takes_stack, &g->error_stack);
	}
}

static bool group_parts(struct grouping *g)
{
	struct comp *c = g->c;
	struct parts p = { .seen = NULL };
	bool ok = true;

	weigh_insts(c);
	group_errors(g);
	group_new_part(c, &p);
	for (struct inst *i = c->insts; i && ok; i = i->next) {
		if (i->is_error)
			continue;
		group_count(&p, i);
		if (p.nmaps > MAPS_MAX) {
			group_new_part(c, &p);
			group_count(&p, i);
			p.part++;
			p.ninsts = 0;
		}
		group_make_room(c, &p, i, N_AGG);
		group_make_room(c, &p, i, N_ASSOC);
		i->part = p.part;
		g->cuts = MAX(g->cuts, ++p.ninsts);
		if (i->nodes > CLAUSE_NODES)
			ok = group_too_long(c, i);
	}
	map_free(p.seen);
	return ok;
}

/* ---- signatures ------------------------------------------------------------------------ */

static bool group_uses_args(const struct hits *h)
{
	for (u32 i = 0; i < h->n; i++)
		if (h->v[i]->uses_args)
			return true;
	return false;
}

/* Where the used arguments lie; others may differ. */
static void group_sig_args(struct buf *sig, const struct dtx_probe *p, const struct hits *h)
{
	u64 used = 0;

	for (u32 i = 0; i < h->n; i++)
		used |= h->v[i]->args_used;
	buf_printf(sig, " ret %d", p->place.is_syscall_return);
	for (u32 i = 0; i < p->args.n; i++) {
		const struct dtx_arg *a = &p->args.v[i];

		if (!(used >> MIN(i, 63u) & 1))
			continue;
		buf_printf(sig, "|%d %d %u %u %u %u %d %d %d %lld %s", a->loc, a->off, a->size,
			   a->slot, a->index, a->scale, a->is_signed, a->user, a->trusted,
			   a->loc == LOC_OWN ? 0 : (long long)a->value, a->text ? a->text : "");
		steps_text(&a->steps, sig);
	}
}

/* No printf(): there may be tens of thousands of probes. */
static void group_sig_num(struct buf *sig, s64 n)
{
	buf_num(sig, n);
	buf_putc(sig, ' ');
}

/* Dispatching probes of different hooks cannot share a program; BEGIN and END cannot either. */
static void group_sig(struct grouping *g, const struct dtx_probe *p, const struct hits *h,
		      bool args, u32 order)
{
	buf_reset(&g->sig);
	group_sig_num(&g->sig, p->prog.kind);
	group_sig_num(&g->sig, p->prog.ident);
	group_sig_num(&g->sig, order);
	group_sig_num(&g->sig, p->place.no_filter);
	group_sig_num(&g->sig, p->late);
	group_sig_num(&g->sig, p->place.guard != NULL);
	if (kind_is(p->prog.kind, KIND_ONCE))
		group_sig_num(&g->sig, p->id);
	for (u32 i = 0; i < h->n; i++)
		group_sig_num(&g->sig, (s64)(uintptr_t)h->v[i]);
	if (p->prog.ident == IDENT_DISPATCH)
		buf_puts(&g->sig, p->prog.hook ? p->prog.hook : "");
	if (args)
		group_sig_args(&g->sig, p, h);
}

static void group_add_probe(struct comp *c, struct group *gr, struct dtx_probe *p)
{
	ARENA_PUSH(c->arena, gr->g.probes, gr->g.nprobes, p);
}

static struct group *group_get(struct grouping *g, struct dtx_probe *p, const struct hits *h,
			       u32 order)
{
	struct group *gr = map_get(g->by_sig, g->sig.data);

	if (gr)
		return gr;
	gr = ARENA_NEW(g->c->arena, struct group);
	gr->first = p;
	gr->order = order;
	g->orders = MAX(g->orders, order + 1);
	gr->g.insts = arena_memdup(g->c->arena, h->v, h->n * sizeof(*h->v));
	gr->g.ninsts = h->n;
	*g->last = gr;
	g->last = &gr->next;
	map_set(g->by_sig, g->sig.data, gr);
	return gr;
}

/* Does it have the signature of the previous probe?  Thousands of successive probes differ only
 * in their names. */
static bool group_alike(const struct grouping *g, const struct dtx_probe *p, const struct hits *h)
{
	const struct dtx_probe *prev = g->prev;

	return prev && !p->late && !prev->late && p->prog.kind == prev->prog.kind &&
	       !kind_is(p->prog.kind, KIND_ONCE) && p->prog.ident == prev->prog.ident &&
	       p->place.no_filter == prev->place.no_filter && p->prog.hook == prev->prog.hook &&
	       !p->place.guard == !prev->place.guard &&
	       h->n == g->prev_hits->n && !memcmp(h->v, g->prev_hits->v, h->n * sizeof(*h->v));
}

/* Do they use what the function of the probe returns? */
static bool group_uses_result(const struct dtx_probe *p, const struct hits *h)
{
	u64 used = 0;

	for (u32 i = 0; i < h->n; i++)
		used |= h->v[i]->args_used;
	return p->args.ret >= 0 && used >> MIN(p->args.ret, 63) & 1;
}

static bool group_probe(struct grouping *g, struct dtx_probe *p, struct hits *h)
{
	bool args = group_uses_args(h);
	bool result = (p->place.for_result || p->place.waits) && args && group_uses_result(p, h);

	if (p->place.for_result && !result)
		return true;
	if (p->place.waits && result)
		p->place.guard = p->place.waits;
	if (args && !p->args.state && provider_args(g->c->env, p, ARGS_TYPED) < 0) {
		ERR(g->c, DIAG_NONE, h->v[0]->desc->at, "%s",
		    diags_take(&g->c->env->diags, "the arguments of a probe cannot be determined"));
		return false;
	}
	if (!args && p->provider->without_args && p->provider->without_args(g->c->env, p) < 0) {
		ERR(g->c, DIAG_NONE, h->v[0]->desc->at, "%s",
		    diags_take(&g->c->env->diags, "the probe cannot be attached"));
		return false;
	}
	if (!args && group_alike(g, p, h)) {
		group_add_probe(g->c, g->prev_group, p);
		return true;
	}
	g->prev = NULL;
	for (u32 i = 0, cut = 0; i < h->n;) {
		struct hits part = { .v = h->v + i };
		u32 order, nodes = group_cost(g, part.v[0]);

		for (part.n = 1; part.n < MIN(h->n - i, (u32)CLAUSES_MAX); part.n++) {
			nodes += group_cost(g, part.v[part.n]);
			if (part.v[part.n]->part != part.v[0]->part || nodes > PROG_NODES)
				break;
		}
		cut = i && h->v[i - 1]->part == part.v[0]->part ? cut + 1 : 0;
		order = part.v[0]->part * g->cuts + cut;
		group_sig(g, p, &part, args, order);
		g->prev_group = group_get(g, p, &part, order);
		group_add_probe(g->c, g->prev_group, p);
		if (!args && part.n == h->n)
			g->prev = p;
		i += part.n;
	}
	g->prev_hits = h;
	return true;
}

/* ---- programs -------------------------------------------------------------------------------- */

static struct prog *group_prog(struct grouping *g, const struct group *gr, struct prog ***last)
{
	struct prog *p = ARENA_NEW(g->c->arena, struct prog);

	p->index = g->c->nbprogs++;
	p->kind = gr->first->prog.kind;
	p->ident = gr->first->prog.ident;
	p->order = gr->order;
	**last = p;
	*last = &p->next;
	return p;
}

static void group_join(struct comp *c, struct prog *p, const struct group *gr)
{
	struct prog_group *groups = ARENA_ARRAY(c->arena, struct prog_group, p->ngroups + 1);
	struct dtx_probe **probes;

	if (p->ngroups)
		memcpy(groups, p->groups, p->ngroups * sizeof(*groups));
	groups[p->ngroups++] = gr->g;
	p->groups = groups;
	probes = ARENA_ARRAY(c->arena, struct dtx_probe *, p->nprobes + gr->g.nprobes);
	if (p->nprobes)
		memcpy(probes, p->probes, p->nprobes * sizeof(*probes));
	memcpy(probes + p->nprobes, gr->g.probes, gr->g.nprobes * sizeof(*probes));
	p->probes = probes;
	p->nprobes += gr->g.nprobes;
}

static u32 group_nodes(const struct grouping *g, const struct prog_group *p)
{
	u32 nodes = 0;

	for (u32 i = 0; i < p->ninsts; i++)
		nodes += group_cost(g, p->insts[i]);
	return nodes;
}

/* Dispatching groups of one kind, hook and order share a program, while they fit: those that the
 * filters hold for, and those of the option unfiltered. */
static void group_program(struct grouping *g, const struct group *gr, struct prog ***last)
{
	struct prog *p;

	if (gr->first->prog.ident != IDENT_DISPATCH) {
		group_join(g->c, group_prog(g, gr, last), gr);
		return;
	}
	buf_reset(&g->sig);
	buf_printf(&g->sig, "hook %d %s %u %d", gr->first->prog.kind,
		   gr->first->prog.hook ? gr->first->prog.hook : "", gr->order,
		   gr->first->place.no_filter);
	p = map_get(g->by_sig, g->sig.data);
	if (!p || p->nodes + group_nodes(g, &gr->g) > JOIN_NODES) {
		p = group_prog(g, gr, last);
		map_set(g->by_sig, g->sig.data, p);
	}
	p->nodes += group_nodes(g, &gr->g);
	group_join(g->c, p, gr);
}

/* The programs of a probe come in the order of its clauses, in which they are to run: groups of a
 * later probe may be those of an earlier one, at any order. */
static void group_programs(struct grouping *g)
{
	struct prog **last = &g->c->bprogs;

	for (u32 order = 0; order < g->orders; order++)
		for (const struct group *gr = g->first; gr; gr = gr->next)
			if (gr->order == order)
				group_program(g, gr, &last);
}

bool probe_group(struct comp *c)
{
	struct grouping g = { .c = c, .by_sig = map_new() };
	bool ok;

	probe_join(c);
	ok = group_parts(&g);
	g.last = &g.first;
	probe_apart(c);
	probe_gates(c);
	group_collect(&g);
	for (u32 i = 0; i < c->nprobes && ok; i++)
		if (g.hits[i].n)
			ok = group_probe(&g, c->probes[i], &g.hits[i]);
	if (ok)
		group_programs(&g);
	if (ok)
		probe_entries(c);
	free(g.hits);
	map_free(g.by_sig);
	buf_free(&g.sig);
	return ok;
}
