/* SPDX-License-Identifier: BSD-2-Clause */
/* thread.c - helpers of the thread that traces: it alone gets the signals. */
#include <signal.h>

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
