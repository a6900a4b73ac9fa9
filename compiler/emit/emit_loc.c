/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_loc.c - the value of an argument, by the place where the provider says that it lies: the
 * functions that rows of locs.def name.
 */
#include <stdio.h>

#include <dtx/arch.h>
#include <dtx/tables/loc.h>
#include <dtx/progkind.h>

#include "compiler/emit/emit-private.h"
#include "compiler/emit/loc.h"

/* The low `size` bytes of a value. */
static val narrow(struct emit *e, val v, u32 size, bool is_signed)
{
	return size < 8 ? ll_ext(e, LLVMBuildTrunc(e->b, v, ll_itype(e, size), ""), is_signed) : v;
}

/* `a`: the low a->size bytes of the register are the value. */
val loc_ptregs(struct emit *e, const struct dtx_arg *a, u32 size)
{
	val regs, room, v;

	(void)size;
	if (progkinds[e->p.prog->kind].context == KIND_CTX_EVENT) /* the record has none */
		return narrow(e, emit_user_reg(e, a->off / 8), a->size, a->is_signed);
	regs = emit_insn(e, ll_load_ptr(e, emit_m(e, ctx)), 8 * a->slot, 8, false);
	if (kind_is(e->p.prog->kind, KIND_TYPED))       /* the verifier knows the pointer */
		return emit_insn(e, regs, a->off, a->size, a->is_signed);
	room = ll_word(e);
	ll_call(e, "dtx_copy", room, ll_num(e, 8), LLVMBuildAdd(e->b, regs, ll_num(e, a->off), ""));
	v = ll_load(e, room, a->size, a->is_signed);
	ll_word_end(e, room);
	return v;
}

/* Arrays and structs in the context: their address. */
val emit_inside(struct emit *e, const struct dtx_arg *a)
{
	val ctx = emit_as_number(e, ll_ext(e, ll_load_ptr(e, emit_m(e, ctx)), false));

	return LLVMBuildAdd(e->b, ctx, ll_num(e, a->off), "");
}

/* Slots are 8 bytes wide; the bytes above a narrow argument are undefined. */
static val arg_slot(struct emit *e, const struct dtx_arg *a, u32 size)
{
	bool slots = progkinds[e->p.prog->kind].context != KIND_CTX_EVENT;
	val v;

	if (!slots)
		return emit_ctx(e, a->off, size, a->is_signed);
	v = emit_ctx(e, a->off, 8, false);
	if (kind_is(e->p.prog->kind, KIND_TYPED) &&
	    (a->trusted || (a->type && type_is_ptr(a->type))))
		v = emit_as_number(e, v);
	return narrow(e, v, size, a->is_signed);
}

val loc_ctx(struct emit *e, const struct dtx_arg *a, u32 size)
{
	return emit_word_size(size) ? arg_slot(e, a, size) : emit_inside(e, a);
}

/* ---- from elsewhere --------------------------------------------------------------------- */

val loc_stack(struct emit *e, const struct dtx_arg *a, u32 size)
{
	val sp = emit_ctx(e, ARCH_REG_SP, 8, false);
	struct place at = { a->user ? MEM_USER : MEM_KERNEL, sp, a->off };
	struct type t = { .kind = T_INT, .size = MIN(a->size, 8), .is_signed = a->is_signed };

	(void)size;
	return emit_load(e, &at, &t);
}

val loc_usermem(struct emit *e, const struct dtx_arg *a, u32 size)
{
	struct type t = { .kind = T_INT, .size = MIN(a->size, 8), .is_signed = a->is_signed };
	struct place at = { MEM_USER, ll_num(e, a->value), 0 };
	val index;

	(void)size;
	if (a->slot != DTX_NO_REG)
		at.p = LLVMBuildAdd(e->b, emit_ctx(e, 8 * a->slot, 8, false), at.p, "");
	if (a->index != DTX_NO_REG) {
		index = emit_ctx(e, 8 * a->index, 8, false);
		index = LLVMBuildMul(e->b, index, ll_num(e, a->scale), "");
		at.p = LLVMBuildAdd(e->b, at.p, index, "");
	}
	return emit_load(e, &at, &t);
}

val loc_register(struct emit *e, const struct dtx_arg *a, u32 size)
{
	val v = emit_ctx(e, a->off, 8, false);

	if (a->value)
		v = LLVMBuildLShr(e->b, v, ll_num(e, a->value), "");
	return narrow(e, v, size, a->is_signed);
}

val loc_dataloc(struct emit *e, const struct dtx_arg *a, u32 size)
{
	val loc = emit_ctx(e, a->off, 4, false);
	val ctx = emit_as_number(e, ll_ext(e, ll_load_ptr(e, emit_m(e, ctx)), false));

	(void)size;
	loc = LLVMBuildAnd(e->b, loc, ll_num(e, 0xffff), "");
	return LLVMBuildAdd(e->b, ctx, LLVMBuildAdd(e->b, loc, ll_num(e, a->value), ""), "");
}

val loc_late(struct emit *e, const struct dtx_arg *a, u32 size)
{
	val v = ll_call(e, "dtx_late_arg", e->f.frame, ll_num(e, a->value));

	emit_check_fault(e);
	return narrow(e, v, size, a->is_signed);
}

val loc_place(struct emit *e, const struct dtx_arg *a, u32 size)
{
	(void)size;
	return emit_place_arg(e, a);
}

val loc_const(struct emit *e, const struct dtx_arg *a, u32 size)
{
	return narrow(e, ll_num(e, a->value), size, a->is_signed);
}

val loc_gone(struct emit *e, const struct dtx_arg *a, u32 size)
{
	(void)a, (void)size;
	emit_fault_if(e, LLVMConstInt(e->i1, 1, false), DTX_FAULT_TAIL, ll_num(e, 0));
	return ll_num(e, 0);
}

val loc_call(struct emit *e, const struct dtx_arg *a, u32 size)
{
	return narrow(e, ll_call(e, a->text, ll_load_ptr(e, emit_m(e, ctx))), size, a->is_signed);
}

/* ---- which ------------------------------------------------------------------------------ */

val emit_located(struct emit *e, const struct dtx_arg *a, u32 size)
{
	static val (*const loads[])(struct emit *, const struct dtx_arg *, u32) = {
#define LOC(name, load, word) [LOC_##name] = load,
#define NO_LOC(name, word)
#include <dtx/tables/locs.def>
	};

	return loads[a->loc] ? loads[a->loc](e, a, size) : ll_num(e, 0);
}
