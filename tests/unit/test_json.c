/* SPDX-License-Identifier: BSD-2-Clause */
/* test_json.c - records made by hand as JSON, byte by byte: times, strings, parts. */
#include <dtx/opt.h>

#include "tests/unit/synth.h"

static struct dtx_probe probes[] = {
	{ .id = 1, .prov = "p", .mod = "", .func = "f", .name = "entry" },
	{ .id = 2, .prov = "p", .mod = "", .func = "f", .name = "return" },
};
static struct img_field fields[] = {
	{ .type = IMG_INT, .off = 32, .size = 8, .is_signed = true, .name = "a" },
	{ .type = IMG_STR, .off = 40, .size = 200, .name = "s" },
};
static struct img_conv convs[] = { { .text = "<" }, { .conv = "s" }, { .text = ">" } };
static struct img_action actions[] = {
	{ .name = "trace", .fields = &fields[0], .nfields = 1, .ran_off = 56 },
	{ .name = "printf", .fields = &fields[1], .nfields = 1, .convs = convs, .nconvs = 3,
	  .has_format = true, .ran_off = 57 },
};
static struct img_site sites[] = {
	{ .actions = actions, .nactions = 2, .rec_size = 64, .time_off = 16, .record = true },
	{ .actions = actions, .nactions = 1, .rec_size = 64, .record = true, .clause = 1 },
};

struct record {
	struct dtx_rec rec;
	struct dtx_rectime time;
	s64 a;
	struct dtx_strref s;
	u8 pad[8];
	u8 ran[8];
	char text[200];
};

static void open_json(struct synth *w, const char *jsonint)
{
	synth_open(w);
	w->env.opts->v[OPT_format].s = "json";
	w->env.opts->v[OPT_jsonint].s = jsonint;
	w->img.sites = sites;
	w->img.nsites = ARRAY_SIZE(sites);
	w->img.probes = probes;
	w->img.nprobes = ARRAY_SIZE(probes);
	synth_start(w);
	consumer_flush(w->con);
	rewind(w->file);         /* without the object "begin" */
	memset(w->text, 0, w->len);
}

/* The actions are those whose bit is set. */
static void send(struct synth *w, u64 time, s64 a, const char *s, u32 which)
{
	struct record r = { .time = { .time = time, .tid = 7 }, .a = a };

	r.s.off = offsetof(struct record, text);
	r.s.len = strlen(s) + 1;
	r.ran[0] = which & 1;
	r.ran[1] = which >> 1;
	strcpy(r.text, s);
	assert_int_equal(consumer_record(w->con, &r, sizeof(r)), 0);
}

#define RECORD "{\"type\":\"record\",\"time\":"
#define LEAD   ",\"tid\":7,\"cpu\":0,\"probe\":\"p::f:entry\",\"clause\":0,\"data\":["
#define TRACE  "{\"action\":\"trace\",\"values\":{\"a\":"
#define PRINT  "{\"action\":\"printf\",\"text\":\""

/* Near the multiples of the tenths of a second, at which the digits before are made again. */
static void test_times(void **state)
{
	static const u64 times[] = {
		1, 99999999, 100000000, 100000001, 199999999, 200000000,
		123456789012345, 123456799999999, 123456800000000, 123456700000001,
		100000000, 1ull << 53, (1ull << 53) + 1, UINT64_MAX,
	};

	for (u32 k = 0; k < 2; k++) {
		struct synth w;

		open_json(&w, k ? "string" : "number");
		for (u32 i = 0; i < ARRAY_SIZE(times); i++) {
			const char *quote = k && times[i] > 1ull << 53 ? "\"" : "";
			char *want = xprintf(RECORD "%s%llu%s" LEAD TRACE "-5}}]}\n", quote,
					     (unsigned long long)times[i], quote);

			send(&w, times[i], -5, "", 1);
			synth_expect(&w, want);
			free(want);
		}
		synth_close(&w);
	}
}

/* What JSON wants of a byte (RFC 8259, 7). */
static void escaped(struct buf *b, const char *s)
{
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			buf_printf(b, "\\%c", *s);
		else if (*s == '\n')
			buf_puts(b, "\\n");
		else if ((u8)*s < 0x20)
			buf_printf(b, "\\u%04x", *s);
		else
			buf_putc(b, *s);
	}
}

static void expect_text(struct synth *w, const char *s)
{
	struct buf want = { 0 };

	send(w, 500000000, 0, s, 2);
	buf_puts(&want, RECORD "500000000" LEAD PRINT "<");
	escaped(&want, s);
	buf_puts(&want, ">\",\"values\":{\"s\":\"");
	escaped(&want, s);
	buf_puts(&want, "\"}}]}\n");
	synth_expect(w, want.data);
	buf_free(&want);
}

/* At each place of texts of up to 20 letters, and once more at the end of some. */
static void expect_around(struct synth *w, const char *odd)
{
	static const char letters[] = "abcdefghijklmnopqrst";

	for (int len = 0; len < 20; len++)
		for (int at = 0; at <= len; at++) {
			char *s = xprintf("%.*s%s%.*s%s", at, letters, odd, len - at, letters,
					  at % 3 ? "" : odd);

			expect_text(w, s);
			free(s);
		}
}

static void test_strings(void **state)
{
	static const char *const odd[] = {
		"\"", "\\", "\n", "\x01", "\x1f", "\x7f", "é", "→", "😀",
	};
	struct synth w;

	open_json(&w, "number");
	for (u32 i = 0; i < ARRAY_SIZE(odd); i++)
		expect_around(&w, odd[i]);
	send(&w, 500000000, 0, "0123456789\xff", 2);
	synth_expect(&w, RECORD "500000000" LEAD
		     "{\"action\":\"printf\",\"text\":{\"hex\":\"3c30313233343536373839ff3e\"},"
		     "\"values\":{\"s\":{\"hex\":\"30313233343536373839ff\"}}}]}\n");
	synth_close(&w);
}

/* The text before the first value is kept: for the actions which ran, the probe, the CPU. */
static void test_leads(void **state)
{
	struct record r = {
		.rec = { .site = 1, .probe = 1, .cpu = 12 }, .a = INT64_MIN, .ran = { 1 },
	};
	struct synth w;

	open_json(&w, "number");
	for (u32 i = 0; i < 3; i++) {
		send(&w, 100000000, 1, "x", 3);
		synth_expect(&w, RECORD "100000000" LEAD TRACE "1}},"
			     PRINT "<x>\",\"values\":{\"s\":\"x\"}}]}\n");
		send(&w, 100000000, 1, "x", 2);
		synth_expect(&w, RECORD "100000000" LEAD
			     PRINT "<x>\",\"values\":{\"s\":\"x\"}}]}\n");
		assert_int_equal(consumer_record(w.con, &r, sizeof(r)), 0);
		synth_expect(&w, "{\"type\":\"record\",\"cpu\":12,\"probe\":\"p::f:return\","
			     "\"clause\":1,\"data\":[" TRACE "-9223372036854775808}}]}\n");
	}
	synth_close(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_times), cmocka_unit_test(test_strings),
		cmocka_unit_test(test_leads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
