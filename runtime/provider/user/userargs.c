/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * userargs.c - where the arguments and results of functions of programs are, for the providers
 * uprobe and pid.
 *
 * By C's calling convention, and by what debugging information says of each parameter
 * (dwarfparam.c), which is believed if the two differ.  Then the function is not called as C's
 * are: nothing of it is taken from the convention any more.
 * Why: docs/decisions/23-dwarf-types.md
 */
#include <dtx/arch.h>
#include <dtx/tables/loc.h>
#include <dtx/progkind.h>
#include <dtx/abi.h>
#include <dtx/env.h>

#include "runtime/code/code.h"
#include "runtime/dwarf/debuginfo.h"
#include "runtime/provider/provider.h"

struct function {
	struct dtx_env *env;
	struct dtx_probe *p;
	const char *path;                /* of its object */
	struct type *proto;
	struct dwarf_params params;
	bool bits32;                     /* of a 32-bit program */
	struct dtx_arg *by_c;            /* by C's convention */
	const char *convention;          /* another than C's; NULL: C's */
	const char *joined;              /* another function that has the same code */
};

/* The probe may be in another function than the one that returns. */
static const char *object_of(const struct dtx_probe *p)
{
	const struct user_tail_from *tail = user_tail_of(p);

	return tail ? tail->path : p->place.target;
}

/* arg0 of a return: which instruction of the function ends it. */
static s64 place_in(const struct dtx_probe *p)
{
	const struct user_tail_from *tail = user_tail_of(p);

	return (s64)((tail ? tail->jump : p->place.off) - user_begin(p));
}

static bool is_aggregate(struct type *t)
{
	struct type *b = type_base(t);

	return b && (b->kind == T_STRUCT || b->kind == T_UNION);
}

/* ---- C's convention ------------------------------------------------------------------------- */

static void args32(struct dtx_env *env, struct dtx_probe *p, const struct type *proto)
{
	u32 named = proto ? MIN(proto->count, DTX_MAX_ARGS) : 0;
	u32 n = proto && !proto->variadic ? named : DTX_MAX_ARGS;
	struct dtx_arg *a = prov_args(env, p, n);
	struct arch_call call = { .stack = proto && is_aggregate(proto->to) ? 4 : 0 };

	for (u32 i = 0; i < n; i++) {
		if (i < named)
			args_typed(&a[i], &proto->params[i]);
		else
			a[i].size = 4;
		if (i < named && type_base(proto->params[i].type)->kind == T_ARRAY)
			a[i].size = 4;           /* passed as a pointer */
		arch_place32(&a[i], &call);
	}
}

static void result32(struct dtx_env *env, struct dtx_probe *p, const struct type *proto)
{
	struct arch_call call = { 0 };
	struct dtx_arg *a;

	args_return(env, p, proto ? proto->to : NULL, place_in(p));
	a = &p->args.v[1];
	if (a->loc == LOC_NONE && !a->type)
		return;                          /* void */
	if (proto)
		args_typed(a, &(struct type_member){ .type = proto->to });
	else
		a->size = 4;
	arch_result32(a, &call);
	a->user = true;
	a->steps = (struct dtx_steps){ 0 };
	if (a->loc == LOC_VALUE || a->loc == LOC_PLACE)
		steps_add(env->arena, &a->steps, STEP_REG, call.low);
	if (a->loc == LOC_VALUE) {
		steps_add(env->arena, &a->steps, STEP_NUM, UINT32_MAX);
		steps_add(env->arena, &a->steps, STEP_AND, 0);
		steps_add(env->arena, &a->steps, STEP_REG, call.high);
		steps_add(env->arena, &a->steps, STEP_NUM, 32);
		steps_add(env->arena, &a->steps, STEP_SHL, 0);
		steps_add(env->arena, &a->steps, STEP_OR, 0);
	}
}

static void place_args(struct function *f, struct dtx_probe *p, const struct type *proto)
{
	if (f->bits32)
		args32(f->env, p, proto);
	else
		args_regs(f->env, p, proto, true);
}

static void place_result(struct function *f, const struct type *proto)
{
	if (f->bits32)
		result32(f->env, f->p, proto);
	else
		args_result(f->env, f->p, proto, place_in(f->p));
}

/* ---- arguments ------------------------------------------------------------------------------ */

/* Do its steps lead to this register, and no further? */
static bool is_register(const struct dtx_arg *a, s64 reg)
{
	u32 off;

	return steps_are_register(&a->steps, &off) && off == reg;
}

/* At this offset of the stack pointer?  The offset may be a sum: of the frame, and in it. */
static bool is_on_stack(const struct dtx_arg *a, s64 off)
{
	const struct dtx_step *s = a->steps.v;
	u32 i;

	if (!a->steps.n || s[0].op != STEP_REG || s[0].n != ARCH_REG_SP)
		return false;
	for (i = 1; i + 1 < a->steps.n && s[i].op == STEP_NUM && s[i + 1].op == STEP_ADD; i += 2)
		off -= s[i].n;
	return i == a->steps.n && !off;
}

/* The first words of both are in the same register, or a part of it.  What is stored behind is
 * whatever another one holds, if the second word of the type is nothing but padding. */
static bool begin_alike(const struct dtx_arg *c, const struct dtx_arg *said)
{
	return is_aggregate(c->type) && c->size > 8 && c->steps.n && said->steps.n &&
	       step_same(c->steps.v, said->steps.v);
}

/* Does debugging information say the place that C's convention gives? */
static bool agree(const struct dtx_arg *c, const struct dtx_arg *said)
{
	if (c->loc == said->loc && c->loc != LOC_VALUE && c->loc != LOC_PLACE)
		return c->loc == LOC_NONE || c->off == said->off;
	if (c->loc == LOC_REG)
		return said->loc == LOC_VALUE && is_register(said, c->off);
	if (c->loc == LOC_STACK)
		return said->loc == LOC_PLACE && is_on_stack(said, c->off);
	return c->loc == said->loc && c->steps.n &&
	       (steps_same(&c->steps, &said->steps) || begin_alike(c, said));
}

/* By reference, as in Fortran: the address of the value is where the value would be. */
static bool is_address_there(const struct dtx_arg *c, const struct dtx_arg *said)
{
	return said->loc == LOC_PLACE && c->loc == LOC_REG && is_register(said, c->off);
}

/* Is it in the place that is said, and not where C's convention would have it? */
static bool is_said(struct function *f, u32 i)
{
	const struct dtx_arg *c = &f->by_c[i], *said = &f->params.args[i];

	return (f->params.said[i] == SAID_KNOWN && !agree(c, said)) ||
	       (f->params.said[i] == SAID_LIKELY && is_address_there(c, said));
}

/* A parameter in another place than C's convention would have it. */
static bool differs(struct function *f, u32 i)
{
	const struct dtx_arg *c = &f->by_c[i], *said = &f->params.args[i];

	if ((f->params.said[i] != SAID_KNOWN && f->params.said[i] != SAID_LIKELY) ||
	    c->loc == LOC_NONE)      /* a floating-point number */
		return false;
	return !agree(c, said) && !is_address_there(c, said) && said->loc != LOC_NONE;
}

/* A number of two registers that there were no two left for: clang before 18 splits it, later it
 * leaves the last one empty, and gcc has the next argument in it. */
static bool is_behind_wide(const struct function *f, u32 i)
{
	for (u32 j = 0; j < i && !f->bits32; j++) {
		struct type *b = type_base(f->by_c[j].type);

		if (b && f->by_c[j].loc == LOC_STACK && b->size > 8 && b->size <= 16 &&
		    (b->kind == T_INT || b->incomplete))
			return true;
	}
	return false;
}

static void set_place(struct function *f, u32 i, bool is_clone)
{
	struct dtx_arg *a = &f->p->args.v[i], *said = &f->params.args[i];
	enum dwarf_said how = f->params.said[i];
	bool unknown = how != SAID_KNOWN && !(how == SAID_LIKELY && agree(a, said));

	if (is_said(f, i)) {
		a->loc = said->loc;
		a->off = said->off;
		a->size = said->size;
		a->text = said->text;
		a->steps = said->steps;
		a->value = said->value;
		a->entry = said->entry;
	} else if (unknown && (f->convention || is_clone ||
			       (f->params.may_move &&
				(how == SAID_NOTHING || is_behind_wide(f, i))))) {
		a->loc = how == SAID_NOTHING ? said->loc : LOC_NONE;
		a->value = said->value;
		a->off = said->off;
		a->steps = said->steps;
		a->text = f->convention && how != SAID_NOTHING ?
			arena_printf(f->env->arena, "its function has %s calling convention, and "
				     "debugging information does not say where it is",
				     f->convention) : said->text;
	}
}

static const char *own_convention(struct function *f)
{
	const char *name = f->params.convention;

	if (name)
		return strchr(name, '\'') ? name :
		       arena_printf(f->env->arena, "the %s", name);
	for (u32 i = 0; i < f->params.n; i++)
		if (type_is_scalable(f->proto->params[i].type))
			return "the scalable vectors'";  /* how many fit in registers? */
	for (u32 i = 0; i < f->params.n; i++)
		if (differs(f, i))
			return "another";
	return NULL;
}

/* false: there is no debugging information of the function, or it is of several. */
static bool read_function(struct function *f, u64 addr)
{
	struct dtx_probe own = *f->p;
	u32 n;

	f->joined = dwarf_joined(f->env, f->path, addr, f->p->place.sym);
	if (f->joined)
		return false;
	f->proto = dwarf_function(f->env, f->path, addr, f->p->place.sym);
	if (!f->proto)
		return false;
	place_args(f, &own, f->proto);
	f->by_c = own.args.v;
	n = f->params.n = MIN(own.args.n, f->proto->count);
	f->params.args = ARENA_ARRAY(f->env->arena, struct dtx_arg, n + 1);
	for (u32 i = 0; i < n; i++)
		args_typed(&f->params.args[i], &f->proto->params[i]);
	if (!dwarf_parameters(f->env, f->path, addr, &f->params))
		return false;
	f->convention = own_convention(f);
	return true;
}

/* ---- results -------------------------------------------------------------------------------- */

/* What a value consists of, as far as Rust's convention asks. */
struct leaves { u32 n; u64 at[2]; u32 size[2]; bool unknown; };

static void add_leaves(struct leaves *l, struct type *t, u64 at, u32 depth)
{
	struct type *b = type_complete(type_base(t));

	if (!b || depth > 16 || b->kind == T_FLOAT || (b->kind != T_STRUCT && is_aggregate(b)) ||
	    b->kind == T_ARRAY || (b->kind == T_STRUCT && !b->count && b->size)) {
		l->unknown = true;
	} else if (b->kind == T_STRUCT) {
		for (u32 i = 0; i < b->count; i++)
			add_leaves(l, b->members[i].type, at + b->members[i].bit_off / 8,
				   depth + 1);
	} else {
		if (l->n < ARRAY_SIZE(l->at)) {
			l->at[l->n] = at;
			l->size[l->n] = b->kind == T_PTR ? 8 : b->size;
		}
		l->n++;
	}
}

/*
 * Rust returns one number, or a pair of two, in one register each; what is larger than two words in
 * memory, as C.  Of others (enumerations with values, structs of three numbers) it depends on the
 * version of the compiler, and debugging information does not say it.
 */
static bool is_rust_result(struct type *ret)
{
	struct type *b = type_base(ret);
	struct leaves l = { 0 };

	if (!is_aggregate(b) || b->size > 16)
		return true;
	add_leaves(&l, ret, 0, 0);
	if (l.unknown)
		return false;
	return l.n <= 1 || (l.n == 2 && l.at[0] + l.at[1] == 8 && l.at[0] != l.at[1]);
}

static const char *result_trouble(struct function *f)
{
	struct type *ret = f->proto->to;

	if (f->params.result_lack && type_base(ret)->kind != T_VOID)
		return f->params.result_lack;
	if (!f->convention || !is_aggregate(ret))
		return NULL;
	if (f->params.is_rust && is_rust_result(ret))
		return NULL;
	return arena_printf(f->env->arena, "its function has %s calling convention, and debugging "
			    "information does not say where it returns a struct", f->convention);
}

static void set_result(struct function *f)
{
	const char *why = result_trouble(f);
	struct dtx_arg *a = &f->p->args.v[1];

	if (!why)
		return;
	a->loc = LOC_NONE;
	a->text = why;
}

/* ---- both ----------------------------------------------------------------------------------- */

static bool is_return(const struct dtx_probe *p)
{
	return kind_is_user(p->prog.kind, true) || p->place.num >= USER_RETURN;
}

/* In registers, or in memory, that BPF programs cannot read?  arg1 is another value then. */
static bool is_unread_result(const struct function *f)
{
	struct type *b = f->proto ? type_complete(type_base(f->proto->to)) : NULL;
	struct dtx_arg a = { .type = b };

	if (!b || b->kind == T_FLOAT || b->is_vector || type_is_scalable(b))
		return b;
	if (!is_aggregate(b) || b->incomplete || !b->count || f->bits32 || f->convention)
		return false;
	arch_result(&a, f->proto->in_memory, &(struct arch_call){ 0 });
	return a.loc == LOC_NONE;
}

/* A number in two registers: arg1 is the whole, though argN are registers. */
static bool is_wide_result(const struct function *f)
{
	struct type *b = f->bits32 && f->proto ? type_base(f->proto->to) : NULL;

	return b && b->kind != T_FLOAT && !is_aggregate(b) && b->size == 8;
}

/* How many the function has; -1: not known for certain.  main() has three, whatever it says. */
static s32 parameters_of(const struct function *f)
{
	if (f->proto->variadic || f->convention || !strcmp(f->p->place.sym, "main"))
		return -1;
	return (s32)f->proto->count;
}

static const char *joined_lack(const struct function *f)
{
	return arena_printf(f->env->arena, "'%s' has the same code: which of the two is called, "
			    "and of which types its arguments are, cannot be known", f->joined);
}

void user_function_args(struct dtx_env *env, struct dtx_probe *p)
{
	const char *path = object_of(p);
	struct elfsyms *syms = user_symbols(env, path);
	struct function f = {
		.env = env, .p = p, .path = path, .bits32 = syms && elfsyms_32bit(syms),
	};
	bool is_clone = p->place.num == USER_CLONE;
	const char *other = NULL;
	bool known = syms && (is_clone || p->args.state != ARGS_RAW || dwarf_has(env, path)) &&
		     read_function(&f, elfsyms_vaddr(syms, user_begin(p)));

	s32 takes = known && !is_clone ? parameters_of(&f) : -1;

	if (p->args.state == ARGS_RAW && !f.convention && !is_clone)
		known = false;                   /* argN are the registers */
	if (syms && !known && is_clone)
		other = "the optimiser has given it other parameters than the source, and there is "
			"no debugging information that says which; registers are uregs[]";
	else if (syms && !known)
		other = user_other_registers(codefile_at(env, path), p->place.sym, is_return(p),
					     f.proto);
	if (other && !is_return(p)) {
		args_nowhere(env, p, other);
		return;
	}
	if (is_return(p))
		place_result(&f, known || is_wide_result(&f) ? f.proto : NULL);
	else
		place_args(&f, p, known ? f.proto : NULL);
	if (!is_return(p))
		p->args.takes = takes;
	p->args.untyped = !known;
	if (is_return(p) && !known && is_unread_result(&f))
		p->args.takes = 1;               /* arg1 is a register, which has another value */
	if (syms && !known)
		p->args.lack = f.joined ? joined_lack(&f) : dwarf_lack(env, path);
	if (other && !is_clone) {
		p->args.v[1].loc = LOC_NONE;
		p->args.v[1].text = other;
	}
	if (known && is_return(p))
		set_result(&f);
	else if (known)
		for (u32 i = 0; i < f.params.n; i++)
			set_place(&f, i, is_clone);
}

/* At an instruction that returns.  What a function returns that ends by a jump to another one is
 * not known at the jump, but for those that return their first argument. */
void user_result_args(struct dtx_env *env, struct dtx_probe *p)
{
	struct elfsyms *syms = user_symbols(env, p->place.target);
	struct dtx_arg first = { .type = &ty_ulong, .size = 8 }, *a;
	bool in_first;

	user_function_args(env, p);
	a = p->args.v;
	a[0].loc = LOC_OWN;
	if (p->args.ret != 1 || a[1].loc == LOC_NONE)
		return;
	arch_place(&first, true, &(struct arch_call){ .reg = 0 });
	in_first = p->place.num == USER_LEAVE_FIRST && a[1].loc == LOC_REG &&
		   a[1].off == ARCH_REG_RESULT && syms && !elfsyms_32bit(syms);
	if (in_first)
		a[1].off = first.off;
	else if (p->place.num == USER_LEAVE || p->place.num == USER_LEAVE_FIRST ||
		 p->place.num == USER_STRAY)
		a[1].loc = LOC_GONE;
}
