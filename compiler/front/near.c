/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * near.c - names like one that is not known: "did you mean".
 */
#include "compiler/front/front.h"

void near_offer(struct near *near, const char *name)
{
	unsigned max = strlen(near->wanted) < 4 ? 1 : strlen(near->wanted) < 8 ? 2 : 3;
	unsigned d;
	u32 i;

	if (!name || !*name || !strcmp(name, near->wanted))
		return;
	d = edit_distance(near->wanted, name, max);
	if (d > max)
		return;
	for (i = 0; i < near->n; i++)
		if (!strcmp(near->name[i], name))
			return;
	for (i = near->n; i > 0 && near->dist[i - 1] > d; i--)
		if (i < NEAR_MAX) {
			near->name[i] = near->name[i - 1];
			near->dist[i] = near->dist[i - 1];
		}
	if (i == NEAR_MAX)
		return;
	near->name[i] = name;
	near->dist[i] = d;
	near->n = MIN(near->n + 1, (u32)NEAR_MAX);
}

void near_hint(struct comp *c, struct diag *d, const struct near *near, const char *otherwise)
{
	struct diags *ds = &c->env->diags;

	if (near->n == 1)
		diag_hint(ds, d, "did you mean '%s'?", near->name[0]);
	else if (near->n == 2)
		diag_hint(ds, d, "did you mean '%s' or '%s'?", near->name[0], near->name[1]);
	else if (near->n)
		diag_hint(ds, d, "did you mean '%s', '%s' or '%s'?", near->name[0],
			  near->name[1], near->name[2]);
	else if (otherwise)
		diag_hint(ds, d, "%s", otherwise);
}

void near_syms(struct comp *c, struct near *near, enum sym_space space)
{
	for (struct sym *s = c->syms; s; s = s->next)
		if (s->space == space)
			near_offer(near, s->name);
}

void near_builtins(struct near *near, bool funcs)
{
	for (u32 i = 0; i < nbuiltins; i++)
		if ((builtins[i].kind != BK_VAR) == funcs)
			near_offer(near, builtins[i].name);
}

void near_members(struct near *near, struct type *su)
{
	su = type_complete(type_base(su));
	if (!su || (su->kind != T_STRUCT && su->kind != T_UNION))
		return;
	for (u32 i = 0; i < su->count; i++) {
		if (su->members[i].name && *su->members[i].name)
			near_offer(near, su->members[i].name);
		else
			near_members(near, su->members[i].type);
	}
}
