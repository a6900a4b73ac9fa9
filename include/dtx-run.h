/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dtx-run.h - the part of dtx that runs compiled programs.  It needs no compiler.  Link with
 * the output of `pkg-config --libs libdtxrt`.
 *
 * A handle is used by one thread.  Functions return 0 or a negative errno; all messages, errors
 * too, go to the function set by dtx_on_message().  The library never exits and never reads
 * standard input.  It prints only to the stream it is given, and its only global is that of
 * dtx_on_out_of_memory().  Commands of -c and of system() inherit the files of the process.
 *
 *     #include <dtx-run.h>
 *     #include <stdlib.h>
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
 *             struct dtx *d = dtx_open();
 *
 *             dtx_on_message(d, show, NULL);
 *             int err = dtx_image_open(d, "reads.img");
 *             if (!err)
 *                     err = dtx_start(d, stdout);
 *             if (!err)
 *                     err = dtx_run(d);
 *             dtx_close(d);
 *             return err ? 1 : 0;
 *     }
 */
#ifndef DTX_RUN_H
#define DTX_RUN_H

#include <stdbool.h>
#include <stdio.h>

#include "dtx-data.h"
#include "dtx-message.h"

/* What is declared here is all that the library exports. */
#pragma GCC visibility push(default)

struct dtx;

struct dtx *dtx_open(void);
void dtx_close(struct dtx *);                    /* NULL is fine; detaches everything */

const char *dtx_version(void);

/* ---- settings: before dtx_image_open() or dtx_compile() -------------------------------------- */

/* messages begin with this name; the string is not copied */
void dtx_set_name(struct dtx *, const char *name);
/* Messages name all functions that were left out, not the first few. */
void dtx_name_all(struct dtx *);
int dtx_set_option(struct dtx *, const char *name, const char *value);   /* value may be NULL */

/* Target processes are compiled into a program, and an image has none: dtx_image_open() fails if
 * there are targets.  They may be created after it, for an image that was made to get them. */
int dtx_target_run(struct dtx *, const char *cmd);       /* -c: created, stopped */
int dtx_target_grab(struct dtx *, int pid);              /* -p */
/* The image that is made, or opened, gets a -c where it runs. */
void dtx_target_later(struct dtx *);
bool dtx_has_target(const struct dtx *);

/* ---- what this machine and this process can do ----------------------------------------------- */

int dtx_features(struct dtx *, FILE *);                  /* --features: abilities of the kernel */
/* Of the machine that programs are compiled for: "this machine", or its name and kernel. */
const char *dtx_machine(const struct dtx *);
/* --describe: what a compilation asks of this machine; -x machine takes it elsewhere.  `path` NULL:
 * it is written to the stream; else the file becomes it, or stays as it was. */
int dtx_describe(struct dtx *, const char *path, FILE *);
/* Before dtx_image_open(): only images are opened that one of these signers has signed (a file as
 * ssh-keygen(1) describes it, ALLOWED SIGNERS), with options that are harmless for them. */
void dtx_image_trust(struct dtx *, const char *signers);
/* Before it: the description has this program, too, with its debugging information and libraries:
 * a path, or a name as in probes of uprobe. */
void dtx_describe_program(struct dtx *, const char *name);
int dtx_doctor(struct dtx *, FILE *); /* --doctor: what can be traced here, and why not */

/* May this process trace?  0, or -EPERM with a message that names what is missing. */
int dtx_rights(struct dtx *);

/* ---- what a script or an image says about itself --------------------------------------------- */

/* An option that a script declares: #pragma D param NAME[,LETTER] TYPE [DEFAULT] "TEXT". */
struct dtx_param {
	const char *name;        /* --NAME, and $NAME in the program */
	char letter;             /* 0: none */
	const char *type;        /* "int", "string", "time", "size" or "flag" */
	const char *value;       /* its default; in an image the value it was compiled with */
	const char *help;
};

struct dtx_script {
	const char *comment;     /* text of the comment before the program, NULL: none */
	struct dtx_param *params;
	unsigned nparams;
	unsigned noperands;      /* the largest N of the $N and $$N in its text */
	bool is_tool;            /* begins with #! or declares options */
	bool is_image;
	bool has_end;            /* clauses of END or aggregations: it prints when it ends */
	void *memory;            /* of all this */
};

/* Reads a script or an image, without compiling it.  NULL if it is no regular file or cannot be
 * read.  Declarations with mistakes are left out: the compiler reports them. */
struct dtx_script *dtx_script_read(const char *path);
struct dtx_script *dtx_script_text(const char *text, size_t len);
void dtx_script_free(struct dtx_script *);       /* NULL is fine */
/* What the option takes, if `value` is wrong for it ("a whole number, as in 10"); else NULL. */
const char *dtx_param_wrong(const struct dtx_param *, const char *value);

/* ---- running --------------------------------------------------------------------------------- */

/* Refuses an image made for another kernel, boot or version of a probed object. */
int dtx_image_open(struct dtx *, const char *path);
/* Prints what an image holds, what it was made for, and whether it can run here.  Works also for an
 * image made for another machine. */
int dtx_image_inspect(struct dtx *, const char *path, FILE *);
/* Reports how many probes each description matches. */
void dtx_matches(struct dtx *);
int dtx_enable(struct dtx *); /* may it run?  Reports what it matched */
int dtx_check(struct dtx *);                             /* -e: load (verify), do not attach */
int dtx_start(struct dtx *, FILE *out); /* load, attach, BEGIN, go; out NULL: prints nothing */
/* After dtx_start(): give up the capabilities of this thread that are no longer needed.  Does
 * nothing with -w. */
int dtx_drop_rights(struct dtx *);
int dtx_run(struct dtx *); /* until exit(), a signal, or all targets ended */
/* Async-signal-safe.  Stops the run; the second call stops it at once.  by_key: ^C was pressed, and
 * its echo gets a line of its own. */
void dtx_interrupt(struct dtx *, bool by_key);

/* Shows a run that the option record kept in a file, in the format that is set.  It needs no rights
 * and no program; nothing else of a handle is used with it. */
int dtx_replay(struct dtx *, const char *path, FILE *out);
/* The same of n runs of one program: their aggregations are merged, the rest has its host. */
int dtx_replay_all(struct dtx *, const char *const *paths, size_t n, FILE *out);

/* ---- runs of several hosts ------------------------------------------------------------------- */

/* The value of an option as it was set; NULL: it was not. */
const char *dtx_option(const struct dtx *, const char *name);
/* What it means, also if it was not set: a flag 0 or 1, a time its ns. */
long long dtx_option_number(const struct dtx *, const char *name);

/* Streams of hosts (what the option record writes), merged into one result in the format that is
 * set.  All hosts are named before the first bytes come. */
struct dtx_fleet;
struct dtx_fleet *dtx_fleet_open(struct dtx *, FILE *out);
/* An image that hosts get, before the first bytes come: what they say of the program is not
 * believed. */
int dtx_fleet_program(struct dtx_fleet *, const void *image, size_t len);
/* Who reads its recording shows the messages in it: they are not told here. */
void dtx_fleet_relays(struct dtx_fleet *);
unsigned dtx_fleet_host(struct dtx_fleet *, const char *name);   /* its number */
/* What the user was told of a host, or of several (NULL), before they begin: what shows or records
 * the run has it, too. */
void dtx_fleet_note(struct dtx_fleet *, const char *host, const char *text);
/* Bytes of its stream, as they come.  -EINVAL: they are none; the host is out, and was named. */
int dtx_fleet_bytes(struct dtx_fleet *, unsigned host, const void *, size_t);
/* Nothing more comes of it.  why NULL: it ended well; else what it had sent stays, marked. */
void dtx_fleet_gone(struct dtx_fleet *, unsigned host, const char *why);
long long dtx_fleet_turn(struct dtx_fleet *); /* shows what is due; ns until the next call */
bool dtx_fleet_stop(const struct dtx_fleet *); /* should all hosts end? */
int dtx_fleet_status(const struct dtx_fleet *);  /* the first exit status of a host that is not 0 */
int dtx_fleet_end(struct dtx_fleet *);           /* prints the merged aggregations, once */
void dtx_fleet_close(struct dtx_fleet *);        /* NULL is fine */

/* Async-signal-safe: gives the terminal back if the option live has it.  For those who end the
 * process at once, by _exit(). */
void dtx_leave_screen(void);

#define DTX_LOST 3               /* exit status of the option strict: data were lost */
int dtx_exit_status(const struct dtx *);                 /* argument of exit(), DTX_LOST, else 0 */

int dtx_stability(struct dtx *, FILE *);                 /* -v: stability of the compiled
							  * programs */
int dtx_explain(struct dtx *); /* -v: reports what was attached, how and why */

/* Opens a file for output, which only this user can read (option outmode); `add` appends, else the
 * file is readable as the umask says, and keeps its bytes until dtx_header() or dtx_object() has
 * others.  NULL and errno on failure; ELOOP if the path
 * is a symbolic link of another user. */
FILE *dtx_output(const char *path, bool add);
/* Opens a file for input with the rights of the user, also where the file of the program has
 * capabilities. */
FILE *dtx_input(const char *path);
/* Why one of them failed, of errno. */
const char *dtx_file_why(int err);

/* The text with escapes in place of what acts on a terminal or hides something; newlines stay.  The
 * caller frees it. */
char *dtx_plain_text(const char *);

#pragma GCC visibility pop

#endif
