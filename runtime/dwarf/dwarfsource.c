/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarfsource.c - prototypes of functions of programs and libraries by their address, and types of
 * these by name as a type source.
 * Why: docs/decisions/23-dwarf-types.md
 */
#include "runtime/dwarf/dwarf-private.h"

/* "pid`name": in any program; "shop`name", "libc.so.6`name": in this object; else in all. */
static bool is_scope_of(const struct dwarf_obj *o, const char *scope, size_t len)
{
	return !len || (len == 3 && !memcmp(scope, "pid", 3)) ||
	       (strlen(o->name) == len && !memcmp(scope, o->name, len));
}

static struct type *by_name(struct type_source *src, struct arena *a, enum type_kind what,
			    const char *name)
{
	struct dwarf_src *s = src->priv;
	char space = what == T_TYPEDEF ? 'n' : strchr(name, ':') ? 'S' : 's';
	const char *scope = name, *tick = strrchr(name, '`');
	size_t len = tick ? (size_t)(tick - name) : 0;

	name = tick ? tick + 1 : name;

	if (s->env->target_exe)
		dwarf_note(s->env, s->env->target_exe);
	for (struct dwarf_obj *o = s->first; o; o = o->next) {
		Dwarf_Die die;
		struct type *t;

		if (!is_scope_of(o, scope, len) || !dwarf_file_open(o) ||
		    !dwarf_named(o, space, name, &die))
			continue;
		t = dwarf_type(o, &die);
		if (what == T_TYPEDEF || t->kind == what)
			return t;
	}
	return NULL;
}

static struct type *no_function(struct type_source *src, struct arena *a, const char *module,
				const char *name)
{
	return NULL;
}

struct type_source *dwarf_types(struct dtx_env *env)
{
	struct dwarf_src *s = dwarf_source(env);

	s->types = (struct type_source){
		.name = "the program's DWARF", .by_name = by_name, .function = no_function,
		.variable = no_function, .priv = s,
	};
	return &s->types;
}

struct type *dwarf_function(struct dtx_env *env, const char *path, u64 addr, const char *name)
{
	struct dwarf_obj *o = dwarf_open(env, path);
	Dwarf_Die die;

	if (!o || !dwarf_function_at(o, addr, &die))
		return NULL;
	return dwarf_prototype(o, &die, name);
}
