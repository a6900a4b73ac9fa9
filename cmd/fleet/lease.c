/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lease.c - a thread that renews the leases.  The loop may wait for whoever takes the output (a
 * pager that shows its first page), and the hosts' runs are not to end for that.  It has the peers
 * while the loop waits, and touches only those to which nothing else is to be sent.
 */
#include <poll.h>
#include <signal.h>
#include <time.h>

#include "cmd/fleet/fleet-private.h"

static void renew(struct peer *p)
{
	struct pollfd room = { p->to, POLLOUT, 0 };

	if (p->state <= PEER_CALLED || p->state >= PEER_AWAY || bytes_left(&p->put) || p->to < 0)
		return;
	if (poll(&room, 1, 0) != 1 || room.revents != POLLOUT)
		return;
	peer_send(p, FRAME_LEASE, NULL, 0);
	bytes_write(&p->put, p->to);     /* what fails is seen by the loop */
}

static void *pulse(void *arg)
{
	struct fleet_run *r = arg;
	struct timespec beat = { AGENT_BEAT_MS / 1000, AGENT_BEAT_MS % 1000 * 1000000l };

	for (;;) {
		nanosleep(&beat, NULL);
		pthread_mutex_lock(&r->held);
		for (int i = 0; i < r->n && r->pulses; i++)
			renew(&r->peers[i]);
		bool on = r->pulses;

		pthread_mutex_unlock(&r->held);
		if (!on)
			return NULL;
	}
}

/* Signals are for the loop. */
bool lease_begin(struct fleet_run *r)
{
	sigset_t all, before;

	pthread_mutex_init(&r->held, NULL);
	pthread_mutex_lock(&r->held);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	r->pulses = !pthread_create(&r->pulse, NULL, pulse, r);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return r->pulses;
}

void lease_end(struct fleet_run *r)
{
	bool on = r->pulses;

	r->pulses = false;
	pthread_mutex_unlock(&r->held);
	if (on)
		pthread_cancel(r->pulse);        /* it sleeps, or waits for nothing that it has */
	if (on)
		pthread_join(r->pulse, NULL);
}
