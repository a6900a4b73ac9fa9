/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * width.c - widths of undeclared variables.
 *
 * `x = 0` in one clause and `x = timestamp` in another: x holds 64 bits, also in earlier
 * clauses.  The checker reads from front to back.  What it finds too late is kept here by
 * name, and the program is compiled once more (compile.c).  Widths only grow, so this
 * ends.
 */
#include "compiler/front/front.h"

struct width {
	struct type *type;
	bool constant;           /* the value that gave the type is a constant */
};

struct widths {
	struct arena *arena;
	struct map *by_name;     /* "space name" */
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
