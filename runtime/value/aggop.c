/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aggop.c - the functions named by the columns `merge` and `value` of aggs.def: they merge two
 * values, subtract a baseline and print.  hist.c has the buckets, aggorder.c the order.
 *
 * Data words: count {n}; sum {n, how often it went beyond 64 bits}; avg and stats {count, sum};
 * stddev {count, sum, three words of the sum of squares}; min {INT64_MAX - x}; max {x - INT64_MIN}.
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

/* Counts that have left 64 bits stay so. */
static void bucket_merge(u64 *into, s64 n, bool minus)
{
	s64 was = (s64)*into, sum;
	bool beyond = minus ? __builtin_sub_overflow(was, n, &sum) :
			      __builtin_add_overflow(was, n, &sum);

	*into = (u64)(beyond || was == AGG_BEYOND || n == AGG_BEYOND ? AGG_BEYOND : sum);
}

static void buckets_add(const struct img_agg *agg, u64 *into, const u64 *from)
{
	for (u32 i = 0; i < agg_data_words(agg); i++)
		bucket_merge(&into[i], (s64)from[i], false);
}

static void buckets_sub(const struct img_agg *agg, u64 *into, const u64 *base)
{
	for (u32 i = 0; i < agg_data_words(agg); i++)
		bucket_merge(&into[i], (s64)base[i], true);
}

const struct agg_merge agg_merge_buckets = { buckets_add, buckets_sub };

static void op_max(const struct img_agg *agg, u64 *into, const u64 *from)
{
	if (from[0] > into[0])
		into[0] = from[0];
}

const struct agg_merge agg_merge_max = { op_max, NULL };

/* A sum of more than 64 bits: the low ones as a signed number, and how often it left these. */
static s128 wide_get(const u64 *data)
{
	return (s128)((u128)data[1] << 64) + (s64)data[0];
}

static void wide_set(u64 *data, s128 v)
{
	data[0] = (u64)v;
	data[1] = (u64)((v - (s64)v) >> 64);
}

static void sum_add(const struct img_agg *agg, u64 *into, const u64 *from)
{
	wide_set(into, wide_get(into) + wide_get(from));
}

static void sum_sub(const struct img_agg *agg, u64 *into, const u64 *base)
{
	wide_set(into, wide_get(into) - wide_get(base));
}

const struct agg_merge agg_merge_sum = { sum_add, sum_sub };

static void mean_add(const struct img_agg *agg, u64 *into, const u64 *from)
{
	into[0] += from[0];
	sum_add(agg, into + 1, from + 1);
}

static void mean_sub(const struct img_agg *agg, u64 *into, const u64 *base)
{
	into[0] -= base[0];
	sum_sub(agg, into + 1, base + 1);
}

const struct agg_merge agg_merge_mean = { mean_add, mean_sub };

#define SQUARES       3          /* the first word of the sum of squares */
#define SQUARE_WORDS  3          /* from the lowest on */

static void stddev_add(const struct img_agg *agg, u64 *into, const u64 *from)
{
	bool carry = false;

	mean_add(agg, into, from);
	for (u32 i = SQUARES; i < SQUARES + SQUARE_WORDS; i++) {
		u128 sum = (u128)into[i] + from[i] + carry;

		into[i] = (u64)sum;
		carry = sum >> 64;
	}
}

static void stddev_sub(const struct img_agg *agg, u64 *into, const u64 *base)
{
	bool borrow = false;

	mean_sub(agg, into, base);
	for (u32 i = SQUARES; i < SQUARES + SQUARE_WORDS; i++) {
		u128 rest = (u128)into[i] - base[i] - borrow;

		into[i] = (u64)rest;
		borrow = rest >> 64;
	}
}

const struct agg_merge agg_merge_squares = { stddev_add, stddev_sub };

/* ---- value ------------------------------------------------------------------------ */

s128 agg_div(s128 v, s64 norm)
{
	return norm ? v / norm : v;
}

s64 agg_s64(s128 v)
{
	return v > INT64_MAX ? INT64_MAX : v < INT64_MIN ? INT64_MIN : (s64)v;
}

void buf_wide(struct buf *b, s128 v)
{
	u128 n = v < 0 ? -(u128)v : (u128)v;
	char text[48];
	u32 at = sizeof(text);

	do
		text[--at] = '0' + (char)(n % 10);
	while (n /= 10);
	if (v < 0)
		text[--at] = '-';
	buf_add(b, text + at, sizeof(text) - at);
}

static s128 first_number(const struct img_agg *agg, const u64 *data, s64 norm)
{
	return agg_div((s64)data[0], norm);
}

const struct agg_reader agg_value_first = { .number = first_number };

static s128 sum_number(const struct img_agg *agg, const u64 *data, s64 norm)
{
	return agg_div(wide_get(data), norm);
}

const struct agg_reader agg_value_sum = { .number = sum_number };

static s128 min_number(const struct img_agg *agg, const u64 *data, s64 norm)
{
	return agg_div((s64)((u64)INT64_MAX - data[0]), norm);
}

const struct agg_reader agg_value_min = { .number = min_number, .none = INT64_MAX };

static s128 max_number(const struct img_agg *agg, const u64 *data, s64 norm)
{
	return agg_div((s64)(data[0] ^ SIGN_BIT), norm);
}

const struct agg_reader agg_value_max = { .number = max_number, .none = SIGN_BIT };

static s128 mean_number(const struct img_agg *agg, const u64 *data, s64 norm)
{
	return data[0] ? agg_div(wide_get(data + 1), norm) / (s64)data[0] : 0;
}

const struct agg_reader agg_value_mean = { .number = mean_number, .counted = true };

/* Entries are ordered by the total, which is also what %@d prints. */
static s128 stats_number(const struct img_agg *agg, const u64 *data, s64 norm)
{
	return sum_number(agg, data + 1, norm);
}

static void stats_render(const struct img_agg *agg, const u64 *data, s64 norm, struct buf *out)
{
	buf_printf(out, " count %" PRIu64 ", average ", data[0]);
	buf_wide(out, mean_number(agg, data, norm));
	buf_puts(out, ", total ");
	buf_wide(out, stats_number(agg, data, norm));
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

static void divide_squares(u64 *v, u64 by)
{
	u128 rest = 0;

	for (u32 i = SQUARE_WORDS; i--; rest %= by) {
		rest = rest << 64 | v[i];
		v[i] = (u64)(rest / by);
	}
}

/* sqrt(mean of squares - square of the mean), each sum normalized before. */
static s128 stddev_number(const struct img_agg *agg, const u64 *data, s64 norm)
{
	u64 n = data[0], by = norm < 0 ? -(u64)norm : norm ? (u64)norm : 1, v[SQUARE_WORDS];

	if (!n)
		return 0;
	memcpy(v, data + SQUARES, sizeof(v));
	divide_squares(v, by);
	divide_squares(v, by);
	divide_squares(v, n);
	u128 squares = (u128)v[1] << 64 | v[0];
	s128 mean = mean_number(agg, data, norm);
	u64 abs = mean < 0 ? -(u64)mean : (u64)mean;
	u128 square = (u128)abs * abs;

	return squares > square ? (s128)isqrt128(squares - square) : 0;
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

static s128 agg_number(const struct img_agg *agg, const u64 *data, s64 norm)
{
	const struct agg_reader *v = agg_ops(agg->func)->value;

	return v->number ? v->number(agg, data, norm) : 0;
}

struct agg_value agg_numbers(const struct img_agg *agg, const u64 *data, s64 norm)
{
	struct agg_value v = { .kind = agg_kind(agg), .number = agg_number(agg, data, norm),
			       .is_unsigned = agg_unsigned(agg),
			       .none = agg_has(agg, AGGF_EXTREME) && !data[0] };

	if (v.kind == AGG_MEAN) {
		v.count = data[0];
		v.sum = stats_number(agg, data, norm);
		v.mean = mean_number(agg, data, norm);
	}
	return v;
}

/* " %16d" */
static void render_number(s128 n, struct buf *out)
{
	struct buf text = { 0 };

	buf_wide(&text, n);
	buf_pad(out, ' ', 17 - MIN((int)text.len, 16));
	buf_add(out, text.data, text.len);
	buf_free(&text);
}

void agg_render(const struct img_agg *agg, const u64 *data, s64 norm, struct buf *out)
{
	const struct agg_reader *v = agg_ops(agg->func)->value;

	if (v->hist)
		hist_render(agg, data, norm, out);
	else if (v->render)
		v->render(agg, data, norm, out);
	else
		render_number(v->number(agg, data, norm), out);
}
