/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarfframe.c - the functions of the source that an address is in, with file and line: the one
 * that has the code, and those that were inlined there.
 *
 * Stacks ask for thousands of addresses in the same units.  So the code of units, and that of the
 * functions of a unit, is in tables by address, made on first use; answers are kept.
 * Why: docs/decisions/40-frame-sources.md
 */
#include <stdlib.h>

#include <dwarf.h>

#include "runtime/dwarf/dwarf-private.h"

#define ANSWERS_MOST 65536       /* of one file; then they are forgotten */
#define NESTED_MOST  8           /* namespaces and classes around a function */
#define OVERLAPS     8           /* ranges before the nearest one that may have an address, too */

struct code {
	u64 low, high;           /* high: behind its end */
	Dwarf_Die die;
};

struct codes {
	VEC(struct code) v;      /* by address */
};

struct answer {
	u32 first, n;            /* in dwarf_frames.kept */
};

struct dwarf_frames {
	struct codes units;
	struct keytab *funcs;    /* address of a unit's entry → struct codes * */
	struct keytab *answers;  /* address → struct answer */
	VEC(struct dwarf_frame) kept;
	u64 bytes;               /* of memory for functions and lines of units */
};

/* ---- tables by address -------------------------------------------------------------------- */

static void add_ranges(struct codes *c, Dwarf_Die *die)
{
	struct code to = { .die = *die };
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0) {
		to.low = low;
		to.high = high;
		if (low && low < high)   /* functions that the linker dropped are at 0 */
			VEC_PUSH(&c->v, to);
	}
}

static int code_cmp(const void *pa, const void *pb)
{
	const struct code *a = pa, *b = pb;

	return a->low < b->low ? -1 : a->low > b->low;
}

static void codes_sort(struct codes *c)
{
	if (c->v.n)
		qsort(c->v.v, c->v.n, sizeof(*c->v.v), code_cmp);
}

static struct code *code_at(struct codes *c, u64 addr)
{
	u32 lo = BISECT(i, c->v.n, c->v.v[i].low > addr);

	for (u32 i = 0; i < OVERLAPS && lo--; i++)
		if (addr < c->v.v[lo].high)
			return &c->v.v[lo];
	return NULL;
}

static void add_functions(struct codes *c, Dwarf_Die *parent, u32 depth)
{
	Dwarf_Die die;

	if (dwarf_below(parent, &die))
		return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_subprogram:
			add_ranges(c, &die);
			break;
		case DW_TAG_namespace:
		case DW_TAG_module:
		case DW_TAG_structure_type:
		case DW_TAG_class_type:
			if (depth < NESTED_MOST)
				add_functions(c, &die, depth + 1);
		}
	} while (!dwarf_siblingof(&die, &die));
}

#define LINE_BYTES 64            /* of a line in libdw, with its part of the tables around */

static struct codes *functions_of(struct dwarf_frames *f, Dwarf_Die *unit)
{
	struct codes **at = keytab_put(f->funcs, &unit->addr);
	Dwarf_Lines *lines;
	size_t n = 0;

	if (!*at) {
		*at = xcalloc(1, sizeof(**at));
		add_functions(*at, unit, 0);
		codes_sort(*at);
		dwarf_getsrclines(unit, &lines, &n);
		f->bytes += sizeof(**at) + (*at)->v.cap * sizeof(*(*at)->v.v) + n * LINE_BYTES;
	}
	return *at;
}

static struct dwarf_frames *frames_get(struct dwarf_obj *o)
{
	struct dwarf_frames *f = o->frames;
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	if (f)
		return f;
	f = o->frames = xcalloc(1, sizeof(*f));
	f->funcs = keytab_new(sizeof(void *), sizeof(struct codes *));
	f->answers = keytab_new(sizeof(u64), sizeof(struct answer));
	while (!dwarf_get_units(o->dw, cu, &cu, NULL, NULL, &unit, NULL))
		add_ranges(&f->units, &unit);
	codes_sort(&f->units);
	return f;
}

void dwarf_frames_free(struct dwarf_frames *f)
{
	if (!f)
		return;
	for (u32 i = 0; i < keytab_count(f->funcs); i++) {
		struct codes **c = keytab_val(f->funcs, i);

		VEC_FREE(&(*c)->v);
		free(*c);
	}
	keytab_free(f->funcs);
	keytab_free(f->answers);
	VEC_FREE(&f->units.v);
	VEC_FREE(&f->kept);
	free(f);
}

u64 dwarf_frames_bytes(const struct dwarf_frames *f)
{
	return !f ? 0 : sizeof(*f) + f->bytes + keytab_bytes(f->funcs) + keytab_bytes(f->answers) +
			f->units.v.cap * sizeof(*f->units.v.v) + f->kept.cap * sizeof(*f->kept.v);
}

/* ---- one address ----------------------------------------------------------------------------- */

static const char *die_name(Dwarf_Die *die)
{
	static const unsigned attrs[] = { DW_AT_linkage_name, DW_AT_MIPS_linkage_name };
	Dwarf_Attribute a;

	for (u32 i = 0; i < ARRAY_SIZE(attrs); i++) {
		const char *name = dwarf_formstring(dwarf_attr_integrate(die, attrs[i], &a));

		if (name)
			return name;
	}
	return dwarf_diename(die);
}

static void line_at(Dwarf_Die *unit, u64 addr, struct dwarf_frame *to)
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, addr);
	int n = 0;

	if (!line || dwarf_lineno(line, &n))
		return;
	to->file = dwarf_linesrc(line, NULL, NULL);
	to->line = (u32)MAX(n, 0);
}

/* Where an inlined function was called. */
static void line_of_call(Dwarf_Die *unit, Dwarf_Die *die, struct dwarf_frame *to)
{
	Dwarf_Attribute a;
	Dwarf_Word file, line;
	Dwarf_Files *files;
	size_t n;

	if (!dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &a), &line))
		to->line = (u32)line;
	if (!dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &a), &file) &&
	    !dwarf_getsrcfiles(unit, &files, &n) && file < n)
		to->file = dwarf_filesrc(files, file, NULL, NULL);
}

static u32 frames_find(struct dwarf_frames *f, u64 addr, struct dwarf_frame out[DWARF_FRAMES])
{
	Dwarf_Die scopes[DWARF_SCOPES];
	struct code *unit = code_at(&f->units, addr), *func;
	u32 n = 0, nscopes;

	if (!unit)
		return 0;
	out[0] = (struct dwarf_frame){ 0 };
	line_at(&unit->die, addr, &out[0]);
	func = code_at(functions_of(f, &unit->die), addr);
	nscopes = func ? dwarf_scopes_in(&func->die, addr, scopes) : 0;
	while (nscopes--) {
		Dwarf_Die *die = &scopes[nscopes];

		if (!dwarf_is_function(die))
			continue;
		out[n].func = die_name(die);
		if (dwarf_tag(die) == DW_TAG_subprogram || n + 1 == DWARF_FRAMES)
			return n + 1;
		out[++n] = (struct dwarf_frame){ 0 };
		line_of_call(&unit->die, die, &out[n]);
	}
	return out[n].file ? n + 1 : n;
}

/* Of Go without DWARF, the line alone: it may be that of inlined code. */
struct go_place {
	u64 addr;
	struct dwarf_frame at;
};

static void go_line(void *arg, const struct goline *g)
{
	struct go_place *p = arg;

	if (p->addr >= g->addr && p->addr < g->end)
		p->at = (struct dwarf_frame){ .file = g->file, .line = g->line };
}

static u32 go_frame(struct dwarf_obj *o, u64 addr, struct dwarf_frame out[DWARF_FRAMES])
{
	struct go_place p = { .addr = addr };

	if (o->bare)
		gotab_lines(o->bare, addr, go_line, &p);
	out[0] = p.at;
	return p.at.line ? 1 : 0;
}

struct frames_work {
	struct dwarf_obj *o;
	u64 addr;
	struct dwarf_frame out[DWARF_FRAMES];
	u32 n;
};

static void frames_read(void *arg)
{
	struct frames_work *w = arg;

	w->n = dwarf_file_open(w->o) ? frames_find(frames_get(w->o), w->addr, w->out)
				     : go_frame(w->o, w->addr, w->out);
}

/* false: the user wants an end.  Files of the kernel are not left: others use them, too. */
static bool frames_aside(struct dwarf_obj *o, u64 addr, struct dwarf_frame out[DWARF_FRAMES],
			 u32 *n)
{
	struct frames_work *w = xcalloc(1, sizeof(*w));
	enum aside how = ASIDE_DONE;

	w->o = o;
	w->addr = addr;
	if (o->arena == o->env->arena)
		frames_read(w);
	else
		how = aside(frames_read, w, free, &(struct aside_device){ 0 });
	if (how == ASIDE_LEFT) {
		o->left = true;
		budget_leave(o->path);
		return false;
	}
	*n = w->n;
	memcpy(out, w->out, w->n * sizeof(*out));
	free(w);
	return how == ASIDE_DONE;
}

u32 dwarf_frames_at(struct dwarf_obj *o, u64 addr, struct dwarf_frame out[DWARF_FRAMES])
{
	struct dwarf_frames *f;
	struct answer *a;
	u32 n = 0;

	if (o->left)
		return 0;
	a = o->frames ? keytab_get(o->frames->answers, &addr) : NULL;
	if (a) {
		for (n = 0; n < a->n; n++)
			out[n] = o->frames->kept.v[a->first + n];
		return n;
	}
	if (!frames_aside(o, addr, out, &n))
		return 0;
	codefile_grew(o->of);
	if (!o->dw)
		return n;
	f = frames_get(o);
	if (keytab_count(f->answers) == ANSWERS_MOST) {
		keytab_free(f->answers);
		f->answers = keytab_new(sizeof(u64), sizeof(struct answer));
		f->kept.n = 0;
	}
	a = keytab_put(f->answers, &addr);
	*a = (struct answer){ f->kept.n, n };
	for (u32 i = 0; i < n; i++)
		VEC_PUSH(&f->kept, out[i]);
	return n;
}
