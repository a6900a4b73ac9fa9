/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_divide.c - arguments used by name that are in different places at the probes of a
 * clause: such probes become separate instances.
 */
#include "compiler/check/check-private.h"
#include "compiler/front/builtin.h"

/* The names the clause uses, and their places in one of its probes. */
struct arg_places {
	struct comp *c;
	struct dtx_probe *probe;
	struct map *made;        /* names that the clause assigns to */
	struct buf text;
	bool any;
};

static bool arg_made(struct node *n, void *arg)
{
	struct arg_places *w = arg;

	if ((n->kind == N_ASSIGN || n->kind == N_INCDEC) && n->a->kind == N_IDENT)
		map_set(w->made, n->a->name, n);
	return true;
}

/* args.NAME, or NAME if it has no other meaning. */
static const char *arg_called(struct arg_places *w, struct node *n)
{
	enum sym_space space;
	const char *name;

	if (n->kind == N_MEMBER)
		return check_is_args(w->c, n->a) ? n->name : NULL;
	if (!check_scoped(n, &space, &name) || space != SPACE_GLOBAL ||
	    builtin_named(name, BI_args) || !strcmp(name, "NULL") ||
	    scope_find(w->c, space, name) || map_get(w->made, name))
		return NULL;
	return builtin_exact(name) || agg_find(name) ? NULL : name;
}

/* Functions return different types. */
static bool arg_is_retval(const struct arg_places *w, const struct node *n)
{
	return n->kind == N_IDENT && n->scope == SCOPE_PLAIN && builtin_named(n->name, BI_retval) &&
	       !scope_find(w->c, SPACE_GLOBAL, "retval");
}

static bool arg_place(struct node *n, void *arg)
{
	struct arg_places *w = arg;
	bool retval = arg_is_retval(w, n);
	const char *name = retval ? n->name : arg_called(w, n);
	struct args a;
	int i;

	if (!name)
		return true;
	w->any = true;
	if (!w->probe)
		return true;
	a = check_args_of(w->c, w->probe);
	i = retval ? w->probe->args.ret : check_arg_index(w->c, w->probe, name);
	if (i >= (int)a.n)
		i = -1;
	buf_printf(&w->text, "%d %s %d,", i,
		   i < 0 ? "" : TYPE_TEXT(w->c, check_arg_type(w->c, &a.v[i])),
		   i >= 0 && a.v[i].user);
	return true;
}

static void arg_each(struct arg_places *w, const struct clause *cl,
		     bool (*fn)(struct node *, void *))
{
	clause_walk(cl->pred, cl->body, fn, w);
}

/* What the probes of an instance must have in common, as text. */
typedef void arg_common_fn(struct arg_places *, const struct inst *);

/* The number of probes that agree with the first; the others come after them in the same array. */
static u32 arg_agreeing(struct arg_places *w, struct inst *i, arg_common_fn *common)
{
	struct dtx_probe **same = ARENA_ARRAY(w->c->arena, struct dtx_probe *, i->nprobes);
	struct dtx_probe **rest = ARENA_ARRAY(w->c->arena, struct dtx_probe *, i->nprobes);
	u32 nsame = 0, nrest = 0;
	char *first = NULL;

	for (u32 k = 0; k < i->nprobes; k++) {
		w->probe = i->probes[k];
		w->text.len = 0;
		common(w, i);
		if (!first)
			first = arena_strndup(w->c->arena, w->text.data, w->text.len);
		if (!strcmp(first, w->text.data))
			same[nsame++] = i->probes[k];
		else
			rest[nrest++] = i->probes[k];
	}
	memcpy(same + nsame, rest, nrest * sizeof(*rest));
	i->probes = same;
	return nsame;
}

static void arg_common_names(struct arg_places *w, const struct inst *i)
{
	arg_each(w, i->clause, arg_place);
}

/* Keeps the probes that agree with the first; the others are the next instance, not checked yet.
 */
static void arg_divide(struct arg_places *w, struct inst *i, arg_common_fn *common)
{
	u32 n = arg_agreeing(w, i, common);
	struct inst *more;

	if (n == i->nprobes)
		return;
	more = ARENA_NEW(w->c->arena, struct inst);
	*more = *i;
	more->probes += n;
	more->nprobes -= n;
	more->pred = more->body = NULL;
	more->args_used = 0;
	i->nprobes = n;
	i->next = more;
}

void check_arg_split(struct comp *c, struct inst *i)
{
	struct arg_places w = { .c = c };

	if (i->nprobes < 2)
		return;
	w.made = map_new();
	arg_each(&w, i->clause, arg_made);
	arg_each(&w, i->clause, arg_place);
	if (w.any && check_args_known(c))
		arg_divide(&w, i, arg_common_names);
	map_free(w.made);
	buf_free(&w.text);
}

static void arg_common_memory(struct arg_places *w, const struct inst *i)
{
	for (u32 k = 0; k < w->probe->args.n; k++)
		if (i->args_used >> MIN(k, 63u) & 1)
			buf_printf(&w->text, "%d", memory_of_arg(&w->probe->args.v[k]));
	buf_putc(&w->text, '.');
}

void check_arg_divide(struct comp *c, struct inst *i)
{
	struct arg_places w = { .c = c };

	if (i->nprobes > 1 && i->args_used && i->asked == ARGS_TYPED)
		arg_divide(&w, i, arg_common_memory);
	buf_free(&w.text);
}
