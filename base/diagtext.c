/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * diagtext.c - messages as text.
 *
 *     slow.d:3:24: error: 'struct file' has no member 'f_pathh' [D_TYPE_MEMBER]
 *         3 |         trace(args[0]->f_pathh);
 *           |                        ^~~~~~~
 *           |                        f_path          (fix-it)
 *     slow.d:1:1: note: args[0] of fbt:vmlinux:vfs_read:entry is 'struct file *'
 *           = help: next step
 *
 * The line is shown as it is, with its tabs; unprintable bytes become \xNN.  A
 * line that is long, or wider than the terminal, is cut around the range.  The
 * two lines below repeat the tabs of the first: they stay aligned with any tab
 * width.
 */
#include <stdlib.h>

#include <dtx/diag.h>

#define LINE_MAX_COLS 160        /* longer lines are cut to this many columns */
#define LINE_MIN_COLS 20
#define MARGIN_COLS   15         /* the line's number, dots on both sides, the last column */
#define TAB_COLS      8          /* at most */

struct look {
	const char *bold, *level, *caret, *fix, *off;
};

static const char *const severity_words[] = { "error", "warning", "note", "note" };

static struct look diag_look(enum dtx_severity severity, bool colour)
{
	static const char *const colours[] = { "\033[1;31m", "\033[1;35m", "\033[1;36m", "" };

	if (!colour)
		return (struct look){ "", "", "", "", "" };
	return (struct look){ "\033[1m", colours[severity], "\033[1;32m", "\033[32m", "\033[0m" };
}

/* Appends one character as shown; returns its length in bytes, and its columns in *cols. */
static u32 put_char(struct buf *out, const char *s, u32 max, u32 *cols)
{
	u32 n = 1;

	*cols = 1;
	if ((u8)*s >= 0x80 && (n = utf8_len(s, max))) {
		size_t from = out->len;

		buf_plain(out, s, n, 0);
		*cols = out->len - from == n ? 1 : (u32)(out->len - from);
		return n;
	}
	if (*s == '\t' || ((u8)*s >= ' ' && (u8)*s < 0x7f)) {
		buf_putc(out, *s);
	} else {
		buf_printf(out, "\\x%02x", (u8)*s);
		*cols = 4;
	}
	return 1;
}

static u32 text_cols(const char *text, size_t len)
{
	struct buf shown = { 0 };
	u32 cols, all = 0;

	for (size_t i = 0; i < len;) {
		const char *c = text + i;

		i += put_char(&shown, c, len - i, &cols);
		all += *c == '\t' ? TAB_COLS : cols;
	}
	buf_free(&shown);
	return all;
}

/* The beginning of the text before `at` that has at most so many columns. */
static size_t cols_before(const char *text, size_t start, size_t at, u32 cols)
{
	size_t from = at;

	while (at > start) {
		do
			at--;
		while (at > start && utf8_inside(text[at]));
		u32 one = text_cols(text + at, from - at);
		if (one > cols)
			break;
		cols -= one;
		from = at;
	}
	return from;
}

/* The part [*from, *to) of a line that is shown in so many columns; `at` is in it. */
static void clip_line(const char *text, size_t at, u32 cols, size_t *from, size_t *to)
{
	size_t start = *from, end = *to;

	if (text_cols(text + start, end - start) <= cols)
		return;
	*from = cols_before(text, start, at, cols * 3 / 8);
	cols -= text_cols(text + *from, at - *from);
	for (*to = at; *to < end;) {
		size_t next = *to + 1;

		while (next < end && utf8_inside(text[next]))
			next++;
		u32 one = text_cols(text + *to, next - *to);
		if (one > cols)
			return;
		cols -= one;
		*to = next;
	}
	*from = cols_before(text, start, *from, cols);
}

/* Puts the source line into `out`; the others get the same columns as blanks and the underline. */
static void show_line(const struct dtx_place *p, size_t from, size_t to, struct buf *out,
		      struct buf *blank, struct buf *under)
{
	size_t i = from;

	while (i < to) {
		const char *c = p->text + i;
		size_t at = i;
		u32 cols;

		i += put_char(out, c, to - i, &cols);
		if (at < p->from) {
			buf_pad(blank, *c == '\t' ? '\t' : ' ', (int)cols);
		} else if (at < p->to) {
			if (!under->len && cols--)
				buf_putc(under, '^');
			buf_pad(under, *c == '\t' ? '\t' : '~', (int)cols);
		}
	}
	if (!under->len)
		buf_putc(under, '^');
}

/* The line of the place, without its newline. */
static void find_line(const struct dtx_place *p, size_t *from, size_t *to)
{
	size_t at = MIN(p->from, p->length);
	const char *before = memrchr(p->text, '\n', at);
	const char *after = memchr(p->text + at, '\n', p->length - at);

	*from = before ? before + 1 - p->text : 0;
	*to = after ? (size_t)(after - p->text) : p->length;
	if (*to > *from && p->text[*to - 1] == '\r')
		--*to;
}

static void render_snippet(const struct dtx_message *m, struct look l, u32 cols, struct buf *out)
{
	const struct dtx_place *p = &m->at;
	struct buf blank = { 0 }, under = { 0 };
	size_t from, to, start, end;

	find_line(p, &from, &to);
	start = from;
	end = to;
	clip_line(p->text, MIN(p->from, to), cols, &from, &to);
	buf_printf(out, "%5u | %s", p->line, from > start ? "..." : "");
	buf_pad(&blank, ' ', from > start ? 3 : 0);
	show_line(p, from, to, out, &blank, &under);
	buf_printf(out, "%s\n      | %s%s%s%s\n", to < end ? "..." : "",
		   blank.len ? blank.data : "", l.caret, under.data, l.off);
	if (m->fixit)
		buf_printf(out, "      | %s%s%s%s\n", blank.len ? blank.data : "", l.fix,
			   m->fixit, l.off);
	buf_free(&blank);
	buf_free(&under);
}

/* Is its severity shown ("error:")?  Messages of other kinds say what happened, as in DTrace. */
static bool is_labelled(const struct dtx_message *m)
{
	return m->severity == DTX_NOTE || m->kind == DTX_DIAGNOSTIC ||
	       (m->severity == DTX_WARNING && (m->kind == DTX_NOTICE || m->kind == DTX_REFUSED));
}

/* A message quotes names that others chose: it stays one line. */
static void put_text(struct buf *out, const char *text)
{
	buf_plain(out, text, strlen(text), 0);
}

static void render_line(const char *begin, const char *word, const char *text, struct buf *out)
{
	put_text(out, begin);
	buf_printf(out, ": %s", word);
	put_text(out, text);
	buf_putc(out, '\n');
}

static void render_labelled(const struct dtx_message *m, struct look l, u32 cols, struct buf *out)
{

	buf_puts(out, l.bold);
	put_text(out, m->at.file ? m->at.file : m->tool);
	if (m->at.file)
		buf_printf(out, ":%u:%u", m->at.line, m->at.column);
	buf_printf(out, ": %s%s%s: %s%s", l.off, l.level, severity_words[m->severity], l.off,
		   l.bold);
	put_text(out, m->text);
	buf_puts(out, l.off);
	if (m->tag)
		buf_printf(out, " [%s]", m->tag);
	buf_putc(out, '\n');
	if (m->at.file && m->severity != DTX_NOTE)
		render_snippet(m, l, cols, out);
}

/* What one of several hosts tells begins with its name. */
static void text_of_host(const struct dtx_message *m, struct buf *out, bool colour, u32 cols)
{
	struct dtx_message with = *m;
	char *text = xprintf("%s: %s", m->host, m->text);

	with.text = text;
	with.host = NULL;
	message_text(&with, out, colour, cols);
	free(text);
}

void message_text(const struct dtx_message *m, struct buf *out, bool colour, u32 cols)
{
	struct dtx_message note;

	if (!m->text)
		return;
	if (m->host) {
		text_of_host(m, out, colour, cols);
		return;
	}
	if (m->kind == DTX_LISTING)
		buf_plain(out, m->text, strlen(m->text), PLAIN_LINES);
	else if (is_labelled(m))
		render_labelled(m, diag_look(m->severity, colour), cols, out);
	else
		render_line(m->tool, "", m->text, out);
	for (const struct dtx_message *n = m->notes; n; n = n->next) {
		note = *n;
		note.tool = m->tool;
		message_text(&note, out, colour, cols);
	}
	if (m->hint && m->at.file && is_labelled(m))
		render_line("      = help", "", m->hint, out);
	else if (m->hint)
		render_line(m->tool, "help: ", m->hint, out);
}

char *dtx_message_within(const struct dtx_message *m, bool colour, unsigned int columns)
{
	u32 cols = columns > MARGIN_COLS + LINE_MIN_COLS ? columns - MARGIN_COLS : LINE_MIN_COLS;
	struct buf text = { 0 };

	message_text(m, &text, colour, columns ? MIN(cols, (u32)LINE_MAX_COLS) : LINE_MAX_COLS);
	return text.data ? text.data : xstrdup("");
}

char *dtx_message_text(const struct dtx_message *m, bool colour)
{
	return dtx_message_within(m, colour, 0);
}
