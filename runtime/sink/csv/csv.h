/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csv.h - fields and rows of tables as RFC 4180 has them (csvrow.c); private to runtime/sink/csv/.
 *
 *   csv.c      the format csv: tables one after the other, in the output of the run
 *   csvdir.c   option csvdir: a file for each table
 */
#ifndef DTX_SINK_CSV_H
#define DTX_SINK_CSV_H

#include "runtime/sink/sink.h"

#define CSV_PIECE  65536         /* bytes of a table that are written at once */

struct csv {
	struct dtx_env *env;
	struct buf field, *to;           /* a text; the row that gets it */
	struct arena *arena;             /* cleared by csv_done() */
	s64 now;                         /* of the rows of aggregations: CLOCK_MONOTONIC, ns */
	bool terminal;                   /* line ends and tabs of values are escapes, too */
};
void csv_init(struct csv *, struct dtx_env *);
void csv_free(struct csv *);
void csv_done(struct csv *);             /* the values of a row are not needed any more */

/* Each adds one field to the row at the end of the buffer. */
void csv_num(struct buf *, s64 v, bool is_unsigned);
void csv_host(struct csv *, struct buf *, const char *host);
void csv_probe(struct csv *, struct buf *, const struct dtx_probe *);
void csv_line(struct buf *);             /* the row ends */

bool csv_shows(enum item_kind, const struct img_action *);      /* has it columns? */

/* The names of columns.  The text of a printf() is one only if it has no values, which are columns
 * themselves. */
void csv_action_names(struct buf *, const struct img_action *);
void csv_agg_names(struct buf *, const struct img_agg *keys, const struct img_agg *const *aggs,
		   u32 n);
/* Their fields, as many as there are names.  NULL: the action did not run. */
void csv_action(struct csv *, struct buf *, const struct img_action *, const struct item *);
/* The rows for a row of n aggregations from the first on, which are numbers, or one histogram. */
void csv_agg_row(struct csv *, struct buf *, const struct agg_print *, const struct agg_row *,
		 u32 first, u32 n);

#endif
