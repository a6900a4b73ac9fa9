/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perflink.c - programs on perf events: one link at a time, or thousands of them in threads.
 *
 * For each perf kprobe the kernel patches its code and waits; in parallel, the waits overlap.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <linux/perf_event.h>

#include <dtx/feat.h>
#include <dtx/kind.h>

#include "runtime/provider/provider.h"
#include "runtime/kernel/kernel.h"
#include "runtime/provider/attach.h"

#define THREADS      8
#define THREADS_FROM 32         /* fewer probes than this are attached one after the other */
#define FIRST        64         /* probes from which the total time is estimated */

/* Kernels before 5.15: the event itself carries the program, no cookie. */
static int attach_ioctl(int prog_fd, int perf_fd)
{
	if (ioctl(perf_fd, PERF_EVENT_IOC_SET_BPF, prog_fd) < 0) {
		int err = -errno;

		close(perf_fd);
		return err;
	}
	return perf_fd;
}

int perf_attach(int prog_fd, int perf_fd, u64 cookie)
{
	int link = sys_link_perf(prog_fd, perf_fd, cookie);

	if (link >= 0) {
		close(perf_fd);                  /* the link holds the event */
		return link;
	}
	if (cookie && link != -EINVAL) {
		close(perf_fd);
		return link;
	}
	return attach_ioctl(prog_fd, perf_fd);
}

int perf_attach_sampled(struct attach *at, const struct perf_way *w, int perf_fd, u32 slot)
{
	int event = w->period ? fcntl(perf_fd, F_DUPFD_CLOEXEC, 0) : -1, link;

	if (event < 0) /* cannot be counted, or no more files: it still fires */
		ioctl(perf_fd, PERF_EVENT_IOC_ENABLE, 0);
	link = perf_attach(w->prog_fd, perf_fd, w->probe);
	if (link >= 0)
		at->links.v[slot] = link;
	if (link < 0 || event < 0) {
		if (event >= 0)
			close(event);
		return link;
	}
	ioctl(event, PERF_EVENT_IOC_ENABLE, 0);
	struct attach_sampled e = { event, w->probe, slot, w->period,
				    w->clock ? clock_ns(CLOCK_MONOTONIC) : 0 };
	VEC_PUSH(&at->sampled, e);
	return link;
}

int perf_attach_cpus(struct attach *at, struct attach_percpu pc, u32 *ncpus)
{
	s64 only = env_cpu(at->env);
	int err = -ENODEV;

	*ncpus = 0;
	pc.link = at->links.n;
	for (u32 cpu = 0; cpu < at->env->ncpus; cpu++)
		attach_keep(at, -1);
	VEC_PUSH(&at->percpu, pc);
	for (s64 cpu = MAX(only, 0); cpu < (only >= 0 ? only + 1 : at->env->ncpus); cpu++) {
		int now = pc.open(at, &pc, (int)cpu, pc.link + (u32)cpu);

		if (now >= 0)
			(*ncpus)++;
		else if (now != -ENODEV)         /* offline */
			err = now;
	}
	return *ncpus ? 0 : err;
}

struct work {
	const struct attach *at;
	const struct dtx_probe **probes;
	const u64 *cookies;
	perf_open_fn *open;
	int *fds;                        /* result: fd or -errno */
	u32 n, next;                     /* next: atomic */
	int prog_fd;
};

static void *worker(void *arg)
{
	struct work *w = arg;

	for (;;) {
		u32 i = __atomic_fetch_add(&w->next, 1, __ATOMIC_RELAXED);
		int fd;

		if (i >= w->n)
			return NULL;
		fd = attach_interrupted(w->at) ? -ECANCELED : w->open(w->at, w->probes[i]);
		w->fds[i] =
			fd < 0 ? fd : perf_attach(w->prog_fd, fd, w->cookies ? w->cookies[i] : 0);
	}
}

/* The probes from w->next to w->n. */
static void perflink_work(struct work *w)
{
	pthread_t threads[THREADS];
	u32 started = 0;

	while (w->n - w->next >= THREADS_FROM && started < THREADS &&
	       !thread_start(&threads[started], worker, w))
		started++;
	worker(w);
	while (started)
		pthread_join(threads[--started], NULL);
	w->next = w->n;
}

int perf_attach_all(struct attach *at, const struct dtx_probe **probes, const u64 *cookies,
		    u32 n, int prog_fd, struct perf_opener by)
{
	struct work w = { at, probes, cookies, by.open, xcalloc(n + !n, sizeof(int)), MIN(n, FIRST),
			  0,  prog_fd };
	u32 done = 0, before = at->unattached;
	u64 began = clock_ns(CLOCK_MONOTONIC);
	int err = 0;

	perflink_work(&w);
	attach_estimate(at, began, w.n, n, "perf events, one each,");
	w.n = n;
	perflink_work(&w);
	for (u32 i = 0; i < n; i++) {
		if (w.fds[i] == -ECANCELED) {
			at->unattached++;
			continue;
		}
		if (w.fds[i] >= 0) {
			attach_keep(at, w.fds[i]);
			done++;
			continue;
		}
		err = w.fds[i];
		attach_refuse(at, probes[i], "%s",
			      by.why ? by.why(at->env, probes[i], err) :
				       prov_why_of(probes[i], err));
	}
	free(w.fds);
	return done || !n || at->unattached > before ? 0 : err;
}

bool perf_events_open(struct dtx_env *env)
{
	return env_has(env, FEAT_PERF_EVENTS);
}

enum probe_ident perf_ident(struct dtx_env *env)
{
	return env_has(env, FEAT_PERF_COOKIE) ? IDENT_COOKIE : IDENT_ONE;
}

void perf_kind(struct dtx_env *env, struct dtx_probe *p)
{
	p->prog.kind = PK_PERF;
	p->prog.ident = perf_ident(env);
}
