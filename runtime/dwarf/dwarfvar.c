/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarfvar.c - the variables in scope at an address of a program: of its blocks, its function, and
 * of the unit outside of functions.
 */
#include <stdlib.h>

#include <dwarf.h>

#include <dtx/tables/loc.h>
#include <dtx/provider.h>
#include "runtime/dwarf/dwarf-private.h"

#define VARS_MOST 1000           /* of one place; more are not listed */
#define MADE_NAME "__UNIQUE_ID_" /* of the kernel's macros (include/linux/compiler.h) */

struct finding {
	struct dwarf_obj *o;
	u64 addr;
	Dwarf_Die *subprogram;
	struct map *seen;        /* names: an inner one hides the outer ones */
	VEC(struct dtx_arg) found;
};

static u32 size_of(struct type *t)
{
	struct type *b = type_base(t);

	return b && b->kind == T_PTR ? 8 : MIN(type_complete(t)->size, UINT16_MAX);
}

static bool is_variable(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_variable || tag == DW_TAG_formal_parameter;
}

static bool is_declaration(Dwarf_Die *die)
{
	return dwarf_hasattr(die, DW_AT_declaration) && !dwarf_hasattr(die, DW_AT_location);
}

/* false: it has no type that D knows. */
static bool set_argument(struct finding *f, Dwarf_Die *die, struct dtx_arg *a)
{
	struct type *b;

	*a = (struct dtx_arg){ .by_name = true, .user = !f->o->module };
	a->name = plain_name(f->o->env->arena,
			     arena_strdup(f->o->env->arena, dwarf_diename(die)));
	a->type = dwarf_type_of(f->o, die);
	b = type_base(a->type);
	if (!b || b->kind == T_VOID || b->kind == T_FUNC)
		return false;
	a->size = (u16)size_of(b);
	a->is_signed = (b->kind == T_INT || b->kind == T_ENUM) && b->is_signed;
	dwarf_where(f->o, die, f->subprogram, f->addr, a);
	if (b->kind == T_FLOAT && a->loc != LOC_NONE) {
		a->loc = LOC_NONE;
		a->text = "D does not compute with floating-point numbers";
	}
	if ((a->loc == LOC_REG || a->loc == LOC_VALUE) && a->size < 8 &&
	    (b->kind == T_STRUCT || b->kind == T_UNION))
		a->size = 8;             /* a whole register */
	return true;
}

static void add_variable(struct finding *f, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);
	struct dtx_arg a;

	if (!name || !*name || !strncmp(name, MADE_NAME, sizeof(MADE_NAME) - 1) ||
	    map_get(f->seen, name) || f->found.n == VARS_MOST || is_declaration(die) ||
	    !set_argument(f, die, &a))
		return;
	map_set(f->seen, name, die->addr);
	VEC_PUSH(&f->found, a);
}

static void add_children(struct finding *f, Dwarf_Die *scope)
{
	Dwarf_Die die;

	if (dwarf_below(scope, &die))
		return;
	do {
		if (is_variable(&die))
			add_variable(f, &die);
	} while (!dwarf_siblingof(&die, &die));
}

/* Those that the compiler left out of an inlined or cloned copy are in the original. */
static void add_original(struct finding *f, Dwarf_Die *scope)
{
	Dwarf_Attribute a;
	Dwarf_Die origin;

	if (dwarf_attr(scope, DW_AT_abstract_origin, &a) && dwarf_formref_die(&a, &origin))
		add_children(f, &origin);
}

static Dwarf_Die *subprogram_of(Dwarf_Die *scopes, u32 n)
{
	while (n--)
		if (dwarf_tag(&scopes[n]) == DW_TAG_subprogram)
			return &scopes[n];
	return NULL;
}

/* The number of scopes up to the last function of that name; 0: the code is in none. */
static u32 up_to(Dwarf_Die *scopes, u32 n, const char *func)
{
	for (u32 i = n; func && i--;) {
		const char *name = dwarf_is_function(&scopes[i]) ? dwarf_diename(&scopes[i]) : NULL;

		if (*func ? !name || strcmp(name, func) :
			    dwarf_tag(&scopes[i]) != DW_TAG_subprogram)
			continue;
		/* Its blocks are in scope too, but no function inside of it. */
		for (i++; i < n && !dwarf_is_function(&scopes[i]);)
			i++;
		return i;
	}
	return func ? 0 : n;
}

u32 dwarf_variables(struct dtx_env *env, const char *path, u64 addr, const char *func,
		    struct dtx_arg **out)
{
	struct finding f = { .o = dwarf_open(env, path), .addr = addr };
	Dwarf_Die scopes[DWARF_SCOPES];
	u32 n = f.o ? dwarf_scopes(f.o, addr, scopes) : 0, i = up_to(scopes, n, func);
	bool in_function = true;

	*out = NULL;
	if (!n)
		return 0;
	f.seen = map_new();
	f.subprogram = subprogram_of(scopes, n);
	while (i-- && in_function) {
		add_children(&f, &scopes[i]);
		add_original(&f, &scopes[i]);
		in_function = !dwarf_is_function(&scopes[i]);
	}
	add_children(&f, &scopes[0]);
	*out = arena_memdup(env->arena, f.found.v, f.found.n * sizeof(*f.found.v));
	n = f.found.n;
	VEC_FREE(&f.found);
	map_free(f.seen);
	return n;
}

bool dwarf_global(struct dtx_env *env, const char *path, u64 addr, const char *name,
		  struct dtx_arg *out)
{
	struct finding f = { .o = dwarf_open(env, path), .addr = addr };
	Dwarf_Die unit, die;

	if (!f.o)
		return false;
	/* That of the function's own file, if several have the name. */
	if (dwarf_unit_at(f.o, addr, &unit) && !dwarf_below(&unit, &die))
		do {
			const char *own = is_variable(&die) ? dwarf_diename(&die) : NULL;

			if (own && !strcmp(own, name) && !is_declaration(&die))
				return set_argument(&f, &die, out);
		} while (!dwarf_siblingof(&die, &die));
	return dwarf_named(f.o, 'v', name, &die) && set_argument(&f, &die, out);
}

/* ---- Go --------------------------------------------------------------------------------- */

/* Results are parameters too. */
static bool is_result(Dwarf_Die *die)
{
	Dwarf_Attribute a;
	bool v;

	return dwarf_attr_integrate(die, DW_AT_variable_parameter, &a) &&
	       !dwarf_formflag(&a, &v) && v;
}

u32 dwarf_go(struct dtx_env *env, const char *path, u64 func, u64 addr, bool results,
	     struct dtx_arg **out)
{
	struct finding f = { .o = dwarf_open(env, path), .addr = addr };
	Dwarf_Die scopes[DWARF_SCOPES], die;
	u32 n = f.o ? dwarf_scopes(f.o, func, scopes) : 0;
	struct dtx_arg a;

	*out = NULL;
	f.subprogram = subprogram_of(scopes, n);
	if (!f.subprogram || dwarf_srclang(&scopes[0]) != DW_LANG_Go)
		return ~0u;
	if (!dwarf_child(f.subprogram, &die))
		do {
			if (dwarf_tag(&die) != DW_TAG_formal_parameter || !dwarf_diename(&die) ||
			    is_result(&die) != results || !set_argument(&f, &die, &a))
				continue;
			a.by_name = false;
			VEC_PUSH(&f.found, a);
		} while (!dwarf_siblingof(&die, &die));
	n = f.found.n;
	*out = arena_memdup(env->arena, f.found.v, n * sizeof(*f.found.v));
	VEC_FREE(&f.found);
	return n;
}
