/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * metrics.h - metrics in the forms that scrapers ask for; private to runtime/sink/.
 *
 *   metrics.c      families and rows of them, out of aggregations and of the run
 *   metricform.c   the form that a client asks for, and what writes it
 *   metrictext.c   Prometheus's text, and OpenMetrics
 *   metricproto.c  protocol buffers, with native histograms
 */
#ifndef DTX_METRICS_H
#define DTX_METRICS_H

#include "runtime/sink/sink.h"

enum metric_form { METRIC_TEXT, METRIC_OPEN, METRIC_PROTO, METRIC_FORMS };
enum metric_kind { METRIC_COUNTER, METRIC_GAUGE, METRIC_SUMMARY, METRIC_HISTOGRAM };

struct metric_label {
	const char *name;
	const char *text;        /* UTF-8 */
};

/* One row of a family; valid until the writer's function returns. */
struct metric_row {
	const char *labels;      /* all of them, as texts write them: NAME="TEXT",NAME="TEXT" */
	const struct metric_label *label;
	u32 nlabels;
	struct agg_value value;
	const struct img_agg *agg;       /* histogram: its shape, and the counts of all its
					  * buckets, which are not normalized */
	const s64 *counts;
};

/* What is written of an answer in one form. */
struct metric_out {
	struct buf text;         /* of the whole answer */
	struct buf body;         /* metricproto.c: of the family */
	struct arena *arena;     /* cleared by the writer after each row */
	const char *name;        /* of the family */
	enum metric_kind kind;
	bool open;               /* metrictext.c: it is OpenMetrics */
};

struct metric_writer {
	void (*family)(struct metric_out *, const char *name, const char *help, enum metric_kind);
	void (*row)(struct metric_out *, const struct metric_row *);
	void (*family_end)(struct metric_out *);
	void (*end)(struct metric_out *);
};

extern const struct metric_writer metric_text, metric_open, metric_proto;

/* ---- metricform.c ------------------------------------------------------------------------- */

extern const struct metric_format {
	const char *type;                /* as in the header Content-Type, with parameters */
	u32 quality;                     /* how much of a run it can say, in thousandths */
	const struct metric_writer *writer;
} metric_formats[METRIC_FORMS];

/* What a client with this Accept header gets; NULL: it has none. */
enum metric_form metric_form(const char *accept);

/* ---- metrics.c ------------------------------------------------------------------------------- */

#define METRICS_SERIES  10000    /* of one aggregation; more are counted, not written */

struct metrics;
struct metrics *metrics_new(const struct run_info *);
void metrics_free(struct metrics *);             /* NULL is fine */
/* Begins an answer in some forms (bits of enum metric_form), adds all rows of one aggregation, and
 * ends it: to[form] is the text, which the caller frees. */
void metrics_begin(struct metrics *, u32 forms);
void metrics_add(struct metrics *, const struct agg_print *);
void metrics_end(struct metrics *, struct view *, struct buf to[METRIC_FORMS]);

/* The next bucket with a last integer from bucket *i on, which is advanced; *sum is the count of
 * it and all before.  false: there is none, and *sum counts all. */
bool metric_bucket(const struct metric_row *, u32 *i, s64 *high, s128 *sum);

#endif
