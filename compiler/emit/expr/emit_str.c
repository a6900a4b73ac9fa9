/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_str.c - strings.  A string expression is at first only a source: the place
 * and the largest number of its bytes.  They are read once, directly to their
 * destination: a key, a variable, the tail of a record, or a temporary if the
 * program itself must look at them.
 * Why: docs/decisions/31-null-strings.md
 */
#include "compiler/emit/expr/rows.h"

static u32 strsize(const struct emit *e)
{
	return e->c->plan->strsize + 1;
}

static u32 type_cap(const struct emit *e, const struct type *type)
{
	const struct type *t = type_base((struct type *)type);

	if (t->kind == T_STRING && t->size)
		return MIN(t->size, strsize(e));
	if (t->kind == T_ARRAY && t->count)
		return MIN(t->count + 1, strsize(e));
	return strsize(e);
}

static struct str own(val p, u32 cap, const struct node *n)
{
	return (struct str){ STR_OWN, p, cap, n, NULL, NULL };
}

/* ---- sources ----------------------------------------------------------------------- */

/* What the program compares, stores or prints is then not what it says: no run would tell. */
static void warn_cut(struct emit *e, const struct node *n, u32 len)
{
	const char *what = arena_printf(e->c->env->arena, "this string of %u bytes is cut to the "
					"first %u", len, strsize(e) - 1);
	struct diag *d;

	if (!scope_once(e->c, what))
		return;
	d = diag_warn(&e->c->env->diags, DIAG_NONE, n->at, "%s", what);
	diag_hint(&e->c->env->diags, d, "option strsize gives more room: -x strsize=%u",
		  len + 1);
}

static struct str of_literal(struct emit *e, const struct node *n)
{
	u32 len = strlen(n->str), cap = MIN(len + 1, strsize(e));

	if (cap <= len)
		warn_cut(e, n, len);
	return (struct str){ STR_LIT, ll_string(e, n->str, cap - 1, ALIGN_UP(cap, 8)),
			     cap, n, NULL, NULL };
}

struct str emit_execname(struct emit *e, const struct node *n)
{
	return (struct str){ STR_COMM, NULL, DTX_COMM_LEN, n, NULL, NULL };
}

struct str emit_hostname(struct emit *e, const struct node *n)
{
	return own(ll_call(e, "dtx_hostname", e->f.frame), DTX_HOST_LEN, n);
}

struct str emit_probe_text(struct emit *e, const struct node *n)
{
	u32 cap = 0;
	val p = emit_probe_field(e, n->row, &cap);

	return own(p, cap, n);
}

val emit_str_room(struct emit *e, const struct node *n)
{
	return emit_scratch(e, e->c->plan->str_off + (n->place - 1) * e->c->plan->str_slot);
}

#define ARGTEXT_MAX  80          /* pr_psargs */

struct str emit_argtext(struct emit *e, const struct node *n)
{
	val start = emit_expr(e, n->list), end = emit_expr(e, n->list->next);
	val to = emit_str_room(e, n);
	bool all = n->list->next->next;  /* execargs */
	u32 max = MAX(all ? strsize(e) : MIN(strsize(e), ARGTEXT_MAX), DTX_COMM_LEN);

	ll_call(e, "dtx_argtext", to, ll_num(e, max), start, end);
	return own(to, max, n);
}

struct str emit_copyinstr(struct emit *e, const struct node *n)
{
	struct str s = { STR_USER, emit_expr(e, n->list), strsize(e), n, NULL, NULL };

	if (n->list->next && n->list->next->kind != N_INT)
		s.limit = emit_expr(e, n->list->next);
	else if (n->list->next)
		s.cap = MAX(MIN(s.cap, n->list->next->value), 1u);
	return s;
}

/*
 * The byte after the NUL of a string variable distinguishes NULL (or never set) from
 * an empty string.  Thread-local ones begin as NULL, others as the empty string.
 */
#define MARK_EMPTY  0x01
#define MARK_NULL   0xff

static val byte_is(struct emit *e, LLVMIntPredicate p, val at, u32 off, u32 value)
{
	return LLVMBuildICmp(e->b, p, ll_load(e, ll_off(e, at, off), 1, false),
			     ll_num(e, value), "");
}

static struct str of_variable(struct emit *e, const struct node *n)
{
	struct str s = own(emit_var_addr(e, n), MIN(n->sym->size, strsize(e)), n);
	bool self = n->sym->place == PLACE_SELF;

	if (self || n->kind == N_ASSOC) {
		s.null = LLVMBuildIsNull(e->b, s.p, "");
		s.p = LLVMBuildSelect(e->b, s.null, ll_zero_bytes(e, n->sym->size), s.p, "");
	}
	if (n->kind == N_ASSOC || n->sym->size < 2)
		return s;
	s.null = LLVMBuildAnd(e->b, byte_is(e, LLVMIntEQ, s.p, 0, 0),
			      self ? byte_is(e, LLVMIntNE, s.p, 1, MARK_EMPTY)
				   : byte_is(e, LLVMIntEQ, s.p, 1, MARK_NULL), "");
	if (e->p.large)
		s.null = ll_bool(e, emit_forget(e, s.null));
	return s;
}

void emit_str_mark(struct emit *e, struct str s, val to, u32 size)
{
	val mark = ll_num(e, MARK_EMPTY), at;

	if (size < 2 || (s.kind == STR_LIT && s.cap > 1))
		return;
	if (s.null)
		mark = LLVMBuildSelect(e->b, s.null, ll_num(e, MARK_NULL), mark, "");
	at = ll_off(e, to, 1);
	ll_store(e, LLVMBuildSelect(e->b, byte_is(e, LLVMIntEQ, to, 0, 0), mark,
				    ll_load(e, at, 1, false), ""), at, 1);
}

void emit_str_mark_null(struct emit *e, val at, u32 size)
{
	if (size > 1)
		ll_store(e, ll_num(e, MARK_NULL), ll_off(e, at, 1), 1);
}

void emit_str_needed(struct emit *e, const struct str *s)
{
	if (s->null)
		emit_fault_if(e, s->null, DTX_FAULT_BADADDR, ll_num(e, 0));
}

/* Is it the NULL string?  (i1) */
static val emit_str_null(struct emit *e, const struct str *s)
{
	if (s->null)
		return s->null;
	if (s->kind == STR_KERNEL || s->kind == STR_USER || s->kind == STR_ANY)
		return LLVMBuildICmp(e->b, LLVMIntEQ, s->p, ll_num(e, 0), "");
	return LLVMConstInt(e->i1, 0, false);
}

/* The text of a char array may fill it to the last byte: its copy gets the NUL. */
static struct str of_chars(struct emit *e, const struct node *outer, val p, u32 count)
{
	val to = emit_str_room(e, outer);

	ll_call(e, "dtx_copy", to, ll_num(e, count), p);
	ll_store(e, ll_num(e, 0), ll_off(e, to, count), 1);
	return own(to, count + 1, outer);
}

/* Text at an address: that of a char array or string, or the value of a pointer. */
static struct str of_address(struct emit *e, const struct node *outer, const struct node *n)
{
	struct type *t = type_base(n->type);
	struct str s = { STR_KERNEL, NULL, MIN(type_cap(e, outer->type), strsize(e)), outer, NULL,
			 NULL };
	struct place at;

	if ((t->kind == T_ARRAY || t->kind == T_STRING) && n->kind != N_ARG) {
		at = emit_place(e, n);
		if (at.in == MEM_OWN && t->kind == T_ARRAY && outer->place && t->count < strsize(e))
			return of_chars(e, outer, ll_off(e, at.p, at.off), t->count);
		if (at.in == MEM_OWN)
			return own(ll_off(e, at.p, at.off), MIN(type_size(e->c, t), s.cap), outer);
		s.kind = at.in == MEM_USER ? STR_USER : STR_KERNEL;
		s.p = emit_place_addr(e, &at);
		s.cap = type_cap(e, t);
		return s;
	}
	s.p = emit_expr(e, n);
	s.kind = n->leads == MEM_USER ? STR_USER : n->leads == MEM_ANY ? STR_ANY : STR_KERNEL;
	return s;
}

static void choose(struct emit *e, const struct node *n, const struct node *outer);

static void chosen(struct emit *e, const struct node *n, const struct node *outer)
{
	if (n->kind == N_COND)
		choose(e, n, outer);
	else
		emit_str_into(e, emit_str(e, n), emit_str_room(e, outer), strsize(e), false);
}

static void choose(struct emit *e, const struct node *n, const struct node *outer)
{
	block yes = ll_block(e, "then"), no = ll_block(e, "else"), end = ll_block(e, "end");

	emit_jump(e, n->a, yes, no);
	ll_at(e, yes);
	chosen(e, n->b, outer);
	ll_br(e, end);
	ll_at(e, no);
	chosen(e, n->c, outer);
	ll_br(e, end);
	ll_at(e, end);
}

/* All branches end in the temporary of the node, those of choices in it, too. */
static struct str of_choice(struct emit *e, const struct node *n)
{
	choose(e, n, n);
	return own(emit_str_room(e, n), strsize(e), n);
}

static struct str str_of(struct emit *e, const struct node *n)
{
	switch (n->kind) {
	case N_STR:
		return of_literal(e, n);
	case N_BUILTIN:
		return emit_call_text(e, n);
	case N_CALL:
		return emit_call_text(e, n);
	case N_VAR:
	case N_ASSOC:
		return type_is_string(n->type) ? of_variable(e, n) : of_address(e, n, n);
	case N_COND:
		return of_choice(e, n);
	case N_COMMA:
		emit_void(e, n->a);
		return emit_str(e, n->b);
	case N_ASSIGN:
		emit_void(e, n);
		return emit_str(e, n->a);
	case N_STRINGOF:
	case N_CAST:
		return type_is_string(n->a->type) ? emit_str(e, n->a) : of_address(e, n, n->a);
	default:
		return of_address(e, n, n);
	}
}

struct str emit_str(struct emit *e, const struct node *n)
{
	struct range outer = diags_use(&e->c->env->diags, n->at);
	struct str s = str_of(e, n);

	e->c->env->diags.use = outer;
	return s;
}

/* ---- copies ------------------------------------------------------------------------------ */

static const char *reader(enum str_kind kind)
{
	return kind == STR_USER  ? "dtx_ureadstr"
	       : kind == STR_ANY ? "dtx_areadstr"
				 : "dtx_kreadstr";
}

static val at_least_one(struct emit *e, val n)
{
	return LLVMBuildSelect(e->b, LLVMBuildICmp(e->b, LLVMIntEQ, n, ll_num(e, 0), ""),
			       ll_num(e, 1), n, "");
}

/* Bytes written, with the NUL (i64). */
static val read_str(struct emit *e, struct str s, val to, u32 max)
{
	struct range outer;
	val n, len;

	max = MIN(max, MAX(s.cap, 1u));
	n = ll_num(e, max);
	if (s.kind == STR_OWN)
		return ll_call(e, "dtx_copystr", to, n, s.p);
	if (s.limit)
		n = ll_call(e, "dtx_clamp", at_least_one(e, s.limit), n);
	len = ll_call(e, reader(s.kind), e->f.frame, to, n, s.p);
	outer = diags_use(&e->c->env->diags, s.n->at);   /* it was only asked for before */
	emit_check_fault(e);
	e->c->env->diags.use = outer;
	return len;
}

/* The name is the same in the whole clause: one copy is enough. */
static val comm_room(struct emit *e)
{
	if (!e->f.comm)
		e->f.comm = ll_alloca(e, LLVMArrayType2(e->i64, DTX_COMM_LEN / 8), "comm");
	ll_call(e, "dtx_execname", e->f.frame, e->f.comm);
	return e->f.comm;
}

/* Zero from byte `from` to `size` of the aligned `to`; the bytes up to the next word one by one. */
static void pad_from(struct emit *e, val to, u32 from, u32 size)
{
	u32 word = MIN(ALIGN_UP(from, 8), size);

	ll_zero_gap(e, ll_off(e, to, from), word - from);
	ll_zero(e, ll_off(e, to, word), size - word);
}

/* Literals are written as words; the rest is zero. */
static void write_literal(struct emit *e, struct str s, val to, u32 size, bool pad)
{
	u32 n = MIN(ALIGN_UP(s.cap, 8), size);

	if (s.cap > size) {
		s.kind = STR_OWN;
		read_str(e, s, to, size);
		return;
	}
	ll_copy(e, to, s.p, n);
	if (pad)
		pad_from(e, to, n, size);
}

/* Exactly `size` bytes at `to` become defined when `pad`. */
void emit_str_into(struct emit *e, struct str s, val to, u32 size, bool pad)
{
	if (s.kind == STR_LIT) {
		write_literal(e, s, to, size, pad);
		return;
	}
	if (s.kind == STR_COMM && size >= DTX_COMM_LEN) {
		ll_call(e, "dtx_execname", e->f.frame, to);
		if (pad)
			pad_from(e, to, DTX_COMM_LEN, size);
		return;
	}
	if (s.kind == STR_COMM)
		s = own(comm_room(e), DTX_COMM_LEN, s.n);
	if (s.kind == STR_OWN && s.n->kind == N_BUILTIN && s.cap <= size) {
		ll_copy(e, to, s.p, s.cap);      /* tables of probe names are padded */
		if (pad)
			pad_from(e, to, s.cap, size);
		return;
	}
	if (pad)
		ll_zero(e, to, size);
	read_str(e, s, to, size);
}

/* Writes at most `max` bytes at `to`, for a record; returns the bytes written, with the NUL. */
val emit_str_tail(struct emit *e, struct str s, val to, u32 max)
{
	if (s.kind == STR_LIT && s.cap <= 64 && s.cap <= max) {
		LLVMBuildMemCpy(e->b, to, 1, s.p, 8, ll_num(e, s.cap));
		return ll_num(e, s.cap);
	}
	if (s.kind == STR_LIT)
		s.kind = STR_OWN;
	if (s.kind == STR_COMM)
		s = own(comm_room(e), DTX_COMM_LEN, s.n);
	return read_str(e, s, to, max);
}

struct str emit_str_own(struct emit *e, struct str s)
{
	val to;

	if (s.kind == STR_OWN || s.kind == STR_LIT)
		return s;
	if (s.kind == STR_COMM)
		return own(comm_room(e), DTX_COMM_LEN, s.n);
	if (!s.n->place) {
		diag_error(&e->c->env->diags, DIAG_NONE, s.n->at,
			   "internal error: this string has no temporary");
		return own(ll_zero_bytes(e, 8), 8, s.n);
	}
	to = emit_str_room(e, s.n);
	read_str(e, s, to, strsize(e));
	return own(to, strsize(e), s.n);
}

/* The address of a text: a number, for the verifier too. */
val emit_text_addr(struct emit *e, const struct node *n)
{
	return emit_as_number(e, ll_ext(e, emit_str_own(e, emit_str(e, n)).p, false));
}

/* ---- comparison ------------------------------------------------------------------------- */

#define WORDS_MAX  64            /* bytes compared without a loop */

/* Are the n bytes at a the text of the literal? (i1) */
static val same_words(struct emit *e, val a, const char *text, u32 n)
{
	val differ = ll_num(e, 0);
	u32 off = 0;

	while (off < n) {
		u32 step = n - off >= 8 ? 8 : n - off >= 4 ? 4 : n - off >= 2 ? 2 : 1;
		u64 want = 0;
		val have = ll_load(e, ll_off(e, a, off), step, false);

		memcpy(&want, text + off, step);
		have = LLVMBuildXor(e->b, have, ll_num(e, want), "");
		differ = LLVMBuildOr(e->b, differ, have, "");
		off += step;
	}
	return LLVMBuildICmp(e->b, LLVMIntEQ, differ, ll_num(e, 0), "");
}

/* null: of s, or NULL. */
static val compare_literal(struct emit *e, struct str s, struct str lit, val null, int op)
{
	/* what strsize leaves of it, with its NUL */
	const char *text = arena_strndup(e->c->arena, lit.n->str, lit.cap - 1);
	val same;

	if (lit.cap > s.cap)
		same = LLVMConstInt(e->i1, 0, false);
	else
		same = same_words(e, s.p, text, lit.cap);
	if (null && lit.cap == 1)        /* the text of a NULL string is also empty */
		same = LLVMBuildAnd(e->b, same, LLVMBuildNot(e->b, null, ""), "");
	if (op == OP_NE)
		same = LLVMBuildNot(e->b, same, "");
	return ll_ext(e, same, false);
}

/* A string, and 0 on the right or on the left: is it the NULL string, which is before all texts? */
static val compare_null(struct emit *e, const struct node *n, bool left)
{
	struct str str = emit_str(e, left ? n->b : n->a);
	val null = emit_str_null(e, &str);
	int op = !left ? n->op : n->op == '<' ? '>' : n->op == '>' ? '<' :
		 n->op == OP_LE ? OP_GE : n->op == OP_GE ? OP_LE : n->op;

	if (op == '<' || op == OP_GE)
		return ll_num(e, op == OP_GE);
	return ll_ext(e, op == OP_NE || op == '>' ? LLVMBuildNot(e->b, null, "") : null, false);
}

#define LOOP_MAX   64            /* bytes compared by a loop of their own */

/* All but equality with a short literal: -1, 0, 1. */
static val order_of(struct emit *e, struct str a, struct str b)
{
	if (MIN(a.cap, b.cap) > LOOP_MAX)
		return emit_str_order(e, a, b);
	return ll_call(e, "dtx_strcmp", a.p, b.p, ll_num(e, MIN(a.cap, b.cap)));
}

/* The order of two strings that may be NULL: NULL is less than every string. */
static val order_null(struct emit *e, val order, val a, val b)
{
	val none = LLVMConstInt(e->i1, 0, false);

	if (!a && !b)
		return order;
	a = a ? a : none;
	b = b ? b : none;
	order = LLVMBuildSelect(e->b, b, ll_num(e, 1), ll_ext(e, order, true), "");
	return LLVMBuildSelect(e->b, a, LLVMBuildSelect(e->b, b, ll_num(e, 0), ll_num(e, -1), ""),
			       order, "");
}

static LLVMIntPredicate predicate(int op)
{
	return op == OP_EQ ? LLVMIntEQ : op == OP_NE ? LLVMIntNE : op == OP_LE ? LLVMIntSLE :
	       op == OP_GE ? LLVMIntSGE : op == '<' ? LLVMIntSLT : LLVMIntSGT;
}

val emit_str_compare(struct emit *e, const struct node *n)
{
	bool eq = n->op == OP_EQ || n->op == OP_NE;
	struct str a, b;
	val order, na, nb;

	if (n->a->kind == N_INT || n->b->kind == N_INT)
		return compare_null(e, n, n->a->kind == N_INT);
	a = emit_str_own(e, emit_str(e, n->a));
	b = emit_str_own(e, emit_str(e, n->b));
	na = a.null;
	nb = b.null;
	if (eq && b.kind == STR_LIT && b.cap <= WORDS_MAX)
		return compare_literal(e, a, b, na, n->op);
	if (eq && a.kind == STR_LIT && a.cap <= WORDS_MAX)
		return compare_literal(e, b, a, nb, n->op);
	order = order_null(e, order_of(e, a, b), na, nb);
	return ll_ext(e, LLVMBuildICmp(e->b, predicate(n->op), order, ll_num(e, 0), ""), false);
}
