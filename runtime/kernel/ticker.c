/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ticker.c - tick probes: a thread with a timer for each probe runs their programs.
 *
 * The clock events of perf are used for profile probes, but not here: some kernels for
 * virtual machines drop them while the CPU is idle, and a program with `tick-10s {
 * exit(0); }` would never end.  A separate thread is on time even while the consumer
 * prints.
 * Why: docs/decisions/02-begin-end-tick.md
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "runtime/kernel/kernel.h"

struct tick {
	int timer, prog;
	s64 period;                      /* ns */
};

struct ticker {
	VEC(struct tick) ticks;
	pthread_t thread;
	bool runs;
	int epoll, stop, cpu;            /* fds; the option cpu, -1: any */
};

static int ticker_watch(const struct ticker *t, int fd, u32 what)
{
	struct epoll_event ev = { .events = EPOLLIN, .data.u32 = what };

	return fd < 0 || epoll_ctl(t->epoll, EPOLL_CTL_ADD, fd, &ev) ? -errno : 0;
}

static struct ticker *ticker_new(int cpu)
{
	struct ticker *t = xcalloc(1, sizeof(*t));

	t->cpu = cpu;
	t->epoll = epoll_create1(EPOLL_CLOEXEC);
	t->stop = eventfd(0, EFD_CLOEXEC);
	return t;
}

void ticker_free(struct ticker *t)
{
	u64 one = 1;

	if (!t)
		return;
	if (t->runs && write(t->stop, &one, sizeof(one)) > 0)
		pthread_join(t->thread, NULL);
	for (u32 i = 0; i < t->ticks.n; i++)
		close(t->ticks.v[i].timer);
	if (t->stop >= 0)
		close(t->stop);
	if (t->epoll >= 0)
		close(t->epoll);
	VEC_FREE(&t->ticks);
	free(t);
}

int ticker_add(struct ticker **to, int cpu, s64 period, int prog)
{
	struct ticker *t = *to ? *to : ticker_new(cpu);
	struct tick tick = { timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK), prog,
			     period };
	int err = ticker_watch(t, tick.timer, t->ticks.n);

	*to = t;
	if (!err)
		VEC_PUSH(&t->ticks, tick);
	else if (tick.timer >= 0)
		close(tick.timer);
	return err;
}

/* Ticks that a late thread has missed are not repeated. */
static void *ticker_run(void *arg)
{
	const struct ticker *t = arg;
	struct epoll_event ev;
	u64 times;

	for (;;) {
		int n = epoll_wait(t->epoll, &ev, 1, -1);

		if (n < 0 && errno == EINTR)     /* stopped and continued */
			continue;
		if (n < 0 || ev.data.u32 == t->ticks.n)
			return NULL;
		const struct tick *tick = &t->ticks.v[ev.data.u32];
		if (read(tick->timer, &times, sizeof(times)) > 0)
			sys_test_run(tick->prog, t->cpu);
	}
}

static int ticker_thread(struct ticker *t)
{
	int err = thread_start(&t->thread, ticker_run, t);

	t->runs = !err;
	return err;
}

int ticker_start(struct ticker *t)
{
	int err = t ? ticker_watch(t, t->stop, t->ticks.n) : 0;

	for (u32 i = 0; t && !err && i < t->ticks.n; i++) {
		s64 ns = t->ticks.v[i].period;
		struct timespec period = { ns / 1000000000, ns % 1000000000 };
		struct itimerspec spec = { period, period };
		if (timerfd_settime(t->ticks.v[i].timer, 0, &spec, NULL))
			err = -errno;
	}
	return t && !err ? ticker_thread(t) : err;
}
