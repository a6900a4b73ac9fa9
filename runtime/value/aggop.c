/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aggop.c - the functions named by the columns `merge` and `value` of aggs.def: they merge two
 * values, subtract a baseline and print.  hist.c has the buckets, aggrow.c the order.
 *
 * Data words: count, sum {n}; avg and stats {count, sum}; stddev {count, sum, low and
 * high half of the sum of squares}; min {INT64_MAX - x}; max {x - INT64_MIN}.
 */
#include <inttypes.h>

#include <dtx/aggs.h>

#include "runtime/value/value.h"

#define SIGN_BIT  (1ull << 63)

typedef unsigned __int128 u128;

/* ---- merge ------------------------------------------------------------------------ */

/* Without the `used` word of keyless ones. */
u32 agg_data_words(const struct img_agg *agg)
{
	return agg->val_size / 8 - !agg->keyed;
}

static void op_add(const struct img_agg *agg, u64 *into, const u64 *from)
{
	u32 n = agg_data_words(agg);

	for (u32 i = 0; i < n; i++)
		into[i] += from[i];
}

static void op_sub(const struct img_agg *agg, u64 *into, const u64 *base)
{
	u32 n = agg_data_words(agg);

	for (u32 i = 0; i < n; i++)
		into[i] -= base[i];
}

const struct agg_merge agg_merge_add = { op_add, op_sub };

static void op_max(const struct img_agg *agg, u64 *into, const u64 *from)
{
	if (from[0] > into[0])
		into[0] = from[0];
}

const struct agg_merge agg_merge_max = { op_max, NULL };

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

const struct agg_merge agg_merge_squares = { stddev_add, stddev_sub };

/* ---- value ------------------------------------------------------------------------ */

s64 agg_div(s64 v, s64 norm)
{
	return norm == 0 || norm == 1 ? v : norm == -1 ? (s64)(0 - (u64)v) : v / norm;
}

static s64 first_number(const struct img_agg *agg, const u64 *data, s64 norm)
{
	return agg_div((s64)data[0], norm);
}

const struct agg_reader agg_value_first = { .number = first_number };

static s64 min_number(const struct img_agg *agg, const u64 *data, s64 norm)
{
	return agg_div((s64)((u64)INT64_MAX - data[0]), norm);
}

const struct agg_reader agg_value_min = { .number = min_number, .none = INT64_MAX };

static s64 max_number(const struct img_agg *agg, const u64 *data, s64 norm)
{
	return agg_div((s64)(data[0] ^ SIGN_BIT), norm);
}

const struct agg_reader agg_value_max = { .number = max_number, .none = SIGN_BIT };

static s64 mean_number(const struct img_agg *agg, const u64 *data, s64 norm)
{
	s64 n = data[0];

	return n ? agg_div(agg_div((s64)data[1], norm), n) : 0;
}

const struct agg_reader agg_value_mean = { .number = mean_number, .counted = true };

/* Entries are ordered by the total, which is also what %@d prints. */
static s64 stats_number(const struct img_agg *agg, const u64 *data, s64 norm)
{
	return agg_div((s64)data[1], norm);
}

static void stats_render(const struct img_agg *agg, const u64 *data, s64 norm, struct buf *out)
{
	buf_printf(out, " count %" PRIu64 ", average %" PRId64 ", total %" PRId64, data[0],
		   mean_number(agg, data, norm), stats_number(agg, data, norm));
}

const struct agg_reader agg_value_stats = { .number = stats_number, .render = stats_render,
					   .counted = true };

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
static s64 stddev_number(const struct img_agg *agg, const u64 *data, s64 norm)
{
	u64 n = data[0], by = norm < 0 ? -(u64)norm : norm ? (u64)norm : 1;

	if (!n)
		return 0;
	u128 squares = op_squares(data) / by / by / n;
	s64 mean = agg_div(agg_div((s64)data[1], (s64)by), (s64)n);
	u64 abs = mean < 0 ? -(u64)mean : (u64)mean;
	u128 square = (u128)abs * abs;

	return squares > square ? (s64)isqrt128(squares - square) : 0;
}

static void stddev_render(const struct img_agg *agg, const u64 *data, s64 norm, struct buf *out)
{
	buf_printf(out, " %16" PRIu64, (u64)stddev_number(agg, data, norm));
}

const struct agg_reader agg_value_stddev = { .number = stddev_number, .render = stddev_render,
					    .counted = true };

/* ---- the rows --------------------------------------------------------------------- */

#define AGG(name, sig, words, flags, merge, value, ...)  \
	extern const struct agg_merge agg_merge_##merge; \
	extern const struct agg_reader agg_value_##value;
#include <dtx/tables/aggs.def>

static const struct agg_ops ops[] = {
#define AGG(name, sig, words, flags, merge, value, ...) { &agg_merge_##merge, &agg_value_##value },
#include <dtx/tables/aggs.def>
};

const struct agg_ops *agg_ops(const char *func)
{
	const struct agg_func *f = agg_func(func);

	return f ? &ops[f->id] : NULL;
}

bool agg_is_hist(const struct img_agg *agg)
{
	return agg_ops(agg->func)->value->hist;
}

enum agg_kind agg_kind(const struct img_agg *agg)
{
	const struct agg_reader *v = agg_ops(agg->func)->value;

	return v->hist ? AGG_HISTOGRAM : v->counted ? AGG_MEAN : AGG_NUMBER;
}

bool agg_has(const struct img_agg *agg, u32 flag)
{
	return agg_func(agg->func)->flags & flag;
}

static bool agg_unsigned(const struct img_agg *agg)
{
	return agg_has(agg, AGGF_UNSIGNED);
}

static s64 agg_number(const struct img_agg *agg, const u64 *data, s64 norm)
{
	const struct agg_reader *v = agg_ops(agg->func)->value;

	return v->number ? v->number(agg, data, norm) : 0;
}

struct agg_value agg_numbers(const struct img_agg *agg, const u64 *data, s64 norm)
{
	struct agg_value v = { .kind = agg_kind(agg), .number = agg_number(agg, data, norm),
			       .is_unsigned = agg_unsigned(agg) };

	if (v.kind == AGG_MEAN) {
		v.count = data[0];
		v.sum = stats_number(agg, data, norm);
		v.mean = mean_number(agg, data, norm);
	}
	return v;
}

void agg_render(const struct img_agg *agg, const u64 *data, s64 norm, struct buf *out)
{
	const struct agg_reader *v = agg_ops(agg->func)->value;

	if (v->hist)
		hist_render(agg, data, norm, out);
	else if (v->render)
		v->render(agg, data, norm, out);
	else
		buf_printf(out, " %16" PRId64, v->number(agg, data, norm));
}
