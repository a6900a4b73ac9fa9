/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * time.bpf.c - time stamps.  All clauses of a firing see the same time, except for the time of day.
 */
#include "dtx.bpf.h"

DTX_FN u64 dtx_timestamp(struct dtx_mst *m)
{
	if (!m->time)
		m->time = bpf_ktime_get_ns();
	return m->time;
}

DTX_FN u64 dtx_elapsed(struct dtx_mst *m)
{
	return dtx_timestamp(m) - dtx_ctl.start;
}

DTX_FN s64 dtx_walltimestamp(struct dtx_mst *m)
{
	return bpf_ktime_get_ns() + dtx_ctl.wall_offset;
}

DTX_FN u64 dtx___boottime(struct dtx_mst *m)
{
	return bpf_ktime_get_boot_ns();
}

DTX_FN u64 dtx___jiffies(struct dtx_mst *m)
{
	return bpf_jiffies64();
}

/* ---- vtimestamp ------------------------------------------------------------------------- */

extern char dtx_vtime[];

static inline __attribute__((always_inline)) volatile struct dtx_slice *time_slice(void)
{
	u32 first = 0;

	return bpf_map_lookup_elem(dtx_vtime, &first);
}

/* sched_switch(preempt, from, to): sum_off is where a task has its CPU time. */
DTX_FN void dtx_vtime_switch(struct dtx_mst *m, u64 sum_off)
{
	u64 next = ((u64 *)m->ctx)[2], sum = 0;
	volatile struct dtx_slice *s = time_slice();

	if (!s)
		return;
	bpf_probe_read_kernel(&sum, sizeof(sum), (void *)(next + sum_off));
	s->task = next;
	s->sum = sum;
	s->since = bpf_ktime_get_ns();
}

/* CPU time of the current thread by the clock; `booked`: as the scheduler has it. */
static inline __attribute__((always_inline)) u64 time_now(struct dtx_mst *m, u64 task, u64 booked)
{
	volatile struct dtx_slice *s = time_slice();
	u64 now = dtx_timestamp(m), sum, by_clock;

	if (!s)
		return booked;
	if (!s->task) {                  /* nothing was switched on this CPU yet */
		s->sum = booked;
		s->since = now;
		s->task = task;
	}
	if (s->task != task)             /* in the switch: it is booked up to now */
		return booked;
	sum = s->sum;                    /* before `since`: a switch in between gives less */
	by_clock = sum + (now - s->since);
	return (s64)(by_clock - booked) > 0 ? by_clock : booked;
}

/*
 * The clock counts interrupts and what the hypervisor took, which the scheduler does not book to
 * the thread: after the switch that follows, the time stands until it is that of the scheduler
 * again.  The thread's storage remembers it, at `off`.
 */
DTX_FN u64 dtx_vtimestamp(struct dtx_mst *m, u64 booked, const void *zero, u32 off)
{
	u64 v = time_now(m, bpf_get_current_task(), booked), *last;
	char *self = dtx_self_make(m, zero);

	if (!self)
		return v;
	last = (u64 *)(self + off);
	if (v < *last)
		return *last;
	*last = v;
	return v;
}
