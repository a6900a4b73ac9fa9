/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * call.c - x86-64: places of the arguments and the result of a function (System V ABI, AMD64,
 * §3.2.3).
 */
#include <stddef.h>

#include <asm/ptrace.h>

#include <dtx/arch.h>
#include <dtx/tables/loc.h>
#include <dtx/type.h>

static bool is_aggregate(const struct type *b)
{
	return b && (b->kind == T_STRUCT || b->kind == T_UNION);
}

#define PARTS_MAX 4096           /* in damaged debug data a type may contain itself */

/* What a type consists of: bit n of a mask stands for its n-th 8 bytes. */
struct classes {
	u32 ints, floats, parts;
	u32 uppers; /* the upper half of a floating-point register */
	bool x87;   /* holds an x87 number: in a register only as the result */
	bool memory;                     /* cannot be in registers */
};

/* An array passed as one value, in a vector register. */
static bool is_vector(const struct type *b)
{
	return b && b->kind == T_ARRAY && b->is_vector;
}

static bool is_complex(const struct type *b)
{
	return b->name && !strncmp(b->name, "complex ", 8);
}

/* A floating-point number of the x87: 10 bytes in 16; a complex number has two. */
static bool is_x87(const struct type *b)
{
	return b->kind == T_FLOAT &&
	       (b == &ty_ldouble || b->size > 16 || (b->name && !strcmp(b->name, "_Float64x")));
}

/* The alignment of the type without attributes in its source. */
static u32 natural_align(const struct type *b)
{
	u32 align = b ? b->size : 0;

	if (b && b->kind == T_FLOAT && is_complex(b))
		align /= 2;
	return align ? (is_vector(b) ? align : MIN(align, 16)) : 1;
}

static u32 align_of(struct type *t, u32 depth)
{
	struct type *b = type_complete(type_base(t));
	u32 align = 1;

	if (depth > 16)
		return 1;
	if (b && b->kind == T_ARRAY && !b->is_vector)
		return align_of(b->to, depth + 1);
	if (!is_aggregate(b))
		return natural_align(b);
	if (b->align)
		return b->align;
	for (u32 i = 0; i < b->count; i++) {
		u32 member = align_of(b->members[i].type, depth + 1);

		while (b->members[i].bit_off / 8 % member)       /* it is packed */
			member /= 2;
		align = MAX(align, member);
	}
	while (b->size % align)
		align /= 2;
	return align;
}

static void classify_scalar(const struct type *b, u64 off, struct classes *c)
{
	u64 size = b && b->size ? b->size : 1;
	u32 word = off >= 16 ? 0 : 1u << off / 8, more = size > 8 ? word << 1 : 0;

	c->memory |= off % natural_align(b) || (is_vector(b) && size > 16);
	if (!b || (b->kind != T_FLOAT && !is_vector(b))) {
		c->ints |= word | more;
		return;
	}
	if (is_x87(b)) {
		c->x87 = true;
		return;
	}
	c->floats |= word | (is_complex(b) ? more : 0);
	c->uppers |= is_complex(b) ? 0 : more;
}

static void classify(struct type *t, u64 off, struct classes *c);

static void classify_member(const struct type_member *m, u64 off, struct classes *c)
{
	u64 first = off + m->bit_off / 8, last = off + (m->bit_off + m->bit_size - 1) / 8;

	if (!m->bit_size)
		classify(m->type, first, c);
	else                             /* a bit-field may lie at any bit */
		c->ints |= (first < 16 ? 1u << first / 8 : 0) | (last < 16 ? 1u << last / 8 : 0);
}

static void classify(struct type *t, u64 off, struct classes *c)
{
	struct type *b = type_complete(type_base(t));

	if (c->parts++ > PARTS_MAX)
		return;
	if (b && b->kind == T_ARRAY && !b->is_vector) {
		for (u32 i = 0; i < b->count && (!i || (b->to->size && off + i * b->to->size < 16));
		     i++)
			classify(b->to, off + i * b->to->size, c);
	} else if (is_aggregate(b) &&
		   (b->count || (b->size <= 1 && !b->incomplete))) { /* none: 1 byte in C++ */
		for (u32 i = 0; i < b->count; i++)
			classify_member(&b->members[i], off, c);
	} else { /* or its content is unknown */
		classify_scalar(b, off, c);
	}
}

/* How many floating-point registers it uses. */
static u32 float_regs(const struct classes *c)
{
	u32 floats = c->floats & ~c->ints;

	return __builtin_popcount(floats | (c->uppers & ~c->ints & ~(floats << 1)));
}

/* In a union, integers in both of its 8-byte parts override an x87 number. */
static bool hides_x87(const struct classes *c)
{
	return c->ints == 3;
}

/*
 * A struct or union of two words that is in registers for integers: the first, then the second of
 * `regs`; a word of padding has none.  False: it is not, or its content is unknown.
 */
static bool in_two(const struct type *b, const struct classes *c, const u32 *regs,
		   struct arch_call *t)
{
	if (!is_aggregate(b) || !b->count || b->size <= 8 || b->size > 16 || !c->ints ||
	    float_regs(c) || (c->x87 && !hides_x87(c)))
		return false;
	t->low = c->ints & 1 ? *regs++ : ARCH_NO_REG;
	t->high = c->ints & 2 ? *regs : ARCH_NO_REG;
	return true;
}

#define FLOAT_REGS 8

#define REG(r) offsetof(struct pt_regs, r)

static const u32 arg_regs[6] = { REG(rdi), REG(rsi), REG(rdx), REG(rcx), REG(r8), REG(r9) };

/*
 * Place of the next argument (System V ABI, AMD64, §3.2.3).  No place (LOC_NONE) is
 * given for floating-point registers, which BPF programs cannot read, for a number in
 * two registers, and for floating-point numbers on the stack, which D cannot compute
 * with.
 */
void arch_place(struct dtx_arg *a, bool user, struct arch_call *t)
{
	struct type *b = type_base(a->type);
	u32 words = (a->size + 7) / 8, ints, floats, align = MAX(align_of(a->type, 0), 8);
	struct classes c = { 0 };

	classify(b && b->kind == T_ARRAY && !b->is_vector ? &ty_ulong : a->type, 0,
		 &c); /* passed as a pointer */
	ints = __builtin_popcount(c.ints);
	floats = float_regs(&c);
	a->user = user;
	if (!c.memory && (!c.x87 || hides_x87(&c)) && a->size <= 16 &&
	    t->reg + ints <= ARRAY_SIZE(arg_regs) && t->floats + floats <= FLOAT_REGS) {
		a->loc = words == 1 && ints == 1 ? LOC_REG :
			 in_two(b, &c, arg_regs + t->reg, t) ? LOC_VALUE : LOC_NONE;
		a->off = ints ? arg_regs[t->reg] : 0;
		a->size = is_aggregate(b) && words == 1 ? 8 : a->size;
		t->reg += ints;
		t->floats += floats;
		return;
	}
	t->stack = (t->stack + align - 1) & -align;
	a->loc = b && (b->kind == T_FLOAT || is_vector(b)) ? LOC_NONE : LOC_STACK;
	a->off = ARCH_STACK_ARGS + t->stack;
	t->stack += 8 * words;
}

bool arch_result_in_memory(struct type *ret)
{
	struct type *b = type_base(ret);
	struct classes c = { 0 };

	classify(ret, 0, &c);
	return c.memory ||
	       (is_aggregate(b) &&
		(b->size > 16 || (c.x87 && (c.ints | c.floats) && !hides_x87(&c)))) ||
	       (b && b->kind == T_FLOAT && b->size > 16 &&
		!(b->name && strstr(b->name, "long double")));
}

bool arch_result_in_reg(struct type *ret)
{
	struct type *b = type_base(ret);
	struct classes c = { 0 };

	classify(ret, 0, &c);
	return !b || (b->kind != T_FLOAT && !is_vector(b) &&
		      (!is_aggregate(b) || (b->size <= 8 && c.ints == 1 && !c.memory)));
}

void arch_result(struct dtx_arg *a, bool in_memory, struct arch_call *t)
{
	static const u32 results[] = { ARCH_REG_RESULT, REG(rdx) };
	struct type *b = type_base(a->type);
	struct classes c = { 0 };

	classify(a->type, 0, &c);
	a->size = MIN(b->size, UINT16_MAX);
	if (in_memory || arch_result_in_memory(a->type)) {
		a->loc = LOC_PLACE;
		t->low = ARCH_REG_RESULT;
	} else if (arch_result_in_reg(a->type)) {
		a->loc = LOC_REG;
		a->off = ARCH_REG_RESULT;
		a->size = 8;
	} else {
		a->loc = in_two(b, &c, results, t) ? LOC_VALUE : LOC_NONE;
	}
}

/* ---- 32-bit programs (System V ABI, Intel386, 2.2) ------------------------------------------- */

/* In words of 4 bytes on the stack, whatever it is. */
void arch_place32(struct dtx_arg *a, struct arch_call *t)
{
	struct type *b = type_base(a->type);

	a->user = true;
	a->loc = b && (b->kind == T_FLOAT || is_vector(b)) ? LOC_NONE : LOC_STACK;
	a->off = ARCH_STACK_ARGS32 + (s32)t->stack;
	t->stack += (a->size + 3) / 4 * 4;
}

/* Structs are returned in memory, numbers of 8 bytes in two registers. */
void arch_result32(struct dtx_arg *a, struct arch_call *t)
{
	struct type *b = type_base(a->type);

	t->low = ARCH_REG_RESULT;
	t->high = ARCH_NO_REG;
	if (b && b->kind == T_FLOAT) {
		a->loc = LOC_NONE;
	} else if (is_aggregate(b)) {
		a->loc = LOC_PLACE;
		a->size = MIN(b->size, UINT16_MAX);
	} else if (a->size > 4) {
		a->loc = LOC_VALUE;
		t->high = REG(rdx);
	} else {
		a->loc = LOC_REG;
		a->off = ARCH_REG_RESULT;
	}
}
