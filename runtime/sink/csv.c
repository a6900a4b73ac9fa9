/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csv.c - tables as RFC 4180 has them: lines end in CR LF, a field with a quote, comma or line end
 * is quoted.  A table begins with the names of its columns; an empty line is between two tables.
 *
 *   aggregation    time, its keys, @name            avg, stats, stddev: also @name.count, @name.sum
 *   histogram      time, its keys, low, high, @name     a row for each bucket that has a count
 *   records        time, tid, cpu, probe, values    one table for successive records of a clause
 *
 * The tables are UTF-8: what is no text is an escape (base/plain.c).  Line ends and tabs of a value
 * stay, in quotes; on a terminal they are escapes, too.
 *
 * The time is CLOCK_MONOTONIC, in ns: that of the record, or when the aggregation was read.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <dtx/opt.h>

#include "runtime/sink/sink.h"
#include "runtime/stack/text.h"
#include "runtime/value/agg.h"

#define PIECE        65536       /* bytes of the output that are written at once */
#define FRAMES_KEPT  (1u << 20)  /* bytes of frames before their memory is used again */

struct csv {
	struct buf out, field, head, last;       /* last: the names of the table that goes on */
	struct arena *arena;
	bool begun;              /* a table was written */
};

/* ---- fields -------------------------------------------------------------------------- */

static void csv_text(struct buf *b, const char *p, size_t len)
{
	bool quoted = false;

	for (size_t i = 0; i < len && !quoted; i++)
		quoted = strchr("\",\r\n", p[i]);        /* NUL, too */
	if (!quoted) {
		buf_add(b, p, len);
		return;
	}
	buf_putc(b, '"');
	for (size_t i = 0; i < len; i++) {
		if (p[i] == '"')
			buf_putc(b, '"');
		buf_putc(b, p[i]);
	}
	buf_putc(b, '"');
}

static void csv_comma(struct buf *b)
{
	if (b->len && b->data[b->len - 1] != '\n')
		buf_putc(b, ',');
}

static void csv_name(struct buf *b, const char *name)
{
	csv_comma(b);
	csv_text(b, name, strlen(name));
}

static void csv_num(struct buf *b, s64 v, bool is_unsigned)
{
	csv_comma(b);
	if (is_unsigned && v < 0)
		buf_printf(b, "%llu", (unsigned long long)v);
	else
		buf_num(b, v);
}

/* The frames with a semicolon between them, the innermost first. */
static void csv_stack(struct out *o, struct buf *b, const struct val *v)
{
	struct csv *c = o->priv;
	u32 n;
	const struct frame *f = sym_frames(o->env, c->arena, v, &n);

	for (u32 i = 0; i < n; i++) {
		if (i)
			buf_putc(b, ';');
		buf_puts(b, f[i].text);
	}
}

static void csv_hex(struct buf *b, const struct val *v)
{
	for (u32 i = 0; i < v->len; i++)
		buf_printf(b, "%02x", (u8)v->p[i]);
}

static void csv_val(struct out *o, const struct val *v)
{
	struct csv *c = o->priv;
	struct buf *f = &c->field;

	if (v->kind == VAL_INT) {
		csv_num(&c->out, (s64)v->u, !v->is_signed || v->is_ptr);
		return;
	}
	buf_reset(f);
	buf_add(f, "", 0);
	if (v->kind == VAL_STR && opt_num(o->env, OPT_raw))
		buf_add(f, v->p, v->len);
	else if (v->kind == VAL_STR)
		buf_plain(f, v->p, v->len, o->terminal ? 0 : PLAIN_SPACE);
	else if (v->kind == VAL_BYTES)
		csv_hex(f, v);
	else if (v->kind == VAL_STACK)
		csv_stack(o, f, v);
	else
		sym_val(o->env, v, f);
	csv_comma(&c->out);
	csv_text(&c->out, f->data, f->len);
}

static void csv_line(struct buf *b)
{
	buf_add(b, "\r\n", 2);
}

/* ---- tables ---------------------------------------------------------------------------- */

/* The names in c->head are those of the next row: another table begins if they are new. */
static void csv_table(struct out *o)
{
	struct csv *c = o->priv;

	if (c->head.len == c->last.len && !memcmp(c->head.data, c->last.data, c->head.len))
		return;
	if (c->begun)
		csv_line(&c->out);
	c->begun = true;
	buf_add(&c->out, c->head.data, c->head.len);
	csv_line(&c->out);
	buf_reset(&c->last);
	buf_add(&c->last, c->head.data, c->head.len);
}

static void csv_key_names(struct buf *b, const struct img_field *f, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		char number[16];

		snprintf(number, sizeof(number), "key %u", i);
		csv_name(b, f[i].name ? f[i].name : number);
	}
}

static void csv_agg_names(struct buf *b, const struct img_agg *agg)
{
	static const u64 none[4];
	bool counted = agg_num(agg, none, 1).counted;

	csv_comma(b);
	buf_printf(b, "@%s", agg->name);
	if (counted)
		buf_printf(b, ",@%s.count,@%s.sum", agg->name, agg->name);
}

static void csv_buckets(struct out *o, const struct agg_print *p, const struct agg_row *row,
			s64 now)
{
	struct csv *c = o->priv;
	struct hist_bucket k;
	struct hist_walk w;

	for (hist_walk(&w, p->aggs[0], row->data); hist_next(&w, &k);) {
		csv_num(&c->out, now, false);
		for (u32 i = 0; i < p->aggs[0]->nkeys; i++)
			csv_val(o, &row->keys[i]);
		csv_num(&c->out, k.low, false);
		csv_num(&c->out, k.high, false);
		csv_num(&c->out, agg_div(k.count, row->norm), false);
		csv_line(&c->out);
	}
}

static void csv_row(struct out *o, const struct agg_print *p, const struct agg_row *row, s64 now)
{
	struct csv *c = o->priv;

	csv_num(&c->out, now, false);
	for (u32 i = 0; i < p->aggs[0]->nkeys; i++)
		csv_val(o, &row->keys[i]);
	for (u32 i = 0; i < p->naggs; i++) {
		struct agg_num n = agg_num(p->aggs[i], row[i].data, row[i].norm);

		csv_num(&c->out, n.value, n.is_unsigned);
		if (n.counted) {
			csv_num(&c->out, (s64)n.count, true);
			csv_num(&c->out, n.sum, false);
		}
	}
	csv_line(&c->out);
}

/* Of what was collected, the pieces that are full; `all`: all of it. */
static void csv_write(struct out *o, bool all)
{
	struct csv *c = o->priv;

	if (all)
		out_write(o, &c->out);
	else if (!out_write_full(o, &c->out, PIECE))
		return;
	if (arena_size(c->arena) > FRAMES_KEPT)
		arena_clear(c->arena);
}

/* A table of n aggregations of a join, from the first one on; of one, if it is a histogram. */
static void csv_print(struct out *o, const struct agg_print *p, u32 first, u32 n)
{
	struct csv *c = o->priv;
	struct agg_print part = *p;
	bool hist = agg_is_hist(p->aggs[first]);
	s64 now = clock_ns(CLOCK_MONOTONIC);

	part.aggs = p->aggs + first;
	part.naggs = n;
	buf_reset(&c->head);
	csv_name(&c->head, "time");
	csv_key_names(&c->head, p->aggs[0]->keys, p->aggs[0]->nkeys);
	if (hist)
		buf_printf(&c->head, ",low,high,@%s", part.aggs[0]->name);
	for (u32 i = 0; i < n && !hist; i++)
		csv_agg_names(&c->head, part.aggs[i]);
	csv_table(o);
	for (u32 r = 0; r < p->nrows; r++) {
		const struct agg_row *row = agg_print_row(p, r) + first;

		(hist ? csv_buckets : csv_row)(o, &part, row, now);
		csv_write(o, false);
	}
}

/* Numbers that are joined are columns of one table; a histogram has a table of its own. */
static void csv_aggs(struct out *o, const struct agg_print *p)
{
	bool hist = false;

	for (u32 i = 0; i < p->naggs; i++)
		hist |= agg_is_hist(p->aggs[i]);
	for (u32 i = 0; i < p->naggs && (hist || !i); i++)
		csv_print(o, p, i, hist ? 1 : p->naggs);
}

/* ---- records ---------------------------------------------------------------------------- */

static bool csv_shown(const struct item *it)
{
	return it->kind != ITEM_NONE && it->kind != ITEM_AGGS && it->act->nfields;
}

static void csv_record(struct out *o, const struct event *ev)
{
	struct csv *c = o->priv;
	const struct dtx_probe *p = ev->probe;

	buf_reset(&c->head);
	buf_puts(&c->head, ev->time ? "time,tid,cpu,probe" : "cpu,probe");
	for (u32 i = 0; i < ev->nitems; i++)
		if (csv_shown(&ev->items[i]))
			csv_key_names(&c->head, ev->items[i].act->fields,
				      ev->items[i].act->nfields);
	csv_table(o);
	if (ev->time) {
		csv_num(&c->out, (s64)ev->time, false);
		csv_num(&c->out, ev->tid, false);
	}
	csv_num(&c->out, ev->cpu, false);
	buf_reset(&c->field);
	buf_printf(&c->field, PROBE_NAME, PROBE_PARTS(p));
	csv_comma(&c->out);
	csv_text(&c->out, c->field.data, c->field.len);
	for (u32 i = 0; i < ev->nitems; i++)
		for (u32 k = 0; csv_shown(&ev->items[i]) && k < ev->items[i].act->nfields; k++)
			csv_val(o, &ev->items[i].vals[k]);
	csv_line(&c->out);
}

static void csv_event(struct out *o, const struct event *ev)
{
	bool shown = false;

	for (u32 i = 0; i < ev->nitems; i++) {
		shown |= csv_shown(&ev->items[i]);
		if (ev->items[i].kind == ITEM_AGGS && ev->items[i].print)
			csv_aggs(o, ev->items[i].print);
	}
	if (shown || ev->site->is_default)
		csv_record(o, ev);
	csv_write(o, false);
}

/* ---- life -------------------------------------------------------------------------------- */

static int csv_open(struct out *o)
{
	struct csv *c = xcalloc(1, sizeof(*c));

	c->arena = arena_new();
	o->priv = c;
	return 0;
}

static void csv_flush(struct out *o)
{
	csv_write(o, true);
	out_flush(o);
}

static void csv_close(struct out *o)
{
	struct csv *c = o->priv;

	csv_flush(o);
	buf_free(&c->out);
	buf_free(&c->field);
	buf_free(&c->head);
	buf_free(&c->last);
	arena_free(c->arena);
	free(c);
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
