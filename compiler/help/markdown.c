/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * markdown.c - Markdown as text for a terminal, and as a man page.  The text is cut into blocks
 * first: a heading, a paragraph, an item, a line of code.
 */
#include <stdlib.h>
#include <string.h>

#include "compiler/help/help.h"

enum block { BLOCK_NONE, BLOCK_TEXT, BLOCK_ITEM, BLOCK_CODE };

struct render {
	struct buf *to;
	struct buf text;         /* the block so far, its lines joined */
	enum block block;
	int width;
	bool colour;
	bool man;                /* a man page, else text */
	bool gap;                /* text: an empty line is due */
	bool headed;             /* man: just after a heading, which makes a paragraph itself */
	const char *date, *version;
};

#define INDENT 4                 /* columns before text; items and code have more */

/* ---- text for a terminal -------------------------------------------------------------------- */

static void bold(struct render *r, bool on)
{
	if (r->colour)
		buf_puts(r->to, on ? "\033[1m" : "\033[m");
}

/* The columns of n bytes: markup is not shown, and of a character of several bytes one counts. */
static int columns(const char *s, size_t n)
{
	int wide = 0;

	for (size_t i = 0; i < n; i++)
		if (s[i] == '*' && i + 1 < n && s[i + 1] == '*')
			i++;
		else
			wide += s[i] != '`' && !utf8_inside(s[i]);
	return wide;
}

/* One word; a star counts as itself unless it is one of two. */
static void put_word(struct render *r, const char *s, size_t n, bool *strong, bool *code)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '`') {
			*code = !*code;
			bold(r, *code || *strong);
		} else if (!*code && s[i] == '*' && i + 1 < n && s[i + 1] == '*') {
			*strong = !*strong;
			bold(r, *strong);
			i++;
		} else {
			buf_putc(r->to, s[i]);
		}
	}
}

static void wrap(struct render *r, const char *text, int indent, int at)
{
	bool strong = false, code = false, first = true;

	for (const char *p = text + strspn(text, " "); *p; p += strspn(p, " ")) {
		size_t n = strcspn(p, " ");
		int wide = columns(p, n);

		if (!first && at + 1 + wide > r->width) {
			buf_putc(r->to, '\n');
			buf_pad(r->to, ' ', indent);
			at = indent;
		} else if (!first) {
			buf_putc(r->to, ' ');
			at++;
		}
		put_word(r, p, n, &strong, &code);
		at += wide;
		first = false;
		p += n;
	}
	buf_putc(r->to, '\n');
}

static void text_gap(struct render *r)
{
	if (r->gap && r->to->len)
		buf_putc(r->to, '\n');
	r->gap = false;
}

/* The end of `term` and its colon, or NULL: an item without a term. */
static const char *term_end(const char *text)
{
	const char *end = *text == '`' ? strstr(text, "`:") : NULL;

	return end ? end + 2 : NULL;
}

static void text_item(struct render *r, const char *text)
{
	const char *end = term_end(text);

	buf_pad(r->to, ' ', INDENT);
	if (!end) {
		buf_puts(r->to, "- ");
		wrap(r, text, INDENT + 2, INDENT + 2);
		return;
	}
	char *term = strndup(text + 1, end - text - 3);
	int used = INDENT + columns(term, strlen(term)), body = INDENT + 14;
	bold(r, true);
	if (used + 2 > body) {
		wrap(r, term, INDENT + 4, INDENT);
		used = 0;
	} else {
		buf_puts(r->to, term);
	}
	bold(r, false);
	free(term);
	buf_pad(r->to, ' ', body - used);
	wrap(r, end, body, body);
}

static void text_heading(struct render *r, int level, const char *text)
{
	r->gap = true;
	text_gap(r);
	if (level == 3)
		buf_puts(r->to, "  ");
	bold(r, true);
	for (; *text; text++)
		if (*text != '`')
			buf_putc(r->to, *text);
	bold(r, false);
	buf_putc(r->to, '\n');
}

/* ---- man pages ------------------------------------------------------------------------------ */

/* Text where a macro or an escape could begin stands for itself. */
static void man_text(struct render *r, const char *s, size_t n)
{
	bool strong = false, code = false;

	if (n && (*s == '.' || *s == '\''))
		buf_puts(r->to, "\\&");
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '`') {
			code = !code;
			buf_puts(r->to, code ? "\\fB" : "\\fR");
		} else if (!code && s[i] == '*' && i + 1 < n && s[i + 1] == '*') {
			strong = !strong;
			buf_puts(r->to, strong ? "\\fB" : "\\fR");
			i++;
		} else if (s[i] == '\\') {
			buf_puts(r->to, "\\e");
		} else if (s[i] == '-') {
			buf_puts(r->to, "\\-");
		} else if (s[i] == '^' || s[i] == '~') {
			buf_puts(r->to, s[i] == '^' ? "\\(ha" : "\\(ti");
		} else {
			buf_putc(r->to, s[i]);
		}
	}
}

/* A line ends with a sentence, as man pages are written, and before column 72. */
static void man_lines(struct render *r, const char *s)
{
	struct buf *to = r->to, text = { 0 };
	size_t at = 0;

	r->to = &text;
	man_text(r, s, strlen(s));
	r->to = to;
	for (const char *p = text.len ? text.data : ""; *p; p += strspn(p, " ")) {
		size_t n = strcspn(p, " ");

		if (at && at + n > 72) {
			buf_putc(to, '\n');
			at = 0;
		} else if (at) {
			buf_putc(to, ' ');
		}
		if (!at && (*p == '.' || *p == '\''))
			buf_puts(to, "\\&");
		buf_add(to, p, n);
		at += n + 1;
		if (p[n - 1] == '.' && p[n] && n > 3) {
			buf_putc(to, '\n');
			at = 0;
		}
		p += n;
	}
	if (at)
		buf_putc(to, '\n');
	buf_free(&text);
}

static void man_item(struct render *r, const char *text)
{
	const char *end = term_end(text);

	if (!end) {
		buf_puts(r->to, ".IP \\(bu 2\n");
		man_lines(r, text);
		return;
	}
	buf_puts(r->to, ".TP\n\\fB");
	man_text(r, text + 1, end - text - 3);
	buf_puts(r->to, "\\fR\n");
	man_lines(r, end + strspn(end, " "));
}

/* "dtx-io(7) - the io provider" */
static void man_title(struct render *r, const char *text)
{
	size_t n = strcspn(text, "(");
	const char *about = strstr(text, " - ");

	buf_puts(r->to, ".TH ");
	for (size_t i = 0; i < n; i++)
		buf_putc(r->to, text[i] >= 'a' && text[i] <= 'z' ? text[i] - 32 : text[i]);
	buf_printf(r->to, " %c %s \"dtx %s\"\n.SH NAME\n", text[n + 1], r->date, r->version);
	man_text(r, text, n);
	buf_puts(r->to, " \\-\n");
	man_lines(r, about ? about + 3 : "");
}

static void man_heading(struct render *r, int level, const char *text)
{
	if (level == 1) {
		man_title(r, text);
		return;
	}
	buf_puts(r->to, level == 2 ? ".SH " : ".SS ");
	for (; *text; text++)
		if (*text == '"')
			buf_puts(r->to, "\\(dq");
		else if (*text == '-')
			buf_puts(r->to, "\\-");
		else if (*text != '`')
			buf_putc(r->to, *text);
	buf_putc(r->to, '\n');
}

static void man_paragraph(struct render *r)
{
	if (!r->headed)
		buf_puts(r->to, ".PP\n");
	r->headed = false;
}

/* ---- both ----------------------------------------------------------------------------------- */

static void flush(struct render *r)
{
	const char *text = r->text.len ? r->text.data : "";

	if (r->block == BLOCK_CODE && r->man)
		buf_puts(r->to, ".EE\n.RE\n");
	if (r->block == BLOCK_TEXT && r->man) {
		man_paragraph(r);
		man_lines(r, text);
	} else if (r->block == BLOCK_TEXT) {
		text_gap(r);
		buf_pad(r->to, ' ', INDENT);
		wrap(r, text, INDENT, INDENT);
	} else if (r->block == BLOCK_ITEM && r->man) {
		r->headed = false;
		man_item(r, text);
	} else if (r->block == BLOCK_ITEM) {
		text_gap(r);
		text_item(r, text);
	}
	r->block = BLOCK_NONE;
	buf_reset(&r->text);
}

static void heading(struct render *r, const char *line)
{
	int level = strspn(line, "#");

	flush(r);
	line += level + strspn(line + level, " ");
	if (r->man)
		man_heading(r, level, line);
	else
		text_heading(r, level, line);
	r->gap = false;
	r->headed = true;
}

static void code_line(struct render *r, const char *line)
{
	if (r->block != BLOCK_CODE) {
		flush(r);
		if (r->man) {
			man_paragraph(r);
			buf_puts(r->to, ".RS 4\n.EX\n");
		} else {
			text_gap(r);
		}
		r->block = BLOCK_CODE;
	}
	if (!r->man) {
		buf_printf(r->to, "        %s\n", line);
		return;
	}
	if (*line == '.' || *line == '\'')
		buf_puts(r->to, "\\&");
	for (; *line; line++)
		if (strchr("\\-^~`", *line))
			buf_puts(r->to, *line == '\\' ? "\\e" : *line == '-' ? "\\-" :
				 *line == '^' ? "\\(ha" : *line == '~' ? "\\(ti" : "\\(ga");
		else
			buf_putc(r->to, *line);
	buf_putc(r->to, '\n');
}

static void text_line(struct render *r, const char *line)
{
	if (!strncmp(line, "- ", 2)) {
		flush(r);
		r->block = BLOCK_ITEM;
		line += 2;
	} else if (r->block != BLOCK_TEXT && r->block != BLOCK_ITEM) {
		flush(r);
		r->block = BLOCK_TEXT;
	}
	if (r->text.len)
		buf_putc(&r->text, ' ');
	buf_puts(&r->text, line + strspn(line, " "));
}

static void render_all(struct render *r, const char *markdown)
{
	while (*markdown) {
		size_t n = strcspn(markdown, "\n");
		char *line = strndup(markdown, n);

		if (!line)
			out_of_memory(n);
		if (!n) {
			flush(r);
			r->gap = true;
		} else if (*line == '#' && line[strspn(line, "#")] == ' ') {
			heading(r, line);
		} else if (!strncmp(line, "    ", 4)) {
			code_line(r, line + 4);
		} else if (strncmp(line, "<!--", 4)) {
			text_line(r, line);
		}
		free(line);
		markdown += n + (markdown[n] == '\n');
	}
	flush(r);
	buf_free(&r->text);
}

void help_show(struct buf *to, const char *markdown, int width, bool colour)
{
	struct render r = { .to = to, .width = width, .colour = colour };

	render_all(&r, markdown);
}

void help_man(struct buf *to, const char *markdown, const char *date, const char *version)
{
	struct render r = { .to = to, .man = true, .date = date, .version = version };

	render_all(&r, markdown);
}
