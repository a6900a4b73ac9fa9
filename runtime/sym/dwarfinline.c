/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarfinline.c - the copies of a function that the compiler has put into others.
 */
#include <stdlib.h>

#include <dwarf.h>

#include "runtime/sym/dwarf.h"

#define COPIES_MOST 10000

struct copies {
	struct dtx_env *env;
	const char *func;
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

static void walk(struct copies *c, Dwarf_Die *parent, u32 depth)
{
	Dwarf_Die die;

	if (depth == DWARF_SCOPES || dwarf_below(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);
		const char *name =
			tag == DW_TAG_inlined_subroutine ? dwarf_diename(&die) : NULL;

		if (name && !strcmp(name, c->func))
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

u32 dwarf_copies(struct dtx_env *env, const char *path, const char *func, struct dwarf_site **out)
{
	struct dwarf_obj *o = dwarf_open(env, path);
	struct copies c = { .env = env, .func = arena_strdup(env->arena, func) };
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	u32 n = 0;

	while (o && !dwarf_get_units(o->dw, cu, &cu, NULL, NULL, &unit, NULL))
		walk(&c, &unit, 0);
	if (c.found.n)
		qsort(c.found.v, c.found.n, sizeof(*c.found.v), addr_cmp);
	*out = ARENA_ARRAY(env->arena, struct dwarf_site, c.found.n + 1);
	for (u32 i = 0; i < c.found.n; i++) {
		if (n && (*out)[n - 1].addr == c.found.v[i].addr)
			continue;
		(*out)[n] = c.found.v[i];
		(*out)[n].nth = n;
		n++;
	}
	VEC_FREE(&c.found);
	return n;
}
