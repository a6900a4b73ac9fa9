/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_member.c - a[b], a.b and a->b.
 *
 * Pointers read from user memory point to user memory.
 */
#include <dtx/arch.h>
#include <dtx/progkind.h>
#include <dtx/tag.h>

#include "compiler/check/check-private.h"
#include "compiler/front/builtin.h"

/* ---- a[b] ------------------------------------------------------------------------ */

static struct node *index_assoc(struct comp *c, struct node *n, struct sym *s)
{
	struct node *keys = check_keys(c, s, n, n->list);

	if (!keys)
		return NULL;
	n->kind = N_ASSOC;
	n->sym = s;
	n->list = keys;
	n->a = NULL;
	n->type = check_var_type(c, s);
	n->lvalue = true;
	return n;
}

static struct node *index_bad(struct comp *c, struct node *n)
{
	struct diag *d = diag_error(&c->env->diags, D_ARR_BADREF, n->at,
		"'%s' is neither an array nor a pointer", TYPE_TEXT(c, n->a->type));

	if (n->a->kind == N_VAR)
		diag_note(&c->env->diags, d, n->a->sym->at, "it is used as a plain variable here");
	return NULL;
}

static bool index_in_bounds(struct comp *c, struct node *n)
{
	struct type *t = type_base(n->a->type);
	s64 i = n->b->value;

	if ((t->kind != T_ARRAY && t->kind != T_STRING) || t->count < 2 || n->b->kind != N_INT)
		return true;
	if (i >= 0 && i < (s64)t->count)
		return true;
	ERR(c, D_ARR_BOUNDS, n->b->at, "index %lld is outside of '%s'", (long long)i,
	    TYPE_TEXT(c, t));
	return false;
}

static bool index_target_ok(struct comp *c, struct node *n, struct type *to)
{
	if (type_is_void(to) || type_is_func(to)) {
		ERR(c, D_OP_INCOMPAT, n->at, "a '%s' cannot be indexed", TYPE_TEXT(c, n->a->type));
		return false;
	}
	if (!type_size(c, to) && scope_complete(c, to)->incomplete) {
		ERR(c, D_OP_INCOMPLETE, n->at, "'%s' is not defined", TYPE_TEXT(c, to));
		return false;
	}
	return true;
}

/* The type of a value read from user memory: its pointers point to user memory. */
static struct type *member_type(struct comp *c, const struct node *n, struct type *t)
{
	struct type *b = type_base(t);

	if (b->kind != T_PTR || b->is_user || memory_lies(c, n) != MEM_USER)
		return t;
	b = type_copy(c, b);
	b->is_user = true;
	return b;
}

static struct node *index_memory(struct comp *c, struct node *n)
{
	struct type *to = type_is_string(n->a->type) ? &ty_char : type_target(n->a->type);
	bool ok = true;

	if (!to)
		return index_bad(c, n);
	n->b = check_list(c, n->list, &ok);
	n->list = NULL;
	if (!ok || !index_target_ok(c, n, to))
		return NULL;
	if (!n->b || n->b->next)
		return ERR(c, D_ARR_BADREF, n->at, "'%s' takes one index, not %u",
			   TYPE_TEXT(c, n->a->type), node_count(n->b));
	if (!type_is_int(n->b->type))
		return ERR(c, D_OP_INCOMPAT, n->b->at, "an index must be an integer, not '%s'",
			   TYPE_TEXT(c, n->b->type));
	if (!index_in_bounds(c, n))
		return NULL;
	n->type = to;
	n->lvalue = !type_is_string(n->a->type);
	n->type = member_type(c, n, to);
	return n;
}

/* uregs[i]: N_BUILTIN with the index in b. */
static struct node *index_uregs(struct comp *c, struct node *n)
{
	bool ok = true;

	n->b = check_list(c, n->list, &ok);
	if (!ok)
		return NULL;
	if (!n->b || n->b->next || n->b->kind != N_INT)
		return ERR(c, D_PROTO_ARG, n->at,
			   "uregs[] takes one integer constant, such as " ARCH_UREGS_NAME);
	if (n->b->value >= ARCH_UREGS)
		return ERR(c, D_UNKNOWN, n->b->at, "there is no register %lld",
			   (long long)n->b->value);
	n->kind = N_BUILTIN;
	n->row = builtin_row(BI_uregs);
	n->type = type_parse(c, n->row->sig);
	n->list = n->a = NULL;
	return n;
}

/* Names with a special index; false: an ordinary expression. */
static bool index_special(struct comp *c, struct node *n, struct node **out)
{
	enum sym_space space;
	const char *name;
	struct sym *s;

	if (!check_scoped(n->a, &space, &name))
		return false;
	s = scope_find(c, space, name);
	s = s ? s : early_known(c, space, name, n->at);
	if (s && check_is_later(s, n->a))
		*out = check_later(c, n->a, s);
	else if (s && s->kind == SYM_ASSOC && s->type)
		*out = index_assoc(c, n, s);
	else if (s && s->kind == SYM_INLINE && s->nparams)
		*out = xlate_inline(c, n, s, n->list);
	else if (!s && space == SPACE_GLOBAL && builtin_named(name, BI_args))
		*out = check_args_index(c, n, n->list);
	else if (!s && space == SPACE_GLOBAL && builtin_named(name, BI_uregs))
		*out = index_uregs(c, n);
	else
		return false;
	return true;
}

struct node *check_index(struct comp *c, struct node *n)
{
	struct node *out;

	if (index_special(c, n, &out))
		return out;
	if (n->a->kind == N_IDENT)
		n->a = fold_node(c, n->a);
	n->a = n->a->kind == N_IDENT ? check_indexed(c, n->a, n) : check_expr(c, n->a);
	if (!n->a)
		return NULL;
	if (type_is_dyn(n->a->type))
		return ERR(c, D_ARR_BADREF, n->at, "this cannot be indexed");
	return index_memory(c, n);
}

/* ---- a.b, a->b ------------------------------------------------------------------------ */

static struct node *member_unknown(struct comp *c, struct node *n, struct type *su)
{
	struct near near = { .wanted = n->name };
	const char *what =
		arena_printf(c->env->arena, "'%s' has no member '%s'", TYPE_TEXT(c, su), n->name);
	struct diag *d;

	if (!scope_once(c, what))
		return NULL;
	d = diag_error(&c->env->diags, D_TYPE_MEMBER, n->op_at, "%s", what);
	near_members(&near, su);
	near_hint(c, d, &near, NULL);
	if (foreign_find(FOREIGN_MEMBER, n->name))
		diag_hint(&c->env->diags, d, "Linux has %s", foreign_find(FOREIGN_MEMBER, n->name));
	diag_note(&c->env->diags, d, n->a->at, "this is '%s'%s%s", TYPE_TEXT(c, n->a->type),
		  su->origin ? ", from " : "", su->origin ? su->origin : "");
	return NULL;
}

static void refuse_incomplete(struct comp *c, const struct node *n, struct type *su)
{
	const char *foreign =
		su->name ? foreign_type(c->env->arena, su->name, strlen(su->name)) : NULL;
	struct diag *d = diag_error(&c->env->diags, D_OP_INCOMPLETE, n->at,
				    "no definition of '%s' is known", TYPE_TEXT(c, su));

	if (foreign)
		diag_hint(&c->env->diags, d, "%s", foreign);
	else if (!memory_has_types(c))
		diag_hint(&c->env->diags, d, "the types of the kernel cannot be read here (no "
			  "/sys/kernel/btf/vmlinux): name a file that has them, -x btf=FILE");
}

/* The struct before `.` or `->`, completed. */
static struct type *member_struct(struct comp *c, struct node *n)
{
	struct type *t = type_base(n->a->type), *su = t;
	struct diag *d;

	if (n->op == OP_ARROW) {
		su = type_base(type_target(t));
		if (!su) {
			d = diag_error(&c->env->diags, D_OP_PTR, n->at,
				       "'->' needs a pointer, not '%s'", TYPE_TEXT(c, t));
			if (type_is_struct(t))
				diag_hint(&c->env->diags, d, "write '.%s'", n->name);
			else if (type_is_int(t))
				diag_hint(&c->env->diags, d, "cast it first: ((struct ... *)x)->%s",
					  n->name);
			return NULL;
		}
	}
	if (!type_is_struct(su)) {
		d = diag_error(&c->env->diags, D_OP_SOU, n->at,
			       "'%s' needs a struct or union, not '%s'",
			       n->op == OP_ARROW ? "->" : ".", TYPE_TEXT(c, su));
		if (n->op == '.' && type_is_ptr(t) && type_is_struct(type_base(t)->to))
			diag_hint(&c->env->diags, d, "it is a pointer: write '->%s'", n->name);
		return NULL;
	}
	su = scope_complete(c, su);
	return su->incomplete ? (refuse_incomplete(c, n, su), NULL) : su;
}

/* args[0]->NAME of an event whose first field is not a struct: args.NAME is meant. */
static bool is_record(struct comp *c, const struct node *n)
{
	const struct type *first = type_target(type_base(n->a->type));

	return n->op == OP_ARROW && n->a->kind == N_ARG && !n->a->raw && n->a->value == 0 &&
	       progkinds[c->check->inst->probes[0]->prog.kind].context == KIND_CTX_EVENT &&
	       !(first && type_is_struct(type_base((struct type *)first)));
}

struct node *check_member(struct comp *c, struct node *n)
{
	struct type *su;

	if (check_is_args(c, n->a))
		return check_args_name(c, n, n->name, n->op_at);
	n->a = check_expr(c, n->a);
	if (n->a && n->a->kind == N_XLATE)
		return xlate_member_of(c, n);
	if (n->a && is_record(c, n))
		return check_args_name(c, n, n->name, n->op_at);
	if (!n->a || !check_value(c, n->a))
		return NULL;
	su = member_struct(c, n);
	if (!su)
		return NULL;
	n->member = member_find(su, n->name, &n->field);
	if (!n->member)
		return member_unknown(c, n, su);
	n->lvalue = n->op == OP_ARROW || n->a->lvalue;
	n->type = member_type(c, n, n->member->type);
	return n;
}
