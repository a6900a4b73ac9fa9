/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * loop.c - the one place where dtx waits: for the ring buffer, the timers, the end of
 * the targets and an interrupt, in one epoll.
 *
 * Every turn ends by reading the ring buffer: the data before an exit() are read before
 * dtx ends.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <dtx/opt.h>

#include "runtime/code/code.h"
#include "runtime/code/safe/budget.h"
#include "runtime/run/run.h"
#include "runtime/value/value.h"
#include "runtime/sink/sink.h"
#include "runtime/kernel/kernel.h"

#define LOOP_SECOND 1000000000LL
#define MEMORY_SHARED (84u << 20)
#define MEMORY_PART   6          /* it is at most this share of the memory */
#define SYMBOLS_PART  4          /* of it, at least this share for symbols */
#define LOOP_FILL   50000000LL   /* ns between checks whether the buffer is full (bufpolicy=fill) */
#define LOOP_SKIPS  256 /* with more programs the kernel's counters are read only at the end */

#define LOOP_BUSY   2000000LL    /* ns: records this soon after the last ones come fast */
#define LOOP_REST   1            /* ms */

enum loop_source { LOOP_WAKE, LOOP_STATUS, LOOP_DATA, LOOP_SWITCH, LOOP_TARGET,
		   LOOP_DURATION, LOOP_OVERHEAD, LOOP_LATE, LOOP_SAMPLE, LOOP_SINK, LOOP_SIGHT,
		   LOOP_CPUS, LOOP_CLOCK, LOOP_TABLE };

struct loop {
	struct dtx_session *s;
	int epoll, wake, status, rate, duration, look, late, sample, clock,
	    table;                               /* fds, -1: none */
	s64 period;                              /* of `rate`; 0: data wake the loop */
	bool fill; /* bufpolicy=fill: nothing is read before the end */
	volatile sig_atomic_t interrupts;        /* how often the user asked to stop */
	bool targets_ended, over; /* over: the option duration, or no probe is left */
	bool lasts;                              /* for more than a second */
	s64 tables;                              /* how many times `every` has passed */
	bool due;                                /* and the clauses of END were not run yet */
	s64 read;                                /* when records were last read, ns */
};

static int loop_add(struct loop *l, int fd, enum loop_source what)
{
	struct epoll_event ev = { .events = EPOLLIN, .data.u32 = what };
	return epoll_ctl(l->epoll, EPOLL_CTL_ADD, fd, &ev) ? -errno : 0;
}

/* A timer of the given period that the loop waits for. */
static int loop_add_timer(struct loop *l, s64 ns, enum loop_source what)
{
	struct timespec period = { ns / LOOP_SECOND, ns % LOOP_SECOND };
	struct itimerspec spec = { period, period };

	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (fd < 0)
		return -errno;
	timerfd_settime(fd, 0, &spec, NULL);
	int err = loop_add(l, fd, what);
	if (!err)
		return fd;
	close(fd);
	return err;
}

/* A timer that is due when somebody sets the time of day (timerfd_create(2)). */
static int loop_add_clock(struct loop *l)
{
	struct itimerspec never = { .it_value.tv_sec = INT64_MAX / LOOP_SECOND };

	l->clock = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
	if (l->clock < 0 || timerfd_settime(l->clock, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET,
					    &never, NULL))
		return -errno;
	return loop_add(l, l->clock, LOOP_CLOCK);
}

struct loop *loop_new(struct dtx_session *s)
{
	struct loop *l = xcalloc(1, sizeof(*l));

	l->s = s;
	l->status = l->rate = l->duration = l->look = l->late = l->sample = l->clock =
		l->table = -1;
	l->epoll = epoll_create1(EPOLL_CLOEXEC);
	l->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (l->epoll >= 0 && l->wake >= 0 && !loop_add(l, l->wake, LOOP_WAKE))
		return l;
	dtx_env_fail(s->env, -errno, "cannot set up waiting for events: %s", strerror(errno));
	loop_free(l);
	return NULL;
}

void loop_free(struct loop *l)
{
	if (!l)
		return;
	int fds[] = { l->table, l->clock, l->sample, l->late, l->look, l->duration, l->rate,
		      l->status, l->wake, l->epoll };
	for (u32 i = 0; i < ARRAY_SIZE(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	free(l);
}

void loop_interrupt(struct loop *l)
{
	u64 one = 1;
	int saved = errno;

	l->interrupts = l->interrupts + 1;
	ssize_t n = write(l->wake, &one, sizeof(one));
	(void)n;                         /* if the write fails, the counter is full and the loop
					  * wakes anyway */
	errno = saved;
}

int loop_interrupts(const struct loop *l)
{
	return l->interrupts;
}

/* Follows the option switchrate, also after setopt() changed it. */
static int loop_rate(struct loop *l)
{
	s64 period = l->fill ? LOOP_FILL : opt_num(l->s->env, OPT_switchrate);
	int data = session_data_fd(l->s);

	if (period == l->period)
		return 0;
	if (l->rate >= 0)
		close(l->rate);
	if (l->period == 0 && data >= 0)
		epoll_ctl(l->epoll, EPOLL_CTL_DEL, data, NULL);
	l->rate = -1;
	l->period = period;
	if (!period)
		return data >= 0 ? loop_add(l, data, LOOP_DATA) : 0;
	l->rate = loop_add_timer(l, period, LOOP_SWITCH);
	return l->rate < 0 ? l->rate : 0;
}

/* What the sinks wait for: time, and descriptors of their own. */
static int loop_add_sinks(struct loop *l)
{
	const struct outs *os = consumer_outs(l->s->con);
	int err = 0;

	for (u32 i = 0; i < os->n && !err; i++)
		if (os->v[i].fd >= 0)
			err = loop_add(l, os->v[i].fd, LOOP_SINK);
	if (err || !outs_period(os))
		return err;
	l->sample = loop_add_timer(l, outs_period(os), LOOP_SAMPLE);
	return l->sample < 0 ? l->sample : 0;
}

/* The options statusrate, duration and every. */
static int loop_add_times(struct loop *l)
{
	const struct opt_value *opts = l->s->env->opts->v;
	s64 status = opts[OPT_statusrate].n > 0 ? opts[OPT_statusrate].n : LOOP_SECOND;

	l->status = loop_add_timer(l, status, LOOP_STATUS);
	if (l->status < 0)
		return l->status;
	if (opts[OPT_duration].n > 0) {
		l->duration = loop_add_timer(l, opts[OPT_duration].n, LOOP_DURATION);
		if (l->duration < 0)
			return l->duration;
	}
	if (opts[OPT_every].n > 0) {
		l->table = loop_add_timer(l, opts[OPT_every].n, LOOP_TABLE);
		if (l->table < 0)
			return l->table;
	}
	return 0;
}

/* Timers and the ring buffer are added when tracing begins; data by rate or at once. */
static int loop_prepare(struct loop *l)
{
	const struct opt_value *opts = l->s->env->opts->v;
	int err = loop_add_times(l);

	if (err)
		return err;
	if (l->s->overhead) {
		s64 period = opts[OPT_maxoverhead].n ? OVERHEAD_PERIOD : 0;

		l->look = loop_add_timer(l, OVERHEAD_PERIOD, LOOP_OVERHEAD);
		if (l->look < 0)
			return l->look;
		timerfd_settime(l->look, 0, &(struct itimerspec){
					{ 0, period }, { 0, OVERHEAD_FIRST } }, NULL);
	}
	if (l->s->late) {
		l->late = loop_add_timer(l, LATE_PERIOD, LOOP_LATE);
		if (l->late < 0)
			return l->late;
	}
	err = aggs_take(consumer_aggs(l->s->con));
	if (err)
		return err;
	l->fill = l->s->ld.ctl->fill;
	l->period = -1;
	err = loop_add_sinks(l);
	if (!err)
		err = loop_rate(l);
	if (!err)
		err = loop_add_clock(l);
	if (!err && l->s->sights)
		err = loop_add(l, sights_fd(l->s->sights), LOOP_SIGHT);
	if (!err && hotplug_fd(l->s->hotplug) >= 0)
		err = loop_add(l, hotplug_fd(l->s->hotplug), LOOP_CPUS);
	for (u32 i = 0; !err && i < l->s->ntargets; i++)
		err = loop_add(l, target_pidfd(l->s->targets[i]), LOOP_TARGET);
	return err;
}

/* The session ends with the last target. */
static void loop_handle_targets(struct loop *l)
{
	struct range nowhere = { 0 };
	u32 ended = 0;

	for (u32 i = 0; i < l->s->ntargets; i++) {
		const char *how = NULL;
		bool killed = false;

		if (!target_ended(l->s->targets[i], &how, &killed))
			continue;
		ended++;
		epoll_ctl(l->epoll, EPOLL_CTL_DEL, target_pidfd(l->s->targets[i]), NULL);
		l->s->killed |= killed && !l->interrupts;
		if (how && (killed || !env_is_quiet(l->s->env)))
			diag_warn(&l->s->env->diags, DIAG_NONE, nowhere, "%s", how);
	}
	l->targets_ended = ended == l->s->ntargets;
}

/*
 * Stacks, rows that have them, and the symbols of files have one amount of memory together: with
 * what else a run needs (50 MB), a profile of the whole machine stays below 200 MB.  In a memory
 * group it is a part of that: the maps may take half, and dtx itself needs some 30 MB.
 */
static void loop_share_memory(struct dtx_session *s)
{
	size_t kept = stacktake_bytes(&s->ld) + aggs_carry_bytes(consumer_aggs(s->con));
	bool limited;
	u64 shared = MIN(env_memory(&limited) / MEMORY_PART, (u64)MEMORY_SHARED);

	codefiles_limit(s->env, MAX(shared - MIN((u64)kept, shared), shared / SYMBOLS_PART));
	budget_memory(limited ? shared : 0, env_memory_left);
}

/* Records come first, while aggregations are read for a view, and before losses are told.  What
 * fails is seen again later. */
static void loop_drain(void *arg)
{
	struct loop *l = arg;

	if (!l->fill)
		session_drain(l->s);
}

static void loop_status(struct loop *l)
{
	silence_look(l->s);
	loop_share_memory(l->s);
	if (!l->lasts)
		memory_give_back();
	l->lasts = true;
	faults_report(l->s->con, false);
	consumer_drops(l->s->con, loop_drain, l);
	if (l->s->at.attached.n <= LOOP_SKIPS)
		consumer_report_skips(l->s->con);
}

/* Somebody waits for the values. */
static void loop_sample_now(struct loop *l)
{
	consumer_sample_now(l->s->con, loop_drain, l);
}

/* Whoever reads the values may think of a longer run. */
static void loop_tell_limit(const struct loop *l)
{
	struct dtx_env *env = l->s->env;

	if (l->s->ld.ends_where && !l->over)
		diags_say(&env->diags, MESSAGE(DTX_NOTICE, DTX_WARNING),
			  "the run ended after %s, as this machine allows no longer one (%s)",
			  opt_text(env, OPT_duration), l->s->ld.ends_where);
}

/* The last table is that of the end. */
static void loop_count_table(struct loop *l, u64 times)
{
	s64 most = opt_num(l->s->env, OPT_duration), every = opt_num(l->s->env, OPT_every);

	l->tables += (s64)times;         /* one that is late by more is of a longer time */
	l->due = !most || l->tables < (most + every - 1) / every;
}

static void loop_handle(struct loop *l, enum loop_source what)
{
	u64 times;

	switch (what) {
	case LOOP_STATUS:
		if (read(l->status, &times, sizeof(times)) > 0)
			loop_status(l);
		budget_reading(true);
		sights_refresh(l->s->sights);
		budget_reading(false);
		hotplug_look(l->s->hotplug);
		break;
	case LOOP_SWITCH:
		if (read(l->rate, &times, sizeof(times)) < 0)
			break;           /* another turn has seen it */
		break;
	case LOOP_DURATION:
		loop_tell_limit(l);
		l->over = true;
		break;
	case LOOP_TABLE:
		if (read(l->table, &times, sizeof(times)) > 0)
			loop_count_table(l, times);
		break;
	case LOOP_OVERHEAD:
		if (read(l->look, &times, sizeof(times)) > 0 && overhead_look(l->s->overhead))
			l->over = true;
		break;
	case LOOP_LATE:
		budget_reading(true);    /* of programs and libraries that came */
		if (read(l->late, &times, sizeof(times)) > 0)
			late_look(l->s->late);
		budget_reading(false);
		break;
	case LOOP_TARGET:
		loop_handle_targets(l);
		break;
	case LOOP_SAMPLE:
		if (read(l->sample, &times, sizeof(times)) > 0)
			consumer_sample(l->s->con, loop_drain, l);
		break;
	case LOOP_SINK:
		outs_ready(consumer_outs(l->s->con));
		if (outs_sample_now(consumer_outs(l->s->con)))
			loop_sample_now(l);
		break;
	case LOOP_SIGHT:         /* session_drain() looks at them */
		break;
	case LOOP_CPUS:
		hotplug_look(l->s->hotplug);
		break;
	case LOOP_CLOCK:
		if (read(l->clock, &times, sizeof(times)) < 0 && errno == ECANCELED)
			load_set_clock(&l->s->ld);
		break;
	case LOOP_WAKE:
	case LOOP_DATA:
		break;
	}
}

/*
 * Records that come fast are read once per millisecond.  A producer wakes the reader only if
 * the reader has read everything: a reader that rests saves the producers one interrupt per
 * record.
 */
static void loop_rest(struct loop *l)
{
	if (clock_ns(CLOCK_MONOTONIC) - l->read < LOOP_BUSY && !l->s->ld.ctl->exit_called)
		fd_waits(l->wake, LOOP_REST);
}

enum loop_next { LOOP_ON, LOOP_OVER, LOOP_DUE };

/* What is next, or negative: error. */
static int loop_turn(struct loop *l)
{
	struct epoll_event ev[8];
	bool idle = l->interrupts || l->s->ld.ctl->exit_called;

	int n = epoll_wait(l->epoll, ev, ARRAY_SIZE(ev), idle ? 0 : -1);
	if (n < 0 && errno != EINTR)
		return -errno;
	for (int i = 0; i < n; i++)
		loop_handle(l, ev[i].data.u32);
	bool data = n == 1 && ev[0].data.u32 == LOOP_DATA;
	if (data)
		loop_rest(l);
	int err = l->fill ? 0 : session_drain(l->s);
	if (data)
		l->read = clock_ns(CLOCK_MONOTONIC);
	if (!err)
		err = loop_rate(l);
	if (err)
		return err == -EINTR ? LOOP_OVER : err;
	if (l->interrupts || l->targets_ended || l->over || l->s->ld.ctl->exit_called ||
	    outs_stop(consumer_outs(l->s->con)))
		return LOOP_OVER;
	return l->due ? LOOP_DUE : LOOP_ON;
}

int loop_run(struct loop *l)
{
	int next = l->status < 0 ? loop_prepare(l) : 0;

	loop_share_memory(l->s);
	if (next && diags_failed(&l->s->env->diags))
		return next;
	if (next)
		return dtx_env_fail(l->s->env, next, "cannot wait for events: %s",
				    strerror(-next));
	l->due = false;
	do {
		next = loop_turn(l);
	} while (next == LOOP_ON);
	return next < 0 ? next : next == LOOP_DUE;
}
