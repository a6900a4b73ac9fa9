/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_mem.c - memory by address space and trust.
 *
 *   OWN      what the program itself keeps: plain loads
 *   TRUSTED  an object the verifier knows by BTF (an argument, the current task, and
 *            what their members point to): plain loads, NULL is a fault
 *   KERNEL   any other address: a helper call that may fail, a fault when it does
 *   USER     the same for the memory of the current process
 *   SCRATCH  an address held in D of memory from alloca() and copyin(): compared with
 *            that memory when used, then a plain access
 *
 * emit_koff() alone decides where a kernel member lies.
 */
#include <stdio.h>

#include "compiler/emit/gen.h"

/* ---- faults ------------------------------------------------------------------------ */

void emit_fault_if(struct emit *e, val bad, enum dtx_fault fault, val value)
{
	block set = ll_block(e, "bad"), ok = ll_block(e, "ok");

	ll_if(e, bad, set, ok);
	ll_at(e, set);
	ll_store(e, ll_num(e, fault + 1), emit_m(e, fault), 4);
	ll_store(e, value, emit_m(e, fault_val), 8);
	ll_br(e, e->fault);
	ll_at(e, ok);
}

/* After a library call that may have set the fault. */
void emit_check_fault(struct emit *e)
{
	block ok = ll_block(e, "ok");

	ll_if(e, ll_load(e, emit_m(e, fault), 4, false), e->fault, ok);
	ll_at(e, ok);
}

/* ---- kernel types -------------------------------------------------------------------- */

/* Offset of a member of a kernel struct, ~0: this kernel has none. */
u32 emit_koff(struct emit *e, const char *tag, const char *name, u32 *size)
{
	struct type *t = scope_type(e->c, T_STRUCT, tag);
	const struct type_member *m;
	u32 bits = 0;

	t = t ? scope_complete(e->c, t) : NULL;
	m = t ? type_find_member(t, name, &bits) : NULL;
	if (!m)
		return ~0u;
	if (size)
		*size = type_size(e->c, m->type);
	return bits / 8;
}

u32 emit_koff0(struct emit *e, const char *tag, const char *name)
{
	u32 off = emit_koff(e, tag, name, NULL);

	return off == ~0u ? 0 : off;
}

/* ---- what the verifier knows ----------------------------------------------------------- */

static struct type *struct_behind(const struct node *n)
{
	struct type *t = type_base(n->type);

	if (!t || t->kind != T_PTR || t->is_user)
		return NULL;
	t = type_base(t->to);
	return t && (t->kind == T_STRUCT || t->kind == T_UNION) ? t : NULL;
}

static bool is_curthread(const struct node *n)
{
	return n->kind == N_BUILTIN && !strcmp(n->row->name, "curthread");
}

/* A member reached from a trusted object without leaving it. */
static bool trusted_object(struct emit *e, const struct node *n)
{
	if (n->kind == N_MEMBER)
		return n->op == OP_ARROW ? emit_trusted(e, n->a) : trusted_object(e, n->a);
	if (n->kind == N_UNARY && n->op == '*')
		return emit_trusted(e, n->a);
	return false;
}

/* Is the value of pointer n one the verifier follows by BTF? */
bool emit_trusted(struct emit *e, const struct node *n)
{
	const struct dtx_arg *a;

	if (!struct_behind(n))
		return false;
	if (is_curthread(n))
		return env_has(e->c->env, FEAT_TASK_STORAGE);
	if (n->kind == N_ARG && !e->in_error) {
		a = emit_arg_of(e, n);
		return !n->raw && a && a->trusted && a->loc == LOC_CTX;
	}
	if (n->kind == N_CAST)
		return struct_behind(n->a) == struct_behind(n) && emit_trusted(e, n->a);
	return n->kind == N_MEMBER && !n->member->bit_size && trusted_object(e, n);
}

static val load_trusted(struct emit *e, val p, u32 off, u32 size)
{
	char text[64];

	if (off > 32767) {
		p = LLVMBuildAdd(e->b, p, ll_num(e, off), "");
		off = 0;
	}
	snprintf(text, sizeof(text), "$0 = *(u%u *)($1 + %u)", 8 * size, off);
	return ll_asm(e, text, "=r,r", &p, 1);
}

/* The pointer itself (i64 for LLVM, a BTF object for the verifier), not NULL. */
val emit_trusted_ptr(struct emit *e, const struct node *n)
{
	struct place at;
	val p;

	if (n->kind == N_CAST)
		return emit_trusted_ptr(e, n->a);
	if (is_curthread(n))
		return ll_ext(e, ll_call(e, "dtx_task_btf", ), false);
	if (n->kind == N_ARG) {
		p = emit_arg_ptr(e, emit_arg_of(e, n));
	} else {
		at = emit_place(e, n);
		p = load_trusted(e, at.p, at.off, 8);
	}
	emit_fault_if(e, LLVMBuildICmp(e->b, LLVMIntEQ, p, ll_num(e, 0), ""), DTX_FAULT_BADADDR,
		      ll_num(e, 0));
	return p;
}

/* ---- places -------------------------------------------------------------------------------- */

static enum space space_of(const struct type *ptr)
{
	const struct type *t = type_base((struct type *)ptr);

	return t && t->kind == T_PTR && t->is_user ? MEM_USER : MEM_KERNEL;
}

/* Is the pointer known to come from alloca() or copyin()? */
static bool is_scratch(const struct node *n)
{
	switch (n->kind) {
	case N_CALL:
		return !strcmp(n->row->name, "alloca") || !strcmp(n->row->name, "copyin");
	case N_VAR:
	case N_ASSOC:
		return n->sym->points == POINTS_SCRATCH;
	case N_BINARY:
		return is_scratch(n->a) || is_scratch(n->b);
	case N_ASSIGN:
	case N_INCDEC:
	case N_CAST:
		return is_scratch(n->a);
	case N_COMMA:
		return is_scratch(n->b);
	case N_COND:
		return is_scratch(n->b) && is_scratch(n->c);
	default:
		return false;
	}
}

struct place emit_behind(struct emit *e, const struct node *ptr)
{
	struct place at = { space_of(ptr->type), NULL, 0 };
	struct type *t = type_base(ptr->type);

	if (t->kind == T_ARRAY)
		return emit_place(e, ptr);
	if (emit_trusted(e, ptr)) {
		at.space = MEM_TRUSTED;
		at.p = emit_trusted_ptr(e, ptr);
	} else {
		at.p = emit_expr(e, ptr);
		if (is_scratch(ptr))
			at.space = MEM_SCRATCH;
	}
	return at;
}

/* The number that a pointer is, for the verifier too, which computes with nothing else. */
val emit_as_number(struct emit *e, val p)
{
	return ll_asm(e, "$0 = -$0\n\t$0 = -$0", "=r,0", &p, 1);
}

/* Trusted objects are only read at constant offsets: elsewhere they are plain addresses. */
static void distrust(struct emit *e, struct place *at)
{
	if (at->space != MEM_TRUSTED)
		return;
	at->p = emit_as_number(e, at->p);
	at->space = MEM_KERNEL;
}

static void move(struct emit *e, struct place *at, val by)
{
	if (at->space == MEM_OWN)
		at->p = ll_off_var(e, at->p, by);
	else
		at->p = LLVMBuildAdd(e->b, at->p, by, "");
}

static u32 array_count(const struct node *n)
{
	struct type *t = type_base(n->type);

	return t->kind == T_ARRAY ? t->count : 0;
}

static struct place element(struct emit *e, const struct node *n)
{
	struct place at = emit_behind(e, n->a);
	u64 size = type_size(e->c, n->type);
	u32 count = array_count(n->a);
	val i;

	if (n->b->kind == N_INT && (s64)n->b->value >= 0 && n->b->value * size < 1 << 28 &&
	    (at.space != MEM_OWN || !count || n->b->value < count)) {
		at.off += n->b->value * size;
		return at;
	}
	i = emit_expr(e, n->b);
	if (at.space == MEM_OWN || count > 1) {
		i = ll_call(e, "dtx_opaque", i);
		emit_fault_if(e, LLVMBuildICmp(e->b, LLVMIntUGE, i, ll_num(e, count), ""),
			      DTX_FAULT_BADINDEX, i);
	}
	distrust(e, &at);
	move(e, &at, LLVMBuildMul(e->b, i, ll_num(e, size), ""));
	return at;
}

static struct place of_member(struct emit *e, const struct node *n)
{
	struct place at = n->op == OP_ARROW ? emit_behind(e, n->a) : emit_place(e, n->a);

	at.off += n->bit_off / 8;
	return at;
}

/* The variable a store goes to a part of: made when it is absent. */
static val to_store(struct emit *e, const struct node *n)
{
	block have = ll_block(e, "have");
	val p = emit_var_make(e, n);

	ll_if(e, LLVMBuildIsNull(e->b, p, ""), e->lost, have);
	ll_at(e, have);
	return ll_call(e, "dtx_keep", p);
}

/* Absent thread-local or associative structs read as zeros. */
static struct place of_var(struct emit *e, const struct node *n)
{
	bool absent = n->sym->place == PLACE_SELF || n->sym->place == PLACE_MAP;
	struct place at = { MEM_OWN, NULL, 0 };
	val null;

	at.p = absent && e->make == n ? to_store(e, n) : emit_var_addr(e, n);
	if (!absent || e->make == n)
		return at;
	null = LLVMBuildIsNull(e->b, at.p, "");
	at.p = LLVMBuildSelect(e->b, null, ll_zero_bytes(e, n->sym->size), at.p, "");
	return at;
}

struct place emit_place(struct emit *e, const struct node *n)
{
	struct place at = { MEM_KERNEL, NULL, 0 };

	switch (n->kind) {
	case N_VAR:
	case N_ASSOC:
		return of_var(e, n);
	case N_MEMBER:
		return of_member(e, n);
	case N_INDEX:
		return element(e, n);
	case N_UNARY:
		return emit_behind(e, n->a);
	case N_KSYM:
		at.p = emit_ksym(e, n->value);
		return at;
	case N_ARG:              /* an array or struct in the context */
		return emit_arg_place(e, n);
	case N_CAST:
		return emit_place(e, n->a);
	case N_ASSIGN:           /* of a struct: what was assigned to */
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

val emit_place_addr(struct emit *e, const struct place *at)
{
	struct place p = *at;

	if (p.space == MEM_OWN)
		return emit_as_number(e, ll_ext(e, ll_off(e, p.p, p.off), false));
	distrust(e, &p);
	return p.off ? LLVMBuildAdd(e->b, p.p, ll_num(e, p.off), "") : p.p;
}

/* ---- loads ------------------------------------------------------------------------------------ */

val emit_place_own(struct emit *e, const struct place *at, u32 n)
{
	val addr;

	if (at->space == MEM_OWN)
		return ll_off(e, at->p, at->off);
	addr = emit_place_addr(e, at);
	if (n > e->c->plan->mem_size)
		emit_fault_if(e, LLVMConstInt(e->i1, 1, false), DTX_FAULT_BADADDR, addr);
	return emit_scratch_at(e, addr, ll_num(e, MIN(n, e->c->plan->mem_size)));
}

void emit_read(struct emit *e, val to, u32 n, const struct place *at)
{
	if (at->space == MEM_SCRATCH) {
		ll_call(e, "dtx_copy", to, ll_num(e, n), emit_place_own(e, at, n));
		return;
	}
	if (at->space == MEM_OWN) {
		ll_copy(e, to, ll_off(e, at->p, at->off), n);
		return;
	}
	ll_call(e, at->space == MEM_USER ? "dtx_uread" : "dtx_kread",
		e->frame, to, ll_num(e, n), emit_place_addr(e, at));
	emit_check_fault(e);
}

/* n bytes (1, 2, 4, 8) as an unsigned number. */
static val load_bytes(struct emit *e, const struct place *at, u32 n)
{
	val room, v;

	if (at->space == MEM_OWN)
		return ll_load(e, ll_off(e, at->p, at->off), n, false);
	if (at->space == MEM_TRUSTED)
		return load_trusted(e, at->p, at->off, n);
	if (at->space == MEM_SCRATCH)
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
	v = load_bytes(e, at, n);
	if (at->space == MEM_TRUSTED && t->kind == T_PTR)
		return emit_as_number(e, v);
	/* LLVM does not know of loads that are assembly that they leave zeros above what they read. */
	if (at->space == MEM_TRUSTED && t->kind == T_INT && !t->is_signed && !t->is_bool)
		return v;
	return emit_narrow(e, v, type);
}

/*
 * Where a bit-field lies: the smallest aligned unit that holds all of it, or the bytes from
 * its first one on when a packed struct has it across two.
 */
struct bits emit_bits_of(struct emit *e, const struct node *n)
{
	u32 first = n->bit_off, last = first + n->member->bit_size - 1;
	struct bits f = { .unit = 1, .size = n->member->bit_size };

	f.is_signed = type_signed(n->type);
	while (f.unit < 8 && first / (8 * f.unit) != last / (8 * f.unit))
		f.unit *= 2;
	f.from = first / (8 * f.unit) * f.unit;
	if (last / (8 * f.unit) != first / (8 * f.unit))
		f.from = first / 8;
	f.shift = first - 8 * f.from;
	f.is_over = f.shift + f.size > 64;
	return f;
}

val emit_bits_get(struct emit *e, val unit, val more, const struct bits *f)
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

val emit_bits(struct emit *e, const struct node *n)
{
	struct place at = n->op == OP_ARROW ? emit_behind(e, n->a) : emit_place(e, n->a);
	struct bits f = emit_bits_of(e, n);
	val unit, more = NULL;

	at.off += f.from;
	unit = load_bytes(e, &at, f.unit);
	at.off += f.unit;
	if (f.is_over)
		more = load_bytes(e, &at, 1);
	return emit_bits_get(e, unit, more, &f);
}
