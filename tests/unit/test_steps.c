/* SPDX-License-Identifier: BSD-2-Clause */
/* test_steps.c - the steps to a variable: made, compared, written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <dtx/step.h>

static struct arena *arena;

static void says(const struct dtx_steps *s, const char *want)
{
	struct buf b = { 0 };

	buf_add(&b, "", 0);
	steps_text(s, &b);
	assert_string_equal(b.data, want);
	buf_free(&b);
}

static void test_text(void **state)
{
	struct dtx_steps s = { 0 };

	says(&s, "");
	steps_add(arena, &s, STEP_REG, 152);
	steps_add_offset(arena, &s, 0);
	says(&s, "r152");
	steps_add_offset(arena, &s, -24);
	steps_add(arena, &s, STEP_READ, 4);
	says(&s, "r152 n-24 + d4");
	steps_add(arena, &s, STEP_WORD, 0);
	steps_add_symbol(arena, &s, "vmlinux`jiffies");
	steps_add(arena, &s, STEP_ENTRY, 112);
	says(&s, "r152 n-24 + d4 ; kvmlinux`jiffies e112");
}

/* Each kind has a word of its own; operators need no number. */
static void test_kinds(void **state)
{
	for (u32 i = 0; i < STEP_N; i++) {
		struct dtx_steps s = { 0 };

		assert_non_null(step_kinds[i].word);
		assert_true(step_kinds[i].takes <= 3 && step_kinds[i].leaves <= 3);
		for (u32 k = 0; k < i; k++)
			assert_string_not_equal(step_kinds[i].word, step_kinds[k].word);
		steps_add(arena, &s, (enum step_op)i, 7);
		if (i > STEP_ENTRY)
			says(&s, step_kinds[i].word);
	}
}

static void test_register(void **state)
{
	struct dtx_steps s = { 0 };
	u32 off = 1;

	assert_false(steps_are_register(&s, &off));
	steps_add(arena, &s, STEP_REG, 112);
	assert_true(steps_are_register(&s, &off));
	assert_int_equal(off, 112);
	steps_add(arena, &s, STEP_READ, 8);
	assert_false(steps_are_register(&s, &off));
	s.n = 0;
	steps_add(arena, &s, STEP_NUM, 112);
	assert_false(steps_are_register(&s, &off));
}

static void test_same(void **state)
{
	struct dtx_steps a = { 0 }, b = { 0 };

	assert_true(steps_same(&a, &b));
	steps_add(arena, &a, STEP_REG, 112);
	assert_false(steps_same(&a, &b));
	steps_add(arena, &b, STEP_REG, 104);
	assert_false(steps_same(&a, &b));
	b.v[0].n = 112;
	assert_true(steps_same(&a, &b));
	steps_add_symbol(arena, &a, "vmlinux`jiffies");
	steps_add_symbol(arena, &b, "vmlinux`init_task");
	assert_false(steps_same(&a, &b));
	assert_true(step_same(&a.v[0], &b.v[0]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text), cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_register), cmocka_unit_test(test_same),
	};
	int failed;

	arena = arena_new();
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	arena_free(arena);
	return failed;
}
