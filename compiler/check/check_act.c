/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_act.c - actions: typed calls become N_ACTION with a manifest entry.
 *
 * Constant parts (formats, constants, aggregations) move into node->act; node->list
 * keeps the values that each firing records.
 *
 * To add an action: its row in builtins.def, which names a function of this file if it needs more
 * than its signature, and its consumer side by a row of actions.def.
 */
#include <dtx/opt.h>
#include <dtx/tag.h>

#include "compiler/check/check-private.h"
#include "compiler/front/builtin.h"

static bool act_value_ok(struct comp *c, struct node *v, u32 tag_void,
			 u32 tag_dyn)
{
	struct diag *d;

	if (type_is_void(v->type)) {
		ERR(c, tag_void, v->at, "there is no value to record");
		return false;
	}
	if (type_is_dyn(v->type)) {
		d = diag_error(&c->env->diags, tag_dyn, v->at,
			       "this has no single value to record");
		diag_hint(&c->env->diags, d, v->kind == N_AGGREF ?
			  "printa(@NAME) prints an aggregation" : v->kind == N_XLATE ?
			  "record members of it" :
			  "it is an array: record elements of it, as NAME[KEY]");
		return false;
	}
	return true;
}

static bool act_trace(struct comp *c, struct node *n)
{
	n->list = check_decayed(c, n->list);
	if (!act_value_ok(c, n->list, D_TRACE_VOID, D_TRACE_DYN))
		return false;
	check_address_note(c, n->list);
	fold_warn_kept(c, n->list, n->list->type);
	n->list = type_is_chars(n->list->type) ? check_to_string(c, n->list) :
		  check_cast(c, n->list, n->list->type);
	return true;
}

/* exit() is exit(0). */
static bool act_exit(struct comp *c, struct node *n)
{
	if (!n->list)
		n->list = check_int(c, n, 0, &ty_int);
	return true;
}

static bool act_format(struct comp *c, struct node *n)
{
	struct node *fmt = n->list, *args = fmt->next;
	struct diag *d;

	if (!check_is_format(fmt) && !type_is_strcompat(fmt->type)) {
		d = diag_error(&c->env->diags, D_PROTO_ARG, fmt->at,
			       "the format of %s() must be a string, not '%s'", n->row->name,
			       TYPE_TEXT(c, fmt->type));
		check_text_hint(c, d, fmt);
		return false;
	}
	if (!check_is_format(fmt)) {
		d = diag_error(&c->env->diags, D_PRINTF_ARG_FMT, fmt->at,
			       "the format of %s() must be a string literal", n->row->name);
		diag_hint(&c->env->diags, d, "write %s(\"%%s\", ...)", n->row->name);
		return false;
	}
	if (!fmt->len && !builtin_is(n->row, BI_freopen)) {
		ERR(c, D_PRINTF_FMT_EMPTY, fmt->at, "the format of %s() is empty", n->row->name);
		return false;
	}
	if (builtin_is(n->row, BI_freopen) && !strcmp(fmt->str, ".")) {
		d = diag_error(&c->env->diags, D_FREOPEN_INVALID, fmt->at,
			       "'.' is not a file name");
		diag_hint(&c->env->diags, d, "freopen(\"\") goes back to the first output");
		return false;
	}
	fmt->next = NULL;
	n->list = args;
	n->act->has_format = true;
	return check_format(c, n->row->name, fmt, &n->list, NULL, n->act);
}

/* ---- aggregations ------------------------------------------------------------------- */

static void act_add_agg(struct comp *c, struct node *n, const struct sym *s)
{
	u32 *aggs = ARENA_ARRAY(c->img->arena, u32, n->act->naggs + 1);

	if (n->act->naggs)
		memcpy(aggs, n->act->aggs, n->act->naggs * sizeof(*aggs));
	aggs[n->act->naggs++] = s->index;
	n->act->aggs = aggs;
}

/* Integers of any size and text of any length are converted to one layout; stacks of one depth are
 * in one map. */
static bool act_keys_join(struct comp *c, struct type *a, struct type *b)
{
	if (type_is_int(a) && type_is_int(b))
		return true;
	return type_compat(c, a, b) &&
	       (type_base(a)->kind != T_STACK || type_base(a)->count == type_base(b)->count);
}

static bool act_same_keys(struct comp *c, const struct node *at, struct sym *a, struct sym *b)
{
	struct diag *d;
	u32 i;

	if (a->nkeys != b->nkeys) {
		d = diag_error(&c->env->diags, D_PRINTA_AGGKEY, at->at,
			       "@%s has %u keys but @%s has %u", b->name, b->nkeys, a->name,
			       a->nkeys);
		diag_note(&c->env->diags, d, b->at, "@%s is defined here", b->name);
		return false;
	}
	for (i = 0; i < a->nkeys; i++)
		if (!act_keys_join(c, a->keys[i], b->keys[i]))
			break;
	if (i == a->nkeys)
		return true;
	d = diag_error(&c->env->diags, D_PRINTA_AGGPROTO, at->at,
		       "key %u of @%s is '%s' but that of @%s is '%s'", i + 1, b->name,
		       TYPE_TEXT(c, b->keys[i]), a->name, TYPE_TEXT(c, a->keys[i]));
	diag_note(&c->env->diags, d, b->at, "@%s is defined here", b->name);
	if (type_base(a->keys[i])->kind == T_STACK && type_base(b->keys[i])->kind == T_STACK)
		diag_hint(&c->env->diags, d, "rows are joined only by stacks of the same kind and "
					     "depth: give both %u frames",
			  MAX(type_base(a->keys[i])->count, type_base(b->keys[i])->count));
	return false;
}

static bool act_no_agg(struct comp *c, u32 tag, const struct node *n, const char *hint)
{
	const char *what = type_is_dyn(n->type) ? "an associative array" :
			   arena_printf(c->env->arena, "'%s'", TYPE_TEXT(c, n->type));
	struct diag *d =
		diag_error(&c->env->diags, tag, n->at, "this must be an aggregation, not %s", what);

	diag_hint(&c->env->diags, d, "%s", hint);
	return false;
}

/* printa(@a[1]): accepted, but it prints the whole aggregation. */
static void act_key_unseen(struct comp *c, const struct node *agg, const char *what)
{
	if (agg->list)
		diag_warn(&c->env->diags, DIAG_NONE, agg->at,
			  "%s() is for all entries of @%s: the key is ignored",
			  what, strcmp(agg->name, "_") ? agg->name : "");
}

static bool act_printa(struct comp *c, struct node *n)
{
	struct node *fmt = n->list && n->list->kind == N_STR ? n->list : NULL;
	struct node *arg = fmt ? fmt->next : n->list, *none = NULL;
	struct sym *first = NULL, *s;

	if (!arg) {
		ERR(c, D_PRINTA_PROTO, n->at, "printa() needs an aggregation");
		return false;
	}
	for (; arg; arg = arg->next) {
		if (!check_aggname(arg)) {
			return act_no_agg(c, D_PRINTA_AGGARG, arg, "printf() and trace() print "
					  "variables, and elements of arrays");
		}
		s = check_aggref(c, arg, D_PRINTA_AGGBAD);
		act_key_unseen(c, arg, "printa");
		if (!s || (first && !act_same_keys(c, arg, first, s)))
			return false;
		if (!first)
			first = s;
		act_add_agg(c, n, s);
	}
	n->list = NULL;
	n->act->has_format = fmt;
	if (fmt && !fmt->len) {
		ERR(c, D_PRINTF_FMT_EMPTY, fmt->at, "the format of printa() is empty");
		return false;
	}
	return !fmt || check_format(c, "printa", fmt, &none, first, n->act);
}

/* A number for the consumer: constant in the manifest, or recorded. */
static void act_number(struct comp *c, struct node *n, struct node *v)
{
	n->list = NULL;
	if (!v)
		return;
	if (v->kind == N_INT) {
		n->act->num = v->value;
		n->act->has_num = true;
		return;
	}
	n->list = check_cast(c, v, v->type);
}

struct agg_tags {
	enum builtin_id id;
	u32 aggarg, aggbad;
};

static const struct agg_tags agg_tags[] = {
	{ BI_clear, D_CLEAR_AGGARG, D_CLEAR_AGGBAD },
	{ BI_trunc, D_TRUNC_AGGARG, D_TRUNC_AGGBAD },
	{ BI_normalize, D_NORMALIZE_AGGARG, D_NORMALIZE_AGGBAD },
	{ BI_denormalize, D_NORMALIZE_AGGARG, D_NORMALIZE_AGGBAD },
};

static bool act_agg(struct comp *c, struct node *n)
{
	const struct agg_tags *t = agg_tags;
	struct node *v;
	struct sym *s;

	while (!builtin_is(n->row, t->id))
		t++;
	if (!check_aggname(n->list)) {
		return act_no_agg(c, t->aggarg, n->list, type_is_dyn(n->list->type) ?
				  "an array keeps its elements until each is assigned 0, and is "
				  "not printed at the end: remove this" :
				  "a variable is assigned 0, and is not printed at the end");
	}
	v = n->list->next;
	s = check_aggref(c, n->list, t->aggbad);
	if (!s)
		return false;
	act_key_unseen(c, n->list, n->row->name);
	act_add_agg(c, n, s);
	act_number(c, n, v);
	return true;
}

/* ---- the others ------------------------------------------------------------------------ */

/* tracemem(copyin(arg1, arg2), 64, arg2): DTrace records what lies after the copy, too. */
static void tracemem_of_copy(struct comp *c, const struct node *addr, u64 size)
{
	const struct node *copied = addr->kind == N_CALL && builtin_is(addr->row, BI_copyin) ?
				    addr->list->next : NULL;
	struct diag *d;

	if (!copied || (copied->kind == N_INT && copied->value >= size))
		return;
	d = diag_remark(&c->env->diags, addr->at, "tracemem() records %llu bytes: an error where "
			"copyin() copied fewer", (unsigned long long)size);
	diag_hint(&c->env->diags, d, "copy %llu bytes; the third argument of tracemem() limits "
		  "those that are shown", (unsigned long long)size);
}

static bool act_tracemem(struct comp *c, struct node *n)
{
	struct node *addr = n->list, *size = addr->next, *dyn = size->next;

	if (!type_is_scalar(addr->type) && !type_is_array(addr->type)) {
		ERR(c, D_TRACEMEM_ADDR, addr->at, "the address must be a pointer, not '%s'",
		    TYPE_TEXT(c, addr->type));
		return false;
	}
	if (size->kind != N_INT || !size->value || size->value > DTX_REC_MAX) {
		ERR(c, D_TRACEMEM_SIZE, size->at,
		    "the size must be a positive integer constant%s",
		    size->kind == N_INT && size->value ? " that fits a record" : "");
		return false;
	}
	if (dyn && !type_is_int(dyn->type)) {
		ERR(c, D_TRACEMEM_DYNSIZE, dyn->at, "the dynamic size must be an integer, not '%s'",
		    TYPE_TEXT(c, dyn->type));
		return false;
	}
	tracemem_of_copy(c, addr, size->value);
	n->list = check_bytes(c, addr, size->value);
	n->list->next = dyn ? check_cast(c, dyn, dyn->type) : NULL;
	n->act->num = size->value;
	n->act->has_num = true;
	return true;
}

/* print(@a, top, div) of bpftrace: the largest entries, their values divided. */
static bool act_print_top(struct comp *c, struct node *n, struct node *top)
{
	struct node *div = top ? top->next : NULL;

	n->list->next = NULL;
	for (const struct node *v = top; v; v = v->next)
		if (v->kind != N_INT || (s64)v->value < 0)
			return ERR(c, D_PROTO_ARG, v->at, "the number of entries and the divisor "
							  "of print() must be constants");
	if (top && top->value) {
		n->act->num = top->value;
		n->act->has_num = true;
	}
	n->act->div = div ? div->value : 0;
	return true;
}

static void act_print_not(struct comp *c, const struct node *n, const struct node *p)
{
	struct diag *d = diag_error(&c->env->diags, D_PROTO_ARG, p->at,
		"argument 1 of print() must be a pointer, not '%s'", TYPE_TEXT(c, p->type));

	if (type_is_dyn(p->type))
		diag_hint(&c->env->diags, d,
			  "an array is shown element by element, by trace(x[key])");
	else if (check_is_own(p) || (p->kind == N_MEMBER && p->member->bit_size))
		foreign_tell(c, d, n->at.src, n->at.from, p->kind == N_VAR ?
			     "trace(x) shows a D variable" : "trace(x) shows the value itself");
	else if (p->lvalue)
		diag_hint(&c->env->diags, d, "print(&x) shows the object x");
	else
		foreign_tell(c, d, n->at.src, n->at.from, "trace(x) shows a value");
}

/* print(p): the address, then the object.  print(@a) is what Linux calls printa(@a). */
static bool act_print(struct comp *c, struct node *n)
{
	struct node *p = n->list, *obj;
	struct type *to = type_target(p->type);

	if (check_aggname(p) && p->list) {
		struct diag *d = diag_error(&c->env->diags, D_PROTO_ARG, p->at,
			"single entries of an aggregation cannot be printed");

		diag_hint(&c->env->diags, d,
			  "print(@%s) prints all entries; to print only some, use "
			  "another aggregation for them",
			  strcmp(p->name, "_") ? p->name : "");
		return false;
	}
	if (check_aggname(p)) {
		n->row = builtin_row(BI_printa);
		n->act->name = n->row->name;
		return act_print_top(c, n, p->next) && act_printa(c, n);
	}
	if (p->next) {
		foreign_tell(c, diag_error(&c->env->diags, D_PROTO_LEN, n->at,
					   "print() of a value takes 1 argument, not %u",
					   node_count(p)),
			     n->at.src, n->at.from, "printf() prints by a format");
		return false;
	}
	if (!type_is_ptr(p->type)) {
		act_print_not(c, n, p);
		return false;
	}
	if (!type_size(c, to)) {
		ERR(c, D_PRINT_SIZE, p->at, "'%s' has no size", TYPE_TEXT(c, to));
		return false;
	}
	obj = check_make(c, N_UNARY, p, to);
	obj->op = '*';
	obj->a = node_copy(c, p);
	obj->lvalue = true;
	p->next = obj;
	return true;
}

/* stack(), sym() … as statements record themselves. */
static bool act_self(struct comp *c, struct node *n)
{
	struct node *call = check_make(c, N_CALL, n, n->type);

	call->name = n->name;
	call->row = n->row;
	call->list = n->list;
	call->value = n->value;
	call->by_option = n->by_option;
	n->list = call;
	return true;
}

static bool act_setopt(struct comp *c, struct node *n)
{
	if (n->list->kind == N_STR) {
		n->act->str = arena_strdup(c->img->arena, n->list->str);
		n->list = n->list->next;
	}
	return true;
}

static bool act_pcap(struct comp *c, struct node *n)
{
	struct node *skb = n->list, *proto = skb->next;

	if (!type_is_ptr(skb->type))
		return ERR(c, D_PROTO_ARG, skb->at, "the packet must be a pointer to its struct "
			   "sk_buff, not '%s'", TYPE_TEXT(c, skb->type));
	/* Packet, its length, how much of it, when: emit_act.c knows how; the protocol. */
	n->list = check_bytes(c, skb, opt_num(c->env, OPT_pcapsize));
	n->list->next = check_int(c, n, 0, &ty_uint);
	n->list->next->next = check_int(c, n, 0, &ty_uint);
	n->list->next->next->next = check_int(c, n, 0, &ty_long);
	n->list->next->next->next->next = check_cast(c, proto, &ty_int);
	return true;
}

/* commit(), discard(): the argument is converted to int. */
static bool act_speculation(struct comp *c, struct node *n)
{
	n->list = check_cast(c, n->list, &ty_int);
	return true;
}

#define ACT_BL_RECORD(f)    f
#define ACT_BL_CONSUMER(f)  f
#define ACT_BL_CALL(f)      NULL
#define ACT_BL_EMIT(f)      NULL
#define ACT_BL_TEXT(f)      NULL
#define ACT_BL_ALIAS(f)     NULL
#define ACT_BL_REWRITE(f)   NULL

static bool (*const rows[])(struct comp *, struct node *) = {
#define BUILTIN(name, kind, sig, lower, target, ...) ACT_##lower(target),
#include <dtx/tables/builtins.def>
#undef BUILTIN
};

struct node *check_action(struct comp *c, struct node *stmt)
{
	struct node *n = stmt->a;

	if (n->kind != N_CALL || !n->row || n->row->kind != BK_ACT)
		return NULL;
	if (n->row->lower != BL_RECORD && n->row->lower != BL_CONSUMER)
		return stmt;             /* its effect is in the kernel */
	n->kind = N_ACTION;
	n->act = ARENA_NEW(c->img->arena, struct img_action);
	n->act->name = n->row->name;
	return !rows[n->row - builtins] || rows[n->row - builtins](c, n) ? n : NULL;
}
