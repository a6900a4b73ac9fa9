/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * schedevent.c - records of the scheduler's events, as the kernel's own (FtraceEvent): Perfetto
 * makes the lanes of CPUs, the states of threads and the arrows of wake-ups of them.
 *
 * A switch needs the values args.prev_pid, args.prev_state and args.next_pid, a wake-up args.pid;
 * the others are taken if they are there.
 */
#include "runtime/sink/perfetto/perfetto.h"

/* The value called args.NAME, or NULL. */
static const struct val *event_arg(const struct event *ev, const char *name)
{
	for (u32 i = 0; i < ev->nitems; i++)
		for (u32 k = 0; k < ev->items[i].act->nfields; k++) {
			const char *is = ev->items[i].act->fields[k].name;

			if (is && !strncmp(is, "args.", 5) && !strcmp(is + 5, name))
				return &ev->items[i].vals[k];
		}
	return NULL;
}

static char *arg_text(struct perfetto *p, const struct event *ev, const char *name)
{
	const struct val *v = event_arg(ev, name);

	return v && (v->kind == VAL_STR || v->kind == VAL_BYTES) && !v->null
	       ? plain_text(p, v->p, v->len) : NULL;
}

static bool arg_num(const struct event *ev, const char *name, s64 *to)
{
	const struct val *v = event_arg(ev, name);

	*to = v ? (s64)v->u : 0;
	return v && v->kind == VAL_INT;
}

static void packet_sched(struct perfetto *p, const struct event *ev, Perfetto__FtraceEvent *e)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__FtraceEventBundle bundle = PERFETTO__FTRACE_EVENT_BUNDLE__INIT;

	e->has_timestamp = e->has_pid = true;
	e->timestamp = ev->time + p->shift;
	e->pid = ev->tid;
	bundle.has_cpu = true;
	bundle.cpu = ev->cpu;
	bundle.n_event = 1;
	bundle.event = &e;
	packet.ftrace_events = &bundle;
	packet_put(p, &packet);
}

static bool sched_switch(struct out *o, const struct event *ev)
{
	struct perfetto *p = o->priv;
	Perfetto__FtraceEvent e = PERFETTO__FTRACE_EVENT__INIT;
	Perfetto__SchedSwitch s = PERFETTO__SCHED_SWITCH__INIT;
	s64 prev, next, state, prio;

	if (!arg_num(ev, "prev_pid", &prev) || !arg_num(ev, "prev_state", &state) ||
	    !arg_num(ev, "next_pid", &next))
		return false;
	s.has_prev_pid = s.has_next_pid = s.has_prev_state = true;
	s.prev_pid = (s32)prev;
	s.next_pid = (s32)next;
	s.prev_state = state;
	s.has_prev_prio = arg_num(ev, "prev_prio", &prio);
	s.prev_prio = (s32)prio;
	s.has_next_prio = arg_num(ev, "next_prio", &prio);
	s.next_prio = (s32)prio;
	s.prev_comm = arg_text(p, ev, "prev_comm");
	s.next_comm = arg_text(p, ev, "next_comm");
	if (prev)
		s.prev_comm = thread_seen(o, (u32)prev, ev->pid, s.prev_comm)->name;
	if (next)
		s.next_comm = thread_seen(o, (u32)next, 0, s.next_comm)->name;
	e.sched_switch = &s;
	packet_sched(p, ev, &e);
	return true;
}

static bool sched_wakeup(struct out *o, const struct event *ev)
{
	struct perfetto *p = o->priv;
	Perfetto__FtraceEvent e = PERFETTO__FTRACE_EVENT__INIT;
	Perfetto__SchedWakeup w = PERFETTO__SCHED_WAKEUP__INIT;
	s64 pid, other;

	if (!arg_num(ev, "pid", &pid))
		return false;
	thread_seen(o, ev->tid, ev->pid, NULL);
	w.has_pid = w.has_success = true;
	w.pid = (s32)pid;
	w.success = 1;
	w.has_prio = arg_num(ev, "prio", &other);
	w.prio = (s32)other;
	w.has_target_cpu = arg_num(ev, "target_cpu", &other);
	w.target_cpu = (s32)other;
	w.comm = thread_seen(o, (u32)pid, 0, arg_text(p, ev, "comm"))->name;
	if (!strcmp(ev->probe->name, "sched_waking"))
		e.sched_waking = &w;
	else if (!strcmp(ev->probe->name, "sched_wakeup"))
		e.sched_wakeup = &w;
	else
		e.sched_wakeup_new = &w;
	packet_sched(p, ev, &e);
	return true;
}

static const struct sched_event {
	const char *name;
	bool (*show)(struct out *, const struct event *);        /* false: values are missing */
} sched_events[] = {
	{ "sched_switch", sched_switch }, { "sched_waking", sched_wakeup },
	{ "sched_wakeup", sched_wakeup }, { "sched_wakeup_new", sched_wakeup },
};

bool event_sched(struct out *o, const struct event *ev)
{
	for (u32 i = 0; i < ARRAY_SIZE(sched_events); i++)
		if (!strcmp(ev->probe->name, sched_events[i].name))
			return sched_events[i].show(o, ev);
	return false;
}
