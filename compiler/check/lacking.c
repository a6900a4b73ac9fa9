/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lacking.c - members of stable types that the kernel cannot fill (lacking.def): told once, at the
 * place in the program that uses one.
 */
#include "compiler/check/check-private.h"

static const struct lacking {
	const char *type, *from, *members, *why;
} lacking[] = {
#define LACKS(type, from, members, why) { type, from, members, why },
#include <dtx/tables/lacking.def>
};

static bool lacking_has(struct comp *c, const char *globs, const char *name)
{
	size_t len;

	for (; *globs; globs += len + (globs[len] == ' ')) {
		len = strcspn(globs, " ");
		if (glob_matches(arena_strndup(c->arena, globs, len), name))
			return true;
	}
	return false;
}

static const struct lacking *lacking_find(struct comp *c, const struct translator *x,
					  const char *member)
{
	const char *type = TYPE_TEXT(c, x->out), *from = TYPE_TEXT(c, x->in);

	for (u32 i = 0; i < ARRAY_SIZE(lacking); i++)
		if (!strcmp(lacking[i].type, type) &&
		    (!strcmp(lacking[i].from, "*") || !strcmp(lacking[i].from, from)) &&
		    lacking_has(c, lacking[i].members, member))
			return &lacking[i];
	return NULL;
}

void lacking_tell(struct comp *c, const struct node *use, const struct translator *x,
		  const char *member)
{
	const struct lacking *l;

	if (!use->at.src || use->at.src->is_library || !x->at.src || !x->at.src->is_library)
		return;
	l = lacking_find(c, x, member);
	if (!l || !scope_once(c, arena_printf(c->arena, "%s %s", l->type, l->why)))
		return;
	diag_remark(&c->env->diags, use->at, "'%s' is not available here: %s", member, l->why);
}
