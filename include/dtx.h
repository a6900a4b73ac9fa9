/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dtx.h - the public interface of dtx: D programs compiled to BPF, run and read.
 *
 * One handle, used by one thread.  Functions return 0 or a negative errno; what
 * went wrong is then a sentence for the user in dtx_errors().  The library never
 * exits, prints (but through the given stream) or keeps globals.
 *
 *     struct dtx *d = dtx_open();
 *     dtx_program_add(d, DTX_PROG_NAME, "-n", "syscall:::entry { @[execname] = count(); }");
 *     if (dtx_compile(d) || dtx_start(d) || dtx_run(d))
 *             fputs(dtx_errors(d, 0), stderr);
 *     dtx_close(d);
 */
#ifndef DTX_H
#define DTX_H

#include <stdbool.h>
#include <stdio.h>

struct dtx;

/* How the first description of a program aligns (DTrace guide, dtrace(1M) -P -m -f -n -i -s). */
enum dtx_prog {
	DTX_PROG_SCRIPT,         /* text is a whole script file */
	DTX_PROG_PROVIDER,       /* -P */
	DTX_PROG_MODULE,         /* -m */
	DTX_PROG_FUNCTION,       /* -f */
	DTX_PROG_NAME,           /* -n */
	DTX_PROG_ID,             /* -i */
};

struct dtx *dtx_open(void);
void dtx_close(struct dtx *);                    /* NULL is fine; detaches everything */

/* Before dtx_compile(). */
void dtx_set_name(struct dtx *, const char *name);       /* what messages begin with; stays the caller's */
int dtx_set_option(struct dtx *, const char *name, const char *value);   /* value may be NULL */
/* `text` is copied.  Scripts: `name` is the file name for messages. */
int dtx_program_add(struct dtx *, enum dtx_prog, const char *name, const char *text, size_t len);
int dtx_program_file(struct dtx *, const char *path);    /* "-": standard input */
int dtx_set_args(struct dtx *, int argc, const char *const *argv);   /* argv[0] is $0; copied */
int dtx_target_run(struct dtx *, const char *cmd);       /* -c: created, stopped */
int dtx_target_grab(struct dtx *, int pid);              /* -p */

/* May this process trace?  0, or -EPERM with a sentence that names what is missing. */
int dtx_rights(struct dtx *);

/* Once started: give up the capabilities of this thread that are of no more use; nothing with -w. */
int dtx_drop_rights(struct dtx *);

/* Text to a stream: -l, -lv, -S STAGE ("ast" "typed" "plan" "llvm" "bpf"), --help TOPIC … */
int dtx_list(struct dtx *, bool verbose, FILE *);
int dtx_dump(struct dtx *, const char *stages, FILE *);
int dtx_header(struct dtx *, FILE *);                    /* -h: C header of provider declarations */
int dtx_object(struct dtx *, FILE *);                    /* -G: an object to link, without content */
int dtx_stability(struct dtx *, FILE *);                 /* -v: of the compiled programs */
int dtx_explain(struct dtx *, FILE *);                   /* -v: what was attached, how, why */

int dtx_features(struct dtx *, FILE *);                  /* --features: abilities of the kernel */
int dtx_doctor(struct dtx *, FILE *);                    /* --doctor: what can be traced here, and why not */

/* A file for output, added to or emptied; NULL and errno, ELOOP for a symbolic link of another user. */
FILE *dtx_output(const char *path, bool add);

int dtx_compile(struct dtx *);
/*
 * Images in files.  Writing compiles: instead of dtx_compile(), and nothing can be run then.  Opening takes the place of
 * programs and dtx_compile(), and refuses what was made for another kernel, boot or version of a probed object.
 */
int dtx_image_write(struct dtx *, const char *path);
int dtx_image_open(struct dtx *, const char *path);
int dtx_enable(struct dtx *);                            /* may it run?  Adds to the messages what it matched */
int dtx_check(struct dtx *);                             /* -e: load (verify), do not attach */
int dtx_start(struct dtx *, FILE *out);                  /* load, attach, BEGIN, go */
int dtx_run(struct dtx *);                               /* until exit(), a signal or the targets' end */
/* Async-signal-safe: stop; twice: at once.  by_key: ^C, whose echo gets a line of its own. */
void dtx_interrupt(struct dtx *, bool by_key);

bool dtx_has_target(const struct dtx *);
#define DTX_LOST 3               /* exit status of the option strict: data were lost */
int dtx_exit_status(const struct dtx *);                 /* argument of exit(), DTX_LOST, else 0 */
/* All diagnostics and messages so far as text; valid until the next call. */
const char *dtx_errors(struct dtx *, bool colour);
const char *dtx_version(void);

#endif
