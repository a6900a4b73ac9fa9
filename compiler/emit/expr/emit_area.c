/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_area.c - the scratch memory of D programs.
 *
 * The clauses of a firing allocate scratch memory from one area of its slot, front to back (each
 * from the start, if no pointer is passed on: compiler/plan/firing.c).  Pointers to it are plain
 * addresses in D; each access checks the address against the area again, so nothing outside the
 * allocated part is touched.
 */
#include "compiler/emit/emit-private.h"

static val exceeds(struct emit *e, val v, val max)
{
	return LLVMBuildICmp(e->b, LLVMIntUGT, v, max, "");
}

val emit_scratch_size(struct emit *e)
{
	return ll_num(e, e->c->plan->mem_size);
}

val emit_scratch_used(struct emit *e)
{
	return emit_forget(e, ll_load(e, emit_m(e, mem), 4, false));
}

/* Own memory at a scratch address.  A fault unless `size` bytes there were allocated before. */
val emit_scratch_part(struct emit *e, val addr, val size, enum dtx_fault fault, val value)
{
	val area = emit_scratch(e, e->c->plan->mem_off);
	val off = LLVMBuildSub(e->b, addr, emit_as_number(e, ll_ext(e, area, false)), "");

	off = ll_call(e, "dtx_opaque", off);
	emit_fault_if(e, exceeds(e, off, emit_scratch_size(e)), DTX_FAULT_BADADDR, addr);
	emit_fault_if(e, exceeds(e, LLVMBuildAdd(e->b, off, size, ""), emit_scratch_used(e)), fault,
		      value);
	/* The compared value may be in another register; older kernels do not see that it is the
	 * same number. */
	off = LLVMBuildAnd(e->b, ll_call(e, "dtx_opaque", off), ll_num(e, e->c->plan->mem_mask),
			   "");
	return ll_off_var(e, area, off);
}

val emit_scratch_at(struct emit *e, val addr, val size)
{
	return emit_scratch_part(e, addr, size, DTX_FAULT_BADADDR, addr);
}

/* Allocates `size` bytes, and a part of what is after the area if `spare` bytes more do not fit;
 * NOSCRATCH if there is no room. */
val emit_scratch_room(struct emit *e, val size, unsigned spare)
{
	val from = ll_call(e, "dtx_clamp", emit_scratch_used(e), emit_scratch_size(e)), end;

	emit_fault_if(e, exceeds(e, size, emit_scratch_size(e)), DTX_FAULT_NOSCRATCH, size);
	end = LLVMBuildAdd(e->b, from, size, "");
	emit_fault_if(e, exceeds(e, end, emit_scratch_size(e)), DTX_FAULT_NOSCRATCH, size);
	end = LLVMBuildAdd(e->b, end, ll_num(e, 7 + spare), "");
	end = LLVMBuildAnd(e->b, end, ll_num(e, ~7ull), "");
	ll_store(e, end, emit_m(e, mem), 4);
	return ll_off_var(e, emit_scratch(e, e->c->plan->mem_off), from);
}
