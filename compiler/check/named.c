/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * named.c - what is known of a name: its space, its symbol, whether it is new; nothing here checks
 * an expression.
 */

#include <dtx/progkind.h>
#include <dtx/tag.h>

#include "compiler/check/check-private.h"
#include "compiler/front/builtin.h"

bool check_scoped(const struct node *n, enum sym_space *space, const char **name)
{
	if (!n || n->kind != N_IDENT || strchr(n->name, '`'))
		return false;
	*space = n->scope == SCOPE_SELF ? SPACE_SELF : n->scope == SCOPE_THIS ? SPACE_THIS :
		 SPACE_GLOBAL;
	*name = n->name;
	return true;
}

const char *check_prefix(enum sym_space space)
{
	return space == SPACE_SELF ? "self->" : space == SPACE_THIS ? "this->" :
	       space == SPACE_AGG ? "@" : "";
}

/* Names of compiler/lib/linux.d, which a program may redefine. */
bool check_is_free(const struct sym *s)
{
	return s->lib && s->at.src && strstr(s->at.src->name, "linux.d");
}

bool check_is_new(struct comp *c, const struct node *n)
{
	enum sym_space space;
	const char *name;
	const struct builtin *b;
	struct sym *s;

	if (!check_scoped(n, &space, &name))
		return false;
	s = scope_find(c, space, name);
	if (s)
		return check_is_free(s) || (!s->type && s->kind == SYM_VAR);
	if (space != SPACE_GLOBAL)
		return true;
	b = builtin_exact(name);
	return strcmp(name, "NULL") && (!b || (b->flags & BF_LINUX));
}

struct type *check_var_type(struct comp *c, const struct sym *s)
{
	struct type *t;

	if (s->points != POINTS_SCRATCH || !type_base(s->type)->is_user)
		return s->type;
	t = type_copy(c, type_base(s->type));
	t->is_user = false;
	return t;
}

bool check_is_later(const struct sym *s, const struct node *n)
{
	const struct source *def = s->at.src, *use = n->at.src;

	if (s->met || s->lib || !def || !use || def->is_library || use->is_library ||
	    ((s->kind == SYM_VAR || s->kind == SYM_ASSOC) && !s->declared))
		return false;
	return def->index > use->index || (def == use && s->at.from > n->at.to);
}

struct node *check_later(struct comp *c, struct node *n, const struct sym *s)
{
	struct diag *d =
		diag_error(&c->env->diags, s->space == SPACE_GLOBAL ? D_IDENT_UNDEF : D_VAR_UNDEF,
			   n->at, "%s%s is not known yet", check_prefix(s->space), n->name);

	diag_note(&c->env->diags, d, s->at, "declared here, after its use");
	return NULL;
}

void check_met(struct comp *c, const struct node *to)
{
	enum sym_space space;
	const char *name;
	struct sym *s;

	if (!check_scoped(to->kind == N_INDEX ? to->a : to, &space, &name))
		return;
	s = scope_find(c, space, name);
	if (s)
		s->met = true;
}

/* `jiffies has its own helper, for kernels that do not export its address. */
bool check_named_jiffies(const char *module, const char *name)
{
	return (!*module || !strcmp(module, "vmlinux")) &&
	       (!strcmp(name, "jiffies") || !strcmp(name, "jiffies_64"));
}

bool check_is_jiffies(const struct node *n)
{
	return n->kind == N_BUILTIN && builtin_is(n->row, BI___jiffies);
}

/* args.NAME; in clauses of iter probes also ctx.NAME, as bpftrace spells it. */
bool check_is_args(struct comp *c, const struct node *a)
{
	bool walks = c->check->inst && c->check->inst->nprobes &&
		     kind_is(c->check->inst->probes[0]->prog.kind, KIND_WALK);

	return a->kind == N_IDENT && a->scope == SCOPE_PLAIN &&
	       (builtin_named(a->name, BI_args) || (walks && !strcmp(a->name, "ctx"))) &&
	       !scope_find(c, SPACE_GLOBAL, a->name);
}

/* ---- names of clauses without probes ---------------------------------------------------- */

static const char *idle_key(struct comp *c, enum sym_space space, const char *name)
{
	return arena_printf(c->arena, "%d %s", space, name);
}

/* A name that the programs write only once is declared nowhere, whatever a broken clause had. */
static bool stands_once(const struct comp *c, const char *name)
{
	size_t n = strlen(name);
	u32 found = 0;

	for (u32 i = 0; i < c->nprogs && found < 2; i++) {
		const char *text = c->progs[i].src->text;

		for (const char *p = text; (p = strstr(p, name)) && found < 2; p += n)
			found += (p == text || !name_char(p[-1])) && !name_char(p[n]);
	}
	return found == 1;
}

bool check_idle_name(struct comp *c, enum sym_space space, const char *name)
{
	if (c->broken && (!*name || !stands_once(c, name)))
		return true;
	if (c->check->idle_params && space == SPACE_GLOBAL)
		return true;
	return c->check->idle && map_get(c->check->idle, idle_key(c, space, name));
}

void check_idle_add(struct comp *c, enum sym_space space, const char *name)
{
	if (!c->check->idle)
		c->check->idle = map_new();
	map_set(c->check->idle, idle_key(c, space, name), c);
}
