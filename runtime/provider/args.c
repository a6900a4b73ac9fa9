/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * args.c - where the arguments of a C function are: in context slots (fentry, raw tracepoints)
 * or in registers and on the stack by the calling convention (kprobe, uprobe).
 */
#include "runtime/provider/providers.h"

#define STACK_ARGS 8             /* first stack argument, above the return address */

static u32 size_of(struct type *t)
{
	struct type *b = type_base(t);

	if (!b || b->kind == T_PTR || (b->kind == T_ARRAY && !b->is_vector) || b->kind == T_FUNC)
		return 8;                        /* arrays and functions are passed as pointers */
	return b->size ? b->size : 8;
}

static void typed(struct dtx_arg *a, const struct type_member *param)
{
	struct type *b = type_base(param->type);

	a->name = param->name && *param->name ? param->name : NULL;
	a->type = param->type;
	a->size = size_of(param->type);
	a->is_signed = b && (b->kind == T_INT || b->kind == T_ENUM) && b->is_signed;
}

/* Pointers to kernel structs are what the verifier follows by BTF. */
static bool points_to_struct(struct type *t)
{
	struct type *b = type_base(t), *to = b && b->kind == T_PTR ? type_base(b->to) : NULL;

	return to && (to->kind == T_STRUCT || to->kind == T_UNION);
}

u32 args_nslots(const struct type *proto, u32 first)
{
	u32 slots = 0;

	for (u32 i = first; i < proto->count; i++)
		slots += (size_of(proto->params[i].type) + 7) / 8;
	return slots;
}

static u32 in_slots(struct dtx_arg *a, const struct type_member *params, u32 n, u32 slot, bool trusted)
{
	for (u32 i = 0; i < n; i++) {
		typed(&a[i], &params[i]);
		a[i].loc = LOC_CTX;
		a[i].off = 8 * slot;
		a[i].trusted = trusted && points_to_struct(a[i].type);
		slot += (a[i].size + 7) / 8;
	}
	return slot;
}

u32 args_slots(struct dtx_env *env, struct dtx_probe *p, const struct type *proto, u32 first,
	       u32 slot, bool trusted)
{
	u32 n = proto->count > first ? MIN(proto->count - first, DTX_MAX_ARGS) : 0;

	return in_slots(prov_args(env, p, n), proto->params + first, n, slot, trusted);
}

void args_slots_named(struct dtx_env *env, struct dtx_probe *p, const struct type *proto)
{
	const struct dtx_arg *numbered = p->args;
	u32 n = MIN(proto->count, DTX_MAX_ARGS), nnumbered = p->nargs;
	struct dtx_arg *a = prov_args(env, p, DTX_MAX_ARGS + n);

	memcpy(a, numbered, nnumbered * sizeof(*a));
	a += DTX_MAX_ARGS;
	in_slots(a, proto->params, n, 0, true);
	for (u32 i = 0; i < n; i++)
		a[i].by_name = true;
}

static bool is_aggregate(const struct type *b)
{
	return b && (b->kind == T_STRUCT || b->kind == T_UNION);
}

#define PARTS_MAX 4096           /* damaged debug data may say that a type holds itself */

/* What a type is made of: bit n of a mask is its n-th 8 bytes. */
struct classes {
	u32 ints, floats, parts;
	u32 uppers;                      /* the upper half of what is in one floating-point register */
	bool x87;                        /* such a number, which is in registers only as the result */
	bool memory;                     /* cannot be in registers */
};

/* An array that is handed over as one value: a vector register. */
static bool is_vector(const struct type *b)
{
	return b && b->kind == T_ARRAY && b->is_vector;
}

static bool is_complex(const struct type *b)
{
	return b->name && !strncmp(b->name, "complex ", 8);
}

/* A floating-point number of the x87: 10 bytes in 16; two such where it is complex. */
static bool is_x87(const struct type *b)
{
	return b->kind == T_FLOAT && (b == &ty_ldouble || b->size > 16 || (b->name && !strcmp(b->name, "_Float64x")));
}

/* As compilers align the type where nothing in its source says otherwise. */
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
	else                             /* a bit-field may lie anywhere */
		c->ints |= (first < 16 ? 1u << first / 8 : 0) | (last < 16 ? 1u << last / 8 : 0);
}

static void classify(struct type *t, u64 off, struct classes *c)
{
	struct type *b = type_complete(type_base(t));

	if (c->parts++ > PARTS_MAX)
		return;
	if (b && b->kind == T_ARRAY && !b->is_vector) {
		for (u32 i = 0; i < b->count && (!i || (b->to->size && off + i * b->to->size < 16)); i++)
			classify(b->to, off + i * b->to->size, c);
	} else if (is_aggregate(b) && (b->count || (b->size <= 1 && !b->incomplete))) {   /* none: 1 byte in C++ */
		for (u32 i = 0; i < b->count; i++)
			classify_member(&b->members[i], off, c);
	} else {                         /* or nothing is known of it */
		classify_scalar(b, off, c);
	}
}

/* Floating-point registers that it takes. */
static u32 float_regs(const struct classes *c)
{
	u32 floats = c->floats & ~c->ints;

	return __builtin_popcount(floats | (c->uppers & ~c->ints & ~(floats << 1)));
}

/* In a union, integers in both of its 8 bytes count for more than an x87 number. */
static bool hides_x87(const struct classes *c)
{
	return c->ints == 3;
}

/* What the arguments before have taken. */
struct taken {
	u32 reg, floats;                 /* registers */
	u32 stack;                       /* bytes */
};

#define FLOAT_REGS 8

/*
 * Place of the next argument (System V ABI, AMD64, §3.2.3).  No program can read
 * floating-point registers, nor one struct that is in two registers: such have no place.
 * Nor have floating-point numbers on the stack, with which no program can do anything.
 */
static void place(struct dtx_arg *a, bool user, struct taken *t)
{
	struct type *b = type_base(a->type);
	u32 words = (a->size + 7) / 8, ints, floats, align = MAX(align_of(a->type, 0), 8);
	struct classes c = { 0 };

	classify(b && b->kind == T_ARRAY && !b->is_vector ? &ty_ulong : a->type, 0, &c);      /* such is passed as a pointer */
	ints = __builtin_popcount(c.ints);
	floats = float_regs(&c);
	a->user = user;
	if (!c.memory && (!c.x87 || hides_x87(&c)) && a->size <= 16 && t->reg + ints <= ARRAY_SIZE(arch_arg_regs) &&
	    t->floats + floats <= FLOAT_REGS) {
		a->loc = words == 1 && ints == 1 ? LOC_REG : LOC_NONE;
		a->off = ints ? arch_arg_regs[t->reg] : 0;
		a->size = is_aggregate(b) && words == 1 ? 8 : a->size;
		t->reg += ints;
		t->floats += floats;
		return;
	}
	t->stack = (t->stack + align - 1) & -align;
	a->loc = b && (b->kind == T_FLOAT || is_vector(b)) ? LOC_NONE : LOC_STACK;
	a->off = STACK_ARGS + t->stack;
	t->stack += 8 * words;
}

/* Is the result written where a first argument says that no source shows? */
static bool is_in_memory(struct type *ret)
{
	struct type *b = type_base(ret);
	struct classes c = { 0 };

	classify(ret, 0, &c);
	return c.memory || (is_aggregate(b) && (b->size > 16 || (c.x87 && (c.ints | c.floats) && !hides_x87(&c)))) ||
	       (b && b->kind == T_FLOAT && b->size > 16 && !(b->name && strstr(b->name, "long double")));
}

void args_regs(struct dtx_env *env, struct dtx_probe *p, const struct type *proto, bool user)
{
	u32 n = proto ? MIN(proto->count, DTX_MAX_ARGS) : DTX_MAX_ARGS;
	struct dtx_arg *a = prov_args(env, p, n);
	struct taken taken = { .reg = proto && (proto->in_memory || is_in_memory(proto->to)) };

	for (u32 i = 0; i < n; i++) {
		if (proto)
			typed(&a[i], &proto->params[i]);
		else
			a[i].size = 8;
		place(&a[i], user, &taken);
	}
	p->args_untyped = !proto;
}

void prov_args_pc(struct dtx_env *env, struct dtx_probe *p)
{
	static const char *const calls[] = { "dtx_arg_kpc", "dtx_arg_upc" };
	struct dtx_arg *a = prov_args(env, p, 2);

	for (u32 i = 0; i < 2; i++) {
		a[i].loc = LOC_CALL;
		a[i].text = calls[i];
		a[i].size = 8;
	}
	p->args_untyped = true;
}

void args_return(struct dtx_env *env, struct dtx_probe *p, struct type *ret, s64 arg0)
{
	struct dtx_arg *a = prov_args(env, p, 2);
	struct type *b = type_base(ret);
	struct classes c = { 0 };

	classify(ret, 0, &c);
	a[0].loc = LOC_CONST;
	a[0].value = arg0;
	a[0].size = 8;
	a[0].is_signed = true;
	a[1].size = 8;
	if (b && b->kind == T_VOID)
		return;                          /* LOC_NONE: reads 0 */
	if (b && (b->kind == T_FLOAT || is_vector(b) || (is_aggregate(b) && (b->size > 8 || c.ints != 1 || c.memory)))) {
		a[1].type = ret;                 /* elsewhere */
		p->ret_arg = 1;
		return;
	}
	a[1].loc = LOC_REG;
	a[1].off = arch_ret_reg;
	p->ret_arg = 1;
	if (ret) {
		struct type_member m = { .type = ret };

		typed(&a[1], &m);
		a[1].size = is_aggregate(b) ? 8 : a[1].size;
	}
}
