/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aggop.c - what makes an aggregating function: merge CPUs, subtract a
 * baseline, print.  One row of agg_ops_table a row of aggs.def; hist.c has the buckets, aggrow.c the order.
 *
 * Data words (abi.h): count, sum {n}; avg and stats {count, sum}; stddev {count, sum, low and
 * high half of the sum of squares}; min {INT64_MAX - x}; max {x - INT64_MIN}; zero
 * bytes are the identity of each.
 */
#include <inttypes.h>

#include "runtime/runtime.h"

#define SIGN_BIT  (1ull << 63)

typedef unsigned __int128 u128;

/* ---- merge and subtract ---------------------------------------------------------- */

static u32 op_words(const struct img_agg *agg)
{
	return agg->val_size / 8 - !agg->keyed;
}

static void op_add(const struct img_agg *agg, u64 *into, const u64 *from)
{
	u32 n = op_words(agg);

	for (u32 i = 0; i < n; i++)
		into[i] += from[i];
}

static void op_sub(const struct img_agg *agg, u64 *into, const u64 *base)
{
	u32 n = op_words(agg);

	for (u32 i = 0; i < n; i++)
		into[i] -= base[i];
}

static void op_max(const struct img_agg *agg, u64 *into, const u64 *from)
{
	if (from[0] > into[0])
		into[0] = from[0];
}

static u128 op_squares(const u64 *data)
{
	return (u128)data[3] << 64 | data[2];
}

static void op_set_squares(u64 *data, u128 v)
{
	data[2] = (u64)v;
	data[3] = (u64)(v >> 64);
}

static void stddev_add(const struct img_agg *agg, u64 *into, const u64 *from)
{
	into[0] += from[0];
	into[1] += from[1];
	op_set_squares(into, op_squares(into) + op_squares(from));
}

static void stddev_sub(const struct img_agg *agg, u64 *into, const u64 *base)
{
	into[0] -= base[0];
	into[1] -= base[1];
	op_set_squares(into, op_squares(into) - op_squares(base));
}

/* ---- the number of a scalar ------------------------------------------------------ */

s64 agg_div(s64 v, s64 norm)
{
	return norm == 0 || norm == 1 ? v : norm == -1 ? (s64)(0 - (u64)v) : v / norm;
}

static bool sum_scalar(const struct img_agg *agg, const u64 *data, s64 norm, s64 *value)
{
	*value = agg_div((s64)data[0], norm);
	return true;
}

static bool min_scalar(const struct img_agg *agg, const u64 *data, s64 norm, s64 *value)
{
	*value = agg_div((s64)((u64)INT64_MAX - data[0]), norm);
	return true;
}

static bool max_scalar(const struct img_agg *agg, const u64 *data, s64 norm, s64 *value)
{
	*value = agg_div((s64)(data[0] ^ SIGN_BIT), norm);
	return true;
}

static bool avg_scalar(const struct img_agg *agg, const u64 *data, s64 norm, s64 *value)
{
	s64 n = data[0];

	*value = n ? agg_div(agg_div((s64)data[1], norm), n) : 0;
	return true;
}

static u64 isqrt128(u128 v)
{
	u128 root = 0, bit = (u128)1 << 126;

	while (bit > v)
		bit >>= 2;
	for (; bit; bit >>= 2) {
		if (v >= root + bit) {
			v -= root + bit;
			root = (root >> 1) + bit;
		} else {
			root >>= 1;
		}
	}
	return (u64)root;
}

/* sqrt(mean of squares - square of the mean), each sum normalized before. */
static bool stddev_scalar(const struct img_agg *agg, const u64 *data, s64 norm, s64 *value)
{
	u64 n = data[0], by = norm < 0 ? -(u64)norm : norm ? (u64)norm : 1;

	*value = 0;
	if (!n)
		return true;
	u128 squares = op_squares(data) / by / by / n;
	s64 mean = agg_div(agg_div((s64)data[1], (s64)by), (s64)n);
	u64 abs = mean < 0 ? -(u64)mean : (u64)mean;
	u128 square = (u128)abs * abs;

	*value = squares > square ? (s64)isqrt128(squares - square) : 0;
	return true;
}

static bool hist_scalar(const struct img_agg *agg, const u64 *data, s64 norm, s64 *value)
{
	return false;
}

/* ---- text -------------------------------------------------------------- */

static void op_render(const struct img_agg *agg, const u64 *data, s64 norm, struct buf *out)
{
	s64 v = 0;

	agg_ops(agg->func)->scalar(agg, data, norm, &v);
	buf_printf(out, " %16" PRId64, v);
}

static void stddev_render(const struct img_agg *agg, const u64 *data, s64 norm, struct buf *out)
{
	s64 v = 0;

	stddev_scalar(agg, data, norm, &v);
	buf_printf(out, " %16" PRIu64, (u64)v);
}

/* stats: entries are ordered by the total, which is also what %@d prints. */
static bool stats_scalar(const struct img_agg *agg, const u64 *data, s64 norm, s64 *value)
{
	*value = agg_div((s64)data[1], norm);
	return true;
}

static void stats_render(const struct img_agg *agg, const u64 *data, s64 norm, struct buf *out)
{
	s64 mean = 0, total = 0;

	avg_scalar(agg, data, norm, &mean);
	stats_scalar(agg, data, norm, &total);
	buf_printf(out, " count %" PRIu64 ", average %" PRId64 ", total %" PRId64, data[0], mean,
		   total);
}

static const struct agg_ops agg_ops_table[] = {
	/* name       merge       subtract    render      scalar     words none */
	{ "count",    op_add,     op_sub,     op_render,     sum_scalar,    1, 0 },
	{ "sum",      op_add,     op_sub,     op_render,     sum_scalar,    1, 0 },
	{ "avg",      op_add,     op_sub,     op_render,     avg_scalar,    2, 0 },
	{ "min",      op_max,     NULL,       op_render,     min_scalar,    1,
	  INT64_MAX },
	{ "max",      op_max,     NULL,       op_render,     max_scalar,    1,
	  SIGN_BIT },
	{ "stddev",   stddev_add, stddev_sub, stddev_render, stddev_scalar, 4, 0 },
	{ "stats",    op_add,     op_sub,     stats_render,  stats_scalar,  2, 0 },
	{ "quantize", op_add,     op_sub,     hist_render,   hist_scalar,   1, 0 },
	{ "lquantize", op_add,    op_sub,     hist_render,   hist_scalar,   3, 0 },
	{ "llquantize", op_add,   op_sub,     hist_render,   hist_scalar,   3, 0 },
};

const struct agg_ops *agg_ops(const char *func)
{
	for (u32 i = 0; i < ARRAY_SIZE(agg_ops_table); i++)
		if (!strcmp(agg_ops_table[i].name, func))
			return &agg_ops_table[i];
	return NULL;
}
