/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_size.c - sizeof and offsetof, which become constants.
 */
#include <stdlib.h>

#include <dtx/tag.h>

#include "compiler/check/check-private.h"

struct node *check_sizeof(struct comp *c, struct node *n)
{
	struct type *t = n->type;
	u64 size;

	if (n->a) {
		n->a = check_expr(c, fold_node(c, n->a));
		if (!n->a)
			return NULL;
		if (n->a->kind == N_MEMBER && n->a->member->bit_size)
			return ERR(c, D_SIZEOF_BITFIELD, n->at, "bit-field '%s' has no size",
				   n->a->name);
		if (n->a->kind == N_VAR && n->a->sym->kind == SYM_ASSOC)
			return ERR(c, D_IDENT_BADREF, n->at,
				   "'%s' is an associative array, which has no size",
				   n->a->sym->name);
		t = n->a->type;
	}
	size = n->a && n->a->kind == N_STR ? type_size(c, t) : type_sizeof(c, t);
	if (!size)
		return ERR(c, D_SIZEOF_TYPE, n->at, "'%s' has no size", TYPE_TEXT(c, t));
	return check_int(c, n, size, type_builtin("size_t"));
}

/* The next member in an offsetof; *off is advanced to it; NULL after an error. */
static const struct type_member *offsetof_member(struct comp *c, struct node *n, struct type *t,
						 const char *name, u64 *off)
{
	struct near near = { .wanted = name };
	struct type *su = type_base(t);
	const struct type_member *m;
	struct field f;

	if (!type_is_struct(su) || scope_complete(c, su)->incomplete) {
		ERR(c, D_OFFSETOF_TYPE, n->at, "'%s' is %s", TYPE_TEXT(c, t),
		    type_is_struct(su) ? "not defined" : "no struct or union");
		return NULL;
	}
	su = scope_complete(c, su);
	m = member_find(su, name, &f);
	if (m && !m->bit_size) {
		*off += f.off;
		return m;
	}
	if (m) {
		ERR(c, D_OFFSETOF_BITFIELD, n->at, "bit-field '%s' has no offset", name);
		return NULL;
	}
	near_members(&near, su);
	near_hint(c,
		  diag_error(&c->env->diags, D_UNKNOWN, n->op_at, "'%s' has no member '%s'",
			     TYPE_TEXT(c, su), name),
		  &near, NULL);
	return NULL;
}

struct node *check_offsetof(struct comp *c, struct node *n)
{
	struct type *t = n->type;
	const char *s = n->name;
	u64 at = 0;

	for (;; s++) {
		size_t len = strcspn(s, ".[");
		const struct type_member *m =
			offsetof_member(c, n, t, arena_strndup(c->arena, s, len), &at);

		if (!m)
			return NULL;
		t = m->type;
		for (s += len; *s == '['; s = strchr(s, ']') + 1) {
			if (!type_is_array(t))
				return ERR(c, D_ARR_BADREF, n->op_at, "'%s' is not an array",
					   TYPE_TEXT(c, t));
			t = type_base(t)->to;
			at += strtoull(s + 1, NULL, 10) * type_size(c, t);
		}
		if (!*s)
			return check_int(c, n, at, &ty_int);
	}
}
