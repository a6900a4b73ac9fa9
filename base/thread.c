/* SPDX-License-Identifier: BSD-2-Clause */
/* thread.c - helpers of the thread that traces: it alone gets the signals. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
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

static void *periodic_run(void *arg)
{
	const struct periodic *p = arg;
	struct pollfd stop = { .fd = p->stop, .events = POLLIN };

	while (poll(&stop, 1, p->ms) <= 0)
		p->fn(p->arg);
	return NULL;
}

int periodic_start(struct periodic *p, int ms, void (*fn)(void *arg), void *arg)
{
	int err;

	*p = (struct periodic){ .ms = ms, .fn = fn, .arg = arg };
	p->stop = eventfd(0, EFD_CLOEXEC);
	if (p->stop < 0)
		return -errno;
	err = thread_start(&p->thread, periodic_run, p);
	p->runs = !err;
	if (err)
		close(p->stop);
	return err;
}

void periodic_end(struct periodic *p)
{
	u64 one = 1;

	if (!p->runs)
		return;
	if (write(p->stop, &one, sizeof(one)) > 0)
		pthread_join(p->thread, NULL);
	close(p->stop);
	p->runs = false;
}
