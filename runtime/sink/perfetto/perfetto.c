/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perfetto.c - --perfetto FILE: a time line as Perfetto's protocol buffers (perfetto.proto), for
 * its viewer and its tools.
 *
 *   slice          entry and return of a function or system call, when both have clauses
 *   instant        any other record; a return whose entry was not seen
 *   counter        each printa(), and the end: a track for each key
 *   CPU lanes, wake-ups   records of the scheduler's events (schedevent.c)
 *
 * A record belongs to the thread that it came from; in a replay its process is not known.  Threads
 * and processes get their names from values called execname, from switches, or while they run from
 * /proc.  A file is packets behind each other, so one that was cut lacks only its end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "runtime/sink/perfetto/perfetto.h"

#define WRITE_AT     65536       /* bytes collected before a write */
#define SEQUENCE     1           /* all packets come from one writer */
#define STATE_CLEARED  1         /* SEQ_INCREMENTAL_STATE_CLEARED: the first packet of it */

/* ---- packets --------------------------------------------------------------------------------- */

void packet_put(struct perfetto *p, Perfetto__TracePacket *packet)
{
	Perfetto__TracePacket *one[] = { packet };
	Perfetto__Trace trace = PERFETTO__TRACE__INIT;

	packet->has_trusted_packet_sequence_id = true;
	packet->trusted_packet_sequence_id = SEQUENCE;
	if (!p->begun) {
		packet->has_sequence_flags = true;
		packet->sequence_flags = STATE_CLEARED;
	}
	p->begun = true;
	trace.n_packet = 1;
	trace.packet = one;
	size_t len = protobuf_c_message_get_packed_size(&trace.base);
	char *to = buf_room(&p->out, len);

	protobuf_c_message_pack(&trace.base, (u8 *)to);
	p->out.len += len;
}

static void packet_event(struct perfetto *p, u64 time, u64 track, Perfetto__TrackEvent__Type type,
			 Perfetto__TrackEvent *e)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;

	packet.has_timestamp = true;
	packet.timestamp = time + p->shift;
	e->has_type = true;
	e->type = type;
	e->has_track_uuid = true;
	e->track_uuid = track;
	packet.track_event = e;
	packet_put(p, &packet);
}

static void packet_track(struct perfetto *p, Perfetto__TrackDescriptor *d, u64 uuid)
{
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;

	d->has_uuid = true;
	d->uuid = uuid;
	packet.track_descriptor = d;
	packet_put(p, &packet);
}

/* ---- threads and processes ------------------------------------------------------------------- */

static struct thread *thread_of(struct perfetto *p, u32 tid)
{
	u32 *at = keytab_put(p->threads, &tid);

	if (!*at) {
		VEC_PUSH(&p->v, ((struct thread){ .tid = tid }));
		*at = p->v.n;
	}
	return &p->v.v[*at - 1];
}

/* A name for good: of a thread that runs now, or its number. */
static char *thread_asked(struct out *o, u32 tid)
{
	char path[32], *name, *text;
	size_t len;

	snprintf(path, sizeof(path), "/proc/%u/comm", tid);
	if (o->run->replayed || file_read_named(path, &name, &len))
		return xprintf("thread %u", tid);
	len -= len && name[len - 1] == '\n';
	text = xstrdup(plain_text(o->priv, name, len));
	free(name);
	return text;
}

static void thread_process(struct perfetto *p, const struct thread *t)
{
	Perfetto__TrackDescriptor d = PERFETTO__TRACK_DESCRIPTOR__INIT;
	Perfetto__ProcessDescriptor process = PERFETTO__PROCESS_DESCRIPTOR__INIT;
	u32 *known = keytab_put(p->processes, &t->pid);

	if (*known && t->pid != t->tid)
		return;
	*known = 1;
	process.has_pid = true;
	process.pid = (s32)t->pid;
	process.process_name = t->name;
	d.process = &process;
	packet_track(p, &d, TRACK_PROCESS + t->pid);
}

static void thread_track(struct perfetto *p, struct thread *t)
{
	Perfetto__TrackDescriptor d = PERFETTO__TRACK_DESCRIPTOR__INIT;
	Perfetto__ThreadDescriptor thread = PERFETTO__THREAD_DESCRIPTOR__INIT;

	if (t->tracked)
		return;
	t->tracked = true;
	if (t->pid) {
		thread_process(p, t);
		thread.has_pid = thread.has_tid = true;
		thread.pid = (s32)t->pid;
		thread.tid = (s32)t->tid;
		thread.thread_name = t->name;
		d.thread = &thread;
	} else {                         /* a replay */
		d.name = arena_printf(p->arena, "%s %u", t->name, t->tid);
	}
	packet_track(p, &d, TRACK_THREAD + t->tid);
}

struct thread *thread_seen(struct out *o, u32 tid, u32 pid, const char *name)
{
	struct perfetto *p = o->priv;
	struct thread *t = thread_of(p, tid);
	bool renamed = name && *name && (!t->name || strcmp(t->name, name));

	if (t->name && !renamed && (!pid || t->pid == pid))
		return t;
	if (renamed || !t->name) {
		free(t->name);
		t->name = renamed ? xstrdup(name) : thread_asked(o, tid);
	}
	if (pid)
		t->pid = pid;
	t->tracked = false;
	if (t->pid)
		thread_track(p, t);
	return t;
}

/* ---- records --------------------------------------------------------------------------------- */

/* The slice whose end this is; those in it never returned, and end with it. */
static bool event_return(struct out *o, struct thread *t, const struct event *ev)
{
	struct perfetto *p = o->priv;
	u32 i = t->open.n;

	for (; i; i--) {
		const struct call *c = &t->open.v[i - 1];

		if (pairs_match(img_probe(o->run->img, c->probe), c->frame, ev))
			break;
	}
	for (; i && t->open.n >= i; t->open.n--) {
		Perfetto__TrackEvent e = PERFETTO__TRACK_EVENT__INIT;

		if (t->open.n == i)
			event_values(o, ev, &e);
		packet_event(p, ev->time, TRACK_THREAD + t->tid,
			     PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_END, &e);
	}
	return i;
}

/* The name of a program that the record has, or NULL. */
static const char *event_execname(struct perfetto *p, const struct event *ev)
{
	for (u32 i = 0; i < ev->nitems; i++)
		for (u32 k = 0; k < ev->items[i].act->nfields; k++) {
			const char *name = ev->items[i].act->fields[k].name;
			const struct val *v = &ev->items[i].vals[k];

			if (name && !strcmp(name, "execname") && v->kind == VAL_STR && !v->null)
				return plain_text(p, v->p, v->len);
		}
	return NULL;
}

/* Of too many open calls the outer ones stay open. */
static void thread_begins(struct thread *t, struct call call)
{
	if (t->open.n == NESTED_MAX)
		VEC_DROP(&t->open, NESTED_MAX / 2);
	VEC_PUSH(&t->open, call);
}

static void event_track(struct out *o, const struct event *ev, enum half half)
{
	struct perfetto *p = o->priv;
	struct thread *t = thread_seen(o, ev->tid, ev->pid, event_execname(p, ev));
	const struct dtx_probe *probe = ev->probe;
	Perfetto__TrackEvent e = PERFETTO__TRACK_EVENT__INIT;
	u32 index = img_probe_at(o->run->img, probe);
	const struct call *top = t->open.n ? &t->open.v[t->open.n - 1] : NULL;
	/* What a later clause of the same firing recorded is an instant in the slice. */
	bool again = top && top->probe == index && top->time == ev->time;
	bool begins = half == HALF_ENTRY && !again;
	const char *name = begins ? probe->func
				  : arena_printf(p->arena, "%s:%s",
						 *probe->func ? probe->func : probe->prov,
						 probe->name);
	char *categories[] = { plain_text(p, probe->prov, strlen(probe->prov)),
			       arena_printf(p->arena, "clause %u", ev->site->clause + 1) };

	thread_track(p, t);
	if (half == HALF_RETURN && event_return(o, t, ev))
		return;
	event_values(o, ev, &e);
	e.categories = categories;
	e.n_categories = ARRAY_SIZE(categories);
	e.name = plain_text(p, name, strlen(name));
	if (begins)
		thread_begins(t, (struct call){ index, ev->time, ev->frame });
	packet_event(p, ev->time, TRACK_THREAD + t->tid,
		     begins ? PERFETTO__TRACK_EVENT__TYPE__TYPE_SLICE_BEGIN
			    : PERFETTO__TRACK_EVENT__TYPE__TYPE_INSTANT, &e);
}

/* ---- counters -------------------------------------------------------------------------------- */

static u64 counter_track(struct out *o, const struct img_agg *agg, const char *name)
{
	struct perfetto *p = o->priv;
	Perfetto__TrackDescriptor d = PERFETTO__TRACK_DESCRIPTOR__INIT;
	Perfetto__CounterDescriptor counter = PERFETTO__COUNTER_DESCRIPTOR__INIT;
	uintptr_t known = (uintptr_t)map_get(p->counters, name);

	if (known)
		return TRACK_COUNTER + known;
	known = ++p->ncounters;
	map_set(p->counters, name, (void *)known);
	counter.has_unit = agg->unit != NULL;
	if (agg->unit && !strcmp(agg->unit, "ns"))
		counter.unit = PERFETTO__COUNTER_DESCRIPTOR__UNIT__UNIT_TIME_NS;
	else if (agg->unit && !strcmp(agg->unit, "bytes"))
		counter.unit = PERFETTO__COUNTER_DESCRIPTOR__UNIT__UNIT_SIZE_BYTES;
	d.name = (char *)name;
	d.counter = &counter;
	packet_track(p, &d, TRACK_COUNTER + known);
	return TRACK_COUNTER + known;
}

static char *counter_name(struct out *o, const struct agg_print *print, const struct agg_row *row,
			  u32 agg)
{
	struct perfetto *p = o->priv;
	struct buf b = { 0 };

	buf_printf(&b, "@%s", print->aggs[agg]->name);
	for (u32 k = 0; k < print->aggs[agg]->nkeys; k++) {
		Perfetto__DebugAnnotation a = PERFETTO__DEBUG_ANNOTATION__INIT;

		annotate(o, &a, &row->keys[k]);
		buf_putc(&b, ' ');
		if (a.string_value)
			buf_puts(&b, a.string_value);
		else
			stack_key_text(o->env, &row->keys[k], &b);
	}
	char *name = arena_strndup(p->arena, b.data, b.len);

	buf_free(&b);
	return name;
}

static void counter_value(Perfetto__TrackEvent *e, const struct agg_value *v)
{
	s128 n = v->kind == AGG_HISTOGRAM ? v->sum : v->number;

	e->has_counter_value = agg_s64(n) == n;
	e->counter_value = agg_s64(n);
	e->has_double_counter_value = !e->has_counter_value;
	e->double_counter_value = (double)n;
}

static void counters_put(struct out *o, const struct agg_print *print, u64 time)
{
	struct perfetto *p = o->priv;
	bool up = trace_rises(o);

	for (u32 i = 0; i < print->naggs; i++)
		for (u32 r = 0; r < MIN(print->nrows, (u32)SERIES_MAX); r++) {
			const struct agg_row *row =
				agg_print_row(print, up ? print->nrows - 1 - r : r);
			struct agg_value v = agg_value(print, row, i, NULL);

			if (v.beyond || v.none)
				continue;
			char *name = counter_name(o, print, row, i);
			u64 track = counter_track(o, print->aggs[i], name);
			Perfetto__TrackEvent e = PERFETTO__TRACK_EVENT__INIT;

			counter_value(&e, &v);
			packet_event(p, time, track, PERFETTO__TRACK_EVENT__TYPE__TYPE_COUNTER, &e);
		}
}

/* ---- the sink -------------------------------------------------------------------------------- */

static void perfetto_write(struct out *o)
{
	struct perfetto *p = o->priv;

	if (p->out.len)
		outfile_write(&p->file, o, &p->out);
}

static void perfetto_event(struct out *o, const struct event *ev)
{
	struct perfetto *p = o->priv;
	enum half half = pairs_half(p->pairs, o->run->img, ev->probe);
	bool only_counters = ev->nitems;

	for (u32 i = 0; i < ev->nitems; i++) {
		const struct item *it = &ev->items[i];

		only_counters &= it->kind == ITEM_AGGS || it->kind == ITEM_NONE;
		if (it->kind == ITEM_AGGS && it->print)
			counters_put(o, it->print, ev->time);
	}
	if ((!only_counters || half) && !event_sched(o, ev))
		event_track(o, ev, half);
	arena_clear(p->arena);
	if (p->out.len >= WRITE_AT)
		perfetto_write(o);
}

static void perfetto_aggs(struct out *o, const struct agg_print *print)
{
	struct perfetto *p = o->priv;

	if (print->naggs)
		counters_put(o, print, out_now(o));
	arena_clear(p->arena);
}

static int perfetto_open(struct out *o)
{
	struct perfetto *p;
	int err = pairs_check(o, "--perfetto");

	if (err)
		return err;
	p = xcalloc(1, sizeof(*p));
	err = outfile_open(&p->file, o, o->arg);
	if (err) {
		free(p);
		return err;
	}
	o->priv = p;
	p->pairs = pairs_new();
	p->threads = keytab_new(sizeof(u32), sizeof(u32));
	p->processes = keytab_new(sizeof(u32), sizeof(u32));
	p->counters = map_new();
	p->arena = arena_new();
	if (!o->run->replayed)
		p->shift = clock_ns(CLOCK_BOOTTIME) - clock_ns(CLOCK_MONOTONIC);
	return 0;
}

static void perfetto_begin(struct out *o)
{
	struct perfetto *p = o->priv;
	Perfetto__TracePacket packet = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__TracePacket about = PERFETTO__TRACE_PACKET__INIT;
	Perfetto__ClockSnapshot snapshot = PERFETTO__CLOCK_SNAPSHOT__INIT;
	Perfetto__ClockSnapshot__Clock clocks[3], *all[3];
	Perfetto__SystemInfo info = PERFETTO__SYSTEM_INFO__INIT;
	Perfetto__Utsname uts = PERFETTO__UTSNAME__INIT;
	const struct { u32 id; s64 time; } at[] = {      /* ids: BuiltinClocks */
		{ 1, o->run->wall }, { 3, o->run->time }, { 6, o->run->time + p->shift },
	};

	for (u32 i = 0; i < ARRAY_SIZE(at); i++) {
		perfetto__clock_snapshot__clock__init(&clocks[i]);
		clocks[i].has_clock_id = clocks[i].has_timestamp = true;
		clocks[i].clock_id = at[i].id;
		clocks[i].timestamp = (u64)at[i].time;
		all[i] = &clocks[i];
	}
	snapshot.n_clocks = ARRAY_SIZE(all);
	snapshot.clocks = all;
	packet.clock_snapshot = &snapshot;
	packet_put(p, &packet);
	uts.sysname = (char *)"Linux";           /* the letters of prev_state differ by release */
	uts.release = (char *)o->run->kernel;
	info.utsname = &uts;
	about.system_info = &info;
	packet_put(p, &about);
}

static void perfetto_end(struct out *o, const struct run_end *end)
{
	perfetto_write(o);
}

static void perfetto_flush(struct out *o)
{
	if (((struct perfetto *)o->priv)->out.len >= WRITE_AT / 2)
		perfetto_write(o);
}

static void perfetto_close(struct out *o)
{
	struct perfetto *p = o->priv;

	perfetto_write(o);
	outfile_close(&p->file, o);
	for (u32 i = 0; i < p->v.n; i++) {
		VEC_FREE(&p->v.v[i].open);
		free(p->v.v[i].name);
	}
	VEC_FREE(&p->v);
	keytab_free(p->threads);
	keytab_free(p->processes);
	map_free(p->counters);
	pairs_free(p->pairs);
	buf_free(&p->out);
	arena_free(p->arena);
	free(p);
	o->priv = NULL;
}

const struct dtx_sink sink_perfetto = {
	.name = "perfetto",
	.doc = "a time line as Perfetto's protocol buffers",
	.open = perfetto_open,
	.begin = perfetto_begin,
	.event = perfetto_event,
	.aggs = perfetto_aggs,
	.end = perfetto_end,
	.flush = perfetto_flush,
	.close = perfetto_close,
};
