/* SPDX-License-Identifier: BSD-2-Clause */
/* test_hist.c - bucket bounds and rows of quantize, lquantize, llquantize. */
#include "runtime/value/value.h"
#include "tests/unit/synth.h"
#include "bpf/bucket.h"

#define HEAD "\n           value  ------------- Distribution ------------- count    \n"

/* Is the value in the bucket? */
static bool holds(const struct img_agg *agg, u32 bucket, s64 x)
{
	s64 low, high;

	return hist_bounds(agg, bucket, &low, &high) && low <= x && x <= high;
}

static s64 lower(const struct img_agg *agg, u32 bucket)
{
	s64 low, high;

	hist_bounds(agg, bucket, &low, &high);
	return low;
}

static void expect(const struct img_agg *agg, const u64 *data, s64 norm, const char *want)
{
	struct buf b = { 0 };

	hist_render(agg, data, norm, &b);
	assert_string_equal(b.data, want);
	buf_free(&b);
}

static const struct img_agg quant = { .func = "quantize", .keyed = true, .val_size = 127 * 8 };

static void test_quantize(void **state)
{
	u64 d[127] = { [64] = 3, [66] = 9, [67] = 1 };

	expect(&quant, d, 1, HEAD
"               0 |                                         0        \n"
"               1 |@@@@@@@@@                                3        \n"
"               2 |                                         0        \n"
"               4 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@             9        \n"
"               8 |@@@                                      1        \n"
"              16 |                                         0        \n");
	/* The bars stay, the counts are divided. */
	expect(&quant, d, 3, HEAD
"               0 |                                         0        \n"
"               1 |@@@@@@@@@                                1        \n"
"               2 |                                         0        \n"
"               4 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@             3        \n"
"               8 |@@@                                      0        \n"
"              16 |                                         0        \n");
}

static void test_quantize_signs(void **state)
{
	u64 both[127] = { [62] = -2, [64] = 5 }, neg[127] = { [63] = -1 }, none[127] = { 0 };

	expect(&quant, both, 1, HEAD
"              -2                     |                     0        \n"
"              -1               @@@@@@|                     -2       \n"
"               0                     |                     0        \n"
"               1                     |@@@@@@@@@@@@@@       5        \n"
"               2                     |                     0        \n");
	expect(&quant, neg, 1, HEAD
"              -1                                         | 0        \n"
"               0 @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@| -1       \n"
"               1                                         | 0        \n");
	expect(&quant, none, 1, HEAD
"              -1 |                                         0        \n"
"               0 |                                         0        \n"
"               1 |                                         0        \n");
}

static void test_quantize_ends(void **state)
{
	u64 d[127] = { [0] = 1, [126] = 1 };
	struct buf b = { 0 };

	hist_render(&quant, d, 1, &b);
	assert_non_null(strstr(b.data, "count    \n-4611686018427387904 |@@@@@@@@@@@@@@@@@@@@"));
	assert_non_null(strstr(b.data, "\n4611686018427387904 |@@@@@@@@@@@@@@@@@@@@"));
	buf_free(&b);
	assert_int_equal(lower(&quant, 63), 0);
	assert_int_equal(lower(&quant, 64), 1);
	assert_int_equal(lower(&quant, 62), -1);
	assert_int_equal(lower(&quant, 61), -3);
	assert_int_equal(hist_buckets(&quant), 127);
}

/* Every value falls between the bounds of its bucket. */
static void test_index(void **state)
{
	static const s64 xs[] = { INT64_MIN, INT64_MIN + 1, -4096, -3, -2, -1, 0, 1, 2, 3, 4, 1023,
				  1024, INT64_MAX - 1, INT64_MAX };
	static const struct img_agg lq = { .func = "lquantize", .params = { -30, 1000, 7 },
		.nparams = 3 };
	u32 levels = hist_buckets(&lq) - 2;

	for (u32 k = 0; k < sizeof(xs) / sizeof(xs[0]); k++) {
		u32 i = bucket_quantize(xs[k]), l = bucket_lquantize(xs[k], -30, levels, 7);

		assert_true(holds(&quant, i, xs[k]));
		assert_true(holds(&lq, l, xs[k]));
	}
}

/* Only buckets that have counts, with the bounds of integers. */
static void test_walk(void **state)
{
	u64 d[127] = { [62] = 3, [67] = 2, [126] = 1 };
	static const struct hist_bucket want[] = {
		{ -1, -1, 3, 62 }, { 8, 15, 2, 67 }, { 1ll << 62, INT64_MAX, 1, 126 },
	};
	struct hist_bucket b;
	struct hist_walk w;
	u32 n = 0;

	for (hist_walk(&w, &quant, d); hist_next(&w, &b); n++) {
		assert_true(n < sizeof(want) / sizeof(want[0]));
		assert_int_equal(b.low, want[n].low);
		assert_int_equal(b.high, want[n].high);
		assert_int_equal(b.count, want[n].count);
		assert_int_equal(b.index, want[n].index);
	}
	assert_int_equal(n, 3);
}

/* avg() has its count and sum, count() only its value. */
static void test_numbers(void **state)
{
	static const struct img_agg avg = { .func = "avg" }, count = { .func = "count" };
	u64 d[3] = { 3, (u64)-9, 0 };
	struct agg_value n = agg_numbers(&avg, d, 1);

	assert_true(n.kind == AGG_MEAN);
	assert_int_equal(n.number, -3);
	assert_int_equal(n.count, 3);
	assert_int_equal(n.sum, -9);
	n = agg_numbers(&count, d, 1);
	assert_false(n.kind == AGG_MEAN);
	assert_int_equal(n.number, 3);
}

static void test_lquantize(void **state)
{
	static const struct img_agg lq = { .func = "lquantize", .keyed = true, .val_size = 12 * 8,
		.params = { 0, 100, 10 }, .nparams = 3 };
	u64 d[12] = { [0] = 1, [1] = 1, [11] = 2 }, none[12] = { 0 };

	assert_int_equal(hist_buckets(&lq), 12);
	expect(&lq, d, 1, HEAD
"             < 0 |@@@@@@@@@@                               1        \n"
"               0 |@@@@@@@@@@                               1        \n"
"              10 |                                         0        \n"
"              20 |                                         0        \n"
"              30 |                                         0        \n"
"              40 |                                         0        \n"
"              50 |                                         0        \n"
"              60 |                                         0        \n"
"              70 |                                         0        \n"
"              80 |                                         0        \n"
"              90 |                                         0        \n"
"          >= 100 |@@@@@@@@@@@@@@@@@@@@                     2        \n");
	expect(&lq, none, 1, HEAD
"             < 0 |                                         0        \n"
"               0 |                                         0        \n"
"              10 |                                         0        \n");
}

static void check_ll(s64 factor, s64 lmag, s64 hmag, s64 steps, s64 limit)
{
	struct img_agg ll = { .func = "llquantize", .keyed = true,
		.params = { factor, lmag, hmag, steps }, .nparams = 4 };
	u32 n = hist_buckets(&ll);

	assert_int_equal(n, 2 * (hmag - lmag + 1) * (steps - steps / factor) + 3);
	for (s64 x = -limit; x <= limit; x++) {
		u32 i = bucket_llquantize(x, factor, lmag, hmag, steps);

		assert_true(i < n);
		assert_true(holds(&ll, i, x));
	}
}

static void test_llquantize_index(void **state)
{
	check_ll(10, 0, 2, 10, 1200);
	check_ll(10, 1, 2, 20, 1200);
	check_ll(10, 0, 2, 5, 1200);
	check_ll(2, 3, 8, 2, 600);
	check_ll(10, 2, 3, 100, 11000);
	check_ll(4, 0, 4, 4, 1100);
}

static void test_llquantize(void **state)
{
	static const struct img_agg ll = { .func = "llquantize", .keyed = true,
		.params = { 10, 0, 1, 10 }, .nparams = 4 };
	u64 d[39] = { 0 };

	/* 9 buckets a magnitude: 1 2 … 9, 10 20 … 90 */
	d[bucket_llquantize(0, 10, 0, 1, 10)] = 1;
	d[bucket_llquantize(3, 10, 0, 1, 10)] = 3;
	expect(&ll, d, 1, HEAD
"              -1 |                                         0        \n"
"               0 |@@@@@@@@@@                               1        \n"
"               1 |                                         0        \n"
"               2 |                                         0        \n"
"               3 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@           3        \n"
"               4 |                                         0        \n");
	memset(d, 0, sizeof(d));
	d[0] = 1;
	d[38] = 1;
	struct buf b = { 0 };

	hist_render(&ll, d, 1, &b);
	assert_non_null(strstr(b.data, "\n         <= -100 |@@@@@@@@@@@@@@@@@@@@      "));
	assert_non_null(strstr(b.data, "\n          >= 100 |@@@@@@@@@@@@@@@@@@@@      "));
	assert_non_null(strstr(b.data, "\n             -10 |                          "));
	buf_free(&b);
}

static void test_llquantize_underflow(void **state)
{
	static const struct img_agg ll = { .func = "llquantize", .keyed = true,
		.params = { 10, 2, 3, 10 }, .nparams = 4 };
	u64 d[39] = { 0 };

	d[bucket_llquantize(5, 10, 2, 3, 10)] = 2;
	expect(&ll, d, 1, HEAD
"            -100 |                                         0        \n"
"     abs() < 100 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 2        \n"
"             100 |                                         0        \n");
	memset(d, 0, sizeof(d));
	d[bucket_llquantize(150, 10, 2, 3, 10)] = 2;
	expect(&ll, d, 1, HEAD
"           < 100 |                                         0        \n"
"             100 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 2        \n"
"             200 |                                         0        \n");
}

/* More steps than the factor: the first magnitude has no fractions to show. */
static void test_llquantize_fractions(void **state)
{
	static const struct img_agg ll = { .func = "llquantize", .keyed = true,
		.params = { 10, 0, 1, 20 }, .nparams = 4 };
	u64 d[75] = { 0 };

	d[bucket_llquantize(2, 10, 0, 1, 20)] = 1;
	expect(&ll, d, 1, HEAD
"               1 |                                         0        \n"
"               2 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n"
"               3 |                                         0        \n");
	memset(d, 0, sizeof(d));
	d[bucket_llquantize(12, 10, 0, 1, 20)] = 1;
	expect(&ll, d, 1, HEAD
"               9 |                                         0        \n"
"              10 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1        \n"
"              15 |                                         0        \n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quantize),
		cmocka_unit_test(test_quantize_signs),
		cmocka_unit_test(test_quantize_ends),
		cmocka_unit_test(test_index),
		cmocka_unit_test(test_walk),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_lquantize),
		cmocka_unit_test(test_llquantize_index),
		cmocka_unit_test(test_llquantize),
		cmocka_unit_test(test_llquantize_underflow),
		cmocka_unit_test(test_llquantize_fractions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
