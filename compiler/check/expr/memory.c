/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memory.c - decides in which memory an object lies, and which one a pointer points to: whether it
 * is read by plain loads, or by which helper.  No other file decides this.
 *
 * memory_lies() and memory_leads() compute it for a typed expression, for checks that depend on
 * it.  memory_insts() writes it into the nodes after typing, because only then it is known what a
 * variable points to.  The code generator follows it.
 */
#include <dtx/feat.h>
#include <dtx/tables/loc.h>

#include "compiler/check/check-private.h"
#include "compiler/front/builtin.h"

enum memory memory_of_task(const struct comp *c)
{
	return env_has(c->env, FEAT_TASK_STORAGE) ? MEM_TRUSTED : MEM_KERNEL;
}

bool memory_has_types(const struct comp *c)
{
	return env_has(c->env, FEAT_BTF);
}

/* ---- arguments ------------------------------------------------------------------ */

/* The memory of an argument, the same in all probes of an instance (check_arg_divide()). */
static const struct dtx_arg *memory_arg(const struct comp *c, const struct node *n)
{
	const struct inst *i = c->check->inst;

	if (n->raw || !i || !i->nprobes || i->is_error || n->value >= i->probes[0]->args.n)
		return NULL;
	return &i->probes[0]->args.v[n->value];
}

enum memory memory_of_arg(const struct dtx_arg *a)
{
	const struct type *t = type_base(a->type);

	if (a->loc == LOC_PLACE && (type_is_struct(t) || type_is_array(t)))
		return a->user ? MEM_USER : MEM_KERNEL;
	if (!type_is_struct(t))
		return a->trusted && a->loc == LOC_CTX ? MEM_TRUSTED : MEM_KERNEL;
	if (a->loc == LOC_VALUE)
		return MEM_OWN;
	if (a->loc == LOC_STACK)
		return a->user ? MEM_USER : MEM_KERNEL;
	return a->size == 1 || a->size == 2 || a->size == 4 || a->size == 8 ? MEM_OWN : MEM_KERNEL;
}

/* ---- scratch memory --------------------------------------------------------------- */

u8 memory_points(const struct node *n)
{
	u8 a, b;

	switch (n->kind) {
	case N_INT:
		return n->value ? POINTS_OTHER : POINTS_UNKNOWN;
	case N_CALL:
		return n->row->flags & BF_SCRATCH ? POINTS_SCRATCH : POINTS_OTHER;
	case N_VAR:
	case N_ASSOC:
		return n->sym->points;
	case N_BINARY:
		return memory_points(type_target(n->a->type) ? n->a : n->b);
	case N_ASSIGN:
	case N_INCDEC:
	case N_CAST:
		return memory_points(n->a);
	case N_COMMA:
		return memory_points(n->b);
	case N_COND:
		a = memory_points(n->b);
		b = memory_points(n->c);
		return a == b || !b ? a : !a ? b : POINTS_MIXED;
	default:
		return POINTS_OTHER;
	}
}

/* ---- what the verifier knows --------------------------------------------------------- */

static struct type *memory_struct_of(const struct node *ptr)
{
	struct type *t = type_base(ptr->type);

	if (!t || t->kind != T_PTR || t->is_user)
		return NULL;
	t = type_base(t->to);
	return t && type_is_struct(t) ? t : NULL;
}

static bool memory_trusted(struct comp *c, const struct node *ptr);

/* The struct behind the pointer by which an object is reached, which begins at `off` there; NULL:
 * it is no part of a struct at a constant offset. */
static struct type *memory_root(struct comp *c, const struct node *n, u64 *off)
{
	for (*off = 0;; n = n->a) {
		if (n->kind == N_CAST)
			continue;
		if (n->kind == N_MEMBER)
			*off += n->field.off;
		else if (n->kind == N_INDEX && n->b->kind == N_INT)
			*off += n->b->value * type_size(c, n->type);
		else if (n->kind != N_UNARY || n->op != '*')
			return NULL;
		if (type_base(n->a->type)->kind == T_PTR)
			return memory_struct_of(n->a);
	}
}

/* Does the verifier take this pointer of a known object for one to the same struct? */
static bool memory_finds_ptr(struct comp *c, const struct node *ptr)
{
	u64 off;
	struct type *su = memory_root(c, ptr, &off), *t;

	t = su ? walk_finds(c, su, off, type_size(c, ptr->type)) : NULL;
	return t && t->kind == T_PTR && type_base(t->to) == memory_struct_of(ptr);
}

/* Does it allow a plain load of a value of a known object, and take it for what it is? */
static bool memory_finds(struct comp *c, const struct node *n)
{
	u32 size = n->kind == N_MEMBER && n->field.unit ? n->field.unit : type_size(c, n->type);
	bool over = n->kind == N_MEMBER && n->field.is_over;
	u64 off;
	struct type *su, *t;

	if (!type_is_scalar(n->type) || size > 8)
		return true;
	su = memory_root(c, n, &off);
	if (!su)
		return true;
	t = walk_finds(c, su, off, size);
	return t && (t->kind != T_PTR || type_is_ptr(n->type)) &&
	       (!over || walk_finds(c, su, off + size, 1));
}

/* A member inside a trusted object; the verifier does not track elements of arrays. */
static bool memory_on_path(struct comp *c, const struct node *n)
{
	if (n->kind == N_MEMBER)
		return n->op == OP_ARROW ? memory_trusted(c, n->a) : memory_on_path(c, n->a);
	return n->kind == N_UNARY && n->op == '*' && memory_trusted(c, n->a);
}

/* Is the pointer one that the verifier knows by BTF? */
static bool memory_trusted(struct comp *c, const struct node *ptr)
{
	const struct dtx_arg *arg;

	if (!memory_struct_of(ptr))
		return false;
	switch (ptr->kind) {
	case N_BUILTIN:
		return builtin_is(ptr->row, BI_curthread) && memory_of_task(c) == MEM_TRUSTED;
	case N_ARG:
		arg = memory_arg(c, ptr);
		return arg && memory_of_arg(arg) == MEM_TRUSTED;
	case N_CAST:
		return memory_struct_of(ptr->a) == memory_struct_of(ptr) &&
		       memory_trusted(c, ptr->a);
	case N_MEMBER:
		return !ptr->member->bit_size && memory_on_path(c, ptr) &&
		       memory_finds_ptr(c, ptr);
	default:
		return false;
	}
}

/* Text or bytes of an argument: fields of an event are in its record. */
static enum memory memory_arg_text(struct comp *c, const struct node *n)
{
	const struct dtx_arg *arg = memory_arg(c, n);

	if (arg && arg->loc == LOC_PLACE)
		return memory_of_arg(arg);
	return arg && (arg->loc == LOC_CTX || arg->loc == LOC_DATALOC) ? MEM_KERNEL : MEM_ANY;
}

/* ---- the answers ----------------------------------------------------------------------- */

static enum memory memory_leads(struct comp *, const struct node *);

/* The parts of an expression used as an address. */
static enum memory memory_behind(struct comp *c, const struct node *n)
{
	enum memory m;

	if (type_is_array(n->type))
		return memory_lies(c, n);
	m = memory_leads(c, n);
	return m == MEM_ANY ? MEM_KERNEL : m;
}

/*
 * An array without a length that the verifier does not find: older kernels (6.1) take a number
 * there for an access beyond the struct, and all of them know no array of structs that begins in
 * the padding at its end.
 */
static bool memory_flexible(struct comp *c, const struct node *array, const struct type *element)
{
	const struct type *t = type_base(array->type);
	struct type *su = array->kind == N_MEMBER ? type_base(array->a->type) : NULL;
	u32 bits = 0;

	if (t->kind != T_ARRAY || t->count)
		return false;
	if (!type_is_struct(element) || !su)
		return !type_is_struct(element);
	if (type_is_ptr(su))
		su = type_base(su->to);
	return array->member && type_find_member(su, array->member->name, &bits) &&
	       bits / 8 < type_size(c, su);
}

/*
 * The verifier knows an object only at constant offsets: an element with a variable index is a
 * plain address.
 */
static enum memory memory_element(struct comp *c, const struct node *n)
{
	enum memory m = memory_behind(c, n->a);
	bool constant = n->b->kind == N_INT && (s64)n->b->value >= 0 &&
			n->b->value * type_size(c, n->type) < 1 << 28;

	if (m == MEM_TRUSTED && (!constant || memory_flexible(c, n->a, n->type)))
		return MEM_KERNEL;
	return m;
}

static enum memory memory_holds(struct comp *c, const struct node *n)
{
	const struct dtx_arg *arg;

	switch (n->kind) {
	case N_VAR:
	case N_ASSOC:
		return MEM_OWN;
	case N_ARG:
		arg = memory_arg(c, n);
		return arg && (type_is_struct(n->type) || arg->loc == LOC_PLACE) ?
		       memory_of_arg(arg) : MEM_KERNEL;
	case N_MEMBER:
		return n->op == OP_ARROW ? memory_behind(c, n->a) : memory_lies(c, n->a);
	case N_INDEX:
		return type_is_string(n->a->type) ? MEM_OWN : memory_element(c, n);
	case N_UNARY:
		return n->op == '*' ? memory_behind(c, n->a) : MEM_KERNEL;
	case N_CAST:
	case N_ASSIGN:
		return memory_lies(c, n->a);
	case N_COMMA:
		return memory_lies(c, n->b);
	default:
		return MEM_KERNEL;
	}
}

enum memory memory_lies(struct comp *c, const struct node *n)
{
	enum memory m = memory_holds(c, n);

	return m == MEM_TRUSTED && !memory_finds(c, n) ? MEM_KERNEL : m;
}

static enum memory memory_leads(struct comp *c, const struct node *n)
{
	const struct type *t = type_base(n->type);

	if (t->kind == T_ARRAY || t->kind == T_STRING)
		return n->kind == N_ARG ? memory_arg_text(c, n) : memory_lies(c, n);
	if (t->kind != T_PTR)
		return MEM_ANY;
	if (memory_trusted(c, n))
		return MEM_TRUSTED;
	if (memory_points(n) == POINTS_SCRATCH)
		return MEM_SCRATCH;
	if (t->is_user)
		return MEM_USER;
	return n->kind == N_ARG ? MEM_ANY : MEM_KERNEL;  /* BTF does not mark user pointers */
}

/* ---- the pass ----------------------------------------------------------------------------- */

/* Is the expression an object in memory, not a value? */
static bool memory_is_object(const struct node *n)
{
	switch (n->kind) {
	case N_VAR:
	case N_ASSOC:
	case N_KSYM:
	case N_MEMBER:
	case N_INDEX:
		return true;
	case N_UNARY:
		return n->op == '*';
	default:
		return type_is_struct(n->type) || type_is_array(n->type);
	}
}

static bool memory_node(struct node *n, void *comp)
{
	struct comp *c = comp;

	if (!n->type || n->kind >= N_EXPR || type_is_dyn(n->type))
		return true;
	if (memory_is_object(n))
		n->lies = memory_lies(c, n);
	if (type_is_scalar(n->type) || type_is_array(n->type) || n->kind == N_ARG)
		n->leads = memory_leads(c, n);
	return true;
}

void memory_insts(struct comp *c)
{
	for (struct inst *i = c->insts; i; i = i->next) {
		c->check->inst = i;
		clause_walk(i->pred, i->body, memory_node, c);
	}
	c->check->inst = NULL;
}
