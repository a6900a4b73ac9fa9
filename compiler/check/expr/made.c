/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * made.c - nodes that checks make, and what a node is: nothing here checks another expression.
 *
 * Conversions that change bits become N_CAST and N_STRINGOF.
 */
#include "compiler/check/check-private.h"

struct node *check_make(struct comp *c, enum node_kind kind, const struct node *at,
			struct type *type)
{
	struct node *n = node_new(c, kind, at->at);

	n->op_at = at->op_at;
	n->type = type;
	return n;
}

struct node *check_int(struct comp *c, const struct node *at, s64 value, struct type *type)
{
	struct node *n = check_make(c, N_INT, at, type);

	n->value = value;
	return n;
}

bool check_is_null(const struct node *n)
{
	return n && n->kind == N_INT && !n->value;
}

/* Does the value have more bits than `to`, or another sign? */
static bool check_changes_bits(struct comp *c, const struct node *n, struct type *to)
{
	u64 want = type_size(c, to), have = type_size(c, n->type);

	if (want >= 8)
		return false;
	if (n->kind == N_BINARY || n->kind == N_UNARY || n->kind == N_COND || n->kind == N_COMMA ||
	    n->kind == N_INT)
		return true;             /* may exceed its static type */
	return have != want || type_signed(n->type) != type_signed(to);
}

struct node *check_cast(struct comp *c, struct node *n, struct type *to)
{
	struct node *cast;

	if (!type_is_int(to) || !type_is_scalar(n->type) || !check_changes_bits(c, n, to)) {
		if (n->kind == N_INT && type_is_int(to))
			n->type = to;
		return n;
	}
	cast = check_make(c, N_CAST, n, to);
	cast->a = n;
	return fold_again(c, cast);
}

struct node *check_decayed(struct comp *c, struct node *n)
{
	struct node *addr;

	if (!type_is_func(n->type))
		return n;
	addr = check_make(c, N_UNARY, n, type_ptr(c->arena, n->type));
	addr->op = '&';
	addr->a = n;
	return addr;
}

struct node *check_to_string(struct comp *c, struct node *n)
{
	return type_is_string(n->type) || check_is_null(n) ? n : check_text_at(c, n);
}

struct node *check_null_text(struct node *n)
{
	return n->kind == N_STRINGOF && check_is_null(n->a) ? n->a : n;
}

struct node *check_text_at(struct comp *c, struct node *n)
{
	struct node *s;

	if (type_is_string(n->type))
		return n;
	s = check_make(c, N_STRINGOF, n, &ty_string);
	s->a = n;
	if (type_is_chars(n->type) && type_base(n->type)->count)
		s->type = type_string_of(c->arena, type_base(n->type)->count + 1);
	return s;
}

bool check_is_action(const struct node *n)
{
	if (n->kind != N_CALL || !n->row || n->row->kind != BK_ACT)
		return false;
	return type_is_void(n->type);
}

struct node *check_then(struct comp *c, struct node *a, struct node *b)
{
	struct node *n;

	if (!a)
		return b;
	n = check_make(c, N_COMMA, b, b->type);
	n->op = ',';
	n->a = a;
	n->b = b;
	return n;
}

/* Members and elements of D variables have an address that can be dereferenced. */
bool check_is_own(const struct node *n)
{
	return n->kind == N_VAR || n->kind == N_ASSOC || n->kind == N_BUILTIN || n->kind == N_ARG ||
	       n->kind == N_AGGREF;
}

/* The bytes at an address as an array, for the record. */
struct node *check_bytes(struct comp *c, struct node *addr, u32 n)
{
	struct node *cast = check_make(c, N_CAST, addr, NULL), *deref;
	struct type *bytes = type_array(c->arena, &ty_uchar, n);

	cast->type = type_copy(c, type_ptr(c->arena, bytes));
	if (type_is_ptr(addr->type))
		cast->type->is_user = type_base(addr->type)->is_user;
	cast->a = addr;
	addr->next = NULL;
	deref = check_make(c, N_UNARY, addr, bytes);
	deref->op = '*';
	deref->a = cast;
	deref->lvalue = true;
	return deref;
}

/* A bit-field is an int in arithmetic if an int can hold all its values, as in C. */
struct type *check_promoted_type(const struct node *n)
{
	u32 bits = n->kind == N_MEMBER && n->member ? n->member->bit_size : 0;

	return !bits || !type_is_int(n->type) || bits + !type_signed(n->type) > 8 * ty_int.size ?
	       n->type : &ty_int;
}

struct node *check_promoted(struct comp *c, struct node *n)
{
	struct type *t = check_promoted_type(n);
	struct node *cast;

	if (t == n->type)
		return n;
	cast = check_make(c, N_CAST, n, t);
	cast->a = n;
	return cast;
}

/* As a condition, such a variable is what it holds. */
struct node *check_tested(struct node *n)
{
	return n->kind == N_XLATE && n->a->kind == N_VAR ? n->a : n;
}

/* *xlate <T *>(e) is xlate <T>(e). */
bool xlate_is_pointer(const struct node *n)
{
	return n->kind == N_XLATE && type_is_dyn(n->type) && type_is_ptr(type_base(n->type)->to);
}

struct node *check_sym_node(struct comp *c, const struct node *at, struct sym *s)
{
	struct node *n = check_make(c, N_VAR, at, check_var_type(c, s));

	n->sym = s;
	n->lvalue = true;
	return n;
}

/* The variable of a name; created with the type of its first value. */
struct node *check_create(struct comp *c, struct node *n, struct type *type)
{
	enum sym_space space = SPACE_GLOBAL;
	const char *name = n->name;
	struct sym *s;

	check_scoped(n, &space, &name);
	s = scope_find(c, space, name);
	if (!s || check_is_free(s))
		s = scope_add(c, space, SYM_VAR, name, n->at);
	s->type = type;
	return check_sym_node(c, n, s);
}
