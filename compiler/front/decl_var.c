/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * decl_var.c - declares names: variables, typedefs, inlines.
 */
#include <dtx/tag.h>

#include "compiler/front/parse.h"
#include "dtx.tab.h"

/* ---- variables and typedefs ----------------------------------------------------------------- */

static void declare_typedef(struct lexer *lx, struct declr *d, struct type *to)
{
	struct comp *c = lx->comp;
	struct type *old = map_get(c->front->types[3], d->name), *t;

	if (strchr(d->name, '`')) {
		diag_error(diags_of(lx), D_DECL_SCOPE, d->at, "'`' is not allowed in a type name");
		return;
	}
	if (old && c->front->in_lib == LIB_OWN)
		return;                  /* the program declared it first */
	if (old && old->origin == lib_origin)
		old = NULL;
	if ((old && !(cheader_is(d->at) && type_compat(c, old, to))) ||
	    scope_peek(c, SPACE_GLOBAL, d->name)) {
		diag_error(diags_of(lx), D_DECL_IDRED, d->at, "'%s' is declared already", d->name);
		return;
	}
	t = ARENA_NEW(c->arena, struct type);
	t->kind = T_TYPEDEF;
	t->name = d->name;
	t->to = to;
	t->size = type_base(to)->size;
	t->align = d->attrs.align;
	t->origin = c->front->in_lib == LIB_OWN ? lib_origin : "the program";
	scope_add_type(c, T_TYPEDEF, d->name, t);
	toplevel_add(c, TOP_TYPE, t);
}

static struct type **key_types(struct lexer *lx, struct deriv *v, u32 *n)
{
	struct type **keys = ARENA_ARRAY(lx->comp->arena, struct type *, v->params.n + 1);
	enum type_kind kind;
	bool wide;

	*n = 0;
	if (v->params.variadic)
		diag_error(diags_of(lx), D_DECL_PROTO_VARARGS, v->at,
			   "the keys of an associative array cannot be '...'");
	for (struct param *p = v->params.first; p; p = p->next) {
		kind = type_base(p->type)->kind;
		wide = kind == T_STRUCT || kind == T_UNION || kind == T_FLOAT || kind == T_FUNC ||
		       type_is_wide(p->type) || (kind == T_ARRAY && !type_is_strcompat(p->type));
		if (kind == T_VOID && v->params.n > 1)
			diag_error(diags_of(lx), D_DECL_PROTO_TYPE, p->at,
				   "void cannot be combined with other keys");
		else if (kind == T_VOID || kind == T_DYN || wide)
			diag_error(diags_of(lx), D_DECL_PROTO_TYPE, p->at, "'%s' cannot be a key",
				   type_name(lx->comp->arena, p->type));
		keys[(*n)++] = p->type;
	}
	return keys;
}

/* The same declaration again is accepted. */
static bool declared_alike(struct comp *c, const struct sym *s, enum sym_kind kind,
			   struct type *type, struct type **keys, u32 nkeys)
{
	if (!s->declared || s->kind != kind || s->nkeys != nkeys || !type_compat(c, s->type, type))
		return false;
	for (u32 i = 0; i < nkeys; i++)
		if (!type_compat(c, s->keys[i], keys[i]))
			return false;
	return true;
}

static void declare_variable(struct lexer *lx, enum sym_space space, struct declr *d,
			     struct type *type, struct deriv *assoc)
{
	struct comp *c = lx->comp;
	enum sym_kind kind = assoc ? SYM_ASSOC : SYM_VAR;
	u32 nkeys = 0;
	struct type **keys = assoc ? key_types(lx, assoc, &nkeys) : NULL;
	struct sym *s = scope_peek(c, space, d->name);

	if (assoc && space == SPACE_THIS) {
		diag_error(diags_of(lx), D_DECL_LOCASSC, d->at,
			   "a clause-local variable cannot be an associative array");
		return;
	}
	if (!decl_object_type(lx, &type, d->name, d->at))
		return;
	if (s && declared_alike(c, s, kind, type, keys, nkeys))
		return;
	if (!decl_name_free(lx, space, d->name, d->at))
		return;
	s = scope_add(c, space, kind, d->name, d->at);
	s->type = type;
	s->keys = keys;
	s->nkeys = nkeys;
	s->declared = true;
	toplevel_add(c, TOP_SYM, s);
}

/* Removes the [types] next to the name from the declarator: the rest is the type of the value. */
static struct deriv *take_assoc(struct declr *d)
{
	struct deriv *v = d->first;

	if (!v || v->kind != DV_ASSOC)
		return NULL;
	d->first = v->next;
	return v;
}

static void declare_one(struct lexer *lx, struct declspec *s, struct declr *d, struct type *base)
{
	struct deriv *assoc = take_assoc(d);
	bool unsized = d->first && d->first->kind == DV_ARRAY && !d->first->count;
	struct type *type = attr_type(lx, &d->attrs, declr_type(lx, d, base));

	if (s->storage == TOK_TYPEDEF && assoc)
		diag_error(diags_of(lx), D_DECL_DYNOBJ, d->at,
			   "a type cannot be an associative array");
	else if (s->storage == TOK_TYPEDEF)
		declare_typedef(lx, d, type);
	else if (s->storage == TOK_EXTERN || type->kind == T_FUNC)
		scope_add_extern(lx->comp, d->name, type);       /* outside: no storage */
	else if (unsized)
		diag_error(diags_of(lx), D_DECL_ARRNULL, d->at,
			   "an array needs its size, or the types of its keys");
	else
		declare_variable(lx,
				 s->storage == TOK_SELF   ? SPACE_SELF
				 : s->storage == TOK_THIS ? SPACE_THIS
							  : SPACE_GLOBAL,
				 d, type, assoc);
}

void decl_declare(struct lexer *lx, struct declspec *s, struct declrs list, struct range at)
{
	struct type *base = spec_result(lx, s);

	lx->nexternals++;
	attr_take(lx, 0, list);
	if (s->storage == TOK_AUTO || s->storage == TOK_REGISTER || s->storage == TOK_STATIC)
		spec_error(lx, s, D_DECL_BADCLASS, s->at, "this storage class has no meaning in D");
	if (!list.first && !s->defines && !s->bad)
		diag_error(diags_of(lx), D_DECL_USELESS, at, "this declaration declares nothing");
	for (struct declr *d = list.first; d && !s->bad; d = d->next)
		declare_one(lx, s, d, base);
}

/* ---- inlines --------------------------------------------------------------------------------- */

static void inline_param_check(struct lexer *lx, const struct sym *s, const struct param *p)
{
	if (type_base(p->type)->kind == T_VOID)
		diag_error(diags_of(lx), D_DECL_PROTO_TYPE, p->at,
			   "a parameter of an inline cannot have the type void");
	if (!p->name)
		diag_error(diags_of(lx), D_DECL_PROTO_NAME, p->at,
			   "a parameter of an inline needs a name");
	for (u32 i = 0; p->name && i < s->nparams; i++)
		if (!strcmp(s->params[i]->name, p->name))
			diag_error(diags_of(lx), D_DECL_PROTO_NAME, p->at,
				   "two parameters have the name '%s'", p->name);
}

static void inline_params(struct lexer *lx, struct sym *s, struct deriv *v)
{
	struct comp *c = lx->comp;

	s->params = ARENA_ARRAY(c->arena, struct sym *, v->params.n + 1);
	for (struct param *p = v->params.first; p; p = p->next) {
		struct sym *ps = ARENA_NEW(c->arena, struct sym);

		ps->kind = SYM_VAR;
		ps->name = p->name ? p->name : "";
		ps->type = p->type;
		ps->at = p->at;
		ps->declared = true;
		inline_param_check(lx, s, p);
		s->params[s->nparams++] = ps;
	}
}

void decl_inline(struct lexer *lx, struct declspec *spec, struct declr *d, struct node *expr,
		 struct range at)
{
	struct comp *c = lx->comp;
	struct deriv *params = take_assoc(d);
	struct type *type = declr_type(lx, d, spec_result(lx, spec));
	struct sym *s;

	lx->nexternals++;
	if (spec->storage)
		spec_error(lx, spec, D_DECL_BADCLASS, spec->at, "an inline has no storage class");
	if (spec->bad || !decl_object_type(lx, &type, d->name, at) ||
	    !decl_name_free(lx, SPACE_GLOBAL, d->name, at))
		return;
	s = scope_add(c, SPACE_GLOBAL, SYM_INLINE, d->name, at);
	s->type = type;
	s->expr = expr;
	s->declared = true;
	if (params)
		inline_params(lx, s, params);
	else
		s->is_const = type_is_int(type) && decl_const(lx, expr, &s->value);
	toplevel_add(c, TOP_SYM, s);
}
