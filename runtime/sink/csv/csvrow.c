/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csvrow.c - fields and rows: lines end in CR LF, a field with a quote, comma or line end is
 * quoted.
 *
 * The tables are UTF-8: what is no text is an escape (base/plain.c).  Line ends and tabs of a value
 * stay, in quotes; on a terminal they are escapes, too.
 */
#include <stdio.h>


#include "runtime/sink/csv/csv.h"

#define FRAMES_KEPT  (1u << 20)  /* bytes of frames before their memory is used again */

void csv_init(struct csv *c, struct dtx_env *env)
{
	*c = (struct csv){ .env = env, .arena = arena_new() };
}

void csv_free(struct csv *c)
{
	buf_free(&c->field);
	arena_free(c->arena);
}

void csv_done(struct csv *c)
{
	if (arena_size(c->arena) > FRAMES_KEPT)
		arena_clear(c->arena);
}

/* ---- fields -------------------------------------------------------------------------- */

static void csv_comma(struct buf *b)
{
	if (b->len && b->data[b->len - 1] != '\n')
		buf_putc(b, ',');
}

static void csv_text(struct buf *b, const char *p, size_t len)
{
	bool quoted = false;

	csv_comma(b);
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

static void csv_name(struct buf *b, const char *name)
{
	csv_text(b, name, strlen(name));
}

void csv_num(struct buf *b, s64 v, bool is_unsigned)
{
	csv_comma(b);
	if (is_unsigned && v < 0)
		buf_printf(b, "%llu", (unsigned long long)v);
	else
		buf_num(b, v);
}

static void csv_empty(struct buf *b)
{
	csv_comma(b);
}

void csv_line(struct buf *b)
{
	buf_add(b, "\r\n", 2);
}

/* ---- values -------------------------------------------------------------------------- */

/* The text that was collected is a field. */
static void field_put(struct csv *c)
{
	csv_text(c->to, c->field.data ? c->field.data : "", c->field.len);
	buf_reset(&c->field);
}

static void field_int(void *arg, const struct val *v)
{
	csv_num(((struct csv *)arg)->to, (s64)v->u, !v->is_signed || v->is_ptr);
}

static void field_plain(struct csv *c, const char *p, size_t len)
{
	if (env_is_raw(c->env))
		buf_add(&c->field, p, len);
	else
		buf_plain(&c->field, p, len, c->terminal ? 0 : PLAIN_SPACE);
	field_put(c);
}

static void field_text(void *arg, const struct val *v)
{
	field_plain(arg, v->p, v->len);
}

static void field_bytes(void *arg, const struct val *v)
{
	struct csv *c = arg;

	for (u32 i = 0; i < v->len; i++)
		buf_printf(&c->field, "%02x", (u8)v->p[i]);
	field_put(c);
}

/* The frames with a semicolon between them, the innermost first. */
static void field_stack(void *arg, const struct val *v)
{
	struct csv *c = arg;
	u32 n;
	const struct frame *f = sym_frames(c->env, c->arena, v, &n);

	for (u32 i = 0; i < n; i++) {
		buf_puts(&c->field, i ? ";" : "");
		buf_puts(&c->field, f[i].text);
	}
	field_put(c);
}

static void field_symbol(void *arg, const struct val *v)
{
	struct csv *c = arg;

	sym_val(c->env, v, &c->field);
	field_put(c);
}

static void csv_val(struct csv *c, struct buf *b, const struct val *v)
{
	static const struct val_visitor fields = { field_int, field_text, field_bytes,
						   field_stack, field_symbol };

	c->to = b;
	val_visit(v, &fields, c);
}

void csv_probe(struct csv *c, struct buf *b, const struct dtx_probe *p)
{
	c->to = b;
	buf_printf(&c->field, PROBE_NAME, PROBE_PARTS(p));
	field_put(c);
}

void csv_host(struct csv *c, struct buf *b, const char *host)
{
	c->to = b;
	buf_puts(&c->field, host);
	field_put(c);
}

/* ---- columns --------------------------------------------------------------------------- */

static void csv_field_names(struct buf *b, const struct img_field *f, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		char number[16];

		snprintf(number, sizeof(number), "key %u", i);
		csv_name(b, f[i].name ? f[i].name : number);
	}
}

static bool csv_is_text(const struct img_action *act)
{
	return !act->nfields && act->nconvs;
}

bool csv_shows(enum item_kind kind, const struct img_action *act)
{
	return kind != ITEM_NONE && kind != ITEM_AGGS && (act->nfields || csv_is_text(act));
}

void csv_action_names(struct buf *b, const struct img_action *act)
{
	csv_field_names(b, act->fields, act->nfields);
	if (csv_is_text(act))
		csv_name(b, "text");
}

void csv_action(struct csv *c, struct buf *b, const struct img_action *act, const struct item *it)
{
	for (u32 i = 0; i < act->nfields; i++)
		if (it)
			csv_val(c, b, &it->vals[i]);
		else
			csv_empty(b);
	if (!csv_is_text(act))
		return;
	c->to = b;
	field_plain(c, it ? it->text : "", it ? it->len : 0);
}

void csv_agg_names(struct buf *b, const struct img_agg *keys, const struct img_agg *const *aggs,
		   u32 n)
{
	csv_name(b, "time");
	csv_field_names(b, keys->keys, keys->nkeys);
	if (agg_kind(aggs[0]) == AGG_HISTOGRAM)
		buf_puts(b, ",low,high");
	for (u32 i = 0; i < n; i++) {
		buf_printf(b, ",@%s", aggs[i]->name);
		if (agg_kind(aggs[i]) == AGG_MEAN)
			buf_printf(b, ",@%s.count,@%s.sum", aggs[i]->name, aggs[i]->name);
	}
}

static void csv_keys(struct csv *c, struct buf *b, const struct agg_print *p,
		     const struct agg_row *row)
{
	csv_num(b, c->now, false);
	for (u32 i = 0; i < p->aggs[0]->nkeys; i++)
		csv_val(c, b, &row->keys[i]);
}

static void csv_numbers(struct csv *c, struct buf *b, const struct agg_value *v)
{
	csv_comma(b);
	buf_wide(b, v->is_unsigned ? (u64)v->number : v->number);
	if (v->kind != AGG_MEAN)
		return;
	csv_num(b, (s64)v->count, true);
	csv_comma(b);
	buf_wide(b, v->sum);
}

void csv_agg_row(struct csv *c, struct buf *b, const struct agg_print *p,
		 const struct agg_row *row, u32 first, u32 n)
{
	struct agg_value v = agg_value(p, row, first, c->arena);

	for (u32 i = 0; i < v.nbuckets; i++) {
		csv_keys(c, b, p, row);
		csv_num(b, v.buckets[i].low, false);
		csv_num(b, v.buckets[i].high, false);
		if (v.buckets[i].count == AGG_BEYOND)
			csv_comma(b);
		else
			csv_num(b, v.buckets[i].count, false);
		csv_line(b);
	}
	if (v.kind == AGG_HISTOGRAM)
		return;
	csv_keys(c, b, p, row);
	for (u32 i = first; i < first + n; i++) {
		v = agg_value(p, row, i, c->arena);
		csv_numbers(c, b, &v);
	}
	csv_line(b);
}
