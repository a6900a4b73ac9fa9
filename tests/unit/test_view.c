/* SPDX-License-Identifier: BSD-2-Clause */
/* test_view.c - rows of a view in any order, rates, heat maps, the log, losses. */
#include <dtx/opt.h>

#include "runtime/sink/sink.h"
#include "runtime/view/past.h"
#include "tests/unit/synth.h"

static struct img_field key_fields[] = {
	{ .type = IMG_STR, .size = 16, .name = "execname" },
	{ .type = IMG_INT, .off = 16, .size = 8, .name = "pid" },
};
static struct img_agg aggs[] = {
	{ .name = "c", .func = "count", .keyed = true, .keys = key_fields, .nkeys = 2,
	  .key_size = 24, .val_size = 8 },
	{ .name = "q", .func = "quantize", .keyed = true, .keys = key_fields, .nkeys = 2,
	  .key_size = 24, .val_size = 127 * 8, .unit = "ns" },
};
static const struct img img = { .aggs = aggs, .naggs = 2 };
static struct dtx_env env;

/* What a sample holds: each row has a name, a number and a value. */
struct given {
	const char *name;
	u64 pid;
	u64 data[127];
};
static const struct given *given;
static u32 ngiven;

static const struct agg_row *fetch(const struct agg_print *p, u32 r)
{
	static struct val keys[2];
	static struct agg_row row;

	keys[0] = (struct val){ .kind = VAL_STR, .p = given[r].name, .len = strlen(given[r].name) };
	keys[1] = (struct val){ .kind = VAL_INT, .u = given[r].pid, .size = 8 };
	row = (struct agg_row){ .keys = keys, .data = given[r].data, .norm = 1 };
	return &row;
}

static s64 given_time;   /* of the next samples; 0: now */

static void sample(struct view *v, u32 agg, const struct given *g, u32 n)
{
	const struct img_agg *def = &aggs[agg];
	struct agg_print begin = { .time = given_time }, p = { .aggs = &def, .naggs = 1, .nrows = n,
					      .fetch = fetch };

	given = g;
	ngiven = n;
	view_sample(v, &begin);
	view_sample(v, &p);
}

static struct view *new_view(void)
{
	static struct run_info run;

	run = (struct run_info){ .env = &env, .img = &img,
				 .time = clock_ns(CLOCK_MONOTONIC) - 1000000000 };
	return view_new(&run);
}

/* The names of the rows, in their order. */
static void expect_rows(struct view *v, const struct view_query *q, const char *want, u32 total)
{
	struct arena *a = arena_new();
	struct view_row rows[8];
	struct buf b = { 0 };
	u32 matching, n = view_rows(v, a, q, rows, &matching);

	buf_add(&b, "", 0);
	for (u32 i = 0; i < n; i++)
		buf_printf(&b, "%s%s/%s", i ? " " : "", rows[i].keys[0], rows[i].keys[1]);
	assert_string_equal(b.data, want);
	assert_int_equal(matching, total);
	buf_free(&b);
	arena_free(a);
}

static void test_order(void **state)
{
	const struct given g[] = {
		{ "bash", 30, { 5 } }, { "cat", 4, { 9 } }, { "awk", 100, { 1 } },
		{ "Bash", 2, { 7 } },
	};
	struct view *v = new_view();

	sample(v, 0, g, 4);
	assert_int_equal(view_agg(v, 0)->total, 22);
	assert_int_equal(view_agg(v, 0)->ncolumns, 4);
	expect_rows(v, &(struct view_query){ .column = 2, .n = 8 },
		    "cat/4 Bash/2 bash/30 awk/100", 4);
	expect_rows(v, &(struct view_query){ .column = 2, .n = 2, .skip = 1 }, "Bash/2 bash/30", 4);
	expect_rows(v, &(struct view_query){ .column = 0, .n = 8, .ascending = true },
		    "Bash/2 awk/100 bash/30 cat/4", 4);
	expect_rows(v, &(struct view_query){ .column = 1, .n = 8 },
		    "awk/100 bash/30 cat/4 Bash/2", 4);
	expect_rows(v, &(struct view_query){ .column = 2, .n = 8, .filter = "BASH" },
		    "Bash/2 bash/30", 2);
	expect_rows(v, &(struct view_query){ .column = 2, .n = 8, .filter = "none" }, "", 0);
	view_free(v);
}

/* Rates count from one sample to the next; a key that was cleared begins at 0. */
static void test_rates(void **state)
{
	const struct given one[] = { { "a", 1, { 100 } }, { "b", 2, { 50 } } };
	const struct given two[] = { { "b", 2, { 20 } }, { "a", 1, { 130 } }, { "c", 3, { 4 } } };
	struct view_row rows[3];
	struct arena *a = arena_new();
	struct view *v = new_view();
	u32 matching;

	sample(v, 0, one, 2);
	sample(v, 0, two, 3);
	const struct view_query q = { .column = 0, .ascending = true, .n = 3 };
	assert_int_equal(view_rows(v, a, &q, rows, &matching), 3);
	assert_true(view_number(&rows[0], VIEW_VALUE) == 130);
	assert_int_equal(view_keys(v, a, 0, rows[2].id)[1].u, 3);
	assert_int_equal(rows[0].delta, 30);
	assert_int_equal(rows[1].delta, 20);
	assert_int_equal(rows[2].delta, 4);
	assert_true(rows[0].rate > 0);
	assert_int_equal(view_agg(v, 0)->total, 154);
	sample(v, 0, two, 1);            /* trunc(): one key is left */
	expect_rows(v, &q, "b/2", 1);
	view_free(v);
	arena_free(a);
}

/* Many keys come and go; those that are gone take no memory for ever. */
static void test_gone(void **state)
{
	struct view *v = new_view();
	static struct given g[8];
	static char names[8][24];

	for (u32 round = 0; round < 2000; round++) {
		for (u32 i = 0; i < 8; i++) {
			snprintf(names[i], sizeof(names[i]), "p%u", round * 8 + i);
			g[i] = (struct given){ names[i], i, { round * 8 + i } };
		}
		sample(v, 0, g, 8);
	}
	assert_int_equal(view_agg(v, 0)->nrows, 8);
	expect_rows(v, &(struct view_query){ .column = 2, .n = 2 }, "p15999/7 p15998/6", 8);
	view_free(v);
}

/* Values that come evenly give cells that are alike, also where spans were joined. */
static void expect_even(const struct view_span *v, u32 n)
{
	double *cells = xcalloc(n * 6, sizeof(*cells)), most = heat_cells(v, n, 70, 2, 6, cells);

	assert_true(v[0].to - v[0].from > v[n - 1].to - v[n - 1].from);
	for (u32 i = 0; i < n; i++) {
		assert_true(cells[i * 6] > most * 0.999 && cells[i * 6] <= most);
		for (u32 k = 1; k < 6; k++)
			assert_true(cells[i * 6 + k] == 0);
	}
	free(cells);
}

static void test_cells(void **state)
{
	const struct view_bucket a[] = { { 4, 30 }, { 5, 10 } }, b[] = { { 4, 5 } };
	const struct view_bucket beyond[] = { { 7, AGG_BEYOND } };
	struct view_span v[] = { { .from = 0, .to = 40, .n = 2, .v = a },
				 { .from = 40, .to = 50, .n = 1, .v = b },
				 { .from = 50, .to = 90, .n = 1, .v = beyond } };
	double cells[6];

	assert_true(heat_cells(v, 2, 4, 2, 2, cells) == 40);
	assert_true(cells[0] == 40 && cells[1] == 0 && cells[2] == 20 && cells[3] == 0);
	assert_true(heat_cells(v, 3, 4, 2, 2, cells) == (double)INT64_MAX);
	assert_true(cells[0] == 40 && cells[5] == (double)INT64_MAX);
}

static void test_heat(void **state)
{
	struct given g[] = { { "a", 1, { [70] = 1 } }, { "b", 2, { [80] = 2, [81] = 1 } } };
	struct view *v = new_view();
	struct view_row rows[2];
	struct arena *a = arena_new();
	const struct view_agg *agg;
	s64 sum = 0, began = clock_ns(CLOCK_MONOTONIC);
	u32 matching;

	for (u32 i = 0; i < 5000; i++) {
		g[0].data[70] += 3;
		given_time = began + i * (s64)1000000000;
		sample(v, 1, g, 2);
	}
	agg = view_agg(v, 1);
	assert_true(agg->nspans <= VIEW_SPANS && agg->nspans >= VIEW_SPANS / 2);
	for (u32 i = 0; i < agg->nspans; i++) {
		assert_true(agg->spans[i].from < agg->spans[i].to);
		if (i)
			assert_true(agg->spans[i].from == agg->spans[i - 1].to);
		for (u32 k = 0; k < agg->spans[i].n; k++)
			sum += agg->spans[i].v[k].count;
		/* The newest is not among the oldest: each second has its three. */
		if (i)
			assert_true(agg->spans[i].n == 1 && agg->spans[i].v->count * (s64)1000000000
				    == 3 * (agg->spans[i].to - agg->spans[i].from));
	}
	assert_int_equal(sum, 15001 + 3);        /* nothing is lost by merging */
	expect_even(agg->spans + 1, agg->nspans - 1);
	assert_int_equal(agg->buckets[70], 15001);
	assert_int_equal(agg->total, 15004);
	const struct view_query q = { .agg = 1, .column = 0, .ascending = true, .n = 2 };
	view_rows(v, a, &q, rows, &matching);
	given_time = 0;
	assert_int_equal(rows[0].p50, 127);      /* bucket 70: 64 to 127 */
	assert_int_equal(rows[1].p50, (1 << 17) - 1);
	assert_int_equal(rows[1].max, (1 << 18) - 1);
	/* The focus: one row, from its next sample on. */
	view_focus(v, 1, rows[1].id);
	sample(v, 1, g, 2);
	g[1].data[80] += 5;
	g[0].data[70] += 1;
	sample(v, 1, g, 2);
	agg = view_agg(v, 1);
	assert_int_equal(agg->nspans, 1);
	assert_int_equal(agg->spans[0].n, 1);
	assert_int_equal(agg->spans[0].v[0].bucket, 80);
	assert_int_equal(agg->spans[0].v[0].count, 5);
	assert_int_equal(agg->buckets[70], 0);
	view_focus(v, 1, UINT32_MAX);
	assert_true(view_agg(v, 1)->nspans >= VIEW_SPANS / 2);
	view_free(v);
	arena_free(a);
}

/* A part of the time has what was added in its spans, whatever they were joined to. */
static void past_expect(struct view *v, s64 from, s64 to, u64 sums[6][1200], u32 agg)
{
	const struct view_part *part = view_part(v, agg, from, to);
	struct view_row rows[6];
	struct arena *a = arena_new();
	u32 matching, begin, end;
	s64 total = 0;

	assert_non_null(part);
	begin = part->from / 1000;
	end = part->to / 1000;
	const struct view_query q = { .agg = agg, .column = 1, .ascending = true, .n = 6,
				      .from = from, .to = to };
	assert_int_equal(view_rows(v, a, &q, rows, &matching), part->nrows);
	for (u32 i = 0; i < part->nrows; i++) {
		u64 want = 0;

		for (u32 s = begin; s < end; s++)
			want += sums[atoi(rows[i].keys[1])][s];
		assert_int_equal(agg ? rows[i].count : (u64)rows[i].value, want);
		assert_true(want > 0);
		total += want;
	}
	assert_int_equal(part->total, total);
	assert_int_equal(part->width, total);
	arena_free(a);
}

static void test_past(void **state)
{
	static u64 sums[6][1200];
	struct given g[6] = { { "a", 0 }, { "b", 1 }, { "c", 2 }, { "d", 3 }, { "e", 4 },
			      { "f", 5 } };
	static struct run_info run;
	u32 seed = 7;

	for (u32 agg = 0; agg < 2; agg++) {
		run = (struct run_info){ .env = &env, .img = &img };
		struct view *v = view_new(&run);

		view_remember(v);
		memset(sums, 0, sizeof(sums));
		for (u32 i = 0; i < 6; i++)
			memset(g[i].data, 0, sizeof(g[i].data));
		for (u32 s = 0; s < 1200; s++) {
			for (u32 i = 0; i < 6; i++) {
				u64 n = (seed = seed * 1103515245 + 12345) >> 16 & 7;

				n = n > 4 ? 0 : n;
				g[i].data[agg ? 64 + (seed >> 20) % 40 : 0] += n;
				sums[i][s] = n;
			}
			given_time = 1000 * (s64)(s + 1);
			sample(v, agg, g, s ? 6 : 3);
			for (u32 i = 3; i < 6 && s == 1; i++) {          /* they come with all */
				sums[i][1] += sums[i][0];
				sums[i][0] = 0;
			}
		}
		past_expect(v, 0, 1200000, sums, agg);
		past_expect(v, 1199000, 1200000, sums, agg);     /* the last ones stay */
		assert_int_equal(view_part(v, agg, 1199000, 1200000)->from, 1199000);
		for (u32 i = 0; i < 200; i++) {
			s64 from = 1000 * ((seed = seed * 1103515245 + 12345) >> 16) % 1190000;

			past_expect(v, from, from + 1000 + i * 3000, sums, agg);
		}
		assert_null(view_part(v, agg, 2000000, 3000000));
		given_time = 0;
		view_free(v);
	}
}

struct clears {
	const char *func;
	u32 words;
	u64 before[6], after[6];         /* after[0] of a mean is the count */
	bool cleared, known;             /* what is said */
	bool told;                       /* what comes of it: */
	u64 added[6];
};

/* What falls without being cleared is subtracted; what was cleared begins at 0. */
static void test_past_cleared(void **state)
{
	static const struct clears v[] = {
		{ "avg", 3, { 1, -5 }, { 2, -10 }, false, true, false, { 1, -5 } },
		{ "avg", 3, { 1, -5 }, { 2, -10 }, false, false, false, { 1, -5 } },
		{ "stats", 3, { 3, 9 }, { 4, 2 }, false, true, false, { 1, -7 } },
		{ "stddev", 6, { 1, 1, 0, ~0ull, 0, 0 }, { 2, 2, 0, 0, 1, 0 }, false, false, false,
		  { 1, 1, 0, 1, 0, 0 } },
		{ "quantize", 4, { 0, 5 }, { 0, 4 }, false, true, false, { 0, -1 } },
		{ "sum", 2, { 5 }, { 2 }, false, false, false, { -3 } },
		/* trunc() of some rows, and a replay, in which nobody says it */
		{ "avg", 3, { 5, -5 }, { 2, -2 }, true, true, true, { 2, -2 } },
		{ "count", 1, { 5 }, { 2 }, false, false, true, { 2 } },
		{ "quantize", 4, { 0, 5 }, { 0, 4 }, true, true, true, { 0, 4 } },
		{ "quantize", 4, { 0, 5 }, { 0, 4 }, false, false, true, { 0, 4 } },
	};

	for (u32 i = 0; i < ARRAY_SIZE(v); i++) {
		struct img_agg def = { .func = v[i].func, .keyed = true,
				       .val_size = v[i].words * 8 };
		struct past *p = past_new(&def, 0, 4096);
		u64 words[6] = { 0 };
		size_t at = 0;
		u32 n, after = 0;

		past_begin(p, false, v[i].known);
		past_row(p, 0, v[i].before, false, 0);
		past_end(p, 1000);
		past_begin(p, v[i].cleared, v[i].known);
		past_row(p, 0, v[i].after, true, 0);
		past_end(p, 2000);
		const struct past_span *s = past_spans(p, &n);
		assert_int_equal(n, 2);
		assert_int_equal(s[1].cleared, v[i].told);
		assert_int_equal(past_next(p, &s[1], &at, &after, words), 0);
		assert_memory_equal(words, v[i].added, v[i].words * 8);
		past_free(p);
	}
}

static void test_log(void **state)
{
	struct view *v = new_view();
	u64 first, n;

	view_text(v, VIEW_OUTPUT, "one\ntw", 6);
	view_text(v, VIEW_COMMAND, "x\033[31mred\033[0m\ty\a\r\n", 18);
	view_text(v, VIEW_OUTPUT, "o\n", 2);
	n = view_lines(v, &first);
	assert_int_equal(first, 0);
	assert_int_equal(n, 3);
	assert_string_equal(view_line(v, 0)->text, "one");
	assert_string_equal(view_line(v, 1)->text, "xred y");
	assert_int_equal(view_line(v, 1)->from, VIEW_COMMAND);
	assert_string_equal(view_line(v, 2)->text, "two");
	for (u32 i = 0; i < VIEW_LINES; i++)
		view_text(v, VIEW_OUTPUT, "more\n", 5);
	n = view_lines(v, &first);
	assert_int_equal(first, 3);
	assert_null(view_line(v, 2));
	assert_null(view_line(v, n));
	view_free(v);
}

static void test_losses(void **state)
{
	struct dtx_message m = { .kind = DTX_LOSS, .text = "3 drops", .reason = "PRINCIPAL",
				 .count = 3 };
	struct view *v = new_view();
	u32 n;

	view_message(v, &m);
	view_message(v, &m);
	m.kind = DTX_FAULT;
	m.probe = "a:b:c:d";
	m.count = 0;
	view_message(v, &m);
	m.count = 3;                     /* so many more of it */
	view_message(v, &m);
	assert_int_equal(view_losses(v, &n)->count, 6);
	assert_int_equal(n, 1);
	assert_string_equal(view_errors(v, &n)->probe, "a:b:c:d");
	assert_int_equal(view_run(v)->lost, 6);
	assert_int_equal(view_run(v)->errors, 4);
	assert_int_equal(view_errors(v, &n)->count, 4);
	assert_int_equal(n, 1);
	m.at.column = 5;                 /* another expression */
	view_message(v, &m);
	view_errors(v, &n);
	assert_int_equal(n, 2);
	view_free(v);
}

/* Records become lines of the log; what exceeds the lines that anybody reads is counted. */
static void test_feed(void **state)
{
	static const struct img_action act = { .name = "printf" };
	static const struct dtx_probe probe = { .prov = "p", .mod = "", .func = "f", .name = "n" };
	struct item it = { .kind = ITEM_TEXT, .act = &act, .text = "line\n", .len = 5 };
	const struct event ev = { .probe = &probe, .items = &it, .nitems = 1 };
	struct run_info run = { .env = &env, .img = &img };
	struct feed *f;
	struct arena *a = arena_new();
	u64 first;

	env.opts = options_new(a);
	env.opts->v[OPT_quiet].n = 1;
	f = feed_new(&(struct out){ .env = &env, .run = &run });
	feed_event(f, &ev);
	feed_flush(f);
	struct view *v = feed_view(f);
	assert_int_equal(view_lines(v, &first), 1);
	assert_string_equal(view_line(v, 0)->text, "line");
	for (u32 i = 0; i < 1000000; i++)
		feed_event(f, &ev);
	feed_flush(f);
	assert_int_equal(view_lines(v, &first) + view_skipped(v), 1000001);
	assert_true(view_skipped(v) > 900000);
	assert_int_equal(view_run(v)->records, 1000001);
	assert_int_equal(view_naggs(v), 2);
	view_set_state(v, VIEW_ENDING);
	assert_int_equal(view_run(v)->state, VIEW_ENDING);
	feed_free(f);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order), cmocka_unit_test(test_rates),
		cmocka_unit_test(test_gone), cmocka_unit_test(test_heat),
		cmocka_unit_test(test_cells),
		cmocka_unit_test(test_past), cmocka_unit_test(test_past_cleared),
		cmocka_unit_test(test_log), cmocka_unit_test(test_losses),
		cmocka_unit_test(test_feed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
