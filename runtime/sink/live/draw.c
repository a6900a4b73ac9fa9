/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * draw.c - a view on the screen: title, state and losses, the body, the log, the keys.
 *
 *    dtx  [1 @reads]  2 @lat                                   00:01:23
 *    tracing  12,345 records  1.2k/s   lost 0   errors 0
 *    table, histogram, heat map
 *    log
 *    q quit  Tab next  s sort …
 */
#include <curses.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <wchar.h>

#include "runtime/sink/live/live.h"

#define DRAW_LOG  6      /* lines of the log below the tables, at most */

/* ---- text ------------------------------------------------------------------------------------ */

/* The next character of a text and its width; what the terminal cannot show is a question mark. */
static int draw_char(const struct live *l, const char **text, wchar_t *c)
{
	mbstate_t state = { 0 };
	size_t n = strlen(*text), used;
	int w;

	if (!screen_is_utf8(l->screen)) {
		used = n ? MAX(utf8_len(*text, n), 1u) : 1;
		*c = used == 1 && (u8)**text < 0x80 ? (wchar_t)**text : L'?';
		*text += used;
		return 1;
	}
	used = mbrtowc(c, *text, n, &state);
	w = used && used <= n ? wcwidth(*c) : -1;
	if (w < 0) {
		*c = L'?';
		w = 1;
	}
	*text += used && used <= n ? used : 1;
	return w;
}

int draw_width(const struct live *l, const char *text)
{
	int w = 0;
	wchar_t c;

	while (*text)
		w += draw_char(l, &text, &c);
	return w;
}

void draw_text(const struct live *l, int y, int x, int w, bool right, const char *text)
{
	wchar_t out[512];
	int at = 0, n = 0, width = draw_width(l, text), pad = right ? w - width : 0;

	w = MIN(w, COLS - x);
	if (y < 0 || y >= LINES || w <= 0)
		return;
	bool cut = width > w;
	for (; at < pad && at < w && n < 500; at++)
		out[n++] = L' ';
	while (*text && n < 500) {
		wchar_t c;
		int cw = draw_char(l, &text, &c);

		if (at + cw > w - cut)
			break;
		out[n++] = c;
		at += cw;
	}
	if (cut && n < 510) {
		out[n++] = screen_is_utf8(l->screen) ? L'…' : L'>';
		at++;
	}
	for (; at < w && n < 511; at++)
		out[n++] = L' ';
	mvaddnwstr(y, x, out, n);
}

/* n / 1000^k with a letter. */
static void draw_scaled(char to[24], double n, const char *const *units, double base)
{
	double size = n < 0 ? -n : n;
	u32 i = 0;

	while (size >= base * 0.9995 && units[i + 1]) {
		size /= base;
		n /= base;
		i++;
	}
	snprintf(to, 24, size < 10 && (i || n != (s64)n) ? "%.2f%s" :
		 size < 100 && (i || n != (s64)n) ? "%.1f%s" : "%.0f%s", n, units[i]);
}

void draw_number(char to[24], double n, const char *unit)
{
	static const char *const times[] = { "ns", "us", "ms", "s", NULL };
	static const char *const bytes[] = { "", "K", "M", "G", "T", "P", NULL };
	static const char *const plain[] = { "", "k", "M", "G", "T", "P", NULL };

	if (isnan(n)) {
		strcpy(to, "> 64 bits");
		return;
	}
	for (u32 i = 0; unit && times[i]; i++)
		if (!strcmp(unit, times[i])) {
			draw_scaled(to, n, times + i, 1000);
			return;
		}
	if (unit && !strcmp(unit, "bytes"))
		draw_scaled(to, n, bytes, 1024);
	else if (n > -1e7 && n < 1e9 && n == (s64)n)
		snprintf(to, 24, "%.0f", n);
	else
		draw_scaled(to, n, plain, 1000);
}

/* ---- title, state, keys ---------------------------------------------------------------------- */

static int draw_tab(const struct live *l, int x, u32 i)
{
	const struct img_agg *def = view_agg(l->view, i)->def;
	char *text = xprintf("%u:@%s", i + 1, strcmp(def->name, "_") ? def->name : "");
	int w = draw_width(l, text);

	if (x + w + 2 < COLS - 20) {
		if (i == l->agg)
			attron(A_REVERSE | A_BOLD);
		mvaddch(0, x, ' ');
		draw_text(l, 0, x + 1, w, false, text);
		addch(' ');
		attroff(A_REVERSE | A_BOLD);
	}
	free(text);
	return x + w + 3;
}

static void draw_title(const struct live *l)
{
	s64 now = l->o->run->replayed ? l->time : clock_ns(CLOCK_MONOTONIC);
	s64 secs = MAX(now - view_run(l->view)->began, 0) / 1000000000;
	char *text = xprintf("%02" PRId64 ":%02" PRId64 ":%02" PRId64, secs / 3600,
			     secs / 60 % 60, secs % 60);
	int x = 6;

	attron(A_BOLD | COLOR_PAIR(PAIR_TITLE));
	mvaddstr(0, 1, "dtx");
	attroff(A_BOLD | COLOR_PAIR(PAIR_TITLE));
	for (u32 i = 0; i < view_naggs(l->view); i++)
		x = draw_tab(l, x, i);
	draw_text(l, 0, COLS - 9, 8, true, text);
	free(text);
}

static void draw_losses_text(const struct live *l, bool reasons, struct buf *b)
{
	const struct view_run *run = view_run(l->view);
	u32 n;
	const struct view_event *e = view_losses(l->view, &n);

	buf_printf(b, "lost %" PRIu64, run->lost);
	for (u32 i = 0; i < n && reasons; i++)
		buf_printf(b, "%s%" PRIu64 " %s%s", i ? ", " : " (", e[i].count, e[i].reason,
			   i == n - 1 ? ")" : "");
	if (run->errors)
		buf_printf(b, "  errors %" PRIu64, run->errors);
}

/* What they take at least: the sums. */
static int draw_losses_width(const struct live *l)
{
	struct buf b = { 0 };
	int w;

	draw_losses_text(l, false, &b);
	w = draw_width(l, b.data);
	buf_free(&b);
	return w;
}

/* By reason, if there is room: the sums are always there. */
static void draw_losses(const struct live *l, int x)
{
	const struct view_run *run = view_run(l->view);
	struct buf b = { 0 };

	draw_losses_text(l, true, &b);
	if (draw_width(l, b.data) > COLS - x - 1) {
		buf_reset(&b);
		draw_losses_text(l, false, &b);
	}
	if (run->lost || run->errors)
		attron(A_BOLD | A_REVERSE | COLOR_PAIR(PAIR_BAD));
	draw_text(l, 1, x, MIN(draw_width(l, b.data), COLS - x - 1), false, b.data);
	attroff(A_BOLD | A_REVERSE | COLOR_PAIR(PAIR_BAD));
	buf_free(&b);
}

static void draw_state(const struct live *l)
{
	const struct view_run *run = view_run(l->view);
	char records[24], rate[24], period[24], *what;

	draw_number(records, run->records, NULL);
	draw_number(rate, run->record_rate, NULL);
	/* It takes longer if there is much to read. */
	bool late = run->samples > 1 && run->period > l->refresh * 3 / 2;

	draw_number(period, late ? run->period : l->refresh, "ns");
	char *text = l->o->run->replayed
		? xprintf("replay  %s records of %s", records, l->o->run->host)
		: xprintf("%s every %s  %s records  %s/s", l->paused ? "PAUSED " : "tracing",
			  period, records, rate);

	what = xprintf("%.7s", text);
	if (l->paused)
		attron(A_REVERSE);
	draw_text(l, 1, 1, 7, false, what);
	attroff(A_REVERSE);
	free(what);
	/* Losses come first where there is no room for both. */
	int losses = draw_losses_width(l), room = COLS - 8 - (losses ? losses + 2 : 0);

	draw_text(l, 1, 8, MIN(draw_width(l, text + 7), room), false, text + 7);
	draw_losses(l, MAX(MIN(10 + draw_width(l, text + 7), COLS - losses - 1), 9));
	free(text);
}

static void draw_keys(const struct live *l)
{
	const char *keys = COLS < 100
		? "q quit  Tab next  s sort  r order  / filter  p pause  Enter row  l log  ? keys"
		: "q quit  Tab next  s,S sort  r order  / filter  p pause  Enter one row  "
		  "h heat map  t tiles  l log  ? all keys";

	if (l->typing) {
		char *text = xprintf("filter: %s_   (Enter: done, Esc: none)", l->filter);

		draw_text(l, LINES - 1, 1, COLS - 2, false, text);
		free(text);
		return;
	}
	attron(A_DIM);
	draw_text(l, LINES - 1, 1, COLS - 2, false, keys);
	attroff(A_DIM);
}

static void draw_help(const struct live *l)
{
	static const char *const lines[] = {
		"q, Ctrl-C     end the run; its output is then printed",
		"Tab, 1 … 9    next aggregation, or that one; t shows all of them",
		"s, S          sort by the next column, by the one before (also: right, left)",
		"r             reverse the order",
		"up, down      move in the table, or in the log (also: j, k, page keys)",
		"Enter         histogram and heat map of the row only; again: of all rows",
		"h             heat map or histogram, if there is no room for both",
		"/             show only rows whose keys contain a text",
		"p, space      pause: the screen stays, tracing goes on, losses are still shown",
		"l             the log on the whole screen: what the program and -c print",
		"?             back",
	};

	for (u32 i = 0; i < ARRAY_SIZE(lines); i++)
		draw_text(l, 3 + i, 2, COLS - 4, false, lines[i]);
}

/* ---- the log --------------------------------------------------------------------------------- */

static void draw_log(struct live *l, struct box b)
{
	static const char *const from[] = {
		[VIEW_OUTPUT] = " ", [VIEW_COMMAND] = ">", [VIEW_MESSAGE] = "!",
	};
	u64 first, end = view_lines(l->view, &first), skipped = view_skipped(l->view);
	char *title = skipped ? xprintf("log (%" PRIu64 " records came too fast to be shown)",
					skipped)
			      : xstrdup("log");

	attron(A_BOLD | COLOR_PAIR(PAIR_TITLE));
	draw_text(l, b.y, b.x, b.w, false, title);
	attroff(A_BOLD | COLOR_PAIR(PAIR_TITLE));
	free(title);
	if (l->log_end)
		end = MAX(l->log_end, first);
	u64 at = end - first > (u64)(b.h - 1) ? end - (b.h - 1) : first;

	for (int y = 1; y < b.h && at < end; y++, at++) {
		const struct view_line *line = view_line(l->view, at);

		if (!line)
			continue;
		if (line->from == VIEW_MESSAGE)
			attron(COLOR_PAIR(PAIR_BAD));
		draw_text(l, b.y + y, b.x, 1, false, from[line->from]);
		draw_text(l, b.y + y, b.x + 2, b.w - 2, false, line->text);
		attroff(COLOR_PAIR(PAIR_BAD));
	}
}

/* ---- the body -------------------------------------------------------------------------------- */

/* A table; below it, of histograms, the buckets and the heat map. */
static void draw_one(struct live *l, u32 i, struct box b)
{
	const struct view_agg *agg = view_agg(l->view, i);
	struct box table = b, below = b;

	if (!agg->hist || b.h < 8) {
		draw_agg(l, i, b);
		return;
	}
	table.h = MIN((int)agg->nrows + 3, MAX(b.h / 3, 4));
	draw_agg(l, i, table);
	below.y += table.h;
	below.h -= table.h;
	if (b.w >= 110) {
		struct box left = below;

		left.w = 52;
		below.x += left.w + 1;
		below.w -= left.w + 1;
		draw_hist(l, agg, left);
		draw_heat(l, agg, below);
	} else if (l->heat) {
		draw_heat(l, agg, below);
	} else {
		draw_hist(l, agg, below);
	}
}

static void draw_tiles(struct live *l, struct box b)
{
	u32 n = view_naggs(l->view), fit = MAX(MIN(n, (u32)b.h / 5), 1u);
	u32 first = l->agg < fit ? 0 : l->agg - fit + 1;
	int h = b.h / (int)fit;

	for (u32 i = 0; i < fit && first + i < n; i++)
		draw_one(l, first + i, (struct box){ b.y + (int)i * h, b.x, h - 1, b.w });
}

void draw(struct live *l)
{
	u64 first, lines = view_lines(l->view, &first);
	struct box body = { 3, 1, LINES - 5, COLS - 2 };
	int log = MIN((int)MIN(lines, (u64)DRAW_LOG) + 1, LINES / 4);

	erase();
	if (LINES < 8 || COLS < 30) {
		mvaddnstr(0, 0, "too small", COLS);
		return;
	}
	draw_title(l);
	draw_state(l);
	draw_keys(l);
	if (l->mode == LIVE_HELP) {
		draw_help(l);
		return;
	}
	if (l->mode == LIVE_LOG) {
		draw_log(l, (struct box){ 2, 1, LINES - 4, COLS - 2 });
		return;
	}
	if (lines) {
		draw_log(l, (struct box){ LINES - 1 - log, 1, log, COLS - 2 });
		body.h -= log;
	}
	if (l->mode == LIVE_TILES)
		draw_tiles(l, body);
	else
		draw_one(l, l->agg, body);
}
