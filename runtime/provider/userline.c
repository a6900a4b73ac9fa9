/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * userline.c - lines of the source of programs and libraries, for the providers uprobe and pid:
 *
 *     uprobe:/opt/bin/x:shop.c:42      pid123:x:buy:shop.c@42      pid$target:x:shop.c@42
 *
 * The probe is called FILE@LINE in the function of the source that has it.  It has a place in each
 * copy of an inlined function (dtx_probe.site).  Its arguments are the variables in scope there.
 */
#include <stdlib.h>

#include "runtime/provider/providers.h"

/* All places of one probe, so that its arguments have one order. */
struct places {
	u32 n, ninlined;
	const u64 *addrs;
	const char *file;        /* of the source */
	u32 line;
};

/* ---- names --------------------------------------------------------------------------- */

bool user_is_line(const char *name)
{
	const char *at = strrchr(name, '@');

	return at && at[1] && (!at[1 + strspn(at + 1, "0123456789")] || !strcmp(at + 1, "*"));
}

/* Endings of names of source files: what follows the last dot. */
static bool user_is_source(const char *name)
{
	static const char *const endings[] = {
		"c", "h", "cc", "hh", "cpp", "hpp", "cxx", "hxx", "C", "H", "c++", "ipp", "tcc",
		"inc", "def", "y", "l", "rs", "go", "d", "di", "zig", "nim", "m", "mm", "s", "S",
		"f", "F", "f90", "F90", "f95", "f03", "adb", "ads", "pas", "v", "cu", "swift",
		"vala", "hs", "ml",
	};
	const char *dot = strrchr(name, '.');

	for (u32 i = 0; dot && i < ARRAY_SIZE(endings); i++)
		if (!strcmp(dot + 1, endings[i]))
			return true;
	return false;
}

bool user_line_fields(struct arena *a, const char *func, const char *name, struct dtx_pattern *out)
{
	bool is_number = *name && !name[strspn(name, "0123456789")];

	if (!user_is_source(func) || !(is_number || !strcmp(name, "*")))
		return false;
	out->func = "";
	out->name = arena_printf(a, "%s@%s", func, name);
	return true;
}

/* ---- listing ---------------------------------------------------------------------------- */

/* The function of this name; 0: it has no code of its own, or there are several. */
static u64 function_address(struct dtx_env *env, const struct dtx_pattern *pat, const char *path)
{
	struct elfsyms *syms = user_symbols(env, path);
	const struct elfsym *f = syms && *pat->func && !glob_is_pattern(pat->func) ?
				 elfsyms_by_name(syms, pat->func) : NULL;

	return f && !f->is_twice ? f->addr : 0;
}

static int emit(struct dtx_env *env, const struct user_where *w, const struct dwarf_site *s,
		const char *name, const struct places *places, dtx_probe_fn *each, void *arg)
{
	u64 off = elfsyms_file_off(user_symbols(env, w->path), s->addr);
	struct dtx_probe *p;

	if (off == ~0ull)
		return 0;
	p = user_probe(env, w, s->func, name, off, false);
	p->num = USER_LINE;
	p->site = s->nth;
	p->own = places;
	return each(arg, p);
}

/* The places of the probe that begins at s[0]; *n: their number. */
static const struct places *places_of(struct dtx_env *env, const struct dwarf_site *s, u32 left)
{
	struct places *out = ARENA_NEW(env->arena, struct places);
	u64 *addrs;

	out->n = 1;
	while (out->n < left && s[out->n].nth)
		out->n++;
	out->addrs = addrs = ARENA_ARRAY(env->arena, u64, out->n);
	for (u32 i = 0; i < out->n; i++) {
		addrs[i] = s[i].addr;
		out->ninlined += s[i].is_inlined;
	}
	out->file = s->file;
	out->line = s->line;
	return out;
}

/* As lines, or with this name. */
static int emit_all(struct dtx_env *env, const struct user_where *w, const struct dwarf_site *sites,
		    u32 n, const char *name, dtx_probe_fn *each, void *arg)
{
	const struct places *places = NULL;
	int err = 0;

	for (u32 i = 0; i < n && !err; i++) {
		const struct dwarf_site *s = &sites[i];

		if (!s->nth)
			places = places_of(env, s, n - i);
		err = emit(env, w, s, name ? name : arena_printf(env->arena, "%s@%u",
								 path_base(s->file), s->line),
			   places, each, arg);
	}
	return err;
}

int user_list_inlined(struct dtx_env *env, const struct dtx_pattern *pat,
		      const struct user_where *w, dtx_probe_fn *each, void *arg, bool *found)
{
	struct dwarf_site *sites;
	u32 n = dwarf_copies(env, w->path, pat->func, &sites);

	*found |= n > 0;
	return emit_all(env, w, sites, n, "entry", each, arg);
}

int user_list_lines(struct dtx_env *env, const struct dtx_pattern *pat, const struct user_where *w,
		    dtx_probe_fn *each, void *arg)
{
	const char *at = strrchr(pat->name, '@');
	struct dwarf_lines_of want = {
		.file = at == pat->name ? "*" : arena_strndup(env->arena, pat->name,
							      at - pat->name),
		.func = *pat->func ? pat->func : "*",
		.line = (u32)strtoul(at + 1, NULL, 10),
		.within = function_address(env, pat, w->path),
	};
	struct dwarf_site *sites;
	u32 n = dwarf_lines(env, w->path, &want, &sites);

	return emit_all(env, w, sites, n, NULL, each, arg);
}

/* ---- text of -lv ---------------------------------------------------------------------------- */

/* The n-th line of a file, without blanks around it; NULL: the file or the line is not there. */
static const char *source_text(struct arena *a, const char *path, u32 line)
{
	char *text, *at, *end;
	size_t len;

	if (file_read(path, &text, &len))
		return NULL;
	at = text;
	while (at && --line) {
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	if (at) {
		at += strspn(at, " \t");
		for (end = at + strcspn(at, "\n"); end > at && strchr(" \t\r", end[-1]);)
			end--;
		at = arena_strndup(a, at, end - at);
	}
	free(text);
	return at && *at ? at : NULL;
}

const char *user_about(struct dtx_env *env, const struct dtx_probe *p)
{
	const struct places *l = p->own;
	struct buf out = { 0 };
	const char *text, *all;

	if (p->num != USER_LINE || !l)
		return NULL;
	text = source_text(env->arena, l->file, l->line);
	buf_printf(&out, "%s:%u", l->file, l->line);
	if (text)
		buf_printf(&out, ": %s", text);
	if (l->n > 1 || l->ninlined)
		buf_printf(&out, "\n%u place%s, %u of them in other functions, where it is inlined",
			   l->n, l->n == 1 ? "" : "s", l->ninlined);
	all = arena_strdup(env->arena, out.data);
	buf_free(&out);
	return all;
}

/* ---- why not ------------------------------------------------------------------------------ */

/* The lines next to `line` that have code. */
static const char *near_lines(struct dtx_env *env, struct dwarf_lines_of *want, const char *path)
{
	u32 line = want->line, before = 0, after = 0, n;
	struct dwarf_site *sites;

	want->line = 0;
	n = dwarf_lines(env, path, want, &sites);
	if (!n)
		return NULL;
	for (u32 i = 0; i < n; i++) {
		if (sites[i].line < line)
			before = MAX(before, sites[i].line);
		else if (!after || sites[i].line < after)
			after = sites[i].line;
	}
	if (before && after)
		return arena_printf(env->arena, "no statement begins at line %u of %s: the next "
				    "ones are at %u and %u", line, want->file, before, after);
	return arena_printf(env->arena, "no statement begins at line %u of %s: the next one is at "
			    "%u", line, want->file, before ? before : after);
}

const char *user_line_advise(struct dtx_env *env, const struct dtx_pattern *pat, const char *path)
{
	const char *at = strrchr(pat->name, '@'), *why;
	struct dwarf_lines_of want = {
		.file = at == pat->name ? "*" : arena_strndup(env->arena, pat->name,
							      at - pat->name),
		.func = *pat->func ? pat->func : "*",
		.line = (u32)strtoul(at + 1, NULL, 10),
	};

	if (!dwarf_has(env, path))
		return arena_printf(env->arena,
				    "%s has no debugging information, so its lines are not known: "
				    "compile it with -g, or install its debug package", path);
	why = near_lines(env, &want, path);
	if (why)
		return why;
	if (*pat->func)
		return arena_printf(env->arena, "function '%s' has no line of %s; " TOOL
				    " -l -n 'uprobe:%s:%s:@*' lists its lines", pat->func,
				    want.file, path, pat->func);
	return arena_printf(env->arena, "no code of %s comes from a file '%s'", path, want.file);
}

/* ---- arguments ------------------------------------------------------------------------------ */

/* The variables of one place. */
struct place_vars {
	struct dtx_arg *v;
	u32 n;
};

static const struct dtx_arg *named(const struct place_vars *vars, const char *name)
{
	for (u32 i = 0; i < vars->n; i++)
		if (!strcmp(vars->v[i].name, name))
			return &vars->v[i];
	return NULL;
}

/* The name at i of the first place that has it: is it new there? */
static bool first_here(const struct place_vars *vars, u32 place, const char *name)
{
	for (u32 i = 0; i < place; i++)
		if (named(&vars[i], name))
			return false;
	return true;
}

static void fill(struct dtx_arg *to, const struct dtx_arg *any, const struct dtx_arg *here)
{
	*to = here ? *here : *any;
	if (here)
		return;
	to->loc = LOC_NONE;
	to->text = "it is not in scope in one of the places";
}

/* The names of all places, each with where it is here.  Numbered arguments there are none. */
static void set_variables(struct dtx_env *env, struct dtx_probe *p, const u64 *addrs, u32 n)
{
	u64 addr = elfsyms_vaddr(user_symbols(env, p->target), p->off);
	struct place_vars *vars = ARENA_ARRAY(env->arena, struct place_vars, n), *own = NULL;
	struct dtx_arg *a;
	u32 total = 0;

	for (u32 i = 0; i < n; i++) {
		vars[i].n = dwarf_variables(env, p->target, addrs[i],
					    p->num == USER_LINE ? p->func : NULL, &vars[i].v);
		total += vars[i].n;
		own = addrs[i] == addr ? &vars[i] : own;
	}
	a = prov_args(env, p, DTX_MAX_ARGS + total);
	total = DTX_MAX_ARGS;
	for (u32 i = 0; i < n && own; i++)
		for (u32 k = 0; k < vars[i].n; k++)
			if (first_here(vars, i, vars[i].v[k].name))
				fill(&a[total++], &vars[i].v[k], named(own, vars[i].v[k].name));
	p->nargs = total;
	p->args_untyped = total == DTX_MAX_ARGS;
}

void user_line_args(struct dtx_env *env, struct dtx_probe *p)
{
	const struct places *places = p->own;
	struct elfsyms *syms = user_symbols(env, p->target);
	u64 addr = syms ? elfsyms_vaddr(syms, p->off) : ~0ull;

	if (p->args_raw || !syms)
		p->args_untyped = true;
	else if (p->num == USER_LINE && places)
		set_variables(env, p, places->addrs, places->n);
	else
		set_variables(env, p, &addr, 1);
}

/* Names of globals have the same numbers for all functions: a clause may be on many of them. */
static u32 global_number(struct dtx_env *env, const char *name)
{
	struct map *numbers = user_globals(env);
	uintptr_t n = (uintptr_t)map_get(numbers, name);

	if (!n) {
		n = map_count(numbers) + 1;
		map_set(numbers, name, (void *)n);
	}
	return (u32)n - 1;
}

bool user_named(struct dtx_env *env, struct dtx_probe *p, const char *name)
{
	bool returns = p->kind == PK_URETPROBE || p->kind == PK_URETPROBE_MULTI;
	struct elfsyms *syms = returns || p->args_raw ? NULL : user_symbols(env, p->target);
	struct dtx_arg global, *to;
	u32 at, n = p->nargs;
	u64 value;

	if (!syms || !elfsyms_value(syms, name, &value) ||
	    !dwarf_global(env, p->target, elfsyms_vaddr(syms, p->off), name, &global))
		return false;
	at = p->num ? n : DTX_MAX_ARGS + global_number(env, name);
	to = ARENA_ARRAY(env->arena, struct dtx_arg, MAX(n, at + 1));
	if (n)
		memcpy(to, p->args, n * sizeof(*to));
	to[at] = global;
	p->args = to;
	p->nargs = MAX(n, at + 1);
	p->args_untyped = false;
	return true;
}
