/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * script.h - the options that a script declares (#pragma D param), on the command line after its
 * name (script.c).
 */
#ifndef CMD_SCRIPT_H
#define CMD_SCRIPT_H

#include <stdbool.h>
#include <stdio.h>

struct dtx_script;

/* A script or an image of the command line, and the values given for its options. */
struct script {
	const char *path;
	struct dtx_script *said; /* NULL: nothing is known about it */
	bool named;              /* it was found by the name of a tool */
	bool help;               /* its help is wanted */
	char *duration;          /* of its operands, or NULL */
	struct script *next;     /* the one before it on the command line */
};

struct setting {
	const char *name, *value;
	bool is_option;          /* of -x; else one that a script declares */
};

struct settings {
	struct setting *v;
	int n;
};

enum taken { TAKEN, NOT_TAKEN, TAKEN_BADLY };

/* The script at `path`, in front of the others; NULL: out of memory. */
struct script *script_add(struct script *before, const char *path, bool named);
void script_free(struct script *);               /* all of them; NULL is fine */
bool script_is_tool(const struct script *);      /* of any: are its options read? */

/* A program or a script is given by this option: with a tool, that is an option which it has not,
 * and false. */
bool script_alone(const struct script *, const char *word);
/*
 * The argument argv[*at]: an option of a script?  Then its value is added to *set, and *at goes
 * after it.  `is_own`: is the word an option of the command?  TAKEN_BADLY: reported.
 */
enum taken script_option(struct script *, int argc, char **argv, int *at, struct settings *set,
			 bool is_own);
/*
 * Operands that the script does not use itself, as the tools of other tracers take them: TOOL
 * [INTERVAL [COUNT]] where it declares these options, else TOOL [TIME]: how long it runs, or
 * TOOL TIME COUNT: how often it prints what it prints at its end.  $1 is operands[first]; those
 * that were taken are no longer in operands.
 */
void script_operands(struct script *, char **operands, int *n, int first, struct settings *set);
/*
 * Does it get what its usage ("USAGE: NAME [OPTION]... PROBE -p PID") wants, and no operand that it
 * has no use for?  process: -p or -c is given.  false: reported.
 */
bool script_suits(const struct script *, char **operands, unsigned n, bool process);
bool script_takes(const struct script *, char letter, const char *name);
/* Its options that begin with the word, for the shell: a line for each. */
void script_begun(const struct script *, const char *word, FILE *);
void script_help(const struct script *, FILE *);

#endif
