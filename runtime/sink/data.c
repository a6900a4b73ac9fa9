/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * data.c - the sink of programs that use the library: values for the function of dtx_on_data()
 * (dtx-data.h).
 */
#include <stdlib.h>

#include <dtx-data.h>

#include "runtime/sink/sink.h"

struct data {
	struct arena *arena;     /* of one call */
	struct buf tmp;
};

/* ---- values ------------------------------------------------------------------------- */

static const char *data_keep(struct data *d)
{
	return arena_strndup(d->arena, d->tmp.data ? d->tmp.data : "", d->tmp.len);
}

static void data_stack(struct out *o, const struct val *v, struct dtx_value *to)
{
	struct data *d = o->priv;
	struct dtx_frame *frames;
	u32 n;
	const struct frame *f = sym_frames(o->env, d->arena, v, &n);

	to->kind = DTX_STACK;
	to->frames = frames = ARENA_ARRAY(d->arena, struct dtx_frame, n + 1);
	to->nframes = n;
	for (u32 i = 0; i < n; i++)
		frames[i] = (struct dtx_frame){
			.address = f[i].addr, .text = f[i].text, .symbol = f[i].symbol,
			.object = f[i].object, .offset = f[i].offset, .file = f[i].file,
			.line = f[i].line, .inlined = f[i].inlined,
		};
}

static void data_symbol(struct out *o, const struct val *v, struct dtx_value *to)
{
	struct data *d = o->priv;

	buf_reset(&d->tmp);
	sym_val(o->env, v, &d->tmp);
	to->kind = DTX_SYMBOL;
	to->number = (s64)v->u;
	to->text = data_keep(d);
	to->length = d->tmp.len;
}

static void data_number(struct out *o, const struct val *v, struct dtx_value *to)
{
	struct data *d = o->priv;

	to->kind = DTX_NUMBER;
	to->number = (s64)v->u;
	to->is_signed = v->is_signed && !v->is_ptr;
	if (!v->names)
		return;
	buf_reset(&d->tmp);
	print_names(v->names, v->u, &d->tmp);
	to->text = data_keep(d);
	to->length = d->tmp.len;
}

static void data_val(struct out *o, const struct val *v, const struct img_field *f,
		     struct dtx_value *to)
{
	*to = (struct dtx_value){ .name = f->name ? f->name : "", .type = f->ctype,
				  .unit = f->unit };
	switch (v->kind) {
	case VAL_INT:
		data_number(o, v, to);
		break;
	case VAL_STR:
	case VAL_BYTES:
		to->kind = v->kind == VAL_STR ? DTX_TEXT : DTX_BYTES;
		to->text = v->null ? NULL : v->p;
		to->length = v->len;
		break;
	case VAL_STACK:
		data_stack(o, v, to);
		break;
	case VAL_SYM:
		data_symbol(o, v, to);
		break;
	}
}

static const struct dtx_value *data_vals(struct out *o, const struct val *v,
					 const struct img_field *f, u32 n)
{
	struct data *d = o->priv;
	struct dtx_value *to = ARENA_ARRAY(d->arena, struct dtx_value, n + 1);

	for (u32 i = 0; i < n; i++)
		data_val(o, &v[i], &f[i], &to[i]);
	return to;
}

/* ---- rows ---------------------------------------------------------------------------- */

static void data_buckets(struct out *o, const struct agg_value *v, struct dtx_data *to)
{
	struct data *d = o->priv;
	struct dtx_bucket *b = ARENA_ARRAY(d->arena, struct dtx_bucket, v->nbuckets + 1);

	to->buckets = b;
	for (; to->nbuckets < v->nbuckets; to->nbuckets++) {
		const struct agg_bucket *k = &v->buckets[to->nbuckets];

		b[to->nbuckets] = (struct dtx_bucket){ k->low, k->high, k->count };
	}
}

/* NULL: it has no more than 64 bits. */
static const char *data_wide(const struct data *d, s128 n)
{
	struct buf b = { 0 };
	const char *text;

	if (agg_s64(n) == n)
		return NULL;
	buf_wide(&b, n);
	text = arena_strndup(d->arena, b.data, b.len);
	buf_free(&b);
	return text;
}

static void data_row(struct out *o, const struct agg_print *p, u32 i, const struct agg_row *row)
{
	struct data *d = o->priv;
	const struct img_agg *agg = p->aggs[i];
	struct dtx_data to = { .kind = DTX_ROW, .aggregation = agg->name, .function = agg->func };
	struct agg_value v = agg_value(p, row, i, d->arena);

	to.nvalues = p->aggs[0]->nkeys;
	to.values = data_vals(o, row->keys, p->aggs[0]->keys, to.nvalues);
	if (v.kind == AGG_HISTOGRAM) {
		data_buckets(o, &v, &to);
	} else {
		to.number = agg_s64(v.number);
		to.number_text = data_wide(d, v.number);
		to.is_unsigned = v.is_unsigned;
		to.count = v.count;
		to.sum = agg_s64(v.sum);
		to.sum_text = data_wide(d, v.sum);
	}
	o->env->data(o->env->data_arg, &to);
	arena_clear(d->arena);
}

static void data_aggs(struct out *o, const struct agg_print *p)
{
	for (u32 r = 0; p->naggs && r < p->nrows; r++) {
		const struct agg_row *row = agg_print_row(p, r);

		for (u32 i = 0; i < p->naggs; i++)
			data_row(o, p, i, row);
	}
}

/* ---- records -------------------------------------------------------------------------- */

static void data_item(struct out *o, const struct event *ev, const char *probe,
		      const struct item *it)
{
	struct data *d = o->priv;
	struct dtx_data to = {
		.kind = DTX_RECORD, .probe = probe, .probe_id = ev->probe->id,
		.clause = ev->site->clause, .cpu = ev->cpu, .tid = ev->tid, .time = ev->time,
		.action = it->act->name, .nvalues = it->act->nfields,
	};

	to.values = data_vals(o, it->vals, it->act->fields, to.nvalues);
	if (it->kind == ITEM_TEXT) {
		to.text = it->text;
		to.length = it->len;
	}
	o->env->data(o->env->data_arg, &to);
	arena_clear(d->arena);
}

static void data_event(struct out *o, const struct event *ev)
{
	const struct dtx_probe *p = ev->probe;
	char *probe = xprintf(PROBE_NAME, PROBE_PARTS(p));

	for (u32 i = 0; i < ev->nitems; i++)
		if (ev->items[i].kind != ITEM_AGGS)
			data_item(o, ev, probe, &ev->items[i]);
		else if (ev->items[i].print)
			data_aggs(o, ev->items[i].print);
	free(probe);
}

static int data_open(struct out *o)
{
	struct data *d = xcalloc(1, sizeof(*d));

	d->arena = arena_new();
	o->priv = d;
	return 0;
}

static void data_close(struct out *o)
{
	struct data *d = o->priv;

	arena_free(d->arena);
	buf_free(&d->tmp);
	free(d);
}

const struct dtx_sink sink_data = {
	.name = "data",
	.doc = "values for the function of dtx_on_data()",
	.open = data_open,
	.event = data_event,
	.aggs = data_aggs,
	.close = data_close,
};
/* In place of the output of the run, where there is none. */
const struct dtx_sink sink_none = { .name = "none", .doc = "nothing" };
