/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * servepast.c - the past of aggregations as JSON: how much each span of time added, and for a page
 * that outlives its run what was added to which rows.
 */
#include <inttypes.h>
#include <stdlib.h>

#include <dtx/value.h>

#include "runtime/sink/json/json.h"
#include "runtime/sink/serve/serve.h"
#include "runtime/view/past.h"

static void past_bar(const struct past_span *s, struct buf *out)
{
	buf_printf(out, "[%" PRId64 ",%" PRId64 ",0,%" PRId64 "]", s->from / 1000000,
		   s->to / 1000000, s->amount);
}

void serve_json_bars(struct view *view, u32 agg, bool last, struct buf *out)
{
	const struct past *p = view_past(view, agg);
	const struct past_span *v;
	u32 n = 0;

	if (p)
		v = past_spans(p, &n);
	for (u32 i = last && n ? n - 1 : 0; i < n; i++) {
		buf_puts(out, i && !last ? "," : "");
		past_bar(&v[i], out);
	}
	if (last && !n)
		buf_puts(out, "null");
}

void serve_json_part(struct view *view, const struct serve_job *j, struct buf *out)
{
	const struct view_part *p;

	if (!j->to)
		return;
	p = view_part(view, j->agg, j->from, j->to);
	if (!p) {
		buf_puts(out, ",\"part\":null");
		return;
	}
	buf_printf(out, ",\"part\":{\"from\":%" PRId64 ",\"to\":%" PRId64 ",\"nrows\":%u,"
		   "\"total\":", p->from / 1000000, p->to / 1000000, p->nrows);
	if (p->beyond) {
		buf_puts(out, BEYOND_WORDS ",\"rate\":" BEYOND_WORDS);
	} else {
		buf_wide(out, p->total);
		buf_printf(out, ",\"rate\":%.6g", p->rate);
	}
	buf_printf(out, ",\"forgotten\":%u,\"cleared\":%s}", p->forgotten,
		   p->cleared ? "true" : "false");
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* [distance of the id, how many words, distance of the word, what was added, ...]; what JavaScript
 * does not count exactly is a string. */
static void past_rows(const struct past *p, const struct past_span *s, u64 *words, u32 nwords,
		      struct buf *out)
{
	size_t at = 0;
	u32 after = 0, begin = 0;

	for (u32 id; (id = past_next(p, s, &at, &after, words)) != UINT32_MAX; begin = id + 1) {
		u32 some = 0, next = 0;

		for (u32 i = 0; i < nwords; i++)
			some += words[i] != 0;
		buf_printf(out, ",%u,%u", id - begin, some);
		for (u32 i = 0; i < nwords; i++) {
			s64 v = (s64)words[i];
			bool big = v > (s64)JSON_EXACT || v < -(s64)JSON_EXACT;

			if (!v)
				continue;
			buf_printf(out, big ? ",%u,\"%" PRId64 "\"" : ",%u,%" PRId64, i - next, v);
			next = i + 1;
		}
	}
}

static void past_bounds(const struct view_agg *a, struct buf *out)
{
	for (u32 i = 0; a->hist && i < a->nbuckets; i++)
		buf_printf(out, "%s%" PRId64, i ? "," : "", a->bounds[i]);
}

/* Rows that are no more, with their keys. */
static void past_gone(struct view *view, u32 agg, struct buf *out)
{
	const struct view_agg *a = view_agg(view, agg);
	const struct view_query all = { .agg = agg, .n = view_ids(view, agg), .to = INT64_MAX };
	struct arena *mem = arena_new();
	struct view_row *rows = ARENA_ARRAY(mem, struct view_row, all.n + 1);
	struct view_width *now = ARENA_ARRAY(mem, struct view_width, a->nrows + 1);
	bool *there = ARENA_ARRAY(mem, bool, all.n + 1);
	u32 some = 0, matching = 0, n = view_rows(view, mem, &all, rows, &matching);

	if (a->nrows)
		view_widths(view, agg, now);
	for (u32 i = 0; i < a->nrows; i++)
		there[now[i].id] = true;
	for (u32 i = 0; i < n; i++) {
		if (there[rows[i].id])
			continue;
		buf_printf(out, "%s[%u", some++ ? "," : "", rows[i].id);
		for (u32 k = 0; k < a->def->nkeys; k++) {
			buf_putc(out, ',');
			json_str(out, rows[i].keys[k]);
		}
		buf_putc(out, ']');
	}
	arena_free(mem);
}

void serve_json_past(struct view *view, u32 agg, const u32 *leaf, size_t most, struct buf *out)
{
	const struct view_agg *a = view_agg(view, agg);
	const struct past *all = view_past(view, agg);
	const struct past_span *v;
	struct past *p;
	u64 *words;
	u32 n;

	if (!all) {
		buf_puts(out, "null");
		return;
	}
	p = past_folded(all, most);
	v = past_spans(p, &n);
	words = xcalloc(past_words(all), sizeof(*words));
	buf_printf(out, "{\"norm\":%" PRId64 ",\"bounds\":[", view_norm(view, agg));
	past_bounds(a, out);
	buf_puts(out, "],\"gone\":[");
	past_gone(view, agg, out);
	buf_puts(out, "],\"leaf\":[");
	for (u32 i = 0; leaf && i < view_ids(view, agg); i++)
		buf_printf(out, "%s%u", i ? "," : "", leaf[i]);
	buf_puts(out, "],\"spans\":[");
	for (u32 i = 0; i < n; i++) {
		buf_printf(out, "%s[%" PRId64 ",%" PRId64 ",%u,%d", i ? "," : "",
			   v[i].from / 1000000, v[i].to / 1000000, v[i].forgotten, v[i].cleared);
		past_rows(p, &v[i], words, past_words(all), out);
		buf_putc(out, ']');
	}
	buf_puts(out, "]}");
	free(words);
	past_free(p);
}
