/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_stable.c - stable probes: the condition and the arguments that stable.def gives as D text.
 *
 * The text of one place becomes a clause, `BEGIN /when/ { arg0; arg1; }`, which is parsed once and
 * never enabled.  Where a program uses an argument, it is replaced by a copy of its expression,
 * checked with the arguments of the place.  Unused arguments cost nothing.
 */
#include "compiler/front/parse.h"
#include "compiler/check/check-private.h"

struct clause *stable_clause(struct comp *c, const struct dtx_probe *p, const char *text)
{
	return parse_clause(c, arena_printf(c->env->arena, "<dtx>/%s:::%s", p->prov, p->name),
			    text);
}

static const struct clause *stable_parse(struct comp *c, const struct dtx_probe *p)
{
	struct dtx_stable *st = p->stable;
	struct buf b = { 0 };

	if (st->parsed)
		return st->parsed;
	buf_puts(&b, "BEGIN");
	if (st->when)
		buf_printf(&b, " /%s/", st->when);
	buf_puts(&b, " {\n");
	for (u32 i = 0; i < st->nargs; i++)
		buf_printf(&b, "\t(%s);\n", p->args.v[i].text);
	buf_puts(&b, "}\n");
	st->parsed = stable_clause(c, p, arena_strndup(c->env->arena, b.data, b.len));
	buf_free(&b);
	return st->parsed;
}

static struct node *stable_check(struct comp *c, const struct node *e, bool cond)
{
	struct node *copy = fold_node(c, node_copy(c, e)), *n;

	c->check->args = ARGS_OF_PLACE;
	n = cond ? check_cond(c, copy) : check_expr(c, copy);
	c->check->args = ARGS_PROMISED;
	return n;
}

struct node *stable_when(struct comp *c, struct dtx_probe *p)
{
	struct diags *diags = &c->env->diags;
	const struct clause *cl;
	struct range outer;
	struct node *when;

	if (!check_args_known(c))
		return NULL;
	outer = diags_use(diags, c->check->inst->desc->at);
	cl = stable_parse(c, p);
	when = cl && cl->pred ? stable_check(c, cl->pred, true) : NULL;
	diags->use = outer;
	return when;
}

struct node *stable_arg(struct comp *c, struct dtx_probe *p, u32 index)
{
	const struct clause *cl = stable_parse(c, p);
	const struct node *stmt = cl ? cl->body : NULL;

	while (stmt && index--)
		stmt = stmt->next;
	return stmt ? stable_check(c, stmt->a, false) : NULL;
}
