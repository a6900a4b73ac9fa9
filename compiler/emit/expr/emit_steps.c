/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_steps.c - variables in scope: the steps that compute where one lies, or its value
 * (provider.h), as code.
 */
#include <stdlib.h>

#include "compiler/emit/gen.h"

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

static const struct { const char *word; LLVMOpcode op; } arithmetic[] = {
	{ "+", LLVMAdd }, { "-", LLVMSub }, { "*", LLVMMul }, { "%", LLVMURem },
	{ "&", LLVMAnd }, { "|", LLVMOr }, { "^", LLVMXor }, { "<<", LLVMShl },
	{ ">>", LLVMLShr }, { ">>>", LLVMAShr },
};

static const struct { const char *word; LLVMIntPredicate op; } comparisons[] = {
	{ "==", LLVMIntEQ }, { "!=", LLVMIntNE }, { "<", LLVMIntSLT }, { ">", LLVMIntSGT },
	{ "<=", LLVMIntSLE }, { ">=", LLVMIntSGE },
};

static bool two(struct steps *s, const char *word)
{
	struct emit *e = s->e;
	val a, b;

	for (u32 i = 0; i < ARRAY_SIZE(arithmetic); i++) {
		if (strcmp(arithmetic[i].word, word))
			continue;
		b = pop(s);
		a = pop(s);
		push(s, LLVMBuildBinOp(e->b, arithmetic[i].op, a, b, ""));
		return true;
	}
	for (u32 i = 0; i < ARRAY_SIZE(comparisons); i++) {
		if (strcmp(comparisons[i].word, word))
			continue;
		b = pop(s);
		a = pop(s);
		push(s, LLVMBuildZExt(e->b, LLVMBuildICmp(e->b, comparisons[i].op, a, b, ""),
				      e->i64, ""));
		return true;
	}
	return false;
}

static void pick(struct steps *s)
{
	struct emit *e = s->e;
	val c = pop(s), b = pop(s), a = pop(s);

	push(s, LLVMBuildSelect(e->b, ll_bool(e, c), a, b, ""));
}

/* ---- the stack itself ------------------------------------------------------------------ */

static void shuffle(struct steps *s, const char *word)
{
	val a = pop(s), b, c;

	if (!strcmp(word, "drop"))
		return;
	if (!strcmp(word, "dup")) {
		push(s, a);
		push(s, a);
		return;
	}
	b = pop(s);
	c = !strcmp(word, "rot") ? pop(s) : b;
	if (!strcmp(word, "over"))       /* b a: b a b */
		push(s, b);
	push(s, a);
	if (!strcmp(word, "rot"))        /* c b a: a c b */
		push(s, c);
	push(s, b);
}

/* The function's address, then its frame: what a register was at the entry. */
static val at_entry(struct steps *s, u32 off)
{
	val cfa = pop(s);

	return emit_entry_value(s->e, pop(s), cfa, off);
}

static void step(struct steps *s, const char *word)
{
	struct emit *e = s->e;

	if (*word == 'r' && word[1] >= '0' && word[1] <= '9')
		push(s, emit_ctx(e, strtoul(word + 1, NULL, 10), 8, false));
	else if (*word == 'n' && strcmp(word, "neg"))
		push(s, ll_num(e, strtoll(word + 1, NULL, 10)));
	else if (*word == 'k')
		push(s, symbol(e, word + 1));
	else if (*word == 'e' && word[1] >= '0' && word[1] <= '9')
		push(s, at_entry(s, strtoul(word + 1, NULL, 10)));
	else if (*word == 'd' && word[1] >= '0' && word[1] <= '9')
		push(s, word_at(e, s->in, pop(s), strtoul(word + 1, NULL, 10)));
	else if (!strcmp(word, "neg"))
		push(s, LLVMBuildNeg(e->b, pop(s), ""));
	else if (!strcmp(word, "pick"))
		pick(s);
	else if (!strcmp(word, "~"))
		push(s, LLVMBuildNot(e->b, pop(s), ""));
	else if (!two(s, word))
		shuffle(s, word);
}

val emit_steps(struct emit *e, const struct dtx_arg *a, const char *text)
{
	struct steps s = { .e = e, .in = memory_of_steps(a) };
	char *copy = xstrdup(text), *save = NULL;

	for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
		step(&s, w);
	free(copy);
	return pop(&s);
}

val emit_place_arg(struct emit *e, const struct dtx_arg *a)
{
	struct type t = { .kind = T_INT, .size = MIN(a->size, 8), .is_signed = a->is_signed };
	struct place at = { memory_of_steps(a), emit_steps(e, a, a->text), 0 };

	if (type_is_struct(a->type) || type_is_array(a->type))
		return at.p;
	return emit_load(e, &at, &t);
}

val emit_value_arg(struct emit *e, const struct dtx_arg *a, u32 size)
{
	char *first = xprintf("%.*s", (int)strcspn(a->text, ";"), a->text);
	val v = LLVMBuildTrunc(e->b, emit_steps(e, a, first), ll_itype(e, size), "");

	free(first);
	return ll_ext(e, v, a->is_signed);
}

val emit_words(struct emit *e, const struct dtx_arg *a)
{
	LLVMTypeRef words = LLVMArrayType(e->i64, (a->size + 7) / 8);
	val at = ll_alloca(e, words, "words");
	char *copy = xstrdup(a->text), *save = NULL;
	u32 off = 0;

	for (char *w = strtok_r(copy, ";", &save); w && off < a->size;
	     w = strtok_r(NULL, ";", &save), off += 8)
		ll_store(e, emit_steps(e, a, w), ll_off(e, at, off), 8);
	free(copy);
	return at;
}
