/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aggs.h - aggs.def as a table for both halves (base/aggs.c).
 */
#ifndef DTX_AGGS_H
#define DTX_AGGS_H

#include <dtx/base.h>
#include <dtx/diag.h>

#define AGG_CONSTS_MAX  4

enum { AGGF_UNSIGNED = 1, AGGF_COUNTS = 2, AGGF_FAR = 4 };

enum agg_id {
#define AGG(name, ...) AGG_##name,
#include <dtx/tables/aggs.def>
	AGG_N
};

struct agg_const {
	enum agg_id agg;
	const char *what;
	s64 min, max;
	s64 value;               /* the default */
	enum diag_tag type, range, match;
};

struct agg_func {
	const char *name;
	enum agg_id id;
	const char *sig, *doc;
	u32 flags;               /* AGGF_* */
};

extern const struct agg_func agg_funcs[AGG_N];
const struct agg_func *agg_func(const char *name);       /* NULL: unknown name */
/* The rows of its constants, in their order. */
const struct agg_const *agg_consts(const struct agg_func *, u32 *n);
bool agg_increments(const struct agg_func *);           /* does its signature have an increment? */
bool agg_const_ok(const struct agg_const *, s64 value);
/* How many u64 a value has, with these constants; 0: they are not valid. */
u64 agg_words(const struct agg_func *, const s64 *consts);

#endif
