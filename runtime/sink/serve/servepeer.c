/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * servepeer.c - the connections of option serve, and who is at their other ends.
 *
 * A client that sends one byte now and then is never silent, so the library keeps it.  So each
 * connection has a time for its whole request, and when there are too many, that of the peer who
 * has the most goes which has waited longest: whoever sends a request at once is answered.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/sink/serve/serve.h"

#define PEERS_MOST   48                  /* connections that are kept */
#define PEER_WAITS   (10 * 1000000000ll) /* ns for a request with its headers */
#define PEER_READS   (60 * 1000000000ll) /* ns for taking an answer; events have no end */

struct peer {
	struct peer *next;
	struct peers *all;
	int fd;
	char address[16];        /* of TCP, else zeros */
	u64 since;               /* it waits for a request, or is answered: CLOCK_MONOTONIC, ns */
	bool asked, watches;     /* a request has come; it asked for events */
	bool cut;                /* shut down: the library closes it soon */
};

struct peers {
	pthread_mutex_t lock;    /* the thread that traces looks for those that are late */
	struct peer *first;
	u32 n;                   /* not cut */
};

struct peers *peers_new(void)
{
	struct peers *p = xcalloc(1, sizeof(*p));

	pthread_mutex_init(&p->lock, NULL);
	return p;
}

void peers_free(struct peers *p)
{
	if (!p)
		return;
	pthread_mutex_destroy(&p->lock);
	free(p);
}

static void peer_cut(struct peer *p)
{
	p->cut = true;
	p->all->n--;
	shutdown(p->fd, SHUT_RDWR);
}

static u32 peer_share(const struct peers *all, const struct peer *of)
{
	u32 n = 0;

	for (const struct peer *p = all->first; p; p = p->next)
		n += !p->cut && !memcmp(p->address, of->address, sizeof(p->address));
	return n;
}

/* Of two connections, does the first have to go sooner? */
static bool goes_first(const struct peers *all, const struct peer *a, const struct peer *b)
{
	u32 of_a = peer_share(all, a), of_b = peer_share(all, b);

	if (a->asked != b->asked)
		return b->asked;
	return of_a != of_b ? of_a > of_b : a->since < b->since;
}

static void peers_make_room(struct peers *all)
{
	struct peer *last = NULL;

	for (struct peer *p = all->first; p; p = p->next)
		if (!p->cut && !p->watches && (!last || goes_first(all, p, last)))
			last = p;
	if (last)
		peer_cut(last);
}

struct peer *peer_come(struct peers *all, int fd)
{
	struct peer *p = xcalloc(1, sizeof(*p));
	struct sockaddr_storage from = { 0 };
	socklen_t len = sizeof(from);

	*p = (struct peer){ .all = all, .fd = fd, .since = clock_ns(CLOCK_MONOTONIC) };
	if (!getpeername(fd, (struct sockaddr *)&from, &len) && from.ss_family == AF_INET)
		memcpy(p->address, &((struct sockaddr_in *)&from)->sin_addr, 4);
	else if (from.ss_family == AF_INET6)
		memcpy(p->address, &((struct sockaddr_in6 *)&from)->sin6_addr, 16);
	pthread_mutex_lock(&all->lock);
	if (all->n >= PEERS_MOST)
		peers_make_room(all);
	p->next = all->first;
	all->first = p;
	all->n++;
	pthread_mutex_unlock(&all->lock);
	return p;
}

void peer_go(struct peer *p)
{
	struct peers *all = p->all;
	struct peer **at;

	pthread_mutex_lock(&all->lock);
	for (at = &all->first; *at != p; at = &(*at)->next)
		;
	*at = p->next;
	all->n -= !p->cut;
	pthread_mutex_unlock(&all->lock);
	free(p);
}

void peer_asks(struct peer *p, bool asks, bool watches)
{
	pthread_mutex_lock(&p->all->lock);
	p->asked = asks;
	p->watches = watches;
	p->since = clock_ns(CLOCK_MONOTONIC);
	pthread_mutex_unlock(&p->all->lock);
}

void peers_late(struct peers *all)
{
	u64 now = clock_ns(CLOCK_MONOTONIC);

	pthread_mutex_lock(&all->lock);
	for (struct peer *p = all->first; p; p = p->next)
		if (!p->cut && !p->watches && now - p->since > (p->asked ? PEER_READS : PEER_WAITS))
			peer_cut(p);
	pthread_mutex_unlock(&all->lock);
}

bool peer_is_own(const struct peer *p)
{
	struct ucred who;
	socklen_t len = sizeof(who);

	if (getsockopt(p->fd, SOL_SOCKET, SO_PEERCRED, &who, &len) || len != sizeof(who))
		return false;
	return !who.uid || who.uid == geteuid();
}

bool peer_left(const struct peer *p)
{
	char byte;
	ssize_t got = recv(p->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);

	return !got || (got < 0 && errno != EAGAIN);
}
