/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * call.c - arm64: places of the arguments and the result of a function (Procedure Call Standard for
 * the Arm 64-bit Architecture, AAPCS64, 6.8 and 6.9; the letters are those of its rules).
 */
#include "base/arch/result.h"

#define REGS       8                     /* x0 … x7, and v0 … v7 */
#define PARTS_MAX  4096                  /* in damaged debug data a type may contain itself */

static bool is_aggregate(const struct type *b)
{
	return b && (b->kind == T_STRUCT || b->kind == T_UNION);
}

static bool is_vector(const struct type *b)
{
	return b && b->kind == T_ARRAY && b->is_vector;
}

static bool is_complex(const struct type *b)
{
	return b->name && !strncmp(b->name, "complex ", 8);
}

/* Is it one number of a vector register? */
static bool is_float(const struct type *b)
{
	return (b && b->kind == T_FLOAT && !is_complex(b)) ||
	       (is_vector(b) && (b->size == 8 || b->size == 16));
}

/* Members of a homogeneous aggregate: all are floating-point numbers or vectors of one size. */
struct members { u64 size; u32 n, parts; bool other; };

static void count_members(struct type *t, struct members *m)
{
	struct type *b = type_complete(type_base(t));

	if (m->parts++ > PARTS_MAX || m->other)
		return;
	if (b && b->kind == T_ARRAY && !b->is_vector) {
		for (u32 i = 0; i < b->count && m->n <= 4 && !m->other; i++)
			count_members(b->to, m);
	} else if (is_aggregate(b)) {
		u32 most = m->n;

		for (u32 i = 0; i < b->count; i++) {
			struct members one = { m->size, m->n, m->parts, m->other };

			count_members(b->members[i].type, b->kind == T_UNION ? &one : m);
			if (b->kind != T_UNION)
				continue;
			most = MAX(most, one.n);
			m->size = one.size;
			m->other |= one.other;
			m->parts = one.parts;
		}
		m->n = b->kind == T_UNION ? most : m->n;
	} else if (is_float(b) || (b && b->kind == T_FLOAT)) {
		u64 size = is_complex(b) ? b->size / 2 : b->size;

		m->other |= m->size && m->size != size;
		m->size = size;
		m->n += is_complex(b) ? 2 : 1;
	} else {
		m->other = true;
	}
}

/* Vector registers that a type takes; 0: it is in general ones or in memory. */
static u32 float_regs(struct type *t)
{
	struct type *b = type_complete(type_base(t));
	struct members m = { 0 };

	if (is_float(b))
		return 1;
	if (!is_aggregate(b) && !(b && b->kind == T_FLOAT))
		return 0;
	count_members(t, &m);
	return m.other || m.n > 4 || m.n * m.size != b->size ? 0 : m.n;
}

/* Does its place begin at a multiple of 16?  What a struct demands for itself does not count (depth
 * 0), what it demands for its members does. */
static bool is_aligned16(struct type *t, u32 depth)
{
	struct type *b = type_complete(type_base(t));

	if (!b || depth > 16)
		return false;
	if (b->kind == T_ARRAY && !b->is_vector)
		return is_aligned16(b->to, depth + 1);
	if (!is_aggregate(b))
		return b->size == 16 && !is_complex(b);
	for (u32 i = 0; i < b->count; i++)
		if (b->members[i].align >= 16 || is_aligned16(b->members[i].type, depth + 1))
			return true;
	return depth && b->align >= 16;
}

/* C.12 to C.17: on the stack, in words of 8 bytes. */
static void on_stack(struct dtx_arg *a, struct arch_call *t, bool readable)
{
	if (is_aligned16(a->type, 0))
		t->stack = ALIGN_UP(t->stack, 16);
	a->loc = readable ? LOC_STACK : LOC_NONE;
	a->off = ARCH_STACK_ARGS + (s32)t->stack;
	t->stack += ALIGN_UP(MAX(a->size, 1u), 8);
}

static void in_registers(struct dtx_arg *a, struct arch_call *t, u32 words)
{
	struct type *b = type_base(a->type);

	if (words == 1) {
		a->loc = LOC_REG;
		a->off = 8 * (s32)t->reg;
		a->size = is_aggregate(b) ? 8 : a->size;
	} else {
		a->loc = is_aggregate(b) ? LOC_VALUE : LOC_NONE;
		t->low = 8 * t->reg;
		t->high = t->low + 8;
	}
	t->reg += words;
}

/* C.1 to C.5: in vector registers, which BPF programs cannot read. */
static void in_vectors(struct dtx_arg *a, struct arch_call *t, u32 n)
{
	if (t->floats + n <= REGS) {
		t->floats += n;
		a->loc = LOC_NONE;
		return;
	}
	t->floats = REGS;
	on_stack(a, t, is_aggregate(type_base(a->type)));
}

/* B.4: a large struct is copied, and its address is passed. */
static void by_address(struct dtx_arg *a, struct arch_call *t)
{
	a->loc = LOC_PLACE;
	if (t->reg < REGS) {
		t->low = 8 * t->reg++;
		return;
	}
	t->low = ARCH_NO_REG;
	a->off = ARCH_STACK_ARGS + (s32)t->stack;
	t->stack += 8;
}

void arch_place(struct dtx_arg *a, bool user, struct arch_call *t)
{
	struct type *b = type_base(a->type);
	bool is_array = b && b->kind == T_ARRAY && !b->is_vector;        /* passed as a pointer */
	u32 floats = is_array ? 0 : float_regs(a->type);
	u32 words = is_array ? 1 : (MAX(a->size, 1u) + 7u) / 8;

	a->user = user;
	if (is_aggregate(b) && b->incomplete) {
		a->loc = LOC_NONE;               /* its content is unknown, as is what follows */
		t->reg = REGS;
		return;
	}
	if (!is_array && type_is_scalable(a->type)) {
		a->loc = LOC_NONE;               /* in z0 …, p0 …; of many, the address */
		t->floats++;
	} else if (floats) {
		in_vectors(a, t, floats);
	} else if (words > 2) {
		by_address(a, t);
	} else {
		if (words == 2 && is_aligned16(a->type, 0))
			t->reg = ALIGN_UP(t->reg, 2);            /* C.10 */
		if (t->reg + words <= REGS) {
			in_registers(a, t, words);
			return;
		}
		t->reg = REGS;                   /* C.13 */
		on_stack(a, t, true);
	}
}

bool arch_result_in_memory(struct type *ret)
{
	struct type *b = type_complete(type_base(ret));

	return is_aggregate(b) && b->size > 16 && !float_regs(ret);
}

bool arch_result_in_reg(struct type *ret)
{
	struct type *b = type_complete(type_base(ret));

	return !b || (b->kind != T_FLOAT && !is_vector(b) && !type_is_scalable(b) &&
		      (!is_aggregate(b) || (b->size <= 8 && b->count && !float_regs(ret))));
}

void arch_result(struct dtx_arg *a, bool in_memory, struct arch_call *t)
{
	place_result(a, in_memory || float_regs(a->type) || type_is_scalable(a->type), t);
}

/* ---- 32-bit programs (AAPCS32, 6.5): numbers and pointers in r0 … r3 ------------------------- */

void arch_place32(struct dtx_arg *a, struct arch_call *t)
{
	struct type *b = type_base(a->type);
	bool number = !b || (b->kind != T_FLOAT && !is_aggregate(b) && !is_vector(b));
	u32 words = (MAX(a->size, 1u) + 3u) / 4;

	a->user = true;
	a->loc = number && words == 1 && t->reg < 4 ? LOC_REG : LOC_NONE;
	a->off = 8 * (s32)t->reg;
	if (number && words == 2)
		t->reg = ALIGN_UP(t->reg, 2);
	t->reg = number ? t->reg + words : 4;    /* of others, nothing is known of what follows */
}

void arch_result32(struct dtx_arg *a, struct arch_call *t)
{
	struct type *b = type_base(a->type);
	bool number = !b || (b->kind != T_FLOAT && !is_aggregate(b) && !is_vector(b));

	t->low = ARCH_REG_RESULT;
	t->high = a->size > 4 ? ARCH_REG_RESULT + 8 : ARCH_NO_REG;
	a->loc = !number ? LOC_NONE : a->size > 4 ? LOC_VALUE : LOC_REG;
	a->off = ARCH_REG_RESULT;
}
