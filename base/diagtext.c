/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * diagtext.c - diagnostics as text.
 *
 *     slow.d:3:24: error: 'struct file' has no member 'f_pathh' [D_TYPE_MEMBER]
 *         3 |         trace(args[0]->f_pathh);
 *           |                        ^~~~~~~
 *           |                        f_path          (fix-it)
 *     slow.d:1:1: note: args[0] of fbt:vmlinux:vfs_read:entry is 'struct file *'
 *           = help: next step
 *
 * The line is shown as it is, tabs included, but for bytes a terminal would not
 * show, which become \xNN.  A long line is cut around the range.  The two lines
 * below repeat the tabs of the first, so that they stay aligned whatever a tab is.
 */
#include <stdlib.h>

#include <dtx/diag.h>

#define LINE_MAX_COLS 160        /* longer lines are cut to this many bytes */
#define LINE_BEFORE   60         /* bytes kept before the range when cutting */

struct look {
	const char *bold, *level, *caret, *fix, *off;
};

static struct look diag_look(enum diag_level level, bool colour)
{
	static const char *const levels[] = { "\033[1;31m", "\033[1;35m", "\033[1;36m" };

	if (!colour)
		return (struct look){ "", "", "", "", "" };
	return (struct look){ "\033[1m", levels[level], "\033[1;32m", "\033[32m", "\033[0m" };
}

/* One character as shown; gives its bytes, and in *cols the columns it takes. */
static u32 put_char(struct buf *out, const char *s, u32 max, u32 *cols)
{
	u32 n = 1;

	*cols = 1;
	if ((u8)*s >= 0x80 && (n = utf8_len((const u8 *)s, max))) {
		buf_add(out, s, n);
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

static bool utf8_inside(const char *s)
{
	return ((u8)*s & 0xc0) == 0x80;
}

/* The part [*from, *to) of a long line that is shown. */
static void clip_line(const char *text, u32 at, u32 *from, u32 *to)
{
	u32 start = *from, end = *to;

	if (end - start <= LINE_MAX_COLS)
		return;
	if (at - start > LINE_BEFORE)
		*from = MIN(at - LINE_BEFORE, end - LINE_MAX_COLS);
	*to = MIN(*from + LINE_MAX_COLS, end);
	while (*from < at && utf8_inside(text + *from))
		++*from;
	while (*to < end && utf8_inside(text + *to))
		++*to;
}

/* Source line in `out`; the same columns as blanks, and the underline, in the others. */
static void show_line(const struct range *r, u32 from, u32 to, struct buf *out, struct buf *blank,
		      struct buf *under)
{
	u32 i = from;

	while (i < to) {
		const char *c = r->src->text + i;
		u32 cols, at = i;

		i += put_char(out, c, to - i, &cols);
		if (at < r->from) {
			buf_pad(blank, *c == '\t' ? '\t' : ' ', (int)cols);
		} else if (at < r->to) {
			if (!under->len && cols--)
				buf_putc(under, '^');
			buf_pad(under, *c == '\t' ? '\t' : '~', (int)cols);
		}
	}
	if (!under->len)
		buf_putc(under, '^');
}

static void render_snippet(const struct diag *d, struct look l, struct buf *out)
{
	const struct source *s = d->at.src;
	struct buf blank = { 0 }, under = { 0 };
	u32 line, shown, col, from, to, start, end;
	const char *file;

	source_pos(s, d->at.from, &line, &col);
	from = s->line_start[line - 1];
	to = line < s->nlines ? s->line_start[line] - 1 : s->len;
	if (to > from && s->text[to - 1] == '\r')
		to--;
	start = from;
	end = to;
	clip_line(s->text, MIN(d->at.from, to), &from, &to);
	source_place(s, d->at.from, &file, &shown, &col);
	buf_printf(out, "%5u | %s", shown, from > start ? "..." : "");
	buf_pad(&blank, ' ', from > start ? 3 : 0);
	show_line(&d->at, from, to, out, &blank, &under);
	buf_printf(out, "%s\n      | %s%s%s%s\n", to < end ? "..." : "",
		   blank.len ? blank.data : "", l.caret, under.data, l.off);
	if (d->fixit)
		buf_printf(out, "      | %s%s%s%s\n", blank.len ? blank.data : "", l.fix,
			   d->fixit, l.off);
	buf_free(&blank);
	buf_free(&under);
}

static void render_one(const struct diag *d, bool colour, struct buf *out)
{
	static const char *const levels[] = { "error", "warning", "note" };
	struct look l = diag_look(d->level, colour);

	if (d->at.src) {
		const char *file;
		u32 line, col;

		source_place(d->at.src, d->at.from, &file, &line, &col);
		buf_printf(out, "%s%s:%u:%u: ", l.bold, file, line, col);
	} else {
		buf_printf(out, "%sdtx: ", l.bold);
	}
	buf_printf(out, "%s%s%s: %s%s%s", l.off, l.level, levels[d->level], l.off, l.bold, d->text);
	if (d->tag != DIAG_NONE)
		buf_printf(out, "%s [%s]\n", l.off, diag_tag_name(d->tag));
	else
		buf_printf(out, "%s\n", l.off);
	if (d->at.src && d->level != DIAG_NOTE)
		render_snippet(d, l, out);
	for (const struct diag *n = d->notes; n; n = n->next)
		render_one(n, colour, out);
	if (d->hint)
		buf_printf(out, "%shelp: %s\n", d->at.src ? "      = " : "dtx: ", d->hint);
}

void diags_render(const struct diags *d, struct buf *out, bool colour)
{
	for (const struct diag *n = d->first; n; n = n->next)
		render_one(n, colour, out);
	if (d->nerrors > d->max_errors)
		buf_printf(out, "dtx: %u more errors not shown\n", d->nerrors - d->max_errors);
}
