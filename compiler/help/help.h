/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * help.h - the manual inside dtx: pages of docs/man/, tables of include/dtx/, and how both are
 * shown.  Everything is written in a part of Markdown, also what is made of tables; one renderer
 * makes of it the text of `dtx --help TOPIC`, another the man pages.
 *
 * The part of Markdown: headings (#, ##, ###), paragraphs, lists ("- item", or "- `term`: text"),
 * lines of code (indented by four blanks), `code` and **bold** inside a line.
 */
#ifndef DTX_HELP_H
#define DTX_HELP_H

#include <dtx/base.h>

/* The files of docs/man/, ended by a row of zeros (the Makefile embeds them). */
struct help_page {
	const char *name;        /* the file: "dtx-io.7" and the ending of Markdown */
	const char *text, *end;
};
extern const struct help_page dtx_man_pages[];

/* ---- rowtext.c: rows as Markdown ------------------------------------------------------------- */

/* Each adds the section of one name and returns whether there is such a name. */
bool help_builtin(struct buf *, const char *name);
bool help_aggregation(struct buf *, const char *name);
bool help_option(struct buf *, const char *name);
bool help_argument(struct buf *, const char *name);      /* "-p", "--follow", "follow" */
bool help_diagnostic(struct buf *, const char *tag);
bool help_conversion(struct buf *, const char *conv);    /* "%d" */
bool help_probe(struct buf *, const char *provider, const char *name);

/* The lists of a page: "<!-- NAME -->" in its text.  false: there is no such list. */
bool help_list(struct buf *, const char *name);
/* Calls fn for each name of that kind that is a topic, until it returns true. */
enum help_kind {
	HELP_BUILTINS,           /* with the aggregating functions */
	HELP_OPTIONS, HELP_ARGUMENTS, HELP_TAGS,
	HELP_KINDS
};
bool help_names(enum help_kind, bool (*fn)(void *arg, const char *name), void *arg);

/* The same for names of expressions: built-ins and aggregating functions, with a prototype. */
void help_rows(bool (*fn)(void *arg, const char *name, const char *prototype), void *arg);

/* ---- markdown.c ----------------------------------------------------------------------------- */

/* Text of at most `width` columns; colour: headings and terms are bold. */
void help_show(struct buf *, const char *markdown, int width, bool colour);
/* A man page in the macros man(7).  `date`: YYYY-MM-DD; the first heading is "# NAME(N) - what". */
void help_man(struct buf *, const char *markdown, const char *date, const char *version);

/* ---- topic.c -------------------------------------------------------------------------------- */

/* A page with its lists, or NULL; the caller frees it.  `name` is "dtx-io", or "io" for short. */
char *help_page(const char *name);

#endif
