/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ast.c - nodes: makes, copies and walks them; the constructors of the grammar.
 *
 * A node has the number of levels below it; trees deeper than NODE_DEPTH are refused
 * here, so later passes may recurse.
 */
#include <dtx/tag.h>

#include "compiler/front/parse.h"

/* ---- constructors ----------------------------------------------------------------- */

static u32 list_depth(const struct node *list, u32 depth)
{
	for (; list; list = list->next)
		depth = MAX(depth, list->depth + 1);
	return depth;
}

/* Every constructor ends here.  A tree that is too deep is replaced by a number, after one
 * error. */
static struct node *done(struct lexer *lx, struct node *n)
{
	n->depth = list_depth(n->a, list_depth(n->b, list_depth(n->c, list_depth(n->list, 0))));
	if (n->depth <= NODE_DEPTH)
		return n;
	parse_too_deep(lx, n->at);
	n = node_new(lx->comp, N_INT, n->at);
	n->type = &ty_int;
	return n;
}

struct nodes ast_one(struct node *n)
{
	return (struct nodes){ n, n };
}

struct nodes ast_append(struct nodes list, struct node *n)
{
	if (!n)
		return list;
	if (!list.first)
		return ast_one(n);
	list.last->next = n;
	list.last = n;
	return list;
}

struct node *ast_ident(struct lexer *lx, const char *name, int scope, struct range at)
{
	struct node *n = node_new(lx->comp, N_IDENT, at);

	n->name = name;
	n->scope = scope;
	return done(lx, n);
}

struct node *ast_unary(struct lexer *lx, int op, struct node *a, struct range at,
		       struct range op_at)
{
	struct node *n = node_new(lx->comp, N_UNARY, at);

	n->op = op;
	n->op_at = op_at;
	n->a = a;
	return done(lx, n);
}

struct node *ast_incdec(struct lexer *lx, int op, bool prefix, struct node *a, struct range at,
			struct range op_at)
{
	struct node *n = node_new(lx->comp, N_INCDEC, at);

	n->op = op;
	n->op_at = op_at;
	n->prefix = prefix;
	n->a = a;
	return done(lx, n);
}

static struct node *two(struct lexer *lx, enum node_kind kind, int op, struct node *a,
			struct node *b)
{
	struct node *n = node_new(lx->comp, kind, range_join(a->at, b->at));

	n->op = op;
	n->a = a;
	n->b = b;
	return n;
}

static bool ast_compares(const struct node *n)
{
	return n->kind == N_BINARY && !n->paren &&
	       (n->op == OP_EQ || n->op == OP_NE || n->op == '<' || n->op == '>' ||
		n->op == OP_LE || n->op == OP_GE);
}

static const char *ast_text(struct lexer *lx, struct range at)
{
	return arena_strndup(lx->comp->env->arena, lx->src->text + at.from, at.to - at.from);
}

/* a & b == c compares first, which is rarely meant; a == b & c == d may be meant. */
static void ast_binds(struct lexer *lx, const struct node *n)
{
	const struct node *cmp = ast_compares(n->b) ? n->b : n->a,
			  *other = cmp == n->b ? n->a : n->b;
	struct diags *ds = &lx->comp->env->diags;
	struct diag *d;

	if (lx->comp->front->in_lib || !ast_compares(cmp) || ast_compares(other))
		return;
	d = diag_warn(ds, DIAG_NONE, n->at, "'%s' binds tighter than '%s': this is %s%s(%s)%s%s",
		      op_text(cmp->op), op_text(n->op), cmp == n->b ? ast_text(lx, other->at) : "",
		      cmp == n->b ? arena_printf(ds->arena, " %s ", op_text(n->op)) : "",
		      ast_text(lx, cmp->at),
		      cmp == n->a ? arena_printf(ds->arena, " %s ", op_text(n->op)) : "",
		      cmp == n->a ? ast_text(lx, other->at) : "");
	if (cmp == n->b)
		diag_hint(ds, d, "write (%s %s %s) %s %s", ast_text(lx, other->at), op_text(n->op),
			  ast_text(lx, cmp->a->at), op_text(cmp->op), ast_text(lx, cmp->b->at));
	else
		diag_hint(ds, d, "write %s %s (%s %s %s)", ast_text(lx, cmp->a->at),
			  op_text(cmp->op), ast_text(lx, cmp->b->at), op_text(n->op),
			  ast_text(lx, other->at));
}

struct node *ast_binary(struct lexer *lx, int op, struct node *a, struct node *b,
			struct range op_at)
{
	struct node *n = two(lx, N_BINARY, op, a, b);

	n->op_at = op_at;
	if (op == '&' || op == '|' || op == '^')
		ast_binds(lx, n);
	return done(lx, n);
}

struct node *ast_assign(struct lexer *lx, int op, struct node *a, struct node *b,
			struct range op_at)
{
	struct node *n = two(lx, N_ASSIGN, op, a, b);

	n->op_at = op_at;
	return done(lx, n);
}

struct node *ast_comma(struct lexer *lx, struct node *a, struct node *b, struct range op_at)
{
	struct node *n = two(lx, N_COMMA, ',', a, b);

	n->op_at = op_at;
	return done(lx, n);
}

struct node *ast_cond(struct lexer *lx, struct node *a, struct node *b, struct node *c,
		      struct range op_at)
{
	struct node *n = two(lx, N_COND, '?', a, b);

	n->at = range_join(a->at, c->at);
	n->op_at = op_at;
	n->c = c;
	return done(lx, n);
}

static struct node *typed(struct lexer *lx, enum node_kind kind, struct type *type,
			  struct node *a, struct range at)
{
	struct node *n = node_new(lx->comp, kind, at);

	n->type = type;
	n->a = a;
	return done(lx, n);
}

struct node *ast_cast(struct lexer *lx, struct type *type, struct node *a, struct range at)
{
	return typed(lx, N_CAST, type, a, at);
}

struct node *ast_sizeof(struct lexer *lx, struct type *type, struct node *a, struct range at)
{
	return typed(lx, N_SIZEOF, type, a, at);
}

struct node *ast_stringof(struct lexer *lx, struct node *a, struct range at)
{
	return typed(lx, N_STRINGOF, NULL, a, at);
}

struct node *ast_xlate(struct lexer *lx, struct type *type, struct node *a, struct range at)
{
	return typed(lx, N_XLATE, type, a, at);
}

const char *ast_place_member(struct lexer *lx, const char *place, const char *name)
{
	return arena_printf(lx->comp->arena, "%s.%s", place, name);
}

const char *ast_place_element(struct lexer *lx, const char *place, struct node *index)
{
	s64 i = 0;

	if (!decl_const(lx, index, &i) || i < 0)
		diag_error(&lx->comp->env->diags, D_ARR_BADREF, index->at,
			   "the index in offsetof must be an integer constant");
	return arena_printf(lx->comp->arena, "%s[%lld]", place, (long long)MAX(i, 0));
}

struct node *ast_offsetof(struct lexer *lx, struct type *type, const char *place,
			  struct range at, struct range op_at)
{
	struct node *n = typed(lx, N_OFFSETOF, type, NULL, at);

	n->name = place;
	n->op_at = op_at;
	return n;
}

struct node *ast_has_member(struct lexer *lx, struct type *type, const char *member,
			    struct range at)
{
	struct type *su = type_base(type);
	struct node *n = typed(lx, N_INT, &ty_int, NULL, at);
	u32 off = 0;

	if (type_is_struct(su)) {
		su = scope_complete(lx->comp, su);
		n->value = !su->incomplete && type_find_member(su, member, &off);
	}
	return n;
}

struct node *ast_call(struct lexer *lx, struct node *callee, struct nodes args, struct range at)
{
	struct node *n = node_new(lx->comp, N_CALL, at);

	n->op_at = callee->at;
	if (callee->kind == N_IDENT && callee->scope == SCOPE_PLAIN && !callee->paren)
		n->name = callee->name;
	else
		n->a = callee;
	n->list = args.first;
	return done(lx, n);
}

struct node *ast_index(struct lexer *lx, struct node *a, struct nodes list, struct range at,
		       struct range op_at)
{
	struct node *n;

	if (a->kind == N_AGGREF && !a->list && !a->paren) {
		a->list = list.first;
		a->at = at;
		return done(lx, a);
	}
	if (a->kind == N_AGGREF)
		diag_error(&lx->comp->env->diags, D_AGG_MDIM, at,
			   "an aggregation has one list of keys: write @%s[a, b], not @%s[a][b]",
			   a->name, a->name);
	n = node_new(lx->comp, N_INDEX, at);
	n->op_at = op_at;
	n->a = a;
	n->list = list.first;
	return done(lx, n);
}

struct node *ast_member(struct lexer *lx, int op, struct node *a, const char *name,
			struct range at, struct range op_at)
{
	struct node *n = node_new(lx->comp, N_MEMBER, at);

	n->op = op;
	n->op_at = op_at;
	n->a = a;
	n->name = name;
	return done(lx, n);
}

struct node *ast_agg(struct lexer *lx, const char *name, struct range at)
{
	struct node *n = node_new(lx->comp, N_AGGREF, at);

	n->name = name;
	return done(lx, n);
}

struct node *ast_paren(struct node *n, struct range at)
{
	n->paren = true;
	n->at = at;
	return n;
}

bool ast_is_agg(const struct node *expr)
{
	return expr->kind == N_ASSIGN && expr->a->kind == N_AGGREF;
}

static bool ast_call_named(struct node *n, void *bad)
{
	if (n->kind == N_CALL && !n->name)
		*(struct node **)bad = n;
	return n->kind != N_CALL || n->name;
}

struct node *ast_agg_stmt(struct comp *c, struct node *assign)
{
	struct node *ref = assign->a, *call = assign->b;
	struct node *n = node_new(c, N_AGG, assign->at);
	const char *name = strcmp(ref->name, "_") ? ref->name : "";
	struct node *bad;
	struct diag *d;

	if (!node_walk(call, ast_call_named, &bad)) {
		diag_error(&c->env->diags, D_FUNC_IDENT, bad->op_at,
			   "only functions can be called, by their names");
		return NULL;
	}
	if (assign->op != '=' || call->kind != N_CALL) {
		d = diag_error(&c->env->diags, D_AGG_FUNC, assign->at,
			       "an aggregation is only changed by assigning an aggregating "
			       "function to it");
		foreign_tell(c, d, assign->at.src, assign->at.from,
			     arena_printf(c->env->arena, "as in '@%s = count()' or '@%s = sum(x)'; "
					  "for a plain value use a variable, written without '@'",
					  name, name));
		return NULL;
	}
	n->str = ref->name;
	n->list = ref->list;
	n->name = call->name;
	n->op_at = call->op_at;
	n->b = call->list;
	return n;
}

struct node *ast_stmt(struct lexer *lx, struct node *expr)
{
	struct node *n;

	if (ast_is_agg(expr)) {
		n = ast_agg_stmt(lx->comp, expr);
		return n ? done(lx, n) : NULL;
	}
	n = node_new(lx->comp, N_EXPR, expr->at);
	n->a = expr;
	return done(lx, n);
}

struct node *ast_loop(struct lexer *lx, struct node *init, struct node *cond, struct node *step,
		      struct nodes body, struct range at)
{
	struct node *n = node_new(lx->comp, N_LOOP, at), *both;

	n->a = cond;
	n->b = body.first;
	n->c = step ? ast_stmt(lx, step) : NULL;
	if (!init)
		return done(lx, n);
	both = node_new(lx->comp, N_BLOCK, at);
	both->b = ast_stmt(lx, init);
	both->b->next = done(lx, n);
	return done(lx, both);
}

struct node *ast_jump(struct lexer *lx, int what, struct range at)
{
	struct node *n = node_new(lx->comp, N_JUMP, at);

	n->op = what;
	return n;
}

struct node *ast_if(struct lexer *lx, struct node *cond, struct nodes yes, struct nodes no,
		    struct range at)
{
	struct node *n = node_new(lx->comp, N_IF, at);

	n->a = cond;
	n->b = yes.first;
	n->c = no.first;
	return done(lx, n);
}
