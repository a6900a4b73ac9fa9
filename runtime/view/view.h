/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * view.h - what a live view shows of a run: rows of aggregations with rates, heat maps, the log,
 * losses, errors, the state of the run.
 *
 * One thread feeds it and asks it: the one that calls the sinks.  What it returns is valid until
 * it is fed again, so what another thread shows is a copy.  runtime/sink/feed.c feeds it.
 *
 * runtime/view/ includes dtx/value.h and base; viewagg.c runtime/value/value.h, for the words of
 * histograms.
 */
#ifndef DTX_VIEW_H
#define DTX_VIEW_H

#include <stdio.h>

#include <dtx/value.h>

struct view;

struct view *view_new(const struct run_info *);  /* the run must live as long */
void view_free(struct view *);                   /* NULL is fine */

/* ---- feeding ---------------------------------------------------------------------- */

/* As dtx_sink.sample: once with naggs 0, then one aggregation after the other. */
void view_sample(struct view *, const struct agg_print *);
void view_message(struct view *, const struct dtx_message *);
void view_record(struct view *);                 /* a record has come */
/* When what comes next was; 0: now. */
void view_set_time(struct view *, s64 time);

enum view_state { VIEW_TRACING, VIEW_ENDING, VIEW_ENDED };
void view_set_state(struct view *, enum view_state);

/* Where a line of the log is from. */
enum view_from { VIEW_OUTPUT, VIEW_COMMAND, VIEW_MESSAGE, VIEW_FROM_N };
/* Appends text to the log; lines may come in pieces. */
void view_text(struct view *, enum view_from, const char *text, size_t len);
void view_skip(struct view *, u64 lines);        /* lines that are not kept */

/* ---- the run ---------------------------------------------------------------------- */

struct view_run {
	enum view_state state;
	s64 began, now;                  /* CLOCK_MONOTONIC, ns; now: of the last sample */
	u64 records;                     /* in all */
	double record_rate;              /* a second, between the last two samples */
	u64 samples;                     /* how many there were */
	s64 period;                      /* ns between the last two */
	u64 lost, errors;                /* in all */
};
const struct view_run *view_run(const struct view *);

/* A loss, by reason and where known by probe; or an error, by text, probe and place. */
struct view_event {
	const char *probe;               /* or NULL */
	const char *reason;
	const char *hint;                /* what helps, where known */
	u64 count;
	s64 last;                        /* when it was seen, CLOCK_MONOTONIC, ns */
	const char *expression;          /* of an error: its text in the program, or NULL */
	u32 line, column;                /* where that begins, from 1 */
};
const struct view_event *view_losses(const struct view *, u32 *n);
const struct view_event *view_errors(const struct view *, u32 *n);
/* Of runs of several hosts, by host, which is the reason. */
const struct view_event *view_host_losses(const struct view *, u32 *n);
const struct view_event *view_host_errors(const struct view *, u32 *n);

/* ---- aggregations ------------------------------------------------------------------ */

enum view_what {
	VIEW_KEY, VIEW_VALUE, VIEW_COUNT, VIEW_RATE, VIEW_P50, VIEW_P99, VIEW_MAX
};
struct view_column {
	enum view_what what;
	const char *name;                /* "execname", "count", "per s" … */
	const char *unit;                /* "ns" …, or NULL */
};

/* One span of time of a heat map: what was added to the buckets. */
struct view_span {
	s64 from, to;                    /* CLOCK_MONOTONIC, ns */
	u32 n;                           /* buckets with a change */
	const struct view_bucket { u32 bucket; s64 count; } *v;  /* or AGG_BEYOND */
};

struct view_agg {
	const struct img_agg *def;
	bool hist;
	u32 ncolumns;
	const struct view_column *columns;       /* keys first */
	u32 nrows;
	s128 total;                      /* of count and sum: of all rows; else how many values */
	double rate;                     /* of the total, a second */
	bool beyond;                     /* both lack rows: those that are beyond */
	s64 width;                       /* of all rows that have one above 0 */
	/* Histograms: buckets summed over all rows, or those of the focus. */
	u32 nbuckets;
	const u64 *buckets;
	const s64 *bounds;               /* of each the number that stands for it */
	const struct view_span *spans;   /* the oldest first, at most VIEW_SPANS */
	u32 nspans;
	u32 focus;                       /* UINT32_MAX, or the row whose they are */
	u32 generation;                  /* the ids of keys last until it changes */
};
#define VIEW_SPANS  600  /* ten minutes at one second; older ones are merged in pairs */

u32 view_naggs(const struct view *);
const struct view_agg *view_agg(struct view *, u32 agg);
/* From now on, the buckets and the spans are those of this key (view_row.id), or with UINT32_MAX
 * again of all. */
void view_focus(struct view *, u32 agg, u32 id);

struct view_row {
	u32 id;                          /* of the key: see generation */
	const char *const *keys;         /* texts, one line each, UTF-8; def->nkeys of them */
	s128 value;                      /* as printf("%@d") prints it */
	bool is_unsigned;
	s128 count;                      /* how many values; not of sum, min and max */
	bool beyond;                     /* a bucket has left 64 bits; only `max` is known */
	double rate;                     /* a second: of the count, or of sum's value */
	s64 p50, p99, max;               /* of histograms: the upper bounds of buckets */
	s64 delta;                       /* what the rate is made of: since the last sample */
	s64 width;                       /* in a flame graph: the value, sum or count */
};
struct view_query {
	u32 agg, column;
	bool ascending;
	bool by_width;                   /* the widest first, whatever the column is */
	const char *filter;              /* only rows with it in a key, in any case; NULL: all */
	s64 from, to;                    /* of this time, as for view_part(); to 0: of all */
	u32 skip, n;                     /* rows */
};
/* The rows in order, in the arena; *matching: how many there are without skip and n. */
u32 view_rows(struct view *, struct arena *, const struct view_query *, struct view_row *rows,
	      u32 *matching);
/* The values of the row's keys, in the arena: stacks as frames (sym_frames()). */
const struct val *view_keys(struct view *, struct arena *, u32 agg, u32 id);
/* How wide all rows are in a flame graph: nrows of them, in no order. */
struct view_width {
	u32 id;
	s64 width;
};
void view_widths(struct view *, u32 agg, struct view_width *);

/* ---- a part of the time ------------------------------------------------------------------ */

/* From now on the past is kept: what each span of time added to each row. */
void view_remember(struct view *);
struct view_part {
	s64 from, to;                    /* of the spans that it consists of */
	u32 nrows;                       /* to which something was added */
	s128 total;                      /* as in view_agg */
	bool beyond;
	s64 width;
	double rate;
	u32 forgotten;                   /* rows that are not there, as their keys are not kept */
	bool cleared;                    /* the program has cleared meanwhile: see past.h */
};
/* What was added in a time (CLOCK_MONOTONIC, ns): whole spans, which are longer the older they are.
 * NULL: there is nothing of this time, or the past is not kept, or the function has none. */
const struct view_part *view_part(struct view *, u32 agg, s64 from, s64 to);
/* How wide its rows are: nrows of them. */
void view_part_widths(struct view *, u32 agg, s64 from, s64 to, struct view_width *);
struct past;
const struct past *view_past(const struct view *, u32 agg);      /* past.h; NULL: as above */
s64 view_norm(const struct view *, u32 agg);     /* what its values are divided by */
u32 view_ids(const struct view *, u32 agg);      /* ids of keys are below it */
/* The number of a row that the column shows; NAN: it is beyond 64 bits. */
double view_number(const struct view_row *, enum view_what);

/* ---- the log -------------------------------------------------------------------------- */

struct view_line {
	enum view_from from;
	s64 time;                        /* CLOCK_MONOTONIC, ns */
	const char *text;                /* without newline and control characters */
	u32 len;
};
#define VIEW_LINES  8192         /* lines that are kept */
#define VIEW_LINE   1024         /* bytes of one */
u64 view_lines(const struct view *, u64 *first); /* numbers of the first and after the last */
const struct view_line *view_line(const struct view *, u64 number);      /* NULL: not kept */
u64 view_skipped(const struct view *);           /* lines that were not kept, in all */

/* ---- within the folder: viewlog.c, viewagg.c, viewheat.c --------------------------------- */

struct log;
struct log *log_new(void);
void log_free(struct log *);
void log_text(struct log *, enum view_from, s64 time, const char *text, size_t len);
void log_skip(struct log *, u64 lines);
u64 log_skipped(const struct log *);
u64 log_lines(const struct log *, u64 *first);
const struct view_line *log_line(const struct log *, u64 number);

struct heat;
struct heat *heat_new(u32 nbuckets, s64 began);
void heat_free(struct heat *);
void heat_begin(struct heat *, const u64 *buckets, s64 now);
void heat_add(struct heat *, const u64 *buckets, s64 now);       /* as they are now */
const struct view_span *heat_spans(const struct heat *, u32 *n);
const u64 *heat_buckets(const struct heat *);
/* What a drawing shows of n spans: `lines` cells for each, of `per` buckets, the first from bucket
 * `from`.  Spans are not all equally long, and a longer one is no burst: a count is what it would
 * be in the longest of them.  The largest cell. */
double heat_cells(const struct view_span *, u32 n, u32 from, u32 per, u32 lines, double *cells);

struct table;
struct table *table_new(const struct run_info *, const struct img_agg *);
void table_free(struct table *);
void table_sample(struct table *, const struct agg_print *, s64 now);
void table_focus(struct table *, u32 id);
const struct view_agg *table_agg(struct table *);
u32 table_rows(struct table *, struct arena *, const struct view_query *, struct view_row *,
	       u32 *matching);
const struct val *table_keys(struct table *, struct arena *, u32 id);
void table_widths(const struct table *, struct view_width *);
void table_remember(struct table *, size_t most);
const struct view_part *table_part(struct table *, s64 from, s64 to);
void table_part_widths(struct table *, s64 from, s64 to, struct view_width *);
const struct past *table_past(const struct table *);
s64 table_norm(const struct table *);
u32 table_ids(const struct table *);

#endif
