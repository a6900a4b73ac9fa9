/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * args.c - where the arguments of a C function are: in context slots (fentry, raw tracepoints)
 * or in registers and on the stack by the calling convention (kprobe, uprobe).
 */
#include "runtime.h"

#define STACK_ARGS 8             /* first stack argument, above the return address */

static u32 size_of(struct type *t)
{
	struct type *b = type_base(t);

	if (!b || b->kind == T_PTR || b->kind == T_ARRAY || b->kind == T_FUNC)
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

u32 args_slots(struct dtx_env *env, struct dtx_probe *p, const struct type *proto, u32 first,
	       u32 slot, bool trusted)
{
	u32 n = proto->count > first ? MIN(proto->count - first, DTX_MAX_ARGS) : 0;
	struct dtx_arg *a = prov_args(env, p, n);

	for (u32 i = 0; i < n; i++) {
		typed(&a[i], &proto->params[first + i]);
		a[i].loc = LOC_CTX;
		a[i].off = 8 * slot;
		a[i].trusted = trusted && points_to_struct(a[i].type);
		slot += (a[i].size + 7) / 8;
	}
	return slot;
}

/* Which 8-byte words of a type are passed in integer registers: bit 0 the first.  The others
 * of at most two are in floating-point registers. */
static u32 integer_words(struct type *t, u32 off)
{
	struct type *b = type_base(t);
	u32 words = 0;

	if (!b || b->kind == T_FLOAT)
		return 0;
	if (b->kind == T_ARRAY)
		for (u32 i = 0; i < b->count && off + i * b->to->size < 16; i++)
			words |= integer_words(b->to, off + i * b->to->size);
	if (b->kind == T_ARRAY)
		return words;
	if (b->kind != T_STRUCT && b->kind != T_UNION)
		return 1u << off / 8;
	type_complete(b);
	if (!b->count)                           /* nothing is known of it */
		return b->size > 8 ? 3 : 1;
	for (u32 i = 0; i < b->count; i++)
		words |= integer_words(b->members[i].type, off + b->members[i].bit_off / 8);
	return words;
}

static bool is_aggregate(struct type *t)
{
	struct type *b = type_base(t);

	return b && (b->kind == T_STRUCT || b->kind == T_UNION);
}

/*
 * Place of the next argument; `reg` registers and `stack` bytes are taken so far (System V
 * ABI, AMD64, §3.2.3).  No program can read floating-point registers, nor one struct that is
 * in two registers: such have no place.
 */
static void place(struct dtx_arg *a, bool user, u32 *reg, u32 *stack)
{
	u32 words = (a->size + 7) / 8, ints, n = words;
	struct type *b = type_base(a->type);

	a->user = user;
	if (b && b->kind == T_FLOAT && a->size <= 8)
		return;
	if (is_aggregate(b) && a->size <= 16) {
		ints = integer_words(b, 0);
		n = __builtin_popcount(ints);
	}
	if (a->size <= 16 && (!b || b->kind != T_FLOAT) && *reg + n <= ARRAY_SIZE(arch_arg_regs)) {
		a->loc = words == 1 && n == 1 ? LOC_REG : LOC_NONE;
		a->off = n ? arch_arg_regs[*reg] : 0;
		a->size = is_aggregate(b) && words == 1 ? 8 : a->size;
		*reg += n;
		return;
	}
	a->loc = LOC_STACK;
	a->off = STACK_ARGS + *stack;
	*stack += 8 * words;
}

void args_regs(struct dtx_env *env, struct dtx_probe *p, const struct type *proto, bool user)
{
	u32 n = proto ? MIN(proto->count, DTX_MAX_ARGS) : DTX_MAX_ARGS;
	struct dtx_arg *a = prov_args(env, p, n);
	u32 reg = 0, stack = 0;

	for (u32 i = 0; i < n; i++) {
		if (proto)
			typed(&a[i], &proto->params[i]);
		else
			a[i].size = 8;
		place(&a[i], user, &reg, &stack);
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

	a[0].loc = LOC_CONST;
	a[0].value = arg0;
	a[0].size = 8;
	a[0].is_signed = true;
	a[1].size = 8;
	if (b && b->kind == T_VOID)
		return;                          /* LOC_NONE: reads 0 */
	if (b && (b->kind == T_FLOAT || (is_aggregate(b) && (b->size > 8 || integer_words(b, 0) != 1)))) {
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
	}
}
