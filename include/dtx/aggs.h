/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aggs.h - aggs.def as a table for both halves (base/tables/aggs.c); aggid.h has the rows by name.
 */
#ifndef DTX_AGGS_H
#define DTX_AGGS_H

#include <dtx/base.h>
#include <dtx/diag.h>

enum {                           /* what a function is like: aggs.def */
	AGGF_UNSIGNED = 1, AGGF_COUNTS = 2, AGGF_FAR = 4, AGGF_TOTAL = 8, AGGF_FALLS = 16,
	AGGF_EXTREME = 32, AGGF_POWERS = 64, AGGF_CALLS = 128,
};

struct agg_const {
	u32 agg;                 /* enum agg_id */
	const char *what;
	s64 min, max;
	s64 value;               /* the default */
	u32 type, range, match;  /* tags: tag.h */
};

struct agg_func {
	const char *name;
	u32 id;                  /* aggid.h */
	const char *sig, *doc;
	u32 flags;               /* AGGF_* */
};

extern const struct agg_func agg_funcs[];                /* by enum agg_id */
extern const u32 agg_nfuncs;
const struct agg_func *agg_func(const char *name);       /* NULL: unknown name */
/* The rows of its constants, in their order. */
const struct agg_const *agg_consts(const struct agg_func *, u32 *n);
bool agg_increments(const struct agg_func *);           /* does its signature have an increment? */
bool agg_const_ok(const struct agg_const *, s64 value);
/* How many u64 a value has, with these constants; 0: they are not valid. */
u64 agg_words(const struct agg_func *, const s64 *consts);

#endif
