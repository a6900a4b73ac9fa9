/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * live.c - the sink of --live: keeps a view and shows it on the screen, acts on keys.
 *
 * The screen is given back when tracing has stopped: the output of END and the aggregations are
 * then printed as in any run.
 * Why: docs/decisions/38-live-screen.md
 */
#include <poll.h>
#include <stdlib.h>

#include <dtx/opt.h>

#include "runtime/sink/live/live.h"
#include "runtime/sink/sink.h"

static int live_open(struct out *o)
{
	struct screen *screen = screen_new(o->env);
	struct live *l;

	if (!screen)
		return -1;
	o->priv = l = xcalloc(1, sizeof(*l));
	l->o = o;
	l->screen = screen;
	if (!o->env->divert)
		o->env->divert = divert_new();
	o->screen = divert_has(o->env->divert, 1);
	l->feed = feed_new(o);
	l->view = feed_view(l->feed);
	l->aggs = xcalloc(MAX(view_naggs(l->view), 1u), sizeof(*l->aggs));
	for (u32 i = 0; i < view_naggs(l->view); i++)
		l->aggs[i].column = view_agg(l->view, i)->def->nkeys;    /* the first number */
	if (!view_naggs(l->view))
		l->mode = LIVE_LOG;
	l->refresh = opt_num(o->env, OPT_refresh);
	l->dirty = true;
	o->period = o->run->replayed ? 0 : l->refresh;
	o->fd = screen_fd(l->screen);
	return 0;
}

/* What was kept from the terminal is printed after the screen was left. */
static void live_leave(struct out *o)
{
	struct live *l = o->priv;

	screen_free(l->screen);
	l->screen = NULL;
	o->screen = false;
	o->period = 0;
	if (o->env->divert)
		divert_end(o->env->divert);
}

static void live_close(struct out *o)
{
	struct live *l = o->priv;

	if (!l)
		return;
	live_leave(o);
	feed_free(l->feed);
	free(l->aggs);
	free(l);
	o->priv = NULL;
}

/* A replay has what was recorded: aggregations as they were printed, and with --refresh samples. */
static void live_replay_print(struct live *l, const struct agg_print *p)
{
	struct agg_print begin = { .time = MAX(l->time, view_run(l->view)->now + 1) };

	if (!p || p->naggs != 1)
		return;
	l->time = begin.time;
	view_sample(l->view, &begin);
	view_sample(l->view, p);
}

static void live_event(struct out *o, const struct event *ev)
{
	struct live *l = o->priv;

	if (!l->screen)
		return;
	feed_event(l->feed, ev);
	if (!o->run->replayed)
		return;
	l->time = MAX(l->time, (s64)ev->time);
	for (u32 i = 0; i < ev->nitems; i++)
		if (ev->items[i].kind == ITEM_AGGS)
			live_replay_print(l, ev->items[i].print);
}

static void live_aggs(struct out *o, const struct agg_print *p)
{
	struct live *l = o->priv;

	if (l->screen && o->run->replayed)
		live_replay_print(l, p);
}

static void live_sample(struct out *o, const struct agg_print *p)
{
	struct live *l = o->priv;

	if (!l->screen)
		return;
	if (!l->paused || !p->naggs)
		view_sample(l->view, p);
	l->time = MAX(l->time, p->time);
	l->dirty = true;
}

static void live_message(struct out *o, const struct dtx_message *m, bool also_said)
{
	struct live *l = o->priv;

	if (l->screen && l->view)
		view_message(l->view, m);
}

/* ---- keys -------------------------------------------------------------------------------- */

static void live_type(struct live *l, enum key key, char c)
{
	size_t n = strlen(l->filter);

	if (key == KEY_IS_CHAR && (u8)c >= ' ' && n + 1 < sizeof(l->filter)) {
		l->filter[n] = c;
		l->filter[n + 1] = '\0';
	} else if (key == KEY_IS_ERASE && n) {
		while (n && ((u8)l->filter[--n] & 0xc0) == 0x80)
			;                /* the bytes of one character */
		l->filter[n] = '\0';
	} else if (key == KEY_IS_ESCAPE) {
		l->filter[0] = '\0';
	}
	if (key == KEY_IS_ENTER || key == KEY_IS_ESCAPE)
		l->typing = false;
}

static void live_move(struct live *l, s64 by)
{
	struct live_agg *a = &l->aggs[l->agg];
	s64 to = (s64)a->at + by, last = (s64)a->matching - 1;

	a->at = (u32)MAX(MIN(to, last), 0);
}

/* Scrolls the log; at its end it follows. */
static void live_scroll(struct live *l, s64 by)
{
	u64 first, end = view_lines(l->view, &first);
	s64 to = (s64)(l->log_end ? l->log_end : end) + by;

	if (to >= (s64)end && !l->paused)
		l->log_end = 0;
	else
		l->log_end = (u64)MIN(MAX(to, (s64)first + 1), (s64)end);
}

static void live_go(struct live *l, s64 by)
{
	if (l->mode == LIVE_LOG)
		live_scroll(l, by);
	else if (view_naggs(l->view))
		live_move(l, by);
}

static void live_next_agg(struct live *l, int by)
{
	u32 n = view_naggs(l->view);

	if (!n)
		return;
	l->agg = (l->agg + n + by) % n;
	if (l->mode != LIVE_TILES)
		l->mode = LIVE_TAB;
}

static void live_sort(struct live *l, int by)
{
	struct live_agg *a;
	u32 n;

	if (!view_naggs(l->view))
		return;
	a = &l->aggs[l->agg];
	n = view_agg(l->view, l->agg)->ncolumns;
	a->column = (a->column + n + by) % n;
	a->ascending = a->column < view_agg(l->view, l->agg)->def->nkeys;
	a->at = a->top = 0;
}

/* Histograms: only those of the row at the cursor, or again of all. */
static void live_focus(struct live *l)
{
	u32 id = view_naggs(l->view) ? l->aggs[l->agg].id : UINT32_MAX;

	if (id == UINT32_MAX)
		return;
	if (view_agg(l->view, l->agg)->focus == id)
		id = UINT32_MAX;
	view_focus(l->view, l->agg, id);
}

static void live_pause(struct live *l)
{
	u64 first;

	l->paused = !l->paused;
	l->log_end = l->paused ? view_lines(l->view, &first) : 0;
}

static void live_toggle(struct live *l, enum live_mode mode)
{
	l->mode = l->mode == mode ? LIVE_TAB : mode;
	if (l->mode == LIVE_TAB && !view_naggs(l->view))
		l->mode = LIVE_LOG;
	if (l->mode != LIVE_LOG && !l->paused)
		l->log_end = 0;
}

static void live_char(struct live *l, char c)
{
	switch (c) {
	case 'q':
		l->o->stop = true;
		break;
	case 's':
	case '>':
		live_sort(l, 1);
		break;
	case 'S':
	case '<':
		live_sort(l, -1);
		break;
	case 'r':
		if (view_naggs(l->view))
			l->aggs[l->agg].ascending = !l->aggs[l->agg].ascending;
		break;
	case '/':
		l->typing = true;
		break;
	case 'p':
	case ' ':
		live_pause(l);
		break;
	case 'h':
		l->heat = !l->heat;
		break;
	case 't':
		live_toggle(l, LIVE_TILES);
		break;
	case 'l':
		live_toggle(l, LIVE_LOG);
		break;
	case '?':
		live_toggle(l, LIVE_HELP);
		break;
	case 'j':
		live_go(l, 1);
		break;
	case 'k':
		live_go(l, -1);
		break;
	default:
		if (c >= '1' && c <= '9' && (u32)(c - '1') < view_naggs(l->view)) {
			l->agg = c - '1';
			l->mode = l->mode == LIVE_TILES ? LIVE_TILES : LIVE_TAB;
		}
	}
}

static void live_key(struct live *l, enum key key, char c)
{
	if (l->typing && key != KEY_IS_RESIZE) {
		live_type(l, key, c);
		return;
	}
	switch (key) {
	case KEY_IS_CHAR:
		live_char(l, c);
		break;
	case KEY_IS_UP:
		live_go(l, -1);
		break;
	case KEY_IS_DOWN:
		live_go(l, 1);
		break;
	case KEY_IS_PAGE_UP:
		live_go(l, -10);
		break;
	case KEY_IS_PAGE_DOWN:
		live_go(l, 10);
		break;
	case KEY_IS_HOME:
		live_go(l, INT32_MIN);
		break;
	case KEY_IS_END:
		live_go(l, INT32_MAX);
		break;
	case KEY_IS_LEFT:
		live_sort(l, -1);
		break;
	case KEY_IS_RIGHT:
		live_sort(l, 1);
		break;
	case KEY_IS_TAB:
		live_next_agg(l, 1);
		break;
	case KEY_IS_BACKTAB:
		live_next_agg(l, -1);
		break;
	case KEY_IS_ENTER:
		live_focus(l);
		break;
	case KEY_IS_ESCAPE:
		l->filter[0] = '\0';
		break;
	case KEY_IS_ERASE:
	case KEY_IS_RESIZE:
	case KEY_IS_NONE:
		break;
	}
}

static void live_ready(struct out *o)
{
	struct live *l = o->priv;
	enum key key;
	char c = 0;

	while (l->screen && (key = screen_key(l->screen, &c)) != KEY_IS_NONE) {
		live_key(l, key, c);
		l->dirty = true;
	}
	if (l->screen && screen_gone(l->screen))
		o->stop = true;
}

/* The end of a batch: everything was read, so there is time to draw. */
static void live_flush(struct out *o)
{
	struct live *l = o->priv;

	if (!l->screen)
		return;
	feed_flush(l->feed);
	if (!l->dirty || !screen_begin(l->screen))
		return;
	if (o->env->divert && !o->run->replayed)
		divert_read(o->env->divert, l->view);
	draw(l);
	screen_end(l->screen);
	l->dirty = false;
}

/* The end of a replay is what the user wants to look at. */
static void live_end(struct out *o, const struct run_end *end)
{
	struct live *l = o->priv;
	struct pollfd p = { .events = POLLIN };

	if (!l->screen || !o->run->replayed)
		return;
	l->time = MAX(l->time, end->time);
	l->dirty = true;
	while (!o->stop) {
		live_flush(o);
		p.fd = screen_fd(l->screen);
		/* A drawing that was put off is tried again. */
		if (poll(&p, 1, l->dirty ? 50 : -1) > 0)
			live_ready(o);
	}
	live_leave(o);
}

const struct dtx_sink sink_live = {
	.name = "live",
	.doc = "a view on the whole screen of the terminal",
	.open = live_open,
	.event = live_event,
	.aggs = live_aggs,
	.sample = live_sample,
	.message = live_message,
	.ready = live_ready,
	.ending = live_leave,
	.end = live_end,
	.flush = live_flush,
	.close = live_close,
};
