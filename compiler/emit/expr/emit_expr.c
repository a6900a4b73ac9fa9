/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_expr.c - operators and conditions.  Everything is computed in 64 bits.
 */
#include "compiler/emit/emit-private.h"

/* Is it computed without branches? */
static bool is_leaf(const struct node *n)
{
	switch (n->kind) {
	case N_INT:
	case N_ARG:
	case N_KSYM:
		return true;
	case N_VAR:
		return n->sym->place != PLACE_SELF;
	case N_CAST:
		return is_leaf(n->a);
	default:
		return false;
	}
}

void emit_both(struct emit *e, const struct node *a, const struct node *b, val *va, val *vb)
{
	u32 mark = e->x.held;
	struct held h = { emit_expr(e, a), 0 };

	if (!is_leaf(b))
		h = emit_hold(e, h.v);
	*vb = emit_expr(e, b);
	*va = emit_take(e, h);
	e->x.held = mark;
}

static val compare(struct emit *e, LLVMIntPredicate p, val a, val b)
{
	return ll_ext(e, LLVMBuildICmp(e->b, p, a, b, ""), false);
}

static LLVMIntPredicate order(int op, bool is_signed)
{
	switch (op) {
	case '<':
		return is_signed ? LLVMIntSLT : LLVMIntULT;
	case '>':
		return is_signed ? LLVMIntSGT : LLVMIntUGT;
	case OP_LE:
		return is_signed ? LLVMIntSLE : LLVMIntULE;
	case OP_GE:
		return is_signed ? LLVMIntSGE : LLVMIntUGE;
	case OP_EQ:
		return LLVMIntEQ;
	default:
		return LLVMIntNE;
	}
}

/* BPF divides only unsigned numbers: signed ones are divided by their magnitudes. */
static val divide_signed(struct emit *e, val a, val b, bool rest)
{
	val zero = ll_num(e, 0);
	val na = LLVMBuildICmp(e->b, LLVMIntSLT, a, zero, "");
	val nb = LLVMBuildICmp(e->b, LLVMIntSLT, b, zero, "");
	val ua = LLVMBuildSelect(e->b, na, LLVMBuildNeg(e->b, a, ""), a, "");
	val ub = LLVMBuildSelect(e->b, nb, LLVMBuildNeg(e->b, b, ""), b, "");
	val q = rest ? LLVMBuildURem(e->b, ua, ub, "") : LLVMBuildUDiv(e->b, ua, ub, "");
	val neg = rest ? na : LLVMBuildXor(e->b, na, nb, "");

	return LLVMBuildSelect(e->b, neg, LLVMBuildNeg(e->b, q, ""), q, "");
}

static val divide(struct emit *e, const struct node *n, val a, val b)
{
	if (!LLVMIsAConstantInt(b) ||
	    !LLVMConstIntGetZExtValue(b)) /* 0: this probe or kernel does not have it */
		emit_fault_if(e, LLVMBuildICmp(e->b, LLVMIntEQ, b, ll_num(e, 0), ""),
			      DTX_FAULT_DIVZERO, ll_num(e, 0));
	if (n->is_signed)
		return divide_signed(e, a, b, n->op == '%');
	return n->op == '%' ? LLVMBuildURem(e->b, a, b, "") : LLVMBuildUDiv(e->b, a, b, "");
}

static u64 target_size(struct emit *e, const struct type *type)
{
	struct type *t = type_base((struct type *)type);

	if (t->kind != T_PTR && t->kind != T_ARRAY)
		return 0;
	return MAX(type_size(e->c, t->to), 1);
}

static val scaled(struct emit *e, val v, u64 by)
{
	return by > 1 ? LLVMBuildMul(e->b, v, ll_num(e, by), "") : v;
}

static val expr_add(struct emit *e, const struct node *n, val a, val b)
{
	u64 sa = target_size(e, n->a->type), sb = target_size(e, n->b->type);

	if (n->op == '+')
		return LLVMBuildAdd(e->b, scaled(e, a, sb), scaled(e, b, sa), "");
	if (sa && sb)
		return divide_signed(e, LLVMBuildSub(e->b, a, b, ""), ll_num(e, sa), false);
	return LLVMBuildSub(e->b, a, scaled(e, b, sa), "");
}

val emit_arith(struct emit *e, const struct node *n, val a, val b)   /* dispatch */
{
	switch (n->op) {
	case '+':
	case '-':
		return expr_add(e, n, a, b);
	case '*':
		return LLVMBuildMul(e->b, a, b, "");
	case '/':
	case '%':
		return divide(e, n, a, b);
	case '&':
		return LLVMBuildAnd(e->b, a, b, "");
	case '|':
		return LLVMBuildOr(e->b, a, b, "");
	case '^':
		return LLVMBuildXor(e->b, a, b, "");
	case OP_SHL:
		return LLVMBuildShl(e->b, a, LLVMBuildAnd(e->b, b, ll_num(e, 63), ""), "");
	case OP_SHR:
		b = LLVMBuildAnd(e->b, b, ll_num(e, 63), "");
		return type_signed(n->a->type) ? LLVMBuildAShr(e->b, a, b, "")
					       : LLVMBuildLShr(e->b, a, b, "");
	default:
		return compare(e, order(n->op, n->is_signed), a, b);
	}
}

/* 1 or 0 by jumps. */
static val truth(struct emit *e, const struct node *n)
{
	block yes = ll_block(e, "true"), no = ll_block(e, "false"), end = ll_block(e, "end");

	emit_jump(e, n, yes, no);
	ll_at(e, yes);
	ll_br(e, end);
	ll_at(e, no);
	ll_br(e, end);
	ll_at(e, end);
	return ll_phi(e, e->i64, ll_num(e, 1), yes, ll_num(e, 0), no);
}

static val logical(struct emit *e, const struct node *n)
{
	block more, end, first, from;
	bool is_or = n->op == OP_OROR;
	val a, b;

	if (e->p.large)
		return truth(e, n);
	more = ll_block(e, "more");
	end = ll_block(e, "end");
	a = ll_ext(e, emit_cond(e, n->a), false);
	first = ll_here(e);
	if (is_or)
		ll_if(e, a, end, more);
	else
		ll_if(e, a, more, end);
	ll_at(e, more);
	b = ll_ext(e, emit_cond(e, n->b), false);
	from = ll_here(e);
	ll_br(e, end);
	ll_at(e, end);
	return ll_phi(e, e->i64, a, first, b, from);
}

static bool on_strings(const struct node *n)
{
	return n->op != '+' && n->op != '-' &&
	       (type_is_string(n->a->type) || type_is_string(n->b->type));
}

static val binary(struct emit *e, const struct node *n)
{
	val a, b;

	if (n->op == OP_ANDAND || n->op == OP_OROR)
		return logical(e, n);
	if (n->op == OP_XORXOR) {
		emit_both(e, n->a, n->b, &a, &b);
		return ll_ext(e, LLVMBuildXor(e->b, ll_bool(e, a), ll_bool(e, b), ""), false);
	}
	if (n->op == OP_LIKE || n->op == OP_UNLIKE)
		return emit_like(e, n);
	if (on_strings(n))
		return emit_str_compare(e, n);
	emit_both(e, n->a, n->b, &a, &b);
	return emit_arith(e, n, a, b);
}

static val load(struct emit *e, const struct node *n)
{
	struct type *t = type_base(n->type);
	struct place at;

	if (t->kind == T_STRING)
		return emit_text_addr(e, n);
	at = emit_place(e, n);
	if (t->kind == T_ARRAY || t->kind == T_STRUCT || t->kind == T_UNION || t->kind == T_FUNC)
		return emit_place_addr(e, &at);
	return emit_load(e, &at, n->type);
}

static val unary(struct emit *e, const struct node *n)
{
	struct place at;

	switch (n->op) {
	case '-':
		return LLVMBuildNeg(e->b, emit_expr(e, n->a), "");
	case '~':
		return LLVMBuildNot(e->b, emit_expr(e, n->a), "");
	case '!':
		return ll_ext(e, LLVMBuildNot(e->b, emit_cond(e, n->a), ""), false);
	case '&':
		at = emit_place(e, n->a);
		return emit_place_addr(e, &at);
	case '*':
		return load(e, n);
	default:
		return emit_expr(e, n->a);
	}
}

static val choice(struct emit *e, const struct node *n)
{
	block yes = ll_block(e, "then"), no = ll_block(e, "else"), end = ll_block(e, "end");
	block from_yes, from_no;
	val a, b;

	emit_jump(e, n->a, yes, no);
	ll_at(e, yes);
	a = emit_expr(e, n->b);
	from_yes = ll_here(e);
	ll_br(e, end);
	ll_at(e, no);
	b = emit_expr(e, n->c);
	from_no = ll_here(e);
	ll_br(e, end);
	ll_at(e, end);
	return ll_phi(e, e->i64, a, from_yes, b, from_no);
}

static val cast(struct emit *e, const struct node *n)
{
	if (type_is_string(n->a->type))
		return emit_text_addr(e, n->a);
	if (type_is_scalar(n->type))
		return emit_narrow(e, emit_expr(e, n->a), n->type);
	return emit_expr(e, n->a);
}

static val index_string(struct emit *e, const struct node *n)
{
	struct str s = emit_str_own(e, emit_str(e, n->a));
	val i = ll_call(e, "dtx_opaque", emit_expr(e, n->b));

	emit_fault_if(e, LLVMBuildICmp(e->b, LLVMIntUGE, i, ll_num(e, s.cap), ""),
		      DTX_FAULT_BADINDEX, i);
	return ll_load(e, ll_off_var(e, s.p, i), 1, type_signed(n->type));
}

static val value(struct emit *e, const struct node *n)   /* dispatch */
{
	switch (n->kind) {
	case N_INT:
		return ll_num(e, n->value);
	case N_STR:
	case N_STRINGOF:
		return emit_text_addr(e, n);
	case N_VAR:
	case N_ASSOC:
		return type_is_scalar(n->type) ? emit_var_get(e, n) : load(e, n);
	case N_BUILTIN:
	case N_CALL:
		return emit_call(e, n);
	case N_ARG:
		return emit_arg(e, n);
	case N_INDEX:
		return type_is_string(n->a->type) ? index_string(e, n) : load(e, n);
	case N_MEMBER:
		return n->field.unit ? emit_bits(e, n) : load(e, n);
	case N_KSYM:
		return load(e, n);
	case N_UNARY:
		return unary(e, n);
	case N_INCDEC:
		return emit_incdec(e, n);
	case N_BINARY:
		return binary(e, n);
	case N_ASSIGN:
		return emit_assign(e, n);
	case N_COND:
		return choice(e, n);
	case N_COMMA:
		emit_void(e, n->a);
		return emit_expr(e, n->b);
	case N_CAST:
		return cast(e, n);
	default:
		diag_error(&e->c->env->diags, DIAG_NONE, n->at,
			   "internal error: no code for this expression");
		return ll_num(e, 0);
	}
}

/* Is the value made by a condition, with another value on each path? */
static bool by_paths(const struct node *n)
{
	if (!n->type || !type_is_scalar(n->type) || is_leaf(n) || n->kind == N_STRINGOF)
		return false;
	if (n->kind == N_CAST)
		return type_is_scalar(n->a->type) && by_paths(n->a);
	return n->kind != N_BINARY || n->op >= OP_LE || n->op == '<' || n->op == '>' ||
	       n->op == '/' || n->op == '%';
}

val emit_expr(struct emit *e, const struct node *n)
{
	struct range outer = diags_use(&e->c->env->diags, n->at);
	val v = value(e, n);

	e->c->env->diags.use = outer;
	return e->p.large && by_paths(n) ? emit_forget(e, v) : v;
}

val emit_cond(struct emit *e, const struct node *n)
{
	dbg_line(e, n->at);
	return ll_bool(e, emit_expr(e, n));
}

static bool compares(const struct node *n)
{
	return n->kind == N_BINARY && (n->op >= OP_LE || n->op == '<' || n->op == '>');
}

/* Branches to one of two blocks.  In large programs the condition is not made a number. */
void emit_jump(struct emit *e, const struct node *n, block yes, block no)
{
	block more;

	dbg_line(e, n->at);
	if (!e->p.large || (n->kind != N_BINARY && n->kind != N_UNARY)) {
		ll_if(e, emit_cond(e, n), yes, no);
	} else if (n->op == '!') {
		emit_jump(e, n->a, no, yes);
	} else if (n->op == OP_ANDAND || n->op == OP_OROR) {
		more = ll_block(e, "more");
		emit_jump(e, n->a, n->op == OP_OROR ? yes : more, n->op == OP_OROR ? more : no);
		ll_at(e, more);
		emit_jump(e, n->b, yes, no);
	} else {
		struct range outer = diags_use(&e->c->env->diags, n->at);

		ll_if(e, compares(n) ? ll_bool(e, value(e, n)) : emit_cond(e, n), yes, no);
		e->c->env->diags.use = outer;
	}
}

void emit_void(struct emit *e, const struct node *n)
{
	dbg_line(e, n->at);
	if (n->kind == N_COMMA) {
		emit_void(e, n->a);
		emit_void(e, n->b);
	} else if (n->kind == N_CAST && type_base(n->type)->kind == T_VOID) {
		emit_void(e, n->a);
	} else if (n->kind == N_ASSIGN || n->kind == N_INCDEC)
		emit_expr(e, n);
	else if (n->type && type_is_string(n->type))
		emit_str_own(e, emit_str(e, n));         /* it may fault */
	else if (n->type && (type_is_scalar(n->type) || type_base(n->type)->kind == T_VOID))
		emit_expr(e, n);
}
