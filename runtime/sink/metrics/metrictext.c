/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * metrictext.c - metrics as text: Prometheus's format 0.0.4, and OpenMetrics 1.0.
 *
 * Names of series are the same in both; OpenMetrics gives counters without their _total in HELP and
 * TYPE, and a histogram has no _count there, because it may not have one without _sum.
 */
#include <inttypes.h>

#include "runtime/sink/metrics/metrics.h"

static void text_help(struct metric_out *o, const char *help)
{
	for (const char *p = help; *p; p++)
		if (*p == '\n')
			buf_puts(&o->text, "\\n");
		else if (*p == '\\' || (o->open && *p == '"'))
			buf_printf(&o->text, "\\%c", *p);
		else
			buf_putc(&o->text, *p);
}

static void text_family(struct metric_out *o, const char *name, const char *help,
			enum metric_kind kind)
{
	static const char *const kinds[] = {
		[METRIC_COUNTER] = "counter", [METRIC_GAUGE] = "gauge",
		[METRIC_SUMMARY] = "summary", [METRIC_HISTOGRAM] = "histogram",
	};
	size_t len = strlen(name) - (o->open && kind == METRIC_COUNTER ? strlen("_total") : 0);

	o->name = name;
	o->kind = kind;
	buf_printf(&o->text, "# HELP %.*s ", (int)len, name);
	text_help(o, help);
	buf_printf(&o->text, "\n# TYPE %.*s %s\n", (int)len, name,
		   kinds[kind]);
}

/* NAME TAIL {LABELS} */
static void text_series(struct metric_out *o, const struct metric_row *r, const char *tail)
{
	buf_puts(&o->text, o->name);
	buf_puts(&o->text, tail);
	if (*r->labels) {
		buf_putc(&o->text, '{');
		buf_puts(&o->text, r->labels);
		buf_putc(&o->text, '}');
	}
	buf_putc(&o->text, ' ');
}

static void text_line(struct metric_out *o, const struct metric_row *r, const char *tail,
		      s128 value)
{
	text_series(o, r, tail);
	buf_wide(&o->text, value);
	buf_putc(&o->text, '\n');
}

static void text_bucket(struct metric_out *o, const struct metric_row *r, const char *le,
			s128 count)
{
	buf_puts(&o->text, o->name);
	buf_puts(&o->text, "_bucket{");
	buf_puts(&o->text, r->labels);
	buf_puts(&o->text, *r->labels ? ",le=\"" : "le=\"");
	buf_puts(&o->text, le);
	buf_puts(&o->text, "\"} ");
	buf_wide(&o->text, count);
	buf_putc(&o->text, '\n');
}

static void text_row(struct metric_out *o, const struct metric_row *r)
{
	s128 sum = 0;
	s64 high;
	char le[24];

	if (o->kind == METRIC_HISTOGRAM) {
		for (u32 i = 0; metric_bucket(r, &i, &high, &sum); ) {
			snprintf(le, sizeof(le), "%" PRId64, high);
			text_bucket(o, r, le, sum);
		}
		text_bucket(o, r, "+Inf", sum);
		if (!o->open)
			text_line(o, r, "_count", sum);
	} else if (o->kind == METRIC_SUMMARY) {
		text_line(o, r, "_sum", r->value.sum);
		text_line(o, r, "_count", r->value.count);
	} else if (r->value.is_unsigned) {
		text_series(o, r, "");
		buf_printf(&o->text, "%" PRIu64 "\n", (u64)r->value.number);
	} else {
		text_line(o, r, "", r->value.number);
	}
}

static void text_none(struct metric_out *o)
{
}

static void open_family(struct metric_out *o, const char *name, const char *help,
			enum metric_kind kind)
{
	o->open = true;
	text_family(o, name, help, kind);
}

static void open_end(struct metric_out *o)
{
	buf_puts(&o->text, "# EOF\n");
}

const struct metric_writer metric_text = { text_family, text_row, text_none, text_none };
const struct metric_writer metric_open = { open_family, text_row, text_none, open_end };
