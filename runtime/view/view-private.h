/* SPDX-License-Identifier: BSD-2-Clause */
/* view-private.h - the rows of one aggregation: viewagg.c fills them, viewrows.c shows them. */
#ifndef DTX_VIEW_PRIVATE_H
#define DTX_VIEW_PRIVATE_H

#include "runtime/view/past.h"

struct table_row {
	u32 seen;                /* number of the last sample that had it */
	struct agg_value num;
	s128 amount;             /* table_amount() */
	s64 delta;               /* its change */
	s64 width;               /* table_width() */
	double rate;
	s64 p50, p99, max;
	const char **keys;       /* texts, or NULL: not made yet */
	const struct val *vals;  /* only in a replay */
};

struct table {
	const struct run_info *run;
	const struct img_agg *def;
	const struct agg_keys *keys;     /* reads those of `index`; NULL: a replay */
	bool hist, adds, counted;
	bool falls;                      /* its values can: AGGF_FALLS */
	struct view_agg pub;
	struct view_column *columns;
	struct keytab *index;    /* key -> index in rows + 1; the i-th key is that of rows.v[i] */
	VEC(struct table_row) rows;
	struct arena *texts;
	u32 sample;              /* number of the last one */
	u32 keyed_by;            /* bytes of a key in `index` */
	u32 after;               /* the row after the one that came last in this sample */
	s64 time;                /* of it */
	struct heat *all, *one;  /* histograms: of all rows, of the focus */
	u64 *sum, *one_sum;
	bool one_fresh;          /* the focus is new: its next sample is where it begins */
	u32 focus;
	s64 *bounds;             /* of each bucket: the number that stands for it */
	struct past *past;       /* NULL: it is not kept, or there is none */
	u32 changes, resets;     /* agg_print_changes() of the last sample */
	bool reset;              /* in this one all begins at 0 */
	bool guesses;            /* in this one a row that has less than before was cleared */
	s64 norm;                /* of it */
	struct table_part *part; /* the last one that was asked for; NULL: none */
};

/* What a part of the time added: its rows, and the ids of their keys. */
struct table_part {
	s64 from, to;            /* as asked for */
	u32 sample;              /* the table's then */
	struct view_part pub;
	VEC(struct table_row) rows;
	VEC(u32) ids;
};

/* viewagg.c: the numbers of a row with these words. */
void table_value(struct table *, struct table_row *, const u64 *data, s64 norm);
/* viewpart.c */
void table_part_free(struct table_part *);       /* NULL is fine */

#endif
