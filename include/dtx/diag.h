/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * diag.h - source texts, byte ranges, and the stream of messages of a handle.
 *
 * Every node of a program keeps a `struct range`.  A diagnostic is a message (dtx-message.h) that
 * is collected while compiling, with notes and a next step, and reported when compiling ends:
 *
 *     slow.d:3:24: error: 'struct file' has no member 'f_pathh' [D_TYPE_MEMBER]
 *         3 |         trace(args[0]->f_pathh);
 *           |                        ^~~~~~~
 *           |                        f_path
 *     slow.d:1:1: note: args[0] of fbt:vmlinux:vfs_read:entry is 'struct file *'
 *
 * Messages: lower case, one sentence, no full stop, in the words of the user.
 */
#ifndef DTX_DIAG_H
#define DTX_DIAG_H

#include "base.h"
#include "../dtx-message.h"

/* Line `line` of a text was line `as` of `file`; the lines after it follow. */
struct line_mark {
	u32 line, as;
	const char *file;
};

/* One program text: a script file, or one -n/-P/-m/-f/-i argument. */
struct source {
	const char *name;        /* file name, or "-n" etc. for an argument */
	const char *text;        /* NUL-terminated; may contain NULs before len */
	u32 len;
	u32 index;               /* programs: position in command-line order, from 0 */
	bool is_library;         /* text of a D library or of stable.def, not a program */
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

/* A tag is a row of diags.def, by its number from 1 on: tag.h has the names. */
enum { DIAG_NONE };              /* errors DTrace has no tag for */

/* A message while it is collected. */
struct diag {
	struct dtx_message m;    /* the member `at` is that of the range */
	struct range at;
	bool moved;              /* moved from a library to the code that uses it: no fix-it
				  * applies */
	struct dtx_message *last_note;
	struct diag *next;
};

/* Why a function failed.  Its caller adds the place, or reports it to the user. */
struct failure {
	enum dtx_kind kind;
	u32 tag;                 /* tag.h */
	int error;               /* negative errno */
	char *text;              /* malloc'd; NULL: nothing failed */
};

/* The stream of messages of one handle. */
struct diags {
	struct arena *arena;
	const char *tool;        /* name of the command, for messages */
	dtx_message_fn *fn;      /* dtx_on_message() */
	void *arg;
	dtx_message_fn *also;    /* the sinks of a run see each message before; or NULL */
	void *also_arg;
	struct diag *first, **last, **untold;    /* collected; the first not yet reported */
	u32 nerrors, nwarnings;
	u32 max_errors;          /* further errors are only counted (default 20) */
	u32 nhidden;             /* the number of those already reported */
	bool enough;             /* of this call: the last error says all that is to be done */
	struct failure failure;
	struct range use;        /* the part of the user's text being compiled: diags_use() */
};

struct source *source_open(struct arena *, const char *name, const char *text, u32 len,
			   bool is_file);
/* 1-based line and column (columns count bytes of the line up to `off`). */
void source_pos(const struct source *, u32 off, u32 *line, u32 *col);

/* Adds a "# N" or "#line N" line of the text. */
void source_mark(struct arena *, struct source *, u32 line, u32 as, const char *file);
/* As source_pos, with file and line as the marks say. */
void source_place(const struct source *, u32 off, const char **file, u32 *line, u32 *col);

void diags_init(struct diags *, struct arena *);
struct diag *diag_error(struct diags *, u32 tag, struct range, const char *fmt, ...)
	PRINTF_LIKE(4, 5);
struct diag *diag_warn(struct diags *, u32 tag, struct range, const char *fmt, ...)
	PRINTF_LIKE(4, 5);
/* A note of its own: as a warning, but nothing is wrong. */
struct diag *diag_remark(struct diags *, struct range, const char *fmt, ...) PRINTF_LIKE(3, 4);
struct diag *diag_note(struct diags *, struct diag *to, struct range, const char *fmt, ...)
	PRINTF_LIKE(4, 5);
void diag_hint(struct diags *, struct diag *, const char *fmt, ...) PRINTF_LIKE(3, 4);
void diag_fixit(struct diags *, struct diag *, const char *fmt, ...) PRINTF_LIKE(3, 4);


/*
 * In a text of dtx: stands for the name by which dtx was called.  It is replaced when a message
 * is made, because the texts of tables are constant.
 */
#define TOOL  "\1"

/* A message of constant text; the callers fill in the rest. */
#define MESSAGE(what, how)  ((struct dtx_message){ .kind = (what), .severity = (how), .cpu = -1 })

/*
 * `at` is now being compiled: an error in library text that is reached from there is reported
 * there.  Ranges in libraries are ignored.  Returns the range set before, which the caller
 * restores.
 */
static inline struct range diags_use(struct diags *d, struct range at)
{
	struct range was = d->use;

	if (at.src && !at.src->is_library)
		d->use = at;
	return was;
}

/* Sends a message to the user now.  All messages go this way. */
void diags_send(struct diags *, struct dtx_message *);
void diags_say(struct diags *, struct dtx_message, const char *fmt, ...) PRINTF_LIKE(3, 4);
void diags_vsay(struct diags *, struct dtx_message, const char *fmt, va_list);
void diags_show(struct diags *, const struct buf *);     /* text that an option asked for */
/* Reports all messages that were collected and not reported yet. */
void diags_tell(struct diags *);
/* Ends a public function: reports what was collected and, if err is negative, the failure that was
 * kept.  Returns err. */
int diags_told(struct diags *, int err);
/* Keeps a failure, and replaces the one kept before; returns the failure's error. */
int diags_fail(struct diags *, struct failure, const char *fmt, ...) PRINTF_LIKE(3, 4);
int diags_vfail(struct diags *, struct failure, const char *fmt, va_list);
bool diags_failed(const struct diags *);
/* Takes the kept failure: its text, in the arena; `otherwise` if none is kept. */
const char *diags_take(struct diags *, const char *otherwise);
void diags_close(struct diags *);

/* A message as text, as dtx_message_text() gives it (base/diagtext.c).  Tabs are shown as in the
 * source and the underline follows them.  Of the source line `cols` columns are shown. */
void message_text(const struct dtx_message *, struct buf *out, bool colour, u32 cols);

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
