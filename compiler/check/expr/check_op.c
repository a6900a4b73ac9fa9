/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_op.c - operators without a target: unary, binary, ?:, comma, casts.
 *
 * The table of the D language reference; each rule has its own D_OP_ tag.
 */
#include <dtx/tag.h>

#include "compiler/check/check-private.h"
#include "compiler/front/builtin.h"

static struct node *op_needs(struct comp *c, u32 tag, const struct node *n,
			     const char *what, const struct node *operand)
{
	struct diag *d;

	if (check_operand_bad(c, tag, operand))
		return NULL;
	d = diag_error(&c->env->diags, tag, operand->at, "'%s' needs %s, not '%s'", op_text(n->op),
		       what, TYPE_TEXT(c, operand->type));
	if (type_is_string(operand->type) && tag == D_OP_SCALAR)
		diag_hint(&c->env->diags, d, "compare the string: != \"\", or != NULL");
	check_operand_hint(c, d, operand);
	return NULL;
}

static struct node *op_incompat(struct comp *c, struct node *n, const struct node *a,
				const struct node *b)
{
	const struct node *odd = a->kind == N_AGGREF || !type_is_scalar(a->type) ? a : b;
	struct diag *d;

	if (type_is_int(odd == a ? b->type : a->type) && check_operand_bad(c, D_OP_INCOMPAT, odd))
		return NULL;
	d = diag_error(&c->env->diags, D_OP_INCOMPAT, n->at,
		       "'%s' and '%s' do not fit together in '%s'", TYPE_TEXT(c, a->type),
		       TYPE_TEXT(c, b->type), op_text(n->op));
	if (type_is_string(a->type) && type_is_ptr(b->type))
		diag_hint(&c->env->diags, d, "stringof() makes a string of what a kernel "
			  "address points to");
	else if (type_is_string(a->type) && type_is_string(b->type))
		diag_hint(&c->env->diags, d, "strjoin(a, b) joins strings");
	else if (type_is_string(odd->type) && !check_number_hint(c, d, odd))
		check_text_hint(c, d, odd == a ? b : a);
	else if (type_is_ptr(a->type) && type_is_int(b->type))
		check_cast_hint(c, d, b, a->type);
	check_operand_hint(c, d, odd);
	return NULL;
}

static bool op_operands(struct comp *c, struct node *n)
{
	n->a = check_expr(c, n->a);
	n->b = check_expr(c, n->b);
	return n->a && n->b;
}

static bool op_is_value(const struct node *n)
{
	return !type_is_void(n->type) && !type_is_dyn(n->type);
}

/* ---- unary --------------------------------------------------------------------------- */

static struct node *unary_deref(struct comp *c, struct node *n)
{
	struct type *to = type_target(n->a->type);
	struct node *first;

	if (xlate_is_pointer(n->a))
		return xlate_deref(c, n->a);
	if (type_is_string(n->a->type)) {        /* its first byte: s[0] */
		first = check_make(c, N_INDEX, n, &ty_char);
		first->a = n->a;
		first->b = check_int(c, check_make(c, N_INT, n, &ty_int), 0, &ty_int);
		return first;
	}
	if (!to) {
		check_deref_hint(c, diag_error(&c->env->diags, D_DEREF_NONPTR, n->at,
					       "'%s' is not a pointer",
					       TYPE_TEXT(c, n->a->type)), n->a);
		return NULL;
	}
	if (type_is_void(to)) {
		struct diag *d = diag_error(&c->env->diags, D_DEREF_VOID, n->at,
					    "a void pointer cannot be followed");

		diag_hint(&c->env->diags, d, "cast it to what it points to: *(int *)p");
		return NULL;
	}
	if (type_is_func(to))
		return ERR(c, D_DEREF_FUNC, n->at, "a function pointer cannot be followed");
	if (type_is_struct(to) && scope_complete(c, to)->incomplete)
		return ERR(c, D_OP_INCOMPLETE, n->at, "'%s' is not defined", TYPE_TEXT(c, to));
	n->type = to;
	if (type_is_ptr(to) && !type_base(to)->is_user && memory_lies(c, n) == MEM_USER) {
		n->type = type_copy(c, type_base(to));
		n->type->is_user = true;
	}
	n->lvalue = true;
	return n;
}

static struct node *unary_address(struct comp *c, struct node *n)
{
	if (n->a->kind == N_UNARY && n->a->op == '&' && n->a->a->kind == N_KSYM)
		return n->a;             /* a kernel function has its address as value */
	if (check_is_jiffies(n->a)) {
		struct diag *d = diag_error(&c->env->diags, D_IDENT_UNDEF, n->at,
			"this kernel does not give the address of `jiffies");

		diag_hint(&c->env->diags, d, "its value is `jiffies itself");
		return NULL;
	}
	if (check_is_own(n->a)) {
		struct diag *d = diag_error(&c->env->diags, D_ADDROF_VAR, n->at,
					    "a D variable has no address");

		diag_hint(&c->env->diags, d, "trace(x) shows the variable itself");
		return NULL;
	}
	if (type_is_func(n->a->type) || (n->a->kind == N_KSYM && n->a->type)) {
		n->type = type_ptr(c->arena, n->a->type);
		return n;
	}
	if (!n->a->lvalue)
		return ERR(c, D_ADDROF_LVAL, n->at, "only an object in memory has an address");
	if (n->a->kind == N_MEMBER && n->a->member->bit_size)
		return ERR(c, D_ADDROF_BITFIELD, n->at, "bit-field '%s' has no address",
			   n->a->name);
	n->type = type_copy(c, type_ptr(c->arena, n->a->type));
	n->type->is_user = memory_lies(c, n->a) == MEM_USER;
	return n;
}

/* An enumeration counts as an int, unless it is larger. */
static struct type *op_type(const struct node *operand)
{
	struct type *b = type_base(operand->type);

	return b->kind == T_ENUM && b->size <= ty_int.size ? &ty_int : operand->type;
}

struct node *check_unary(struct comp *c, struct node *n)
{
	n->a = check_expr(c, n->a);
	if (!n->a)
		return NULL;
	if (n->op == '&')
		return unary_address(c, n);
	if (n->op == '*')
		return unary_deref(c, n);
	if (n->op == '!') {
		n->a = check_tested(n->a);
		if (!type_is_scalar(n->a->type))
			return op_needs(c, D_OP_SCALAR, n, "an integer or a pointer", n->a);
		n->type = &ty_int;
		return fold_again(c, n);
	}
	if (!type_is_int(n->a->type))
		return op_needs(c, n->op == '~' ? D_OP_INT : D_OP_ARITH, n, "an integer", n->a);
	n->a = check_promoted(c, n->a);
	if (n->op == '+')
		return n->a;
	n->type = op_type(n->a);
	return fold_again(c, n);
}

/* ---- binary ----------------------------------------------------------------------------- */

static bool op_pointer_arith_ok(struct comp *c, struct node *n, const struct node *p)
{
	struct type *to = type_is_string(p->type) ? &ty_char : type_target(p->type);

	if (type_is_void(to) || type_is_func(to)) {
		ERR(c, D_OP_INCOMPAT, n->at, "'%s' cannot be applied to '%s'", op_text(n->op),
		    TYPE_TEXT(c, p->type));
		return false;
	}
	if (!type_size(c, to)) {
		ERR(c, D_OP_INCOMPLETE, n->at, "the size of '%s' is not known", TYPE_TEXT(c, to));
		return false;
	}
	return true;
}

static bool op_is_address(const struct node *n)
{
	return type_target(n->type) || type_is_string(n->type);
}

/* The type of a sum with a pointer operand: arrays and strings decay. */
static struct type *op_decayed(struct comp *c, const struct node *n)
{
	struct type *t;

	if (type_is_ptr(n->type))
		return n->type;
	t = type_ptr(c->arena, type_is_string(n->type) ? &ty_char : type_base(n->type)->to);
	t->is_user = type_is_array(n->type) && memory_lies(c, n) == MEM_USER;
	return t;
}

/* text + n, text - n: the string from that character on.  (text + m) + n is text + (m + n). */
static struct node *string_behind(struct comp *c, struct node *n, struct node *s, struct node *by)
{
	struct node *sum;

	if (n->op == '-') {
		sum = check_make(c, N_UNARY, n, &ty_long);
		sum->op = '-';
		sum->a = by;
		by = fold_again(c, sum);
	}
	if (s->kind == N_CALL && builtin_is(s->row, BI___behind)) {
		sum = check_make(c, N_BINARY, n, &ty_long);
		sum->op = '+';
		sum->a = s->list->next;
		sum->b = by;
		by = fold_again(c, sum);
		s = s->list;
	}
	s->next = by;
	by->next = NULL;
	n->kind = N_CALL;
	n->row = builtin_row(BI___behind);
	n->name = n->row->name;
	n->list = s;
	n->a = n->b = NULL;
	n->type = &ty_string;
	return n;
}

static struct node *binary_add(struct comp *c, struct node *n)
{
	struct node *a = n->a, *b = n->b;

	if (type_is_int(a->type) && type_is_int(b->type)) {
		n->type = type_promote(c, a->type, b->type);
		return fold_again(c, n);
	}
	if (type_is_string(a->type) && type_is_int(b->type))
		return string_behind(c, n, a, b);
	if (n->op == '+' && type_is_int(a->type) && type_is_string(b->type))
		return string_behind(c, n, b, a);
	if (op_is_address(a) && type_is_int(b->type)) {
		n->type = op_decayed(c, a);
		return op_pointer_arith_ok(c, n, a) ? n : NULL;
	}
	if (n->op == '+' && type_is_int(a->type) && op_is_address(b)) {
		if (!op_pointer_arith_ok(c, n, b))
			return NULL;
		n->a = b;
		n->b = a;
		n->type = op_decayed(c, b);
		return n;
	}
	if (n->op == '-' && type_target(a->type) && type_target(b->type) &&
	    type_ptr_compat(c, a, b)) {
		n->type = type_builtin("ptrdiff_t");
		return op_pointer_arith_ok(c, n, a) ? n : NULL;
	}
	return op_incompat(c, n, a, b);
}

static bool enum_hidden(struct comp *c, const char *name)
{
	const struct sym *s = scope_peek(c, SPACE_GLOBAL, name);

	return s && !s->lib;
}

/* An enumerator of a kernel enum: known only beside a value of that enum. */
static struct node *enum_constant(struct comp *c, struct node *enumerated, struct node *n)
{
	struct type *t = type_base(enumerated->type);

	if (!t || t->kind != T_ENUM || n->kind != N_IDENT || n->scope != SCOPE_PLAIN)
		return NULL;
	t = scope_complete(c, t);
	for (u32 i = 0; i < t->count; i++) {
		if (strcmp(t->enums[i].name, n->name))
			continue;
		if (enum_hidden(c, n->name))
			return ERR(c, D_IDENT_AMBIG, n->at,
				   "'%s' is a variable and a constant of '%s'", n->name,
				   TYPE_TEXT(c, t));
		return check_int(c, n, t->enums[i].value, t);
	}
	return NULL;
}

/* With NULL on one side it is asked whether the other is NULL, without a look at its text. */
static struct node *binary_strings(struct comp *c, struct node *n)
{
	n->a = check_null_text(n->a);
	if (!check_is_null(n->a))
		n->b = check_null_text(n->b);
	if (!check_is_null(n->a))
		n->a = check_to_string(c, n->a);
	if (!check_is_null(n->b))
		n->b = check_to_string(c, n->b);
	check_text_length(c, n);
	return n;
}

static struct node *binary_compare(struct comp *c, struct node *n)
{
	struct node *a = n->a, *b = n->b, *k;
	u32 before = c->env->diags.nerrors;

	a = n->a = check_expr(c, n->a);
	c->check->beside_text = a && type_is_string(a->type) ? b : NULL;
	k = a ? enum_constant(c, a, b) : NULL;
	if (c->env->diags.nerrors != before)
		return NULL;
	b = n->b = k ? k : check_expr(c, b);
	if (!a || !b)
		return NULL;
	a = check_is_null(b) ? check_tested(a) : a;
	b = check_is_null(a) ? check_tested(b) : b;
	a = n->a = check_promoted(c, a);
	b = n->b = check_promoted(c, b);
	n->type = &ty_int;
	if (type_is_int(a->type) && type_is_int(b->type)) {
		n->is_signed = type_signed(type_promote(c, a->type, b->type));
		return fold_again(c, n);
	}
	if ((type_is_string(a->type) && (type_is_strcompat(b->type) || check_is_null(b))) ||
	    (type_is_string(b->type) && (type_is_strcompat(a->type) || check_is_null(a))) ||
	    (type_is_strcompat(a->type) && type_is_strcompat(b->type) &&
	     (type_is_array(a->type) || type_is_array(b->type))))
		return binary_strings(c, n);
	if (type_ptr_compat(c, a, b))
		return n;
	return op_incompat(c, n, a, b);
}

/* a =~ "pattern": the pattern is known now. */
static struct node *binary_like(struct comp *c, struct node *n)
{
	struct diag *d;

	n->a = check_expr(c, n->a);
	n->b = check_expr(c, n->b);
	if (!n->a || !n->b)
		return NULL;
	if (!type_is_strcompat(n->a->type)) {
		d = diag_error(&c->env->diags, D_OP_INCOMPAT, n->a->at,
			       "'%s' needs a string, not '%s'", op_text(n->op),
			       TYPE_TEXT(c, n->a->type));
		diag_hint(&c->env->diags, d, "stringof() makes a string of what a kernel address "
			  "points to, copyinstr() of a user address");
		return NULL;
	}
	if (n->b->kind != N_STR) {
		d = diag_error(&c->env->diags, D_OP_INCOMPAT, n->b->at,
			       "the pattern of '%s' must be known before the program runs",
			       op_text(n->op));
		diag_hint(&c->env->diags, d, "write it as a literal, an inline string, or an "
			  "operand: $$1");
		return NULL;
	}
	if (n->b->len > PATTERN_MAX)
		return ERR(c, D_OP_INCOMPAT, n->b->at, "a pattern has at most %d characters",
			   PATTERN_MAX);
	n->a = check_to_string(c, n->a);
	n->type = &ty_int;
	return n;
}

static struct node *binary_logic(struct comp *c, struct node *n)
{
	struct node *bad = !type_is_scalar(n->a->type) ? n->a :
			   !type_is_scalar(n->b->type) ? n->b : NULL;

	if (bad)
		return op_needs(c, D_OP_SCALAR, n, "integers or pointers", bad);
	n->type = &ty_int;
	return fold_again(c, n);
}

static struct node *binary_arith(struct comp *c, struct node *n)
{
	bool arith = n->op == '*' || n->op == '/';
	struct node *bad = !type_is_int(n->a->type) ? n->a : !type_is_int(n->b->type) ? n->b : NULL;

	if (bad)
		return op_needs(c, arith ? D_OP_ARITH : D_OP_INT, n, "integers", bad);
	n->type = type_promote(c, n->a->type, n->b->type);
	if (n->op == OP_SHL || n->op == OP_SHR) {
		fold_warn_shift(c, n);
		n->type = op_type(n->a);
	}
	n->is_signed = type_signed(n->type);
	return fold_again(c, n);
}

static bool op_compares(int op)
{
	return op == OP_EQ || op == OP_NE || op == '<' || op == '>' || op == OP_LE || op == OP_GE;
}

struct node *check_binary(struct comp *c, struct node *n)
{
	if (op_compares(n->op))
		return binary_compare(c, n);
	if (n->op == OP_LIKE || n->op == OP_UNLIKE)
		return binary_like(c, n);
	if (!op_operands(c, n))
		return NULL;
	if (n->op == OP_ANDAND || n->op == OP_OROR || n->op == OP_XORXOR) {
		n->a = check_promoted(c, check_tested(n->a));
		n->b = check_promoted(c, check_tested(n->b));
		return binary_logic(c, n);
	}
	n->a = check_promoted(c, n->a);
	n->b = check_promoted(c, n->b);
	if (n->op == '+' || n->op == '-')
		return binary_add(c, n);
	check_mask_note(c, n);
	return binary_arith(c, n);
}

/* ---- ?: and , -------------------------------------------------------------------------------- */

static bool op_no_action(struct comp *c, const struct node *n, const char *where)
{
	struct diag *d;

	if (check_is_action(n)) {
		d = diag_error(&c->env->diags, D_OP_ACT, n->at, "%s() may not stand in %s",
			       n->row->name, where);
		diag_hint(&c->env->diags, d, "use if (...) or a clause with a predicate");
		return false;
	}
	if (type_is_dyn(n->type)) {
		ERR(c, D_OP_DYN, n->at, "this has no single value and may not stand in %s", where);
		return false;
	}
	return true;
}

static struct node *cond_typed(struct comp *c, struct node *n)
{
	struct node *b = n->b, *f = n->c;

	if (type_is_int(b->type) && type_is_int(f->type)) {
		n->type = type_promote(c, b->type, f->type);
	} else if ((type_is_string(b->type) && type_is_strcompat(f->type)) ||
		   (type_is_string(f->type) && type_is_strcompat(b->type)) ||
		   (type_is_chars(b->type) && type_is_chars(f->type))) {
		n->b = check_to_string(c, b);
		n->c = check_to_string(c, f);
		n->type = type_base(n->b->type)->size && type_base(n->c->type)->size ?
			  type_string_of(c->arena, MAX(type_base(n->b->type)->size,
						       type_base(n->c->type)->size)) : &ty_string;
	} else if (type_ptr_compat(c, b, f)) {
		n->type = op_decayed(c, type_target(b->type) && !type_is_void(type_target(b->type))
						? b
					: type_target(f->type) ? f
							       : b);
	} else if (type_compat(c, b->type, f->type)) {
		n->type = b->type;
	} else {
		return op_incompat(c, n, b, f);
	}
	return n;
}

struct node *check_conditional(struct comp *c, struct node *n)
{
	n->a = check_expr(c, n->a);
	if (!n->a)
		return NULL;
	n->a = check_tested(n->a);
	if (!type_is_scalar(n->a->type))
		return op_needs(c, D_OP_SCALAR, n, "an integer or pointer as its condition", n->a);
	if (n->a->kind == N_INT)
		return check_expr(c, n->a->value ? n->b : n->c);
	n->b = check_expr(c, n->b);
	n->c = check_expr(c, n->c);
	if (!n->b || !n->c || !op_no_action(c, n->b, "?:") || !op_no_action(c, n->c, "?:"))
		return NULL;
	n->b = check_promoted(c, n->b);
	n->c = check_promoted(c, n->c);
	return cond_typed(c, n);
}

struct node *check_comma(struct comp *c, struct node *n)
{
	if (!op_operands(c, n) || !op_no_action(c, n->a, "a comma expression") ||
	    !op_no_action(c, n->b, "a comma expression"))
		return NULL;
	n->type = n->b->type;
	return n;
}

/* ---- casts ----------------------------------------------------------------------------------- */

static bool cast_valid(struct comp *c, struct type *to, const struct node *a)
{
	if (type_is_void(to))
		return true;
	if (!op_is_value(a))
		return false;
	if (type_is_string(a->type))
		return type_is_strcompat(to) && !type_is_array(to);
	if (type_is_string(to))
		return type_is_scalar(a->type) || type_is_chars(a->type);
	if (type_is_scalar(to) && type_is_scalar(a->type))
		return true;
	if (type_is_ptr(to))
		return type_is_array(a->type) || type_is_func(a->type);
	return type_compat(c, to, a->type);
}

/*
 * Is it an address of the traced program?  The memory of the operand decides, if it is known.
 * For a number, or a pointer to void, the type decides: a struct of that program is in its
 * memory.
 */
static bool cast_to_user(struct comp *c, struct type *to, const struct node *a)
{
	struct type *t = type_is_ptr(a->type) ? type_base(type_base(a->type)->to) : NULL;

	if (type_is_array(a->type))
		return memory_lies(c, a) == MEM_USER;
	if (t && (type_base(a->type)->is_user || type_is_struct(t) || type_is_ptr(t) ||
		  memory_points(a) == POINTS_SCRATCH))
		return type_base(a->type)->is_user;
	return type_base(to)->is_user;
}

struct node *check_explicit_cast(struct comp *c, struct node *n)
{
	struct type *to = n->type;
	struct diag *d;

	n->a = check_expr(c, n->a);
	if (!n->a)
		return NULL;
	if (n->a->kind == N_XLATE && type_compat(c, type_base(n->a->type)->to, to))
		return n->a;             /* a translated pointer, to its own type */
	if (!cast_valid(c, to, n->a)) {
		d = diag_error(&c->env->diags, D_CAST_INVAL, n->at, "'%s' cannot be cast to '%s'",
			       TYPE_TEXT(c, n->a->type), TYPE_TEXT(c, to));
		if (type_is_string(n->a->type) && type_is_int(to))
			diag_hint(&c->env->diags, d, "strtoll(s) is the number that a string "
				  "begins with");
		check_operand_hint(c, d, n->a);
		return NULL;
	}
	if (type_is_string(to))
		return check_text_at(c, n->a);
	if (type_is_ptr(to) && type_is_ptr(n->a->type) && type_compat(c, to, n->a->type))
		return n->a;             /* points to the same memory */
	if (type_is_ptr(to) && type_base(to)->is_user != cast_to_user(c, to, n->a)) {
		n->type = type_copy(c, type_base(to));
		n->type->is_user = !n->type->is_user;
	}
	return fold_again(c, n);
}

struct node *check_stringof(struct comp *c, struct node *n)
{
	n->a = check_expr(c, n->a);
	if (!n->a)
		return NULL;
	if (type_is_string(n->a->type))
		return n->a;
	if (!type_is_scalar(n->a->type) && !type_is_chars(n->a->type))
		return ERR(c, D_STRINGOF_TYPE, n->at, "'%s' cannot be made a string",
			   TYPE_TEXT(c, n->a->type));
	return check_text_at(c, n->a);
}
