/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * flag.c - clauses on thousands of functions that wait for a flag:
 *
 *     fbt::vfs_read:entry { self->on = 1; }
 *     fbt:::entry, fbt:::return /self->on/ {}
 *     fbt::vfs_read:return { self->on = 0; }
 *
 * Their programs begin with a look at how many threads have the flag set, and end there when none
 * has.  Where the kernel has kprobe.session, entry and return are one attachment, whose program
 * says at the entry whether the return is wanted: other functions pay for their entry only.  So
 * the return of a call is seen when its entry was.
 * Why: docs/decisions/34-flags-over-functions.md
 */
#include <stdlib.h>

#include <dtx/feat.h>
#include <dtx/progkind.h>

#include "compiler/plan/plan.h"

#define GATE_MANY 1000           /* functions of a description */

/* ---- the flag of a predicate --------------------------------------------------------------- */

static bool gate_is_plain(struct node *n, void *arg)
{
	bool *plain = arg;

	*plain &= n->kind == N_BUILTIN || n->kind == N_INT || n->kind == N_STR ||
		  n->kind == N_BINARY || n->kind == N_CAST;
	return true;
}

/* The variable without which the predicate is false, if nothing before it can be a fault. */
static struct sym *gate_flag(struct node *n)
{
	bool plain = true;
	struct sym *s;

	while (n->kind == N_CAST)
		n = n->a;
	if (n->kind == N_VAR)
		return n->sym;
	if (n->kind != N_BINARY)
		return NULL;
	if (n->op == OP_ANDAND) {
		s = gate_flag(n->a);
		node_walk(n->a, gate_is_plain, &plain);
		return s || !plain ? s : gate_flag(n->b);
	}
	if (n->b->kind != N_INT || (n->op == OP_EQ ? !n->b->value : n->op != OP_NE || n->b->value))
		return NULL;
	return gate_flag(n->a);
}

static bool gate_fits(struct comp *c, struct sym *s, u32 *ngates)
{
	u32 size;

	if (s->gate)
		return true;
	size = type_is_scalar(s->type) ? type_size(c, s->type) : 0;
	if (*ngates == DTX_GATES_MAX || s->space != SPACE_SELF ||
	    !env_has(c->env, FEAT_ATOMICS) || (size != 4 && size != 8))
		return false;
	s->gate = ++*ngates;
	return true;
}

bool gate_of_prog(const struct prog *p)
{
	for (u32 i = 0; i < p->ngroups; i++)
		for (u32 k = 0; k < p->groups[i].ninsts; k++)
			if (!p->groups[i].insts[k]->gate)
				return false;
	return true;
}

/* ---- entry and return as one ---------------------------------------------------------------- */

struct gating {
	struct comp *c;
	bool *waits, *other;             /* by index of the probe: what its clauses do */
	struct keytab *entries;          /* id of an entry → index + 1 */
};

static bool gate_is_return(const struct dtx_probe *p)
{
	return progkinds[p->prog.kind].both && kind_is(p->prog.kind, KIND_RETURN);
}

static bool gate_alone(const struct gating *g, u32 i)
{
	const struct dtx_probe *p = g->c->probes[i];

	return progkinds[p->prog.kind].both && !p->stable && g->waits[i] && !g->other[i];
}

static void gate_join(struct dtx_probe *p)
{
	p->prog.kind = progkinds[p->prog.kind].both;
	p->prog.ident = IDENT_DISPATCH;
	p->prog.hook = "session";
}

/* The ids of a function's entry and return differ in the last bit: fbt.c. */
static void gate_pairs(struct gating *g)
{
	struct comp *c = g->c;

	for (u32 i = 0; i < c->nprobes; i++)
		if (gate_alone(g, i) && !gate_is_return(c->probes[i]))
			*(u32 *)keytab_put(g->entries, &c->probes[i]->id) = i + 1;
	for (u32 i = 0; i < c->nprobes; i++) {
		u32 id = c->probes[i]->id & ~1u;
		const u32 *entry = gate_alone(g, i) && gate_is_return(c->probes[i])
					   ? keytab_get(g->entries, &id)
					   : NULL;

		if (!entry)
			continue;
		gate_join(c->probes[*entry - 1]);
		gate_join(c->probes[i]);
	}
}

static void gate_sessions(struct comp *c)
{
	struct gating g = { .c = c, .entries = keytab_new(sizeof(u32), sizeof(u32)) };
	u32 off;

	g.waits = xcalloc(c->nprobes + 1, sizeof(bool));
	g.other = xcalloc(c->nprobes + 1, sizeof(bool));
	for (struct inst *i = c->insts; i; i = i->next)
		for (u32 k = 0; k < i->nprobes && !i->is_error; k++)
			(i->gate ? g.waits : g.other)[probe_index(c, i->probes[k])] = true;
	if (member_of_kernel(c, "task_struct", "bpf_ctx", &off, NULL) &&
	    member_of_kernel(c, "bpf_session_run_ctx", "is_return", &off, NULL))
		gate_pairs(&g);
	free(g.waits);
	free(g.other);
	keytab_free(g.entries);
}

void probe_gates(struct comp *c)
{
	bool any = false;
	u32 ngates = 0;

	for (struct inst *i = c->insts; i; i = i->next) {
		struct sym *s = i->pred && i->nprobes >= GATE_MANY ? gate_flag(i->pred) : NULL;

		if (s && !i->is_error && gate_fits(c, s, &ngates))
			i->gate = s;
		any |= i->gate != NULL;
	}
	if (any && env_has(c->env, FEAT_KPROBE_SESSION))
		gate_sessions(c);
}
