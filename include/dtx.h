/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dtx.h - the public interface of dtx: it compiles D programs to BPF, lists probes and writes
 * images.  dtx-run.h, which this header includes, runs the programs.  Link with the output of
 * `pkg-config --libs libdtx`.
 *
 *     #include <dtx.h>
 *     #include <stdlib.h>
 *     #include <string.h>
 *
 *     static void show(void *arg, const struct dtx_message *m)
 *     {
 *             char *text = dtx_message_text(m, false);
 *
 *             fputs(text, stderr);
 *             free(text);
 *     }
 *
 *     int main(void)
 *     {
 *             const char *text = "syscall:::entry { @[execname] = count(); } tick-1s { exit(0); }";
 *             struct dtx *d = dtx_open();
 *
 *             dtx_on_message(d, show, NULL);
 *             int err = dtx_program_add(d, DTX_PROG_NAME, "-n", text, strlen(text));
 *             if (!err)
 *                     err = dtx_compile(d);
 *             if (!err)
 *                     err = dtx_start(d, stdout);
 *             if (!err)
 *                     err = dtx_run(d);
 *             dtx_close(d);
 *             return err ? 1 : 0;
 *     }
 */
#ifndef DTX_H
#define DTX_H

#include <dtx-run.h>

#pragma GCC visibility push(default)

/* How the first probe description of a program is aligned (DTrace guide, dtrace(1M) -P -m -f -n -i
 * -s). */
enum dtx_prog {
	DTX_PROG_SCRIPT,         /* text is a whole script file */
	DTX_PROG_PROVIDER,       /* -P */
	DTX_PROG_MODULE,         /* -m */
	DTX_PROG_FUNCTION,       /* -f */
	DTX_PROG_NAME,           /* -n */
	DTX_PROG_ID,             /* -i */
};

/* ---- programs -------------------------------------------------------------------------------- */

/* `text` is copied.  Scripts: `name` is the file name for messages. */
int dtx_program_add(struct dtx *, enum dtx_prog, const char *name, const char *text, size_t len);
int dtx_program_file(struct dtx *, const char *path);
int dtx_program_fd(struct dtx *, const char *name, int fd); /* read to the end of the file */
int dtx_set_args(struct dtx *, int argc, const char *const *argv);   /* argv[0] is $0; copied */
/* The value of an option that a script declares, before the program is compiled; copied.  Given
 * again, the last one counts. */
int dtx_set_param(struct dtx *, const char *name, const char *value);

/* ---- compiling: call one of these, once ------------------------------------------------------ */

int dtx_compile(struct dtx *); /* for dtx_enable(), dtx_check(), dtx_start() */
int dtx_image_write(struct dtx *, const char *path);     /* for dtx_image_open() */

/* These write text to a stream. */
int dtx_list(struct dtx *, bool verbose, FILE *);        /* -l, -lv */
int dtx_dump(struct dtx *, const char *stages, FILE *);  /* -S "ast,typed,plan,llvm,bpf" */
int dtx_header(struct dtx *, FILE *);                    /* -h: C header of provider declarations */
int dtx_object(struct dtx *, FILE *); /* -G: an empty object file to link */

/* ---- the manual ------------------------------------------------------------------------------ */

/* --help TOPIC: what the manual says about a page, a provider, a built-in, an option ("-x NAME") or
 * the tag of a message; lines of at most `width` columns, bold headings with `colour`.  -ENOENT: no
 * such topic; the message names a similar one. */
int dtx_help(struct dtx *, const char *topic, int width, bool colour, FILE *);
/* Calls fn for each topic, in the order of the alphabet. */
void dtx_help_topics(void (*fn)(void *arg, const char *topic), void *arg);

/* ---- for shells and editors ------------------------------------------------------------------ */

/*
 * What may stand at byte `at` of a program that is being written: calls fn with each word that can
 * replace the bytes from the returned place to `at`, and with what it is ("" if that is not known).
 * fn may be NULL: only the place is wanted.  At most DTX_CANDIDATES words are given.
 * Works without rights, with what the machine shows to the user.
 */
enum { DTX_CANDIDATES = 2000 };
size_t dtx_complete(struct dtx *, const char *text, size_t at,
		    void (*fn)(void *arg, const char *word, const char *about), void *arg);
/* What the word at byte `at` is, in Markdown: a built-in, a member and its type, a probe and its
 * arguments.  NULL: nothing is known.  The caller frees it. */
char *dtx_hover(struct dtx *, const char *text, size_t at);
/* The definition of the member at byte `at` (`tgid` of `curthread->tgid`): the text of the struct
 * that has it, as in C, and its line in that, from 0.  Of the name of a struct, its text.  NULL: it
 * is neither, or not known.  The caller frees it. */
char *dtx_definition(struct dtx *, const char *text, size_t at, unsigned *line);
/* Calls fn with the place of each use of the name at byte `at` that the program itself defines, in
 * their order; the sigil (@, self->) is not part of it.  -ENOENT: there is no such name.
 * -EPERM: it is a name of D, or an argument of the probe. */
int dtx_uses(struct dtx *, const char *text, size_t at,
	     void (*fn)(void *arg, size_t from, size_t to), void *arg);
/* --fmt: the program in the style of the examples; only the space between its tokens changes.
 * `text` ends with a NUL and may have mistakes.  The caller frees the result. */
char *dtx_format(const char *text);

enum dtx_token {
	DTX_TOKEN_NONE,          /* a bracket, a comma, a semicolon; not passed to fn */
	DTX_TOKEN_KEYWORD,
	DTX_TOKEN_TYPE,
	DTX_TOKEN_VARIABLE,
	DTX_TOKEN_PROPERTY,      /* a member */
	DTX_TOKEN_FUNCTION,
	DTX_TOKEN_PROBE,         /* a probe description */
	DTX_TOKEN_MACRO,         /* $1, $target, a line that begins with # */
	DTX_TOKEN_NUMBER,
	DTX_TOKEN_STRING,
	DTX_TOKEN_OPERATOR,
	DTX_TOKEN_COMMENT,
	DTX_TOKENS
};
/* In place of dtx_compile(): calls fn with each token (enum dtx_token) and comment, as the compiler
 * reads them, in their order.  The programs may have mistakes, which are not reported. */
void dtx_tokens(struct dtx *, void (*fn)(void *arg, int token, size_t from, size_t to),
		void *arg);

#pragma GCC visibility pop

#endif
