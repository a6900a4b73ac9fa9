/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * feed.c - keeps a view (view.h) for a sink that shows a run while it goes on.
 *
 * Records reach the log as the text that the text sink makes of them.  Nobody reads more than
 * FEED_LINES in FEED_SLOT: what exceeds that is counted, not rendered, so that a program that
 * prints much is not slowed down.
 */
#include <stdlib.h>

#include "runtime/sink/sink.h"
#include "runtime/view/view.h"

#define FEED_SLOT   100000000LL  /* ns */
#define FEED_LINES  1000         /* records shown in one slot */

struct feed {
	struct view *view;
	struct out text;         /* the text sink; it writes to the log */
	u32 left;                /* records that are still shown in this slot */
	s64 slot;                /* its begin */
};

static ssize_t feed_write(void *view, const char *data, size_t len)
{
	view_text(view, VIEW_OUTPUT, data, len);
	return (ssize_t)len;
}

struct feed *feed_new(const struct out *o)
{
	static const cookie_io_functions_t functions = { .write = feed_write };
	struct feed *f = xcalloc(1, sizeof(*f));

	f->view = view_new(o->run);
	f->text = (struct out){ .sink = &sink_text, .env = o->env, .run = o->run, .fd = -1 };
	f->text.file = fopencookie(f->view, "w", functions);
	if (!f->text.file)
		out_of_memory(sizeof(*f));
	f->text.sink->open(&f->text);
	f->left = o->run->replayed ? UINT32_MAX : FEED_LINES;    /* a replay waits for nobody */
	return f;
}

void feed_free(struct feed *f)
{
	if (!f)
		return;
	f->text.sink->close(&f->text);
	fclose(f->text.file);
	view_free(f->view);
	free(f);
}

struct view *feed_view(struct feed *f)
{
	return f->view;
}

void feed_event(struct feed *f, const struct event *ev)
{
	if (!ev->cont)
		view_record(f->view);
	if (!f->left) {
		view_skip(f->view, !ev->cont);
		return;
	}
	f->left -= !f->text.run->replayed;
	f->text.sink->event(&f->text, ev);
	if (!ev->time)
		return;
	/* Lines get the time of their record; what follows in a replay has none that is its own. */
	view_set_time(f->view, (s64)ev->time);
	f->text.sink->flush(&f->text);
	if (!f->text.run->replayed)
		view_set_time(f->view, 0);
}

void feed_flush(struct feed *f)
{
	s64 now = clock_ns(CLOCK_MONOTONIC);

	if (now - f->slot >= FEED_SLOT && !f->text.run->replayed) {
		f->slot = now;
		f->left = FEED_LINES;
	}
	f->text.sink->flush(&f->text);
}
