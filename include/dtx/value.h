/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * value.h - what a run tells its sinks: its begin, decoded records, aggregation rows, messages
 * (faults, losses) and its end; the sink vtable.
 *
 * Sinks see only these: no bytes of records, no maps, no kernel.  What is the same for all
 * records is in the manifest (image.h): sites, actions, fields with names, types and units.
 * docs/sinks.md is the introduction.
 */
#ifndef DTX_VALUE_H
#define DTX_VALUE_H

#include "base.h"
#include "image.h"
#include "../dtx-message.h"

typedef __int128 s128;

/*
 * One function of a stack.  Functions that were inlined come before the one that contains them and
 * have its address.  What is not known is NULL or 0.
 */
struct frame {
	u64 addr;
	const char *text;        /* in D's words: "libc.so.6`malloc+0x1c", never NULL */
	const char *symbol;      /* "malloc" */
	u64 offset;              /* of the address in the symbol, else in the object */
	const char *object;      /* "libc.so.6"; of the kernel "vmlinux" or the module */
	const char *file;        /* of the source */
	u32 line;
	bool inlined;
};

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
	u32 exec;                /* DTX_EXEC_OF() that process */
	const u64 *pcs;          /* VAL_STACK */
	u32 npcs;
	u32 end;                 /* VAL_STACK: enum dtx_stack_end */
	const char *symkind;     /* VAL_SYM */
	const char *ctype;
	const struct type *names;    /* VAL_INT: T_ENUM with names of its values, or NULL */
	const struct img_field *field;   /* its name, unit and type; NULL: a value that was not
					  * recorded */
	/* A replayed value brings its text: there are no symbols to ask for. */
	const char *text;        /* VAL_SYM, else NULL */
	const struct frame *frames;      /* VAL_STACK, else NULL; sym_frames() gives them */
	u32 nframes;
	bool shared;             /* of several machines: addresses and process are not told */
};

/* One function for each kind of value; all of them are there. */
struct val_visitor {
	void (*integer)(void *arg, const struct val *);
	void (*text)(void *arg, const struct val *);
	void (*bytes)(void *arg, const struct val *);
	void (*stack)(void *arg, const struct val *);
	void (*symbol)(void *arg, const struct val *);
};
void val_visit(const struct val *, const struct val_visitor *, void *arg);
/* runtime/stack/: the text of a symbol, and of an address of the kernel (module`f+0x1) or of a
 * process. */
void sym_val(struct dtx_env *, const struct val *, struct buf *out);
void sym_kaddr(struct dtx_env *, u64 addr, struct buf *out);
void sym_uaddr(struct dtx_env *, u32 pid, u64 addr, struct buf *out);
/* A stack as in the DTrace guide, "User Process Tracing": a newline, then one indented line for
 * each frame. */
void sym_stack(struct dtx_env *, const struct val *, int indent, struct buf *out);
/* Why a stack with this val.end is not whole; NULL: it is, or nobody knows.  A static text. */
const char *sym_stack_end(u32 end);
/* The frames of a stack, the innermost first, with what is known of each: they live as long as the
 * arena and the symbol tables. */
const struct frame *sym_frames(struct dtx_env *, struct arena *, const struct val *, u32 *n);

/* Before many rows with stacks are shown: the stacks are told of, then the names of all their
 * frames are found, one file after the other.  That pays only where the symbols of all files may
 * need more memory than there is. */
bool sym_ahead_pays(struct dtx_env *);
bool sym_ahead_want(struct dtx_env *, const struct val *);        /* is there room for more? */
void sym_ahead_find(struct dtx_env *);

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

enum {                           /* what an action is like: actions.def */
	ACTF_VISIBLE = 1, ACTF_FORMAT = 2, ACTF_ENDS = 4, ACTF_CHANGES = 8, ACTF_CUTS = 16,
	ACTF_SPEC = 32, ACTF_OPTION = 64, ACTF_OUTPUT = 128, ACTF_MACHINE = 256,
};

enum item_kind action_kind(const char *name);
bool action_has(const struct img_action *, u32 flags);  /* any of them */
bool img_does(const struct img *, u32 flags);           /* … has an action of the program */

/* One action of an event, decoded; `text` is filled for actions that format. */
struct item {
	enum item_kind kind;
	const struct img_action *act;
	struct val *vals;        /* act->nfields of them */
	const char *text;        /* printf: formatted text, len bytes; replayed print(): its text */
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
	u64 time;                /* CLOCK_MONOTONIC, ns, and the thread; 0: the program was
				  * compiled for sinks that want no time */
	u32 tid, pid;            /* pid 0: not known, as in a replay */
	u64 frame;               /* at the entry and the return of a program's function: the address
				  * where the frame of this call begins (DWARF's CFA).  0: none */
	struct item *items;
	u32 nitems;
	bool cont, more;
	const char *host;        /* where it fired, and its number; NULL: one machine … */
	u32 host_number;
	bool merged;             /* … or it is of all of them: cpu, time and tid say nothing */
};

/* One merged entry of an aggregation; agg_value() tells its value.  The words are for what keeps
 * them as they are: recordings. */
struct agg_row {
	struct val *keys;        /* agg->nkeys */
	const u64 *data;         /* merged value words, without the `used` word */
	const u64 *percpu;       /* ncpus × words, or NULL */
	s64 norm;                /* normalization factor, 1: none */
	bool none;               /* of a join: this aggregation does not have the key */
};

/* One or several aggregations to print together (joined on key). */
struct agg_print {
	const struct img_agg **aggs;
	u32 naggs;
	struct agg_rows *rows;   /* agg_print_row() has them */
	u32 nrows;
	u32 ncpus;               /* of agg_row.percpu */
	const struct img_action *act;    /* printa action; NULL: automatic printing at end, or
					  * dtx_sink.sample */
	s64 time;                /* of a sample, in the call with naggs 0: CLOCK_MONOTONIC, ns */
	const u32 *resets;       /* for each aggregation, how often it began at zero, or NULL */
	/* Replay: makes the row; NULL: runtime/value/aggrow.c does. */
	const struct agg_row *(*fetch)(const struct agg_print *, u32 row);
};

/* The row-th key in order, one struct per aggregation; valid until the next call.
 * runtime/value/aggrow.c */
const struct agg_row *agg_print_row(const struct agg_print *, u32 row);
/* `fn` is told of each row before it is made, and may make others; NULL: no more.  Not of the rows
 * of a replay. */
typedef void agg_before_fn(void *arg, const struct agg_print *, u32 row);
void agg_print_before(const struct agg_print *, agg_before_fn *fn, void *arg);
/* A row of a sample, without decoding its key: the bytes that identify the key (NULL in a replay
 * that has none) and the value; as long as the sample.  NULL data: use agg_print_row(). */
const u8 *agg_print_raw(const struct agg_print *, u32 row, const u64 **data, s64 *norm);
/* What reads the keys out of such bytes, also later in the run; NULL in a replay, whose rows bring
 * theirs. */
struct agg_keys;
const struct agg_keys *agg_print_keys(const struct agg_print *);
/* How often clear() or trunc() has acted on it, and how often all began at zero; 0 in a replay. */
u32 agg_print_changes(const struct agg_print *, u32 *resets);
const struct val *agg_keys_read(const struct agg_keys *, struct arena *, const struct img_agg *,
				const u8 *raw);
/* Keeps n rows, starting at row `skip`, and divides every value also by div (0: not). */
void agg_print_cut(struct agg_print *, u32 skip, u32 n, u64 div);

/* What the value of an aggregation is. */
enum agg_kind {
	AGG_NUMBER,              /* count, sum, min, max */
	AGG_MEAN,                /* avg, stats, stddev: a number that has a count and a sum */
	AGG_HISTOGRAM,
};
#define AGG_BEYOND  INT64_MIN   /* a count that has left 64 bits when CPUs or hosts were added up */
struct agg_bucket {
	s64 low, high;           /* both belong to it; the ends are those of 64 bits */
	s64 count;               /* normalized; or AGG_BEYOND */
	u32 index;               /* among all buckets */
};
struct agg_value {
	enum agg_kind kind;
	s128 number;             /* what conversions print: of avg() the mean, of stats() the sum */
	bool is_unsigned;        /* the number is a u64 */
	bool none;               /* of min(), max(): no value since clear(); it is as in D */
	u64 count;               /* of values */
	s128 sum, mean;          /* normalized; of a histogram all counts together, which are not */
	bool beyond;             /* of a histogram: a count is AGG_BEYOND, and in no sum */
	/* Buckets with a count other than 0, from the lowest on. */
	const struct agg_bucket *buckets;
	u32 nbuckets;
};
enum agg_kind agg_kind(const struct img_agg *);
bool agg_has(const struct img_agg *, u32 flag);          /* AGGF_* of its function: dtx/aggs.h */
/* The i-th value of a row that agg_print_row() gave; buckets are in the arena (NULL: without). */
struct agg_value agg_value(const struct agg_print *, const struct agg_row *row, u32 i,
			   struct arena *);
struct agg_value agg_value_of_cpu(const struct agg_print *, const struct agg_row *row, u32 i,
				  u32 cpu, struct arena *);
/* The same, and nothing is normalized. */
struct agg_value agg_value_plain(const struct agg_print *, const struct agg_row *row, u32 i,
				 struct arena *);
/* false: nothing was aggregated on this CPU, and that is no number (a least value, an average). */
bool agg_cpu_has(const struct agg_print *, const struct agg_row *row, u32 i, u32 cpu);
/* D's text of it (" %16d" …), without a newline: histograms in the style that the options say. */
#define AGG_ALL_CPUS  UINT32_MAX
void agg_text(struct dtx_env *, const struct agg_print *, const struct agg_row *row, u32 i, u32 cpu,
	      struct buf *out);
u32 agg_data_words(const struct img_agg *);      /* of agg_row.data */
s128 agg_div(s128 v, s64 norm);  /* v / norm; v if norm is 0 */
s64 agg_s64(s128);               /* the nearest number of 64 bits */
void buf_wide(struct buf *, s128);               /* in decimal */

/* ---- hist.c: histograms and bars ------------------------------------------------------- */

u32 hist_buckets(const struct img_agg *);        /* how many there are */
/* The bounds of any bucket; false: it holds no integer. */
bool hist_bounds(const struct img_agg *, u32 bucket, s64 *low, s64 *high);
void hist_label_of(const struct img_agg *, u32 bucket, char *out, size_t size);
/* Widens the range from .. to by the buckets shown for a value. */
void hist_span(const struct img_agg *, const struct agg_value *, u32 *from, u32 *to);
/* Columns of the first and last labels of histograms on a line. */
void hist_columns(const struct img_agg *, int *low, int *high);
/* The options aggzoom, aggpack, encoding. */
struct hist_style { bool zoom, pack, utf8; };
#define HIST_ZOOM  0.95L         /* share of the width that the largest bar fills */
struct options;                  /* dtx/opt.h */
struct hist_style hist_style(const struct options *);
/* The scale of bars: computed from all counts shown together; starts as zeros. */
struct hist_scale {
	long double total, most; /* sum and largest of |count| */
	bool pos, neg;           /* there are counts of that sign */
};
void hist_scale_add(struct hist_scale *, s128 count);
/* Appends the bar of `count`, to the left if it is negative, and the number shown with it. */
void hist_bar_line(const struct hist_scale *, const struct hist_style *, s128 count, s128 shown,
		   struct buf *out);

#define RUN_VERSION  "1.0"       /* of D and of what a run prints about itself */

/* What is the same for the whole run; valid from open to close. */
struct run_info {
	struct dtx_env *env;     /* options; symbols, if it is not a replay */
	const struct img *img;   /* the manifest: programs, probes, sites, aggregations */
	const char *const *programs;     /* their texts, nprograms; an image has none */
	u32 nprograms;
	const char *version;     /* of dtx */
	const char *host, *system, *kernel, *machine;    /* as uname(2) */
	u32 ncpus;               /* possible CPUs */
	u32 pid;                 /* of dtx */
	s64 time;                /* when tracing was prepared: CLOCK_MONOTONIC, ns */
	s64 wall;                /* the same moment in ns since 1970: a record's wall time is
				  * its time - time + wall */
	bool replayed;
	bool remote;             /* values bring their text, as in a replay; it runs now */
	u32 nhosts;              /* 0: a run of one machine */
	s64 last;                /* of a replay: the largest time so far, first `time` */
};

/* How a run ended, and when its tracing did: reading and naming what was traced takes longer. */
struct run_end {
	s64 time, wall;          /* as in struct run_info */
	int status;              /* exit status of the run */
	int error;               /* errno; 0: none */
};

/* One sink of a run.  The first is that of the option format, and `file` is the output of the
 * run; the others stand beside it (sinks.def). */
struct out {
	const struct dtx_sink *sink;
	struct dtx_env *env;     /* options that change the layout */
	const struct run_info *run;
	const char *arg;         /* beside: value of its option, "FILE" of --record FILE */
	void *file;              /* FILE * of the current output; beside: NULL, for open() to set */
	bool terminal;           /* `file` is one, or becomes one: the screen of --live */
	bool mute;               /* `file` holds something else: text is dropped */
	int err;                 /* first write error (errno), 0 if none */
	u64 written, whole;      /* bytes, by out_write(); up to the end of the last line */
	const char *left;        /* "; …": what its file has after an error, or NULL */
	bool told;               /* the error was reported */
	bool stop;               /* set by the sink: end the run */
	bool screen;             /* set by the sink: it has the terminal, so the output of the run
				  * is not written to standard output */
	/* Set by open(): */
	s64 period;              /* ns between calls of sample(), 0: never; it may be called more
				  * often, when another sink wants that */
	int fd;                  /* readable: ready() is called, perhaps also without; -1: none */
	void *priv;
	bool sample_now;         /* set by ready(): sample() is called at once */
	bool unread;             /* nobody looks now: samples of large tables may wait for longer */
};

/* All functions may be NULL.  They are called by one thread, in this order: open, begin, then
 * anything, end (not after some failures), close. */
struct dtx_sink {
	const char *name, *doc;
	bool lines;              /* half a line of its output is worth nothing */
	/* 0, or a negative errno with the reason by dtx_env_fail(). */
	int  (*open)(struct out *);
	void (*begin)(struct out *);
	/* All it points to is valid until it returns. */
	void (*event)(struct out *, const struct event *);
	/* Tracing has stopped and its records were shown: what follows is the output of END, the
	 * aggregations and the account of losses. */
	void (*ending)(struct out *);
	/* Automatic printing at the end: once with naggs 0 when tracing has stopped, then
	 * once per aggregation.  printa comes as an item of an event. */
	void (*aggs)(struct out *, const struct agg_print *);
	/* Does its file take these rows?  Then text does not print them at the end, too. */
	bool (*takes)(const struct out *, const struct img_agg *);
	/* Each `period`: once with naggs 0, then once for each aggregation of the program as it
	 * is now, unlike aggs() also for those that printa printed. */
	void (*sample)(struct out *, const struct agg_print *);
	/* Each message of the run: faults (DTX_FAULT), losses (DTX_LOSS, at the end by probe
	 * DTX_ACCOUNT), refused probes, errors.  Users see it as text, too; also_said false: only
	 * sinks get it (with -q). */
	void (*message)(struct out *, const struct dtx_message *, bool also_said);
	/* setopt() has set the option, which may change the layout. */
	void (*option)(struct out *, const char *name, const char *value);
	void (*ready)(struct out *);
	void (*end)(struct out *, const struct run_end *);
	/* End of a batch: flush, because a reader may wait for the output. */
	void (*flush)(struct out *);
	void (*close)(struct out *);
};

#endif
