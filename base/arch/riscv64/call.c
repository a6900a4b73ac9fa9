/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * call.c - riscv64: places of the arguments and the result of a function (RISC-V ELF psABI,
 * "Integer Calling Convention" and "Hardware Floating-point Calling Convention", lp64d).
 */
#include "base/arch/result.h"

#define REGS       8                     /* a0 … a7, and fa0 … fa7 */
#define PARTS_MAX  64                    /* in damaged debug data a type may contain itself */

static bool is_aggregate(const struct type *b)
{
	return b && (b->kind == T_STRUCT || b->kind == T_UNION);
}

/* Numbers that a type consists of, members of members: floating-point ones, and others. */
struct parts { u32 floats, others, seen; bool odd; };

static void count_parts(struct type *t, struct parts *p)
{
	struct type *b = type_complete(type_base(t));
	bool many = is_aggregate(b) || (b && b->kind == T_ARRAY);

	if (p->seen++ > PARTS_MAX || p->odd)
		return;
	if (b && b->kind == T_FLOAT) {
		p->odd |= b->size > 8;   /* of 128 bits, and complex ones */
		p->floats++;
	} else if (b && (b->kind == T_UNION || (b->kind == T_ARRAY && b->is_vector))) {
		p->odd = true;
	} else if (many) {
		for (u32 i = 0; i < b->count && !p->odd; i++)
			count_parts(b->kind == T_ARRAY ? b->to : b->members[i].type, p);
	} else {
		p->others++;
	}
}

/* Is it (in part) in floating-point registers, which BPF programs cannot read? */
static bool is_float(struct type *t, struct parts *p)
{
	*p = (struct parts){ 0 };
	count_parts(t, p);
	return !p->odd && p->seen <= PARTS_MAX && p->floats && p->floats + p->others <= 2;
}

/* In general registers, on the stack, or (two words) in part in both. */
static void in_words(struct dtx_arg *a, struct arch_call *t, u32 words)
{
	bool number = !is_aggregate(type_base(a->type));
	u32 off = ARCH_REG_RESULT + 8 * t->reg, regs = MIN(words, REGS - t->reg);

	a->loc = words == 1 ? (regs ? LOC_REG : LOC_STACK) : regs == 2 && !number ? LOC_VALUE :
		 LOC_NONE;
	a->off = regs ? (s32)off : ARCH_STACK_ARGS + (s32)t->stack;
	a->size = words == 1 && regs && !number ? 8 : a->size;
	t->low = off;
	t->high = off + 8;
	t->reg += regs;
	t->stack += 8 * (words - regs);
}

void arch_place(struct dtx_arg *a, bool user, struct arch_call *t)
{
	struct type *b = type_base(a->type);
	bool is_array = b && b->kind == T_ARRAY && !b->is_vector;        /* passed as a pointer */
	u32 words = is_array ? 1 : (MAX(a->size, 1u) + 7u) / 8;
	struct parts p;

	a->user = user;
	if (is_aggregate(b) && b->incomplete) {
		a->loc = LOC_NONE;               /* its content is unknown, as is what follows */
		t->reg = t->floats = REGS;
	} else if (!is_array && is_float(a->type, &p) && t->floats + p.floats <= REGS &&
		   t->reg + p.others <= REGS) {
		a->loc = LOC_NONE;
		t->floats += p.floats;
		t->reg += p.others;
	} else if (words > 2 && t->reg < REGS) { /* it is copied, and its address is passed */
		a->loc = LOC_PLACE;
		t->low = ARCH_REG_RESULT + 8 * t->reg++;
	} else if (words > 2) {
		a->loc = LOC_PLACE;
		t->low = ARCH_NO_REG;
		a->off = ARCH_STACK_ARGS + (s32)t->stack;
		t->stack += 8;
	} else {
		in_words(a, t, words);
	}
}

bool arch_result_in_memory(struct type *ret)
{
	struct type *b = type_complete(type_base(ret));

	return is_aggregate(b) && b->size > 16;
}

bool arch_result_in_reg(struct type *ret)
{
	struct type *b = type_complete(type_base(ret));
	struct parts p;

	return !b || (!is_float(ret, &p) && b->size <= 8 && (!is_aggregate(b) || b->count));
}

void arch_result(struct dtx_arg *a, bool in_memory, struct arch_call *t)
{
	struct parts p;

	place_result(a, in_memory || is_float(a->type, &p), t);
}
