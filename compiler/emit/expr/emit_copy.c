/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_copy.c - scratch memory: alloca(), and copies to and from it.
 *
 * The clauses of a firing allocate scratch memory from one area of its slot, front to back (each
 * from the start, if no pointer is passed on: compiler/plan/firing.c).  Pointers to it are plain
 * addresses in D; each access checks the address against the area again, so nothing outside the
 * allocated part is touched.
 */
#include <dtx/feat.h>

#include "compiler/emit/expr/rows.h"

static val exceeds(struct emit *e, val v, val max)
{
	return LLVMBuildICmp(e->b, LLVMIntUGT, v, max, "");
}

static val mem_size(struct emit *e)
{
	return ll_num(e, e->c->plan->mem_size);
}

static val used(struct emit *e)
{
	return emit_forget(e, ll_load(e, emit_m(e, mem), 4, false));
}

/* A pointer as a number, for the verifier. */
static val copy_number(struct emit *e, val p)
{
	p = ll_ext(e, p, false);
	return ll_asm(e, "$0 = -$0\n\t$0 = -$0", "=r,0", &p, 1);
}

/* Own memory at a scratch address.  A fault unless `size` bytes there were allocated before. */
static val scratch_part(struct emit *e, val addr, val size, enum dtx_fault fault, val value)
{
	val area = emit_scratch(e, e->c->plan->mem_off);
	val off = LLVMBuildSub(e->b, addr, copy_number(e, area), "");

	off = ll_call(e, "dtx_opaque", off);
	emit_fault_if(e, exceeds(e, off, mem_size(e)), DTX_FAULT_BADADDR, addr);
	emit_fault_if(e, exceeds(e, LLVMBuildAdd(e->b, off, size, ""), used(e)), fault, value);
	/* The compared value may be in another register; older kernels do not see that it is the
	 * same number. */
	off = LLVMBuildAnd(e->b, ll_call(e, "dtx_opaque", off), ll_num(e, e->c->plan->mem_mask),
			   "");
	return ll_off_var(e, area, off);
}

val emit_scratch_at(struct emit *e, val addr, val size)
{
	return scratch_part(e, addr, size, DTX_FAULT_BADADDR, addr);
}

/* Allocates `size` bytes, and a part of what is after the area if `spare` bytes more do not fit;
 * NOSCRATCH if there is no room. */
static val room_for(struct emit *e, val size, unsigned spare)
{
	val from = ll_call(e, "dtx_clamp", used(e), mem_size(e)), end;

	emit_fault_if(e, exceeds(e, size, mem_size(e)), DTX_FAULT_NOSCRATCH, size);
	end = LLVMBuildAdd(e->b, from, size, "");
	emit_fault_if(e, exceeds(e, end, mem_size(e)), DTX_FAULT_NOSCRATCH, size);
	end = LLVMBuildAdd(e->b, end, ll_num(e, 7 + spare), "");
	end = LLVMBuildAnd(e->b, end, ll_num(e, ~7ull), "");
	ll_store(e, end, emit_m(e, mem), 4);
	return ll_off_var(e, emit_scratch(e, e->c->plan->mem_off), from);
}

static val size_of(struct emit *e, const struct node *n, enum dtx_fault fault)
{
	val size = ll_call(e, "dtx_opaque", emit_expr(e, n));

	if (fault)
		emit_fault_if(e, exceeds(e, size, ll_num(e, e->c->plan->mem_one)), fault, size);
	return size;
}

val emit_alloca(struct emit *e, const struct node *n)
{
	return copy_number(e, room_for(e, size_of(e, n->list, DTX_FAULT_UNKNOWN), 0));
}

/* size bytes from user memory to `to`. */
static void from_user(struct emit *e, val to, val size, val addr)
{
	ll_call(e, "dtx_uread_var", e->f.frame, to, size, addr, mem_size(e));
	emit_check_fault(e);
}

static void from_kernel(struct emit *e, val to, val size, val addr)
{
	ll_call(e, "dtx_kread_var", e->f.frame, to, size, addr, mem_size(e));
	emit_check_fault(e);
}

val emit_copyin(struct emit *e, const struct node *n)
{
	val addr = emit_expr(e, n->list);
	val size = size_of(e, n->list->next, DTX_FAULT_BADSIZE), to = room_for(e, size, 1);

	ll_call(e, "dtx_uread_text", e->f.frame, to, size, addr, mem_size(e));
	emit_check_fault(e);
	return copy_number(e, to);
}

val emit_copyinto(struct emit *e, const struct node *n)
{
	const struct node *count = n->list->next;
	val addr = emit_expr(e, n->list);
	val size = size_of(e, count, DTX_FAULT_BADSIZE);

	from_user(e, emit_scratch_at(e, emit_expr(e, count->next), size), size, addr);
	return ll_num(e, 0);
}

/* Address in a pointer, or of an array or string. */
static val address(struct emit *e, const struct node *n, enum memory *in)
{
	struct place at;

	*in = MEM_KERNEL;
	if (type_is_string(n->type))
		return emit_text_addr(e, n);
	at = emit_behind(e, n);
	*in = at.in;
	at.p = emit_place_addr(e, &at);
	return at.in == MEM_OWN ? copy_number(e, at.p) : at.p;
}

val emit_bcopy(struct emit *e, const struct node *n)
{
	const struct node *dst = n->list->next;
	enum memory in;
	val from = address(e, n->list, &in), to = emit_expr(e, dst);
	val size = size_of(e, dst->next, DTX_FAULT_BADSIZE), at;

	if (in == MEM_SCRATCH)
		emit_scratch_at(e, from, size);
	at = scratch_part(e, to, size, DTX_FAULT_BADSIZE, size);
	if (in == MEM_USER)
		from_user(e, at, size, from);
	else
		from_kernel(e, at, size, from);
	return ll_num(e, 0);
}

val emit_copyout(struct emit *e, const struct node *n)
{
	const struct node *dst = n->list->next;
	enum memory in;
	val from = address(e, n->list, &in), to = emit_expr(e, dst), kept = used(e), at;
	val size = size_of(e, dst->next, DTX_FAULT_BADSIZE);

	if (in == MEM_SCRATCH) {
		at = emit_scratch_at(e, from, size);
	} else {
		at = room_for(e, size, 0);
		ll_store(e, kept, emit_m(e, mem), 4);
		from_kernel(e, at, size, from);
	}
	emit_need(e, FEAT_WRITE_USER);
	ll_call(e, "dtx_uwrite_var", e->f.frame, to, at, size, mem_size(e));
	emit_check_fault(e);
	return ll_num(e, 0);
}
