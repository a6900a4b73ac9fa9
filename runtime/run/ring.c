/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ring.c - the ring buffer of records, read in blocks.
 *
 * Text of an address may need a file: a symbol table of 128 MB, debugging information, code that a
 * process describes.  Reading it takes seconds, and events go on meanwhile, of all programs.  So
 * while the tracing thread reads files (budget_reading()), a second thread copies records out of
 * the ring buffer.  It is started when a file is first read, looks each PUMP_NS, and sleeps when no
 * file was read for a while.  Slow output is another thing: there the size of the buffer
 * (bufsize) says what is kept.
 * Why: docs/decisions/13-one-ring.md
 */
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include <bpf/libbpf.h>

#include "runtime/code/safe/budget.h"
#include "runtime/run/run.h"

#define BLOCK_MOST ((size_t)64 << 10)    /* bytes that are read at once */
#define QUEUE_MOST ((size_t)64 << 20)    /* bytes that the second thread keeps; more is lost */
#define SPARE_MOST ((size_t)1 << 20)     /* bytes that stay allocated */
#define PUMP_NS    5000000
#define PUMP_QUIET 200           /* looks without files, after which the thread sleeps */

struct ring {
	struct ring_buffer *rb;
	pthread_mutex_t lock;            /* of rb, in, most, over */
	pthread_cond_t wake;
	struct buf in, out;              /* records, each after its length, in words */
	size_t at;                       /* in `out` */
	size_t most;                     /* of `in`, in bytes */
	bool taking;                     /* ring_take() is on the stack */
	bool has_thread, no_thread, over;
	u64 files;                       /* odd: files are being read */
	u32 sleeps;                      /* of the thread: bool */
	pthread_t thread;
};

/* Called by libbpf for each record; non-zero ends the reading after this one. */
static int ring_keep(void *arg, void *data, size_t size)
{
	static const u64 zeros;
	struct ring *r = arg;
	u64 word = size;

	buf_add(&r->in, &word, sizeof(word));
	buf_add(&r->in, data, size);
	buf_add(&r->in, &zeros, -size & 7);
	return r->in.len < r->most ? 0 : -EAGAIN;
}

struct ring *ring_new(int fd)
{
	struct ring *r = xcalloc(1, sizeof(*r));
	pthread_condattr_t attr;

	r->rb = ring_buffer__new(fd, ring_keep, r, NULL);
	if (!r->rb) {
		free(r);
		return NULL;
	}
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&r->wake, &attr);
	pthread_condattr_destroy(&attr);
	pthread_mutex_init(&r->lock, NULL);
	return r;
}

void ring_free(struct ring *r)
{
	if (!r)
		return;
	pthread_mutex_lock(&r->lock);
	r->over = true;
	pthread_cond_signal(&r->wake);
	pthread_mutex_unlock(&r->lock);
	if (r->has_thread)
		pthread_join(r->thread, NULL);
	pthread_cond_destroy(&r->wake);
	pthread_mutex_destroy(&r->lock);
	ring_buffer__free(r->rb);
	buf_free(&r->in);
	buf_free(&r->out);
	free(r);
}

/* Readable when there is data; -1: no ring. */
static int ring_fd(const struct ring *r)
{
	return r ? ring_buffer__epoll_fd(r->rb) : -1;
}

/* With the lock. */
static int ring_fill(struct ring *r, size_t most)
{
	int n = 0;

	r->most = most;
	if (r->in.len < most)
		n = ring_buffer__consume(r->rb);
	return n == -EAGAIN ? 0 : MIN(n, 0);
}

/* ---- the tracing thread -------------------------------------------------------------------- */

static void ring_reset(struct buf *b)
{
	if (b->cap > SPARE_MOST)
		buf_free(b);
	else
		buf_reset(b);
}

/* The next block is in `out`; nothing: the ring buffer is empty. */
static int ring_next(struct ring *r)
{
	struct buf was = r->out;
	int err = 0;

	ring_reset(&was);
	pthread_mutex_lock(&r->lock);
	if (!r->in.len)
		err = ring_fill(r, BLOCK_MOST);
	r->out = r->in;
	r->in = was;
	pthread_mutex_unlock(&r->lock);
	r->at = 0;
	return err;
}

/* All records; non-zero of `fn` ends it and is returned, the rest comes next time. */
static int ring_take(struct ring *r, int (*fn)(void *arg, void *data, size_t size), void *arg)
{
	int err = 0;

	if (!r || r->taking)
		return 0;
	r->taking = true;
	while (!err) {
		if (r->at == r->out.len)
			err = ring_next(r);
		if (err || !r->out.len)
			break;
		while (!err && r->at < r->out.len) {
			char *rec = r->out.data + r->at;
			u64 size;

			memcpy(&size, rec, sizeof(size));
			r->at += sizeof(size) + size + (-size & 7);
			err = fn(arg, rec + sizeof(size), size);
		}
	}
	r->taking = false;
	return err;
}

/* ---- the second thread --------------------------------------------------------------------- */

static void pump_rest(struct ring *r)
{
	struct timespec until = clock_after(PUMP_NS);

	pthread_cond_timedwait(&r->wake, &r->lock, &until);
}

/* Until files are read again: ring_reading() sees that it sleeps, or this that they are. */
static void pump_sleep(struct ring *r)
{
	__atomic_store_n(&r->sleeps, 1, __ATOMIC_SEQ_CST);
	while (!r->over && !(__atomic_load_n(&r->files, __ATOMIC_SEQ_CST) & 1))
		pthread_cond_wait(&r->wake, &r->lock);
	__atomic_store_n(&r->sleeps, 0, __ATOMIC_SEQ_CST);
}

static void *pump(void *arg)
{
	struct ring *r = arg;
	u64 before = 0;
	u32 quiet = 0;

	pthread_mutex_lock(&r->lock);
	while (!r->over) {
		u64 now = __atomic_load_n(&r->files, __ATOMIC_SEQ_CST);

		if (now & 1 && now == before)    /* since the last look */
			ring_fill(r, QUEUE_MOST);
		quiet = now & 1 ? 0 : quiet + 1;
		if (quiet > PUMP_QUIET)
			pump_sleep(r);
		before = now;
		pump_rest(r);
	}
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

void ring_reading(struct ring *r, bool on)
{
	if (!r || r->no_thread || on == (r->files & 1))
		return;
	__atomic_add_fetch(&r->files, 1, __ATOMIC_SEQ_CST);
	if (!on)
		return;
	if (!r->has_thread) {
		r->has_thread = !thread_start(&r->thread, pump, r);
		r->no_thread = !r->has_thread;   /* then records wait in the ring buffer */
	} else if (__atomic_load_n(&r->sleeps, __ATOMIC_SEQ_CST)) {
		pthread_mutex_lock(&r->lock);
		pthread_cond_signal(&r->wake);
		pthread_mutex_unlock(&r->lock);
	}
}

/* ---- the records of a session ----------------------------------------------------------- */

/* Called for each record; non-zero ends the reading.  The first
 * interrupt ends it while tracing (the producers may be faster than the reader),
 * the second one always. */
static int session_sample(void *arg, void *data, size_t size)
{
	struct dtx_session *s = arg;
	int patience = s->state >= SES_DRAINING ? 1 : 0;

	if (s->abandoned) {              /* only counted */
		s->abandoned++;
		return 0;
	}
	if (s->con && consumer_record(s->con, data, size))
		return -ECANCELED;
	if (s->watched && consumer_has_shown(s->con))
		silence_over(s);
	return loop_interrupts(s->loop) > patience ? -EINTR : 0;
}

int session_data_fd(const struct dtx_session *s)
{
	return ring_fd(s->ring);
}

int session_drain(struct dtx_session *s)
{
	budget_reading(true);
	sights_look(s->sights);          /* first: records may have frames in these files */
	budget_reading(false);
	int err = ring_take(s->ring, session_sample, s);

	consumer_flush(s->con);
	return consumer_error(s->con) ? -consumer_error(s->con) : err;
}
