/* SPDX-License-Identifier: BSD-2-Clause */
/* steps.c - the steps to a variable (dtx/step.h): made, compared, and written as text. */
#include <string.h>

#include <dtx/step.h>

const struct step_kind step_kinds[] = {
	[STEP_REG] = { "r", 0, 1 },      [STEP_NUM] = { "n", 0, 1 },
	[STEP_SYM] = { "k", 0, 1 },      [STEP_READ] = { "d", 1, 1 },
	[STEP_ENTRY] = { "e", 2, 1 },    [STEP_WORD] = { ";", 1, 0 },
	[STEP_ADD] = { "+", 2, 1 },      [STEP_SUB] = { "-", 2, 1 },
	[STEP_MUL] = { "*", 2, 1 },      [STEP_MOD] = { "%", 2, 1 },
	[STEP_AND] = { "&", 2, 1 },      [STEP_OR] = { "|", 2, 1 },
	[STEP_XOR] = { "^", 2, 1 },      [STEP_SHL] = { "<<", 2, 1 },
	[STEP_SHR] = { ">>", 2, 1 },     [STEP_SHRA] = { ">>>", 2, 1 },
	[STEP_EQ] = { "==", 2, 1 },      [STEP_NE] = { "!=", 2, 1 },
	[STEP_LT] = { "<", 2, 1 },       [STEP_GT] = { ">", 2, 1 },
	[STEP_LE] = { "<=", 2, 1 },      [STEP_GE] = { ">=", 2, 1 },
	[STEP_NEG] = { "neg", 1, 1 },    [STEP_NOT] = { "~", 1, 1 },
	[STEP_DUP] = { "dup", 1, 2 },    [STEP_DROP] = { "drop", 1, 0 },
	[STEP_SWAP] = { "swap", 2, 2 },  [STEP_OVER] = { "over", 2, 3 },
	[STEP_ROT] = { "rot", 3, 3 },    [STEP_PICK] = { "pick", 3, 1 },
};
_Static_assert(ARRAY_SIZE(step_kinds) == STEP_N, "each step has a word");

void steps_add(struct arena *a, struct dtx_steps *s, enum step_op op, s64 n)
{
	ARENA_PUSH(a, s->v, s->n, ((struct dtx_step){ .op = op, .n = n }));
}

void steps_add_symbol(struct arena *a, struct dtx_steps *s, const char *symbol)
{
	ARENA_PUSH(a, s->v, s->n, ((struct dtx_step){ .op = STEP_SYM, .symbol = symbol }));
}

void steps_add_offset(struct arena *a, struct dtx_steps *s, s64 off)
{
	if (!off)
		return;
	steps_add(a, s, STEP_NUM, off);
	steps_add(a, s, STEP_ADD, 0);
}

bool steps_are_register(const struct dtx_steps *s, u32 *off)
{
	if (s->n != 1 || s->v->op != STEP_REG)
		return false;
	*off = (u32)s->v->n;
	return true;
}

bool step_same(const struct dtx_step *a, const struct dtx_step *b)
{
	return a->op == b->op && a->n == b->n &&
	       (a->op != STEP_SYM || !strcmp(a->symbol, b->symbol));
}

bool steps_same(const struct dtx_steps *a, const struct dtx_steps *b)
{
	if (a->n != b->n)
		return false;
	for (u32 i = 0; i < a->n; i++)
		if (!step_same(&a->v[i], &b->v[i]))
			return false;
	return true;
}

void steps_text(const struct dtx_steps *s, struct buf *out)
{
	for (u32 i = 0; i < s->n; i++) {
		const struct dtx_step *t = &s->v[i];

		buf_printf(out, "%s%s", i ? " " : "", step_kinds[t->op].word);
		if (t->op == STEP_SYM)
			buf_puts(out, t->symbol);
		else if (t->op <= STEP_ENTRY)
			buf_num(out, t->n);
	}
}
