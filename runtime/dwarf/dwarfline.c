/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarfline.c - the places where lines of the source begin.
 *
 * The code of a line may be in several ranges, and in the copies of an inlined function.  As for
 * breakpoints of debuggers, a line has one place in each copy of its function: its lowest address
 * at which a statement begins.  Compilers mix the lines of an inlined function with those around
 * it: a line belongs to the function that begins last before it in the source.
 * Why: docs/decisions/36-lines.md
 */
#include <stdlib.h>

#include <dwarf.h>

#include "runtime/dwarf/dwarf-private.h"

#define SITES_MOST 100000        /* of one listing */

struct row {
	struct dwarf_site site;
	void *copy;              /* entry of the function or inlined copy */
	void *outer;             /* entry of the function that has the code */
	bool is_stray;           /* the code is not in a copy of the function of its line */
};

/* Where a function begins in the source. */
struct owner {
	const char *file, *name;
	u32 line;
	bool is_prototype;
};

struct lines {
	struct dtx_env *env;
	struct dwarf_obj *o;     /* NULL: it has no DWARF */
	const struct dwarf_lines_of *want;
	Dwarf_Die unit;
	Dwarf_Lines *lines;
	size_t n;
	const char *src;         /* the last file name, and whether it is wanted */
	bool src_wanted;
	VEC(struct owner) owners;        /* functions of the unit, by line */
	VEC(struct row) rows;
};

/* ---- files ----------------------------------------------------------------------------- */

/* "file.c" fits any folder, "dir/file.c" the end of a path. */
static bool file_fits(const char *path, const char *wanted)
{
	const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	size_t n = strlen(path), len = strlen(wanted);

	if (glob_matches(wanted, base) || glob_matches(wanted, path))
		return true;
	return n > len && path[n - len - 1] == '/' && !strcmp(path + n - len, wanted);
}

static bool unit_has_file(Dwarf_Die *unit, const char *wanted)
{
	Dwarf_Files *files;
	size_t n;

	if (glob_is_pattern(wanted))
		return true;
	if (dwarf_getsrcfiles(unit, &files, &n))
		return false;
	for (size_t i = 0; i < n; i++) {
		const char *src = dwarf_filesrc(files, i, NULL, NULL);

		if (src && file_fits(src, wanted))
			return true;
	}
	return false;
}

/* ---- rows of the line table ------------------------------------------------------------- */

static bool is_statement(Dwarf_Line *line)
{
	bool begins = false, ends = false;

	return !dwarf_linebeginstatement(line, &begins) && begins &&
	       !dwarf_lineendsequence(line, &ends) && !ends;
}

static bool line_wanted(struct lines *l, Dwarf_Line *line, int *number)
{
	const char *src;

	if (!is_statement(line) || dwarf_lineno(line, number) || *number <= 0 ||
	    (l->want->line && (u32)*number != l->want->line))
		return false;
	src = dwarf_linesrc(line, NULL, NULL);
	if (src && src != l->src) {
		l->src = src;
		l->src_wanted = file_fits(src, l->want->file);
	}
	return src && l->src_wanted;
}

/* Does the function keep its parameters in memory, where its first instructions put them? */
static bool has_prologue(Dwarf_Die *subprogram)
{
	Dwarf_Attribute a;
	Dwarf_Die p;

	if (dwarf_child(subprogram, &p))
		return false;
	do {
		if (dwarf_tag(&p) == DW_TAG_formal_parameter &&
		    dwarf_attr(&p, DW_AT_location, &a))
			return a.form == DW_FORM_exprloc || a.form == DW_FORM_block1;
	} while (!dwarf_siblingof(&p, &p));
	return false;
}

/* The first line of a function begins after the prologue. */
static u64 behind_prologue(struct lines *l, size_t i, Dwarf_Die *function, u64 addr)
{
	Dwarf_Addr low, next;

	if (dwarf_tag(function) != DW_TAG_subprogram || dwarf_entrypc(function, &low) ||
	    low != addr || !has_prologue(function))
		return addr;
	while (++i < l->n) {
		Dwarf_Line *line = dwarf_onesrcline(l->lines, i);

		if (is_statement(line) && !dwarf_lineaddr(line, &next) && next > addr)
			return dwarf_haspc(function, next) > 0 ? next : addr;
	}
	return addr;
}

/* ---- functions ------------------------------------------------------------------------------ */

static void add_owners(struct lines *l, Dwarf_Die *parent, u32 depth)
{
	struct owner f;
	Dwarf_Die die;
	int line;

	if (dwarf_below(parent, &die))
		return;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_subprogram && !dwarf_decl_line(&die, &line) && line > 0) {
			f = (struct owner){ dwarf_decl_file(&die), dwarf_diename(&die),
					    (u32)line,
					    dwarf_hasattr(&die, DW_AT_declaration) };
			if (f.file && f.name)
				VEC_PUSH(&l->owners, f);
		}
		if (depth < 8 && tag != DW_TAG_lexical_block && dwarf_haschildren(&die) > 0 &&
		    tag != DW_TAG_inlined_subroutine && tag != DW_TAG_enumeration_type)
			add_owners(l, &die, depth + 1);
	} while (!dwarf_siblingof(&die, &die));
}

static int owner_cmp(const void *pa, const void *pb)
{
	const struct owner *a = pa, *b = pb;

	return a->line < b->line ? -1 : a->line > b->line;
}

/* The function that begins last at or before the line; NULL: unknown. */
static const char *owner_of(const struct lines *l, u32 line)
{
	u32 lo = BISECT(i, l->owners.n, l->owners.v[i].line > line);

	while (lo--)
		if (!strcmp(l->owners.v[lo].file, l->src))
			return l->owners.v[lo].name;
	return NULL;
}

/* The innermost function around the code that is called `owner`, else the innermost. */
static Dwarf_Die *function_of(Dwarf_Die *scopes, u32 n, const char *owner, struct row *r)
{
	Dwarf_Die *innermost = NULL, *found = NULL;

	while (n--) {
		const char *name = dwarf_is_function(&scopes[n]) ? dwarf_diename(&scopes[n]) : NULL;

		if (!name)
			continue;
		innermost = innermost ? innermost : &scopes[n];
		if (!found && (!owner || !strcmp(owner, name)))
			found = &scopes[n];
		r->outer = scopes[n].addr;
	}
	r->is_stray = !found;
	return found ? found : innermost;
}

static void add_row(struct lines *l, size_t i, Dwarf_Line *line, int number)
{
	Dwarf_Die scopes[DWARF_SCOPES], *function;
	struct row r = { 0 };
	Dwarf_Addr addr;
	const char *name = owner_of(l, (u32)number);

	if (dwarf_lineaddr(line, &addr) || l->rows.n == SITES_MOST ||
	    (name && !glob_matches(l->want->func, name)))
		return;
	function = function_of(scopes, dwarf_scopes_in(&l->unit, addr, scopes), name, &r);
	name = function && !name ? dwarf_diename(function) : name;
	if (!function || !name || !glob_matches(l->want->func, name))
		return;
	r.site.addr = behind_prologue(l, i, function, addr);
	r.site.line = (u32)number;
	r.site.func = arena_strdup(l->env->arena, name);
	r.site.file = arena_strdup(l->env->arena, l->src);
	r.site.is_inlined = dwarf_tag(function) == DW_TAG_inlined_subroutine;
	r.copy = function->addr;
	VEC_PUSH(&l->rows, r);
}

/* The functions of the unit, sorted by line. */
static void find_owners(struct lines *l)
{
	l->owners.n = 0;
	add_owners(l, &l->unit, 0);
	if (l->owners.n)
		qsort(l->owners.v, l->owners.n, sizeof(*l->owners.v), owner_cmp);
}

static void add_unit(struct lines *l)
{
	int number;

	l->src = NULL;
	if (!unit_has_file(&l->unit, l->want->file) ||
	    dwarf_getsrclines(&l->unit, &l->lines, &l->n))
		return;
	find_owners(l);
	for (size_t i = 0; i < l->n; i++) {
		Dwarf_Line *line = dwarf_onesrcline(l->lines, i);

		if (line_wanted(l, line, &number))
			add_row(l, i, line, number);
	}
}

/* ---- one place for each copy --------------------------------------------------------------- */

static int line_cmp(const struct row *a, const struct row *b)
{
	int c = strcmp(a->site.file, b->site.file);

	if (!c)
		c = a->site.line < b->site.line ? -1 : a->site.line > b->site.line;
	return c;
}

static int probe_cmp(const struct row *a, const struct row *b)
{
	int c = line_cmp(a, b);

	return c ? c : strcmp(a->site.func, b->site.func);
}

static int copy_cmp(const void *pa, const void *pb)
{
	const struct row *a = pa, *b = pb;
	int c = probe_cmp(a, b);

	if (!c)
		c = a->outer < b->outer ? -1 : a->outer > b->outer;
	if (!c)
		c = a->is_stray - b->is_stray;
	if (!c)
		c = a->copy < b->copy ? -1 : a->copy > b->copy;
	return c ? c : a->site.addr < b->site.addr ? -1 : a->site.addr > b->site.addr;
}

static int place_cmp(const void *pa, const void *pb)
{
	const struct row *a = pa, *b = pb;
	int c = probe_cmp(a, b);

	return c ? c : a->site.addr < b->site.addr ? -1 : a->site.addr > b->site.addr;
}

static void keep_first_places(struct lines *l)
{
	u32 n = 0;

	if (!l->rows.n)
		return;
	qsort(l->rows.v, l->rows.n, sizeof(*l->rows.v), copy_cmp);
	for (u32 i = 0; i < l->rows.n; i++) {
		const struct row *r = &l->rows.v[i], *last = n ? &l->rows.v[n - 1] : NULL;

		/* What strays is left out where a copy has the line too. */
		if (last && r->is_stray && !last->is_stray && !probe_cmp(last, r) &&
		    last->outer == r->outer)
			continue;
		if (!last || probe_cmp(last, r) || last->copy != r->copy)
			l->rows.v[n++] = *r;
	}
	l->rows.n = n;
	qsort(l->rows.v, n, sizeof(*l->rows.v), place_cmp);
}

static bool has_address(Dwarf_Die *unit, u64 within)
{
	return !within || dwarf_haspc(unit, within) > 0;
}

/* A unit is called as the compiler was told, the wanted file may be a whole path. */
static bool is_of_file(Dwarf_Die *unit, const char *wanted)
{
	const char *name = dwarf_diename(unit);

	return name && (file_fits(name, wanted) || file_fits(wanted, name));
}

static void add_units(struct lines *l, bool named)
{
	Dwarf_CU *cu = NULL;

	while (l->o && !dwarf_get_units(l->o->dw, cu, &cu, NULL, NULL, &l->unit, NULL))
		if ((!named || is_of_file(&l->unit, l->want->file)) &&
		    has_address(&l->unit, l->want->within))
			add_unit(l);
}

/* Where Go keeps its lines, without DWARF: inlined code is part of the function around it. */
static void add_go_line(void *arg, const struct goline *g)
{
	struct lines *l = arg;
	void *function = (void *)(uintptr_t)g->begin;
	struct row r = { .copy = function, .outer = function };

	if ((l->want->line && g->line != l->want->line) || l->rows.n == SITES_MOST ||
	    !glob_matches(l->want->func, g->func))
		return;
	if (g->file != l->src) {
		l->src = g->file;
		l->src_wanted = file_fits(g->file, l->want->file);
	}
	if (!l->src_wanted)
		return;
	r.site = (struct dwarf_site){ .addr = g->addr, .line = g->line,
				      .func = arena_strdup(l->env->arena, g->func),
				      .file = arena_strdup(l->env->arena, g->file) };
	VEC_PUSH(&l->rows, r);
}

u32 dwarf_lines(struct dtx_env *env, const char *path, const struct dwarf_lines_of *want,
		struct dwarf_site **out)
{
	struct lines l = { .env = env, .o = dwarf_open(env, path), .want = want };
	Elf *bare = l.o ? NULL : dwarf_bare(env, path);
	u32 n;

	if (bare)
		gotab_lines(bare, 0, add_go_line, &l);

	if (want->is_unit)
		add_units(&l, true);
	if (!l.rows.n)
		add_units(&l, false);
	keep_first_places(&l);
	n = l.rows.n;
	*out = ARENA_ARRAY(env->arena, struct dwarf_site, n + 1);
	for (u32 i = 0; i < n; i++) {
		const struct row *before = i ? &l.rows.v[i - 1] : NULL;

		(*out)[i] = l.rows.v[i].site;
		if (before && !probe_cmp(before, &l.rows.v[i]))
			(*out)[i].nth = (*out)[i - 1].nth + 1;
	}
	VEC_FREE(&l.rows);
	VEC_FREE(&l.owners);
	return n;
}

bool dwarf_declared(struct dtx_env *env, const char *path, const char *func, u64 within,
		    const char **file, u32 *line)
{
	struct lines l = { .env = env, .o = dwarf_open(env, path) };
	const struct owner *found = NULL;
	Dwarf_CU *cu = NULL;

	*file = NULL;
	while (l.o && !found && !dwarf_get_units(l.o->dw, cu, &cu, NULL, NULL, &l.unit, NULL)) {
		if (!has_address(&l.unit, within))
			continue;
		find_owners(&l);
		for (u32 i = 0; i < l.owners.n && !found; i++)
			if (!l.owners.v[i].is_prototype && !strcmp(l.owners.v[i].name, func))
				found = &l.owners.v[i];
	}
	if (found) {
		*file = arena_strdup(env->arena, found->file);
		*line = found->line;
	}
	VEC_FREE(&l.owners);
	return *file;
}
