/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csv.c - the format csv: a table begins with the names of its columns; an empty line is between
 * two tables.
 *
 *   aggregation    time, its keys, @name            avg, stats, stddev: also @name.count, @name.sum
 *   histogram      time, its keys, low, high, @name     a row for each bucket that has a count
 *   records        time, tid, cpu, probe, values    one table for successive records of a clause;
 *                                                   of several hosts with the host in front
 *
 * The time is CLOCK_MONOTONIC, in ns: that of the record, or when the aggregation was read.
 */
#include <stdlib.h>

#include "runtime/sink/csv/csv.h"

struct tables {
	struct csv csv;
	struct buf out, head, last;      /* last: the names of the table that goes on */
	bool begun;                      /* a table was written */
};

/* The names in t->head are those of the next row: another table begins if they are new. */
static void tables_next(struct tables *t)
{
	if (t->head.len == t->last.len && !memcmp(t->head.data, t->last.data, t->head.len))
		return;
	if (t->begun)
		csv_line(&t->out);
	t->begun = true;
	buf_add(&t->out, t->head.data, t->head.len);
	csv_line(&t->out);
	buf_reset(&t->last);
	buf_add(&t->last, t->head.data, t->head.len);
}

/* Of what was collected, the pieces that are full; `all`: all of it. */
static void tables_write(struct out *o, bool all)
{
	struct tables *t = o->priv;

	if (all)
		out_write(o, &t->out);
	else if (!out_write_full(o, &t->out, CSV_PIECE))
		return;
	csv_done(&t->csv);
}

/* A table of n aggregations of a join, from the first one on; of one, if it is a histogram. */
static void tables_print(struct out *o, const struct agg_print *p, u32 first, u32 n)
{
	struct tables *t = o->priv;

	t->csv.now = out_now(o);
	t->csv.terminal = o->terminal;
	buf_reset(&t->head);
	csv_agg_names(&t->head, p->aggs[0], p->aggs + first, n);
	tables_next(t);
	for (u32 r = 0; r < p->nrows; r++) {
		csv_agg_row(&t->csv, &t->out, p, agg_print_row(p, r), first, n);
		tables_write(o, false);
	}
}

/* Numbers that are joined are columns of one table; a histogram has a table of its own. */
static void csv_aggs(struct out *o, const struct agg_print *p)
{
	bool hist = false;

	for (u32 i = 0; i < p->naggs; i++)
		hist |= agg_kind(p->aggs[i]) == AGG_HISTOGRAM;
	for (u32 i = 0; i < p->naggs && (hist || !i); i++)
		tables_print(o, p, i, hist ? 1 : p->naggs);
}

static void csv_record(struct out *o, const struct event *ev)
{
	struct tables *t = o->priv;

	t->csv.terminal = o->terminal;
	buf_reset(&t->head);
	buf_puts(&t->head, ev->host ? "host," : "");
	buf_puts(&t->head, ev->time ? "time,tid,cpu,probe" : "cpu,probe");
	for (u32 i = 0; i < ev->nitems; i++)
		if (csv_shows(ev->items[i].kind, ev->items[i].act))
			csv_action_names(&t->head, ev->items[i].act);
	tables_next(t);
	if (ev->host)
		csv_host(&t->csv, &t->out, ev->host);
	if (ev->time) {
		csv_num(&t->out, (s64)ev->time, false);
		csv_num(&t->out, ev->tid, false);
	}
	csv_num(&t->out, ev->cpu, false);
	csv_probe(&t->csv, &t->out, ev->probe);
	for (u32 i = 0; i < ev->nitems; i++)
		if (csv_shows(ev->items[i].kind, ev->items[i].act))
			csv_action(&t->csv, &t->out, ev->items[i].act, &ev->items[i]);
	csv_line(&t->out);
}

static void csv_event(struct out *o, const struct event *ev)
{
	bool shown = false;

	for (u32 i = 0; i < ev->nitems; i++) {
		shown |= csv_shows(ev->items[i].kind, ev->items[i].act);
		if (ev->items[i].kind == ITEM_AGGS && ev->items[i].print)
			csv_aggs(o, ev->items[i].print);
	}
	if (shown || ev->site->is_default)
		csv_record(o, ev);
	tables_write(o, false);
}

static int csv_open(struct out *o)
{
	struct tables *t = xcalloc(1, sizeof(*t));

	csv_init(&t->csv, o->env);
	o->priv = t;
	return 0;
}

static void csv_flush(struct out *o)
{
	tables_write(o, true);
	out_flush(o);
}

static void csv_close(struct out *o)
{
	struct tables *t = o->priv;

	csv_flush(o);
	csv_free(&t->csv);
	buf_free(&t->out);
	buf_free(&t->head);
	buf_free(&t->last);
	free(t);
	o->priv = NULL;
}

const struct dtx_sink sink_csv = {
	.name = "csv",
	.doc = "tables as RFC 4180 has them",
	.lines = true,
	.open = csv_open,
	.event = csv_event,
	.aggs = csv_aggs,
	.flush = csv_flush,
	.close = csv_close,
};
