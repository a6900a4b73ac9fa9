/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * edit.h - what editors and shells ask about a text that is being written: where the cursor is,
 * what may follow there, how the text is formatted.  The text is usually not a valid program.
 */
#ifndef DTX_EDIT_H
#define DTX_EDIT_H

#include <dtx/env.h>

/* ---- cursor.c -------------------------------------------------------------------------------- */

enum where { AT_NOTHING, AT_PROBE, AT_EXPRESSION, AT_OPTION };

struct cursor {
	enum where where;        /* AT_NOTHING: in a comment or string */
	size_t from;             /* where the word at the cursor begins, in bytes */
	size_t probe, probe_end; /* AT_EXPRESSION: the descriptions of the clause */
	size_t path;             /* AT_EXPRESSION: "args[0]->x." before the word begins here */
};

/* The place `at` (bytes) of a text. */
struct cursor cursor_find(const char *text, size_t at);
/* Is this a slash in the path of uprobe:PATH:FUNCTION, not one that begins a predicate?  The
 * description begins at `word`. */
bool cursor_in_path(const char *word, const char *slash);
/* The end of the word (letters, digits, _) that begins at or contains `at`. */
size_t cursor_word_end(const char *text, size_t len, size_t at);

/* ---- names.c: names that the program defines ------------------------------------------------- */

/* A name with what belongs to it: "@", "$", "self->", "this->", "struct ", or "". */
struct name {
	const char *sigil;
	size_t from, to;         /* of the word itself */
};

/* The next word from *at on that may be such a name; moves *at after it. */
bool name_next(const char *text, size_t *at, struct name *);
/* Is it one: not in a comment, a description, not a member?  For words of name_next(). */
bool name_is_own(const char *text, const struct name *);
/* The name at a place; false: there is none. */
bool name_at(const char *text, size_t at, struct name *);
/* The next use of the same name from *at on; moves *at after it. */
bool name_next_use(const char *text, const struct name *, size_t *at, struct name *use);
/* Is the name that of D: a built-in, an argument of the probe, a name of the D library, a macro
 * variable that the script does not declare? */
bool name_is_of_d(struct dtx_env *, const char *text, const struct name *);

/* ---- candidates.c ---------------------------------------------------------------------------- */

/* One candidate: the word from cursor.from on becomes `word`. */
typedef void candidate_fn(void *arg, const char *word, const char *about);

void complete_text(struct dtx_env *, const char *text, size_t at, candidate_fn *, void *arg);
/* A built-in, an argument of the clause's probe, or a name of the D library. */
bool explain_of_d(struct dtx_env *, const char *text, const struct cursor *, const char *word,
		  struct buf *);
/* What there is to say about the word at a place, in Markdown; false: nothing. */
bool explain_word(struct dtx_env *, const char *text, size_t len, size_t at, struct buf *);

/* ---- shape.c: types of what is before a "." or "->" ------------------------------------------ */

/* A struct: of the kernel (type), or of the D library (its text). */
struct shape {
	struct type *type;
	const char *lib, *lib_end;       /* "typedef struct psinfo { …" */
};

/* The first probe that the descriptions match, with its arguments; NULL: none. */
struct dtx_probe *shape_probe(struct dtx_env *, const char *text, size_t from, size_t to);
/* What the path (text[from…to), ended by "." or "->") leads to; false: it is not known. */
bool shape_of(struct dtx_env *, const struct dtx_probe *, const char *text, size_t from, size_t to,
	      struct shape *);
/* "struct pid", "psinfo_t". */
bool shape_by_name(struct dtx_env *, const char *name, struct shape *);
void shape_members(const struct shape *, candidate_fn *, void *arg);

/* ---- define.c -------------------------------------------------------------------------------- */

/* Of the member at a place the text of the struct that has it, and its line, from 0; of the name of
 * a struct its text.  false: it is neither, or not known. */
bool define_at(struct dtx_env *, const char *text, size_t len, size_t at, struct buf *,
		   u32 *line);

/* ---- format.c -------------------------------------------------------------------------------- */

/* The program in the style of the examples: its comments and lines are kept, blanks and braces
 * change.  malloc'd. */
char *format_program(const char *text, size_t len);

#endif
