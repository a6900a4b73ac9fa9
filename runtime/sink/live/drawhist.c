/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * drawhist.c - a histogram as bars, and its heat map: time goes to the right, values go up, and
 * the darker a cell the more values fell there in the same time.  Neighbouring buckets share a
 * line if there are more of them than lines.
 */
#include <curses.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "runtime/sink/live/live.h"

#define LABEL_WIDTH  10

/* Which buckets are shown, how many on one line; line 0 is the lowest. */
struct lines {
	u32 from, to, per, n;
};

static struct lines lines_fit(u32 from, u32 to, int room)
{
	struct lines s = { .from = from, .to = to, .per = 1 };

	while ((to - from) / s.per + 1 > (u32)MAX(room, 1))
		s.per++;
	s.n = (to - from) / s.per + 1;
	return s;
}

/* One that has left 64 bits is no number: its bar is then the longest. */
static double counted(s64 count)
{
	return count == AGG_BEYOND ? NAN : (double)count;
}

static void draw_label(const struct live *l, const struct view_agg *agg, u32 bucket, int y, int x)
{
	char label[40];
	s64 low, high;

	if (hist_bounds(agg->def, bucket, &low, &high) && low > INT64_MIN / 2)
		draw_number(label, low, agg->def->unit);
	else
		hist_label_of(agg->def, bucket, label, sizeof(label));
	draw_text(l, y, x, LABEL_WIDTH, true, label);
}

static void draw_caption(const struct live *l, const struct view_agg *agg, struct box b,
			 const char *what)
{
	struct buf t = { 0 };

	buf_printf(&t, "%s of %s%s", what, agg->def->arg ? agg->def->arg : agg->def->name,
		   agg->focus != UINT32_MAX ? ", row *" : agg->def->keyed ? ", all rows" : "");
	attron(A_BOLD | COLOR_PAIR(PAIR_TITLE));
	draw_text(l, b.y, b.x, b.w, false, t.data);
	attroff(A_BOLD | COLOR_PAIR(PAIR_TITLE));
	buf_free(&t);
}

/* ---- the histogram ------------------------------------------------------------------------ */

static void draw_bar(const struct live *l, int y, int x, int w, double part)
{
	struct buf b = { 0 };
	int cells = part * w + 0.5;

	buf_add(&b, "", 0);
	if (part > 0 && !cells)
		cells = 1;
	for (int i = 0; i < cells && i < w; i++)
		buf_puts(&b, screen_is_utf8(l->screen) ? "\u2588" : "@");
	draw_text(l, y, x, w, false, b.data);
	buf_free(&b);
}

void draw_hist(struct live *l, const struct view_agg *agg, struct box b)
{
	u32 from = UINT32_MAX, to = 0;
	double most = 0;

	draw_caption(l, agg, b, "histogram");
	for (u32 i = 0; i < agg->nbuckets; i++)
		if (agg->buckets[i]) {
			from = MIN(from, i);
			to = i;
		}
	if (from == UINT32_MAX || b.h < 2)
		return;
	struct lines s = lines_fit(from, to, b.h - 1);
	double *sum = xcalloc(s.n, sizeof(*sum));

	for (u32 i = from; i <= to; i++)
		sum[(i - from) / s.per] += counted((s64)agg->buckets[i]);
	for (u32 i = 0; i < s.n; i++)
		most = isnan(sum[i]) ? INT64_MAX : MAX(most, sum[i]);
	for (u32 i = 0; i < s.n; i++) {
		int y = b.y + 1 + (int)i, w = b.w - LABEL_WIDTH - 13;
		char number[24];

		draw_label(l, agg, from + i * s.per, y, b.x);
		mvaddch(y, b.x + LABEL_WIDTH, '|');
		draw_bar(l, y, b.x + LABEL_WIDTH + 1, w,
			 isnan(sum[i]) ? 1 : most > 0 ? sum[i] / most : 0);
		draw_number(number, sum[i], NULL);
		draw_text(l, y, b.x + LABEL_WIDTH + 1 + w, 11, true, number);
	}
	free(sum);
}

/* ---- the heat map -------------------------------------------------------------------------- */

/*
 * The logarithm of count to the base `most`, rounded to one of the levels: latencies that are rare
 * are those one looks for.  It is k if count^(2n) is at least most^(2k-1), where n is the last
 * level: so the C library's log(), a library of its own in each run, is not needed.  Counts are
 * below 2^64, and their powers below 1e300.
 */
static int heat_level(double count, double most)
{
	double power = 1, least = most;
	int level = 0;

	for (int i = 0; i < 2 * (HEAT_LEVELS - 1); i++)
		power *= MAX(count, 1);
	for (; most > 1 && level < HEAT_LEVELS - 1 && power >= least; least *= most * most)
		level++;
	return level;
}

static void draw_cell(const struct live *l, int y, int x, double count, double most)
{
	static const char *const blocks[] = { "\u2591", "\u2591", "\u2592", "\u2592", "\u2593",
					      "\u2593", "\u2588", "\u2588" };
	static const char *const letters[] = { ".", ":", "-", "=", "+", "*", "#", "@" };
	int level;

	if (count <= 0)
		return;
	level = heat_level(count, most);
	if (screen_colours(l->screen))
		attron(COLOR_PAIR(PAIR_HEAT + level));
	draw_text(l, y, x, 1, false,
		  (screen_is_utf8(l->screen) ? blocks : letters)[level]);
	attroff(COLOR_PAIR(PAIR_HEAT + level));
}

/* The buckets that are used in the spans shown. */
static void heat_range(const struct view_span *v, u32 n, u32 *from, u32 *to)
{
	*from = UINT32_MAX;
	*to = 0;
	for (u32 i = 0; i < n; i++)
		for (u32 k = 0; k < v[i].n; k++) {
			*from = MIN(*from, v[i].v[k].bucket);
			*to = MAX(*to, v[i].v[k].bucket);
		}
}

/* The time below the map: of its first column. */
static void draw_time(const struct live *l, const struct view_span *v, u32 n, struct box b, int x)
{
	double secs = n ? (v[n - 1].to - v[0].from) / 1e9 : 0;
	char ago[24];
	int y = b.y + b.h - 1, right = x + (int)n;

	draw_number(ago, secs, "s");
	char *text = xprintf("-%s", ago);

	draw_text(l, y, x, (int)strlen(text), false, text);
	if (right - 3 > x + (int)strlen(text))
		draw_text(l, y, right - 3, 3, true, "now");
	free(text);
}

void draw_heat(struct live *l, const struct view_agg *agg, struct box b)
{
	int x = b.x + LABEL_WIDTH + 1, room = b.w - LABEL_WIDTH - 1;
	u32 n = MIN(agg->nspans, (u32)MAX(room, 0)), from, to;
	const struct view_span *v = agg->spans + agg->nspans - n;
	double most;

	heat_range(v, n, &from, &to);
	draw_caption(l, agg, b, "heat map");
	if (from == UINT32_MAX || b.h < 3)
		return;
	struct lines s = lines_fit(from, to, b.h - 2);
	double *sum = xcalloc(n * s.n, sizeof(*sum));

	for (u32 i = 0; i < s.n; i++) {
		int y = b.y + b.h - 2 - (int)i;

		draw_label(l, agg, from + i * s.per, y, b.x);
		mvaddch(y, b.x + LABEL_WIDTH, '|');
	}
	most = heat_cells(v, n, s.from, s.per, s.n, sum);
	for (u32 i = 0; i < n * s.n; i++)
		draw_cell(l, b.y + b.h - 2 - (int)(i % s.n), x + (int)(i / s.n), sum[i], most);
	draw_time(l, v, n, b, x);
	free(sum);
}
