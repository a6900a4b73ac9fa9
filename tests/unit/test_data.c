/* SPDX-License-Identifier: BSD-2-Clause */
/* test_data.c - dtx_on_data(): what a program records reaches another program as data. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include <dtx.h>

static const char program[] =
	"BEGIN { printf(\"%s %d\\n\", \"a\", -3); trace(timestamp); @n[\"x\", 2] = count(); "
	"@q = quantize(9); @a = avg(4); @a = avg(6); } BEGIN { stack(); exit(0); }";

struct seen {
	unsigned records, rows;
	bool times;
};

static void on_row(const struct dtx_data *d)
{
	if (!strcmp(d->aggregation, "n")) {
		assert_string_equal(d->function, "count");
		assert_int_equal(d->nvalues, 2);
		assert_string_equal(d->values[0].text, "x");
		assert_int_equal(d->values[1].number, 2);
		assert_int_equal(d->number, 1);
	} else if (!strcmp(d->aggregation, "a")) {
		assert_int_equal(d->number, 5);
		assert_int_equal(d->count, 2);
		assert_int_equal(d->sum, 10);
	} else {
		assert_int_equal(d->nbuckets, 1);
		assert_int_equal(d->buckets[0].low, 8);
		assert_int_equal(d->buckets[0].high, 15);
		assert_int_equal(d->buckets[0].count, 1);
	}
}

static void on_record(struct seen *seen, const struct dtx_data *d)
{
	assert_string_equal(d->probe, "dtrace:::BEGIN");
	seen->times |= d->time != 0;
	if (!strcmp(d->action, "printf")) {
		assert_string_equal(d->text, "a -3\n");
		assert_int_equal(d->length, 5);
		assert_int_equal(d->values[0].kind, DTX_TEXT);
		assert_string_equal(d->values[0].name, "\"a\"");
		assert_string_equal(d->values[1].name, "-3");
		assert_int_equal(d->values[1].number, -3);
		assert_true(d->values[1].is_signed);
	} else if (!strcmp(d->action, "trace")) {
		assert_string_equal(d->values[0].name, "timestamp");
		assert_string_equal(d->values[0].unit, "ns");
		assert_int_equal(d->values[0].number, d->time);
	} else if (!strcmp(d->action, "stack")) {
		assert_int_equal(d->values[0].kind, DTX_STACK);
		assert_int_equal(d->clause, 1);
	}
}

static void on_data(void *arg, const struct dtx_data *d)
{
	struct seen *seen = arg;

	if (d->kind == DTX_ROW) {
		seen->rows++;
		on_row(d);
	} else {
		seen->records++;
		on_record(seen, d);
	}
}

static void test_data(void **state)
{
	struct seen seen = { 0 };
	struct dtx *d = dtx_open();

	if (geteuid() || dtx_rights(d)) {
		dtx_close(d);
		skip();
	}
	dtx_on_data(d, on_data, &seen);
	assert_int_equal(
		dtx_program_add(d, DTX_PROG_NAME, "-n", program, sizeof(program) - 1), 0);
	assert_int_equal(dtx_compile(d), 0);
	assert_int_equal(dtx_start(d, NULL), 0);
	assert_int_equal(dtx_run(d), 0);
	dtx_close(d);
	assert_int_equal(seen.records, 4);       /* printf, trace, stack, exit */
	assert_int_equal(seen.rows, 3);
	assert_true(seen.times);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_data) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
