/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * line.c - lines of the source as probes, of programs (userline.c) and of the kernel (kernline.c).
 *
 * The probe is called FILE@LINE in the function of the source that has it; FUNCTION:@+2 is two
 * lines below the one in which the function is declared.  It has a place in each copy of an inlined
 * function (place.site).  Its arguments are the variables in scope there.
 * Why: docs/decisions/36-lines.md
 */
#include <stdlib.h>

#include <dtx/env.h>
#include <dtx/abi.h>
#include <dtx/tables/loc.h>

#include "runtime/code/code.h"
#include "runtime/dwarf/debuginfo.h"
#include "runtime/proc/proc.h"
#include "runtime/provider/provider.h"

/* All places of one probe, so that its arguments have one order. */
struct line_places {
	u32 n, ninlined;
	const u64 *addrs;
	const char *object;      /* the file with the debugging information, or its program */
	const char *file;        /* of the source */
	u32 line;
};

/* ---- names --------------------------------------------------------------------------- */

bool line_is(const char *name)
{
	const char *at = strrchr(name, '@');

	return at && (is_digits(at + 1 + (at[1] == '+')) || !strcmp(at + 1, "*"));
}

/* Endings of names of source files: what follows the last dot. */
static bool is_source(const char *name)
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

bool line_fields(struct arena *a, const char *func, const char *name, struct dtx_pattern *out)
{
	if (!is_source(func) || !(is_digits(name) || !strcmp(name, "*")))
		return false;
	out->func = "";
	out->name = arena_printf(a, "%s@%s", func, name);
	return true;
}

/* ---- what a description wants ----------------------------------------------------------- */

/* The function of this name; 0: it has no code of its own, or there are several. */
static u64 function_address(struct dtx_env *env, const struct dtx_pattern *pat, const char *path)
{
	struct elfsyms *syms = user_symbols(env, path);
	const struct elfsym *f = syms && *pat->func && !glob_is_pattern(pat->func) ?
				 elfsyms_by_name(syms, pat->func) : NULL;

	return f && !f->is_twice ? f->addr : 0;
}

bool line_wanted(struct dtx_env *env, const struct dtx_pattern *pat, const char *object,
		 struct dwarf_lines_of *want)
{
	const char *at = strrchr(pat->name, '@');
	u32 declared = 0;

	*want = (struct dwarf_lines_of){
		.file = at == pat->name ? "*" : arena_strndup(env->arena, pat->name,
							      at - pat->name),
		.func = *pat->func ? pat->func : "*",
		.line = (u32)strtoul(at + 1, NULL, 10),
		.within = function_address(env, pat, object),
	};
	if (at[1] != '+')
		return true;
	if (!dwarf_declared(env, object, want->func, want->within, &want->file, &declared))
		return false;
	want->line += declared;
	return true;
}

/* ---- listing ---------------------------------------------------------------------------- */

/* The places of the probe that begins at s[0]; *n: their number. */
static struct line_places *places_of(struct dtx_env *env, const struct dwarf_site *s, u32 left)
{
	struct line_places *out = ARENA_NEW(env->arena, struct line_places);
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

static int emit(struct dtx_env *env, const struct line_maker *m, const struct dwarf_site *s,
		const char *name, const struct line_places *places)
{
	struct dtx_probe *p = m->make(env, m, s, name);

	if (!p)
		return 0;
	p->place.site = s->nth;
	p->own = places;
	return m->each(m->arg, p);
}

int line_list(struct dtx_env *env, const struct line_maker *m, const struct dwarf_site *sites,
	      u32 n, const char *name)
{
	struct line_places *places = NULL;
	int err = 0;

	for (u32 i = 0; i < n && !err; i++) {
		const struct dwarf_site *s = &sites[i];

		if (!s->nth) {
			places = places_of(env, s, n - i);
			places->object = m->object;
		}
		err = emit(env, m, s, name ? name : arena_printf(env->arena, "%s@%u",
								 path_base(s->file), s->line),
			   places);
	}
	return err;
}

/* ---- text of -lv ---------------------------------------------------------------------------- */

/* The n-th line of a file, without blanks around it; NULL: the file or the line is not there. */
static const char *source_text(struct arena *a, const char *path, u32 line)
{
	char *text, *at, *end;
	size_t len;

	if (file_read_named(path, &text, &len))
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

const char *line_about(struct dtx_env *env, const struct dtx_probe *p)
{
	const struct line_places *l = p->own;
	struct buf out = { 0 };
	const char *text, *all;

	if (!l)
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
	const char *file = path_base(want->file);
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
		return arena_printf(env->arena, "no statement begins at line %u of %s: the "
				    "nearest are at %u and %u", line, file, before, after);
	return arena_printf(env->arena, "no statement begins at line %u of %s: the nearest is at "
			    "%u", line, file, before ? before : after);
}

const char *line_advise(struct dtx_env *env, const struct dtx_pattern *pat, const char *object,
			const char *shown)
{
	const char *prov = strcmp(pat->prov, "fbt") ? "uprobe" : "fbt", *why;
	struct dwarf_lines_of want;

	if (!line_wanted(env, pat, object, &want))
		return arena_printf(env->arena, "%s has no function '%s' in its debugging "
				    "information", shown, pat->func);
	why = near_lines(env, &want, object);
	if (why)
		return why;
	if (*pat->func)
		return arena_printf(env->arena, "function '%s' has no line of %s; " TOOL
				    " -l -n '%s:%s:%s:@*' lists its lines", pat->func, want.file,
				    prov, shown, pat->func);
	return arena_printf(env->arena, "no code of %s comes from a file '%s'", shown, want.file);
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
static void set_variables(struct dtx_env *env, struct dtx_probe *p, const struct line_places *l,
			  const char *func)
{
	struct place_vars *vars = ARENA_ARRAY(env->arena, struct place_vars, l->n);
	const struct place_vars *own = &vars[p->place.site];
	struct dtx_arg *a;
	u32 total = 0;

	for (u32 i = 0; i < l->n; i++) {
		vars[i].n = dwarf_variables(env, l->object, l->addrs[i], func, &vars[i].v);
		total += vars[i].n;
	}
	a = prov_args(env, p, DTX_MAX_ARGS + total);
	total = DTX_MAX_ARGS;
	for (u32 i = 0; i < l->n; i++)
		for (u32 k = 0; k < vars[i].n; k++)
			if (first_here(vars, i, vars[i].v[k].name))
				fill(&a[total++], &vars[i].v[k], named(own, vars[i].v[k].name));
	p->args.n = total;
	p->args.untyped = total == DTX_MAX_ARGS;
}

void line_args(struct dtx_env *env, struct dtx_probe *p)
{
	set_variables(env, p, p->own, p->func);
}

void line_args_at(struct dtx_env *env, struct dtx_probe *p, const char *object, u64 addr)
{
	struct line_places one = { .n = 1, .addrs = &addr, .object = object };

	set_variables(env, p, &one, NULL);
}
