/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * slowattach.c - slow attaching and detaching.
 *
 * For each kernel probe the kernel patches its code and waits, and some kernels take only one
 * probe at a time: tens of thousands take minutes.  So the first probes are timed and the
 * remaining time is estimated, an interrupt ends the attaching, and a child process removes the
 * probes after dtx has ended; also a few events of tracepoints, each of which waits for the kernel.
 * Why: docs/decisions/06-system-calls.md
 *      docs/decisions/28-slow-attaching.md
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/run/run.h"

#define PACE_HAND     500000000ull /* if attaching took this many ns, a child removes the probes */
#define PACE_WAITING  2          /* so many links that wait for the kernel are closed at once */
#define PACE_PATIENCE 200                /* ms that dtx waits for the child */
#define PACE_CLOSERS  32                 /* threads that close links; each close may wait for RCU */

/* ---- closing links ------------------------------------------------------------------------ */

struct pace_closer {
	const int *fds;
	u32 n;
};

static void *pace_close_some(void *arg)
{
	const struct pace_closer *c = arg;

	for (u32 i = c->n; i-- > 0; )
		if (c->fds[i] >= 0)
			close(c->fds[i]);
	return NULL;
}

/*
 * Closing a perf event waits for the kernel's grace period: many are closed in parallel.  The
 * last attached are closed first: the functions by which the kernel patches its code
 * (attach_multi()).
 */
static void pace_close(const int *fds, u32 n)
{
	struct pace_closer part[PACE_CLOSERS];
	pthread_t thread[PACE_CLOSERS];
	u32 parts = n > 4 ? MIN(n, PACE_CLOSERS) : 1, started = 0;

	for (u32 i = 0; i < parts; i++) {
		u32 from = n - (u64)n * (i + 1) / parts, to = n - (u64)n * i / parts;
		part[i] = (struct pace_closer){ fds + from, to - from };
		if (i + 1 < parts && started == i &&
		    !pthread_create(&thread[i], NULL, pace_close_some, &part[i]))
			started++;
		else
			pace_close_some(&part[i]);
	}
	for (u32 i = 0; i < started; i++)
		pthread_join(thread[i], NULL);
}

static int pace_by_number(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/*
 * The child holds only the links, so a reader of dtx's output sees its end.  It begins after dtx
 * has closed its own copies, because the last one to close a link waits for the kernel.
 */
static void pace_remove(int *fds, u32 n, int go)
{
	static const int stops[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };
	int next = 0;
	char c;

	for (u32 i = 0; i < ARRAY_SIZE(stops); i++)
		signal(stops[i], SIG_IGN);
	while (read(go, &c, 1) < 0 && errno == EINTR)
		;
	prctl(PR_SET_NAME, "dtx-removes");
	qsort(fds, n, sizeof(*fds), pace_by_number);
	for (u32 i = 0; i < n; i++) {
		if (fds[i] > next)
			syscall(SYS_close_range, next, fds[i] - 1, 0);
		next = MAX(next, fds[i] + 1);
	}
	syscall(SYS_close_range, next, ~0u, 0);
	pace_close(fds, n);
	_exit(0);
}

void pace_detach(struct dtx_session *s)
{
	bool slow = (s->attach_ns > PACE_HAND && s->at.links.n) || s->at.waiting > PACE_WAITING;
	int go[2] = { -1, -1 };
	pid_t child = slow && !pipe2(go, O_CLOEXEC) ? fork() : -1;

	if (!child) {
		close(go[1]);
		pace_remove(s->at.links.v, s->at.links.n, go[0]);
	}
	if (child > 0) {
		s->remover = child;
		s->removed = s->at.links.n;
		pace_close_some(&(struct pace_closer){ s->at.links.v, s->at.links.n });
	} else {
		pace_close(s->at.links.v, s->at.links.n);
	}
	s->at.links.n = 0;
	if (go[0] >= 0) {
		close(go[0]);
		close(go[1]);
	}
}

void pace_wait(struct dtx_session *s)
{
	int remover;

	if (!s->remover)
		return;
	remover = (int)syscall(SYS_pidfd_open, s->remover, 0);
	if (remover >= 0 && fd_waits(remover, PACE_PATIENCE))
		waitpid(s->remover, NULL, 0);
	else if (s->attach_ns > PACE_HAND)
		consumer_tell(
			s->con, MESSAGE(DTX_NOTICE, DTX_INFO),
			"%u link%s being removed by the kernel; this goes on after dtx has ended, "
			"in process %d",
			s->removed, s->removed == 1 ? " is" : "s are", s->remover);
	if (remover >= 0)
		close(remover);
	s->remover = 0;
}
