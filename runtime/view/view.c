/* SPDX-License-Identifier: BSD-2-Clause */
/* view.c - the view of a run: its aggregations, its log, what was lost and what failed. */
#include <math.h>
#include <stdlib.h>

#include "runtime/view/view.h"

#define VIEW_PAST  (32u << 20)   /* bytes of the past of all aggregations */

struct events {
	VEC(struct view_event) list;
	struct arena *arena;
	u64 total;
};

struct view {
	struct view_run run;
	const struct run_info *info;
	struct table **tables;
	u32 ntables;
	struct log *log;
	struct events losses, errors;
	struct events host_losses, host_errors;  /* their reason is the host */
	u64 records;             /* at the last sample */
	s64 time;                /* of what comes next, or 0 */
};

struct view *view_new(const struct run_info *info)
{
	struct view *v = xcalloc(1, sizeof(*v));

	v->info = info;
	v->run.began = v->run.now = info->time;
	v->ntables = info->img->naggs;
	v->tables = xcalloc(v->ntables, sizeof(struct table *));
	for (u32 i = 0; i < v->ntables; i++)
		v->tables[i] = table_new(info, &info->img->aggs[i]);
	v->log = log_new();
	v->losses.arena = arena_new();
	v->errors.arena = arena_new();
	v->host_losses.arena = arena_new();
	v->host_errors.arena = arena_new();
	return v;
}

static void events_free(struct events *e)
{
	VEC_FREE(&e->list);
	arena_free(e->arena);
}

void view_free(struct view *v)
{
	if (!v)
		return;
	for (u32 i = 0; i < v->ntables; i++)
		table_free(v->tables[i]);
	free(v->tables);
	log_free(v->log);
	events_free(&v->losses);
	events_free(&v->errors);
	events_free(&v->host_losses);
	events_free(&v->host_errors);
	free(v);
}

/* ---- feeding ---------------------------------------------------------------------- */

static s64 view_time(const struct view *v)
{
	return v->time ? v->time : clock_ns(CLOCK_MONOTONIC);
}

static bool text_same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static void events_add(struct events *e, const struct dtx_message *m, const char *reason, u64 n,
		       s64 now)
{
	const char *probe = m->probe, *hint = NULL;
	e->total += n;
	for (u32 i = 0; i < e->list.n; i++) {
		struct view_event *old = &e->list.v[i];

		if (strcmp(old->reason, reason))
			continue;
		hint = old->hint;        /* it is said once for each reason */
		if (!text_same(old->probe, probe) || old->line != m->at.line ||
		    old->column != m->at.column)
			continue;
		old->count += n;
		old->last = now;
		return;
	}
	struct view_event new = { .probe = probe ? arena_strdup(e->arena, probe) : NULL,
				  .reason = arena_strdup(e->arena, reason),
				  .hint = m->hint ? arena_strdup(e->arena, m->hint) : hint,
				  .count = n, .last = now, .line = m->at.line,
				  .column = m->at.column, .expression = m->expression ?
				  arena_strdup(e->arena, m->expression) : NULL };
	VEC_PUSH(&e->list, new);
}

static void events_add_host(struct events *e, const struct dtx_message *m, u64 n, s64 now)
{
	const struct dtx_message plain = { .kind = m->kind };

	if (m->host)
		events_add(e, &plain, m->host, n, now);
}

/* An account at the end repeats what was lost; without -q it was seen before. */
void view_message(struct view *v, const struct dtx_message *m)
{
	u64 n = m->kind == DTX_FAULT && !m->count ? 1 : m->count;
	s64 now = view_time(v);

	if (m->kind == DTX_LOSS) {
		events_add(&v->losses, m, m->reason ? m->reason : "lost", n, now);
		events_add_host(&v->host_losses, m, n, now);
	} else if (m->kind == DTX_FAULT) {
		events_add(&v->errors, m, m->reason ? m->reason : "error", n, now);
		events_add_host(&v->host_errors, m, n, now);
	}
	v->run.lost = v->losses.total;
	v->run.errors = v->errors.total;
	if (!m->text || !*m->text || m->kind == DTX_PROGRESS || m->kind == DTX_LISTING)
		return;
	view_text(v, VIEW_MESSAGE, m->text, strlen(m->text));
	view_text(v, VIEW_MESSAGE, "\n", 1);
}

static void view_tick(struct view *v, s64 now)
{
	double secs = (now - v->run.now) / 1e9;

	v->run.record_rate = secs > 0 ? (v->run.records - v->records) / secs : 0;
	v->records = v->run.records;
	v->run.period = now - v->run.now;
	v->run.now = now;
	v->run.samples++;
}

void view_sample(struct view *v, const struct agg_print *p)
{
	u32 agg;

	if (!p->naggs) {
		view_tick(v, p->time ? p->time : MAX(view_time(v), v->run.now));
		if (v->info->replayed)
			v->time = v->run.now;
		return;
	}
	for (agg = 0; agg < v->ntables; agg++)
		if (!strcmp(v->info->img->aggs[agg].name, p->aggs[0]->name))
			break;
	if (agg < v->ntables)
		table_sample(v->tables[agg], p, v->run.now);
}

void view_set_time(struct view *v, s64 time)
{
	v->time = time;
}

void view_record(struct view *v)
{
	v->run.records++;
}

void view_set_state(struct view *v, enum view_state state)
{
	v->run.state = state;
}

void view_text(struct view *v, enum view_from from, const char *text, size_t len)
{
	log_text(v->log, from, view_time(v), text, len);
}

void view_skip(struct view *v, u64 lines)
{
	log_skip(v->log, lines);
}

/* ---- asking ------------------------------------------------------------------------- */

const struct view_run *view_run(const struct view *v)
{
	return &v->run;
}

const struct view_event *view_losses(const struct view *v, u32 *n)
{
	*n = v->losses.list.n;
	return v->losses.list.v;
}

const struct view_event *view_errors(const struct view *v, u32 *n)
{
	*n = v->errors.list.n;
	return v->errors.list.v;
}

const struct view_event *view_host_losses(const struct view *v, u32 *n)
{
	*n = v->host_losses.list.n;
	return v->host_losses.list.v;
}

const struct view_event *view_host_errors(const struct view *v, u32 *n)
{
	*n = v->host_errors.list.n;
	return v->host_errors.list.v;
}

u32 view_naggs(const struct view *v)
{
	return v->ntables;
}

const struct view_agg *view_agg(struct view *v, u32 agg)
{
	return table_agg(v->tables[agg]);
}

void view_focus(struct view *v, u32 agg, u32 id)
{
	table_focus(v->tables[agg], id);
}

u32 view_rows(struct view *v, struct arena *a, const struct view_query *q, struct view_row *rows,
	      u32 *matching)
{
	return table_rows(v->tables[q->agg], a, q, rows, matching);
}

const struct val *view_keys(struct view *v, struct arena *a, u32 agg, u32 id)
{
	return table_keys(v->tables[agg], a, id);
}

void view_widths(struct view *v, u32 agg, struct view_width *to)
{
	table_widths(v->tables[agg], to);
}

void view_remember(struct view *v)
{
	for (u32 i = 0; i < v->ntables; i++)
		table_remember(v->tables[i], VIEW_PAST / v->ntables);
}

const struct view_part *view_part(struct view *v, u32 agg, s64 from, s64 to)
{
	return table_part(v->tables[agg], from, to);
}

void view_part_widths(struct view *v, u32 agg, s64 from, s64 to, struct view_width *widths)
{
	table_part_widths(v->tables[agg], from, to, widths);
}

const struct past *view_past(const struct view *v, u32 agg)
{
	return table_past(v->tables[agg]);
}

s64 view_norm(const struct view *v, u32 agg)
{
	return table_norm(v->tables[agg]);
}

u32 view_ids(const struct view *v, u32 agg)
{
	return table_ids(v->tables[agg]);
}

double view_number(const struct view_row *r, enum view_what what)
{
	if (r->beyond && what != VIEW_MAX)
		return NAN;
	switch (what) {
	case VIEW_VALUE:
		return r->is_unsigned ? (double)(u64)r->value : (double)r->value;
	case VIEW_COUNT:
		return r->count;
	case VIEW_RATE:
		return r->rate;
	case VIEW_P50:
		return r->p50;
	case VIEW_P99:
		return r->p99;
	case VIEW_MAX:
		return r->max;
	case VIEW_KEY:
		break;
	}
	return 0;
}

u64 view_lines(const struct view *v, u64 *first)
{
	return log_lines(v->log, first);
}

const struct view_line *view_line(const struct view *v, u64 number)
{
	return log_line(v->log, number);
}

u64 view_skipped(const struct view *v)
{
	return log_skipped(v->log);
}
