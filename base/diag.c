/* SPDX-License-Identifier: BSD-2-Clause */
/* diag.c - program texts, and the way of messages to the user (diagtext.c renders them). */
#include <stdlib.h>

#include <dtx/diag.h>
#include <dtx/tag.h>

static const char *const tag_names[DIAG_NTAGS] = {
	[DIAG_NONE] = "",
#define DIAG(tag, doc) #tag,
#include <dtx/tables/diags.def>
#undef DIAG
};

/* "D_SYNTAX"; "" for DIAG_NONE */
static const char *diag_tag_name(u32 tag)
{
	return tag >= DIAG_NTAGS ? "" : tag_names[tag];
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
	off = MIN(off, s->len);
	*line = BISECT(i, s->nlines, s->line_start[i] > off);
	*col = off - s->line_start[*line - 1] + 1;
}

void source_mark(struct arena *a, struct source *s, u32 line, u32 as, const char *file)
{
	ARENA_PUSH(a, s->marks, s->nmarks, ((struct line_mark){ line, as, file }));
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

/* ---- collecting ------------------------------------------------------------------------ */

void diags_init(struct diags *d, struct arena *a)
{
	memset(d, 0, sizeof(*d));
	d->arena = a;
	d->tool = "dtx";
	d->last = d->untold = &d->first;
	d->max_errors = 20;
}

static struct dtx_place diag_place(struct range at)
{
	struct dtx_place p = { 0 };
	const char *file;
	u32 line, col;

	if (!at.src)
		return p;
	source_place(at.src, at.to, &file, &line, &col);
	p.end_line = line;
	p.end_column = col;
	source_place(at.src, at.from, &p.file, &line, &col);
	p.line = line;
	p.column = col;
	p.from = at.from;
	p.to = at.to;
	p.text = at.src->text;
	p.length = at.src->len;
	return p;
}

/* The text with TOOL replaced by the name of the command; malloc'd. */
static char *diag_text(const struct diags *d, const char *fmt, va_list ap)
{
	struct buf plain = { 0 }, text = { 0 };

	buf_vprintf(&plain, fmt, ap);
	if (!plain.len || !memchr(plain.data, *TOOL, plain.len))
		return plain.data ? plain.data : xstrdup("");
	for (const char *p = plain.data; *p; p++) {
		if (*p == *TOOL)
			buf_puts(&text, d->tool);
		else
			buf_putc(&text, *p);
	}
	buf_free(&plain);
	return text.data;
}

/* The same, in the arena. */
static const char *diag_keep(struct diags *d, const char *fmt, va_list ap)
{
	char *text = diag_text(d, fmt, ap);
	const char *kept = arena_strdup(d->arena, text);

	free(text);
	return kept;
}

/* An error in a library is reported at the place in the user's text that uses it; the line of the
 * library is a note. */
static void diag_note_library(struct diags *d, struct diag *n, struct range at)
{
	const char *line = at.src->text + at.from, *end = line;

	while (line > at.src->text && line[-1] != '\n')
		line--;
	line += strspn(line, " \t");
	while (end < at.src->text + at.src->len && *end != '\n')
		end++;
	diag_note(d, n, at, "the library says: %.*s", (int)MIN(end - MIN(line, end), 120), line);
}

static struct diag *diag_make(struct diags *d, enum dtx_severity severity, struct range at,
			      const char *fmt, va_list ap)
{
	struct diag *n = ARENA_NEW(d->arena, struct diag);
	struct range found = at;

	n->moved = severity != DTX_NOTE && at.src && at.src->is_library && d->use.src;
	if (n->moved)
		at = d->use;
	n->m = MESSAGE(at.src || severity != DTX_WARNING ? DTX_DIAGNOSTIC : DTX_NOTICE, severity);
	n->m.at = diag_place(at);
	n->m.text = diag_keep(d, fmt, ap);
	n->at = at;
	if (n->moved)
		diag_note_library(d, n, found);
	return n;
}

/*
 * Was this reported for the same place? An expression is checked once per kind of probe, and may
 * fail with different types each time.
 */
static bool diag_is_known(const struct diags *d, const struct diag *n)
{
	bool any_text =
		n->m.severity == DTX_ERROR && n->m.tag && n->at.src && n->at.to > n->at.from;

	for (const struct diag *k = d->first; k; k = k->next)
		if (k->m.severity == n->m.severity && k->at.src == n->at.src &&
		    k->at.from == n->at.from && k->at.to == n->at.to && k->m.tag == n->m.tag &&
		    (any_text || !strcmp(k->m.text, n->m.text)))
			return true;
	return false;
}

/*
 * A diagnostic beyond max_errors, or a repeated one, is made because notes may be added to
 * it, but it is not listed.  The same holds for those after one that is enough.
 */
static void diag_append(struct diags *d, struct diag *n)
{
	if (d->enough || diag_is_known(d, n))
		return;
	if (n->m.severity == DTX_WARNING)
		d->nwarnings++;
	else if (++d->nerrors > d->max_errors)
		return;
	*d->last = n;
	d->last = &n->next;
}

struct diag *diag_error(struct diags *d, u32 tag, struct range at, const char *fmt, ...)
{
	struct diag *n;
	va_list ap;

	va_start(ap, fmt);
	n = diag_make(d, DTX_ERROR, at, fmt, ap);
	va_end(ap);
	n->m.tag = tag == DIAG_NONE ? NULL : diag_tag_name(tag);
	diag_append(d, n);
	return n;
}

struct diag *diag_warn(struct diags *d, u32 tag, struct range at, const char *fmt, ...)
{
	struct diag *n;
	va_list ap;

	va_start(ap, fmt);
	n = diag_make(d, DTX_WARNING, at, fmt, ap);
	va_end(ap);
	n->m.tag = tag == DIAG_NONE ? NULL : diag_tag_name(tag);
	diag_append(d, n);
	return n;
}

struct diag *diag_remark(struct diags *d, struct range at, const char *fmt, ...)
{
	u32 warnings = d->nwarnings;
	struct diag *n;
	va_list ap;

	va_start(ap, fmt);
	n = diag_make(d, DTX_WARNING, at, fmt, ap);
	va_end(ap);
	diag_append(d, n);
	n->m.severity = DTX_NOTE;
	d->nwarnings = warnings;
	return n;
}

struct diag *diag_note(struct diags *d, struct diag *to, struct range at, const char *fmt, ...)
{
	struct diag *n;
	va_list ap;

	va_start(ap, fmt);
	n = diag_make(d, DTX_NOTE, at, fmt, ap);
	va_end(ap);
	if (to->last_note)
		to->last_note->next = &n->m;
	else
		to->m.notes = &n->m;
	to->last_note = &n->m;
	return n;
}

void diag_hint(struct diags *d, struct diag *to, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	to->m.hint = diag_keep(d, fmt, ap);
	va_end(ap);
}

void diag_fixit(struct diags *d, struct diag *to, const char *fmt, ...)
{
	va_list ap;

	if (to->moved)
		return;
	va_start(ap, fmt);
	to->m.fixit = arena_vprintf(d->arena, fmt, ap);
	va_end(ap);
}

/* ---- reporting --------------------------------------------------------------------------- */

void diags_send(struct diags *d, struct dtx_message *m)
{
	m->tool = d->tool;
	if (d->also)
		d->also(d->also_arg, m);
	if (d->fn)
		d->fn(d->arg, m);
}

void diags_vsay(struct diags *d, struct dtx_message m, const char *fmt, va_list ap)
{
	char *text = diag_text(d, fmt, ap);

	m.text = text;
	diags_send(d, &m);
	free(text);
}

void diags_say(struct diags *d, struct dtx_message m, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	diags_vsay(d, m, fmt, ap);
	va_end(ap);
}

void diags_show(struct diags *d, const struct buf *text)
{
	struct dtx_message m = MESSAGE(DTX_LISTING, DTX_INFO);

	m.text = text->data;
	if (text->len)
		diags_send(d, &m);
}

void diags_tell(struct diags *d)
{
	struct dtx_message more = MESSAGE(DTX_NOTICE, DTX_INFO);
	u32 hidden = d->nerrors > d->max_errors ? d->nerrors - d->max_errors : 0;

	for (; *d->untold; d->untold = &(*d->untold)->next)
		diags_send(d, &(*d->untold)->m);
	if (hidden == d->nhidden)
		return;
	d->nhidden = hidden;
	more.text = arena_printf(d->arena, "%u more errors not shown", hidden);
	diags_send(d, &more);
}

int diags_vfail(struct diags *d, struct failure f, const char *fmt, va_list ap)
{
	f.text = diag_text(d, fmt, ap);  /* the arguments may quote the failure kept before */
	free(d->failure.text);
	d->failure = f;
	return f.error;
}

int diags_fail(struct diags *d, struct failure f, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	diags_vfail(d, f, fmt, ap);
	va_end(ap);
	return f.error;
}

bool diags_failed(const struct diags *d)
{
	return d->failure.text;
}

const char *diags_take(struct diags *d, const char *otherwise)
{
	const char *text = d->failure.text ? arena_strdup(d->arena, d->failure.text) : otherwise;

	free(d->failure.text);
	d->failure.text = NULL;
	return text;
}

int diags_told(struct diags *d, int err)
{
	struct dtx_message m = MESSAGE(d->failure.kind, DTX_ERROR);

	diags_tell(d);
	d->enough = false;
	m.error = -d->failure.error;
	m.text = d->failure.text;
	if (m.text && err < 0)
		diags_send(d, &m);
	diags_close(d);
	return err;
}

void diags_close(struct diags *d)
{
	free(d->failure.text);
	d->failure.text = NULL;
}
