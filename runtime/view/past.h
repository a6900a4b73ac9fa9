/* SPDX-License-Identifier: BSD-2-Clause */
/* past.h - what each span of time added to the rows of an aggregation: viewpast.c. */
#ifndef DTX_VIEW_PAST_H
#define DTX_VIEW_PAST_H

#include "runtime/view/view.h"

struct past;

struct past_span {
	s64 from, to;                    /* CLOCK_MONOTONIC, ns */
	s64 amount;                      /* that all rows together have more */
	u32 forgotten;                   /* rows whose keys are not kept any more */
	bool cleared;                    /* the program has cleared meanwhile: what was added before
					  * that, and after the last sample, is not in it */
	struct buf rows;                 /* packed */
};

/* `most`: bytes of packed rows.  NULL: such a function has no past. */
struct past *past_new(const struct img_agg *, s64 began, size_t most);
void past_free(struct past *);           /* NULL is fine */
/* A sample: whether the program has cleared since the last one; not known: a row that has less than
 * then tells.  Each row with its words, and how much it has more; known: it has those of the last
 * sample still in it.  Then the time. */
void past_begin(struct past *, bool cleared, bool known);
void past_row(struct past *, u32 id, const u64 *data, bool known, s64 amount);
void past_end(struct past *, s64 now);
/* Rows get the numbers ids[], which rise; UINT32_MAX: it is forgotten. */
void past_renumber(struct past *, const u32 *ids, u32 n);

u32 past_words(const struct past *);     /* of a row */
const struct past_span *past_spans(const struct past *, u32 *n);
/* The spans whose middle is in the time, joined; or the one that the middle of the time is in.  The
 * caller frees its rows.  false: there is none. */
bool past_part(struct past *, s64 from, s64 to, struct past_span *);
/* The next row, and what was added to its words; *at and *after begin as 0.  UINT32_MAX: none. */
u32 past_next(const struct past *, const struct past_span *, size_t *at, u32 *after, u64 *words);
/* A copy of at most about so many bytes. */
struct past *past_folded(const struct past *, size_t most);

#endif
