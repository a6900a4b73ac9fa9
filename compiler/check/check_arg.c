/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_arg.c - arguments of the probe: argN, args[n], args.name, a parameter's own name,
 * retval.
 *
 * Providers are asked only if a clause uses an argument.  In all probes of an instance a
 * used argument must have the same type; its place may differ: grouping separates such
 * probes.
 */
#include <dtx/arch.h>
#include <dtx/progkind.h>
#include <dtx/tables/loc.h>
#include <dtx/tag.h>
#include <dtx/abi.h>

#include "compiler/check/check-private.h"
#include "compiler/check/rows.h"
#include "compiler/front/builtin.h"

static void arg_used(struct comp *c, u32 index)
{
	c->check->inst->uses_args = true;
	c->check->inst->args_used |= 1ull << MIN(index, 63u);
}

/* ---- agreement ---------------------------------------------------------------------- */

/* What an argument is in one of the probes. */
struct arg_in {
	const struct dtx_probe *probe;
	const char *type;
};

static struct node *arg_differs(struct comp *c, const struct node *n, const char *what,
				struct arg_in a, struct arg_in b)
{
	struct diag *d = diag_error(&c->env->diags, D_ARGS_MULTI, n->at,
				    "%s is not the same in all %u probes of this clause", what,
				    c->check->inst->nprobes);

	diag_note(&c->env->diags, d, c->check->inst->desc->at, "in %s it is '%s'",
		  arg_probe_text(c, a.probe), a.type);
	diag_note(&c->env->diags, d, c->check->inst->desc->at, "in %s it is '%s'",
		  arg_probe_text(c, b.probe), b.type);
	diag_hint(&c->env->diags, d, "narrow the description, or use argN for the raw value");
	return NULL;
}

/* Probes within functions, or at sites without arguments: argN is 0. */
static bool arg_nowhere_here(const struct comp *c)
{
	u32 n = arg_nprobes(c);

	for (u32 i = 0; i < n; i++) {
		const struct dtx_probe *p = c->check->inst->probes[i];
		bool in_code = kind_is(p->prog.kind, KIND_USER) ||
			       kind_is(p->prog.kind, KIND_KERNEL);

		if (p->args.n || p->late || !in_code)
			return false;
	}
	return n;
}

static const char *arg_registers(const struct comp *c)
{
	return kind_is(c->check->inst->probes[0]->prog.kind, KIND_USER)
	       ? "uregs[] has the registers there"
	       : "reg(\"NAME\") has a register there";
}

static void arg_tell_nowhere(struct comp *c, const struct node *n, u32 index)
{
	const char *probe = arg_probe_text(c, c->check->inst->probes[0]);
	struct diag *d;

	if (!scope_once(c, arena_printf(c->arena, "argN of %s", probe)))
		return;
	d = diag_warn(&c->env->diags, DIAG_NONE, n->at, "%s has no arguments: arg%u is 0", probe,
		      index);
	diag_hint(&c->env->diags, d, "%s", arg_registers(c));
}

/* Do all probes say how many arguments they have, and none so many? */
static bool none_has(struct comp *c, const struct inst *inst, u32 index)
{
	for (u32 i = 0; i < inst->nprobes; i++) {
		struct dtx_probe *p = inst->probes[i];

		if (args_ask_one(c, p, inst->asked) < 0 || p->args.takes < 0 ||
		    index < (u32)p->args.takes)
			return false;
	}
	return inst->nprobes;
}

/*
 * No probe of the clause has argN: one that has it may be told apart by its name.  Translators and
 * what defines a stable probe are not asked: they may take what it hides.
 */
static bool arg_beyond(struct comp *c, const struct node *at, u32 index)
{
	const struct inst *here = c->check->inst;

	if (c->check->args == ARGS_OF_PLACE || !at->at.src || at->at.src->is_library ||
	    !none_has(c, here, index))
		return false;
	for (const struct inst *i = c->insts; i; i = i->next)
		if (i != here && i->clause == here->clause && !none_has(c, i, index))
			return false;
	return true;
}

static void arg_tell_beyond(struct comp *c, const struct node *n, u32 index)
{
	const struct dtx_probe *p = c->check->inst->probes[0];
	const char *probe = arg_probe_text(c, p);
	struct diag *d;

	if (!scope_once(c, arena_printf(c->arena, "arg%u of %s", index, probe)))
		return;
	if (p->args.takes == p->args.ret && index == (u32)p->args.ret) {
		diag_warn(&c->env->diags, DIAG_NONE, n->at, "arg%u is not the result of %s, which "
			  "is in floating-point or vector registers, or in memory: BPF programs "
			  "cannot read it", index, probe);
		return;
	}
	if (!p->args.takes)
		d = diag_warn(&c->env->diags, DIAG_NONE, n->at,
			      "%s has no arguments: arg%u means nothing there", probe, index);
	else
		d = diag_warn(&c->env->diags, DIAG_NONE, n->at,
			      "the last argument of %s is arg%d: arg%u means nothing there", probe,
			      p->args.takes - 1, index);
	if (p->stable || p->args.ret < 0)
		diag_hint(&c->env->diags, d, "'dtx -lvn %s' shows what it has", probe);
	else
		diag_hint(&c->env->diags, d, "arg%d is the result; save an argument in the entry "
			  "probe: self->x = arg%u", p->args.ret, index);
}

static struct node *arg_none(struct comp *c, const struct node *n)
{
	const struct dtx_probe *p = c->check->inst->probes[0];
	struct diag *d = diag_error(&c->env->diags, D_ARGS_IDX, n->at, "%s has no typed arguments",
				    arg_probe_text(c, p));

	if (p->args.why)
		diag_note(&c->env->diags, d, c->check->inst->desc->at, "%s", p->args.why);
	if (check_say_untyped(c, p, d))
		return NULL;
	diag_hint(&c->env->diags, d, "%s", p->args.ret >= 0 ?
		  "retval is what it returns; save its parameters in the entry probe: self->x = "
		  "args.x" :
		  arg_nowhere_here(c) ? arg_registers(c) :
		  "arg0 ... arg9 are the raw values");
	return NULL;
}

/* Arguments without a type: in stable probes they are for the library's translators, in others only
 * for argN. */
static bool arg_there(struct comp *c, struct dtx_arg *a)
{
	return a->loc == LOC_EXPR ? a->xlate != NULL : check_arg_type(c, a) != NULL;
}

/* There is such a field, of a type that is known nowhere. */
static struct node *arg_type_unknown(struct comp *c, const struct node *n,
				     const struct dtx_probe *p, const struct dtx_arg *a)
{
	struct diag *d = diag_error(&c->env->diags, D_ARGS_NONE, n->at,
				    "'%s' of %s cannot be read: its type '%s' is not among the "
				    "types that the kernel and its modules describe (BTF)",
				    a->name, arg_probe_text(c, p), a->ctype);

	diag_hint(&c->env->diags, d, "a declaration of that type in the program makes it known");
	return NULL;
}

static struct node *arg_index_bad(struct comp *c, const struct node *n, u32 index)
{
	struct dtx_probe *p = c->check->inst->probes[0];
	struct args a = check_args_of(c, p);
	struct diag *d;

	if (index < a.n && a.v[index].name && a.v[index].ctype && !a.v[index].by_name)
		return arg_type_unknown(c, n, p, &a.v[index]);
	while (a.n && (a.v[a.n - 1].by_name || !arg_there(c, &a.v[a.n - 1])))
		a.n--;
	if (!a.n)
		return arg_none(c, n);
	d = a.n < DTX_MAX_ARGS ?
	    diag_error(&c->env->diags, D_ARGS_IDX, n->at,
		       "there is no args[%u]: %s has %u argument%s", index, arg_probe_text(c, p),
		       a.n, a.n == 1 ? "" : "s") :
	    diag_error(&c->env->diags, D_ARGS_IDX, n->at,
		       "there is no args[%u]: of the arguments of %s, the first %u can be read",
		       index, arg_probe_text(c, p), a.n);
	for (u32 i = 0; i < a.n && i < 10; i++)
		diag_note(&c->env->diags, d, c->check->inst->desc->at, "args[%u] is '%s'%s%s", i,
			  a.v[i].xlate ? a.v[i].xlate : TYPE_TEXT(c, check_arg_type(c, &a.v[i])),
			  a.v[i].name ? " " : "", a.v[i].name ? a.v[i].name : "");
	return NULL;
}

/* Numbers are the same in either memory. */
static bool arg_same(struct comp *c, const struct dtx_arg *a, const struct dtx_arg *b)
{
	return (a->user == b->user || type_is_int(a->type)) && type_compat(c, a->type, b->type);
}

/* Do all probes have this argument with one type? */
static bool arg_agreed(struct comp *c, const struct node *n, u32 index)
{
	struct dtx_probe *first = c->check->inst->probes[0];
	struct dtx_arg *a = &first->args.v[index];

	for (u32 i = 1; i < c->check->inst->nprobes; i++) {
		struct dtx_probe *p = c->check->inst->probes[i];
		bool has = arg_typed(c, p) && index < p->args.n &&
			   check_arg_type(c, &p->args.v[index]);

		if (has && arg_same(c, a, &p->args.v[index]))
			continue;
		arg_differs(c, n, arena_printf(c->env->arena, "args[%u]", index),
			    (struct arg_in){ first, TYPE_TEXT(c, a->type) },
			    (struct arg_in){ p, has ? TYPE_TEXT(c, p->args.v[index].type)
						    : "not there" });
		return false;
	}
	return true;
}

static struct type *arg_pointer(struct comp *c, struct type *t, bool user)
{
	struct type *b = type_base(t);

	if (b->kind != T_PTR || b->is_user || !user)
		return t;
	b = type_copy(c, b);
	b->is_user = true;
	return b;
}

/* The argument as given by the provider. */
static struct node *arg_native(struct comp *c, struct node *n, u32 index)
{
	const struct dtx_arg *a = &c->check->inst->probes[0]->args.v[index];

	n->kind = N_ARG;
	n->value = index;
	n->a = n->list = NULL;
	n->type = arg_pointer(c, a->type, a->user);
	n->lvalue = type_is_array(n->type) || type_is_struct(n->type);
	return n;
}

/* The provider declares a stable type: applies its translator to the native one. */
static struct node *arg_translated(struct comp *c, struct node *n, u32 index)
{
	struct dtx_arg *a = &c->check->inst->probes[0]->args.v[index];
	struct type *to = type_parse(c, a->xlate);
	struct node *x = check_make(c, N_XLATE, n, to);
	u32 before = c->env->diags.nerrors;

	if (to) {
		x->a = arg_native(c, check_make(c, N_ARG, n, NULL), index);
		x = check_xlate(c, x);
	}
	if (to && x)
		return x;
	if (c->env->diags.nerrors == before)
		ERR(c, D_ARGS_XLATOR, n->at, "args[%u] is '%s', which no library defines", index,
		    a->xlate);
	return NULL;
}

/* Reports an argument in a place that cannot be read (a vector register …). */
static bool arg_readable(struct comp *c, const struct node *n, u32 index)
{
	for (u32 i = 0; i < c->check->inst->nprobes; i++) {
		const struct dtx_probe *p = c->check->inst->probes[i];
		const struct dtx_arg *a = index < p->args.n ? &p->args.v[index] : NULL;

		if (a && a->name && a->loc == LOC_NONE && a->text)
			return ERR(c, D_ARGS_NONE, n->at, "'%s' cannot be read in %s: %s", a->name,
				   arg_probe_text(c, p), a->text);
		if (a && a->loc == LOC_NONE && a->text)
			return ERR(c, D_ARGS_NONE, n->at, "argument %u of %s cannot be read: %s",
				   index, arg_probe_text(c, p), a->text);
	}
	return true;
}

/* An argument of a stable probe: its text over the arguments of the place, in its declared type. */
static struct node *arg_stable(struct comp *c, struct node *n, u32 index, bool raw)
{
	struct dtx_probe *p = c->check->inst->probes[0];
	const char *text = p->args.v[index].xlate;
	struct node *e = stable_arg(c, p, index), *x;
	struct type *to;

	if (!e || (!text && !raw))
		return e;
	to = raw ? type_builtin("int64_t") : type_parse(c, text);
	if (!to)
		return ERR(c, D_ARGS_XLATOR, n->at, "args[%u] is '%s', which no library defines",
			   index, text);
	if (type_is_string(to))
		return check_to_string(c, e);
	if (type_is_ptr(to) && !type_is_int(e->type) && type_compat(c, to, e->type))
		return e;
	x = check_make(c, type_is_ptr(to) && type_is_struct(type_target(to)) ? N_XLATE : N_CAST, n,
		       to);
	x->a = e;
	return x->kind == N_XLATE ? check_xlate(c, x) : fold_again(c, x);
}

/* It has a type, but is in a place that no program can read. */
static struct node *arg_nowhere(struct comp *c, const struct node *n, const struct dtx_probe *p,
				const struct dtx_arg *a)
{
	struct type *t = type_base(a->type);
	bool result = a == p->args.v + p->args.ret;

	return ERR(c, D_ARGS_NONE, n->at, "'%s' of type '%s' cannot be read: %s",
		   a->name ? a->name : result ? "retval" : "this argument", TYPE_TEXT(c, a->type),
		   t->kind == T_FLOAT
			   ? "BPF programs have no floating-point registers"
			   : result && arch_result_in_memory(a->type)
			   ? "the function has written it to memory, and on this kind of machine "
			     "no register says where when it returns"
			   : type_is_struct(t)
			   ? "it or a part of it is in floating-point registers, which BPF "
			     "programs do not have"
			   : "it is in more than one register, or in floating-point ones");
}

/* Symbols that the steps to a variable of the kernel begin with: the loader finds them. */
static void arg_symbols(struct comp *c, u32 index)
{
	for (u32 i = 0; i < c->check->inst->nprobes; i++) {
		const struct dtx_arg *a = &c->check->inst->probes[i]->args.v[index];
		bool has = a->loc == LOC_PLACE || a->loc == LOC_VALUE;

		for (u32 k = 0; has && k < a->steps.n; k++) {
			const char *name = a->steps.v[k].symbol, *tick;

			if (!name)
				continue;
			tick = strchr(name, '`');
			check_ksym_index(c, arena_strndup(c->arena, name, tick - name), tick + 1);
		}
	}
}

static struct node *arg_node(struct comp *c, struct node *n, u32 index)
{
	struct dtx_probe *p = c->check->inst->probes[0];
	struct args a = check_args_of(c, p);
	bool by_library;

	if (!arg_typed(c, p))
		return arg_none(c, n);
	by_library = !n->at.src || n->at.src->is_library;
	if (index >= a.n ||
	    (!arg_there(c, &a.v[index]) && !(by_library && a.v[index].loc == LOC_EXPR)))
		return arg_index_bad(c, n, index);
	if (a.v[index].loc == LOC_EXPR)
		return arg_stable(c, n, index, false);
	index += a.first;
	if (!arg_agreed(c, n, index) || !arg_readable(c, n, index))
		return NULL;
	if (p->args.v[index].loc == LOC_NONE)
		return arg_nowhere(c, n, p, &p->args.v[index]);
	arg_symbols(c, index);
	arg_used(c, index);
	return p->args.v[index].xlate ? arg_translated(c, n, index) : arg_native(c, n, index);
}

/* ---- the forms ----------------------------------------------------------------------------- */

/* Index of argN in the list; past its end if the probe has no such argument. */
static u32 arg_raw_index(const struct comp *c, struct args a, u32 index)
{
	const struct dtx_probe *p = arg_nprobes(c) ? c->check->inst->probes[0] : NULL;

	if (p && p->args.mapped_at)
		return index < p->args.mapped_at ? index : p->args.n + index;
	return a.first + index;
}

/* One of a type is nowhere that a program can read, a number of 16 bytes for example: no value. */
static bool arg_raw_there(struct comp *c, const struct node *n, u32 index)
{
	for (u32 i = 0; i < c->check->inst->nprobes; i++) {
		const struct dtx_probe *p = c->check->inst->probes[i];
		const struct dtx_arg *a = index < p->args.n ? &p->args.v[index] : NULL;

		if (a && a->type && a->loc == LOC_NONE)
			return arg_nowhere(c, n, p, a);
	}
	return true;
}

static struct node *arg_raw(struct comp *c, struct node *n, u32 index)
{
	if (c->check->inst) {
		struct args a;

		c->check->inst->asked = MAX(c->check->inst->asked, ARGS_RAW);
		if (!args_ask(c, ARGS_RAW))
			return NULL;
		a = args_here(c, UINT32_MAX);
		if (arg_nowhere_here(c))
			arg_tell_nowhere(c, n, index);
		else if (arg_beyond(c, n, index))
			arg_tell_beyond(c, n, index);
		if (index < a.n && a.v[index].loc == LOC_EXPR)
			return arg_stable(c, n, index, true);
		index = arg_raw_index(c, a, index);
		arg_used(c, index);
		if (!arg_readable(c, n, index) || !arg_raw_there(c, n, index))
			return NULL;
	}
	n->kind = N_ARG;
	n->value = index;
	n->raw = true;
	n->type = type_builtin("int64_t");
	return n;
}

static bool arg_here(struct comp *c, const struct node *n)
{
	if (arg_nprobes(c))
		return check_args_known(c);
	if (!c->check->inst)
		ERR(c, D_ARGS_NONE, n->at, "args[] has a type only in a clause");
	return false;
}

struct node *check_args_index(struct comp *c, struct node *n, struct node *index)
{
	struct diag *d;
	struct args a;

	if (!index || index->next)
		return ERR(c, D_PROTO_LEN, n->at, "args[] takes one index, not %u",
			   node_count(index));
	index = check_expr(c, index);
	if (!index)
		return NULL;
	if (!type_is_int(index->type))
		return ERR(c, D_PROTO_ARG, index->at,
			   "the index of args[] must be an integer, not '%s'",
			   TYPE_TEXT(c, index->type));
	if (index->kind != N_INT) {
		d = diag_error(&c->env->diags, D_ARGS_TYPE, index->at,
			       "the index of args[] must be an integer constant");
		diag_hint(&c->env->diags, d, "the arguments have different types");
		return NULL;
	}
	if (!arg_here(c, n))
		return NULL;
	if ((s64)index->value < 0 || index->value > UINT32_MAX)
		return ERR(c, D_ARGS_IDX, index->at, "there is no args[%lld]",
			   (long long)index->value);
	a = check_args_of(c, c->check->inst->probes[0]);
	if (index->value < a.n && a.v[index->value].by_name)
		return arg_index_bad(c, n, index->value);
	return arg_node(c, n, index->value);
}

struct node *check_args_name(struct comp *c, struct node *n, const char *name, struct range at)
{
	struct near near = { .wanted = name };
	struct diag *d;
	u32 last;
	bool returns;
	int i;

	if (!arg_here(c, n))
		return NULL;
	last = c->check->inst->nprobes - 1;
	i = check_arg_find(c, name);
	if (i >= 0)
		return arg_node(c, n, i);
	if (arg_somewhere(c, name))
		return arg_differs(c, n, arena_printf(c->env->arena, "parameter '%s'", name),
				   (struct arg_in){ c->check->inst->probes[0], "one parameter" },
				   (struct arg_in){ c->check->inst->probes[last],
						    "another, or none" });
	returns = !strcmp(c->check->inst->probes[0]->name, "return") &&
		  !c->check->inst->probes[0]->stable;
	if (!returns && !arg_typed(c, c->check->inst->probes[0]))
		return arg_none(c, n);
	d = diag_error(&c->env->diags, D_TYPE_MEMBER, at, "%s has no parameter '%s'",
		       arg_probe_text(c, c->check->inst->probes[0]), name);
	near_args(c, &near);
	if (returns)
		diag_hint(&c->env->diags, d, "parameters are in the entry probe: save it there "
					     "with self->%s = args.%s, and assign 0 to it here "
					     "after use", name, name);
	else if (c->check->inst->probes[0]->args.n >= DTX_MAX_ARGS)
		diag_hint(&c->env->diags, d, "the first %u parameters of a function are there, "
			  "no others", DTX_MAX_ARGS);
	else
		near_hint(c, d, &near,
			  c->check->inst->desc->nprobes > 1
				  ? "narrow the description to probes that have it: " TOOL
				    " -lv shows which"
				  : near_arg_list(c));
	return NULL;
}

struct node *check_retval(struct comp *c, struct node *n)
{
	struct args a;
	struct dtx_probe *p;
	struct diag *d;
	s32 at;

	if (!arg_nprobes(c))
		return c->check->inst ? NULL : arg_raw(c, n, 1);
	if (!check_args_known(c))
		return NULL;
	p = c->check->inst->probes[0];
	at = p->stable && c->check->args == ARGS_PROMISED ? -1 : p->args.ret;
	for (u32 i = 0; i < c->check->inst->nprobes; i++) {
		if (c->check->inst->probes[i]->args.ret == at && at >= 0)
			continue;
		d = diag_error(&c->env->diags, D_ARGS_NONE, n->at, "%s has no return value",
			       arg_probe_text(c, c->check->inst->probes[i]));
		diag_hint(&c->env->diags, d, "retval is for return probes, whose name ends in "
			  ":return; of uprobe:… and kprobe:… they are uretprobe:… and kretprobe:…");
		return NULL;
	}
	a = check_args_of(c, p);
	at -= a.first;
	if (arg_typed(c, p) && (u32)at < a.n && check_arg_type(c, &a.v[at]))
		return arg_node(c, n, at);
	return arg_raw(c, n, at);
}

struct node *check_arg_raw(struct comp *c, struct node *n)
{
	return arg_raw(c, n, builtin_find(n->name) - builtin_row(BI_arg0));
}
