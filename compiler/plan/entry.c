/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * entry.c - values that a function has at its entry only (the step STEP_ENTRY): a program of
 * its own keeps the registers there, and clauses inside of the function look them up.
 *
 * It belongs to no clause, and filters that may change between the entry and the line (comm,
 * cgroup, cpu, the state of the session) are not for it: an entry that it missed would leave the
 * registers of an earlier call of the same frame.
 * Why: docs/decisions/36-lines.md
 */
#include <dtx/tables/loc.h>

#include "compiler/plan/plan.h"

struct entries {
	struct comp *c;
	const struct prog_group *group;
};

static void entry_registers(struct comp *c, const struct dtx_steps *steps)
{
	for (u32 i = 0; i < steps->n; i++)
		if (steps->v[i].op == STEP_ENTRY)
			c->plan->entry_regs |= 1u << steps->v[i].n / 8;
}

/* The program that keeps registers in probes of this kind: made at the first. */
static struct prog *entry_prog(struct comp *c, const struct dtx_probe *p)
{
	struct prog *prog, **last = &c->bprogs;

	for (; *last; last = &(*last)->next)
		if ((*last)->saves && (*last)->kind == p->prog.kind)
			return *last;
	prog = *last = ARENA_NEW(c->arena, struct prog);
	prog->index = c->nbprogs++;
	prog->kind = p->prog.kind;
	prog->ident = p->prog.ident;
	prog->saves = true;
	prog->groups = ARENA_NEW(c->arena, struct prog_group);
	prog->ngroups = 1;
	return prog;
}

/* The entry for argument i of a probe; several probes may have the same. */
static void entry_add(struct entries *s, const struct dtx_probe *p, u32 i)
{
	struct comp *c = s->c;
	struct dtx_probe *entry;
	struct prog *save;

	if (i >= p->args.n || !p->args.v[i].entry ||
	    (p->args.v[i].loc != LOC_VALUE && p->args.v[i].loc != LOC_PLACE))
		return;
	entry_registers(c, &p->args.v[i].steps);
	entry = p->provider->entry(c->env, p, p->args.v[i].entry);
	if (probe_index(c, entry) != ~0u)
		return;
	save = entry_prog(c, entry);
	entry = probe_known(c, entry);
	ARENA_PUSH(c->arena, save->probes, save->nprobes, entry);
}

static bool entry_node(struct node *n, void *arg)
{
	struct entries *s = arg;

	for (u32 i = 0; n->kind == N_ARG && i < s->group->nprobes; i++)
		entry_add(s, s->group->probes[i], n->value);
	return true;
}

void probe_entries(struct comp *c)
{
	struct entries s = { .c = c };

	for (struct prog *p = c->bprogs; p && !p->saves; p = p->next)
		for (u32 g = 0; g < p->ngroups; g++) {
			s.group = &p->groups[g];
			for (u32 i = 0; i < s.group->ninsts; i++)
				if (!s.group->insts[i]->is_error)
					clause_walk(s.group->insts[i]->pred,
						    s.group->insts[i]->body, entry_node, &s);
		}
}
