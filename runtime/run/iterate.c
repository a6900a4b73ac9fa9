/* SPDX-License-Identifier: BSD-2-Clause */
/* iterate.c - the objects of iter probes: a thread reads each iterator once; reading runs
 * its program. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include <dtx/progkind.h>

#include "runtime/run/run.h"

struct walk {
	struct dtx_session *s;
	bool alone, started;             /* alone: there are no other probes, and the run ends with
					  * the walk */
	pthread_t thread;
};

static void *walk_all(void *arg)
{
	struct walk *w = arg;
	struct dtx_session *s = w->s;
	char none[64];

	/* The programs write no output: a read returns at the end, or when the kernel pauses. */
	for (u32 i = 0; i < s->at.walks.n; i++) {
		ssize_t n = 1;

		while (n && s->state == SES_ACTIVE && !s->ld.ctl->exit_called) {
			n = read(s->at.walks.v[i], none, sizeof(none));
			if (n < 0 && errno != EAGAIN)
				break;
		}
	}
	if (w->alone)
		loop_interrupt(s->loop);
	return NULL;
}

static bool walk_is_alone(const struct dtx_session *s)
{
	for (u32 i = 0; i < s->img->nprogs; i++)
		if (!kind_is(s->img->progs[i].kind, KIND_WALK | KIND_ONCE))
			return false;
	return !s->ntargets;
}

void walk_start(struct dtx_session *s)
{
	if (!s->at.walks.n)
		return;
	struct walk *w = s->walk = xcalloc(1, sizeof(*w));

	w->s = s;
	w->alone = walk_is_alone(s);
	w->started = !pthread_create(&w->thread, NULL, walk_all, w);
	if (!w->started)
		walk_all(w);
}

void walk_stop(struct dtx_session *s)
{
	if (s->walk && s->walk->started)
		pthread_join(s->walk->thread, NULL);
	free(s->walk);
	s->walk = NULL;
	for (u32 i = 0; i < s->at.walks.n; i++)
		close(s->at.walks.v[i]);
	s->at.walks.n = 0;
}
