/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_call.c - built-in variables and subroutines.
 *
 * A row of builtins.def names a function of the code generator, or it is a function dtx_NAME of the
 * BPF library.  Such a function takes the machine state, then the arguments; strings are passed as
 * (address, capacity).
 */
#include <dtx/arch.h>

#include "compiler/emit/expr/rows.h"

/* ---- the current task --------------------------------------------------------------- */

val emit_curthread(struct emit *e, const struct node *n)
{
	return ll_ext(e, ll_call_n(e, "dtx_task", NULL, 0), false);
}

/* A program of system calls has the task at hand: it asked whether the call is of 32 bits. */
static bool has_task(struct emit *e)
{
	u32 off;

	return e->p.prog && e->p.prog->ident == IDENT_DISPATCH && ARCH_COMPAT_REG < 0 &&
	       memory_of_task(e->c) == MEM_TRUSTED &&
	       member_of_kernel(e->c, "task_struct", "tgid", &off, NULL);
}

val emit_pid(struct emit *e, const struct node *n)
{
	static const char *const path[] = { "task_struct", "tgid", NULL };

	if (!e->c->env->pidns && has_task(e))
		return emit_task_num(e, path, true);
	return ll_ext(e, ll_call(e, "dtx_pid", e->f.frame), true);
}

val emit_ppid(struct emit *e, const struct node *n)
{
	static const char *const path[] = {
		"task_struct", "real_parent", "task_struct", "tgid", NULL,
	};

	static const char *const parent[] = { "task_struct", "real_parent", NULL };

	if (e->c->env->pidns)
		return ll_call(e, "dtx_g_number",
			       emit_as_number(e, emit_task_num(e, parent, false)), ll_num(e, 0));
	return emit_task_num(e, path, true);
}

/* ---- its CPU time: emit_vtime.c ------------------------------------------------------------ */

bool emit_vtime_sum(struct emit *e, u32 *off)
{
	u32 se, sum;

	if (!member_of_kernel(e->c, "task_struct", "se", &se, NULL) ||
	    !member_of_kernel(e->c, "sched_entity", "sum_exec_runtime", &sum, NULL))
		return false;
	*off = se + sum;
	return true;
}

val emit_vtimestamp(struct emit *e, const struct node *n)
{
	const struct plan *plan = e->c->plan;
	struct place at;
	u32 off;

	if (!emit_vtime_sum(e, &off))
		return ll_num(e, 0);
	at = emit_task(e);
	at.off = off;
	return ll_call(e, "dtx_vtimestamp", e->f.frame, emit_load(e, &at, &ty_ulong),
		       ll_zero_bytes(e, plan->self_size), ll_num(e, plan->vtime_off));
}

/* ---- the probe ---------------------------------------------------------------------------- */

val emit_id(struct emit *e, const struct node *n)
{
	return emit_probe_id(e);
}

val emit_epid(struct emit *e, const struct node *n)
{
	val high = LLVMBuildShl(e->b, emit_probe_id(e), ll_num(e, 32), "");

	return LLVMBuildOr(e->b, high, ll_num(e, e->p.inst->site), "");
}

static val retval(struct emit *e, const struct node *n)
{
	struct node arg = *n;

	if (e->p.in_error || e->p.group->probes[0]->args.ret < 0)
		return ll_num(e, 0);
	arg.kind = N_ARG;
	arg.value = e->p.group->probes[0]->args.ret;
	arg.raw = true;                  /* errno is an int: made of all bytes of the result */
	return emit_arg(e, &arg);
}

/* -4095 … -1 returned by a system call. */
val emit_errno(struct emit *e, const struct node *n)
{
	val neg, is_error;

	if (e->p.in_error || !e->p.group->probes[0]->place.is_syscall_return)
		return ll_num(e, 0);
	neg = LLVMBuildNeg(e->b, retval(e, n), "");
	is_error = LLVMBuildICmp(e->b, LLVMIntULT, LLVMBuildSub(e->b, neg, ll_num(e, 1), ""),
				 ll_num(e, 4095), "");
	return LLVMBuildSelect(e->b, is_error, neg, ll_num(e, 0), "");
}

/* ---- speculations ---------------------------------------------------------------------------- */

/* With speculation 0 there is nothing to record: the clause ends. */
val emit_speculate(struct emit *e, const struct node *n)
{
	val id = ll_call(e, "dtx_speculate", e->f.frame, emit_expr(e, n->list));
	block go = ll_block(e, "go");

	ll_if(e, ll_bool(e, ll_ext(e, id, false)), go, e->f.out);
	ll_at(e, go);
	return ll_num(e, 0);
}

/* ---- dispatch -------------------------------------------------------------------------------- */

union row {
	val (*number)(struct emit *, const struct node *);
	struct str (*text)(struct emit *, const struct node *);
};

#define FN_BL_CALL(f)      { NULL }
#define FN_BL_RECORD(f)    { NULL }
#define FN_BL_CONSUMER(f)  { NULL }
#define FN_BL_ALIAS(f)     { NULL }
#define FN_BL_REWRITE(f)   { NULL }
#define FN_BL_EMIT(f)      { .number = f }
#define FN_BL_TEXT(f)      { .text = f }

static const union row rows[] = {
#define BUILTIN(name, kind, sig, lower, target, ...) FN_##lower(target),
#include <dtx/tables/builtins.def>
#undef BUILTIN
};

static val call_library(struct emit *e, const struct node *n)
{
	char *name = arena_printf(e->c->arena, "dtx_%s", n->row->name);
	val args[8] = { e->f.frame }, v;
	struct held held[8] = { { 0 } };
	u32 k = 1, mark = e->x.held;

	if (!pieces_function(e, name)) {
		diag_error(&e->c->env->diags, DIAG_NONE, n->at, "%s%s is not available yet",
			   n->row->name, n->kind == N_CALL ? "()" : "");
		return ll_num(e, 0);
	}
	for (const struct node *a = n->list; a && k + 1 < ARRAY_SIZE(args); a = a->next) {
		struct str s;

		if (!type_is_string(a->type)) {
			held[k++] = emit_hold(e, emit_expr(e, a));
			continue;
		}
		s = emit_str_own(e, emit_str(e, a));
		args[k++] = s.p;
		args[k++] = ll_num(e, s.cap);
	}
	for (u32 i = 1; i < k; i++)
		if (held[i].v)
			args[i] = emit_take(e, held[i]);
	e->x.held = mark;
	if (n->row->flags & BF_TIME)
		e->p.uses |= USES_TIME;
	v = ll_call_n(e, name, args, k);
	return LLVMTypeOf(v) == e->none ? ll_num(e, 0) : ll_ext(e, v, type_signed(n->type));
}

val emit_call(struct emit *e, const struct node *n)
{
	if (type_is_string(n->type))
		return emit_text_addr(e, n);
	return n->row->lower == BL_EMIT ? rows[n->row - builtins].number(e, n) : call_library(e, n);
}

struct str emit_call_text(struct emit *e, const struct node *n)
{
	if (n->row->lower == BL_TEXT)
		return rows[n->row - builtins].text(e, n);
	diag_error(&e->c->env->diags, DIAG_NONE, n->at, "%s%s is not available yet", n->row->name,
		   n->kind == N_CALL ? "()" : "");
	return (struct str){ STR_OWN, ll_zero_bytes(e, 8), 8, n, NULL, NULL };
}

/* ---- values wider than a register ------------------------------------------------------------ */

/* The symbol of the call n, whose address is already computed, as struct dtx_symref. */
void emit_symref(struct emit *e, const struct node *n, val addr, val to)
{
	bool user = type_base(n->type)->is_user;

	ll_store(e, addr, ll_off(e, to, offsetof(struct dtx_symref, addr)), 8);
	ll_store(e, user ? emit_process(e) : ll_num(e, 0),
		 ll_off(e, to, offsetof(struct dtx_symref, pid)), 8);
}

/* Stacks, symbols: struct dtx_stackref, struct dtx_symref at `to`. */
void emit_wide(struct emit *e, const struct node *n, val to)
{
	struct type *t = type_base(n->type);
	struct place at;

	if (n->kind == N_VAR || n->kind == N_ASSOC) {
		at = emit_place(e, n);
		emit_read(e, to, n->sym->size, &at);
	} else if (t->kind == T_STACK) {
		emit_stack(e, n, to);
	} else {
		emit_symref(e, n, emit_expr(e, n->list), to);
	}
}
