/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * servejson.c - the view as JSON, for the page (serve.js), and as CSV.
 */
#include <inttypes.h>
#include <math.h>

#include "runtime/sink/json/json.h"
#include "runtime/sink/serve/serve.h"

#define TOP_ROWS   100   /* of each aggregation in an event */
#define LOG_LINES  200   /* in an event */

static void json_number(struct buf *out, double v)
{
	if (isnan(v))
		buf_puts(out, BEYOND_WORDS);
	else if (v == (double)(s64)v && v < 1e15 && v > -1e15)
		buf_num(out, (s64)v);
	else
		buf_printf(out, "%.6g", v);
}

/* ---- what does not change ---------------------------------------------- */

static void about_columns(const struct view_agg *a, struct buf *out)
{
	static const char *const what[] = {
		[VIEW_KEY] = "key", [VIEW_VALUE] = "value", [VIEW_COUNT] = "count",
		[VIEW_RATE] = "rate", [VIEW_P50] = "p50", [VIEW_P99] = "p99", [VIEW_MAX] = "max",
	};

	for (u32 i = 0; i < a->ncolumns; i++) {
		buf_printf(out, "%s{\"what\":\"%s\",\"name\":", i ? "," : "",
			   what[a->columns[i].what]);
		json_str(out, a->columns[i].name);
		buf_puts(out, ",\"unit\":");
		json_str(out, a->columns[i].unit);
		buf_putc(out, '}');
	}
}

static void about_labels(const struct view_agg *a, struct buf *out)
{
	char label[64];

	for (u32 i = 0; a->hist && i < a->nbuckets; i++) {
		hist_label_of(a->def, i, label, sizeof(label));
		buf_puts(out, i ? "," : "");
		json_str(out, label);
	}
}

static bool about_stacks(const struct img_agg *agg)
{
	for (u32 k = 0; k < agg->nkeys; k++)
		if (agg->keys[k].type == IMG_STACK)
			return true;
	return false;
}

void serve_json_about(struct view *view, const struct run_info *run, s64 refresh, const char *trace,
		      struct buf *out)
{
	buf_puts(out, "{\"host\":");
	json_str(out, run->host);
	buf_puts(out, ",\"kernel\":");
	json_str(out, run->kernel);
	buf_puts(out, ",\"version\":");
	json_str(out, run->version);
	buf_puts(out, ",\"trace\":");
	json_str(out, trace);
	buf_printf(out, ",\"began\":%" PRId64 ",\"start\":%" PRId64
		   ",\"refresh\":%" PRId64 ",\"programs\":[",
		   run->wall / 1000000, run->time / 1000000, refresh / 1000000);
	for (u32 i = 0; i < run->nprograms; i++) {
		buf_puts(out, i ? "," : "");
		json_str(out, run->programs[i]);
	}
	buf_puts(out, "],\"aggs\":[");
	for (u32 i = 0; i < view_naggs(view); i++) {
		const struct view_agg *a = view_agg(view, i);

		buf_printf(out, "%s{\"name\":", i ? "," : "");
		json_str(out, a->def->name);
		buf_puts(out, ",\"func\":");
		json_str(out, a->def->func);
		buf_puts(out, ",\"unit\":");
		json_str(out, a->def->unit);
		buf_printf(out, ",\"hist\":%s,\"stacks\":%s,\"past\":%s,\"columns\":[",
			   a->hist ? "true" : "false", about_stacks(a->def) ? "true" : "false",
			   view_past(view, i) ? "true" : "false");
		about_columns(a, out);
		buf_puts(out, "],\"labels\":[");
		about_labels(a, out);
		buf_puts(out, "]}");
	}
	buf_puts(out, "]}");
}

/* ---- rows ---------------------------------------------- */

/* JavaScript's numbers are exact to 2^53: what is beyond is a string. */
static void json_exact(s128 v, bool is_unsigned, struct buf *out)
{
	s128 shown = is_unsigned ? (u64)v : v;
	bool quoted = shown > (s128)JSON_EXACT || shown < -(s128)JSON_EXACT;

	buf_puts(out, quoted ? "\"" : "");
	buf_wide(out, shown);
	buf_puts(out, quoted ? "\"" : "");
}

static void json_row(const struct view_agg *a, const struct view_row *row, struct buf *out)
{
	buf_putc(out, '[');
	for (u32 i = 0, key = 0; i < a->ncolumns; i++) {
		buf_puts(out, i ? "," : "");
		if (a->columns[i].what == VIEW_KEY)
			json_str(out, row->keys[key++]);
		else if (a->columns[i].what == VIEW_VALUE)
			json_exact(row->value, row->is_unsigned, out);
		else
			json_number(out, view_number(row, a->columns[i].what));
	}
	buf_putc(out, ']');
}

/* The first column that is a number: what rows are sorted by. */
static u32 json_column(const struct view_agg *a)
{
	u32 i = 0;

	while (i + 1 < a->ncolumns && a->columns[i].what == VIEW_KEY)
		i++;
	return i;
}

static void json_rows(struct view *view, const struct view_query *q, bool ids, struct buf *out)
{
	struct arena *arena = arena_new();
	struct view_row *rows = ARENA_ARRAY(arena, struct view_row, MAX(q->n, 1u));
	const struct view_agg *a = view_agg(view, q->agg);
	u32 matching = 0, n = view_rows(view, arena, q, rows, &matching);

	buf_printf(out, "\"matching\":%u,\"rows\":[", matching);
	for (u32 i = 0; i < n; i++) {
		buf_puts(out, i ? "," : "");
		json_row(a, &rows[i], out);
	}
	buf_putc(out, ']');
	for (u32 i = 0; ids && i < n; i++)
		buf_printf(out, "%s%u", i ? "," : ",\"ids\":[", rows[i].id);
	buf_puts(out, ids ? n ? "]" : ",\"ids\":[]" : "");
	arena_free(arena);
}

static struct view_query job_query(struct view *view, const struct serve_job *j)
{
	const struct view_agg *a = view_agg(view, j->agg);

	return (struct view_query){
		.agg = j->agg, .column = j->column < a->ncolumns ? j->column : json_column(a),
		.ascending = j->ascending, .filter = j->filter[0] ? j->filter : NULL,
		.skip = j->skip, .n = j->n, .from = j->from, .to = j->to,
	};
}

void serve_json_rows(struct view *view, const struct serve_job *j, struct buf *out)
{
	struct view_query q = job_query(view, j);

	buf_putc(out, '{');
	json_rows(view, &q, j->ids, out);
	serve_json_part(view, j, out);
	buf_putc(out, '}');
}

/* ---- heat maps ---------------------------------------------- */

/* A bucket and its count; null: it has left 64 bits. */
static void json_count(struct buf *out, const char *before, u32 bucket, s64 count)
{
	buf_printf(out, "%s%u,", before, bucket);
	if (count == AGG_BEYOND)
		buf_puts(out, "null");
	else
		buf_num(out, count);
}

static void json_span(const struct view_span *s, struct buf *out)
{
	buf_printf(out, "[%" PRId64 ",%" PRId64, s->from / 1000000, s->to / 1000000);
	for (u32 i = 0; i < s->n; i++)
		json_count(out, ",", s->v[i].bucket, s->v[i].count);
	buf_putc(out, ']');
}

void serve_json_heat(struct view *view, const struct serve_job *j, struct buf *out)
{
	const struct view_agg *a = view_agg(view, j->agg);

	buf_puts(out, "{\"spans\":[");
	if (!a->hist)
		serve_json_bars(view, j->agg, false, out);
	for (u32 i = 0; i < a->nspans; i++) {
		buf_puts(out, i ? "," : "");
		json_span(&a->spans[i], out);
	}
	buf_puts(out, "]}");
}

/* ---- the log ---------------------------------------------- */

/* Lines from `line` on, at most the last `most`. */
static void json_lines(struct view *view, u64 line, u64 most, struct buf *out)
{
	u64 first, next = view_lines(view, &first);

	line = MAX(line, first);
	if (next - line > most)
		line = next - most;
	buf_printf(out, "{\"first\":%" PRIu64 ",\"next\":%" PRIu64 ",\"skipped\":%" PRIu64
		   ",\"lines\":[", line, next, view_skipped(view));
	for (u64 i = line; i < next; i++) {
		const struct view_line *l = view_line(view, i);

		buf_printf(out, "%s[%d,", i > line ? "," : "", l ? l->from : 0);
		json_bytes(out, l ? l->text : "", l ? l->len : 0);
		buf_printf(out, ",%" PRId64 "]", l ? l->time / 1000000 : 0);
	}
	buf_puts(out, "]}");
}

void serve_json_log(struct view *view, u64 most, struct buf *out)
{
	json_lines(view, 0, most, out);
}

/* ---- events ---------------------------------------------- */

static void json_events(const struct view_event *v, u32 n, struct buf *out)
{
	buf_putc(out, '[');
	for (u32 i = 0; i < n; i++) {
		buf_puts(out, i ? ",[" : "[");
		json_str(out, v[i].reason);
		buf_putc(out, ',');
		json_str(out, v[i].probe);
		buf_printf(out, ",%" PRIu64 ",", v[i].count);
		json_str(out, v[i].hint);
		if (v[i].expression) {
			buf_putc(out, ',');
			json_str(out, v[i].expression);
			buf_printf(out, ",%u,%u", v[i].line, v[i].column);
		}
		buf_putc(out, ']');
	}
	buf_putc(out, ']');
}

static void event_agg(struct view *view, u32 i, struct buf *out)
{
	const struct view_agg *a = view_agg(view, i);
	struct view_query q = { .agg = i, .column = json_column(a), .n = TOP_ROWS };

	buf_puts(out, i ? ",{\"total\":" : "{\"total\":");
	if (a->beyond)
		buf_puts(out, BEYOND_WORDS);
	else
		json_exact(a->total, false, out);
	buf_puts(out, ",\"rate\":");
	json_number(out, a->beyond ? NAN : a->rate);
	buf_printf(out, ",\"nrows\":%u,", a->nrows);
	json_rows(view, &q, false, out);
	if (a->hist) {
		buf_puts(out, ",\"buckets\":[");
		for (u32 b = 0, n = 0; b < a->nbuckets; b++)
			if (a->buckets[b])
				json_count(out, n++ ? "," : "", b, (s64)a->buckets[b]);
		buf_puts(out, "],\"span\":");
		if (a->nspans)
			json_span(&a->spans[a->nspans - 1], out);
		else
			buf_puts(out, "null");
	} else if (view_past(view, i)) {
		buf_puts(out, ",\"span\":");
		serve_json_bars(view, i, true, out);
	}
	buf_putc(out, '}');
}

void serve_json_event(struct view *view, u64 *line, struct buf *out)
{
	static const char *const states[] = {
		[VIEW_TRACING] = "tracing", [VIEW_ENDING] = "ending", [VIEW_ENDED] = "ended",
	};
	const struct view_run *r = view_run(view);
	const struct view_event *v;
	u32 n;

	buf_printf(out, "{\"state\":\"%s\",\"now\":%" PRId64 ",\"began\":%" PRId64
		   ",\"records\":%" PRIu64 ",\"recordRate\":", states[r->state], r->now / 1000000,
		   r->began / 1000000, r->records);
	json_number(out, r->record_rate);
	buf_printf(out, ",\"lost\":%" PRIu64 ",\"errors\":%" PRIu64 ",\"losses\":", r->lost,
		   r->errors);
	v = view_losses(view, &n);
	json_events(v, n, out);
	buf_puts(out, ",\"faults\":");
	v = view_errors(view, &n);
	json_events(v, n, out);
	buf_puts(out, ",\"aggs\":[");
	for (u32 i = 0; i < view_naggs(view); i++)
		event_agg(view, i, out);
	buf_puts(out, "],\"log\":");
	json_lines(view, *line, LOG_LINES, out);
	*line = view_lines(view, &(u64){ 0 });
	buf_putc(out, '}');
}

/* ---- CSV (RFC 4180) ---------------------------------------------- */

static void csv_text(const char *text, struct buf *out)
{
	if (!strpbrk(text, ",\"\r\n")) {
		buf_puts(out, text);
		return;
	}
	buf_putc(out, '"');
	for (; *text; text++)
		buf_puts(out, *text == '"' ? "\"\"" : (char[]){ *text, '\0' });
	buf_putc(out, '"');
}

void serve_csv(struct view *view, const struct serve_job *j, struct buf *out)
{
	const struct view_agg *a = view_agg(view, j->agg);
	struct view_query q = job_query(view, j);
	struct arena *arena = arena_new();
	u32 matching = 0;

	q.n = q.to ? MAX(view_ids(view, j->agg), 1u) : a->nrows;
	struct view_row *rows = ARENA_ARRAY(arena, struct view_row, q.n + 1);
	u32 n = view_rows(view, arena, &q, rows, &matching);
	for (u32 c = 0; c < a->ncolumns; c++) {
		buf_puts(out, c ? "," : "");
		csv_text(a->columns[c].name, out);
	}
	for (u32 i = 0; i < n; i++) {
		buf_puts(out, "\r\n");
		for (u32 c = 0, key = 0; c < a->ncolumns; c++) {
			buf_puts(out, c ? "," : "");
			if (a->columns[c].what == VIEW_KEY)
				csv_text(rows[i].keys[key++], out);
			else if (a->columns[c].what == VIEW_VALUE)
				buf_wide(out, rows[i].is_unsigned ? (u64)rows[i].value :
					 rows[i].value);
			else
				json_number(out, view_number(&rows[i], a->columns[c].what));
		}
	}
	buf_puts(out, "\r\n");
	arena_free(arena);
}
