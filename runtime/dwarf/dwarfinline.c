/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarfinline.c - the copies of a function that the compiler has put into others.
 */
#include <stdlib.h>

#include <dwarf.h>

#include "runtime/dwarf/dwarf-private.h"

#define COPIES_MOST 10000

struct copies {
	struct dtx_env *env;
	const char *func;
	const char *linkage;     /* NULL: each function of the name */
	int line;                /* where it is declared; 0: anywhere */
	VEC(struct dwarf_site) found;
};

static void add_copy(struct copies *c, Dwarf_Die *die)
{
	struct dwarf_site s = { .is_inlined = true };
	const char *file = dwarf_decl_file(die);
	Dwarf_Addr addr;
	int line = 0;

	if (dwarf_entrypc(die, &addr) || c->found.n == COPIES_MOST)
		return;
	dwarf_decl_line(die, &line);
	s.addr = addr;
	s.func = c->func;
	s.file = arena_strdup(c->env->arena, file ? file : "");
	s.line = (u32)MAX(line, 0);
	VEC_PUSH(&c->found, s);
}

static const char *linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute a;

	return dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &a));
}

static bool is_copy(const struct copies *c, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die), *linkage;
	int line = 0;

	if (!name || strcmp(name, c->func))
		return false;
	linkage = c->linkage ? linkage_name(die) : NULL;
	return (!c->linkage || (linkage && !strcmp(linkage, c->linkage))) &&
	       (!c->line || (!dwarf_decl_line(die, &line) && line == c->line));
}

static void walk(struct copies *c, Dwarf_Die *parent, u32 depth)
{
	Dwarf_Die die;

	if (depth == DWARF_SCOPES || dwarf_below(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_inlined_subroutine && is_copy(c, &die))
			add_copy(c, &die);
		if (dwarf_is_function(&die) || tag == DW_TAG_lexical_block ||
		    tag == DW_TAG_namespace || tag == DW_TAG_structure_type ||
		    tag == DW_TAG_class_type)
			walk(c, &die, depth + 1);
	} while (!dwarf_siblingof(&die, &die));
}

static int addr_cmp(const void *pa, const void *pb)
{
	const struct dwarf_site *a = pa, *b = pb;

	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

/* Of those found, each place once. */
static u32 sites(struct copies *c, struct dwarf_site **out)
{
	u32 n = 0;

	if (c->found.n)
		qsort(c->found.v, c->found.n, sizeof(*c->found.v), addr_cmp);
	*out = ARENA_ARRAY(c->env->arena, struct dwarf_site, c->found.n + 1);
	for (u32 i = 0; i < c->found.n; i++) {
		if (n && (*out)[n - 1].addr == c->found.v[i].addr)
			continue;
		(*out)[n] = c->found.v[i];
		(*out)[n].nth = n;
		n++;
	}
	VEC_FREE(&c->found);
	return n;
}

static void walk_all(struct copies *c, struct dwarf_obj *o)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	while (o && !dwarf_get_units(o->dw, cu, &cu, NULL, NULL, &unit, NULL))
		walk(c, &unit, 0);
}

u32 dwarf_copies(struct dtx_env *env, const char *path, const char *func, struct dwarf_site **out)
{
	struct copies c = { .env = env, .func = arena_strdup(env->arena, func) };

	walk_all(&c, dwarf_open(env, path));
	return sites(&c, out);
}

/* Does the compiler say that it has put the function into others? */
static bool is_inlined(Dwarf_Die *die)
{
	Dwarf_Attribute a;
	Dwarf_Word how;

	return dwarf_attr_integrate(die, DW_AT_inline, &a) && !dwarf_formudata(&a, &how) &&
	       (how == DW_INL_inlined || how == DW_INL_declared_inlined);
}

u32 dwarf_copies_of(struct dtx_env *env, const char *path, u64 addr, struct dwarf_site **out)
{
	struct dwarf_obj *o = dwarf_open(env, path);
	struct copies c = { .env = env };
	struct dwarf_site own = { .addr = addr };
	const char *name;
	Dwarf_Die die;
	u32 n;

	*out = NULL;
	if (!o || !dwarf_function_at(o, addr, &die) || !is_inlined(&die) || !dwarf_diename(&die))
		return 0;
	name = dwarf_diename(&die);
	c.func = arena_strdup(env->arena, name);
	c.linkage = linkage_name(&die);
	dwarf_decl_line(&die, &c.line);
	walk_all(&c, o);
	n = c.found.n;
	if (n) {
		own.func = c.func;
		own.file = c.found.v->file;
		own.line = c.found.v->line;
		VEC_PUSH(&c.found, own);
	}
	return sites(&c, out);
}
