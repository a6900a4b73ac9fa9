/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_unknown.c - unknown names: the errors, and what to write instead.
 */
#include <dtx/tables/loc.h>
#include <dtx/tag.h>

#include "compiler/check/check-private.h"

/* How to declare an associative array that is read before it is written; NULL: it is not one. */
static const char *name_declaration(struct comp *c, const struct node *n, const char *scope,
				    const struct node *index)
{
	struct node *key;
	struct buf b = { 0 };
	const char *text;

	if (!index)
		return NULL;
	for (struct node *k = index->list; k; k = k->next) {
		key = node_copy(c, k);
		key->next = NULL;
		key = check_expr(c, key);
		buf_printf(&b, "%s%s", b.len ? ", " : "", !key || type_is_dyn(key->type) ? "int" :
			   type_is_string(key->type) ? "string" : TYPE_TEXT(c, key->type));
	}
	text = arena_printf(c->env->arena,
			    "declare it at the top, with the type of its values: %sint64_t %s[%s];",
			    scope, n->name, b.data ? b.data : "int");
	buf_free(&b);
	return text;
}

/* ---- arrays that are read before they are assigned ------------------------------------- */

struct assigned {
	const struct node *wanted;
	bool found;
};

static bool assigned_is(struct node *n, void *arg)
{
	struct assigned *a = arg;
	const struct node *to = n->a;

	if ((n->kind == N_ASSIGN || n->kind == N_INCDEC) && to->kind == N_INDEX &&
	    to->a->kind == N_IDENT && to->a->scope == a->wanted->scope)
		a->found |= !strcmp(to->a->name, a->wanted->name);
	return !a->found;
}

/* Does a clause assign it, so that it will be known?  Then the reader is left out for now. */
static bool array_comes(struct comp *c, const struct node *n, enum sym_space space,
			const struct node *index)
{
	struct assigned a = { .wanted = n };

	if (!index || space == SPACE_THIS || !n->name)
		return false;
	for (const struct toplevel *i = c->ast.toplevel; i && !a.found; i = i->next) {
		const struct clause *cl = i->what;

		if (i->kind == TOP_CLAUSE)
			clause_walk(cl->pred, cl->body, assigned_is, &a);
	}
	if (!a.found || !early_wanted(c, space, n->name))
		return false;
	check_idle_add(c, space, n->name);
	return true;
}

/* ---- names that may be parameters of the probe ------------------------------------------ */

bool check_say_untyped(struct comp *c, const struct dtx_probe *p, struct diag *d)
{
	const char *probe = arena_printf(c->env->arena, PROBE_NAME, PROBE_PARTS(p));
	const struct dtx_arg *a = p->args.v;
	bool nowhere = p->args.n && a->loc == LOC_NONE && a->text;
	bool lack = !nowhere && p->args.lack;

	if (!p->place.user_ctx || !p->args.state || !p->args.untyped)
		return false;
	if (nowhere)
		diag_note(&c->env->diags, d, c->check->inst->desc->at, "%s: %s", probe, a->text);
	else if (lack)
		diag_note(&c->env->diags, d, c->check->inst->desc->at,
			  "debugging information of %s: %s",
			  probe, p->args.lack);
	else
		diag_note(&c->env->diags, d, c->check->inst->desc->at,
			  "no debugging information of %s is found: its "
			  "arguments have no names, arg0 ... arg9 are the raw values",
			  probe);
	return !lack;
}

/* An unknown name may be a parameter that is known only from debugging information. */
static void say_nameless(struct comp *c, const struct dtx_probe *p, struct diag *d)
{
	if (p && d && p->args.why)
		diag_note(&c->env->diags, d, c->check->inst->desc->at,
			  "%s: only arg0 ... arg9 can be read", p->args.why);
	if (p && d)
		check_say_untyped(c, p, d);
}

/* ---- the errors --------------------------------------------------------------------------- */

struct node *check_unknown(struct comp *c, struct node *n, const struct node *index)
{
	const struct dtx_probe *p = c->check->inst && c->check->inst->nprobes ?
				    c->check->inst->probes[0] : NULL;
	struct near near = { .wanted = n->name };
	const char *how;
	struct diag *d;

	if (check_idle_name(c, SPACE_GLOBAL, n->name) || array_comes(c, n, SPACE_GLOBAL, index) ||
	    foreign_refused(c, D_IDENT_UNDEF, n->at, n->name))
		return NULL;
	if (check_operand_bad(c, D_IDENT_UNDEF, n))
		return NULL;
	d = diag_error(&c->env->diags, D_IDENT_UNDEF, n->at, "unknown name '%s'", n->name);
	check_idle_add(c, SPACE_GLOBAL, n->name);        /* report it once */
	if (c->check->beside_text == n) {
		check_text_hint(c, d, n);
		return NULL;
	}
	near_syms(c, &near, SPACE_GLOBAL);
	near_builtins(&near, false);
	near_libs(c, &near);
	near_args(c, &near);
	how = name_declaration(c, n, "", index);
	if (!how)
		how = arena_printf(c->env->arena, "assign to it before it is read, or declare it "
				   "at the top%s", lib_left_out(c) ? "; names of the D libraries "
				   "are left out by option nolibs" : "");
	near_hint(c, d, &near, how);
	say_nameless(c, p, d);
	return NULL;
}

struct node *check_unset(struct comp *c, struct node *n, enum sym_space space,
			 const struct node *index)
{
	struct near near = { .wanted = n->name };
	const char *how;
	struct diag *d;

	if (check_idle_name(c, space, n->name) || array_comes(c, n, space, index))
		return NULL;
	d = diag_error(&c->env->diags, D_VAR_UNDEF, n->at,
		       "%s%s was neither declared nor assigned before", check_prefix(space),
		       n->name);
	check_idle_add(c, space, n->name);
	near_syms(c, &near, space);
	how = space == SPACE_THIS && check_arg_find(c, "this") >= 0 ?
	      arena_printf(c->env->arena, "the object of the method is args.this: "
			   "args.this->%s", n->name) :
	      space == SPACE_SELF && check_arg_find(c, "self") >= 0 ?
	      arena_printf(c->env->arena, "the parameter of this name is args.self: "
			   "args.self->%s", n->name) :
	      space == SPACE_SELF ? name_declaration(c, n, "self ", index) : NULL;
	near_hint(c, d, &near,
		  how ? how : "assign to it in an earlier clause, or declare it at the top");
	return NULL;
}

