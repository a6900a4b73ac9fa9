/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_copy.c - alloca(), and copies to and from scratch memory (emit_area.c).
 */
#include <dtx/feat.h>

#include "compiler/emit/expr/rows.h"

static val size_of(struct emit *e, const struct node *n, enum dtx_fault fault)
{
	val size = ll_call(e, "dtx_opaque", emit_expr(e, n));

	if (fault)
		emit_fault_if(e, LLVMBuildICmp(e->b, LLVMIntUGT, size,
					       ll_num(e, e->c->plan->mem_one), ""), fault, size);
	return size;
}

val emit_alloca(struct emit *e, const struct node *n)
{
	val size = size_of(e, n->list, DTX_FAULT_UNKNOWN);

	return emit_as_number(e, ll_ext(e, emit_scratch_room(e, size, 0), false));
}

/* size bytes from user memory to `to`. */
static void from_user(struct emit *e, val to, val size, val addr)
{
	ll_call(e, "dtx_uread_var", e->f.frame, to, size, addr, emit_scratch_size(e));
	emit_check_fault(e);
}

static void from_kernel(struct emit *e, val to, val size, val addr)
{
	ll_call(e, "dtx_kread_var", e->f.frame, to, size, addr, emit_scratch_size(e));
	emit_check_fault(e);
}

val emit_copyin(struct emit *e, const struct node *n)
{
	val addr = emit_expr(e, n->list);
	val size = size_of(e, n->list->next, DTX_FAULT_BADSIZE), to = emit_scratch_room(e, size, 1);

	ll_call(e, "dtx_uread_text", e->f.frame, to, size, addr, emit_scratch_size(e));
	emit_check_fault(e);
	return emit_as_number(e, ll_ext(e, to, false));
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
	return at.in == MEM_OWN ? emit_as_number(e, ll_ext(e, at.p, false)) : at.p;
}

val emit_bcopy(struct emit *e, const struct node *n)
{
	const struct node *dst = n->list->next;
	enum memory in;
	val from = address(e, n->list, &in), to = emit_expr(e, dst);
	val size = size_of(e, dst->next, DTX_FAULT_BADSIZE), at;

	if (in == MEM_SCRATCH)
		emit_scratch_at(e, from, size);
	at = emit_scratch_part(e, to, size, DTX_FAULT_BADSIZE, size);
	if (in == MEM_USER)
		from_user(e, at, size, from);
	else
		from_kernel(e, at, size, from);
	return ll_num(e, 0);
}

void emit_write_user(struct emit *e, val to, val from, val size, val most)
{
	emit_need(e, FEAT_WRITE_USER);
	ll_call(e, "dtx_uwrite_var", e->f.frame, to, from, size, most);
	emit_check_fault(e);
}

val emit_copyout(struct emit *e, const struct node *n)
{
	const struct node *dst = n->list->next;
	enum memory in;
	val from = address(e, n->list, &in), to = emit_expr(e, dst);
	val kept = emit_scratch_used(e), at;
	val size = size_of(e, dst->next, DTX_FAULT_BADSIZE);

	if (in == MEM_SCRATCH) {
		at = emit_scratch_at(e, from, size);
	} else {
		at = emit_scratch_room(e, size, 0);
		ll_store(e, kept, emit_m(e, mem), 4);
		from_kernel(e, at, size, from);
	}
	emit_write_user(e, to, at, size, emit_scratch_size(e));
	return ll_num(e, 0);
}
