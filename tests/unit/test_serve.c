/* SPDX-License-Identifier: BSD-2-Clause */
/* test_serve.c - what option serve reads: addresses, Host headers, numbers, tokens; and names,
 * labels, help and buckets of metrics. */
#include "tests/unit/synth.h"
#include "runtime/sink/serve/serve.h"
#include "runtime/sink/metrics/metrics.pb-c.h"

static void test_address(void **state)
{
	static const struct { const char *text, *host; u16 port; } good[] = {
		{ "8080", "127.0.0.1", 8080 }, { "0", "127.0.0.1", 0 },
		{ "192.0.2.1:80", "192.0.2.1", 80 }, { "[::1]:65535", "::1", 65535 },
		{ "0.0.0.0:1", "0.0.0.0", 1 }, { "/run/x", "/run/x", 0 },
	};
	static const char *const bad[] = { "", ":", "x", "65536", "127.0.0.1", "127.0.0.1:",
		"example.org:80", "::1:80", "[::1]", "[::1]80", "[::1:80", "1.2.3.4:-1", "+80",
		" 80", "80 ", "1.2.3:80", "[1]:80", "99999999999", ":80",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa:80" };
	struct serve_address a;

	for (u32 i = 0; i < ARRAY_SIZE(good); i++) {
		assert_null(serve_address(good[i].text, &a));
		assert_string_equal(a.host, good[i].host);
		assert_int_equal(a.local ? 0 : a.port, good[i].port);
	}
	for (u32 i = 0; i < ARRAY_SIZE(bad); i++)
		if (!serve_address(bad[i], &a))
			fail_msg("'%s' is taken as an address", bad[i]);
}

static void test_host(void **state)
{
	struct serve_address local, any, one;

	assert_null(serve_address("80", &local));
	assert_null(serve_address("0.0.0.0:80", &any));
	assert_null(serve_address("192.0.2.1:80", &one));
	assert_true(serve_host_ok(&local, "localhost:80"));
	assert_true(serve_host_ok(&local, "127.0.0.1"));
	assert_true(serve_host_ok(&local, "[::1]:80"));
	assert_false(serve_host_ok(&local, "192.0.2.1:80"));
	assert_false(serve_host_ok(&local, "localhost.example.org"));
	assert_false(serve_host_ok(&local, "localhost:x"));
	assert_false(serve_host_ok(&local, "[::1]x"));
	assert_false(serve_host_ok(&local, ""));
	assert_false(serve_host_ok(&local, NULL));
	assert_true(serve_host_ok(&any, "192.0.2.7:80"));
	assert_false(serve_host_ok(&any, "example.org"));
	assert_true(serve_host_ok(&one, "192.0.2.1:80"));
	assert_false(serve_host_ok(&one, "192.0.2.2:80"));
}

/* What is wrong with these pairs, a header each. */
static const char *fault_of(const struct serve_pair *pairs, u32 n)
{
	struct serve_checked c = { 0 };

	for (u32 i = 0; i < n; i++)
		serve_check(&c, true, &pairs[i]);
	return c.fault;
}

#define PAIR(name, value) { name, value, sizeof(name) - 1, sizeof(value) - 1 }

static void test_headers(void **state)
{
	static const struct serve_pair good[] = {
		PAIR("Host", "a"), PAIR("Accept", "a"), PAIR("accept", "b\tc \xff"),
		PAIR("Origin", ""), PAIR("Content-Length", "0"), PAIR("X-!#$%&'*+-.^_`|~9", "a"),
	}, bad[] = {
		PAIR("", "a"), PAIR("X Y", "a"), PAIR("X\0", "a"), PAIR("Host ", "a"),
		PAIR("X:", "a"),
		PAIR("X\x80", "a"), PAIR("X", "a\0"), PAIR("X", "a\rHost: b"), PAIR("X", "\x1b[2J"),
		PAIR("X", "\x7f"), PAIR("Content-Length", "1"), PAIR("content-length", "00"),
		PAIR("Transfer-Encoding", "chunked"),
	}, twice[] = {
		PAIR("Host", "a"), PAIR("Origin", "a"), PAIR("AUTHORIZATION", "a"),
		PAIR("cookie", "a"), PAIR("Content-Length", "0"),
	}, link[] = { PAIR("filter", "a\0b"), PAIR("filter", "a\nb"), { "filter", NULL, 6, 0 } };
	struct serve_checked c = { 0 };

	assert_null(fault_of(good, ARRAY_SIZE(good)));
	for (u32 i = 0; i < ARRAY_SIZE(bad); i++)
		if (!fault_of(&bad[i], 1))
			fail_msg("header %u is taken", i);
	for (u32 i = 0; i < ARRAY_SIZE(twice); i++) {
		assert_null(fault_of(&twice[i], 1));
		assert_non_null(fault_of((struct serve_pair[]){ twice[i], twice[i] }, 2));
	}
	serve_check(&c, false, &link[1]);
	serve_check(&c, false, &link[2]);
	assert_null(c.fault);
	serve_check(&c, false, &link[0]);
	assert_non_null(c.fault);
}

static void test_words(void **state)
{
	assert_int_equal(serve_number("17", 100, 5), 17);
	assert_int_equal(serve_number("101", 100, 5), 5);
	assert_int_equal(serve_number("-1", 100, 5), 5);
	assert_int_equal(serve_number("99999999999999999999", 100, 5), 5);
	assert_int_equal(serve_number("", 100, 5), 5);
	assert_int_equal(serve_number(NULL, 100, 5), 5);
	assert_true(serve_token_ok("abc", "abc"));
	assert_false(serve_token_ok("abc", "abd"));
	assert_false(serve_token_ok("abc", "ab"));
	assert_false(serve_token_ok("abc", NULL));
}

/* ---- metrics ---------------------------------------------- */

#define KEY(word)  { .type = IMG_STR, .size = 16, .name = word }

static struct img_agg aggs[] = {
	{ .name = "bytes", .func = "sum", .keyed = true, .nkeys = 3, .key_size = 48,
	  .keys = (struct img_field[]){ KEY("execname"), KEY("args[0]->dev.name"),
					KEY("args[0]->dev->name") } },
	{ .name = "lat", .func = "quantize", .val_size = 8 * DTX_AGG_QUANT_BUCKETS },
	{ .name = "lat_count", .func = "count", .val_size = 8 },
	{ .name = "info", .func = "max", .val_size = 8 },
	{ .name = "_", .func = "count", .val_size = 8 },
};

static struct val keys[][3] = {
	{ { .kind = VAL_STR, .p = "a\"b\\\n", .len = 5 },
	  { .kind = VAL_STR, .p = "\xff", .len = 1 },
	  { .kind = VAL_STR, .p = "\xc3\xa9", .len = 2 } },
};
static u64 value[DTX_AGG_QUANT_BUCKETS];
static struct agg_row row;

static const struct agg_row *fetch(const struct agg_print *p, u32 i)
{
	row = (struct agg_row){ .keys = keys[0], .data = value, .norm = 1 };
	return &row;
}

static void answers(struct metrics *m, struct view *view, u32 agg, u32 nrows, u32 forms,
		    struct buf *to)
{
	const struct img_agg *def = &aggs[agg];
	struct agg_print p = { .aggs = &def, .naggs = 1, .nrows = nrows, .fetch = fetch };

	metrics_begin(m, forms);
	metrics_add(m, &p);
	metrics_end(m, view, to);
}

static char *answer(struct metrics *m, struct view *view, u32 agg, u32 nrows)
{
	struct buf out[METRIC_FORMS];

	answers(m, view, agg, nrows, 1u << METRIC_TEXT, out);
	assert_null(out[METRIC_PROTO].data);
	return out[METRIC_TEXT].data;
}

static void expect_in(char *text, const char *want)
{
	if (!strstr(text, want))
		fail_msg("'%s' is not in:\n%s", want, text);
	free(text);
}

static void test_metrics(void **state)
{
	const char *program = "/* License\n */\n\n// Bytes \\ read,\n// by name.\n"
			      "syscall::read:return { @bytes[execname] = sum(arg0); }\n"
			      "/* Times. */\n"
			      "BEGIN { x = \"@lat\"; }\nEND { @lat = quantize(1); }\n";
	struct synth w;

	synth_open(&w);
	w.img.aggs = aggs;
	w.img.naggs = ARRAY_SIZE(aggs);
	struct run_info run = { .env = &w.env, .img = &w.img, .programs = &program,
				.nprograms = 1, .version = "1", .kernel = "6" };
	struct view *view = view_new(&run);
	struct metrics *m = metrics_new(&run);

	value[0] = 7;
	expect_in(answer(m, view, 0, 1), "# HELP dtx_bytes_total Bytes \\\\ read, by name.\n"
		  "# TYPE dtx_bytes_total counter\n"
		  "dtx_bytes_total{execname=\"a\\\"b\\\\\\n\",args_0_dev_name=\"\\\\xff\","
		  "args_0_dev_name_3=\"\xc3\xa9\"} 7\n");
	expect_in(answer(m, view, 0, 3), "dtx_series_dropped{family=\"dtx_bytes\",reason=\"same\"} "
		  "2\n");
	value[0] = 5;
	expect_in(answer(m, view, 0, 1), "# TYPE dtx_bytes gauge\n");
	value[0] = 0;
	value[63] = 1;
	value[67] = 2;
	expect_in(answer(m, view, 1, 1), "# HELP dtx_lat @lat = quantize()\n# TYPE dtx_lat "
		  "histogram\ndtx_lat_bucket{le=\"0\"} 1\ndtx_lat_bucket{le=\"1\"} 1\n"
		  "dtx_lat_bucket{le=\"3\"} 1\ndtx_lat_bucket{le=\"7\"} 1\n"
		  "dtx_lat_bucket{le=\"15\"} 3\n");
	expect_in(answer(m, view, 1, 1), "dtx_lat_bucket{le=\"+Inf\"} 3\ndtx_lat_count 3\n");
	value[0] = 4;
	expect_in(answer(m, view, 2, 1), "# TYPE dtx_lat_count_3_total counter\n"
		  "dtx_lat_count_3_total 4\n");
	expect_in(answer(m, view, 3, 1), "# TYPE dtx_info_4 gauge\n");
	value[0] = 0;    /* of max(): after clear() */
	expect_in(answer(m, view, 3, 1),
		  "dtx_series_dropped{family=\"dtx_info_4\",reason=\"none\"} 1\n");
	char *text = answer(m, view, 3, 1);
	assert_null(strstr(text, "\ndtx_info_4 "));
	free(text);
	text = answer(m, view, 4, 1);
	assert_null(strstr(text, "dtx__"));
	free(text);
	metrics_free(m);
	view_free(view);
	synth_start(&w);
	synth_close(&w);
}

/* OpenMetrics allows no counter without _total, and no _count without _sum. */
static void open_metrics(struct metrics *m, struct view *view)
{
	struct buf out[METRIC_FORMS];

	value[0] = 4;
	answers(m, view, 2, 1, 1u << METRIC_OPEN | 1u << METRIC_TEXT, out);
	expect_in(xstrdup(out[METRIC_OPEN].data), "# TYPE dtx_lat_count_3 counter\n");
	expect_in(xstrdup(out[METRIC_OPEN].data), "# TYPE dtx_scrapes counter\ndtx_scrapes_total ");
	assert_string_equal(out[METRIC_OPEN].data + out[METRIC_OPEN].len - 6, "# EOF\n");
	expect_in(out[METRIC_TEXT].data, "# TYPE dtx_lat_count_3_total counter\n");
	free(out[METRIC_OPEN].data);
	answers(m, view, 1, 1, 1u << METRIC_OPEN, out);
	assert_null(strstr(out[METRIC_OPEN].data, "dtx_lat_count"));
	expect_in(out[METRIC_OPEN].data, "dtx_lat_bucket{le=\"+Inf\"} ");
}

/* The first family of an answer, and the number of all. */
static Prom__MetricFamily *family(const struct buf *answer, u32 *n)
{
	Prom__MetricFamily *first = NULL;
	size_t at = 0;

	for (*n = 0; at < answer->len; (*n)++) {
		size_t len = 0;
		u32 shift = 0;

		do
			len |= (size_t)(answer->data[at] & 0x7f) << shift, shift += 7;
		while (answer->data[at++] & 0x80);
		Prom__MetricFamily *f = prom__metric_family__unpack(NULL, len,
								    (u8 *)answer->data + at);
		assert_non_null(f);
		at += len;
		if (*n)
			prom__metric_family__free_unpacked(f, NULL);
		else
			first = f;
	}
	return first;
}

static void test_native(void **state)
{
	struct img img = { .aggs = aggs, .naggs = ARRAY_SIZE(aggs) };
	struct run_info run = { .img = &img, .version = "1.0", .kernel = "6.1" };
	struct buf out[METRIC_FORMS];
	struct synth w;
	u32 n;

	synth_open(&w);
	run.env = &w.env;
	struct metrics *m = metrics_new(&run);
	struct view *view = view_new(&run);
	open_metrics(m, view);
	memset(value, 0, sizeof(value));
	value[63] = 1;           /* 0 */
	value[64] = 2;           /* 1 */
	value[67] = 7;           /* 8 .. 15 */
	value[68] = 3;           /* 16 .. 31 */
	value[61] = 4;           /* -3 .. -2 */
	answers(m, view, 1, 1, 1u << METRIC_PROTO, out);
	Prom__MetricFamily *f = family(&out[METRIC_PROTO], &n);
	const Prom__Histogram *h = f->metric[0]->histogram;
	assert_int_equal(n, 7);
	assert_string_equal(f->name, "dtx_lat");
	assert_int_equal(f->type, PROM__METRIC_TYPE__HISTOGRAM);
	assert_int_equal(h->sample_count, 17);
	assert_true(h->sample_sum != h->sample_sum);
	assert_true(h->has_schema && !h->schema);
	assert_int_equal(h->zero_count, 1);
	/* Of 1 (1, 2], of 8 .. 15 (8, 16], and the next one. */
	assert_int_equal(h->n_positive_span, 2);
	assert_int_equal(h->positive_span[0]->offset, 1);
	assert_int_equal(h->positive_span[0]->length, 1);
	assert_int_equal(h->positive_span[1]->offset, 2);
	assert_int_equal(h->positive_span[1]->length, 2);
	assert_int_equal(h->positive_delta[0], 2);
	assert_int_equal(h->positive_delta[1], 5);
	assert_int_equal(h->positive_delta[2], -4);
	assert_int_equal(h->n_negative_span, 1);
	assert_int_equal(h->negative_span[0]->offset, 2);
	assert_int_equal(h->negative_delta[0], 4);
	assert_int_equal(h->bucket[h->n_bucket - 1]->cumulative_count, 17);
	prom__metric_family__free_unpacked(f, NULL);
	free(out[METRIC_PROTO].data);
	metrics_free(m);
	view_free(view);
	synth_start(&w);
	synth_close(&w);
}

static void test_form(void **state)
{
	static const struct { const char *accept; enum metric_form form; } cases[] = {
		{ NULL, METRIC_TEXT }, { "", METRIC_TEXT }, { "*/*", METRIC_TEXT },
		{ "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8", METRIC_TEXT },
		{ "application/openmetrics-text", METRIC_OPEN },
		{ "Application/OpenMetrics-Text ; Version=1.0.0", METRIC_OPEN },
		{ "application/openmetrics-text;version=9.0.0", METRIC_TEXT },
		{ "application/openmetrics-text;q=0,text/plain;q=0.001", METRIC_TEXT },
		{ "application/openmetrics-text;version=1.0.0,application/openmetrics-text;"
		  "version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1", METRIC_TEXT },
		{ "application/openmetrics-text, text/plain;q=0.3", METRIC_OPEN },
		{ "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;"
		  "encoding=delimited,application/openmetrics-text;version=1.0.0;q=0.8,"
		  "application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;"
		  "q=0.5,*/*;q=0.1", METRIC_PROTO },
		{ "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;"
		  "encoding=text", METRIC_TEXT },
		{ "application/vnd.google.protobuf;proto=other;encoding=delimited", METRIC_TEXT },
		{ ",;q,;=,q=1;,text/;;q=x", METRIC_TEXT },
		{ "text/*;q=0.1,application/*;q=1", METRIC_PROTO },
	};

	for (u32 i = 0; i < ARRAY_SIZE(cases); i++)
		if (metric_form(cases[i].accept) != cases[i].form)
			fail_msg("%s: %d", cases[i].accept, metric_form(cases[i].accept));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_address), cmocka_unit_test(test_host),
		cmocka_unit_test(test_headers),
		cmocka_unit_test(test_words), cmocka_unit_test(test_metrics),
		cmocka_unit_test(test_native), cmocka_unit_test(test_form),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
