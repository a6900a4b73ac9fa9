/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scope.c - names: variables in four spaces, types by name, did-you-mean.
 *
 * Types are searched in the program first, then among the types D always has, then in
 * the type sources in the order of the environment.  Results are cached, also
 * failures.  Depends only on the tables.
 */
#include "compiler/front/parse.h"

/* ---- variables ------------------------------------------------------------------ */

struct sym *scope_peek(struct comp *c, enum sym_space space, const char *name)
{
	struct sym *s = map_get(c->front->names[space], name);

	return s && s->hidden ? NULL : s;
}

struct sym *scope_find(struct comp *c, enum sym_space space, const char *name)
{
	struct sym *s = scope_peek(c, space, name);

	if (!s && space == SPACE_GLOBAL && lib_name(c, name))
		s = scope_peek(c, space, name);
	return s;
}

struct sym *scope_add(struct comp *c, enum sym_space space, enum sym_kind kind, const char *name,
		      struct range at)
{
	struct sym *s = ARENA_NEW(c->arena, struct sym);

	s->kind = kind;
	s->space = space;
	s->name = arena_strdup(c->arena, name);
	s->at = at;
	s->lib = c->front->in_lib == LIB_OWN;
	map_set(c->front->names[space], s->name, s);
	*c->syms_last = s;
	c->syms_last = &s->next;
	pragma_named(c, s);
	return s;
}

/* ---- types ------------------------------------------------------------------------ */

static u32 scope_slot(enum type_kind what)
{
	return what == T_STRUCT ? 0 : what == T_UNION ? 1 : what == T_ENUM ? 2 : 3;
}

/* Stands for a cached "no such type". */
static struct type scope_absent;

static struct type *ask_type(struct comp *c, enum type_kind what, const char *name, bool kernel)
{
	struct map *m = c->front->types[scope_slot(what)];
	const char *key = arena_printf(c->arena, "%c%s", kernel ? '\004' : '\001', name);
	struct type *t = map_get(m, key);

	if (t)
		return t == &scope_absent ? NULL : t;
	for (u32 i = 0; !t && i < ARRAY_SIZE(c->env->sources) && c->env->sources[i]; i++)
		if (!kernel || c->env->sources[i]->is_kernel)
			t = c->env->sources[i]->by_name(c->env->sources[i], c->env->arena, what,
							name);
	map_set(m, key, t ? t : &scope_absent);
	return t;
}

static struct type *scope_ask(struct comp *c, enum type_kind what, const char *name)
{
	return ask_type(c, what, name, false);
}

struct kernel_tag *scope_kernel_tags(struct comp *c)
{
	return c->front->kernel_tags;
}

struct type *scope_kernel_tag(struct comp *c, enum type_kind what, const char *name)
{
	return map_get(c->front->types[scope_slot(what)], name) ? NULL :
	       ask_type(c, what, name, true);
}

struct type *scope_kernel_type(struct comp *c, enum type_kind what, const char *name)
{
	struct type *t = ask_type(c, what, name, true);

	return t ? scope_complete(c, t) : NULL;
}

/* D`type and C`type: types of the program, and of the headers that it includes. */
static bool scope_is_own(const char *name)
{
	return !strncmp(name, "D`", 2) || !strncmp(name, "C`", 2);
}

struct type *scope_type(struct comp *c, enum type_kind what, const char *name)
{
	const char *plain = strrchr(name, '`');
	struct type *t;

	if (plain && scope_is_own(name))
		return map_get(c->front->types[scope_slot(what)], plain + 1);
	if (plain) { /* module`type: a program's own, else that of the kernel and its modules */
		t = scope_ask(c, what, name);
		return t ? t : scope_ask(c, what, plain + 1);
	}
	t = map_get(c->front->types[scope_slot(what)], name);
	if (!t && scope_slot(what) == 3)
		t = type_builtin(name);
	if (!t && lib_type(c, what, name))
		t = map_get(c->front->types[scope_slot(what)], name);
	return t ? t : scope_ask(c, what, name);
}

void scope_add_type(struct comp *c, enum type_kind what, const char *name, struct type *t)
{
	map_set(c->front->types[scope_slot(what)], name, t);
}

/* In the map of typedefs, under a key that cannot be a name. */
void scope_add_extern(struct comp *c, const char *name, struct type *t)
{
	map_set(c->front->types[3], arena_printf(c->arena, "\003%s", name + strspn(name, "`")), t);
}

struct type *scope_extern(struct comp *c, const char *name)
{
	return map_get(c->front->types[3], arena_printf(c->arena, "\003%s", name));
}

struct type *scope_complete(struct comp *c, struct type *t)
{
	struct type *base = type_base(t), *def;

	if (!base)
		return t;
	type_complete(base);
	if (!base->incomplete || !base->name || !*base->name)
		return base;
	def = map_get(c->front->types[scope_slot(base->kind)], base->name);
	if (!def || def->incomplete)
		def = scope_ask(c, base->kind, base->name);
	return def && !def->incomplete ? type_complete(def) : base;
}

/* u8 … u64, __le32 …: the kernel's own integer names. */
static bool scope_kernel_int(const char *name)
{
	static const char *const stems[] = { "u", "s", "le", "be", "int", "uint" };

	name += 2 * !strncmp(name, "__", 2);
	for (u32 i = 0; i < ARRAY_SIZE(stems); i++) {
		size_t n = strlen(stems[i]);
		const char *bits = name + n;

		if (!strncmp(name, stems[i], n) &&
		    (!strcmp(bits, "8") || !strcmp(bits, "16") || !strcmp(bits, "32") ||
		     !strcmp(bits, "64") || !strcmp(bits, "128")))
			return true;
	}
	return false;
}

/*
 * Could this be the name of a kernel type?  The lexer asks for every identifier, and
 * opening the kernel's types costs more than compiling a small program, so only names
 * that look like types are looked up: NAME_t, the kernel's integers, bool, and the
 * few capitalised families (Elf64_Sym …).  Others can be written `struct NAME` or
 * through a typedef of the program.
 */
static bool scope_looks_like_type(const char *name)
{
	static const char *const others[] = {
		"bool", "ulong", "ushort", "uint", "uchar", "u_char", "u_short", "u_int", "u_long",
	};
	size_t n = strlen(name);

	if (scope_is_own(name))
		return true;
	if (strchr(name, '`'))
		return n > 2 && !strcmp(name + n - 2, "_t");
	if (n > 2 && !strcmp(name + n - 2, "_t"))
		return true;
	for (u32 i = 0; i < ARRAY_SIZE(others); i++)
		if (!strcmp(name, others[i]))
			return true;
	return scope_kernel_int(name) || !strncmp(name, "Elf32_", 6) ||
	       !strncmp(name, "Elf64_", 6);
}

bool scope_is_typename(struct comp *c, const char *name)
{
	if (map_get(c->front->types[3], name) || type_builtin(name))
		return true;
	if (map_get(c->front->names[SPACE_GLOBAL], name) || builtin_exact(name) || agg_find(name))
		return false;
	return scope_looks_like_type(name) && scope_type(c, T_TYPEDEF, name);
}

bool scope_once(struct comp *c, const char *key)
{
	const char *k = arena_printf(c->arena, "\002%s", key);

	if (map_get(c->front->types[0], k))
		return false;
	map_set(c->front->types[0], k, &scope_absent);
	return true;
}
