/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_load.c - loads from a place that is known: of the context, of own memory, of the kernel and
 * of programs.
 *
 * Context loads are single instructions in assembly: the verifier requires the
 * context pointer with a constant offset, but the optimiser would compute
 * addresses.
 */
#include <stdio.h>

#include "compiler/emit/emit-private.h"

u32 emit_koff(struct emit *e, const char *tag, const char *name)
{
	u32 off;

	return member_of_kernel(e->c, tag, name, &off, NULL) ? off : 0;
}

/* ---- values --------------------------------------------------------------------------------- */

/* A pointer as a number, for the verifier too, which allows arithmetic only on numbers. */
val emit_as_number(struct emit *e, val p)
{
	return ll_asm(e, "$0 = -$0\n\t$0 = -$0", "=r,0", &p, 1);
}

/* The value converted to `type`: truncated, then extended again. */
val emit_narrow(struct emit *e, val v, const struct type *type)
{
	u32 n = type_size(e->c, type);
	const struct type *t = type_base((struct type *)type);

	if (t->kind == T_INT && t->is_bool)
		return ll_ext(e, ll_bool(e, v), false);
	if (n != 1 && n != 2 && n != 4)
		return v;
	v = LLVMBuildTrunc(e->b, v, ll_itype(e, n), "");
	return ll_ext(e, v, type_signed(type));
}

val emit_bits_get(struct emit *e, val unit, val more, const struct field *f)
{
	u32 end = MIN(f->shift + f->size, 64u);
	val down = ll_num(e, 64 - f->size);

	if (more) {
		unit = LLVMBuildLShr(e->b, unit, ll_num(e, f->shift), "");
		more = LLVMBuildShl(e->b, more, ll_num(e, 64 - f->shift), "");
		unit = LLVMBuildOr(e->b, unit, more, "");
		end = f->size;
	}
	unit = LLVMBuildShl(e->b, unit, ll_num(e, 64 - end), "");
	return f->is_signed ? LLVMBuildAShr(e->b, unit, down, "")
			    : LLVMBuildLShr(e->b, unit, down, "");
}

/* ---- single instructions --------------------------------------------------------------------- */

val emit_insn(struct emit *e, val base, u32 off, u32 size, bool is_signed)
{
	char text[64];
	val v;

	snprintf(text, sizeof(text), "$0 = *(u%u *)($1 + %u)", 8 * size, off);
	v = ll_asm(e, text, "=r,r", &base, 1);
	if (size == 8 || !is_signed)     /* loads clear the upper bits */
		return v;
	v = LLVMBuildTrunc(e->b, v, ll_itype(e, size), "");
	return ll_ext(e, v, is_signed);
}

val emit_ctx(struct emit *e, u32 off, u32 size, bool is_signed)
{
	return emit_insn(e, ll_load_ptr(e, emit_m(e, ctx)), off, size, is_signed);
}

val emit_arg_ptr(struct emit *e, const struct dtx_arg *a)
{
	return emit_insn(e, ll_load_ptr(e, emit_m(e, ctx)), a->off, 8, false);
}

val emit_load_trusted(struct emit *e, val p, u32 off, u32 size)
{
	if (off > 32767) {
		p = LLVMBuildAdd(e->b, p, ll_num(e, off), "");
		off = 0;
	}
	return emit_insn(e, p, off, size, false);
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Trusted objects are read only at constant offsets; for other offsets they are plain addresses. */
void emit_distrust(struct emit *e, struct place *at)
{
	if (at->in != MEM_TRUSTED)
		return;
	at->p = emit_as_number(e, at->p);
	at->in = MEM_KERNEL;
}

val emit_place_addr(struct emit *e, const struct place *at)
{
	struct place p = *at;

	if (p.in == MEM_OWN)
		return emit_as_number(e, ll_ext(e, ll_off(e, p.p, p.off), false));
	emit_distrust(e, &p);
	return p.off ? LLVMBuildAdd(e->b, p.p, ll_num(e, p.off), "") : p.p;
}

val emit_place_own(struct emit *e, const struct place *at, u32 n)
{
	val addr;

	if (at->in == MEM_OWN)
		return ll_off(e, at->p, at->off);
	addr = emit_place_addr(e, at);
	if (n > e->c->plan->mem_size)
		emit_fault_if(e, LLVMConstInt(e->i1, 1, false), DTX_FAULT_BADADDR, addr);
	return emit_scratch_at(e, addr, ll_num(e, MIN(n, e->c->plan->mem_size)));
}

void emit_read(struct emit *e, val to, u32 n, const struct place *at)
{
	if (at->in == MEM_SCRATCH) {
		ll_call(e, "dtx_copy", to, ll_num(e, n), emit_place_own(e, at, n));
		return;
	}
	if (at->in == MEM_OWN) {
		ll_copy(e, to, ll_off(e, at->p, at->off), n);
		return;
	}
	ll_call(e, at->in == MEM_USER ? "dtx_uread" : "dtx_kread",
		e->f.frame, to, ll_num(e, n), emit_place_addr(e, at));
	emit_check_fault(e);
}

/* n bytes (1, 2, 4, 8) as an unsigned number. */
val emit_load_bytes(struct emit *e, const struct place *at, u32 n)
{
	val room, v;

	if (at->in == MEM_OWN)
		return ll_load(e, ll_off(e, at->p, at->off), n, false);
	if (at->in == MEM_TRUSTED)
		return emit_load_trusted(e, at->p, at->off, n);
	if (at->in == MEM_SCRATCH)
		return ll_load(e, emit_place_own(e, at, n), n, false);
	room = ll_word(e);
	emit_read(e, room, n, at);
	v = ll_load(e, room, n, false);
	ll_word_end(e, room);
	return v;
}

val emit_load(struct emit *e, const struct place *at, const struct type *type)
{
	const struct type *t = type_base((struct type *)type);
	u32 n = type_size(e->c, type);
	val v;

	if (n != 1 && n != 2 && n != 4 && n != 8)
		return emit_place_addr(e, at);
	v = emit_load_bytes(e, at, n);
	if (at->in == MEM_TRUSTED && t->kind == T_PTR)
		return emit_as_number(e, v);
	/* LLVM does not know that loads in assembly clear the upper bits. */
	if (at->in == MEM_TRUSTED && t->kind == T_INT && !t->is_signed && !t->is_bool)
		return v;
	return emit_narrow(e, v, type);
}
