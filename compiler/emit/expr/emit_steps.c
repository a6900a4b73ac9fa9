/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_steps.c - variables in scope: the steps that compute where one lies, or its value
 * (dtx/step.h), as code.
 */
#include "compiler/emit/emit-private.h"
#include "compiler/emit/loc.h"

struct steps {
	struct emit *e;
	enum memory in;
	val v[DTX_STEPS_DEEP];
	u32 n;
};

static void push(struct steps *s, val v)
{
	if (s->n < DTX_STEPS_DEEP)
		s->v[s->n++] = v;
}

/* The provider has counted: a missing number is a mistake of its own. */
static val pop(struct steps *s)
{
	return s->n ? s->v[--s->n] : ll_num(s->e, 0);
}

static val word_at(struct emit *e, enum memory in, val addr, u32 size)
{
	struct type t = { .kind = T_INT, .size = size };
	struct place at = { in, addr, 0 };

	return emit_load(e, &at, &t);
}

static enum memory memory_of_steps(const struct dtx_arg *a)
{
	return a->user ? MEM_USER : MEM_KERNEL;
}

/* MODULE`NAME, which the checker has noted. */
static val symbol(struct emit *e, const char *text)
{
	const struct img *img = e->c->img;
	size_t len = strcspn(text, "`");

	for (u32 i = 0; i < img->nksyms; i++) {
		const struct img_ksym *k = &img->ksyms[i];

		if (k->module && strlen(k->module) == len && !memcmp(k->module, text, len) &&
		    !strcmp(k->name, text + len + 1))
			return emit_ksym(e, i);
	}
	return ll_num(e, 0);
}

/* ---- operators ----------------------------------------------------------------------- */

static const LLVMOpcode arithmetic[STEP_N] = {
	[STEP_ADD] = LLVMAdd, [STEP_SUB] = LLVMSub, [STEP_MUL] = LLVMMul, [STEP_MOD] = LLVMURem,
	[STEP_AND] = LLVMAnd, [STEP_OR] = LLVMOr, [STEP_XOR] = LLVMXor, [STEP_SHL] = LLVMShl,
	[STEP_SHR] = LLVMLShr, [STEP_SHRA] = LLVMAShr,
};

static const LLVMIntPredicate comparisons[STEP_N] = {
	[STEP_EQ] = LLVMIntEQ, [STEP_NE] = LLVMIntNE, [STEP_LT] = LLVMIntSLT,
	[STEP_GT] = LLVMIntSGT, [STEP_LE] = LLVMIntSLE, [STEP_GE] = LLVMIntSGE,
};

static void two(struct steps *s, enum step_op op)
{
	struct emit *e = s->e;
	val b = pop(s), a = pop(s);

	if (arithmetic[op])
		push(s, LLVMBuildBinOp(e->b, arithmetic[op], a, b, ""));
	else
		push(s, LLVMBuildZExt(e->b, LLVMBuildICmp(e->b, comparisons[op], a, b, ""),
				      e->i64, ""));
}

static void pick(struct steps *s)
{
	struct emit *e = s->e;
	val c = pop(s), b = pop(s), a = pop(s);

	push(s, LLVMBuildSelect(e->b, ll_bool(e, c), a, b, ""));
}

/* ---- registers at the entry of the function (emit_entry.c) ------------------------------ */

/* Those of the plan have their words in this order; n: of all, before register `word`. */
u32 emit_entry_count(const struct emit *e, u32 word)
{
	return (u32)__builtin_popcount(e->c->plan->entry_regs & ((1ull << word) - 1));
}

void emit_entry_offsets(struct emit *e)
{
	u64 off[] = {
		emit_koff(e, "task_struct", "group_leader"),
		emit_koff(e, "task_struct", "start_time"),
	};

	_Static_assert(sizeof(off) == sizeof(struct dtx_procoff), "offsets of a process");
	ll_constants(e, "dtx_procoff", off, ARRAY_SIZE(off));
}

/* What word `off` of struct pt_regs was at the entry of this call; a fault if it is not known. */
static val entry_value(struct emit *e, val entry, val cfa, u32 off)
{
	val v;

	emit_entry_offsets(e);
	v = ll_call(e, "dtx_entry_value", e->f.frame, entry, cfa,
		    ll_num(e, emit_entry_count(e, off / 8)));
	emit_check_fault(e);
	return v;
}

/* ---- the stack itself ------------------------------------------------------------------ */

static void shuffle(struct steps *s, enum step_op op)
{
	val a = pop(s), b, c;

	if (op == STEP_DROP)
		return;
	if (op == STEP_DUP) {
		push(s, a);
		push(s, a);
		return;
	}
	b = pop(s);
	c = op == STEP_ROT ? pop(s) : b;
	if (op == STEP_OVER)             /* b a: b a b */
		push(s, b);
	push(s, a);
	if (op == STEP_ROT)              /* c b a: a c b */
		push(s, c);
	push(s, b);
}

/* The function's address, then its frame: what a register was at the entry. */
static val at_entry(struct steps *s, u32 off)
{
	val cfa = pop(s);

	return entry_value(s->e, pop(s), cfa, off);
}

static void step(struct steps *s, const struct dtx_step *t)
{
	struct emit *e = s->e;

	switch (t->op) {
	case STEP_REG: push(s, emit_ctx(e, (u32)t->n, 8, false)); break;
	case STEP_NUM: push(s, ll_num(e, (u64)t->n)); break;
	case STEP_SYM: push(s, symbol(e, t->symbol)); break;
	case STEP_ENTRY: push(s, at_entry(s, (u32)t->n)); break;
	case STEP_READ: push(s, word_at(e, s->in, pop(s), (u32)t->n)); break;
	case STEP_NEG: push(s, LLVMBuildNeg(e->b, pop(s), "")); break;
	case STEP_NOT: push(s, LLVMBuildNot(e->b, pop(s), "")); break;
	case STEP_PICK: pick(s); break;
	case STEP_DUP: case STEP_DROP: case STEP_SWAP: case STEP_OVER: case STEP_ROT:
		shuffle(s, t->op);
		break;
	default: two(s, t->op);
	}
}

val emit_steps(struct emit *e, const struct dtx_arg *a, u32 n)
{
	struct steps s = { .e = e, .in = memory_of_steps(a) };

	for (u32 i = 0; i < a->steps.n; i++) {
		if (a->steps.v[i].op == STEP_WORD && !n--)
			break;
		if (a->steps.v[i].op != STEP_WORD && !n)
			step(&s, &a->steps.v[i]);
	}
	return pop(&s);
}

val emit_place_arg(struct emit *e, const struct dtx_arg *a)
{
	struct type t = { .kind = T_INT, .size = MIN(a->size, 8), .is_signed = a->is_signed };
	struct place at = { memory_of_steps(a), emit_steps(e, a, 0), 0 };

	if (type_is_struct(a->type) || type_is_array(a->type))
		return at.p;
	return emit_load(e, &at, &t);
}

val emit_value_arg(struct emit *e, const struct dtx_arg *a, u32 size)
{
	val v = LLVMBuildTrunc(e->b, emit_steps(e, a, 0), ll_itype(e, size), "");

	return ll_ext(e, v, a->is_signed);
}

val emit_words(struct emit *e, const struct dtx_arg *a)
{
	LLVMTypeRef words = LLVMArrayType(e->i64, (a->size + 7) / 8);
	val at = ll_alloca(e, words, "words");

	for (u32 off = 0; off < a->size; off += 8)
		ll_store(e, emit_steps(e, a, off / 8), ll_off(e, at, off), 8);
	return at;
}
