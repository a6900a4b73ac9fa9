/* SPDX-License-Identifier: BSD-2-Clause */
/* thread.c - helpers of the thread that traces: it alone gets the signals; waiting. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include <dtx/base.h>

#define STACK  (1u << 20)       /* libraries that read files need some */

int thread_start(pthread_t *t, void *(*run)(void *), void *arg)
{
	pthread_attr_t attr;
	sigset_t all, old;
	int err;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	err = pthread_create(t, &attr, run, arg);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
	return -err;
}

/* It waits by futex(2), as locks do: a filter of system calls may refuse others. */
static void *periodic_run(void *arg)
{
	struct periodic *p = arg;

	pthread_mutex_lock(&p->lock);
	while (!p->ends) {
		struct timespec until = clock_after(p->ms * 1000000ll);

		while (!p->ends && !pthread_cond_timedwait(&p->wake, &p->lock, &until))
			;
		if (p->ends)
			break;
		pthread_mutex_unlock(&p->lock);
		p->fn(p->arg);
		pthread_mutex_lock(&p->lock);
	}
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

int periodic_start(struct periodic *p, int ms, void (*fn)(void *arg), void *arg)
{
	pthread_condattr_t monotonic;
	int err;

	*p = (struct periodic){ .lock = PTHREAD_MUTEX_INITIALIZER, .ms = ms, .fn = fn, .arg = arg };
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&p->wake, &monotonic);
	pthread_condattr_destroy(&monotonic);
	err = thread_start(&p->thread, periodic_run, p);
	p->runs = !err;
	return err;
}

void periodic_end(struct periodic *p)
{
	if (!p->runs)
		return;
	pthread_mutex_lock(&p->lock);
	p->ends = true;
	pthread_cond_signal(&p->wake);
	pthread_mutex_unlock(&p->lock);
	pthread_join(p->thread, NULL);
	pthread_cond_destroy(&p->wake);
	p->runs = false;
}

bool fd_waits(int fd, int ms)
{
	struct epoll_event ev = { .events = EPOLLIN };
	int n = poll(&(struct pollfd){ fd, POLLIN, 0 }, 1, ms), epoll;

	if (n >= 0 || errno == EINTR)
		return n > 0;
	epoll = epoll_create1(EPOLL_CLOEXEC);    /* a filter of system calls refused the other */
	if (epoll < 0)
		return false;
	n = epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &ev) ? -1 : epoll_wait(epoll, &ev, 1, ms);
	close(epoll);
	return n > 0;
}
