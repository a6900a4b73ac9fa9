/* SPDX-License-Identifier: BSD-2-Clause */
/* drawagg.c - the table of an aggregation: keys, numbers, rates; the total is in its title. */
#include <curses.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include <dtx/aggs.h>

#include "runtime/sink/live/live.h"

#define NUMBER_WIDTH  10
#define KEY_LEAST     8

static void agg_title(const struct live *l, const struct view_agg *agg, const struct live_agg *a,
		      const char *arg, struct buf *t)
{
	const struct img_agg *def = agg->def;
	char total[24], rate[24];

	draw_number(total, agg->beyond ? NAN : (double)agg->total, NULL);
	draw_number(rate, agg->beyond ? NAN : agg->rate, NULL);
	buf_printf(t, "@%s  %s(%s)  %u key%s", strcmp(def->name, "_") ? def->name : "", def->func,
		   arg, agg->nrows, agg->nrows == 1 ? "" : "s");
	if (!agg_has(def, AGGF_EXTREME))
		buf_printf(t, "  total %s  %s per s", total, rate);
	if (*l->filter)
		buf_printf(t, "  filter '%s': %u", l->filter, a->matching);
}

/* Without what it aggregates if there is no room for it. */
static void draw_agg_title(struct live *l, const struct view_agg *agg, const struct live_agg *a,
			   struct box b)
{
	const struct img_agg *def = agg->def;
	struct buf t = { 0 };

	agg_title(l, agg, a, def->arg ? def->arg : "", &t);
	if (draw_width(l, t.data) > b.w && def->arg) {
		buf_reset(&t);
		agg_title(l, agg, a, screen_is_utf8(l->screen) ? "…" : "..", &t);
	}
	attron(A_BOLD | COLOR_PAIR(PAIR_TITLE));
	draw_text(l, b.y, b.x, b.w, false, t.data);
	attroff(A_BOLD | COLOR_PAIR(PAIR_TITLE));
	buf_free(&t);
}

/* Widths: numbers have ten columns; keys are as wide as they need, if there is room. */
static void draw_agg_widths(const struct live *l, const struct view_agg *agg,
			    const struct view_row *rows, u32 n, int room, int *w)
{
	u32 nkeys = agg->def->nkeys;
	int left = room - (int)(agg->ncolumns - nkeys) * (NUMBER_WIDTH + 1);

	for (u32 k = 0; k < agg->ncolumns; k++)
		w[k] = NUMBER_WIDTH;
	for (u32 k = 0; k < nkeys; k++) {
		int most = MAX(draw_width(l, agg->columns[k].name) + 1, KEY_LEAST);

		for (u32 i = 0; i < n; i++)
			most = MAX(most, draw_width(l, rows[i].keys[k]));
		w[k] = MIN(most, MAX(left - (int)(nkeys - 1 - k) * (KEY_LEAST + 1), KEY_LEAST));
		left -= w[k] + 1;
	}
}

static void draw_agg_head(const struct live *l, const struct view_agg *agg,
			  const struct live_agg *a, struct box b, const int *w)
{
	int x = b.x + 1;

	const char *up = screen_is_utf8(l->screen) ? "↑" : "^";
	const char *down = screen_is_utf8(l->screen) ? "↓" : "v";

	for (u32 k = 0; k < agg->ncolumns && x < b.x + b.w; x += w[k] + 1, k++) {
		bool by = k == a->column, right = agg->columns[k].what != VIEW_KEY;
		char *name = xprintf("%s%s", agg->columns[k].name,
				     !by ? "" : a->ascending ? up : down);

		attron(by ? A_BOLD | A_UNDERLINE : A_UNDERLINE);
		draw_text(l, b.y + 1, x, MIN(w[k], b.x + b.w - x), right, name);
		attroff(A_BOLD | A_UNDERLINE);
		free(name);
	}
}

/* Counts and sums are shown exactly, as far as there is room. */
static void draw_agg_number(const struct view_agg *agg, u32 k, const struct view_row *r,
			    char to[24])
{
	const struct view_column *c = &agg->columns[k];

	snprintf(to, 24, r->is_unsigned ? "%" PRIu64 : "%" PRId64, (u64)r->value);
	if (agg_s64(r->value) != r->value || c->what != VIEW_VALUE || c->unit ||
	    strlen(to) > NUMBER_WIDTH)
		draw_number(to, view_number(r, c->what), c->unit);
}

static void draw_agg_row(const struct live *l, const struct view_agg *agg, const struct view_row *r,
			 struct box b, int y, const int *w)
{
	int x = b.x + 1;

	for (u32 k = 0; k < agg->ncolumns && x < b.x + b.w; x += w[k] + 1, k++) {
		bool key = agg->columns[k].what == VIEW_KEY;
		char number[24];

		if (!key)
			draw_agg_number(agg, k, r, number);
		draw_text(l, y, x, MIN(w[k], b.x + b.w - x), !key, key ? r->keys[k] : number);
	}
}

static void draw_agg_rows(struct live *l, u32 i, struct box b, const struct view_row *rows, u32 n,
			  const int *w)
{
	const struct view_agg *agg = view_agg(l->view, i);
	struct live_agg *a = &l->aggs[i];

	for (u32 r = 0; r < n; r++) {
		bool here = a->top + r == a->at && i == l->agg && agg->def->nkeys;
		int y = b.y + 2 + (int)r;

		if (here)
			attron(A_REVERSE);
		draw_text(l, y, b.x, b.w, false,
			  agg->focus == rows[r].id && agg->hist ? "*" : "");
		draw_agg_row(l, agg, &rows[r], b, y, w);
		attroff(A_REVERSE);
		if (a->top + r == a->at)
			a->id = rows[r].id;
	}
}

void draw_agg(struct live *l, u32 i, struct box b)
{
	const struct view_agg *agg = view_agg(l->view, i);
	struct live_agg *a = &l->aggs[i];
	struct arena *mem = arena_new();
	u32 room = b.h > 2 ? b.h - 2 : 1, n;
	struct view_row *rows = ARENA_ARRAY(mem, struct view_row, room);
	int *w = ARENA_ARRAY(mem, int, agg->ncolumns + 1);

	if (a->at < a->top)
		a->top = a->at;
	if (a->at >= a->top + room)
		a->top = a->at - room + 1;
	a->id = UINT32_MAX;
	const struct view_query q = { .agg = i, .column = a->column, .ascending = a->ascending,
				      .filter = l->filter, .skip = a->top, .n = room };

	n = view_rows(l->view, mem, &q, rows, &a->matching);
	if (a->at >= a->matching)
		a->at = a->matching ? a->matching - 1 : 0;
	draw_agg_widths(l, agg, rows, n, b.w - 1, w);
	draw_agg_title(l, agg, a, b);
	draw_agg_head(l, agg, a, b, w);
	draw_agg_rows(l, i, b, rows, n, w);
	arena_free(mem);
}
