/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * diag.h - source texts, byte ranges, and the stream of messages of a handle.
 *
 * Every node of a program keeps a `struct range`.  A diagnostic is a message (dtx-message.h) that
 * is collected while compiling, with notes and a next step, and told when that is over:
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
#include "../dtx-message.h"

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
	u32 index;               /* programs: position in command-line order, from 0 */
	bool is_library;         /* text of a D library or of stable.def: none of the programs */
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

/* Rows of diags.def: the D_ tags.  DIAG_NONE is for errors DTrace has no tag for. */
enum diag_tag {
#define DIAG(tag, doc) tag,
#include "diags.def"
#undef DIAG
	DIAG_NTAGS
};

/* A message while it is collected. */
struct diag {
	struct dtx_message m;    /* the member `at` is that of the range */
	struct range at;
	bool moved;              /* from a library to what uses it: no fix-it fits */
	struct dtx_message *last_note;
	struct diag *next;
};

/* Why a function failed: its caller says where, or passes it on to the user. */
struct failure {
	enum dtx_kind kind;
	enum diag_tag tag;
	int error;               /* negative errno */
	char *text;              /* malloc'd; NULL: nothing failed */
};

/* The stream of messages of one handle. */
struct diags {
	struct arena *arena;
	const char *tool;        /* name of the command, for messages */
	dtx_message_fn *fn;      /* dtx_on_message() */
	void *arg;
	struct diag *first, **last, **untold;    /* collected; the first that was not told */
	u32 nerrors, nwarnings;
	u32 max_errors;          /* after this many the rest is only counted (default 20) */
	u32 nhidden;             /* of those, told */
	struct failure failure;
	struct range use;        /* what of the user's text is looked at: diags_use() */
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


/*
 * In a text of ours: the name by which dtx was called.  It is put in where a message is made, as
 * the texts of tables do not know it.
 */
#define TOOL  "\1"

/* A message as it stands; the callers fill in the rest. */
#define MESSAGE(what, how)  ((struct dtx_message){ .kind = (what), .severity = (how), .cpu = -1 })

/*
 * From now on `at` is looked at: an error in the text of a library, which is reached from there, is
 * told there.  Places in libraries are left out.  Returns what was looked at before, to be put
 * back.
 */
static inline struct range diags_use(struct diags *d, struct range at)
{
	struct range was = d->use;

	if (at.src && !at.src->is_library)
		d->use = at;
	return was;
}

/* To the user, now: the one way out. */
void diags_send(struct diags *, struct dtx_message *);
void diags_say(struct diags *, struct dtx_message, const char *fmt, ...) PRINTF_LIKE(3, 4);
void diags_vsay(struct diags *, struct dtx_message, const char *fmt, va_list);
void diags_show(struct diags *, const struct buf *);     /* text that an option asked for */
/* All that was collected and not told yet. */
void diags_tell(struct diags *);
/* The end of a public function: what was collected is told and, where err is negative, the failure
 * that was kept.  Returns err. */
int diags_told(struct diags *, int err);
/* Keep why something fails, in place of what was kept; returns the failure's error. */
int diags_fail(struct diags *, struct failure, const char *fmt, ...) PRINTF_LIKE(3, 4);
int diags_vfail(struct diags *, struct failure, const char *fmt, va_list);
bool diags_failed(const struct diags *);
/* The sentence of the failure, which is kept no more; in the arena, `otherwise` if there is
 * none. */
const char *diags_take(struct diags *, const char *otherwise);
void diags_close(struct diags *);

/* A message as text, as dtx_message_text() gives it (base/diagtext.c).  Tabs are shown as in the
 * source and the underline follows them. */
void message_text(const struct dtx_message *, struct buf *out, bool colour);

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
