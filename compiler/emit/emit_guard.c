/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_guard.c - probes that fire only sometimes at their place (place.guard): the program
 * first asks bpf/guard.bpf.c.
 */
#include <linux/bpf.h>
#include <stdlib.h>

#include <dtx/tables/maprole.h>

#include "compiler/emit/emit-private.h"

bool emit_is_guarded(const struct prog *p)
{
	return p->nprobes && p->probes[0]->place.guard;
}

/* Have its probes to do with returns that wait for the end of another function? */
static bool is_waiting(const struct prog *p)
{
	for (u32 i = 0; i < p->nprobes; i++)
		if (p->probes[i]->place.guard && p->probes[i]->place.guard->what >= DTX_GUARD_WAIT)
			return true;
	return false;
}

static void waits_map(struct emit *e)
{
	const struct prog *p = e->c->bprogs;
	struct img_map *m;

	while (p && !is_waiting(p))
		p = p->next;
	if (!p)
		return;
	m = emit_new_map(e, ROLE_waits);
	m->max_entries = DTX_WAITS_MAX;
}

void emit_guard_map(struct emit *e)
{
	const struct prog *p = e->c->bprogs;
	struct img_map *m;

	waits_map(e);
	while (p && !emit_is_guarded(p))
		p = p->next;
	if (!p)
		return;
	m = emit_new_map(e, ROLE_turns);
	m->max_entries = DTX_TURNS_MAX;
}

/* Guards of the program's probes, each once, and for each probe the number of its guard. */
struct guards {
	struct dtx_guard *v;
	u32 *of, n;
};

static struct guards guards_of(const struct emit *e)
{
	struct guards g = { xcalloc(e->p.prog->nprobes, sizeof(*g.v)),
			    xcalloc(e->c->nprobes, sizeof(u32)), 0 };

	for (u32 i = 0; i < e->p.prog->nprobes; i++) {
		const struct dtx_probe *p = e->p.prog->probes[i];
		u32 k = g.n > 8 ? g.n - 8 : 0;   /* neighbours are often alike */
		struct dtx_guard own = *p->place.guard;

		if (own.what >= DTX_GUARD_WAIT)
			own.part = e->p.prog->order;
		while (k < g.n && memcmp(&g.v[k], &own, sizeof(own)))
			k++;
		if (k == g.n)
			g.v[g.n++] = own;
		g.of[probe_index(e->c, p)] = k;
	}
	return g;
}

static val bounded(struct emit *e, val i, u32 n)
{
	return ll_call(e, "dtx_clamp", i, ll_num(e, n - 1));
}

/* After emit_ident(). */
void emit_guard(struct emit *e, block quit)
{
	struct guards g;
	val table, at = ll_num(e, 0), probe;

	if (e->p.prog->probes[0]->late) {
		ll_only_if(e, ll_call(e, "dtx_late_guard", e->f.frame), quit);
		return;
	}
	g = guards_of(e);
	table = ll_rodata(e, g.v, g.n * sizeof(*g.v), "guards");
	if (g.n > 1) {
		probe = bounded(e, ll_load(e, emit_m(e, probe), 4, false), e->c->nprobes);
		at = ll_load(e, ll_off_var(e, ll_rodata(e, g.of, e->c->nprobes * sizeof(u32),
							"guard_of"),
					   LLVMBuildShl(e->b, probe, ll_num(e, 2), "")), 4, false);
		at = bounded(e, at, g.n);
	}
	at = LLVMBuildMul(e->b, at, ll_num(e, sizeof(*g.v)), "");
	ll_only_if(e, ll_call(e, is_waiting(e->p.prog) ? "dtx_wait_guard" : "dtx_guard", e->f.frame,
			      ll_off_var(e, table, at)), quit);
	free(g.v);
	free(g.of);
}
