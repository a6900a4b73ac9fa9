/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_bpf_strfn.c - the string subroutines of the BPF library, compiled for this
 * machine, with several sizes of strings around the block size they work in.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dtx/base.h>
#include <dtx/abi.h>

#include <setjmp.h>
#include <cmocka.h>

#define DTX_BPF_H                /* what dtx.bpf.h gives, for this machine */
#define DTX_FN  static inline __attribute__((unused))
#define DTX_GLOBAL
#define DTX_ANYWHERE  __attribute__((aligned(1), may_alias))
#define OPT(name)  ((u64)dtx_opt_##name)
#define barrier_var(v)  __asm__ volatile("" : "+r"(v))

static u32 dtx_opt_strmax, dtx_opt_work, dtx_opt_scratch;
static char dtx_scratch[1];
static char *slot;

static u64 cpu_number(void)
{
	return 0;
}

static void *bpf_map_lookup_elem(void *map, const void *key)
{
	return slot;
}

static long bpf_probe_read_kernel(void *to, u32 n, const void *from)
{
	memmove(to, from, n);
	return 0;
}

#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#include "bpf/text/strfn.bpf.c"
#include "bpf/text/strfn_make.bpf.c"
#include "bpf/text/strfn_num.bpf.c"

#define OUT  64                  /* where results go in the slot */

static u64 load(u64 at, const char *s)
{
	snprintf(slot + at, STR_MAX, "%s", s);
	return strlen(slot + at);
}

static const char *result(void)
{
	return slot + OUT;
}

static void with_strsize(u32 strsize)
{
	u64 area;

	free(slot);
	dtx_opt_strmax = strsize + 1;
	dtx_opt_work = ALIGN_UP(OUT + 2 * dtx_opt_strmax, 8);
	area = STR_AREA;
	dtx_opt_scratch = dtx_opt_work + DTX_STR_STATE + 4 * area;
	slot = malloc(dtx_opt_scratch + 8);
	memset(slot, 0xa5, dtx_opt_scratch + 8);
}

static const u32 sizes[] = { 127, 128, 256, 4096, 65536 };

/* `gap` letters, the needle, `gap` letters, the needle. */
static void text_with(char *to, const char *needle, u32 gap)
{
	memset(to, 'x', gap);
	strcpy(to + gap, needle);
	to += gap + strlen(needle);
	memset(to, 'x', gap);
	strcpy(to + gap, needle);
}

static void test_index(void **state)
{
	static char text[70000];

	for (u32 i = 0; i < ARRAY_SIZE(sizes); i++) {
		u32 gap = sizes[i] / 2 - 4;
		u64 la, lb;

		with_strsize(sizes[i]);
		text_with(text, "xyz", gap);
		la = load(WORK_A, text);
		lb = load(WORK_B, "xyz");
		assert_int_equal(dtx_g_index(0, la, lb, 0), gap);
		assert_int_equal(dtx_g_index(0, la, lb, gap + 1), 2 * gap + 3);
		assert_int_equal(dtx_g_rindex(0, la, lb, la), 2 * gap + 3);
		assert_int_equal(dtx_g_rindex(0, la, lb, 2 * gap + 2), gap);
		lb = load(WORK_B, "zz");
		assert_int_equal(dtx_g_index(0, la, lb, 0), STR_NONE);
		assert_int_equal(dtx_g_rindex(0, la, lb, la), STR_NONE);
	}
}

static void test_index_edges(void **state)
{
	static const struct { const char *s, *sub; s64 start; int index, rindex; } t[] = {
		{ "", "", 0, 0, 0 }, { "", "", 5, 0, 0 }, { "", "a", 0, -1, -1 },
		{ "foo", "", 1, 1, 1 }, { "foo", "", 9, 3, 3 }, { "foo", "", -1, 0, 0 },
		{ "foo", "o", -1, 1, -1 }, { "foo", "fooo", 0, -1, -1 }, { "foo", "foo", 0, 0, 0 },
	};

	with_strsize(256);
	for (u32 i = 0; i < ARRAY_SIZE(t); i++) {
		u64 la = load(WORK_A, t[i].s), lb = load(WORK_B, t[i].sub);

		assert_int_equal((int)dtx_g_index(0, la, lb, t[i].start), t[i].index);
		assert_int_equal((int)dtx_g_rindex(0, la, lb, t[i].start), t[i].rindex);
	}
}

static void test_strtok(void **state)
{
	static const char *const want[] = { "a", "b", "c" };
	u64 la;

	for (u32 i = 0; i < ARRAY_SIZE(sizes); i++) {
		with_strsize(sizes[i]);
		la = load(WORK_T, ";;a,;b,c;");
		for (u32 k = 0; k < ARRAY_SIZE(want); k++, la = STR_NONE) {
			assert_int_equal(dtx_g_strtok(0, la, load(WORK_B, ",;"), OUT), 1);
			assert_string_equal(result(), want[k]);
		}
		assert_int_equal(dtx_g_strtok(0, STR_NONE, load(WORK_B, ",;"), OUT), 0);
		assert_int_equal(dtx_g_strtok(0, STR_NONE, load(WORK_B, ",;"), OUT), 0);
	}
}

static void test_paths(void **state)
{
	static const struct { const char *s, *base, *dir, *clean; } t[] = {
		{ "", ".", ".", "" }, { "/", "/", "/", "/" }, { "///", "/", "/", "/" },
		{ "foo", "foo", ".", "foo" }, { "/foo", "foo", "/", "/foo" },
		{ "foo/", "foo", ".", "foo" }, { "/foo//bar//", "bar", "/foo", "/foo/bar" },
		{ "a/b", "b", "a", "a/b" }, { "a/..", "..", "a", "." }, { ".", ".", ".", "." },
		{ "..", "..", ".", ".." }, { "../../a/../b", "b", "../../a/..", "../../b" },
		{ "/../a", "a", "/..", "/a" }, { "/a/./b/../../c/", "c", "/a/./b/../..", "/c" },
		{ "a/b/../../..", "..", "a/b/../..", ".." }, { "...", "...", ".", "..." },
	};

	for (u32 i = 0; i < ARRAY_SIZE(t); i++) {
		with_strsize(128);
		dtx_g_basename(0, load(WORK_A, t[i].s), OUT);
		assert_string_equal(result(), t[i].base);
		dtx_g_dirname(0, load(WORK_A, t[i].s), OUT);
		assert_string_equal(result(), t[i].dir);
		dtx_g_cleanpath(0, load(WORK_A, t[i].s), OUT);
		assert_string_equal(result(), t[i].clean);
	}
}

/* More components than a block of them, longer than a block of bytes. */
static void test_long_path(void **state)
{
	static char in[4096], out[4096];

	for (u32 i = 0; i < 300; i++) {
		strcat(in, i % 3 ? "//abc" : "/./x/..");
		strcat(out, i % 3 ? "/abc" : "");
	}
	with_strsize(4096);
	dtx_g_cleanpath(0, load(WORK_A, in), OUT);
	assert_string_equal(result(), out);
	dtx_g_dirname(0, load(WORK_A, out), OUT);
	assert_int_equal(strlen(result()), strlen(out) - 4);
	dtx_g_case(0, load(WORK_A, out), 'a', OUT);
	assert_string_equal(result() + strlen(out) - 4, "/ABC");
}

static void test_substr(void **state)
{
	static const struct { s64 index, n; const char *want; } t[] = {
		{ 0, 256, "hello" }, { 1, 3, "ell" }, { 5, 1, "" }, { 9, 1, "" }, { -2, 256, "lo" },
		{ -3, 2, "ll" }, { -7, 4, "he" }, { -7, 1, "" }, { 1, -1, "ell" }, { 1, -4, "" },
		{ 3, -9, "" }, { 2, 0, "" },
	};

	with_strsize(256);
	for (u32 i = 0; i < ARRAY_SIZE(t); i++) {
		dtx_g_substr(0, load(WORK_A, "hello"), t[i].index, t[i].n, OUT);
		assert_string_equal(result(), t[i].want);
	}
}

static void test_numbers(void **state)
{
	static const struct {
		s64 v; u64 base; const char *want;
	} t[] = {
		{ 0, 10, "0" },
		{ -42, 10, "-42" },
		{ INT64_MIN, 10, "-9223372036854775808" },
		{ 0, 8, "0" },
		{ 255, 16, "0xff" },
		{ -1, 16, "0xffffffffffffffff" },
		{ 35, 36, "z" },
		{ -1, 2, "1111111111111111111111111111111111111111111111111111111111111111" },
	};
	static const struct { const char *s; u64 base; s64 want; } r[] = {
		{ "42", 10, 42 }, { " \t-17x", 10, -17 }, { "+5", 10, 5 }, { "0x1F", 16, 31 },
		{ "0xg", 16, 0 }, { "777", 8, 511 }, { "", 10, 0 }, { "zZ", 36, 35 * 36 + 35 },
		{ "-9223372036854775808", 10, INT64_MIN }, { "19", 8, 1 },
	};

	with_strsize(256);
	for (u32 i = 0; i < ARRAY_SIZE(t); i++) {
		dtx_g_lltostr(0, t[i].v, t[i].base, OUT);
		assert_string_equal(result(), t[i].want);
	}
	for (u32 i = 0; i < ARRAY_SIZE(r); i++)
		assert_int_equal(dtx_g_strtoll(0, load(WORK_A, r[i].s), r[i].base), r[i].want);
}

static void check_inet6(u64 strict, const char *want, const u8 *bytes)
{
	u64 lo, hi;

	memcpy(&lo, bytes, 8);
	memcpy(&hi, bytes + 8, 8);
	dtx_g_inet6(0, lo, hi, strict, OUT);
	assert_string_equal(result(), want);
}

static void test_addresses(void **state)
{
	with_strsize(64);
	dtx_g_inet4(0, 0xc0a80164, OUT);
	assert_string_equal(result(), "192.168.1.100");
	check_inet6(0, "::", (u8[16]){ 0 });
	check_inet6(0, "::1", (u8[16]){ [15] = 1 });
	check_inet6(0, "1::", (u8[16]){ [1] = 1 });
	check_inet6(0, "fe80::1:0:0:2", (u8[16]){ 0xfe, 0x80, [9] = 1, [15] = 2 });
	check_inet6(0, "::ffff:127.0.0.1", (u8[16]){ [10] = 255, 255, 127, 0, 0, 1 });
	check_inet6(0, "::127.0.0.1", (u8[16]){ [12] = 127, 0, 0, 1 });
	check_inet6(0, "1::2:3:4:5:6:7",
		    (u8[16]){ 0, 1, 0, 0, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7 });
	check_inet6(1, "1:0:2:3:4:5:6:7",
		    (u8[16]){ 0, 1, 0, 0, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7 });
	memcpy(slot + WORK_A, (u8[]){ 0, 0x1b, 0x21, 0xab, 0xcd, 0xef }, 6);
	dtx_g_link(0, 6, OUT);
	assert_string_equal(result(), "00:1b:21:ab:cd:ef");
}

static void test_compare(void **state)
{
	static char a[70000], b[70000];

	for (u32 i = 0; i < ARRAY_SIZE(sizes); i++) {
		with_strsize(sizes[i]);
		memset(a, 'a', sizes[i]);
		memset(b, 'a', sizes[i]);
		a[sizes[i]] = b[sizes[i]] = 0;
		assert_int_equal(dtx_g_compare(0, load(WORK_A, a), load(WORK_B, b)), 0);
		b[sizes[i] - 1] = 0;
		assert_int_equal(dtx_g_compare(0, load(WORK_A, a), load(WORK_B, b)), 1);
		b[sizes[i] - 1] = (char)0x80;
		assert_int_equal(dtx_g_compare(0, load(WORK_A, a), load(WORK_B, b)), -1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_index), cmocka_unit_test(test_index_edges),
		cmocka_unit_test(test_strtok), cmocka_unit_test(test_paths),
		cmocka_unit_test(test_long_path), cmocka_unit_test(test_substr),
		cmocka_unit_test(test_numbers), cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_compare),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
