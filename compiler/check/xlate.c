/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * xlate.c - expands inlines and translators where they are used.
 *
 * An inline's expression is copied, parameters become casts of the arguments, the copy
 * is folded and checked at the place of use.  xlate <T>(e) is a node of dynamic type
 * whose `to` is T; a member of it is the translator's expression for that member.
 */
#include <dtx/tag.h>

#include "compiler/check/check-private.h"
#include "compiler/front/builtin.h"

#define NODES_MAX  200000        /* the most nodes made by expansion in one instance */

/* Names replaced by expressions while a copy is made. */
struct replace {
	struct comp *c;
	struct sym **params;
	u32 nparams;
	const struct node *args;
	const char *one;         /* a translator's parameter … */
	struct type *type;       /* … its type … */
	const struct node *arg;  /* … and its value */
};

static struct node *replace_by(struct comp *c, const struct node *arg, struct type *type)
{
	struct node *copy = node_copy(c, arg), *cast;

	if (copy->type && !type_is_scalar(copy->type) && !type_is_array(copy->type))
		return copy;
	if (!type_is_scalar(type) && !type_is_string(type))
		return copy;
	cast = check_make(c, N_CAST, arg, type);
	cast->a = copy;
	cast->given = true;
	return cast;
}

static struct node *replace_name(struct replace *r, const char *name)
{
	const struct node *arg = r->args;

	if (r->one && !strcmp(r->one, name))
		return replace_by(r->c, r->arg, r->type);
	for (u32 i = 0; i < r->nparams && arg; i++, arg = arg->next)
		if (!strcmp(r->params[i]->name, name))
			return replace_by(r->c, arg, r->params[i]->type);
	return NULL;
}

static struct node *replace_node(struct node *n, void *replace)
{
	struct replace *r = replace;
	struct node *arg;

	r->c->check->replaced++;
	if (n->kind == N_IDENT && n->scope == SCOPE_PLAIN) {
		arg = replace_name(r, n->name);
		return arg ? arg : n;
	}
	n->a = node_map(n->a, replace_node, r);
	n->b = node_map(n->b, replace_node, r);
	n->c = node_map(n->c, replace_node, r);
	n->list = node_map(n->list, replace_node, r);
	return n;
}

static bool replace_too_much(struct comp *c, const struct node *n)
{
	struct diag *d;

	if (c->check->replaced <= NODES_MAX)
		return false;
	if (c->check->expanded)
		n = c->check->expanded;
	d = diag_error(&c->env->diags, D_UNKNOWN, n->at,
		       c->check->inst ? "inlines and translators make this clause too large" :
		       "the inlines and translators of the program are too large together");
	diag_hint(&c->env->diags, d, "keep the value of a large inline in a variable");
	return true;
}

/* ---- inlines ----------------------------------------------------------------------- */

static bool inline_is_local(struct node *n, void *arg)
{
	(void)arg;
	return !(n->kind == N_IDENT && n->scope == SCOPE_PLAIN && builtin_named(n->name, BI_args));
}

/*
 * An inline cannot use itself, but its arguments can.  An inline checked at its
 * definition cannot name itself later; other inlines are hidden while they are expanded.
 */
static struct node *inline_expand(struct comp *c, struct sym *s, const struct node *args,
				  bool defining)
{
	struct replace r = { .c = c, .params = s->params, .nparams = s->nparams, .args = args };
	struct node *body = s->expr, *e;

	if (defining || !node_walk(body, inline_is_local, NULL))
		s->expr = NULL;
	e = replace_node(node_copy(c, body), &r);
	e = check_expr(c, fold_node(c, e));
	s->expr = body;
	return e;
}

/* The expression as a value of the declared type. */
static struct node *inline_typed(struct comp *c, const struct node *at, struct sym *s,
				 struct node *e)
{
	struct node *cast;
	struct diag *d;

	if (!s->type || (type_is_dyn(e->type) && type_compat(c, type_base(e->type)->to, s->type)))
		return e;
	if (!type_assignable(c, s->type, e->type, e)) {
		d = diag_error(&c->env->diags, D_OP_INCOMPAT, at->at,
			       "'%s' is declared as '%s' but is '%s'", s->name,
			       TYPE_TEXT(c, s->type), TYPE_TEXT(c, e->type));
		diag_note(&c->env->diags, d, s->at, "it is defined here");
		return NULL;
	}
	if (type_is_string(s->type))
		return check_to_string(c, e);
	if (!type_is_scalar(s->type))
		return e;
	cast = check_make(c, N_CAST, at, s->type);
	cast->a = e;
	return fold_again(c, cast);
}

static void tell_inline_arg(struct comp *c, const struct sym *s, u32 i, const struct node *a)
{
	const struct sym *p = s->params[i];
	const char *to = TYPE_TEXT(c, p->type), *name = s->name;
	bool called = !strncmp(name, LIBRARY_CALL, strlen(LIBRARY_CALL));
	struct diag *d = diag_error(&c->env->diags, D_PROTO_ARG, a->at,
				    "argument %u of %s%s%s must be '%s', not '%s'", i + 1,
				    called ? "" : "inline ",
				    name + (called ? strlen(LIBRARY_CALL) : 0),
				    called ? "()" : "", to, TYPE_TEXT(c, a->type));

	if (!called)
		diag_note(&c->env->diags, d, p->at, "the parameter is '%s'", p->name);
	else if (type_is_ptr(p->type) && type_is_int(a->type))
		diag_hint(&c->env->diags, d, "if it is an address, put (%s) before it", to);
}

static void warn_inline_lost(struct comp *c, const struct sym *s, u32 i, const struct node *a)
{
	const struct sym *p = s->params[i];
	struct diag *d;

	if (!fold_loses(c, a, p->type))
		return;
	d = diag_warn(&c->env->diags, DIAG_NONE, a->at,
		      "argument %u of inline %s is '%s', which does not hold %lld: bits are lost",
		      i + 1, s->name, TYPE_TEXT(c, p->type), (long long)a->value);
	diag_hint(&c->env->diags, d, "declare its parameter '%s' as int64_t", p->name);
}

/* Checks arguments against the types of the parameters. */
static bool inline_args(struct comp *c, const struct sym *s, struct node **args)
{
	bool ok = true;
	u32 i = 0;

	*args = check_list(c, *args, &ok);
	for (const struct node *a = ok ? *args : NULL; a; a = a->next, i++) {
		const struct sym *p = s->params[i];

		if (type_is_dyn(a->type) ? type_base(a->type)->to != NULL :
		    type_assignable(c, p->type, a->type, a)) {
			warn_inline_lost(c, s, i, a);
			continue;
		}
		tell_inline_arg(c, s, i, a);
		ok = false;
	}
	return ok;
}

/* The arguments as they are copied; *first: what is done before. */
static struct node *inline_given(struct comp *c, struct sym *s, const struct node *args,
				 struct node **first)
{
	struct node *given = NULL, **tail = &given;

	for (u32 i = 0; i < s->nparams; i++, args = args->next, tail = &(*tail)->next)
		*tail = once_given(c, args, s->params[i]->name, s->params[i]->type, s->expr,
				   first);
	return given;
}

struct node *xlate_inline(struct comp *c, struct node *n, struct sym *s, struct node *args)
{
	const struct node *outer = c->check->expanded;
	struct node *e, *first = NULL;
	struct diag *d;

	if (node_count(args) != s->nparams) {
		d = diag_error(&c->env->diags, D_PROTO_LEN, n->at, "%s takes %u argument%s, not %u",
			       s->name, s->nparams, s->nparams == 1 ? "" : "s", node_count(args));
		diag_hint(&c->env->diags, d, "in brackets: %s[%s]", s->name,
			  s->nparams == 1 ? "x" : "x, …");
		diag_note(&c->env->diags, d, s->at, "it is defined here");
		return NULL;
	}
	if (s->is_const && !s->nparams)
		return check_int(c, n, s->value, s->type);
	if (s->refused)
		return NULL;
	if (!s->expr)
		return ERR(c, D_IDENT_UNDEF, n->at, "inline '%s' is not defined yet", s->name);
	if (!inline_args(c, s, &args) || replace_too_much(c, n))
		return NULL;
	if (!s->type || once_fits(s->type) || type_is_struct(s->type))
		args = inline_given(c, s, args, &first);
	c->check->expanded = outer ? outer : n;
	e = inline_expand(c, s, args, false);
	c->check->expanded = outer;
	e = e ? inline_typed(c, n, s, e) : NULL;
	if (e && e->kind == N_XLATE)
		e->at = n->at;           /* nothing is wrong with the inline */
	return once_then(c, first, e);
}

/* At its definition; parts that depend on the probe are checked where it is used. */
bool xlate_check_inline(struct comp *c, struct sym *s)
{
	struct node at = { .at = s->at, .op_at = s->at };
	struct node *args = NULL, **tail = &args, *e;

	if (s->is_const)
		check_warn_range(c, s, s->type, s->expr->at, s->value);
	if (s->is_const || !s->expr || !node_walk(s->expr, inline_is_local, NULL))
		return true;
	for (u32 i = 0; i < s->nparams; i++) {
		*tail = check_sym_node(c, &at, s->params[i]);
		tail = &(*tail)->next;
	}
	e = inline_expand(c, s, args, true);
	if (e && inline_typed(c, &at, s, e))
		return true;
	s->expr = NULL;
	s->refused = true;
	return false;
}

/* ---- translators ------------------------------------------------------------------------ */

/* The object type of T or T *. */
static struct type *xlate_object(struct type *t)
{
	return type_is_ptr(t) ? type_base(type_base(t)->to) : type_base(t);
}

static const struct translator *xlate_find(struct comp *c, struct type *out, struct type *in)
{
	const struct translator *near = NULL;

	for (const struct translator *x = c->ast.xlates; x; x = x->next) {
		if (!type_compat(c, x->out, out))
			continue;
		if (type_compat(c, x->in, in))
			return x;
		if (!near && ((type_is_int(x->in) && type_is_int(in)) ||
			      (type_is_ptr(x->in) && type_is_ptr(in) &&
			       type_is_void(type_target(in)))))
			near = x;
	}
	return near;
}

static struct type *xlate_dynamic(struct comp *c, struct type *to)
{
	struct type *t = type_copy(c, &ty_dyn);

	t->to = to;
	t->name = TYPE_TEXT(c, to);
	return t;
}

/* A variable that was assigned a translated pointer. */
struct node *xlate_variable(struct comp *c, struct node *n, struct sym *s)
{
	struct node *x = check_make(c, N_XLATE, n, s->translated);

	x->a = check_sym_node(c, n, s);
	x->xlate = s->xlate;
	return x;
}

struct node *check_xlate(struct comp *c, struct node *n)
{
	struct type *out = xlate_object(n->type), *in;
	struct diag *d;

	if (type_is_dyn(n->type))
		return n;
	n->a = check_expr(c, n->a);
	if (!n->a || (n->a->kind != N_XLATE && !check_value(c, n->a)))
		return NULL;
	in = n->a->kind == N_XLATE ? type_base(n->a->type)->to : n->a->type;
	if (!type_is_struct(out))
		return ERR(c, D_XLATE_SOU, n->at, "'%s' is not a struct or union",
			   TYPE_TEXT(c, n->type));
	n->xlate = xlate_find(c, out, in);
	if (!n->xlate) {
		d = diag_error(&c->env->diags, D_XLATE_NONE, n->at,
			       "there is no translator from '%s' to '%s'", TYPE_TEXT(c, in),
			       TYPE_TEXT(c, out));
		for (const struct translator *x = c->ast.xlates; x; x = x->next)
			if (type_compat(c, x->out, out))
				diag_note(&c->env->diags, d, x->at, "there is one from '%s'",
					  TYPE_TEXT(c, x->in));
		return NULL;
	}
	n->type = xlate_dynamic(c, n->type);
	return n;
}

struct node *xlate_deref(struct comp *c, struct node *n)
{
	n->type = xlate_dynamic(c, type_base(type_base(n->type)->to)->to);
	return n;
}

static struct node *xlate_expand(struct comp *c, const struct translator *x,
				 const struct xlate_member *m, const struct node *input)
{
	struct replace r = { .c = c, .one = x->param, .type = x->in, .arg = input };

	return check_expr(c, fold_node(c, replace_node(node_copy(c, m->expr), &r)));
}

/* A translated char array is a string that keeps the declared number of elements. */
static struct node *xlate_text(struct comp *c, struct node *text, u32 count)
{
	text->type = type_copy(c, type_base(text->type));
	text->type->count = count;
	return text;
}

/* The value of a member in the type declared for it. */
static struct node *xlate_typed(struct comp *c, const struct node *n,
				const struct type_member *decl, struct node *e)
{
	if (type_is_dyn(e->type))
		return e;
	if (type_is_chars(decl->type) && type_is_strcompat(e->type))
		return xlate_text(c, check_to_string(c, e), type_base(decl->type)->count);
	if (type_is_chars(decl->type) || type_is_string(decl->type))
		return type_is_strcompat(e->type) ? check_to_string(c, e) : e;
	if (type_is_scalar(decl->type) && type_is_scalar(e->type)) {
		struct node *cast = check_make(c, N_CAST, n, decl->type);

		cast->a = e;
		return fold_again(c, cast);
	}
	return e;
}

static struct node *xlate_value(struct comp *c, struct node *n, const struct translator *x,
				const struct xlate_member *m, const struct node *input)
{
	u32 off = 0;
	const struct type_member *decl = type_find_member(x->out, m->name, &off);
	struct node *e, *first = NULL;

	if (!decl)
		return NULL;             /* reported at the definition */
	lacking_tell(c, n, x, m->name);
	if (replace_too_much(c, n))
		return NULL;
	if (once_fits(decl->type))
		input = once_given(c, input, x->param, x->in, m->expr, &first);
	e = xlate_expand(c, x, m, input);
	return once_then(c, first, e ? xlate_typed(c, n, decl, e) : NULL);
}

static const struct xlate_member *xlate_member_find(const struct translator *x, const char *name)
{
	const struct xlate_member *m = x->members;

	while (m && strcmp(m->name, name))
		m = m->next;
	return m;
}

/* n is a.name or a->name, n->a a translated object. */
struct node *xlate_member_of(struct comp *c, struct node *n)
{
	const struct translator *x = n->a->xlate;
	const struct xlate_member *m = xlate_member_find(x, n->name);
	bool ptr = type_is_ptr(type_base(n->a->type)->to);
	struct near near = { .wanted = n->name };
	const char *old = foreign_find(FOREIGN_MEMBER, n->name);
	struct diag *d;
	u32 off = 0;

	if (ptr != (n->op == OP_ARROW))
		return ERR(c, ptr ? D_OP_SOU : D_OP_PTR, n->at, "'%s' is used with '%s'",
			   type_base(n->a->type)->name, ptr ? "->" : ".");
	if (m)
		return xlate_value(c, n, x, m, n->a->a);
	if (type_find_member(x->out, n->name, &off)) {
		d = diag_error(&c->env->diags, D_XLATE_NOCONV, n->op_at,
			       "the translator to '%s' does not define '%s'", TYPE_TEXT(c, x->out),
			       n->name);
		if (old)
			diag_hint(&c->env->diags, d, "Linux has %s", old);
		else
			diag_hint(&c->env->diags, d, "it is made from '%s': use members of that",
				  TYPE_TEXT(c, x->in));
		return NULL;
	}
	d = diag_error(&c->env->diags, D_TYPE_MEMBER, n->op_at, "'%s' has no member '%s'",
		       TYPE_TEXT(c, x->out), n->name);
	near_members(&near, x->out);
	if (old)
		diag_hint(&c->env->diags, d, "Linux has %s", old);
	else
		near_hint(c, d, &near, NULL);
	diag_note(&c->env->diags, d, x->at, "this translator makes it");
	return NULL;
}

/* Assigns one member of the variable; only here D can assign text to a char array. */
static struct node *xlate_set(struct comp *c, struct node *set)
{
	struct node *to = check_expr(c, set->a);

	if (!to || !set->b || !type_is_chars(to->type) || !type_is_strcompat(set->b->type))
		return to && set->b ? check_expr(c, set) : NULL;
	set->a = to;
	set->b = check_to_string(c, set->b);
	set->type = to->type;
	return set;
}

/* variable = xlate <T>(e): member by member, joined by commas. */
struct node *xlate_assign(struct comp *c, struct node *to, const struct node *value)
{
	const struct translator *x = value->xlate;
	struct node *all = NULL, *input;

	input = once_given(c, value->a, x->param, x->in, NULL, &all);
	for (const struct xlate_member *m = x->members; m; m = m->next) {
		struct node *set = check_make(c, N_ASSIGN, value, NULL);

		set->op = '=';
		set->a = check_make(c, N_MEMBER, value, NULL);
		set->a->op = '.';
		set->a->name = m->name;
		set->a->a = node_copy(c, to);
		set->b = xlate_value(c, set, x, m, input);
		set = xlate_set(c, set);
		if (!set)
			return NULL;
		all = check_then(c, all, set);
	}
	return x->members ? all : to;
}

bool xlate_check_translator(struct comp *c, struct translator *x)
{
	struct sym param = { .kind = SYM_VAR, .name = x->param, .type = x->in, .at = x->at };
	struct node at = { .at = x->at, .op_at = x->at };
	struct node *input = check_sym_node(c, &at, &param), *e;
	bool ok = true;

	for (const struct xlate_member *m = x->members; m; m = m->next) {
		u32 off = 0;
		const struct type_member *decl = type_find_member(x->out, m->name, &off);

		if (!decl)
			continue;
		e = xlate_expand(c, x, m, input);
		if (!e) {
			ok = false;
		} else if (!type_is_dyn(e->type) && !type_assignable(c, decl->type, e->type, e)) {
			ERR(c, D_XLATE_INCOMPAT, m->at, "'%s' cannot be member '%s' of type '%s'",
			    TYPE_TEXT(c, e->type), m->name, TYPE_TEXT(c, decl->type));
			ok = false;
		}
	}
	return ok;
}
