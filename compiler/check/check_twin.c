/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_twin.c - types of the kernel, named in clauses on probes of programs that have a type of
 * the same name: which one is meant cannot be known, and the other one's places would be read.
 * Why: docs/decisions/23-dwarf-types.md
 */
#include <dtx/tag.h>

#include "compiler/check/check-private.h"

/* A clause of the program that is at probes of programs. */
static bool is_user(struct comp *c, const struct kernel_tag *tag)
{
	const struct clause *in = NULL;

	for (struct toplevel *t = c->ast.toplevel; t; t = t->next) {
		const struct clause *cl = t->kind == TOP_CLAUSE ? t->what : NULL;

		if (cl && cl->descs && cl->descs->at.src == tag->at.src &&
		    cl->descs->at.from <= tag->at.from)
			in = cl;
	}
	for (struct inst *i = c->insts; i && in; i = i->next)
		if (i->clause == in && i->nprobes && i->probes[0]->place.user_ctx)
			return true;
	return false;
}

#define POINTERS_MOST 8          /* of a type that points to pointers to … */

/* Members of one name lie at the same places: libraries and the kernel share such types. */
static bool is_same(struct comp *c, struct type *a, struct type *b, u32 depth)
{
	u32 common = 0;

	a = scope_complete(c, a);
	b = scope_complete(c, b);
	if (a->kind != b->kind || type_size(c, a) != type_size(c, b))
		return false;
	if (a->kind == T_PTR || a->kind == T_ARRAY)
		return depth > POINTERS_MOST || is_same(c, a->to, b->to, depth + 1);
	if (a->kind == T_INT)
		return a->is_signed == b->is_signed;
	if (a->kind != T_STRUCT && a->kind != T_UNION && a->kind != T_ENUM)
		return true;             /* functions, void */
	for (u32 i = 0; i < a->count && a->kind != T_ENUM; i++)
		for (u32 k = 0; k < b->count; k++) {
			const struct type_member *m = &a->members[i], *n = &b->members[k];

			if (!m->name || !n->name || strcmp(m->name, n->name))
				continue;
			if (m->bit_off != n->bit_off ||
			    type_size(c, m->type) != type_size(c, n->type))
				return false;
			common++;
		}
	return common || a->kind == T_ENUM;
}

static const char *word(enum type_kind what)
{
	return what == T_STRUCT ? "struct " : what == T_UNION ? "union " :
	       what == T_ENUM ? "enum " : "";
}

/* The program's type of the same name, if it is another one. */
static struct type *other_of(struct comp *c, const struct kernel_tag *k)
{
	const char *own = arena_printf(c->arena, "pid`%s", k->name);
	struct type *twin = is_user(c, k) ? scope_type(c, k->what, own) : NULL;

	if (!twin || twin == k->type)
		return NULL;
	if (k->what != T_TYPEDEF && !type_base(twin)->is_user)
		return NULL;
	return is_same(c, twin, k->type, 0) ? NULL : twin;
}

bool check_twins(struct comp *c)
{
	bool ok = true;

	for (const struct kernel_tag *k = scope_kernel_tags(c); k; k = k->next) {
		struct type *twin = other_of(c, k);
		const char *kind = word(k->what), *from;
		struct diag *d;

		from = twin ? twin->origin ? twin->origin : type_base(twin)->origin : NULL;
		if (!from)
			continue;
		d = diag_error(&c->env->diags, D_DECL_TYPERED, k->at,
			       "'%s%s' is ambiguous: the kernel has it, and %s another one", kind,
			       k->name, from);
		diag_hint(&c->env->diags, d, "write '%spid`%s' for the program's, '%svmlinux`%s' "
			  "for the kernel's", kind, k->name, kind, k->name);
		ok = false;
	}
	return ok;
}
