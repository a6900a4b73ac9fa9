/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dtx-data.h - what a program records, as data; a part of the public interface.
 *
 * dtx_on_data() sets the function that gets each action of each record and each row of an
 * aggregation, beside the text that dtx_start() is given a stream for, or in place of it (NULL).
 *
 * All that a struct dtx_data points to is valid until the function returns.  Members are added at
 * the end only; those that a kind does not have are 0 or NULL.
 */
#ifndef DTX_DATA_H
#define DTX_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is declared here is all that the library exports. */
#pragma GCC visibility push(default)

struct dtx;

enum dtx_value_kind {
	DTX_NUMBER, /* number; with names of its values also text */
	DTX_TEXT,   /* text, length bytes, with a NUL after them; NULL: there is none */
	DTX_BYTES,  /* text, length bytes */
	DTX_STACK,  /* frames, the innermost first */
	DTX_SYMBOL, /* number: the address, text: its symbol */
};

/* Functions that were inlined come before the one that contains them and have its address. */
struct dtx_frame {
	uint64_t address;
	const char *text;        /* "libc.so.6`malloc+0x1c" */
	const char *symbol, *object;     /* NULL: not known */
	uint64_t offset;         /* of the address in the symbol, else in the object */
	const char *file;        /* of the source; NULL: not known */
	unsigned line;
	bool inlined;
};

struct dtx_value {
	enum dtx_value_kind kind;
	const char *name;        /* the program's own text: "execname", "args[0]->pr_pid" */
	const char *type;        /* in D: "int", "string" */
	const char *unit;        /* "ns", "us", "ms", "s", "bytes", or NULL */
	bool is_signed;
	int64_t number;          /* not is_signed: the bits of a uint64_t */
	const char *text;
	size_t length;           /* bytes */
	const struct dtx_frame *frames;
	unsigned nframes;
};

/* Both bounds belong to the bucket. */
struct dtx_bucket {
	int64_t low, high, count;
};

enum dtx_data_kind {
	DTX_RECORD, /* an action of a clause that fired */
	DTX_ROW,    /* a row of an aggregation, by printa() or at the end */
};

struct dtx_data {
	enum dtx_data_kind kind;
	/* record */
	const char *probe;       /* "syscall:vmlinux:read:entry" */
	unsigned probe_id, clause;       /* clause: in the order of the program, from 0 */
	unsigned cpu, tid;
	uint64_t time;           /* CLOCK_MONOTONIC, ns */
	const char *action;      /* "trace", "printf" … */
	const char *text;        /* printf: what it prints, length bytes */
	size_t length;
	const struct dtx_value *values;  /* record: the arguments; row: the keys */
	unsigned nvalues;
	/* row */
	const char *aggregation, *function;      /* "bytes", "sum" */
	int64_t number;          /* its value; of avg() the mean, of stats() the sum */
	bool is_unsigned;        /* number is that of a uint64_t */
	uint64_t count;          /* avg, stats, stddev: how many values */
	int64_t sum;             /* the same: their sum */
	const struct dtx_bucket *buckets;        /* a histogram: those that have a count */
	unsigned nbuckets;
	/* In decimal, if they have more than 64 bits (number and sum are then the nearest
	 * int64_t); else NULL. */
	const char *number_text, *sum_text;
};

typedef void dtx_data_fn(void *arg, const struct dtx_data *);

/* Called by the thread that uses the handle.  Before dtx_compile(): records then have times. */
void dtx_on_data(struct dtx *, dtx_data_fn *, void *arg);

#pragma GCC visibility pop

#endif
