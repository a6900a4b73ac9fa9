/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fold.c - folds integer constants, before typing.
 *
 * Observable behaviour: `C ? a : b` with a constant C becomes the chosen branch, and the
 * other one is never checked (scripts guard actions with it); && and || fold only if
 * both sides are constant; a constant divisor of 0 is refused everywhere.
 */
#include <dtx/tag.h>

#include "compiler/check/check-private.h"

/* The given: values of parameters, which are constants by chance. */
static struct node *fold_int(struct node *n, s64 value, struct type *type)
{
	n->given = n->given || (n->a && n->a->given) || (n->b && n->b->given);
	n->kind = N_INT;
	n->value = value;
	n->type = type;
	n->a = n->b = n->c = n->list = NULL;
	return n;
}

static bool fold_is_int(const struct node *n)
{
	return n && n->kind == N_INT;
}

static struct type *fold_type(struct node *n)
{
	return n->type ? n->type : &ty_int;
}

/* Truncate to the type's width, then extend by its sign; a _Bool is 0 or 1. */
static s64 fold_narrow(struct comp *c, s64 v, struct type *t)
{
	u64 size = type_size(c, t);
	u32 unused = size && size < 8 ? 64 - 8 * size : 0;

	if (type_base(t)->is_bool)
		return v != 0;
	if (!unused)
		return v;
	if (type_signed(t))
		return (s64)((u64)v << unused) >> unused;
	return (s64)(((u64)v << unused) >> unused);
}

static struct node *fold_ident(struct comp *c, struct node *n)
{
	struct sym *s;

	if (n->scope != SCOPE_PLAIN || !n->name)
		return n;
	s = scope_find(c, SPACE_GLOBAL, n->name);
	if (s && check_is_later(s, n))
		return n;
	if (!s && !strcmp(n->name, "NULL"))
		return fold_int(n, 0, &ty_int);
	if (s && s->kind == SYM_ENUM)
		return fold_int(n, s->value, s->type ? s->type : &ty_int);
	if (s && s->kind == SYM_INLINE && s->is_const && !s->nparams)
		return fold_int(n, s->value, s->type);
	return n;
}

static struct node *fold_unary(struct comp *c, struct node *n)
{
	struct type *t;
	s64 v;

	if (!fold_is_int(n->a))
		return n;
	v = n->a->value;
	t = fold_type(n->a);
	switch (n->op) {
	case '-':                        /* -3U is the unsigned int 4294967293, no variable is */
		v = (s64)(0 - (u64)v);
		return fold_int(n, type_signed(t) || n->a->given ? v : fold_narrow(c, v, t), t);
	case '+':
		return fold_int(n, v, t);
	case '~':
		return fold_int(n, ~v, t);
	case '!':
		return fold_int(n, !v, &ty_int);
	default:
		return n;
	}
}

static bool fold_compare(int op, u64 a, u64 b, bool sign)
{
	bool less = sign ? (s64)a < (s64)b : a < b;

	switch (op) {
	case '<':
		return less;
	case '>':
		return !less && a != b;
	case OP_LE:
		return less || a == b;
	case OP_GE:
		return !less;
	case OP_EQ:
		return a == b;
	default:
		return a != b;
	}
}

static u64 fold_divide(int op, u64 a, u64 b, bool sign)
{
	if (!sign)
		return op == '/' ? a / b : a % b;
	if (b == (u64)-1)                /* also if the quotient does not fit */
		return op == '/' ? 0 - a : 0;
	return op == '/' ? (u64)((s64)a / (s64)b) : (u64)((s64)a % (s64)b);
}

static u64 fold_shift(int op, u64 a, u64 b, bool sign)
{
	b &= 63;
	if (op == OP_SHL)
		return a << b;
	return sign ? (u64)((s64)a >> b) : a >> b;
}

/* A machine takes the lowest six bits of the number; a program seldom means that. */
void fold_warn_shift(struct comp *c, const struct node *n)
{
	const struct node *by = n->b;

	if (by->kind != N_INT || (u64)by->value <= 63 || !by->at.src || by->at.src->is_library)
		return;
	diag_hint(&c->env->diags, diag_warn(&c->env->diags, DIAG_NONE, n->at,
		  "a shift by %lld is one by %lld: only the lowest six bits count",
		  (long long)by->value, (long long)(by->value & 63)),
		  "a value has 64 bits: shift by 0 to 63");
}

bool fold_fits(struct comp *c, struct type *t, s64 x)
{
	u64 bits = type_is_int(t) ? 8 * type_size(c, t) : 0;

	return !bits || bits >= 64 || type_base(t)->is_bool ||
	       (x >= -(1ll << (bits - 1)) && x < 1ll << bits);
}

/* In the program, and not what an inline was given. */
static bool is_written(const struct node *v)
{
	return v->kind == N_INT && !v->given && v->at.src && !v->at.src->is_library;
}

bool fold_loses(struct comp *c, const struct node *v, struct type *t)
{
	return is_written(v) && !fold_fits(c, t, v->value);
}

void fold_warn_kept(struct comp *c, const struct node *v, struct type *t)
{
	u64 bits = type_is_int(t) ? 8 * type_size(c, t) : 64;
	bool negative = bits < 64 && type_signed(t) && (s64)v->value >> (bits - 1) > 0;

	if (!is_written(v) || type_base(t) != type_base(v->type) ||
	    (fold_fits(c, t, v->value) && !negative))
		return;
	diag_hint(&c->env->diags, diag_warn(&c->env->diags, DIAG_NONE, v->at,
		  "'%s' does not hold %lld: bits are lost", TYPE_TEXT(c, t), (long long)v->value),
		  "write one of its numbers with an L, as in 60 * 1000000000L");
}

static struct node *fold_ints(struct comp *c, struct node *n)    /* dispatch */
{
	struct type *lt = fold_type(n->a), *t = type_promote(c, lt, fold_type(n->b));
	u64 a = n->a->value, b = n->b->value;
	bool sign = type_signed(t);

	switch (n->op) {
	case '+':
		return fold_int(n, a + b, t);
	case '-':
		return fold_int(n, a - b, t);
	case '*':
		return fold_int(n, a * b, t);
	case '/':
	case '%':
		return b ? fold_int(n, fold_divide(n->op, a, b, sign), t) : n;
	case '&':
		return fold_int(n, a & b, t);
	case '|':
		return fold_int(n, a | b, t);
	case '^':
		return fold_int(n, a ^ b, t);
	case OP_SHL:
	case OP_SHR:
		fold_warn_shift(c, n);
		return fold_int(n, fold_shift(n->op, a, b, type_signed(lt)), lt);
	case OP_ANDAND:
		return fold_int(n, a && b, &ty_int);
	case OP_OROR:
		return fold_int(n, a || b, &ty_int);
	case OP_XORXOR:
		return fold_int(n, !a != !b, &ty_int);
	default:
		return fold_int(n, fold_compare(n->op, a, b, sign), &ty_int);
	}
}

static void fold_check_divisor(struct comp *c, struct node *n)
{
	if ((n->op == '/' || n->op == '%') && fold_is_int(n->b) && !n->b->value)
		ERR(c, D_DIV_ZERO, n->at, "division by zero");
}

/* n with folded operands. */
static struct node *fold_self(struct comp *c, struct node *n)
{
	u64 size;

	switch (n->kind) {
	case N_IDENT:
		return fold_ident(c, n);
	case N_UNARY:
		return fold_unary(c, n);
	case N_BINARY:
		fold_check_divisor(c, n);
		return fold_is_int(n->a) && fold_is_int(n->b) ? fold_ints(c, n) : n;
	case N_ASSIGN:
		fold_check_divisor(c, n);
		return n;
	case N_COND:
		if (!fold_is_int(n->a))
			return n;
		return n->a->value ? n->b : n->c;
	case N_CAST:
		if (!fold_is_int(n->a) || !type_is_int(n->type))
			return n;
		return fold_int(n, fold_narrow(c, n->a->value, n->type), n->type);
	case N_SIZEOF:
		size = n->a || !n->type ? 0 : type_sizeof(c, n->type);
		return size ? fold_int(n, size, type_builtin("size_t")) : n;
	default:
		return n;
	}
}

static bool fold_keeps_name(const struct node *n)
{
	return n->kind == N_ASSIGN || n->kind == N_INCDEC || n->kind == N_CALL ||
	       n->kind == N_INDEX || (n->kind == N_UNARY && n->op == '&');
}

static struct node *fold_one(struct node *n, void *c)
{
	return fold_node(c, n);
}

struct node *fold_node(struct comp *c, struct node *n)
{
	if (!n)
		return NULL;
	if (n->kind == N_SIZEOF && n->a)         /* its operand is not evaluated */
		return n;
	if (!(fold_keeps_name(n) && n->a && n->a->kind == N_IDENT))
		n->a = node_map(n->a, fold_one, c);
	n->b = node_map(n->b, fold_one, c);
	n->c = node_map(n->c, fold_one, c);
	n->list = node_map(n->list, fold_one, c);
	return fold_self(c, n);
}

/* One node whose operands were folded or typed before. */
struct node *fold_again(struct comp *c, struct node *n)
{
	struct type *t = n->type;
	bool was = n->kind == N_INT;

	n = fold_self(c, n);
	if (n->kind == N_INT && !was && !n->type)
		n->type = t;
	return n;
}
