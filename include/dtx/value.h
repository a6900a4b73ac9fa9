/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * value.h - decoded values, events, aggregation rows; the sink vtable.
 *
 * Sinks see only these: no bytes of records, no maps, no kernel.
 */
#ifndef DTX_VALUE_H
#define DTX_VALUE_H

#include "base.h"
#include "image.h"

enum val_kind { VAL_INT, VAL_STR, VAL_BYTES, VAL_STACK, VAL_SYM };

struct val {
	enum val_kind kind;
	u32 size;                /* bytes of the type: 1, 2, 4, 8 … */
	bool is_signed, is_char, is_ptr, user;
	u64 u;                   /* VAL_INT (sign- or zero-extended to 64); VAL_SYM address */
	const char *p;           /* VAL_STR (NUL-terminated), VAL_BYTES */
	u32 len;                 /* VAL_STR without the NUL, VAL_BYTES */
	bool null;               /* VAL_STR: NULL string */
	u32 pid;                 /* VAL_STACK, VAL_SYM of the user side */
	const u64 *pcs;          /* VAL_STACK */
	u32 npcs;
	const char *symkind;     /* VAL_SYM */
	const char *ctype;
	const struct type *names;    /* VAL_INT: T_ENUM with names of its values, or NULL */
};

struct agg_print;

/* How a sink shows an action. */
enum item_kind {
	ITEM_VALUES,             /* trace, stack, sym …: vals, each by its kind */
	ITEM_TEXT,               /* printf: text, len */
	ITEM_AGGS,               /* printa: print */
	ITEM_DUMP,               /* tracemem: vals[0] is VAL_BYTES, len bytes are shown */
	ITEM_OBJECT,             /* print(): an address (VAL_INT) and VAL_BYTES with ctype */
	ITEM_NONE,               /* exit: nothing to show */
};

/* One action of an event, decoded; `text` is filled for actions that format. */
struct item {
	enum item_kind kind;
	const struct img_action *act;
	struct val *vals;        /* act->nfields of them */
	const char *text;        /* printf: formatted text, len bytes */
	size_t len;
	const struct agg_print *print;
	bool skipped;            /* its branch was not taken; never reaches a sink */
};

/*
 * One record: a clause that fired and recorded.  A record in which the consumer has to
 * act between two outputs (system, freopen, clear after printa …) comes in parts: all
 * but the first have `cont`, all but the last `more`; a part may have no items.
 */
struct event {
	const struct dtx_probe *probe;
	const struct img_site *site;
	u32 cpu;
	u64 time;                /* option flowtime: ns, and the thread; else 0 */
	u32 tid;
	struct item *items;
	u32 nitems;
	bool cont, more;
};

/* One merged entry of an aggregation. */
struct agg_row {
	struct val *keys;        /* agg->nkeys */
	const u8 *raw_key;
	const u64 *data;         /* merged value words, without the `used` word */
	const u64 *percpu;       /* ncpus × words, or NULL */
	s64 norm;                /* normalization factor, 1: none */
};

/* One or several aggregations to print together (joined on key). */
struct agg_print {
	const struct img_agg **aggs;
	u32 naggs;
	struct agg_rows *rows;   /* agg_print_row() has them */
	u32 nrows;
	u32 ncpus;               /* of agg_row.percpu */
	const struct img_action *act;    /* printa action; NULL: automatic printing at end */
};

/* The row-th key in order, one struct per aggregation; valid until the next call.
 * runtime/value/aggrow.c */
const struct agg_row *agg_print_row(const struct agg_print *, u32 row);
/* Keeps n rows, starting at row `skip`, and divides every value also by div (0: not). */
void agg_print_cut(struct agg_print *, u32 skip, u32 n, u64 div);

struct out {
	const struct dtx_sink *sink;
	struct dtx_env *env;     /* options that change the layout */
	void *file;              /* FILE * of the current output */
	bool mute;               /* `file` holds something else: text is dropped */
	int err;                 /* first write error (errno), 0 if none */
	void *priv;
};

struct dtx_sink {
	const char *name, *doc;
	int  (*open)(struct out *);
	void (*event)(struct out *, const struct event *);
	/* Automatic printing at the end: once with naggs 0 when tracing has stopped, then
	 * once per aggregation.  printa comes as an item of an event. */
	void (*aggs)(struct out *, const struct agg_print *);
	/* End of a batch: flush, because a reader may wait for the output. */
	void (*flush)(struct out *);
	void (*close)(struct out *);
};

#endif
