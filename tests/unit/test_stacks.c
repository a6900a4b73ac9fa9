/* SPDX-License-Identifier: BSD-2-Clause */
/* test_stacks.c - trees of stacks: folded lines and back, sums, the flame graph's boxes and data;
 * with a path in DTX_FLAME it writes a graph of 100,000 distinct stacks there, which a browser test
 * opens. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "runtime/sink/stacks/stackset.h"

static u32 add(struct stacktree *t, const char *stack, u64 value)
{
	char *line = xstrdup(stack), *save = NULL;
	u32 at = 0;

	for (char *p = strtok_r(line, ";", &save); p; p = strtok_r(NULL, ";", &save))
		at = stacktree_step(t, at, &(struct stack_name){ p, "a.out", STACK_USER });
	t->nodes.v[at].self += value;
	free(line);
	return at;
}

static char *written(const char *text)
{
	char *path = xstrdup("/tmp/test_stacks.XXXXXX");
	int fd = mkstemp(path);

	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	return path;
}

static int read_old(struct stacktree *t, const char *text, u32 *line)
{
	char *path = written(text);
	int err = folded_read_old(t, path, line);

	unlink(path);
	free(path);
	return err;
}

static void test_folded(void **state)
{
	struct stacktree *t = stacktree_new();
	struct buf out = { 0 };

	add(t, "main;b", 3);
	add(t, "main;a;x", 5);
	add(t, "main;a", 2);
	add(t, "other", 1);
	stacktree_step(t, 0, &(struct stack_name){ "a;b\nc", NULL, STACK_USER });
	t->nodes.v[t->nodes.n - 1].self = 4;
	stacktree_finish(t);
	folded_write(t, &out);
	assert_string_equal(out.data, "a:b\\nc 4\nmain;a 2\nmain;a;x 5\nmain;b 3\nother 1\n");
	assert_int_equal(t->nodes.v[0].total, 15);
	buf_free(&out);
	stacktree_free(t);
}

static void test_old(void **state)
{
	struct stacktree *t = stacktree_new();
	struct buf out = { 0 };
	u32 line;

	assert_int_equal(read_old(t, "main;a 7\n\nmain;gone 1\n", &line), 0);
	add(t, "main;a", 9);
	stacktree_finish(t);
	folded_write(t, &out);
	assert_string_equal(out.data, "main;a 7 9\nmain;gone 1 0\n");
	assert_int_equal(t->nodes.v[0].old_total, 8);
	buf_free(&out);
	stacktree_free(t);
}

static void test_old_bad(void **state)
{
	static const char *const bad[] = { "main;a 7\nmain;b\n", "main;a 7\n 5\n",
					   "main;a 7\nmain;b -3\n",
					   "main;a 7\nb 99999999999999999999999\n" };

	for (u32 i = 0; i < ARRAY_SIZE(bad); i++) {
		struct stacktree *t = stacktree_new();
		u32 line = 0;

		assert_int_equal(read_old(t, bad[i], &line), -22);
		assert_int_equal(line, 2);
		stacktree_free(t);
	}
}

/* A function of a thousandth of a unit is not drawn, but it is in the data. */
static void test_flame(void **state)
{
	struct stacktree *t = stacktree_new();
	struct buf out = { 0 };

	add(t, "main;\x22<&\x80]]>;wide", 2000000);
	add(t, "main;narrow", 1);
	stacktree_finish(t);
	flame_write(t, &(struct flame_words){ "a < b", "here", "events" }, &out);
	assert_non_null(strstr(out.data, "<title>a &#60; b</title>"));
	assert_non_null(strstr(out.data, "\"main\",\"\\u0022\\u003c\\u0026\xef\xbf\xbd]]"
					 "\\u003e\""));
	assert_non_null(strstr(out.data, "\"nodes\":[0,1,0,0,2,0,0,3,2000000,2,4,1]"));
	assert_null(strstr(out.data, ">narrow</text>"));
	assert_non_null(strstr(out.data, ">wide</text>"));
	buf_free(&out);
	stacktree_free(t);
}

/* What is narrower is joined where it is: no sum changes, however few nodes are wanted. */
static void test_cut(void **state)
{
	struct stacktree *t = stacktree_new();
	u64 total = 0;

	for (u32 i = 0; i < 100000; i++) {
		char stack[64];

		snprintf(stack, sizeof(stack), "main;f%u;g%u;h%u", i % 3, i % 1000, i);
		add(t, stack, 1 + i % 5);
		total += 1 + i % 5;
	}
	for (u32 most = 1; most <= 10000; most *= 10) {
		struct stacktree *cut = stacktree_cut(t, most, NULL);

		stacktree_finish(cut);
		assert_int_equal(cut->nodes.v[0].total, total);
		assert_true(cut->nodes.n <= 2 * most + 2);
		for (u32 i = 1; i < cut->nodes.n; i++)   /* none is without its own */
			assert_true(cut->nodes.v[i].total > 0);
		stacktree_free(cut);
	}
	stacktree_free(t);
}

static void test_later(void **state)
{
	struct stacktree *t = stacktree_new();
	struct buf out = { 0 };

	stacktree_finish(t);
	flame_data(t, &(struct flame_words){ .title = "", .about = "", .later = 3 }, &out);
	assert_non_null(strstr(out.data, "\"later\":3,"));
	buf_reset(&out);
	flame_data(t, &(struct flame_words){ .title = "", .about = "" }, &out);
	assert_null(strstr(out.data, "later"));
	buf_free(&out);
	stacktree_free(t);
}

static void test_empty(void **state)
{
	struct stacktree *t = stacktree_new();
	struct buf out = { 0 };

	stacktree_finish(t);
	folded_write(t, &out);
	assert_int_equal(out.len, 0);
	flame_write(t, &(struct flame_words){ "", "", "" }, &out);
	assert_non_null(strstr(out.data, "\"nodes\":[]"));
	buf_free(&out);
	stacktree_free(t);
}

/* Stacks of 12 to 27 functions, out of 2,000. */
static void test_large(void **state)
{
	const char *path = getenv("DTX_FLAME");
	struct stacktree *t = stacktree_new();
	struct buf out = { 0 };
	u64 seed = 1;

	for (u32 i = 0; i < 100000; i++) {
		u32 at = 0, depth = 12 + i % 16;
		char name[32];

		for (u32 d = 0; d < depth; d++) {
			seed = seed * 6364136223846793005ull + 1442695040888963407ull;
			u32 pick = d < 6 ? (seed >> 33) % 3 : (seed >> 33) % 2000;
			snprintf(name, sizeof(name), "function_%u_%u", d < 6 ? d : 9, pick);
			at = stacktree_step(t, at, &(struct stack_name){ name, "a.out",
									 STACK_USER });
		}
		t->nodes.v[at].self += 1 + (seed >> 40) % 100;
	}
	stacktree_finish(t);
	flame_write(t, &(struct flame_words){ "100,000 stacks", "", "events" }, &out);
	assert_true(t->nodes.n > 1000000);
	if (path) {
		FILE *f = fopen(path, "w");

		assert_non_null(f);
		assert_int_equal(fwrite(out.data, 1, out.len, f), out.len);
		fclose(f);
	}
	buf_free(&out);
	stacktree_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_folded), cmocka_unit_test(test_old),
		cmocka_unit_test(test_old_bad), cmocka_unit_test(test_flame),
		cmocka_unit_test(test_cut), cmocka_unit_test(test_later),
		cmocka_unit_test(test_empty), cmocka_unit_test(test_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
