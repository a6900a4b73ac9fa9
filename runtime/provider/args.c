/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * args.c - places of the arguments of a C function: in context slots (fentry, raw
 * tracepoints), or in registers and on the stack by the calling convention (kprobe, uprobe;
 * dtx/arch.h).
 */
#include <dtx/tables/loc.h>
#include <dtx/arch.h>
#include <dtx/abi.h>
#include <dtx/env.h>

#include "runtime/provider/provider.h"

static u32 arg_size(struct type *t)
{
	struct type *b = type_base(t);

	if (b && b->kind == T_PTR && b->size == 4)
		return 4;                        /* of a 32-bit program */
	if (!b || b->kind == T_PTR || (b->kind == T_ARRAY && !b->is_vector) || b->kind == T_FUNC)
		return 8;                        /* arrays and functions are passed as pointers */
	return b->size ? b->size : 8;
}

void args_typed(struct dtx_arg *a, const struct type_member *param)
{
	struct type *b = type_base(param->type);

	a->name = param->name && *param->name ? param->name : NULL;
	a->type = param->type;
	a->size = arg_size(param->type);
	a->is_signed = b && (b->kind == T_INT || b->kind == T_ENUM) && b->is_signed;
}

/* The verifier knows pointers to kernel structs by BTF. */
static bool points_to_struct(struct type *t)
{
	struct type *b = type_base(t), *to = b && b->kind == T_PTR ? type_base(b->to) : NULL;

	return to && (to->kind == T_STRUCT || to->kind == T_UNION);
}

u32 args_nslots(const struct type *proto, u32 first)
{
	u32 slots = 0;

	for (u32 i = first; i < proto->count; i++)
		slots += (arg_size(proto->params[i].type) + 7) / 8;
	return slots;
}

static u32 in_slots(struct dtx_arg *a, const struct type_member *params, u32 n, u32 slot,
		    bool trusted)
{
	for (u32 i = 0; i < n; i++) {
		args_typed(&a[i], &params[i]);
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

	p->args.takes = n;
	return in_slots(prov_args(env, p, n), proto->params + first, n, slot, trusted);
}

void args_slots_named(struct dtx_env *env, struct dtx_probe *p, const struct type *proto)
{
	const struct dtx_arg *numbered = p->args.v;
	u32 n = MIN(proto->count, DTX_MAX_ARGS), nnumbered = p->args.n;
	struct dtx_arg *a = prov_args(env, p, DTX_MAX_ARGS + n);

	memcpy(a, numbered, nnumbered * sizeof(*a));
	a += DTX_MAX_ARGS;
	in_slots(a, proto->params, n, 0, true);
	for (u32 i = 0; i < n; i++)
		a[i].by_name = true;
}

static void add_reg(struct dtx_env *env, struct dtx_arg *a, u32 reg)
{
	bool none = reg == ARCH_NO_REG;

	steps_add(env->arena, &a->steps, none ? STEP_NUM : STEP_REG, none ? 0 : reg);
}

/* The address of a struct is among the arguments on the stack. */
static void add_stacked(struct dtx_env *env, struct dtx_arg *a)
{
	steps_add(env->arena, &a->steps, STEP_REG, ARCH_REG_SP);
	steps_add_offset(env->arena, &a->steps, a->off);
	steps_add(env->arena, &a->steps, STEP_READ, 8);
}

/* Places that are not one register, as steps. */
static void in_regs(struct dtx_env *env, struct dtx_arg *a, const struct arch_call *call)
{
	a->steps = (struct dtx_steps){ 0 };
	if (a->loc == LOC_PLACE && call->low == ARCH_NO_REG)
		add_stacked(env, a);
	else if (a->loc == LOC_VALUE || a->loc == LOC_PLACE)
		add_reg(env, a, call->low);
	if (a->loc == LOC_VALUE) {
		steps_add(env->arena, &a->steps, STEP_WORD, 0);
		add_reg(env, a, call->high);
	}
}

void args_regs(struct dtx_env *env, struct dtx_probe *p, const struct type *proto, bool user)
{
	u32 named = proto ? MIN(proto->count, DTX_MAX_ARGS) : 0;
	/* What follows the named ones of a variadic function is numbers in the next places. */
	u32 n = proto && !proto->variadic ? named : DTX_MAX_ARGS;
	struct dtx_arg *a = prov_args(env, p, n);
	bool in_memory = proto && (proto->in_memory || arch_result_in_memory(proto->to));
	struct arch_call call = { .reg = in_memory ? ARCH_RESULT_ARGS : 0 };

	for (u32 i = 0; i < n; i++) {
		if (i < named)
			args_typed(&a[i], &proto->params[i]);
		else
			a[i].size = 8;
		arch_place(&a[i], user, &call);
		in_regs(env, &a[i], &call);
	}
	p->args.untyped = !proto;
	p->args.takes = proto && !proto->variadic && !user ? (s32)proto->count : -1;
}

void args_call(struct dtx_arg *a, const char *call)
{
	a->loc = LOC_CALL;
	a->text = call;
}

void args_called(struct dtx_env *env, struct dtx_probe *p, const struct type *proto)
{
	static const char *const calls[] = {
		"dtx_func_arg0", "dtx_func_arg1", "dtx_func_arg2", "dtx_func_arg3",
		"dtx_func_arg4", "dtx_func_arg5",
	};
	u32 n = MIN(proto->count, ARRAY_SIZE(calls));
	struct dtx_arg *a = prov_args(env, p, n);

	p->args.takes = proto->count;
	for (u32 i = 0; i < n; i++) {
		args_typed(&a[i], &proto->params[i]);
		args_call(&a[i], calls[i]);
	}
}

void prov_args_pc(struct dtx_env *env, struct dtx_probe *p)
{
	static const char *const calls[] = { "dtx_arg_kpc", "dtx_arg_upc" };
	struct dtx_arg *a = prov_args(env, p, 2);

	for (u32 i = 0; i < 2; i++) {
		args_call(&a[i], calls[i]);
		a[i].size = 8;
	}
	p->args.untyped = true;
}

void args_nowhere(struct dtx_env *env, struct dtx_probe *p, const char *why)
{
	struct dtx_arg *a = prov_args(env, p, DTX_MAX_ARGS);

	for (u32 i = 0; i < DTX_MAX_ARGS; i++)
		a[i].text = why;
	p->args.untyped = true;
}

void args_return(struct dtx_env *env, struct dtx_probe *p, struct type *ret, s64 arg0)
{
	struct dtx_arg *a = prov_args(env, p, 2);
	struct type *b = type_base(ret);

	p->args.takes = 2;
	a[0].loc = LOC_CONST;
	a[0].value = arg0;
	a[0].size = 8;
	a[0].is_signed = true;
	a[1].size = 8;
	if (b && b->kind == T_VOID)
		return;                          /* LOC_NONE: reads 0 */
	if (!arch_result_in_reg(ret)) {
		a[1].type = ret;                 /* other places */
		p->args.ret = 1;
		return;
	}
	a[1].loc = LOC_REG;
	a[1].off = ARCH_REG_RESULT;
	p->args.ret = 1;
	if (ret) {
		struct type_member m = { .type = ret };

		args_typed(&a[1], &m);
		a[1].size = b->kind == T_STRUCT || b->kind == T_UNION ? 8 : a[1].size;
	}
}

void args_result(struct dtx_env *env, struct dtx_probe *p, const struct type *proto, s64 arg0)
{
	struct type *ret = proto ? type_base(proto->to) : NULL;
	struct arch_call call = { 0 };
	struct dtx_arg *a;

	args_return(env, p, proto ? proto->to : NULL, arg0);
	a = &p->args.v[1];
	if (!ret || (ret->kind != T_STRUCT && ret->kind != T_UNION))
		return;
	arch_result(a, proto->in_memory, &call);
	a->user = p->place.user_ctx;
	in_regs(env, a, &call);
}
