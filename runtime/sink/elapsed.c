/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elapsed.c - option flowtime: how long a call took, from the records of its entry and its return.
 *
 * A call of a program's function is known by its frame: with exceptions, coroutines and goroutines
 * the next return of a function may be that of another call, or in another thread.  Other calls are
 * kept by thread, which may continue on another CPU; one whose return was not recorded is dropped
 * at the return of an outer call.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/sink/sink.h"

#define CALLS_MAX  1024          /* of a thread; the outer ones of more are not timed */
#define FRAMES_MAX 65536         /* with a frame of their own, of all processes */

struct call {
	const char *func, *mod, *prov;
	u64 time;
};

/* With a frame of its own: when it began and ended (0: it did not yet). */
struct framed { u64 began, ended; };

struct calls {
	VEC(struct call) v;
};

struct elapsed {
	struct map *threads;     /* "TID" -> struct calls */
	struct map *frames;      /* "PID FRAME FUNCTION" -> struct framed */
};

struct elapsed *elapsed_new(void)
{
	struct elapsed *e = xcalloc(1, sizeof(*e));

	e->threads = map_new();
	e->frames = map_new();
	return e;
}

static int calls_free(const char *key, void *value, void *arg)
{
	struct calls *c = value;

	VEC_FREE(&c->v);
	free(c);
	return 0;
}

static int frame_free(const char *key, void *value, void *arg)
{
	free(value);
	return 0;
}

static void frames_free(struct elapsed *e)
{
	map_each(e->frames, frame_free, NULL);
	map_free(e->frames);
}

void elapsed_free(struct elapsed *e)
{
	if (!e)
		return;
	map_each(e->threads, calls_free, NULL);
	map_free(e->threads);
	frames_free(e);
	free(e);
}

static struct calls *elapsed_calls(struct elapsed *e, u32 tid)
{
	char key[16];

	snprintf(key, sizeof(key), "%u", tid);
	struct calls *c = map_get(e->threads, key);
	if (!c) {
		c = xcalloc(1, sizeof(*c));
		map_set(e->threads, key, c);
	}
	return c;
}

/* The call with the frame of the event.  A replay does not know the process. */
static struct framed *elapsed_frame(struct elapsed *e, const struct event *ev)
{
	const struct dtx_probe *p = ev->probe;
	char *key = xprintf("%u %" PRIx64 " %s:%s:%s", ev->pid ? ev->pid : ev->tid, ev->frame,
			    p->prov, p->mod, p->func);
	struct framed *f = map_get(e->frames, key);

	if (!f && map_count(e->frames) == FRAMES_MAX) {
		frames_free(e);
		e->frames = map_new();
	}
	if (!f) {
		f = xcalloc(1, sizeof(*f));
		map_set(e->frames, key, f);
	}
	free(key);
	return f;
}

void elapsed_entry(struct elapsed *e, const struct event *ev)
{
	const struct dtx_probe *p = ev->probe;
	struct calls *c;

	if (ev->frame)
		*elapsed_frame(e, ev) = (struct framed){ .began = ev->time };
	if (ev->frame || !ev->time)
		return;
	c = elapsed_calls(e, ev->tid);
	if (c->v.n == CALLS_MAX)
		VEC_DROP(&c->v, CALLS_MAX / 2);
	VEC_PUSH(&c->v, ((struct call){ p->func, p->mod, p->prov, ev->time }));
}

/* The records of several clauses at one return have one time. */
static s64 framed_return(struct framed *f, u64 time)
{
	bool known = f->began && (!f->ended || f->ended == time);

	f->ended = time;
	return known ? (s64)(time - f->began) : -1;
}

s64 elapsed_return(struct elapsed *e, const struct event *ev)
{
	const struct dtx_probe *p = ev->probe;
	struct calls *c;

	if (ev->frame)
		return framed_return(elapsed_frame(e, ev), ev->time);
	c = elapsed_calls(e, ev->tid);
	for (u32 i = c->v.n; i-- > 0;) {
		const struct call *k = &c->v.v[i];

		if (strcmp(k->func, p->func) || strcmp(k->mod, p->mod) || strcmp(k->prov, p->prov))
			continue;
		c->v.n = i;
		return ev->time - k->time;
	}
	return -1;
}
