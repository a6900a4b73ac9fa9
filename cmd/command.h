/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * command.h - the common part of the commands dtx (main.c) and dtx-run (run.c): options, messages,
 * signals, a run from the image to the exit status.
 */
#ifndef DTX_COMMAND_H
#define DTX_COMMAND_H

#include <dtx-run.h>

#include "cmd/script.h"

enum status { STATUS_OK = 0, STATUS_FAILED = 1, STATUS_USAGE = 2 };

/* What an option does with its argument. */
enum action {
	ACT_PROGRAM, ACT_SCRIPT, ACT_SETTING, ACT_OPTION, ACT_OUTPUT, ACT_COMMAND, ACT_PID,
	ACT_LIST, ACT_HEADER, ACT_OBJECT, ACT_CHECK, ACT_DUMP, ACT_VERBOSE, ACT_VERSION, ACT_HELP,
	ACT_ACCEPT, ACT_FEATURES, ACT_DOCTOR, ACT_IMAGE, ACT_RUN, ACT_INSPECT, ACT_COMPLETE,
	ACT_REPLAY, ACT_FORMAT, ACT_LSP, ACT_DESCRIBE, ACT_DESCRIBE_PROGRAM, ACT_TRUST, ACT_AGENT,
	ACT_HOSTS, ACT_VIA
};

/* A row of args.def. */
struct option_row {
	char letter;             /* -letter, or 0 */
	const char *word;        /* --word, or NULL */
	const char *arg;         /* name of its argument, NULL: none */
	enum action action;
	bool compiles;           /* needs the compiler: dtx-run does not have it */
	const char *setting;     /* ACT_SETTING: name of the -x option */
	const char *help;        /* NULL: kept for compatibility, not shown */
};

struct given {
	const struct option_row *row;
	const char *arg;
};

struct command {
	const char *name;        /* $0 if there is no script */
	struct given *given;     /* options in their order */
	int ngiven, nprograms;
	char **operands;
	int noperands;
	char *tool;              /* the script of the tool that operands[0] names, or NULL */
	bool told;               /* what is wrong was answered: the usage would say no more */
	const char *first;       /* the first argument, or NULL */
	char *line;              /* options of the script's first line (#!), or NULL */
	struct script *scripts;  /* the last one first */
	struct settings settings;        /* values of their options */
	const char *output, *stages, *image;     /* image: to be written */
	const char *run, *inspect;       /* existing images */
	const char *replay;              /* an existing recording */
	const char *trust;               /* who has to have signed images, or NULL */
	const char *describe;            /* to be written: this machine */
	const char *hosts, *via;         /* the last ones given */
	const struct given *machine;     /* of several -x machine=, which is set already; or NULL */
	bool list, header, object, check, verbose, version, help, features, doctor;
	bool complete, fmt, lsp, agent;
};

/* One of the two commands. */
struct tool {
	const char *usage;       /* lines of text; {}: the name by which the tool was called */
	const char *examples;    /* below the options of --help */
	bool compiles;           /* false: options that need the compiler are refused */
	/* The manual about a topic; 0 or a negative errno, reported.  NULL: it has none. */
	int (*help)(struct dtx *, const char *topic, int width, bool colour, FILE *);
	/* The script of a tool of this name, malloc'd, or NULL.  NULL: it knows no names. */
	char *(*find)(const char *name);
	/* The first operand is no file: false, or it is a word of other programs, and was told;
	 * `known`: only if it is known what it means there. */
	bool (*told)(const char *word, bool known);
	/* STATUS_OK, or the exit status; errors were reported. */
	int (*check)(struct command *);
	FILE *(*open_output)(const struct command *);    /* NULL: already reported */
	/* Called after the options are set; returns the exit status. */
	int (*work)(struct dtx *, struct command *, FILE *out);
};

int command_times(const struct command *, const char *setting);  /* how often it is given */

/* Applies the options and does what they say; the exit status. */
int command_work(const struct tool *, struct dtx *, struct command *, FILE *out);

/* All of main(). */
int command_main(const struct tool *, int argc, char **argv);

/* The options of a script's first line (c->line), as the kernel gives them when the script is
 * executed: the letters of one word, up to -s. */
void command_first_line(struct command *);
const struct option_row *command_rows(size_t *n); /* all rows of args.def */
void command_usage(const struct tool *, FILE *);
int command_nothing(const struct tool *); /* nothing to do was given: prints the usage;
					   * STATUS_USAGE */
/* NULL as the path: stdout. */
FILE *command_output(const char *path, bool add);
/* The status, or that of a failed write.  path: of -o, or NULL. */
int command_close(FILE *, const char *path, int status);
/* After a run with this status; path: a file that it has made, or NULL.  The status. */
int command_left(const char *path, int status);

/* The image is opened, or the program compiled: runs it, or with -e verifies it.  The exit
 * status. */
int command_run(struct dtx *, const struct command *, FILE *out);

#endif
