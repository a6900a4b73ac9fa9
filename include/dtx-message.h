/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dtx-message.h - messages of dtx as objects; a part of the public interface.
 *
 * The library prints nothing.  Each message, from a syntax error to the end of the run, is a
 * struct dtx_message, passed to the one function that dtx_on_message() sets.  The command
 * prints the text that dtx_message_text() makes of it; an editor or a log reads the members.
 *
 * A message and all it points to are valid until the function returns.  Members are added at
 * the end only; those that a kind does not have are 0 or NULL (cpu: -1).
 */
#ifndef DTX_MESSAGE_H
#define DTX_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is declared here is all that the library exports. */
#pragma GCC visibility push(default)

struct dtx;

enum dtx_kind {
	DTX_DIAGNOSTIC, /* about the text of a program: at, tag, fixit */
	DTX_FAILURE,    /* why a function of the interface failed: error */
	DTX_NOTICE,     /* what dtx does or did, and what the user should know about it */
	DTX_REFUSED,    /* probes that cannot be attached, and why */
	DTX_ATTACHED,   /* how probes were attached, and why that way: dtx_explain() */
	DTX_FAULT,      /* a clause failed in a firing: probe, cpu, reason, value */
	DTX_LOSS,       /* data were lost: reason, count; cpu or probe where known */
	DTX_ACCOUNT,    /* all losses of a run, one message per probe: losses, count */
	DTX_WRITE,      /* output could not be written: error */
	DTX_LISTING,    /* text that an option asked for; may have many lines */
	DTX_END,        /* the run is over: status.  No text; the last message of dtx_run() */
	DTX_PROGRESS,   /* something slow begins: for people who wait at a terminal */
};

enum dtx_severity { DTX_ERROR, DTX_WARNING, DTX_NOTE, DTX_INFO };

/* A place in the text of a program.  Lines and columns count from 1, columns count bytes. */
struct dtx_place {
	const char *file;        /* name of the script, or "-n" …; NULL: no place in a program */
	unsigned line, column;   /* of the first byte */
	unsigned end_line, end_column;   /* just after the last byte */
	size_t from, to;         /* the same in bytes of `text`, half open */
	/* The whole program after preprocessing, `length` bytes.  A fault only knows where its
	 * clause begins: NULL, and no end. */
	const char *text;
	size_t length;
};

struct dtx_loss {
	const char *reason;      /* "PRINCIPAL", "AGGREGATION" … */
	uint64_t count;
};

struct dtx_message {
	enum dtx_kind kind;
	enum dtx_severity severity;
	const char *tool;        /* messages begin with this name: dtx_set_name() */
	const char *text;        /* one sentence, lower case, without a full stop */
	const char *tag;         /* "D_SYNTAX" …, or NULL */
	struct dtx_place at;
	const struct dtx_message *notes;         /* details, a list linked by `next` */
	const struct dtx_message *next;
	const char *hint;        /* the next step, or NULL */
	const char *fixit;       /* what to write in place of `at`, or NULL */
	int error;               /* errno */
	const char *probe;       /* "provider:module:function:name", or NULL */
	unsigned probe_id;       /* 0: none */
	int cpu;                 /* -1: none */
	const char *reason;      /* fault: "invalid address" …; loss: "PRINCIPAL" … */
	uint64_t value;          /* fault: the address, index or size at fault */
	bool has_value;
	uint64_t count;          /* loss, account: the total; fault: so many more of
				  * one that was told, 0: a new one */
	const struct dtx_loss *losses;           /* account: by reason */
	unsigned nlosses;
	int status;              /* end: exit status of the run */
	const char *expression;  /* fault: what could not be computed, as the program has it, or
				  * NULL */
	const char *host;        /* of a run of several hosts: which one tells it, or NULL */
};

typedef void dtx_message_fn(void *arg, const struct dtx_message *);

/* Sets the function that receives all messages, called by the thread that uses the handle.  NULL:
 * messages are dropped. */
void dtx_on_message(struct dtx *, dtx_message_fn *, void *arg);

/*
 * The message as the command prints it: lines that end with a newline; "" if it has no text.
 * The caller frees it; NULL: out of memory.
 */
char *dtx_message_text(const struct dtx_message *, bool colour);
/* The same for a terminal of so many columns (0: unknown): the part of the source line that the
 * message is about fits a line, and its underline stands below it. */
char *dtx_message_within(const struct dtx_message *, bool colour, unsigned int columns);

/*
 * What the library does when memory is out, for all handles of the process: it calls `fn` with
 * the number of bytes requested.  `fn` must not return.  If it is not set, the process is
 * aborted.
 */
void dtx_on_out_of_memory(void (*fn)(size_t wanted));

#pragma GCC visibility pop

#endif
