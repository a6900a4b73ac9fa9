/* SPDX-License-Identifier: BSD-2-Clause */
/* layout_prog.c - the probes and programs of the image; which probes a clause has. */
#include <dtx/progkind.h>

#include "compiler/plan/plan.h"

static void layout_probes(struct comp *c)
{
	struct img *img = c->img;
	u32 longest = img->late ? DTX_LATE_TEXT : 1;

	img->nprobes = c->nprobes;
	img->probes = ARENA_ARRAY(img->arena, struct dtx_probe, c->nprobes);
	for (u32 i = 0; i < c->nprobes; i++) {
		const struct dtx_probe *p = c->probes[i];

		img->probes[i] = *p;
		if (p->place.user_ctx)           /* it is attached at its offset */
			img->probes[i].place.sym = NULL;
		longest = MAX(longest, strlen(p->prov) + 1);
		longest = MAX(longest, strlen(p->mod) + 1);
		longest = MAX(longest, strlen(p->func) + 1);
		longest = MAX(longest, strlen(p->name) + 1);
	}
	c->plan->probe_str_max = MIN(longest, c->plan->strsize + 1);
}

#define RUNS_MAX  32             /* of probes, for a site; more become one */
#define SAID_MOST 40             /* bytes of descriptions, after the first */

/* "syscall::read:entry, syscall::write:entry, ...": the descriptions of a clause, for messages. */
static const char *layout_said(struct comp *c, const struct clause *cl)
{
	const char *text = NULL;

	for (const struct pdesc *d = cl->descs; d; d = d->next) {
		if (text && strlen(text) + strlen(d->text) > SAID_MOST)
			return arena_printf(c->img->arena, "%s, ...", text);
		text = text ? arena_printf(c->img->arena, "%s, %s", text, d->text) : d->text;
	}
	return text;
}

static bool look_for_agg(struct node *n, void *found)
{
	*(bool *)found |= n->kind == N_AGG;
	return true;
}

/* Adjacent probes of the site are a run: functions of a pattern lie together. */
void layout_site_probes(struct comp *c, const struct inst *inst, struct img_site *site)
{
	u32 *runs = ARENA_ARRAY(c->img->arena, u32, 2 * RUNS_MAX);
	u32 n = 0;

	site->runs = runs;
	for (u32 i = 0; i < inst->nprobes; i++) {
		u32 at = probe_index(c, inst->probes[i]);

		if (n && at == runs[n - 1] + 1) {
			runs[n - 1]++;
		} else if (n < 2 * RUNS_MAX && !site->runs_more) {
			runs[n++] = at;
			runs[n++] = at;
		} else {
			for (u32 k = 0; k < n; k++) {
				runs[0] = MIN(runs[0], MIN(runs[k], at));
				runs[1] = MAX(runs[1], MAX(runs[k], at));
			}
			n = 2;
			site->runs_more = true;
		}
	}
	site->nruns = n;
	site->said = layout_said(c, inst->clause);
	if (inst->clause->pred)
		site->pred = label_of(c, inst->clause->pred);
	clause_walk(NULL, inst->body, look_for_agg, &site->aggregates);
	site->narrowed = inst->pred && !inst->clause->pred;
}

static void layout_prog(struct comp *c, const struct prog *p, struct img_prog *out)
{
	out->name = arena_printf(c->img->arena, "dtx_prog_%u", p->index);
	out->section = arena_printf(c->img->arena, "dtx/%u", p->index);
	out->kind = p->kind;
	out->ident = p->ident;
	out->order = p->order;
	out->saves = p->saves;
	out->nprobes = p->nprobes;
	out->probes = ARENA_ARRAY(c->img->arena, u32, p->nprobes);
	for (u32 i = 0; i < p->nprobes; i++)
		out->probes[i] = probe_index(c, p->probes[i]);
}

static void layout_progs(struct comp *c)
{
	struct img *img = c->img;

	img->nprogs = c->nbprogs;
	img->progs = ARENA_ARRAY(img->arena, struct img_prog, c->nbprogs);
	img->begin_prog = img->end_prog = -1;
	for (struct prog *p = c->bprogs; p; p = p->next) {
		layout_prog(c, p, &img->progs[p->index]);
		if (!kind_is(p->kind, KIND_ONCE) || p->order)
			continue;
		if (!strcmp(p->probes[0]->name, "BEGIN"))
			img->begin_prog = p->index;
		else if (!strcmp(p->probes[0]->name, "END"))
			img->end_prog = p->index;
	}
}

void layout_programs(struct comp *c)
{
	layout_probes(c);
	layout_progs(c);
}
