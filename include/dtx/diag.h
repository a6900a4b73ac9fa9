/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * diag.h - source texts, byte ranges, diagnostics.
 *
 * Every node of a program keeps a `struct range`.  A diagnostic is an object:
 * it is collected while compiling and rendered once, with file:line:col, the
 * source line, the range underlined, its D_ tag, notes and a next step:
 *
 *     slow.d:3:24: error: 'struct file' has no member 'f_pathh' [D_TYPE_MEMBER]
 *         3 |         trace(args[0]->f_pathh);
 *           |                        ^~~~~~~
 *           |                        f_path
 *     slow.d:1:1: note: args[0] of fbt:vmlinux:vfs_read:entry is 'struct file *'
 *
 * Messages: lower case, one sentence, no full stop, the user's words.
 */
#ifndef DTX_DIAG_H
#define DTX_DIAG_H

#include "base.h"

/* From line `line` of a text on: what was line `as` of `file`. */
struct line_mark {
	u32 line, as;
	const char *file;
};

/* One program text: a script file, or one -n/-P/-m/-f/-i argument. */
struct source {
	const char *name;        /* file name, or "-n" etc. for an argument */
	const char *text;        /* NUL-terminated; may contain NULs before len */
	u32 len;
	u32 index;               /* position in command-line order, from 0 */
	bool is_file;            /* script (false: command-line program) */
	u32 *line_start;         /* byte offset of each line; made by source_open */
	u32 nlines;
	struct line_mark *marks; /* of "# N" and "#line N" lines, in order */
	u32 nmarks;
};

struct range {
	const struct source *src;   /* NULL: no place in a program */
	u32 from, to;               /* bytes, half open */
};

enum diag_level { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE };

/* Rows of diags.def: the D_ tags.  DIAG_NONE is for errors DTrace has no tag for. */
enum diag_tag {
#define DIAG(tag, doc) tag,
#include "diags.def"
#undef DIAG
	DIAG_NTAGS
};

struct diag {
	enum diag_level level;
	enum diag_tag tag;
	struct range at;
	const char *text;        /* one sentence */
	const char *fixit;       /* replacement for the range, or NULL; only when surely right */
	const char *hint;        /* "next step" sentence, or NULL */
	struct diag *notes;      /* attached notes, in order */
	struct diag *next;
};

/* Collected diagnostics of one handle. */
struct diags {
	struct arena *arena;
	struct diag *first, **last;
	u32 nerrors, nwarnings;
	u32 max_errors;          /* after this many the rest is only counted (default 20) */
};

struct source *source_open(struct arena *, const char *name, const char *text, u32 len,
			   bool is_file);
/* 1-based line and column (columns count bytes of the line up to `off`). */
void source_pos(const struct source *, u32 off, u32 *line, u32 *col);

/* What the text says about its own lines. */
void source_mark(struct arena *, struct source *, u32 line, u32 as, const char *file);
/* As source_pos, with file and line as the marks say. */
void source_place(const struct source *, u32 off, const char **file, u32 *line, u32 *col);

void diags_init(struct diags *, struct arena *);
struct diag *diag_error(struct diags *, enum diag_tag, struct range, const char *fmt, ...)
	PRINTF_LIKE(4, 5);
struct diag *diag_warn(struct diags *, enum diag_tag, struct range, const char *fmt, ...)
	PRINTF_LIKE(4, 5);
struct diag *diag_note(struct diags *, struct diag *to, struct range, const char *fmt, ...)
	PRINTF_LIKE(4, 5);
void diag_hint(struct diags *, struct diag *, const char *fmt, ...) PRINTF_LIKE(3, 4);
void diag_fixit(struct diags *, struct diag *, const char *fmt, ...) PRINTF_LIKE(3, 4);

const char *diag_tag_name(enum diag_tag);        /* "D_SYNTAX"; "" for DIAG_NONE */

/* Rendering (base/diag.c): caret text, all of them in order, prefix "dtx: " on lines
 * without a place.  Tabs are shown as in the source and the underline follows them. */
void diags_render(const struct diags *, struct buf *out, bool colour);

static inline struct range range_join(struct range a, struct range b)
{
	if (!a.src)
		return b;
	if (b.src == a.src) {
		if (b.from < a.from)
			a.from = b.from;
		if (b.to > a.to)
			a.to = b.to;
	}
	return a;
}

#endif
