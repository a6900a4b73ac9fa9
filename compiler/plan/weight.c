/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * weight.c - how much clauses cost the verifier: which programs are large, and how much
 * fits into one program.
 *
 * The verifier follows every path, and ends one only where it has already seen the same
 * values.  A small program may keep values in registers and on the stack, because it has
 * few paths.  In a large one their number doubles at each condition whose result is used
 * again later, until the kernel's limit of a million instructions.  So the code of large
 * programs keeps pending values in scratch memory, which the verifier does not track:
 * paths are equal where they meet, and the work grows with the length of the program
 * (emit_hold.c).
 *
 * Measured over random programs: a node of the typed tree then costs the verifier 100 to
 * 130 steps, the functions of the library 60,000 for all.
 * Why: docs/decisions/14-large-programs.md
 */
#include <dtx/feat.h>

#include "compiler/plan/plan.h"

#define LARGE_FORKS  12          /* branches in a clause */
#define LARGE_NODES  600         /* nodes of all clauses of a program */
#define LONG_NODES   500         /* nodes of a clause that is several functions */
#define PART_NODES   400         /* nodes of each of them */
#define TURNS_ALL    131072      /* of all loops of a clause, in one firing */
#define TURN_JUMPS   4000        /* in all turns of all clauses, if the verifier follows each: its
				  * limit is 8,192 (BPF_COMPLEXITY_LIMIT_JMP_SEQ) */
#define TURN_STEPS   800000      /* the same: its limit is a million */
#define NODE_STEPS   30
#define FIND_STEPS   900         /* to look up a variable, or make it */
#define LOOP_JUMPS   16          /* in a loop of which it can follow each turn by itself */
#define LOOP_STEPS   300000      /* the same, in all turns of the loops whose end it cannot tell */
#define WIDE_PLACES  10          /* words of an element that is built: STACK_KEY_MAX */

static bool is_fork(const struct node *n)
{
	switch (n->kind) {
	case N_IF:
	case N_COND:
	case N_ASSOC:
	case N_STRINGOF:
		return true;
	case N_CALL:
		return n->row->lower != BL_RECORD;
	case N_VAR:
		return n->sym->space == SPACE_SELF;
	case N_UNARY:
		return n->op == '!';
	case N_BINARY:
		return n->op >= OP_LE || n->op == '<' || n->op == '>' || n->op == '/' ||
		       n->op == '%';
	default:
		return false;
	}
}

struct weight {
	u32 nodes, forks, wide, loops, elements, found;
};

static bool weigh_node(struct node *n, void *arg)
{
	struct weight *w = arg;

	w->nodes++;
	w->forks += is_fork(n);
	w->loops += n->kind == N_LOOP;
	w->elements += n->kind == N_ASSOC;
	w->found += n->kind == N_ASSOC || (n->kind == N_VAR && n->sym->space == SPACE_SELF);
	w->wide += n->kind == N_ASSIGN && !type_is_scalar(n->a->type);
	return true;
}

static void weigh_list(struct weight *w, struct node *list)
{
	for (; list; list = list->next)
		node_walk(list, weigh_node, w);
}

static u32 jumps_of(const struct weight *w)
{
	return w->forks + w->loops + 2 * w->elements;
}

static u32 steps_of(const struct weight *w)
{
	return NODE_STEPS * w->nodes + FIND_STEPS * w->found;
}

/* Only values on the stack are known to the verifier: those of clause-local variables. */
static bool find_unknown(struct node *n, void *arg)
{
	bool *unknown = arg;

	*unknown |= n->kind == N_ASSOC || (n->kind == N_VAR && n->sym->space != SPACE_THIS);
	return true;
}

struct follow {
	u32 jumps;               /* of the loop with most of them */
	u64 steps;               /* of all turns that loops may have if their end is unknown */
};

static bool weigh_loop(struct node *n, void *arg)
{
	struct follow *f = arg;
	struct weight w = { 0 };
	bool unknown = false;

	if (n->kind != N_LOOP)
		return true;
	node_walk(n, weigh_node, &w);
	f->jumps = MAX(f->jumps, jumps_of(&w));
	if (n->a)
		node_walk(n->a, find_unknown, &unknown);
	if (unknown)
		f->steps += n->value * steps_of(&w);
	return true;
}

/* The verifier follows each turn of a loop with all that may be known at its beginning, and if it
 * cannot tell when the loop ends, as many turns as one may have.  A loop that is hard to follow is
 * called by turns, as loops that are nested more than once. */
static void weigh_deep(struct comp *c, struct inst *i)
{
	struct follow f = { 0 };

	for (struct node *n = i->body; n; n = n->next)
		node_walk(n, weigh_loop, &f);
	if (i->deep || (f.jumps <= LOOP_JUMPS && f.steps <= LOOP_STEPS))
		return;
	i->deep = true;
	c->ndeep++;
}

void weigh_insts(struct comp *c)
{
	for (struct inst *i = c->insts; i; i = i->next) {
		struct weight w = { 0 };

		weigh_list(&w, i->pred);
		weigh_list(&w, i->body);
		if (w.loops && !env_has(c->env, FEAT_LOOP))
			weigh_deep(c, i);
		i->nodes = w.nodes;
		i->forks = w.forks;
		i->loops = w.loops;
		i->jumps = jumps_of(&w);
		i->steps = steps_of(&w);
	}
}

/* How many turns a clause of so many steps may make, if `clauses` share the limit.  The verifier
 * drops states that were of no use several times, and follows their turns again.  So T turns take
 * at most steps * T * (T + 100) / 256; random clauses took 0.1 to 0.9 of it on Linux 5.10. */
static u32 turns_within(u32 steps, u32 clauses)
{
	u64 all = (u64)steps * clauses, turns = 1;

	while (all * (turns + 1) * (turns + 1 + 100) / 256 <= TURN_STEPS)
		turns++;
	return turns;
}

bool weigh_kernel_loops(const struct comp *c, const struct inst *i)
{
	return i->loops && env_has(c->env, FEAT_LOOP);
}

u32 weigh_turns(const struct comp *c, const struct inst *i)
{
	if (weigh_kernel_loops(c, i))
		return TURNS_ALL;
	if (!i->deep)
		return 0;
	return MAX(MIN(TURN_JUMPS / c->ndeep / i->jumps, turns_within(i->steps, c->ndeep)), 1u);
}

static bool weigh_parts(const struct comp *c, const struct inst *i)
{
	return weigh_turns(c, i) || i->nodes > LONG_NODES;
}

struct node *weigh_part(struct node *first, bool *loops)
{
	struct node *last = first;
	u32 nodes = 0;

	*loops = false;
	for (struct node *n = first; n; n = n->next) {
		struct weight w = { 0 };

		node_walk(n, weigh_node, &w);
		nodes += w.nodes;
		if (n != first && nodes > PART_NODES)
			break;
		*loops |= w.loops;
		last = n;
	}
	return last;
}

/* Where loops are jumps back, the verifier follows fewer turns if it knows the variables. */
static bool weigh_forks(const struct comp *c, const struct inst *i)
{
	return i->forks > LARGE_FORKS && (!i->loops || weigh_turns(c, i));
}

static void weigh_inst(const struct comp *c, struct prog *p, const struct inst *i, u32 *nodes)
{
	*nodes += i->nodes;
	if (weigh_forks(c, i) || *nodes > LARGE_NODES || i->parts)
		p->large = true;
}

/* If one clause of the program is several functions, all are: the stacks of the program and of the
 * function that it calls are one stack for the verifier.  False: nothing has changed. */
static bool share_parts(struct prog *p)
{
	bool any = false, changed = false;

	for (u32 g = 0; g < p->ngroups; g++)
		for (u32 i = 0; i < p->groups[g].ninsts; i++)
			any |= p->groups[g].insts[i]->parts;
	for (u32 g = 0; g < p->ngroups && any; g++)
		for (u32 i = 0; i < p->groups[g].ninsts; i++) {
			changed |= !p->groups[g].insts[i]->parts;
			p->groups[g].insts[i]->parts = true;
		}
	return changed;
}

/* A fault in any clause runs the ERROR clauses: they are part of every program. */
void weigh_programs(struct comp *c)
{
	bool changed = true;

	for (struct inst *i = c->insts; i; i = i->next)
		i->parts = weigh_parts(c, i);
	while (changed) {
		changed = false;
		for (struct prog *p = c->bprogs; p; p = p->next)
			changed |= share_parts(p);
	}
	for (struct prog *p = c->bprogs; p; p = p->next) {
		u32 nodes = 0;

		for (u32 g = 0; g < p->ngroups; g++)
			for (u32 i = 0; i < p->groups[g].ninsts; i++)
				weigh_inst(c, p, p->groups[g].insts[i], &nodes);
		for (struct inst *i = c->insts; i; i = i->next)
			if (i->is_error)
				weigh_inst(c, p, i, &nodes);
	}
}

u32 weigh_loops(const struct comp *c)
{
	u32 most = 0;

	for (const struct inst *i = c->insts; i; i = i->next)
		if (i->parts)
			most = MAX(most, 1 + i->loops);
	return most;
}

/* ---- values that wait -------------------------------------------------------------------- */

/* Fewer than the nodes of the largest statement. */
static u32 waiting(struct node *list)
{
	u32 most = 0;

	for (; list; list = list->next) {
		struct weight w = { 0 };

		if (list->kind == N_IF || list->kind == N_BLOCK || list->kind == N_LOOP) {
			u32 yes = waiting(list->b), no = waiting(list->c);

			most = MAX(most, MAX(yes, no));
			if (list->a)
				node_walk(list->a, weigh_node, &w);
		} else {
			node_walk(list, weigh_node, &w);
		}
		most = MAX(most, w.nodes + w.wide * WIDE_PLACES + 1);
	}
	return most;
}

u32 weigh_waiting(struct comp *c)
{
	u32 most = 0;

	for (struct inst *i = c->insts; i; i = i->next) {
		u32 pred = waiting(i->pred), body = waiting(i->body);

		most = MAX(most, MAX(pred, body));
	}
	return most;
}
