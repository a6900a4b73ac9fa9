/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_bpf_bucket - the bucket arithmetic of bpf/bucket.h, compiled as C, against the
 * definitions of runtime/hist.c written out the slow way.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <dtx/base.h>

#include "bpf/bucket.h"

static const s64 probes[] = {
	INT64_MIN, INT64_MIN + 1, -(1ll << 62) - 1, -(1ll << 62), -1000000007, -1025, -1024, -1023,
	-100, -64, -11, -10, -9, -3, -2, -1, 0, 1, 2, 3, 4, 7, 8, 9, 10, 11, 19, 20, 99, 100, 101,
	999, 1000, 1023, 1024, 65535, 1000000, 4294967295ll, 4294967296ll, (1ll << 62) - 1,
	1ll << 62, INT64_MAX - 1, INT64_MAX,
};

static u32 slow_quantize(s64 x)
{
	u64 a = x < 0 ? 0 - (u64)x : (u64)x;
	u32 k = 0;

	if (!x)
		return 63;
	while (k < 63 && a >= 2ull << k)
		k++;
	if (x < 0)
		return k > 62 ? 0 : 62 - k;
	return 64 + k;
}

static void test_quantize(void **state)
{
	for (u32 i = 0; i < ARRAY_SIZE(probes); i++)
		assert_int_equal(bucket_quantize(probes[i]), slow_quantize(probes[i]));
	for (s64 x = -5000; x <= 5000; x++)
		assert_int_equal(bucket_quantize(x), slow_quantize(x));
	assert_int_equal(bucket_quantize(INT64_MAX), 126);
	assert_int_equal(bucket_quantize(INT64_MIN), 0);
}

static u32 slow_lquantize(s64 x, s64 low, u32 levels, u32 step)
{
	if (x < low)
		return 0;
	for (u32 i = 0; i < levels; i++)
		if (x < low + (s64)(i + 1) * step)
			return i + 1;
	return levels + 1;
}

static void test_lquantize(void **state)
{
	static const struct { s64 low; u32 levels, step; } sets[] = {
		{ 0, 10, 10 }, { -50, 100, 1 }, { 5, 1, 65535 }, { INT32_MIN, 65535, 65535 },
	};

	for (u32 s = 0; s < ARRAY_SIZE(sets); s++)
		for (u32 i = 0; i < ARRAY_SIZE(probes); i++)
			assert_int_equal(bucket_lquantize(probes[i], sets[s].low, sets[s].levels,
							  sets[s].step),
					 slow_lquantize(probes[i], sets[s].low, sets[s].levels,
							sets[s].step));
}

typedef unsigned __int128 u128;

static u128 power(u64 f, u32 n)
{
	u128 p = 1;

	while (n--)
		p *= f;
	return p;
}

struct ll {
	u64 factor;
	u32 lmag, hmag;
	u64 steps;
};

/* hist.c's definition with numbers wide enough never to overflow. */
static u64 slow_llquantize(s64 x, const struct ll *p)
{
	u64 a = x < 0 ? 0 - (u64)x : (u64)x, per = p->steps - p->steps / p->factor, d;
	u64 mid = (p->hmag - p->lmag + 1) * per + 1;
	u32 m = p->lmag;

	if (a < power(p->factor, p->lmag)) {
		d = 0;
	} else if (a >= power(p->factor, p->hmag + 1)) {
		d = mid;
	} else {
		while (a >= power(p->factor, m + 1))
			m++;
		d = 1 + (m - p->lmag) * per +
		    (u64)((u128)a * p->steps / power(p->factor, m + 1)) - p->steps / p->factor;
	}
	return x < 0 ? mid - d : mid + d;
}

static void test_llquantize(void **state)
{
	static const struct ll sets[] = {
		{ 10, 0, 6, 10 }, { 10, 0, 6, 20 }, { 10, 2, 5, 100 }, { 2, 0, 62, 2 },
		{ 10, 0, 18, 10 }, { 8, 1, 10, 4 }, { 10, 3, 3, 10 }, { 10, 0, 0, 100 },
	};

	for (u32 s = 0; s < ARRAY_SIZE(sets); s++) {
		const struct ll *p = &sets[s];

		for (u32 i = 0; i < ARRAY_SIZE(probes); i++)
			assert_int_equal(bucket_llquantize(probes[i], p->factor, p->lmag, p->hmag,
							   p->steps),
					 slow_llquantize(probes[i], p));
		for (s64 x = -3000; x <= 3000; x++)
			assert_int_equal(bucket_llquantize(x, p->factor, p->lmag, p->hmag,
							   p->steps),
					 slow_llquantize(x, p));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quantize),
		cmocka_unit_test(test_lquantize),
		cmocka_unit_test(test_llquantize),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
