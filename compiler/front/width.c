/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * width.c - widths of undeclared variables, and types of arrays that are read before they are
 * assigned.
 *
 * `x = 0` in one clause and `x = timestamp` in another: x holds 64 bits, also in earlier
 * clauses.  The checker reads from front to back.  What it finds too late is kept here by
 * name, and the program is compiled once more (compile.c).  Widths only grow, so this
 * ends.
 * Why: docs/decisions/30-variable-widths.md
 */
#include "compiler/front/front.h"

struct width {
	struct type *type;
	bool constant;           /* the value that gave the type is a constant */
};

/* An associative array that is read before the clause that assigns it first. */
struct early {
	enum sym_space space;
	const char *name;
	struct type *type;       /* of its values, from an attempt before; NULL: not known */
	struct type **keys;
	u32 nkeys;
	bool refused;            /* its type cannot be found: the reader is refused */
	struct early *next;
};

struct widths {
	struct arena *arena;
	struct map *by_name;     /* "space name" */
	struct early *early;
	bool found, known;
};

struct widths *width_open(struct arena *arena)
{
	struct widths *w = ARENA_NEW(arena, struct widths);

	w->arena = arena;
	w->by_name = map_new();
	return w;
}

void width_close(struct widths *w)
{
	map_free(w->by_name);
}

bool width_found(const struct widths *w)
{
	return w->found;
}

bool width_again(struct widths *w)
{
	bool found = w->found;

	w->found = false;
	w->known = true;
	return found;
}

bool width_known(const struct widths *w)
{
	return w->known;
}

static const char *width_key(struct comp *c, enum sym_space space, const char *name)
{
	return arena_printf(c->arena, "%d %s", space, name);
}

/* The entry of a variable; created with its current type. */
static struct width *width_of(struct comp *c, enum sym_space space, const char *name,
			      struct type *type, bool constant)
{
	struct widths *all = c->widths;
	const char *key = width_key(c, space, name);
	struct width *w = map_get(all->by_name, key);

	if (w)
		return w;
	w = ARENA_NEW(all->arena, struct width);
	w->type = type;
	w->constant = constant;
	map_set(all->by_name, key, w);
	return w;
}

struct type *width_first(struct comp *c, enum sym_space space, const char *name,
			 const struct node *v)
{
	return width_of(c, space, name, v->type, v->kind == N_INT)->type;
}

/* Is it wider, or 64 bits wide where only a constant gave the type before? */
static bool width_grows(struct comp *c, const struct width *w, const struct node *v)
{
	u64 have = type_size(c, w->type), want = type_size(c, v->type);

	return want > have || (want == have && want == 8 && w->constant && v->kind != N_INT &&
			       type_signed(v->type) != type_signed(w->type));
}

void width_met(struct comp *c, struct sym *s, const struct node *v)
{
	struct width *w;

	if (s->declared || s->lib || !type_is_int(s->type) || !type_is_int(v->type))
		return;
	w = width_of(c, s->space, s->name, s->type, false);
	if (!width_grows(c, w, v))
		return;
	w->type = v->type;
	w->constant = v->kind == N_INT;
	s->type = w->type;
	c->widths->found = true;
}

static struct early *early_find(const struct widths *w, enum sym_space space, const char *name)
{
	struct early *e = w->early;

	while (e && (e->space != space || strcmp(e->name, name)))
		e = e->next;
	return e;
}

bool early_wanted(struct comp *c, enum sym_space space, const char *name)
{
	struct early *e = early_find(c->widths, space, name);

	if (e)
		return !e->refused;
	e = ARENA_NEW(c->widths->arena, struct early);
	e->space = space;
	e->name = name;
	e->next = c->widths->early;
	c->widths->early = e;
	return true;
}

void early_made(struct comp *c, const struct sym *s)
{
	struct early *e = early_find(c->widths, s->space, s->name);

	if (!e || e->type)
		return;
	e->type = s->type;
	e->keys = s->keys;
	e->nkeys = s->nkeys;
	c->widths->found = true;
}

struct sym *early_known(struct comp *c, enum sym_space space, const char *name, struct range at)
{
	struct early *e = early_find(c->widths, space, name);
	const struct width *w = map_get(c->widths->by_name, width_key(c, space, name));
	struct sym *s;

	if (!e || !e->type)
		return NULL;
	s = scope_add(c, space, SYM_ASSOC, name, at);
	s->type = w ? w->type : e->type;
	s->keys = e->keys;
	s->nkeys = e->nkeys;
	return s;
}

void early_end(struct comp *c)
{
	if (c->env->diags.nerrors || c->widths->found)
		return;
	for (struct early *e = c->widths->early; e; e = e->next) {
		c->widths->found |= !e->type && !e->refused;
		e->refused |= !e->type;
	}
}
