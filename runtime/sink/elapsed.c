/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elapsed.c - option flowtime: how long a call took, from the records of its entry and its return.
 *
 * A thread may continue on another CPU, so calls are kept by thread.  If the return of a call was
 * not recorded (a drop, a jump out of it), the call is dropped at the return of an outer call.
 */
#include <stdio.h>
#include <stdlib.h>

#include "runtime/sink/sink.h"

#define CALLS_MAX  1024          /* deeper calls are not timed */

struct call {
	const char *func, *mod, *prov;
	u64 time;
};

struct calls {
	VEC(struct call) v;
};

struct elapsed {
	struct map *threads;     /* "TID" -> struct calls */
};

struct elapsed *elapsed_new(void)
{
	struct elapsed *e = xcalloc(1, sizeof(*e));

	e->threads = map_new();
	return e;
}

static int calls_free(const char *key, void *value, void *arg)
{
	struct calls *c = value;

	VEC_FREE(&c->v);
	free(c);
	return 0;
}

void elapsed_free(struct elapsed *e)
{
	if (!e)
		return;
	map_each(e->threads, calls_free, NULL);
	map_free(e->threads);
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

void elapsed_entry(struct elapsed *e, const struct event *ev)
{
	struct calls *c = elapsed_calls(e, ev->tid);
	const struct dtx_probe *p = ev->probe;

	if (ev->time && c->v.n < CALLS_MAX)
		VEC_PUSH(&c->v, ((struct call){ p->func, p->mod, p->prov, ev->time }));
}

s64 elapsed_return(struct elapsed *e, const struct event *ev)
{
	struct calls *c = elapsed_calls(e, ev->tid);
	const struct dtx_probe *p = ev->probe;

	for (u32 i = c->v.n; i-- > 0;) {
		const struct call *k = &c->v.v[i];

		if (strcmp(k->func, p->func) || strcmp(k->mod, p->mod) || strcmp(k->prov, p->prov))
			continue;
		c->v.n = i;
		return ev->time - k->time;
	}
	return -1;
}
