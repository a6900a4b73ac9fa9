/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * flameword.c - what is said of a flame graph: what it counts, in which unit, and of which run.
 *
 * Widths of several aggregations are one graph only if they have the same meaning: events and
 * nanoseconds have no sum.  Samples have one with times: each stands for the period of its timer.
 */
#include <time.h>

#include <dtx/aggs.h>

#include "runtime/sink/stacks/stackset.h"

#define WORDS_PROGRAM  120       /* characters of the program that are shown */

static const char *words_unit(const struct img_agg *agg)
{
	if (agg_has(agg, AGGF_CALLS))
		return agg->each ? "samples" : "events";
	if (agg_kind(agg) == AGG_HISTOGRAM)
		return "values";
	return agg->unit ? agg->unit : "";
}

/* By what its values are multiplied to be ns; 0: they are no time, or no total of times. */
static u64 words_ns(const struct img_agg *agg)
{
	static const struct { const char *unit; u64 ns; } units[] = {
		{ "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 },
	};

	if (agg->each || !agg->unit || !agg_has(agg, AGGF_TOTAL))
		return agg->each;
	for (u32 i = 0; i < ARRAY_SIZE(units); i++)
		if (!strcmp(agg->unit, units[i].unit))
			return units[i].ns;
	return 0;
}

/* `scaled`: its samples are shown as time. */
static const char *words_agg(struct arena *a, const struct img_agg *agg, bool scaled)
{
	struct buf b = { 0 };
	const char *text;

	buf_printf(&b, "@%s[", strcmp(agg->name, "_") ? agg->name : "");
	for (u32 k = 0; k < agg->nkeys; k++)
		buf_printf(&b, "%s%s", k ? ", " : "",
			   agg->keys[k].name ? agg->keys[k].name : "key");
	buf_printf(&b, "] = %s(%s)", agg->func, agg->arg ? agg->arg : "");
	if (scaled && agg->each)
		buf_printf(&b, " × %.3g ms", agg->each / 1e6);
	text = arena_strndup(a, b.data, b.len);
	buf_free(&b);
	return text;
}

/* The first program on one line. */
static void words_program(const struct run_info *run, struct buf *b)
{
	const char *p = run->nprograms ? run->programs[0] : "";
	bool space = false;
	u32 n = 0;

	for (; *p && n < WORDS_PROGRAM; p++) {
		if (strchr(" \t\r\n", *p)) {
			space = n;
			continue;
		}
		buf_printf(b, "%s%c", space ? " " : "", *p);
		space = false;
		n++;
	}
	buf_puts(b, *p ? "…" : "");
}

static const char *words_run(struct arena *a, const struct run_info *run, s64 now)
{
	struct buf b = { 0 };
	time_t at = run->wall / 1000000000;
	struct tm tm;
	char when[64];
	const char *text;

	strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S UTC", gmtime_r(&at, &tm));
	buf_printf(&b, "%s, Linux %s, %s, %.1f s: ", run->host ? run->host : "",
		   run->kernel ? run->kernel : "", when, (now - run->time) / 1e9);
	words_program(run, &b);
	text = arena_strndup(a, b.data, b.len);
	buf_free(&b);
	return text;
}

static bool words_same(const struct img_agg *a, const struct img_agg *b)
{
	return !strcmp(a->func, b->func) && !strcmp(words_unit(a), words_unit(b)) &&
	       a->each == b->each;
}

static const char *words_title(struct arena *a, const struct img_agg **defs, u32 n, bool scaled)
{
	const char *title = "";

	for (u32 i = 0; i < n; i++)
		title = arena_printf(a, "%s%s%s", title, *title ? ", " : "",
				     words_agg(a, defs[i], scaled));
	return title;
}

struct flame_words flame_words(struct arena *a, const struct run_info *run, u32 agg, s64 now,
			       bool may_scale)
{
	const struct img *img = run->img;
	struct flame_part *parts = ARENA_ARRAY(a, struct flame_part, img->naggs + 1);
	const struct img_agg **defs = ARENA_ARRAY(a, const struct img_agg *, img->naggs + 1);
	u64 *scale = ARENA_ARRAY(a, u64, img->naggs + 1);
	struct flame_words w = { .about = words_run(a, run, now), .parts = parts };
	bool same = true, times = may_scale;

	for (u32 i = 0; i < img->naggs; i++) {
		const struct img_agg *def = &img->aggs[i];

		if (!stackset_takes(def) || (agg != UINT32_MAX && agg != i))
			continue;
		defs[w.nparts] = def;
		parts[w.nparts++] = (struct flame_part){ arena_printf(a, "@%s", def->name),
							 words_unit(def) };
		scale[i] = words_ns(def);
		same = same && words_same(defs[0], def);
		times = times && scale[i];
	}
	if (same)
		w.unit = w.nparts ? words_unit(defs[0]) : "";
	else if (times)
		w.unit = "ns", w.scale = scale;
	w.title = words_title(a, defs, w.nparts, w.scale);
	w.nparts = w.unit ? 0 : w.nparts;
	return w;
}
