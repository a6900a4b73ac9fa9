/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_assign.c - assignments, ++ and --, and the variables that they create.
 *
 * The first assignment gives a variable the type of its value; compound assignment and ++
 * of a new name make an int64_t.  Zero deletes elements of arrays and thread-local
 * variables of any type.
 */
#include <dtx/tag.h>

#include "compiler/check/check-private.h"

/* ---- what may be written --------------------------------------------------------- */

/* Is the pointer from a D variable, or to scratch memory? */
static bool write_pointer(const struct node *n)
{
	switch (n->kind) {
	case N_VAR:
	case N_ASSOC:
	case N_CALL:
	case N_ASSIGN:
	case N_INCDEC:
		return true;
	case N_CAST:
		return write_pointer(n->a);
	case N_BINARY:
		return write_pointer(n->a);
	case N_UNARY:
		return write_pointer(n->a);
	case N_COND:
		return write_pointer(n->b) || write_pointer(n->c);
	case N_COMMA:
		return write_pointer(n->b);
	case N_MEMBER:
	case N_INDEX:
		return write_pointer(n->a);
	default:
		return false;
	}
}

static bool write_ok(const struct node *n)
{
	switch (n->kind) {
	case N_VAR:
	case N_ASSOC:
		return n->sym->kind == SYM_VAR || n->sym->kind == SYM_ASSOC;
	case N_MEMBER:
		return n->op == OP_ARROW ? write_pointer(n->a) : write_ok(n->a);
	case N_INDEX:
		return type_is_ptr(n->a->type) ? write_pointer(n->a) : write_ok(n->a);
	case N_UNARY:
		return n->op == '*' && write_pointer(n->a);
	default:
		return false;
	}
}

static bool assign_lvalue(const struct node *n)
{
	return n->lvalue || n->kind == N_BUILTIN || n->kind == N_ARG || n->kind == N_KSYM;
}

/* Can the target be written? */
static bool assign_target_ok(struct comp *c, const struct node *n, const struct node *to)
{
	const char *op = n->kind == N_INCDEC ? n->op == '+' ? "++" : "--" : "=";
	struct diag *d;

	if (!assign_lvalue(to)) {
		ERR(c, D_OP_LVAL, to->at, "'%s' needs a variable to change", op);
		return false;
	}
	if (!write_ok(to)) {
		d = diag_error(&c->env->diags, D_OP_WRITE, to->at, "%s is read-only",
			       to->kind == N_KSYM || check_is_jiffies(to) ? "the kernel" :
			       to->kind == N_ARG ? "an argument of the probe" :
			       to->kind == N_BUILTIN ? "a built-in variable" : "this memory");
		if (c->check->cond_assign == n)
			diag_hint(&c->env->diags, d, "did you mean '=='?");
		else if (to->kind != N_BUILTIN && to->kind != N_ARG)
			diag_hint(&c->env->diags, d, "only D variables, and memory from alloca() "
						     "and copyin(), can be changed");
		return false;
	}
	return true;
}

/* ---- creation ------------------------------------------------------------------------- */

static struct type *create_dynamic(struct comp *c, const struct node *v)
{
	struct diag *d = diag_error(&c->env->diags, D_OP_DYN, v->at,
				    "this has no single value to assign");

	check_operand_hint(c, d, v);
	return NULL;
}

/* The type a variable gets from its first value; NULL after an error. */
static struct type *create_type(struct comp *c, const struct node *n, const struct node *v)
{
	const struct node *to = n->a->kind == N_INDEX ? n->a->a : n->a;
	struct type *t = type_base(v->type);
	enum sym_space space;
	const char *name;

	if (type_is_void(t))
		return (void *)ERR(c, D_OP_INCOMPAT, n->at, "there is no value to assign");
	if (type_is_dyn(t))
		return create_dynamic(c, v);
	if (type_is_func(t) || (type_is_array(t) && !type_is_chars(t)))
		return (void *)ERR(c, D_OP_ARRFUN, v->at, "a '%s' cannot be assigned as a whole",
				   TYPE_TEXT(c, t));
	if (type_is_string(t) || type_is_chars(t))
		return &ty_string;
	if (type_is_int(t) && check_scoped(to, &space, &name))
		return width_first(c, space, name, v);
	return v->type;
}

static struct node *create_assoc(struct comp *c, struct node *n, struct type *type)
{
	struct node *name = n->a;
	enum sym_space space;
	const char *text;
	struct sym *s;
	struct diag *d;

	check_scoped(name, &space, &text);
	if (space == SPACE_THIS) {
		d = diag_error(&c->env->diags, D_ARR_LOCAL, n->at,
			       "this->%s cannot be an associative array", text);
		diag_hint(&c->env->diags, d, "use self->%s[...]", text);
		return NULL;
	}
	s = scope_find(c, space, text);
	if (!s)
		s = scope_add(c, space, SYM_ASSOC, text, name->at);
	s->kind = SYM_ASSOC;
	n->list = check_keys(c, s, n, n->list);
	if (!n->list)
		return NULL;
	s->type = type;
	early_made(c, s);
	n->kind = N_ASSOC;
	n->sym = s;
	n->a = NULL;
	n->type = type;
	n->lvalue = true;
	return n;
}

/* The name of a type cannot become a variable. */
static bool assign_names_type(struct comp *c, const struct node *n)
{
	enum sym_space space;
	const char *name;

	if (!check_scoped(n, &space, &name) || !decl_is_type(c, space, name))
		return false;
	diag_error(&c->env->diags, D_DECL_IDRED, n->at, "'%s' is the name of a type", name);
	return true;
}

/* The target of an assignment whose value has `type`: found, or created. */
static struct node *assign_target(struct comp *c, struct node *to, struct type *type)
{
	struct node *base = to->kind == N_INDEX ? to->a : to;

	if (base->kind == N_IDENT && check_is_new(c, base)) {
		if (assign_names_type(c, base))
			return NULL;
		return base == to ? check_create(c, to, type) : create_assoc(c, to, type);
	}
	check_met(c, to);
	return check_expr(c, to);
}

static bool assign_is_new(struct comp *c, const struct node *to)
{
	if (to->kind == N_INDEX && to->a->kind == N_IDENT)
		return check_is_new(c, to->a);
	return check_is_new(c, to);
}

/* ---- = ----------------------------------------------------------------------------------- */

static bool assign_deletes(const struct node *to, const struct node *v)
{
	return check_is_null(v) && (to->kind == N_ASSOC ||
				    (to->kind == N_VAR && to->sym->space == SPACE_SELF));
}

/* Makes a string variable NULL. */
static bool assign_is_null_string(const struct node *to, const struct node *v)
{
	return check_is_null(v) && type_is_string(to->type) &&
	       (to->kind == N_VAR || to->kind == N_ASSOC);
}

static bool assign_types_ok(struct comp *c, struct node *n)
{
	struct diag *d;

	if (type_is_dyn(n->b->type)) {
		ERR(c, D_OP_DYN, n->b->at, "this has no single value to assign");
		return false;
	}
	if (assign_deletes(n->a, n->b) || assign_is_null_string(n->a, n->b))
		return true;
	if (type_assignable(c, n->a->type, n->b->type, n->b))
		return true;
	if (type_is_func(n->a->type) || (type_is_array(n->a->type) &&
					 type_compat(c, n->a->type, n->b->type))) {
		ERR(c, D_OP_ARRFUN, n->at, "a '%s' cannot be assigned as a whole",
		    TYPE_TEXT(c, n->a->type));
		return false;
	}
	d = diag_error(&c->env->diags, D_OP_INCOMPAT, n->at, "'%s' cannot be assigned to '%s'",
		       TYPE_TEXT(c, n->b->type), TYPE_TEXT(c, n->a->type));
	if (n->a->kind == N_VAR || n->a->kind == N_ASSOC)
		diag_note(&c->env->diags, d, n->a->sym->at, "'%s' got its type here",
			  n->a->sym->name);
	if (!strcmp(TYPE_TEXT(c, n->a->type), TYPE_TEXT(c, n->b->type)))
		diag_hint(&c->env->diags, d, "two types of this name have different members: use "
					     "one variable for each");
	else if (type_is_scalar(n->a->type) && type_is_scalar(n->b->type))
		diag_hint(&c->env->diags, d, "cast the value: (%s)...", TYPE_TEXT(c, n->a->type));
	return false;
}

void check_warn_range(struct comp *c, const struct sym *to, struct type *t, struct range at, s64 x)
{
	if (!to->declared || fold_fits(c, t, x))
		return;
	diag_hint(&c->env->diags, diag_warn(&c->env->diags, DIAG_NONE, at,
		  "'%s' does not hold %lld: bits are lost", TYPE_TEXT(c, t), (long long)x),
		  "declare '%s' as int64_t", to->name);
}

static struct node *assign_value(struct comp *c, struct node *to, struct node *v)
{
	if ((to->kind == N_VAR || to->kind == N_ASSOC) && v->kind == N_INT)
		check_warn_range(c, to->sym, to->type, v->at, v->value);
	if ((to->kind == N_VAR || to->kind == N_ASSOC) && !to->sym->declared)
		fold_warn_kept(c, v, to->type);
	if (assign_deletes(to, v) && !type_is_int(to->type))
		return v;
	if (type_is_string(to->type) && assign_is_null_string(to, check_null_text(v)))
		return check_null_text(v);
	if (type_is_string(to->type))
		return check_to_string(c, v);
	return check_cast(c, v, to->type);
}

/* ---- scratch pointers ---------------------------------------------------------------------- */

/* A variable holds either scratch pointers or other pointers. */
static bool assign_points_ok(struct comp *c, struct node *n)
{
	struct sym *s = n->a->kind == N_VAR || n->a->kind == N_ASSOC ? n->a->sym : NULL;
	u8 to = memory_points(n->b);
	struct diag *d;

	if (!s || !type_is_ptr(n->a->type) || to == POINTS_UNKNOWN)
		return true;
	if (to != POINTS_MIXED && (!s->points || s->points == to)) {
		s->points = to;
		return true;
	}
	d = diag_error(&c->env->diags, D_ALLOCA_INCOMPAT, n->at,
		       "'%s' cannot point to scratch memory and to other memory", s->name);
	diag_note(&c->env->diags, d, s->at, "first used here");
	diag_hint(&c->env->diags, d, "use another variable for memory from alloca() and copyin()");
	return false;
}

/*
 * The variable of a translated pointer; NULL: it cannot be one.  Only one that is made by such an
 * assignment can: others are read as plain pointers.
 */
static struct sym *translated_var(struct comp *c, const struct node *n)
{
	enum sym_space space;
	const char *name;
	struct sym *s;

	if (!check_scoped(n->a, &space, &name) || !type_is_scalar(n->b->a->type))
		return NULL;
	s = scope_find(c, space, name);
	if (s && s->xlate)
		return s->xlate == n->b->xlate ? s : NULL;
	if (!check_is_new(c, n->a) || assign_names_type(c, n->a))
		return NULL;
	s = check_create(c, n->a, n->b->a->type)->sym;
	s->xlate = n->b->xlate;
	s->translated = n->b->type;
	return s;
}

/* this->p = args[0]: the variable gets what is translated, and its members are translated where
 * they are read. */
static struct node *assign_translated_pointer(struct comp *c, struct node *n, struct type *out)
{
	struct sym *s = translated_var(c, n);
	struct diag *d;

	if (!s) {
		d = diag_error(&c->env->diags, D_OP_DYN, n->b->at,
			       "a translated pointer cannot be assigned here");
		diag_hint(&c->env->diags, d, "assign it to a variable that holds nothing else, or "
			  "use its members, or xlate <%s>", TYPE_TEXT(c, type_base(out)->to));
		return NULL;
	}
	n->a = check_sym_node(c, n->a, s);
	n->b = check_cast(c, n->b->a, s->type);
	n->type = s->type;
	return n;
}

/* A whole translated value: the variable has, or gets, the type of the translator. */
static struct node *assign_translated(struct comp *c, struct node *n)
{
	struct type *out = type_base(n->b->type)->to;

	if (type_is_ptr(out))
		return assign_translated_pointer(c, n, out);
	n->a = assign_target(c, n->a, out);
	if (!n->a || !assign_target_ok(c, n, n->a))
		return NULL;
	if (!type_compat(c, n->a->type, out))
		return ERR(c, D_OP_INCOMPAT, n->at, "'%s' cannot be assigned to '%s'",
			   TYPE_TEXT(c, out), TYPE_TEXT(c, n->a->type));
	return xlate_assign(c, n->a, n->b);
}

/* The assigned value has an error; that the name is then unknown is not reported. */
static struct node *assign_nothing(struct comp *c, const struct node *to)
{
	enum sym_space space;
	const char *name;

	while (to->kind == N_INDEX || to->kind == N_MEMBER)
		to = to->a;
	if (check_scoped(to, &space, &name) && check_is_new(c, to))
		check_idle_add(c, space, name);
	return NULL;
}

static struct node *assign_plain(struct comp *c, struct node *n)
{
	struct type *type = NULL;        /* of a variable that is made */

	n->b = check_expr(c, n->b);
	if (!n->b)
		return assign_nothing(c, n->a);
	if (n->b->kind == N_XLATE)
		return assign_translated(c, n);
	if (check_is_action(n->b))
		return ERR(c, D_OP_INCOMPAT, n->b->at, "%s() is an action and has no value",
			   n->b->row->name);
	if (assign_is_new(c, n->a)) {
		type = create_type(c, n, n->b);
		if (!type)
			return NULL;
	}
	n->a = assign_target(c, n->a, type);
	if (!n->a)
		return NULL;
	if (n->a->kind == N_XLATE && n->a->a->kind == N_VAR && check_is_null(n->b))
		n->a = n->a->a;
	if (n->a->kind == N_XLATE)
		return ERR(c, D_OP_INCOMPAT, n->at, "this variable holds a translated pointer, and "
			   "nothing else can be assigned to it");
	if (type_is_dyn(n->a->type))
		return ERR(c, D_OP_INCOMPAT, n->at,
			   "an associative array is assigned, and emptied, "
			   "element by element: x[key] = 0");
	if (!assign_types_ok(c, n) || !assign_target_ok(c, n, n->a))
		return NULL;
	if (type_is_array(n->a->type))
		return ERR(c, D_OP_ARRFUN, n->at, "a '%s' cannot be assigned as a whole",
			   TYPE_TEXT(c, n->a->type));
	if (!assign_points_ok(c, n))
		return NULL;
	if (n->a->kind == N_VAR || n->a->kind == N_ASSOC)
		width_met(c, n->a->sym, n->b);
	n->b = assign_value(c, n->a, n->b);
	n->type = n->a->type;
	return check_order(c, n);
}

/* ---- += and kin ---------------------------------------------------------------------------- */

static struct node *compound_needs(struct comp *c, struct node *n, u32 tag,
				   const struct node *bad)
{
	return ERR(c, tag, bad->at, "'%s=' needs integers, not '%s'", op_text(n->op),
		   TYPE_TEXT(c, bad->type));
}

static struct node *compound_types(struct comp *c, struct node *n)
{
	bool arith = n->op == '*' || n->op == '/', sum = n->op == '+' || n->op == '-';
	struct type *to = type_target(n->a->type);

	if (sum && type_is_ptr(n->a->type) && type_is_int(n->b->type)) {
		if (type_is_void(to) || type_is_func(to))
			return ERR(c, D_OP_VFPTR, n->at, "'%s=' cannot be applied to '%s'",
				   op_text(n->op), TYPE_TEXT(c, n->a->type));
		return type_size(c, to) ? n :
		       ERR(c, D_OP_INCOMPLETE, n->at, "the size of '%s' is not known",
			   TYPE_TEXT(c, to));
	}
	if (type_is_int(n->a->type) && type_is_int(n->b->type))
		return n;
	to = type_target(n->b->type);
	if (sum && to && (type_is_void(to) || type_is_func(to)))
		return ERR(c, D_OP_VFPTR, n->at, "'%s=' cannot be applied to '%s'", op_text(n->op),
			   TYPE_TEXT(c, n->b->type));
	if (sum)
		return ERR(c, D_OP_INCOMPAT, n->at, "'%s' and '%s' do not fit together in '%s='",
			   TYPE_TEXT(c, n->a->type), TYPE_TEXT(c, n->b->type),
			   op_text(n->op));
	return compound_needs(c, n, arith ? D_OP_ARITH : D_OP_INT,
			      type_is_int(n->a->type) ? n->b : n->a);
}

static struct node *assign_compound(struct comp *c, struct node *n)
{
	struct type *to;

	n->a = assign_target(c, n->a, type_builtin("int64_t"));
	if (!n->a)
		return NULL;
	n->b = check_expr(c, n->b);
	if (!n->b || !compound_types(c, n) || !assign_target_ok(c, n, n->a))
		return NULL;
	n->type = n->a->type;
	n->b = check_promoted(c, n->b);
	if (n->op == OP_SHL || n->op == OP_SHR)
		fold_warn_shift(c, n);
	else if (n->a->kind == N_VAR || n->a->kind == N_ASSOC)
		width_added(c, n->a->sym, n->b);
	to = check_promoted_type(n->a);
	n->is_signed = type_is_int(n->type) &&
		       type_signed(n->op == OP_SHR || n->op == OP_SHL ? to :
				   type_promote(c, to, n->b->type));
	return check_order(c, n);
}

struct node *check_assign(struct comp *c, struct node *n)
{
	struct diag *d;

	if (n->a->kind == N_AGGREF) {
		d = diag_error(&c->env->diags, D_AGG_FUNC, n->at,
			       "an aggregation is only changed by a "
			       "statement of its own: @%s = count()",
			       n->a->name);
		diag_hint(&c->env->diags, d, "to make it conditional, write a predicate, or "
			  "if (…) { … }");
		return NULL;
	}
	return n->op == '=' ? assign_plain(c, n) : assign_compound(c, n);
}

/* ---- ++ and -- ------------------------------------------------------------------------------- */

struct node *check_incdec(struct comp *c, struct node *n)
{
	const char *op = n->op == '+' ? "++" : "--";
	struct type *to;

	n->a = assign_target(c, n->a, type_builtin("int64_t"));
	if (!n->a)
		return NULL;
	if (!type_is_scalar(n->a->type)) {
		check_operand_hint(c,
				   diag_error(&c->env->diags, D_OP_SCALAR, n->at,
					      "'%s' needs an integer or a pointer, not '%s'",
					      op, TYPE_TEXT(c, n->a->type)),
				   n->a);
		return NULL;
	}
	to = type_target(n->a->type);
	if (to && (type_is_void(to) || type_is_func(to)))
		return ERR(c, D_OP_VFPTR, n->at, "'%s' cannot be applied to '%s'", op,
			   TYPE_TEXT(c, n->a->type));
	if (to && !type_size(c, to))
		return ERR(c, D_OP_INCOMPLETE, n->at, "the size of '%s' is not known",
			   TYPE_TEXT(c, to));
	if (!assign_target_ok(c, n, n->a))
		return NULL;
	n->type = n->a->type;
	return n;
}
