/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_need.c - the abilities that the code needs, for the loader on another machine.
 */
#include <dtx/feat.h>
#include <dtx/progkind.h>

#include "compiler/emit/emit-private.h"

static const char *const feature_names[FEAT_N] = {
#define FEATURE(id, name, doc) [id] = name,
#include <dtx/tables/features.def>
#undef FEATURE
};

void emit_need(struct emit *e, u32 f)
{
	struct img *img = e->c->img;

	if (!img->needs)
		img->needs = ARENA_ARRAY(img->arena, const char *, FEAT_N);
	for (u32 i = 0; i < img->nneeds; i++)
		if (img->needs[i] == feature_names[f])
			return;
	img->needs[img->nneeds++] = feature_names[f];
}

void emit_needs(struct emit *e)
{
	emit_need(e, FEAT_RINGBUF);
	if (env_has(e->c->env, FEAT_ATOMICS))
		emit_need(e, FEAT_ATOMICS);
	for (const struct inst *i = e->c->insts; i; i = i->next)
		if (i->loops && env_has(e->c->env, FEAT_LOOP))
			emit_need(e, FEAT_LOOP);
	if (e->c->plan->self_size && env_has(e->c->env, FEAT_TASK_STORAGE))
		emit_need(e, FEAT_TASK_STORAGE);
	for (struct prog *p = e->c->bprogs; p; p = p->next)
		if (progkinds[p->kind].ability != FEAT_BPF)
			emit_need(e, progkinds[p->kind].ability);
}
