/* SPDX-License-Identifier: BSD-2-Clause */
/* diag.c - program texts, and diagnostics as they are collected (diagtext.c shows them). */
#include <stdlib.h>

#include <dtx/diag.h>

static const char *const tag_names[DIAG_NTAGS] = {
#define DIAG(tag, doc) #tag,
#include <dtx/diags.def>
#undef DIAG
};

const char *diag_tag_name(enum diag_tag tag)
{
	return tag == DIAG_NONE || tag >= DIAG_NTAGS ? "" : tag_names[tag];
}

struct source *source_open(struct arena *a, const char *name, const char *text, u32 len,
			   bool is_file)
{
	struct source *s = ARENA_NEW(a, struct source);
	char *copy = arena_alloc(a, (size_t)len + 1);
	u32 n = 1;

	memcpy(copy, text, len);
	for (u32 i = 0; i < len; i++)
		n += copy[i] == '\n';
	s->name = arena_strdup(a, name);
	s->text = copy;
	s->len = len;
	s->is_file = is_file;
	s->nlines = n;
	s->line_start = ARENA_ARRAY(a, u32, n);
	n = 1;
	for (u32 i = 0; i < len; i++) {
		if (copy[i] == '\n')
			s->line_start[n++] = i + 1;
	}
	return s;
}

void source_pos(const struct source *s, u32 off, u32 *line, u32 *col)
{
	u32 lo = 0, hi = s->nlines;

	off = MIN(off, s->len);
	while (hi - lo > 1) {
		u32 mid = lo + (hi - lo) / 2;

		if (s->line_start[mid] <= off)
			lo = mid;
		else
			hi = mid;
	}
	*line = lo + 1;
	*col = off - s->line_start[lo] + 1;
}

void source_mark(struct arena *a, struct source *s, u32 line, u32 as, const char *file)
{
	struct line_mark *bigger;

	if (!(s->nmarks & (s->nmarks - 1))) {                   /* full: 0, 1, 2, 4, 8 … */
		bigger = ARENA_ARRAY(a, struct line_mark, MAX(1u, s->nmarks * 2));
		if (s->nmarks)
			memcpy(bigger, s->marks, s->nmarks * sizeof(*bigger));
		s->marks = bigger;
	}
	s->marks[s->nmarks++] = (struct line_mark){ line, as, file };
}

void source_place(const struct source *s, u32 off, const char **file, u32 *line, u32 *col)
{
	u32 n = s->nmarks;

	source_pos(s, off, line, col);
	*file = s->name;
	while (n && s->marks[n - 1].line > *line)
		n--;
	if (!n)
		return;
	*file = s->marks[n - 1].file;
	*line = s->marks[n - 1].as + (*line - s->marks[n - 1].line);
}

void diags_init(struct diags *d, struct arena *a)
{
	memset(d, 0, sizeof(*d));
	d->arena = a;
	d->last = &d->first;
	d->max_errors = 20;
}

static struct diag *diag_make(struct diags *d, enum diag_level level, struct range at,
			      const char *fmt, va_list ap)
{
	struct diag *n = ARENA_NEW(d->arena, struct diag);

	n->level = level;
	n->at = at;
	n->text = arena_vprintf(d->arena, fmt, ap);
	return n;
}

/*
 * Said before of the same place: an expression is looked at once for each kind of probe, and may
 * be wrong with other types each time.
 */
static bool diag_is_known(const struct diags *d, const struct diag *n)
{
	bool any_text = n->level == DIAG_ERROR && n->tag != DIAG_NONE && n->at.src && n->at.to > n->at.from;

	for (const struct diag *k = d->first; k; k = k->next)
		if (k->level == n->level && k->at.src == n->at.src && k->at.from == n->at.from && k->at.to == n->at.to &&
		    k->tag == n->tag && (any_text || !strcmp(k->text, n->text)))
			return true;
	return false;
}

/*
 * Beyond max_errors, and when it is listed already, a diagnostic exists, so that notes can be
 * hung on it, but is not listed.
 */
static void diag_append(struct diags *d, struct diag *n)
{
	if (diag_is_known(d, n))
		return;
	if (n->level == DIAG_WARNING)
		d->nwarnings++;
	else if (++d->nerrors > d->max_errors)
		return;
	*d->last = n;
	d->last = &n->next;
}

struct diag *diag_error(struct diags *d, enum diag_tag tag, struct range at, const char *fmt, ...)
{
	struct diag *n;
	va_list ap;

	va_start(ap, fmt);
	n = diag_make(d, DIAG_ERROR, at, fmt, ap);
	va_end(ap);
	n->tag = tag;
	diag_append(d, n);
	return n;
}

struct diag *diag_warn(struct diags *d, enum diag_tag tag, struct range at, const char *fmt, ...)
{
	struct diag *n;
	va_list ap;

	va_start(ap, fmt);
	n = diag_make(d, DIAG_WARNING, at, fmt, ap);
	va_end(ap);
	n->tag = tag;
	diag_append(d, n);
	return n;
}

struct diag *diag_note(struct diags *d, struct diag *to, struct range at, const char *fmt, ...)
{
	struct diag *n, **end = &to->notes;
	va_list ap;

	va_start(ap, fmt);
	n = diag_make(d, DIAG_NOTE, at, fmt, ap);
	va_end(ap);
	while (*end)
		end = &(*end)->next;
	*end = n;
	return n;
}

void diag_hint(struct diags *d, struct diag *to, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	to->hint = arena_vprintf(d->arena, fmt, ap);
	va_end(ap);
}

void diag_fixit(struct diags *d, struct diag *to, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	to->fixit = arena_vprintf(d->arena, fmt, ap);
	va_end(ap);
}
