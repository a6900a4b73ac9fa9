/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trace.c - --trace FILE: a time line in Chrome's trace event format (JSON object form), which
 * Perfetto's viewer opens, and the page of --serve.
 *
 *   span      entry and return of a function or system call, by thread, when both have clauses
 *   instant   any other record; an entry or a return whose other half was not seen
 *   counter   each printa(), and the end: a series for each key
 *
 * Times are microseconds since the begin of the run, with three decimals.  The thread is that of
 * the record; a value called pid or execname says its process and its name.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <dtx/opt.h>

#include "runtime/sink/json/json.h"

#define TAIL         "\n]}\n"    /* ends the list, and the file */
#define WRITE_AT     65536       /* bytes collected before a write */
#define FRAMES_KEPT  (1u << 20)  /* bytes of frames before their memory is used again */

struct span {
	u32 probe;               /* index of the entry */
	u64 time, frame;         /* of its event */
	char *args;              /* what it recorded, JSON members */
};

struct thread {
	u32 tid;
	u32 pid;                 /* 0: not known */
	char *name;
	VEC(struct span) open;
};

struct trace {
	struct outfile file;
	struct json j;
	struct buf out, args;
	struct keytab *threads;  /* tid -> index + 1 */
	VEC(struct thread) v;
	struct pairs *pairs;
	bool some;               /* an event was written */
	bool ended;              /* the list has its end */
};

/* ---- writing ----------------------------------------------------------------------------- */

static void trace_write(struct out *o)
{
	struct trace *t = o->priv;

	outfile_write(&t->file, o, &t->out);
	if (arena_size(t->j.arena) > FRAMES_KEPT)
		arena_clear(t->j.arena);
}

/* Microseconds: viewers count in them. */
static void trace_time(struct buf *b, const char *key, s64 ns)
{
	u64 abs = ns < 0 ? -(u64)ns : (u64)ns;

	buf_printf(b, ",\"%s\":%s%" PRIu64 ".%03u", key, ns < 0 ? "-" : "", abs / 1000,
		   (u32)(abs % 1000));
}

/* Begins an event: {"ph":"X","name":…,"pid":1,"tid":2,"ts":… */
static struct buf *trace_open_event(struct out *o, char ph, const char *name, u32 tid, u64 time)
{
	struct trace *t = o->priv;
	const u32 *at = keytab_get(t->threads, &tid);
	u32 pid = at && t->v.v[*at - 1].pid ? t->v.v[*at - 1].pid : 0;
	struct buf *b = &t->out;

	buf_puts(b, t->some ? ",\n" : "\n");
	t->some = true;
	buf_printf(b, "{\"ph\":\"%c\",\"name\":", ph);
	json_str(b, name);
	buf_printf(b, ",\"pid\":%u,\"tid\":%u", pid, tid);
	trace_time(b, "ts", (s64)time - o->run->time);
	return b;
}

static void trace_args(struct buf *b, const char *args)
{
	buf_printf(b, ",\"args\":{%s}}", args && *args ? args + 1 : "");
}

/* ---- threads ------------------------------------------------------------------------------ */

static struct thread *trace_thread(struct trace *t, u32 tid)
{
	u32 *at = keytab_put(t->threads, &tid);

	if (!*at) {
		VEC_PUSH(&t->v, ((struct thread){ .tid = tid }));
		*at = t->v.n;
	}
	return &t->v.v[*at - 1];
}

static void trace_name(struct out *o, struct thread *th, u32 tid, const struct val *v)
{
	struct buf *b;

	if (v->null || (th->name && !strcmp(th->name, v->p)))
		return;
	free(th->name);
	th->name = xstrdup(v->p);
	b = trace_open_event(o, 'M', "thread_name", tid, o->run->time);
	buf_puts(b, ",\"args\":{\"name\":");
	json_str(b, th->name);
	buf_puts(b, "}}");
}

/* A value called pid or execname is about the thread. */
static void trace_about(struct out *o, struct thread *th, u32 tid, const struct val *v)
{
	const char *name = v->field ? v->field->name : NULL;

	if (!name)
		return;
	if (!strcmp(name, "pid") && v->kind == VAL_INT)
		th->pid = (u32)v->u;
	else if (!strcmp(name, "execname") && v->kind == VAL_STR)
		trace_name(o, th, tid, v);
}

/* ---- records ------------------------------------------------------------------------------- */

/* What the record has, as JSON members, each after a comma. */
static void trace_values(struct out *o, struct thread *th, const struct event *ev)
{
	struct trace *t = o->priv;
	struct buf *b = &t->args;

	buf_reset(b);
	buf_add(b, "", 0);
	for (u32 i = 0; i < ev->nitems; i++) {
		const struct item *it = &ev->items[i];

		if (it->kind == ITEM_NONE)
			continue;
		for (u32 k = 0; k < it->act->nfields; k++) {
			const struct img_field *f = &it->act->fields[k];

			trace_about(o, th, ev->tid, &it->vals[k]);
			buf_putc(b, ',');
			json_name(b, f->name ? f->name : it->act->name);
			json_val(&t->j, b, &it->vals[k]);
		}
		if (it->kind == ITEM_TEXT) {
			buf_puts(b, ",\"text\":");
			json_bytes(b, it->text, it->len);
		}
	}
}

static void trace_instant(struct out *o, const struct dtx_probe *p, u32 tid, u64 time,
			  const char *args)
{
	char *name = xprintf("%s:%s", *p->func ? p->func : p->prov, p->name);
	struct buf *b = trace_open_event(o, 'i', name, tid, time);

	buf_puts(b, ",\"s\":\"t\"");
	trace_args(b, args);
	free(name);
}

static void trace_span(struct out *o, const struct span *s, u32 tid, u64 end, const char *args)
{
	const struct dtx_probe *p = img_probe(o->run->img, s->probe);
	struct buf *b = trace_open_event(o, 'X', p->func, tid, s->time);

	trace_time(b, "dur", (s64)(end - s->time));
	buf_puts(b, ",\"cat\":");
	json_str(b, p->prov);
	char *all = xprintf("%s%s%s%s", s->args, *args ? ",\"return\":{" : "",
			    *args ? args + 1 : "", *args ? "}" : "");

	trace_args(b, all);
	free(all);
}

/* The entry whose return this is; entries above it never returned. */
static bool trace_return(struct out *o, struct thread *th, const struct event *ev)
{
	struct trace *t = o->priv;
	u32 i = th->open.n;

	for (; i; i--) {
		const struct span *s = &th->open.v[i - 1];

		if (pairs_match(img_probe(o->run->img, s->probe), s->frame, ev))
			break;
	}
	if (!i)
		return false;
	for (; th->open.n >= i; th->open.n--) {
		struct span *s = &th->open.v[th->open.n - 1];

		if (th->open.n == i)
			trace_span(o, s, ev->tid, ev->time, t->args.data);
		else
			trace_instant(o, img_probe(o->run->img, s->probe), ev->tid, s->time,
				      s->args);
		free(s->args);
	}
	return true;
}

/* Of too many open calls the outer ones become instants: perhaps they were left by an exception. */
static void trace_drop_outer(struct out *o, struct thread *th)
{
	u32 half = NESTED_MAX / 2;

	for (u32 i = 0; i < half; i++) {
		struct span *s = &th->open.v[i];

		trace_instant(o, img_probe(o->run->img, s->probe), th->tid, s->time, s->args);
		free(s->args);
	}
	VEC_DROP(&th->open, half);
}

static void trace_entry(struct out *o, struct thread *th, const struct event *ev)
{
	struct trace *t = o->priv;
	u32 probe = img_probe_at(o->run->img, ev->probe);
	struct span *top = th->open.n ? &th->open.v[th->open.n - 1] : NULL;
	struct span s = { probe, ev->time, ev->frame, xstrdup(t->args.data) };

	/* A later clause of the same firing adds what it recorded. */
	if (top && top->probe == probe && top->time == ev->time) {
		char *both = xprintf("%s%s", top->args, s.args);

		free(top->args);
		free(s.args);
		top->args = both;
		return;
	}
	if (th->open.n == NESTED_MAX)
		trace_drop_outer(o, th);
	VEC_PUSH(&th->open, s);
}

static void trace_counter(struct out *, const struct agg_print *, u64 time);

static void trace_event(struct out *o, const struct event *ev)
{
	struct trace *t = o->priv;
	const struct img *img = o->run->img;
	struct thread *th = trace_thread(t, ev->tid);
	bool only_counters = ev->nitems;
	enum half half;

	for (u32 i = 0; i < ev->nitems; i++) {
		const struct item *it = &ev->items[i];

		only_counters &= it->kind == ITEM_AGGS || it->kind == ITEM_NONE;
		if (it->kind == ITEM_AGGS && it->print)
			trace_counter(o, it->print, ev->time);
	}
	half = pairs_half(t->pairs, img, ev->probe);
	if (!only_counters || half) {
		trace_values(o, th, ev);
		if (half == HALF_ENTRY)
			trace_entry(o, th, ev);
		else if (half != HALF_RETURN || !trace_return(o, th, ev))
			trace_instant(o, ev->probe, ev->tid, ev->time, t->args.data);
	}
	if (t->out.len >= WRITE_AT)
		trace_write(o);
}

/* ---- counters ------------------------------------------------------------------------------- */

/* Names of a series: its keys, with blanks between. */
static void trace_series(struct out *o, const struct agg_print *p, const struct agg_row *row)
{
	struct trace *t = o->priv;
	struct buf *b = &t->args;

	buf_reset(b);
	buf_add(b, "", 0);
	for (u32 k = 0; k < p->aggs[0]->nkeys; k++) {
		const struct val *v = &row->keys[k];

		if (k)
			buf_putc(b, ' ');
		if (v->kind == VAL_STACK)
			buf_puts(b, "(stack)");
		else
			stack_key_text(o->env, v, b);
	}
	if (!p->aggs[0]->nkeys)
		buf_puts(b, "value");
}

/* Of a histogram: how many values it has; nothing if there is no number. */
static void trace_point(struct out *o, const struct agg_print *p, const struct agg_row *row, u32 i,
			struct buf *b)
{
	struct trace *t = o->priv;
	struct agg_value v = agg_value(p, row, i, NULL);

	if (v.beyond || v.none)
		return;
	trace_series(o, p, row);
	if (b->data[b->len - 1] != '{')
		buf_putc(b, ',');
	json_name(b, t->args.data);
	json_wide(&t->j, b, v.kind == AGG_HISTOGRAM ? v.sum : v.number);
}

bool trace_rises(const struct out *o)
{
	return !opt_num(o->env, OPT_aggsortrev);
}

static void trace_counter(struct out *o, const struct agg_print *p, u64 time)
{
	bool up = trace_rises(o);

	for (u32 i = 0; i < p->naggs; i++) {
		char *name = xprintf("@%s", p->aggs[i]->name);
		struct buf *b = trace_open_event(o, 'C', name, 0, time);
		u32 n = MIN(p->nrows, (u32)SERIES_MAX);

		buf_puts(b, ",\"args\":{");
		for (u32 r = 0; r < n; r++) {
			const struct agg_row *row = agg_print_row(p, up ? p->nrows - 1 - r : r);

			trace_point(o, p, row, i, b);
		}
		buf_puts(b, "}}");
		free(name);
	}
}

static void trace_aggs(struct out *o, const struct agg_print *p)
{
	if (p->naggs)
		trace_counter(o, p, out_now(o));
}

/* ---- life ------------------------------------------------------------------------------------ */

static int trace_open(struct out *o)
{
	struct trace *t;
	int err = pairs_check(o, "--trace");

	if (err)
		return err;
	t = xcalloc(1, sizeof(*t));
	err = outfile_open(&t->file, o, o->arg);
	if (err) {
		free(t);
		return err;
	}
	o->priv = t;
	t->file.tail = TAIL;
	json_init(&t->j, o->env);
	t->threads = keytab_new(sizeof(u32), sizeof(u32));
	t->pairs = pairs_new();
	return 0;
}

static void trace_begin(struct out *o)
{
	struct trace *t = o->priv;

	buf_puts(&t->out, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"host\":");
	json_str(&t->out, o->run->host);
	buf_puts(&t->out, ",\"kernel\":");
	json_str(&t->out, o->run->kernel);
	buf_printf(&t->out, ",\"version\":\"%s\"},\"traceEvents\":[", o->run->version);
}

static void trace_last(struct out *o)
{
	struct trace *t = o->priv;

	t->ended = true;
	buf_puts(&t->out, TAIL);
	trace_write(o);
}

static void trace_close(struct out *o)
{
	struct trace *t = o->priv;

	if (!t->ended && (t->some || t->file.begun))
		trace_last(o);           /* the run did not end, or its recording has no end */

	outfile_close(&t->file, o);
	for (u32 i = 0; i < t->v.n; i++) {
		for (u32 k = 0; k < t->v.v[i].open.n; k++)
			free(t->v.v[i].open.v[k].args);
		VEC_FREE(&t->v.v[i].open);
		free(t->v.v[i].name);
	}
	VEC_FREE(&t->v);
	keytab_free(t->threads);
	pairs_free(t->pairs);
	buf_free(&t->out);
	buf_free(&t->args);
	json_free(&t->j);
	free(t);
	o->priv = NULL;
}

/* Calls that have not returned last to the end of the run. */
static void trace_end(struct out *o, const struct run_end *end)
{
	struct trace *t = o->priv;

	for (u32 i = 0; i < t->v.n; i++)
		while (t->v.v[i].open.n) {
			struct span *s = &t->v.v[i].open.v[--t->v.v[i].open.n];

			trace_span(o, s, t->v.v[i].tid, MAX((u64)end->time, (u64)s->time),
				   ",\"unfinished\":true");
			free(s->args);
		}
	trace_last(o);
}

static void trace_flush(struct out *o)
{
	struct trace *t = o->priv;

	bool watched = opt_text(o->env, OPT_serve);      /* the page shows what is in the file */

	if (t->out.len >= (watched ? 1 : WRITE_AT / 2))
		trace_write(o);
}

const struct dtx_sink sink_trace = {
	.name = "trace",
	.doc = "a time line in Chrome's trace event format",
	.open = trace_open,
	.begin = trace_begin,
	.event = trace_event,
	.aggs = trace_aggs,
	.end = trace_end,
	.flush = trace_flush,
	.close = trace_close,
};
