/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * jsonobj.c - the objects of docs/output.schema.json, other than records: begin, end, messages,
 * aggregations and their rows.
 */
#include <stdio.h>
#include <stdlib.h>

#include "runtime/sink/json/json.h"

/* ---- begin and end ------------------------------------------------------------------ */

static void begin_field(struct buf *b, const struct img_field *f)
{
	buf_puts(b, "{\"name\":");
	json_str(b, f->name ? f->name : "");
	json_opt_str(b, "ctype", f->ctype);
	json_opt_str(b, "unit", f->unit);
	buf_putc(b, '}');
}

static void begin_fields(struct buf *b, const char *key, const struct img_field *f, u32 n)
{
	buf_printf(b, ",\"%s\":[", key);
	for (u32 i = 0; i < n; i++) {
		if (i)
			buf_putc(b, ',');
		begin_field(b, &f[i]);
	}
	buf_putc(b, ']');
}

static void begin_site(const struct json *j, struct buf *b, const struct img *img, u32 i)
{
	const struct img_site *s = &img->sites[i];

	buf_printf(b, "%s{\"site\":%u,\"clause\":%u", i ? "," : "", i, s->clause);
	json_opt_str(b, "file", s->file);
	json_opt_uint(j, b, "line", s->line);
	json_opt_uint(j, b, "column", s->column);
	buf_puts(b, ",\"actions\":[");
	for (u32 k = 0; k < s->nactions; k++) {
		buf_printf(b, "%s{\"action\":", k ? "," : "");
		json_str(b, s->actions[k].name);
		begin_fields(b, "fields", s->actions[k].fields, s->actions[k].nfields);
		buf_putc(b, '}');
	}
	buf_puts(b, "]}");
}

static void begin_agg(const struct json *j, struct buf *b, const struct img_agg *a)
{
	buf_printf(b, "{\"name\":\"@%s\",\"function\":\"%s\"", a->name, a->func);
	begin_fields(b, "keys", a->keys, a->nkeys);
	json_opt_str(b, "of", a->arg);
	json_opt_str(b, "unit", a->unit);
	buf_puts(b, ",\"constants\":[");
	for (u32 i = 0; i < a->nparams; i++) {
		if (i)
			buf_putc(b, ',');
		json_int(j, b, a->params[i]);
	}
	buf_puts(b, "]}");
}

static void begin_manifest(const struct json *j, struct buf *b, const struct img *img)
{
	buf_puts(b, ",\"descriptions\":[");
	for (u32 i = 0; i < img->ndescs; i++) {
		buf_printf(b, "%s{\"probes\":%u", i ? "," : "", img->descs[i].nprobes);
		json_opt_str(b, "text", img->descs[i].text);
		buf_putc(b, '}');
	}
	buf_puts(b, "],\"sites\":[");
	for (u32 i = 0; i < img->nsites; i++)
		begin_site(j, b, img, i);
	buf_puts(b, "],\"aggregations\":[");
	for (u32 i = 0; i < img->naggs; i++) {
		if (i)
			buf_putc(b, ',');
		begin_agg(j, b, &img->aggs[i]);
	}
	buf_putc(b, ']');
}

void json_begin(struct json *j, struct buf *b, const struct run_info *r)
{
	buf_printf(b, "{\"type\":\"begin\",\"format\":1");
	json_opt_str(b, "version", r->version);
	json_opt_str(b, "host", r->nhosts ? NULL : r->host);
	if (r->nhosts)
		buf_printf(b, ",\"hosts\":%u", r->nhosts);
	json_opt_str(b, "system", r->system);
	if (!r->nhosts) {
		json_opt_str(b, "kernel", r->kernel);
		json_opt_str(b, "machine", r->machine);
	}
	buf_printf(b, ",\"cpus\":%u,\"pid\":%u,\"time\":", r->ncpus, r->pid);
	json_int(j, b, r->time);
	buf_puts(b, ",\"wall\":");
	json_int(j, b, r->wall);
	buf_puts(b, ",\"programs\":[");
	for (u32 i = 0; i < r->nprograms; i++) {
		if (i)
			buf_putc(b, ',');
		json_str(b, r->programs[i]);
	}
	buf_printf(b, "],\"probes\":%u", r->img->nprobes);
	begin_manifest(j, b, r->img);
	buf_puts(b, "}\n");
}

void json_end(const struct json *j, struct buf *b, const struct run_end *e)
{
	buf_puts(b, "{\"type\":\"end\",\"time\":");
	json_int(j, b, e->time);
	buf_puts(b, ",\"wall\":");
	json_int(j, b, e->wall);
	buf_printf(b, ",\"status\":%d", e->status);
	json_opt_str(b, "error", e->error ? strerror(e->error) : NULL);
	buf_puts(b, "}\n");
}

/* ---- messages ------------------------------------------------------------------------ */

/* By kind: the type of the object, and for "message" the kind. */
static const struct { const char *type, *kind; } message_types[] = {
	[DTX_DIAGNOSTIC] = { "message", "diagnostic" },
	[DTX_FAILURE] = { "message", "failure" },
	[DTX_NOTICE] = { "message", "notice" },
	[DTX_REFUSED] = { "message", "refused" },
	[DTX_ATTACHED] = { "message", "attached" },
	[DTX_FAULT] = { "fault", NULL },
	[DTX_LOSS] = { "loss", NULL },
	[DTX_ACCOUNT] = { "account", NULL },
	[DTX_WRITE] = { "message", "write" },
	[DTX_LISTING] = { "message", "listing" },
	[DTX_END] = { NULL, NULL },
	[DTX_PROGRESS] = { "message", "progress" },
};

static void message_place(const struct json *j, struct buf *b, const struct dtx_place *at)
{
	json_opt_str(b, "file", at->file);
	if (!at->file)
		return;
	json_opt_uint(j, b, "line", at->line);
	json_opt_uint(j, b, "column", at->column);
}

static void message_losses(const struct json *j, struct buf *b, const struct dtx_message *m)
{
	json_opt_uint(j, b, "count", m->count);
	if (!m->nlosses)
		return;
	buf_puts(b, ",\"losses\":[");
	for (u32 i = 0; i < m->nlosses; i++) {
		buf_printf(b, "%s{\"count\":", i ? "," : "");
		json_uint(j, b, m->losses[i].count);
		json_opt_str(b, "reason", m->losses[i].reason);
		buf_putc(b, '}');
	}
	buf_putc(b, ']');
}

static void message_notes(const struct json *j, struct buf *b, const struct dtx_message *n)
{
	if (!n)
		return;
	buf_puts(b, ",\"notes\":[");
	for (const struct dtx_message *m = n; m; m = m->next) {
		buf_puts(b, m == n ? "{\"text\":" : ",{\"text\":");
		json_str(b, m->text);
		message_place(j, b, &m->at);
		buf_putc(b, '}');
	}
	buf_putc(b, ']');
}

void json_message(const struct json *j, struct buf *b, const struct dtx_message *m)
{
	static const char *const severities[] = { "error", "warning", "note", "info" };

	if ((u32)m->kind >= ARRAY_SIZE(message_types) || !message_types[m->kind].type)
		return;
	buf_printf(b, "{\"type\":\"%s\"", message_types[m->kind].type);
	json_opt_str(b, "host", m->host);
	json_opt_str(b, "kind", message_types[m->kind].kind);
	json_opt_str(b, "severity", severities[m->severity]);
	json_opt_str(b, "text", m->text);
	json_opt_str(b, "tag", m->tag);
	json_opt_str(b, "hint", m->hint);
	json_opt_str(b, "probe", m->probe);
	json_opt_uint(j, b, "id", m->probe_id);
	if (m->cpu >= 0)
		buf_printf(b, ",\"cpu\":%d", m->cpu);
	json_opt_str(b, "reason", m->reason);
	if (m->has_value) {
		buf_puts(b, ",\"value\":");
		json_uint(j, b, m->value);
	}
	message_losses(j, b, m);
	json_opt_str(b, "expression", m->expression);
	message_place(j, b, &m->at);
	message_notes(j, b, m->notes);
	json_opt_str(b, "error", m->error ? strerror(abs(m->error)) : NULL);
	buf_puts(b, "}\n");
}

/* ---- aggregations -------------------------------------------------------------------- */

void json_agg_head(const struct json *j, struct buf *b, const struct agg_print *p,
		   const char *when, s64 time)
{
	buf_puts(b, "{\"type\":\"aggregation\",\"names\":[");
	for (u32 i = 0; i < p->naggs; i++)
		buf_printf(b, "%s\"@%s\"", i ? "," : "", p->aggs[i]->name);
	buf_printf(b, "],\"rows\":%u,\"when\":\"%s\",\"time\":", p->nrows, when);
	json_int(j, b, time);
	buf_puts(b, "}\n");
}

static void row_buckets(const struct json *j, struct buf *b, const struct agg_value *v)
{
	buf_puts(b, ",\"buckets\":[");
	for (u32 i = 0; i < v->nbuckets; i++) {
		buf_puts(b, i ? ",{\"low\":" : "{\"low\":");
		json_int(j, b, v->buckets[i].low);
		buf_puts(b, ",\"high\":");
		json_int(j, b, v->buckets[i].high);
		buf_puts(b, ",\"count\":");
		if (v->buckets[i].count == AGG_BEYOND)
			buf_puts(b, "null");
		else
			json_int(j, b, v->buckets[i].count);
		buf_putc(b, '}');
	}
	buf_putc(b, ']');
}

static void row_value(const struct json *j, struct buf *b, const struct agg_value *v)
{
	if (v->kind == AGG_HISTOGRAM) {
		row_buckets(j, b, v);
		return;
	}
	buf_puts(b, ",\"value\":");
	if (v->is_unsigned)
		json_uint(j, b, (u64)v->number);
	else
		json_wide(j, b, v->number);
	if (v->kind != AGG_MEAN)
		return;
	buf_puts(b, ",\"count\":");
	json_uint(j, b, v->count);
	buf_puts(b, ",\"sum\":");
	json_wide(j, b, v->sum);
	buf_puts(b, ",\"average\":");
	json_wide(j, b, v->mean);
}

static void row_keys(struct json *j, struct buf *b, const struct img_agg *agg,
		     const struct val *keys)
{
	buf_puts(b, ",\"keys\":{");
	for (u32 k = 0; k < agg->nkeys; k++) {
		char number[16];

		snprintf(number, sizeof(number), "%u", k);
		if (k)
			buf_putc(b, ',');
		json_name(b, agg->keys[k].name ? agg->keys[k].name : number);
		json_val(j, b, &keys[k]);
	}
	buf_putc(b, '}');
}

/* What a printa() with a format prints for the row. */
static void row_text(struct json *j, struct buf *b, const struct agg_print *p,
		     const struct agg_row *row)
{
	const struct img_action *act = p->act;
	struct buf text = { 0 };

	if (!act || !act->has_format)
		return;
	buf_add(&text, "", 0);
	printf_run(j->env, &(struct format){ .convs = act->convs, .nconvs = act->nconvs,
					     .vals = row->keys, .nvals = p->aggs[0]->nkeys,
					     .print = p, .row = row }, &text);
	buf_puts(b, ",\"text\":");
	json_bytes(b, text.data, text.len);
	buf_free(&text);
}

void json_agg_row(struct json *j, struct buf *b, const struct agg_print *p, u32 i,
		  const struct agg_row *row)
{
	const struct img_agg *agg = p->aggs[i];
	struct agg_value v = agg_value(p, row, i, j->arena);

	buf_printf(b, "{\"type\":\"row\",\"aggregation\":\"@%s\",\"function\":\"%s\"", agg->name,
		   agg->func);
	row_keys(j, b, p->aggs[0], row->keys);
	row_value(j, b, &v);
	if (row[i].norm != 1 && row[i].norm) {
		buf_puts(b, ",\"normalized\":");
		json_int(j, b, row[i].norm);
	}
	if (row[i].percpu)
		buf_puts(b, ",\"cpus\":[");
	for (u32 c = 0, n = 0; row[i].percpu && c < p->ncpus; c++) {
		if (!agg_cpu_has(p, row, i, c))
			continue;
		buf_printf(b, "%s{\"cpu\":%u", n++ ? "," : "", c);
		v = agg_value_of_cpu(p, row, i, c, j->arena);
		row_value(j, b, &v);
		buf_putc(b, '}');
	}
	if (row[i].percpu)
		buf_putc(b, ']');
	if (!i)
		row_text(j, b, p, row);
	buf_puts(b, "}\n");
}
