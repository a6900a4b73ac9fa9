/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_mem.c - the place of an expression in each kind of memory (enum memory of ast.h).
 *
 * The typed nodes have the memory and the offset of an object; the checker decided them
 * (check/expr/memory.c, check/expr/member.c).
 */
#include <dtx/feat.h>
#include <dtx/progkind.h>

#include "compiler/emit/emit-private.h"

/* ---- what the verifier knows ----------------------------------------------------------- */

/* Bytes after NULL where no program has memory (vm.mmap_min_addr is 4,096 or more by default). */
#define NEAR_NULL  4096

/*
 * Does a load through a NULL pointer that was found from n give 0?  The kernel does so for the
 * arguments of functions, and for what they lead to (BPF_PROBE_MEM), but not for objects that it
 * trusts (PTR_TRUSTED: arguments of tracepoints, the current task).
 */
static bool null_reads_zero(const struct emit *e, const struct node *n)
{
	while (n->kind == N_CAST || n->kind == N_MEMBER)
		n = n->a;
	return n->kind == N_ARG && kind_is(e->p.prog->kind, KIND_FUNCTION) &&
	       env_has(e->c->env, FEAT_NULL_LOADS);
}

/* The pointer by which the object is reached that has the member n, at offset *off; or NULL. */
static const struct node *pointer_to(const struct node *n, u32 *off)
{
	*off = 0;
	for (; n->kind == N_MEMBER; n = n->a) {
		*off += n->field.off;
		if (n->op == OP_ARROW)
			return n->a;
	}
	return NULL;
}

/* The pointer itself (i64 for LLVM, a BTF object for the verifier), perhaps NULL. */
static val typed_ptr(struct emit *e, const struct node *n)
{
	const struct node *to;
	struct place at;
	u32 off;

	if (n->kind == N_CAST)
		return typed_ptr(e, n->a);
	if (n->kind == N_BUILTIN)
		return emit_task(e).p;
	if (n->kind == N_ARG)
		return emit_arg_ptr(e, emit_arg_of(e, n));
	to = pointer_to(n, &off);
	if (to && to->leads == MEM_TRUSTED && off < NEAR_NULL && null_reads_zero(e, to)) {
		emit_need(e, FEAT_NULL_LOADS);
		return emit_load_trusted(e, typed_ptr(e, to), off, 8);
	}
	at = emit_place(e, n);
	return emit_load_trusted(e, at.p, at.off, 8);
}

/* The same, not NULL.  Of a->b->c only the last pointer is compared where NULL->b is NULL. */
static val trusted_ptr(struct emit *e, const struct node *n)
{
	val p = typed_ptr(e, n);

	while (n->kind == N_CAST)
		n = n->a;
	if (n->kind != N_BUILTIN)
		emit_fault_if(e, LLVMBuildICmp(e->b, LLVMIntEQ, p, ll_num(e, 0), ""),
			      DTX_FAULT_BADADDR, ll_num(e, 0));
	return p;
}

/* ---- places -------------------------------------------------------------------------------- */

struct place emit_behind(struct emit *e, const struct node *ptr)
{
	struct place at = { ptr->leads == MEM_ANY ? MEM_KERNEL : ptr->leads, NULL, 0 };

	if (type_is_array(ptr->type))
		return emit_place(e, ptr);
	at.p = at.in == MEM_TRUSTED ? trusted_ptr(e, ptr) : emit_expr(e, ptr);
	return at;
}

static void move(struct emit *e, struct place *at, val by)
{
	if (at->in == MEM_OWN)
		at->p = ll_off_var(e, at->p, by);
	else
		at->p = LLVMBuildAdd(e->b, at->p, by, "");
}

static u32 array_count(const struct node *n)
{
	struct type *t = type_base(n->type);

	return t->kind == T_ARRAY ? t->count : 0;
}

/* Of an array whose length is known only when the event fires. */
static void within_record(struct emit *e, const struct node *array, u64 size, val i)
{
	val bytes;

	while (array->kind == N_CAST)
		array = array->a;
	bytes = array->kind == N_ARG ? emit_arg_bytes(e, array) : NULL;
	if (!bytes)
		return;
	i = ll_call(e, "dtx_opaque", i);
	bytes = LLVMBuildUDiv(e->b, bytes, ll_num(e, size), "");
	emit_fault_if(e, LLVMBuildICmp(e->b, LLVMIntUGE, i, bytes, ""), DTX_FAULT_BADINDEX, i);
}

static struct place element(struct emit *e, const struct node *n)
{
	struct place at = emit_behind(e, n->a);
	u64 size = type_size(e->c, n->type);
	u32 count = array_count(n->a);
	val i;

	if (n->b->kind == N_INT && size)
		within_record(e, n->a, size, ll_num(e, n->b->value));
	if (n->b->kind == N_INT && (s64)n->b->value >= 0 && n->b->value * size < 1 << 28 &&
	    (at.in != MEM_OWN || !count || n->b->value < count)) {
		at.off += n->b->value * size;
		if (n->lies == MEM_KERNEL)
			emit_distrust(e, &at);
		return at;
	}
	i = emit_expr(e, n->b);
	if (at.in == MEM_OWN || count > 1) {
		i = ll_call(e, "dtx_opaque", i);
		emit_fault_if(e, LLVMBuildICmp(e->b, LLVMIntUGE, i, ll_num(e, count), ""),
			      DTX_FAULT_BADINDEX, i);
	} else if (n->b->kind != N_INT && size) {
		within_record(e, n->a, size, i);
	}
	emit_distrust(e, &at);
	move(e, &at, LLVMBuildMul(e->b, i, ll_num(e, size), ""));
	return at;
}

/* The struct of a member; the unit of a bit-field is at its field.off. */
static struct place emit_struct_of(struct emit *e, const struct node *n)
{
	return n->op == OP_ARROW ? emit_behind(e, n->a) : emit_place(e, n->a);
}

static struct place of_member(struct emit *e, const struct node *n)
{
	struct place at = emit_struct_of(e, n);

	at.off += n->field.off;
	if (n->lies == MEM_KERNEL)
		emit_distrust(e, &at);
	return at;
}

/* The variable of which a part is stored: made if absent. */
static val to_store(struct emit *e, const struct node *n)
{
	block have = ll_block(e, "have");
	val p = emit_var_make(e, n);

	ll_if(e, LLVMBuildIsNull(e->b, p, ""), e->x.lost, have);
	ll_at(e, have);
	return ll_call(e, "dtx_keep", p);
}

/* Absent thread-local or associative structs read as zeros. */
static struct place of_var(struct emit *e, const struct node *n)
{
	bool absent = n->sym->place == PLACE_SELF || n->sym->place == PLACE_MAP;
	struct place at = { MEM_OWN, NULL, 0 };
	val null;

	at.p = absent && e->x.make == n ? to_store(e, n) : emit_var_addr(e, n);
	if (!absent || e->x.make == n)
		return at;
	null = LLVMBuildIsNull(e->b, at.p, "");
	at.p = LLVMBuildSelect(e->b, null, ll_zero_bytes(e, n->sym->size), at.p, "");
	return at;
}

struct place emit_place(struct emit *e, const struct node *n)
{
	struct place at = { n->lies, NULL, 0 };

	switch (n->kind) {
	case N_VAR:
	case N_ASSOC:
		return of_var(e, n);
	case N_MEMBER:
		return of_member(e, n);
	case N_INDEX:
		return element(e, n);
	case N_UNARY:
		if (type_is_array(n->a->type) && type_size(e->c, n->type))
			within_record(e, n->a, type_size(e->c, n->type), ll_num(e, 0));
		return emit_behind(e, n->a);
	case N_KSYM:
		at.p = emit_ksym(e, n->value);
		return at;
	case N_ARG:              /* an array or struct in the context */
		return emit_arg_place(e, n);
	case N_CAST:
		return emit_place(e, n->a);
	case N_ASSIGN:           /* of a struct: the object assigned to */
		emit_assign(e, n);
		return emit_place(e, n->a);
	case N_COMMA:
		emit_void(e, n->a);
		return emit_place(e, n->b);
	default:
		at.p = emit_expr(e, n);
		return at;
	}
}

val emit_bits(struct emit *e, const struct node *n)
{
	struct place at = of_member(e, n);
	const struct field *f = &n->field;
	val unit, more = NULL;

	unit = emit_load_bytes(e, &at, f->unit);
	at.off += f->unit;
	if (f->is_over)
		more = emit_load_bytes(e, &at, 1);
	return emit_bits_get(e, unit, more, f);
}
