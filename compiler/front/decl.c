/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * decl.c - C declarations: makes a type of specifiers and declarators.
 *
 * Qualifiers are accepted and ignored: D enforces none of them.
 */
#include <dtx/opt.h>
#include <dtx/tag.h>

#include "compiler/front/parse.h"
#include "dtx.tab.h"

#define ARRAY_MAX  (1u << 30)    /* bytes */

/* ---- specifiers ------------------------------------------------------------------ */

static struct declspec *spec_get(struct lexer *lx, struct declspec *s, struct range at)
{
	if (!s)
		s = ARENA_NEW(lx->comp->arena, struct declspec);
	s->at = range_join(s->at, at);
	return s;
}

void spec_error(struct lexer *lx, struct declspec *s, u32 tag, struct range at,
		       const char *text)
{
	if (!s->bad)
		diag_error(diags_of(lx), tag, at, "%s", text);
	s->bad = true;
}

struct declspec *spec_basic(struct lexer *lx, struct declspec *s, u32 bit, struct range at)
{
	s = spec_get(lx, s, at);
	if (bit == B_LONG && (s->basic & B_LLONG))
		spec_error(lx, s, D_DECL_COMBO, at, "'long' is given three times");
	else if (bit == B_LONG && (s->basic & B_LONG))
		s->basic = (s->basic & ~B_LONG) | B_LLONG;
	else if (s->basic & bit)
		spec_error(lx, s, D_DECL_COMBO, at, "the same word is given twice in this type");
	else
		s->basic |= bit;
	return s;
}

struct declspec *spec_storage(struct lexer *lx, struct declspec *s, int token, struct range at)
{
	s = spec_get(lx, s, at);
	if (s->storage)
		spec_error(lx, s, D_DECL_CLASS, at, "a declaration has at most one storage class");
	s->storage = token;
	return s;
}

struct declspec *spec_type(struct lexer *lx, struct declspec *s, struct type *type, bool defines,
			   struct range at)
{
	s = spec_get(lx, s, at);
	if (s->type)
		spec_error(lx, s, D_DECL_COMBO, at, "a declaration has one type");
	s->type = type;
	s->defines |= defines;
	s->bad |= !type;
	return s;
}

struct declspec *spec_qualifier(struct lexer *lx, struct declspec *s, struct range at)
{
	return spec_get(lx, s, at);
}

/* Pointers to it are addresses in the current process: reading through them copies in. */
struct declspec *spec_userland(struct lexer *lx, struct declspec *s, struct range at)
{
	s = spec_get(lx, s, at);
	s->userland = true;
	return s;
}

static const struct combination {
	u32 words;               /* B_*, without those that change nothing (int, signed) */
	struct type *type;
} combinations[] = {
	{ B_VOID, &ty_void }, { B_CHAR, &ty_char }, { B_CHAR | B_SIGNED, &ty_schar },
	{ B_CHAR | B_UNSIGNED, &ty_uchar }, { B_SHORT, &ty_short },
	{ B_SHORT | B_UNSIGNED, &ty_ushort }, { 0, &ty_int }, { B_UNSIGNED, &ty_uint },
	{ B_LONG, &ty_long }, { B_LONG | B_UNSIGNED, &ty_ulong }, { B_LLONG, &ty_llong },
	{ B_LLONG | B_UNSIGNED, &ty_ullong }, { B_FLOAT, &ty_float }, { B_DOUBLE, &ty_double },
	{ B_INT128, &ty_int128 }, { B_INT128 | B_UNSIGNED, &ty_uint128 },
	{ B_DOUBLE | B_LONG, &ty_ldouble }, { B_STRING, &ty_string }, { B_BOOL, &ty_bool },
};

/* With -32 a long in the program's text has 32 bits; in the kernel and the libraries of dtx it has
 * 64. */
static struct type *spec_modelled(struct lexer *lx, struct type *t)
{
	static struct type narrow[] = {
		{ .kind = T_INT, .name = "long", .size = 4, .is_signed = true },
		{ .kind = T_INT, .name = "unsigned long", .size = 4 },
	};

	if (!opt_num(lx->comp->env, OPT_ilp32) || lx->comp->front->in_lib == LIB_OWN ||
	    (t != &ty_long && t != &ty_ulong))
		return t;
	return &narrow[t == &ty_ulong];
}

/* Why the words do not combine. */
static void spec_combo(struct lexer *lx, struct declspec *s)
{
	u32 sign = s->basic & (B_SIGNED | B_UNSIGNED);
	u32 size = s->basic & (B_SHORT | B_LONG | B_LLONG);

	if ((s->basic & B_CHAR) && size)
		spec_error(lx, s, D_DECL_CHARATTR, s->at, "char cannot be short or long");
	else if ((s->basic & B_VOID) && (sign | size))
		spec_error(lx, s, D_DECL_VOIDATTR, s->at, "void cannot be signed, short or long");
	else if (sign && (s->type || (s->basic & (B_FLOAT | B_DOUBLE | B_STRING | B_BOOL))))
		spec_error(lx, s, D_DECL_SIGNINT, s->at,
			   "only basic integer types can be signed or unsigned");
	else if (size && (s->type || (s->basic & (B_FLOAT | B_STRING | B_BOOL))))
		spec_error(lx, s, D_DECL_LONGINT, s->at,
			   "only basic integer types and double can be long");
	else if ((size & B_SHORT) && size != B_SHORT)
		spec_error(lx, s, D_UNKNOWN, s->at, "a type cannot be short and long");
	else
		spec_error(lx, s, D_DECL_COMBO, s->at, "these types do not combine");
}

static struct type *spec_words(struct lexer *lx, struct declspec *s)
{
	const u32 others = B_VOID | B_FLOAT | B_DOUBLE | B_STRING | B_BOOL;
	u32 words = s->basic;

	if (s->type && !words)
		return s->type;
	if (!(words & (others | B_CHAR)))
		words &= ~B_INT;
	if (!(words & (others | B_CHAR | B_UNSIGNED)))
		words &= ~B_SIGNED;
	for (u32 i = 0; !s->type && i < ARRAY_SIZE(combinations); i++)
		if (combinations[i].words == words)
			return spec_modelled(lx, combinations[i].type);
	spec_combo(lx, s);
	return s->type ? s->type : &ty_int;
}

/* Never NULL; int after an error or without a type. */
struct type *spec_result(struct lexer *lx, struct declspec *s)
{
	struct type *t = spec_words(lx, s), *user;

	if (!s->userland)
		return t;
	user = ARENA_NEW(lx->comp->arena, struct type);
	user->kind = T_TYPEDEF;
	user->name = type_name(lx->comp->arena, t);
	user->to = t;
	user->size = type_base(t)->size;
	user->is_user = true;
	return user;
}

/* ---- declarators -------------------------------------------------------------------- */

struct declr *declr_new(struct lexer *lx, const char *name, struct range at)
{
	struct declr *d = ARENA_NEW(lx->comp->arena, struct declr);

	d->name = name;
	d->at = at;
	return d;
}

static struct deriv *declr_add(struct lexer *lx, struct declr *d, enum deriv_kind kind,
			       struct range at)
{
	struct deriv *v = ARENA_NEW(lx->comp->arena, struct deriv);

	v->kind = kind;
	v->at = at;
	if (d->nderivs++ >= DECL_DERIVS) {
		parse_too_deep(lx, at);
		return v;
	}
	if (d->last)
		d->last->next = v;
	else
		d->first = v;
	d->last = v;
	return v;
}

struct declr *declr_ptr(struct lexer *lx, struct declr *d, u32 levels, struct range at)
{
	for (u32 i = 0; i < levels && d->nderivs <= DECL_DERIVS; i++)
		declr_add(lx, d, DV_PTR, at);
	return d;
}

struct declr *declr_array(struct lexer *lx, struct declr *d, struct dims dims, struct range at)
{
	struct deriv *v = declr_add(lx, d, dims.is_assoc ? DV_ASSOC : DV_ARRAY, at);

	v->count = dims.count;
	v->params = dims.params;
	return d;
}

struct declr *declr_func(struct lexer *lx, struct declr *d, struct params params, struct range at)
{
	declr_add(lx, d, DV_FUNC, at)->params = params;
	return d;
}

struct declr *declr_bits(struct declr *d, struct node *width)
{
	d->has_bits = true;
	d->bits = width;
	return d;
}

struct declrs declrs_append(struct declrs list, struct declr *d)
{
	if (list.last)
		list.last->next = d;
	else
		list.first = d;
	list.last = d;
	return list;
}

/* Can the expression be an integer constant?  Then comp->constant() computes its value. */
static bool const_shape(struct comp *c, const struct node *n)
{
	const struct sym *s;

	if (!n)
		return true;
	switch (n->kind) {
	case N_INT:
	case N_SIZEOF:
	case N_OFFSETOF:
		return true;
	case N_UNARY:
		return n->op != '*' && n->op != '&' && const_shape(c, n->a);
	case N_BINARY:
	case N_COND:
	case N_CAST:
	case N_COMMA:
		return const_shape(c, n->a) && const_shape(c, n->b) && const_shape(c, n->c);
	case N_IDENT:
		s = n->scope == SCOPE_PLAIN ? scope_find(c, SPACE_GLOBAL, n->name) : NULL;
		return s && (s->kind == SYM_ENUM || (s->kind == SYM_INLINE && s->is_const));
	default:
		return false;
	}
}

bool decl_const(struct lexer *lx, const struct node *n, s64 *value)
{
	u32 errors = diags_of(lx)->nerrors;

	if (!const_shape(lx->comp, n))
		return false;
	if (lx->comp->constant(lx->comp, node_copy(lx->comp, n), value))
		return true;
	*value = 1;
	return diags_of(lx)->nerrors != errors;
}

static struct type *array_type(struct lexer *lx, struct deriv *v, struct type *to)
{
	struct type *base = type_base(to);
	u64 size = type_size(lx->comp, to);
	s64 n = 0;

	if (base->kind == T_VOID || base->kind == T_FUNC)
		diag_error(diags_of(lx), D_DECL_VOIDOBJ, v->at, "there are no arrays of %s",
			   base->kind == T_VOID ? "void" : "functions");
	else if (base->kind != T_DYN && !size && base->incomplete)
		diag_error(diags_of(lx), D_DECL_INCOMPLETE, v->at,
			   "array of '%s', which is not complete",
			   type_name(lx->comp->arena, to));
	if (v->count && !decl_const(lx, v->count, &n))
		diag_error(diags_of(lx), D_DECL_ARRSUB, v->count->at,
			   "the size of an array must be an integer constant");
	else if (n < 0)
		diag_error(diags_of(lx), D_DECL_ARRSUB, v->count->at,
			   "the size of an array cannot be negative");
	else if (n > ARRAY_MAX || (size && (u64)n > ARRAY_MAX / size))
		diag_error(diags_of(lx), D_DECL_ARRBIG, v->at, "this array is larger than 1 GB");
	else
		return type_array(lx->comp->arena, to, n);
	return type_array(lx->comp->arena, to, 1);
}

struct type_member *params_members(struct lexer *lx, const struct params *ps, u32 *n)
{
	struct type_member *m = ARENA_ARRAY(lx->comp->arena, struct type_member, ps->n + 1);

	*n = 0;
	for (struct param *p = ps->first; p; p = p->next) {
		bool is_void = type_base(p->type)->kind == T_VOID;

		if (is_void && p->name)
			diag_error(diags_of(lx), D_DECL_PROTO_NAME, p->at,
				   "a parameter of type void has no name");
		else if (is_void && ps->n == 1)
			return m;
		else if (is_void)
			diag_error(diags_of(lx), D_DECL_PROTO_VOID, p->at,
				   "void can only be the whole parameter list");
		for (u32 i = 0; p->name && !ps->repeats && i < *n; i++)
			if (m[i].name && !strcmp(m[i].name, p->name))
				diag_error(diags_of(lx), D_DECL_PROTO_NAME, p->at,
					   "two parameters have the name '%s'", p->name);
		m[*n].name = p->name;
		m[(*n)++].type = p->type;
	}
	return m;
}

static struct type *func_type(struct lexer *lx, struct deriv *v, struct type *ret)
{
	struct type *t = ARENA_NEW(lx->comp->arena, struct type);

	t->kind = T_FUNC;
	t->to = ret;
	t->params = params_members(lx, &v->params, &t->count);
	t->variadic = v->params.variadic;
	return t;
}

static struct type *derive(struct lexer *lx, struct deriv *v, struct type *t)
{
	struct type *ptr;

	switch (v->kind) {
	case DV_PTR:
		ptr = arena_memdup(lx->comp->arena, type_ptr(lx->comp->arena, t), sizeof(*ptr));
		ptr->is_user = type_in_user(t);
		return ptr;
	case DV_ARRAY:
		return array_type(lx, v, t);
	case DV_FUNC:
		return func_type(lx, v, t);
	default:
		diag_error(diags_of(lx), v->is_param ? D_DECL_PROTO_TYPE : D_DECL_DYNOBJ, v->at,
			   "key types are only for associative arrays, which are variables");
		return t;
	}
}

/* "x is array of pointers to T" is built from T up. */
struct type *declr_type(struct lexer *lx, struct declr *d, struct type *base)
{
	struct deriv *v[DECL_DERIVS];
	u32 n = 0;

	for (struct deriv *i = d ? d->first : NULL; i; i = i->next)
		v[n++] = i;
	while (n--)
		base = derive(lx, v[n], base);
	return base;
}

struct params params_one(struct lexer *lx, struct declspec *s, struct declr *d, struct range at)
{
	struct param *p = ARENA_NEW(lx->comp->arena, struct param);

	if (s->storage && s->storage != TOK_REGISTER)
		spec_error(lx, s, D_DECL_PARMCLASS, s->at, "a parameter has no storage class");
	for (struct deriv *v = d ? d->first : NULL; v; v = v->next)
		v->is_param = true;
	p->type = declr_type(lx, d, spec_result(lx, s));
	p->name = d ? d->name : NULL;
	p->at = at;
	return (struct params){ p, p, 1, false, false };
}

struct params params_join(struct params a, struct params b)
{
	if (!a.last)
		return b;
	a.last->next = b.first;
	a.last = b.last;
	a.n += b.n;
	return a;
}

struct params params_variadic(struct params ps)
{
	ps.variadic = true;
	return ps;
}

/* ---- names ----------------------------------------------------------------------------- */

struct type *decl_type_name(struct lexer *lx, struct declspec *s, struct declr *d)
{
	return declr_type(lx, d, spec_result(lx, s));
}

struct type *decl_named(struct lexer *lx, const char *name, struct range at)
{
	struct type *t = scope_type(lx->comp, T_TYPEDEF, name);

	if (t)
		su_note_kernel(lx, T_TYPEDEF, name, t, at);
	else
		diag_error(diags_of(lx), D_UNKNOWN, at, "there is no type '%s'", name);
	return t;
}

bool decl_is_type(struct comp *c, enum sym_space space, const char *name)
{
	struct type *t = map_get(c->front->types[3], name);
	bool own = t && t->origin && !strcmp(t->origin, "the program");

	return own || (space == SPACE_GLOBAL && (t || type_builtin(name)));
}

bool decl_name_free(struct lexer *lx, enum sym_space space, const char *name, struct range at)
{
	const struct builtin *row = space == SPACE_GLOBAL ? builtin_exact(name) : NULL;
	struct sym *s = scope_peek(lx->comp, space, name);
	struct diag *d;

	if (s && lx->comp->front->in_lib == LIB_OWN)    /* the program declared it first */
		return false;
	if (strchr(name, '`')) {
		diag_error(diags_of(lx), D_DECL_SCOPE, at,
			   "'`' is not allowed in the name of a declaration");
	} else if (s && !s->lib) {
		d = diag_error(diags_of(lx), D_DECL_IDRED, at, "'%s' is declared already", name);
		diag_note(diags_of(lx), d, s->at, "first declared here");
	} else if (row && !(row->flags & BF_LINUX)) {
		diag_error(diags_of(lx), D_DECL_IDRED, at, "'%s' is a built-in %s", name,
			   row->kind == BK_VAR ? "variable" : "function");
	} else if (decl_is_type(lx->comp, space, name)) {
		diag_error(diags_of(lx), D_DECL_IDRED, at, "'%s' is the name of a type", name);
	} else {
		return true;
	}
	return false;
}

bool decl_object_type(struct lexer *lx, struct type **type, const char *name, struct range at)
{
	struct type *t = type_base(*type);

	if (!name)
		name = "";
	if (t->kind == T_VOID)
		diag_error(diags_of(lx), D_DECL_VOIDOBJ, at, "'%s' cannot have the type void",
			   name);
	else if (t->kind == T_DYN)
		diag_error(diags_of(lx), D_DECL_DYNOBJ, at, "'%s' cannot have a dynamic type",
			   name);
	else if (t->incomplete && (t->members || scope_complete(lx->comp, t)->incomplete))
		diag_error(diags_of(lx), D_DECL_INCOMPLETE, at,
			   "'%s' has the type '%s', which is not complete", name,
			   type_name(lx->comp->arena, *type));
	else
		return true;
	return false;
}
