/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_twin.c - types of the kernel, named in clauses on probes of programs that have a type of
 * the same name: which one is meant cannot be known, and the other one's places would be read.
 */
#include "compiler/check/checker.h"

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
		if (i->clause == in && i->nprobes && i->probes[0]->user_ctx)
			return true;
	return false;
}

/* Members of one name lie at the same places: libraries and the kernel share such types. */
static bool is_same(struct comp *c, struct type *a, struct type *b)
{
	u32 common = 0;

	a = scope_complete(c, a);
	b = scope_complete(c, b);
	if (a->size != b->size || a->kind != b->kind)
		return false;
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
	return what == T_STRUCT ? "struct" : what == T_UNION ? "union" : "enum";
}

bool check_twins(struct comp *c)
{
	bool ok = true;

	for (const struct kernel_tag *k = scope_kernel_tags(c); k; k = k->next) {
		const char *own = arena_printf(c->arena, "pid`%s", k->name);
		const char *kind = word(k->what);
		struct type *twin = is_user(c, k) ? scope_type(c, k->what, own) : NULL;
		struct diag *d;

		if (!twin || !type_base(twin)->origin || !type_base(twin)->is_user ||
		    is_same(c, twin, k->type))
			continue;
		d = diag_error(&c->env->diags, D_DECL_TYPERED, k->at, "'%s %s' is ambiguous: the "
			       "kernel has it, and %s another one", kind, k->name,
			       type_base(twin)->origin);
		diag_hint(&c->env->diags, d, "write '%s pid`%s' for the program's, "
			  "'%s vmlinux`%s' for the kernel's", kind, k->name, kind, k->name);
		ok = false;
	}
	return ok;
}
