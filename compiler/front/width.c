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
	bool natural;            /* of a key: that constant is 0 or more, all its types hold it */
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

static bool is_enum(const struct type *t) { return type_base((struct type *)t)->kind == T_ENUM; }

/* The type of all values of both: of int and unsigned int it is int64_t.  There is none above that:
 * the first of two with 64 bits counts, and int64_t of one and a narrow one with a sign. */
static struct type *width_join(struct comp *c, struct type *have, struct type *t)
{
	u64 a = type_size(c, have), b = type_size(c, t), is_unsigned = type_signed(have) ? b : a;

	if (type_signed(have) == type_signed(t) || MIN(a, b) == 8 || is_enum(have) || is_enum(t))
		return b > a ? t : have;
	if (a != b && is_unsigned == MIN(a, b))
		return b > a ? t : have;
	return is_unsigned < 4 ? &ty_int : type_builtin("int64_t");
}

/* With a constant it is the wider one, or that of the other where a constant gave 64 bits. */
static struct type *width_wanted(struct comp *c, const struct width *w, const struct node *v)
{
	u64 have = type_size(c, w->type), want = type_size(c, v->type);

	if (!w->constant && v->kind != N_INT)
		return width_join(c, w->type, v->type);
	return want > have || (want == have && want == 8 && w->constant && v->kind != N_INT) ?
	       v->type : w->type;
}

static bool width_same(struct comp *c, struct type *a, struct type *b)
{
	return type_size(c, a) == type_size(c, b) && type_signed(a) == type_signed(b);
}

/* Has the value changed the type? */
static bool width_meets(struct comp *c, struct width *w, const struct node *v)
{
	struct type *wanted = width_wanted(c, w, v);

	if (width_same(c, wanted, w->type))
		return false;
	w->type = wanted;
	w->constant = v->kind == N_INT;
	c->widths->found = true;
	return true;
}

static bool width_is_free(const struct sym *s, const struct type *t, const struct node *v)
{
	return !s->declared && !s->lib && type_is_int(t) && type_is_int(v->type);
}

void width_met(struct comp *c, struct sym *s, const struct node *v)
{
	struct width *w;

	if (!width_is_free(s, s->type, v))
		return;
	w = width_of(c, s->space, s->name, s->type, false);
	if (width_meets(c, w, v))
		s->type = w->type;
}

void width_added(struct comp *c, struct sym *s, const struct node *v)
{
	if (type_is_int(s->type) && type_size(c, v->type) > type_size(c, s->type))
		width_met(c, s, v);
}

/* Does a key of this type hold the constant? */
static bool width_holds(struct comp *c, const struct type *t, const struct node *v)
{
	u64 bits = type_size(c, (struct type *)t) * 8 - type_signed(t);

	if (v->kind != N_INT)
		return false;
	if (type_signed(v->type) && (s64)v->value < 0)
		return type_signed(t) && (s64)v->value >> bits == -1;
	return bits >= 64 || v->value < 1ull << bits;
}

void width_key_met(struct comp *c, struct sym *s, u32 i, struct type **have, const struct node *k)
{
	const char *name = arena_printf(c->arena, "%s[%u]", s->name, i);
	struct width *w;

	if (!width_is_free(s, *have ? *have : k->type, k))
		return;
	w = width_of(c, s->space, name, *have ? *have : k->type, !*have && k->kind == N_INT);
	w->natural |= !*have && k->kind == N_INT && (s64)k->value >= 0;
	if (w->constant && w->natural && k->kind != N_INT &&
	    type_size(c, k->type) == type_size(c, w->type) && !width_same(c, k->type, w->type)) {
		*w = (struct width){ .type = k->type };
		c->widths->found = true;
	} else if (!width_holds(c, w->type, k)) {
		width_meets(c, w, k);
	}
	*have = w->type;
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
