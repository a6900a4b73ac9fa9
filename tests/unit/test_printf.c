/* SPDX-License-Identifier: BSD-2-Clause */
/* test_printf.c - every conversion of convs.def, flags, '*', and printa's '@'. */
#include <math.h>
#include <time.h>

#include <dtx/opt.h>

#include "runtime/sink/sink.h"
#include "tests/unit/synth.h"

/* C() gives defaults that its arguments override. */
#pragma GCC diagnostic ignored "-Woverride-init"

static struct dtx_env env;

#define C(...)   (struct img_conv){ .text = "", .flags = "", .width = -1, .prec = -1, .size = "", \
		 __VA_ARGS__ }
#define S32(x)   (struct val){ .kind = VAL_INT, .size = 4, .is_signed = true, .u = (u64)(s64)(x) }
#define U32(x)   (struct val){ .kind = VAL_INT, .size = 4, .u = (x) }
#define S64(x)   (struct val){ .kind = VAL_INT, .size = 8, .is_signed = true, .u = (u64)(s64)(x) }
#define U64(x)   (struct val){ .kind = VAL_INT, .size = 8, .u = (x) }
#define S8(x)    (struct val){ .kind = VAL_INT, .size = 1, .is_signed = true, .u = (u64)(s64)(x) }
#define STR(x)   (struct val){ .kind = VAL_STR, .p = (x), .len = sizeof(x) - 1, .size = 256 }
#define BYTES(x) (struct val){ .kind = VAL_BYTES, .p = (const void *)&(x), .len = sizeof(x), \
			       .size = sizeof(x) }

static void expect(struct img_conv conv, struct val v, const char *want)
{
	struct buf b = { 0 };

	buf_add(&b, "", 0);
	printf_run(&env, &(struct format){ .convs = &conv, .nconvs = 1, .vals = &v, .nvals = 1 },
		   &b);
	assert_string_equal(b.data, want);
	buf_free(&b);
}

static void test_integers(void **state)
{
	expect(C(.conv = "d"), S32(-5), "-5");
	expect(C(.conv = "i"), U32(0xfffffffb), "4294967291");
	expect(C(.conv = "d"), S64(INT64_MIN), "-9223372036854775808");
	expect(C(.conv = "u"), S32(-1), "4294967295");
	expect(C(.conv = "x"), S8(-1), "ff");
	expect(C(.conv = "X"), S32(-1), "FFFFFFFF");
	expect(C(.conv = "o"), U32(8), "10");
	expect(C(.conv = "x", .size = "ll"), U64(0xdeadbeefcafe), "deadbeefcafe");
	expect(C(.conv = "p"), U64(0xffff888000000000), "ffff888000000000");
	expect(C(.conv = "p", .flags = "#"), U64(0xab), "0xab");
}

static void test_flags(void **state)
{
	expect(C(.conv = "d", .width = 6), S32(42), "    42");
	expect(C(.conv = "d", .width = 6, .flags = "-"), S32(42), "42    ");
	expect(C(.conv = "d", .width = 6, .flags = "0"), S32(-42), "-00042");
	expect(C(.conv = "d", .width = 6, .prec = 3, .flags = "0"), S32(42), "   042");
	expect(C(.conv = "d", .prec = 0), S32(0), "0");
	expect(C(.conv = "d", .flags = "+"), S32(7), "+7");
	expect(C(.conv = "d", .flags = " "), S32(7), " 7");
	expect(C(.conv = "x", .flags = "#"), U32(255), "0xff");
	expect(C(.conv = "X", .flags = "#"), U32(255), "0XFF");
	expect(C(.conv = "x", .flags = "#0", .width = 8), U32(255), "0x0000ff");
	expect(C(.conv = "o", .flags = "#"), U32(8), "010");
	expect(C(.conv = "x", .flags = "?"), U64(0xab), "              ab");
	expect(C(.conv = "p", .flags = "0?"), U64(0xab), "00000000000000ab");
	expect(C(.conv = "d", .flags = "'"), S64(-1234567), "-1,234,567");
	expect(C(.conv = "u", .flags = "'"), U64(123), "123");
	expect(C(.text = "100% of ", .conv = "d"), S32(1), "100% of 1");
	expect(C(.text = "only text"), S32(1), "only text");
}

static void test_star(void **state)
{
	struct img_conv c = C(.conv = "s", .width_arg = true, .prec_arg = true);
	struct val v[] = { S32(-6), S32(2), STR("abc") };
	struct buf b = { 0 };

	printf_run(&env, &(struct format){ .convs = &c, .nconvs = 1, .vals = v, .nvals = 3 }, &b);
	assert_string_equal(b.data, "ab    ");
	buf_free(&b);
}

/* An argument of a probe may be any number: what is printed stays of a size that memory has. */
static void test_star_extremes(void **state)
{
	struct img_conv c = C(.conv = "d", .width_arg = true, .prec_arg = true);
	static const s32 far[] = { INT32_MAX, INT32_MIN, INT32_MIN + 1 };

	for (u32 i = 0; i < ARRAY_SIZE(far); i++) {
		struct val v[] = { S32(far[i]), S32(far[i]), S32(7) };
		struct buf b = { 0 };

		printf_run(&env, &(struct format){ .convs = &c, .nconvs = 1, .vals = v,
						   .nvals = 3 }, &b);
		assert_int_equal(b.len, IMG_WIDTH_MAX);
		buf_free(&b);
	}
}

static void test_strings(void **state)
{
	static const char arr[8] = "ab\0cd", full[2] = { 'x', 'y' };
	static const u32 wide[] = { 'h', 0xe9, 0x20ac, 0x1f600, 0 };

	expect(C(.conv = "s"), STR("hello"), "hello");
	expect(C(.conv = "s", .width = 8), STR("hello"), "   hello");
	expect(C(.conv = "s", .width = 8, .flags = "-"), STR("hello"), "hello   ");
	expect(C(.conv = "s", .prec = 2), STR("hello"), "he");
	expect(C(.conv = "s"), BYTES(arr), "ab");
	expect(C(.conv = "s"), BYTES(full), "xy");
	expect(C(.conv = "s", .size = "w"), BYTES(wide), "h\u00e9\u20ac\U0001f600");
	expect(C(.conv = "S"), STR("a\"\\\n\t\x01\x7f"), "a\\\"\\\\\\n\\t\\001\\177\\0");
	expect(C(.conv = "c"), S8('A'), "A");
	expect(C(.conv = "c", .width = 3), S8('A'), "  A");
	expect(C(.conv = "c", .size = "l"), U32(0x20ac), "\u20ac");
	expect(C(.conv = "C"), S8('\n'), "\\n");
	expect(C(.conv = "C"), S8(1), "\\001");
	expect(C(.conv = "C"), S8('z'), "z");
}

static void test_time(void **state)
{
	setenv("TZ", "UTC", 1);
	tzset();
	expect(C(.conv = "Y"), U64(123787200000000000 - 24000 * 1000000000ull),
	       "1973 Dec  3 10:40:00");
	expect(C(.conv = "Y"), S64(0), "1970 Jan  1 00:00:00");
	expect(C(.conv = "T"), S64(123787200000000000), "Mon, 03 Dec 1973 17:20:00 UTC");
}

static void test_floats(void **state)
{
	float f = 1.5f;
	double d = -2.25;
	long double l = 1e10L;
	char wide[601];

	expect(C(.conv = "f"), BYTES(f), "1.500000");
	expect(C(.conv = "f", .prec = 1, .width = 8), BYTES(d), "    -2.2");
	expect(C(.conv = "f", .prec = 1, .width = 8, .flags = "-"), BYTES(d), "-2.2    ");
	expect(C(.conv = "f", .prec = 1, .width = 8, .flags = "0"), BYTES(d), "-00002.2");
	expect(C(.conv = "g", .size = "L"), BYTES(l), "1e+10");
	memset(wide, ' ', 596);
	memcpy(wide + 596, "-2.2", 5);
	expect(C(.conv = "f", .prec = 1, .width = 600), BYTES(d), wide);
	expect(C(.conv = "E", .size = "l", .prec = 2), BYTES(d), "-2.25E+00");
}

static void test_stack(void **state)
{
	static const u64 pcs[] = { 0x1000, 0x2000 };
	struct val v = { .kind = VAL_STACK, .pcs = pcs, .npcs = 2 };

	expect(C(.conv = "k"), v, "\n0x1000\n0x2000\n");
	expect(C(.conv = "k", .flags = "-", .width = 4), v, "\n    0x1000\n    0x2000\n");
	expect(C(.conv = "k", .width = 8), v, "\n  0x1000\n  0x2000\n");
	expect(C(.conv = "a", .width = 8), U64(0x1000), "  0x1000");
}

/* A value that is not what the letter wants still prints. */
static void test_mismatch(void **state)
{
	expect(C(.conv = "s"), S32(3), "3");
	expect(C(.conv = "d"), STR("x"), "x");
	expect(C(.conv = "Q"), S32(3), "3");
}

static void test_printa_flags(void **state)
{
	static const struct img_agg count = { .func = "count", .keyed = true, .val_size = 8 },
		avg = { .func = "avg", .keyed = true, .val_size = 24 };
	static const u64 n[] = { 7 }, ab[] = { 2, (u64)-9, 0 };
	const struct img_agg *aggs[] = { &count, &avg };
	struct val key = STR("k");
	struct agg_row row[2] = { { .keys = &key, .data = n, .norm = 1 },
				  { .keys = &key, .data = ab, .norm = 1 } };
	struct agg_print p = { .aggs = aggs, .naggs = 2, .nrows = 1 };
	struct img_conv c[] = { C(.text = "<", .conv = "s"),
		C(.text = ": ", .conv = "d", .flags = "@"),
		C(.text = " ", .conv = "d", .flags = "@", .width = 5),
		C(.text = " ", .conv = "d", .flags = "@-", .width = 5), C(.text = ">\n") };
	struct buf b = { 0 };

	printf_run(&env, &(struct format){ .convs = c, .nconvs = 5, .vals = &key, .nvals = 1,
					    .print = &p, .row = row }, &b);
	assert_string_equal(b.data, "<k: 7    -4 -4   >\n");
	buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_integers),
		cmocka_unit_test(test_flags),
		cmocka_unit_test(test_star),
		cmocka_unit_test(test_star_extremes),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_floats),
		cmocka_unit_test(test_stack),
		cmocka_unit_test(test_mismatch),
		cmocka_unit_test(test_printa_flags),
	};

	env.arena = arena_new();
	env.opts = options_new(env.arena);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	arena_free(env.arena);
	return failed;
}
