/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check.c - clauses: predicate and statements of every instance, in program order.
 *
 * Needs instances with their probes; gives typed copies of predicate and body.  Names
 * become known in textual order.  Also checks rules for a whole clause: what may
 * follow speculate() and commit().
 */
#include <ctype.h>

#include <dtx/tag.h>

#include "compiler/check/check-private.h"
#include "compiler/front/builtin.h"

/* ---- rules of a clause -------------------------------------------------------------- */

struct clause_state {
	struct comp *c;
	bool loop;               /* inside of one */
	bool spec, comm, data;   /* seen so far */
};

static bool rule(struct clause_state *s, bool broken, u32 tag, struct range at,
		 const char *text)
{
	if (broken)
		ERR(s->c, tag, at, "%s", text);
	return !broken;
}

static void rule_speculate(struct clause_state *s, struct range at)
{
	if (rule(s, s->spec, D_SPEC_SPEC, at, "a clause has at most one speculate()") &&
	    rule(s, s->comm, D_SPEC_COMM, at, "speculate() may not follow commit()"))
		rule(s, s->data, D_SPEC_DREC, at, "speculate() may not follow recorded data");
	s->spec = true;
}

static void rule_data(struct clause_state *s, const struct node *n)
{
	bool exits = builtin_is(n->row, BI_exit);      /* not data: commit() may follow */

	if (exits && !rule(s, s->spec, D_EXIT_SPEC, n->at, "exit() may not follow speculate()"))
		return;
	rule(s, s->comm, D_DREC_COMM, n->at,
	     exits ? "exit() may not follow commit(): give it a clause of its own"
		   : "data may not be recorded after commit()");
	s->data |= !exits;
}

/* A record has one place for each action. */
static bool rule_loop(struct clause_state *s, const struct node *n)
{
	struct diag *d;

	if (!s->loop || builtin_is(n->row, BI_exit) ||
	    (n->kind != N_ACTION && !builtin_is(n->row, BI_speculate)))
		return true;
	d = diag_error(&s->c->env->diags, D_OP_ACT, n->at, "%s() is not allowed in a loop",
		       n->row->name);
	diag_hint(&s->c->env->diags, d, "keep values in variables or aggregations, and record "
					"them after the loop");
	return false;
}

static void rule_call(struct clause_state *s, const struct node *n)
{
	if (!rule_loop(s, n))
		return;
	if (n->row->flags & BF_DESTRUCTIVE &&
	    !rule(s, s->spec, D_ACT_SPEC, n->at, "a destructive action may not follow speculate()"))
		return;
	if (!check_permitted(s->c, n))
		return;
	if (builtin_is(n->row, BI_speculate)) {
		rule_speculate(s, n->at);
	} else if (builtin_is(n->row, BI_commit)) {
		rule(s, s->data, D_COMM_DREC, n->at, "commit() may not follow recorded data");
		s->comm = true;
	} else if (n->kind == N_ACTION && !(n->row->flags & BF_NODATA)) {
		rule_data(s, n);
	}
}

static void rule_agg(struct clause_state *s, const struct node *n)
{
	if (rule(s, s->spec, D_AGG_SPEC, n->at, "an aggregation may not follow speculate()"))
		rule(s, s->comm, D_AGG_COMM, n->at, "an aggregation may not follow commit()");
}

static void rule_list(struct clause_state *s, const struct node *list)
{
	for (const struct node *n = list; n; n = n->next) {
		if (n->kind == N_AGG) {
			rule_agg(s, n);
		} else if (n->kind == N_ACTION) {
			rule_call(s, n);
		} else if (n->kind == N_EXPR) {
			if (n->a->kind == N_CALL && n->a->row && n->a->row->kind == BK_ACT)
				rule_call(s, n->a);
		} else {
			bool outer = s->loop;

			s->loop |= n->kind == N_LOOP;
			rule_list(s, n->b);
			rule_list(s, n->c);
			s->loop = outer;
		}
	}
}

/* ---- statements -------------------------------------------------------------------------- */

static struct node *check_statements(struct comp *c, struct node *list, bool *ok);

/* Actions are statements: none may be called inside the expression `n`. */
static bool check_no_action(struct node *n, void *arg)
{
	struct comp *c = arg;

	if (!check_is_action(n))
		return true;
	ERR(c, D_CG_EXPR, n->at, "%s() is an action, which is not allowed inside an expression",
	    n->row->name);
	return false;
}

static struct node *check_effect(struct comp *c, struct node *n)
{
	struct node *e = n->a;
	struct diag *d;

	if (e->kind == N_AGGREF && !check_aggref(c, e, D_IDENT_UNDEF))
		return NULL;
	if (e->kind == N_AGGREF) {
		d = diag_error(&c->env->diags, D_AGG_NULL, n->at, "@%s alone has no effect",
			       e->name);
		diag_hint(&c->env->diags, d, "assign an aggregating function: @%s = count()",
			  e->name);
		return NULL;
	}
	if (type_is_dyn(e->type))
		return ERR(c, D_CG_DYN, n->at, "this has no single value");
	if (!node_walk(e, check_no_action, c))
		return NULL;
	return n;
}

static struct node *check_expression(struct comp *c, struct node *n)
{
	struct node *act;
	u32 before = c->env->diags.nerrors;

	if (ast_is_agg(n->a)) {                  /* OPT ? @a = count() : 1 */
		n = ast_agg_stmt(c, n->a);
		return n ? check_agg(c, n) : NULL;
	}
	n->a = check_expr(c, n->a);
	if (!n->a)
		return NULL;
	act = check_action(c, n);
	if (act || c->env->diags.nerrors != before || n->a->kind == N_ACTION)
		return act;
	return check_effect(c, n);
}

static struct node *check_if(struct comp *c, struct node *n)
{
	bool ok = true;

	n->a = check_cond(c, n->a);
	if (n->a && !node_walk(n->a, check_no_action, c))
		ok = false;
	n->b = check_statements(c, n->b, &ok);
	n->c = check_statements(c, n->c, &ok);
	return n->a && ok ? n : NULL;
}

#define TURNS_MAX     256        /* of a loop */
#define TURNS_NESTED  32         /* of a loop that contains one, or is contained */

static bool has_loop(struct node *n, void *arg)
{
	(void)arg;
	return n->kind != N_LOOP;
}

static bool check_contains_loop(struct node *list)
{
	for (struct node *n = list; n; n = n->next)
		if (!node_walk(n, has_loop, NULL))
			return true;
	return false;
}

static struct node *check_loop(struct comp *c, struct node *n)
{
	bool ok = true, contains = check_contains_loop(n->b);

	if (c->check->loops && contains && c->check->inst && !c->check->inst->deep) {
		c->check->inst->deep = true;
		c->ndeep++;
	}
	n->value = c->check->loops || contains ? TURNS_NESTED : TURNS_MAX;
	if (n->a) {
		n->a = check_cond(c, n->a);
		ok = n->a && node_walk(n->a, check_no_action, c);
	}
	c->check->loops++;
	n->b = check_statements(c, n->b, &ok);
	c->check->loops--;
	n->c = check_statements(c, n->c, &ok);
	return ok ? n : NULL;
}

static struct node *check_jump(struct comp *c, struct node *n)
{
	if (n->op != 'r' && !c->check->loops)
		return ERR(c, D_SYNTAX, n->at, "%s is only valid in a loop",
			   n->op == 'b' ? "break" : "continue");
	if (n->op == 'r' && c->check->inst)
		c->check->inst->leaves = true;
	return n;
}

static struct node *check_statement(struct comp *c, struct node *n)
{
	bool ok = true;

	switch (n->kind) {
	case N_AGG:
		return check_agg(c, n);
	case N_IF:
		return check_if(c, n);
	case N_BLOCK:
		n->b = check_statements(c, n->b, &ok);
		return ok ? n : NULL;
	case N_LOOP:
		return check_loop(c, n);
	case N_JUMP:
		return check_jump(c, n);
	default:
		return check_expression(c, n);
	}
}

static struct node *check_statements(struct comp *c, struct node *list, bool *ok)
{
	struct node *out = NULL, **tail = &out, *next, *t;

	for (struct node *n = list; n; n = next) {
		u32 before = c->env->diags.nerrors;

		next = n->next;
		n->next = NULL;
		t = check_statement(c, n);
		if (!t) {
			if (n->kind == N_AGG)
				check_idle_add(c, SPACE_AGG, n->str);
			*ok &= c->check->idle && c->env->diags.nerrors == before;
			continue;
		}
		*tail = t;
		tail = &t->next;
	}
	return out;
}

/* ---- instances ------------------------------------------------------------------------------- */

static bool check_body(struct comp *c, struct inst *i)
{
	struct clause_state s = { .c = c };
	bool ok = true;
	struct node *next, **tail = &i->body;

	i->body = NULL;
	for (struct node *n = i->clause->body; n; n = n->next) {
		*tail = fold_node(c, node_copy(c, n));
		tail = &(*tail)->next;
	}
	next = i->body;
	i->body = NULL;
	i->body = check_statements(c, next, &ok);
	if (ok)
		rule_list(&s, i->body);
	return ok;
}

/* If a stable probe has a condition: the condition, then the predicate. */
static bool check_when(struct comp *c, struct inst *i)
{
	struct node *when, *both;

	if (!i->nprobes || !i->probes[0]->stable || !i->probes[0]->stable->when)
		return true;
	when = stable_when(c, i->probes[0]);
	if (!when || !i->pred) {
		i->pred = when;
		return when;
	}
	both = check_make(c, N_BINARY, i->pred, NULL);
	both->op = OP_ANDAND;
	both->a = when;
	both->b = i->pred;
	i->pred = check_expr(c, both);
	return i->pred;
}

static bool check_predicate(struct comp *c, struct inst *i)
{
	u32 before = c->env->diags.nerrors;

	if (i->clause->pred) {
		i->pred = check_cond(c, fold_node(c, node_copy(c, i->clause->pred)));
		if (!i->pred && c->check->idle && c->env->diags.nerrors == before)
			i->pred = check_int(c, i->clause->pred, 0, &ty_int);
		if (!i->pred || !node_walk(i->pred, check_no_action, c))
			return false;
	}
	return check_when(c, i);
}

/* Does the predicate create a variable? */
static bool check_makes_names(struct node *n, void *arg)
{
	struct comp *c = arg;

	if (n->kind != N_ASSIGN && n->kind != N_INCDEC)
		return true;
	return !(check_is_new(c, n->a) || (n->a->kind == N_INDEX && check_is_new(c, n->a->a)));
}

/*
 * The body is checked first, unless the predicate creates variables: both
 * /x++/ { trace(x) } and /x == 0/ { trace(x++) } are right.
 */
static bool check_inst(struct comp *c, struct inst *i)
{
	bool pred_first = i->clause->pred && !node_walk(i->clause->pred, check_makes_names, c);
	bool ok;

	if (pred_first) {
		ok = check_predicate(c, i);
		return check_body(c, i) && ok;
	}
	ok = check_body(c, i);
	return check_predicate(c, i) && ok;
}

/* ---- clauses without probes ------------------------------------------------------------------ */

/* Aggregations, and variables that are assigned to. */
static bool idle_name(struct node *n, void *arg)
{
	struct comp *c = arg;
	enum sym_space space = SPACE_AGG;
	const char *name = n->kind == N_AGG ? n->str : n->name;
	struct node *to = n;

	if (n->kind == N_ASSIGN || n->kind == N_INCDEC)
		for (to = n->a; to->kind == N_INDEX || to->kind == N_MEMBER; )
			to = to->a;
	if (n->kind == N_AGG || n->kind == N_AGGREF || (to != n && check_scoped(to, &space, &name)))
		check_idle_add(c, space, name ? name : "_");
	return true;
}

/* Could missing probes have named parameters?  Those of USDT have none. */
static bool idle_has_params(struct comp *c, const struct clause *cl)
{
	for (const struct pdesc *d = cl->descs; d; d = d->next) {
		char *prov = arena_strdup(c->arena, d->pat.prov ? d->pat.prov : "");
		size_t n = strcspn(prov, "*?[]\\0123456789");
		bool any = !n || (prov[n] && !isdigit((unsigned char)prov[n]));

		prov[n] = 0;
		if (any || lib_has_provider(c, prov))
			return true;
	}
	return false;
}

/* It never runs, but later clauses know the variables it assigns. */
static void check_idle(struct comp *c, struct clause *cl)
{
	struct inst *i = ARENA_NEW(c->arena, struct inst);

	i->clause = cl;
	i->desc = cl->descs;
	if (!c->check->idle)
		c->check->idle = map_new();     /* also if there is no name */
	clause_walk(cl->pred, cl->body, idle_name, c);
	c->check->inst = i;
	c->check->idle_params = idle_has_params(c, cl);
	check_inst(c, i);
	c->check->idle_params = false;
	c->check->inst = NULL;
}

/* All instances of a clause; *next is the first that is not checked yet. */
static bool check_clause(struct comp *c, const struct clause *cl, struct inst **next)
{
	bool ok = true;

	for (; *next && (*next)->clause == cl; *next = (*next)->next) {
		c->check->inst = *next;
		c->check->replaced = 0;
		check_arg_split(c, *next);
		ok &= check_inst(c, *next);
		check_arg_divide(c, *next);
	}
	c->check->inst = NULL;
	return ok;
}

/* The clauses of libraries are only checked. */
static void insts_drop_libraries(struct comp *c)
{
	struct inst **at = &c->insts;

	while (*at) {
		if ((*at)->clause->library)
			*at = (*at)->next;
		else
			at = &(*at)->next;
	}
	c->insts_last = at;
}

/* In textual order: a definition sees the names before it. */
bool check_insts(struct comp *c)
{
	struct inst *next = c->insts;
	bool ok = check_twins(c);
	u32 defined = 0;

	for (struct toplevel *i = ok ? c->ast.toplevel : NULL; i; i = i->next) {
		c->check->replaced = i->kind == TOP_CLAUSE ? 0 : defined;
		if (i->kind == TOP_CLAUSE && (!next || next->clause != i->what))
			check_idle(c, i->what);
		else if (i->kind == TOP_CLAUSE)
			ok &= check_clause(c, i->what, &next);
		else if (i->kind == TOP_SYM && ((struct sym *)i->what)->kind == SYM_INLINE)
			ok &= xlate_check_inline(c, i->what);
		else if (i->kind == TOP_XLATE)
			ok &= xlate_check_translator(c, i->what);
		if (i->kind != TOP_CLAUSE)
			defined = c->check->replaced;
		if (c->env->diags.nerrors > c->env->diags.max_errors)
			break;
	}
	insts_drop_libraries(c);
	early_end(c);
	if (ok) {
		pragma_finish(c);
		memory_insts(c);
	}
	return ok && !width_found(c->widths);
}
