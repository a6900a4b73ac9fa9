/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * flameword.c - what is said of a flame graph: what it counts, in which unit, and of which run.
 *
 * Widths of several aggregations are one graph only if they have the same meaning: samples and
 * nanoseconds have no sum.
 */
#include <time.h>

#include "runtime/sink/stacks/stackset.h"

#define WORDS_PROGRAM  120       /* characters of the program that are shown */

/* Only clauses of timers count: then each event is a sample. */
static bool words_samples(const struct img *img)
{
	u32 n = 0;

	for (u32 i = 0; i < img->nprobes; i++) {
		const struct dtx_probe *p = &img->probes[i];

		if (!strcmp(p->prov, "profile") && !strncmp(p->name, "profile-", 8))
			n++;
		else if (strcmp(p->prov, "profile") && strcmp(p->prov, "dtrace"))
			return false;
	}
	return n;
}

static const char *words_unit(const struct img *img, const struct img_agg *agg)
{
	if (!strcmp(agg->func, "count"))
		return words_samples(img) ? "samples" : "events";
	if (!strcmp(agg->func, "quantize") || !strcmp(agg->func, "lquantize") ||
	    !strcmp(agg->func, "llquantize"))
		return "values";
	return agg->unit ? agg->unit : "";
}

static const char *words_agg(struct arena *a, const struct img_agg *agg)
{
	struct buf b = { 0 };
	const char *text;

	buf_printf(&b, "@%s[", strcmp(agg->name, "_") ? agg->name : "");
	for (u32 k = 0; k < agg->nkeys; k++)
		buf_printf(&b, "%s%s", k ? ", " : "",
			   agg->keys[k].name ? agg->keys[k].name : "key");
	buf_printf(&b, "] = %s(%s)", agg->func, agg->arg ? agg->arg : "");
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

static bool words_same(const struct img *img, const struct img_agg *a, const struct img_agg *b)
{
	return !strcmp(a->func, b->func) && !strcmp(words_unit(img, a), words_unit(img, b));
}

struct flame_words flame_words(struct arena *a, const struct run_info *run, u32 agg, s64 now)
{
	const struct img *img = run->img;
	struct flame_part *parts = ARENA_ARRAY(a, struct flame_part, img->naggs + 1);
	const struct img_agg *first = NULL;
	struct flame_words w = { .title = "", .about = words_run(a, run, now), .parts = parts };
	bool same = true;

	for (u32 i = 0; i < img->naggs; i++) {
		const struct img_agg *def = &img->aggs[i];

		if (!stackset_takes(def) || (agg != UINT32_MAX && agg != i))
			continue;
		w.title = arena_printf(a, "%s%s%s", w.title, *w.title ? ", " : "",
				       words_agg(a, def));
		parts[w.nparts++] = (struct flame_part){ arena_printf(a, "@%s", def->name),
							 words_unit(img, def) };
		first = first ? first : def;
		same = same && words_same(img, first, def);
	}
	if (same) {
		w.unit = first ? words_unit(img, first) : "";
		w.nparts = 0;
	}
	return w;
}
