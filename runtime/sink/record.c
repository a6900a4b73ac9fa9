/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record.c - --record FILE: the run as its sinks see it, in the format of record.h.  Symbols and
 * stacks are recorded as text, so that a replay needs neither this machine nor root.
 */
#include <errno.h>
#include <stdlib.h>
#include <zstd.h>

#include <dtx/opt.h>

#include "runtime/sink/record.h"
#include "runtime/sink/sink.h"

#define RECORD_LEVEL   1         /* of zstd: half a GB a second and core */
#define RECORD_PERIOD  1000000000ll      /* ns: a block at least each second */
#define RECORD_PIPE    100000000ll       /* the same for who reads it now */

struct record {
	struct outfile file;
	struct buf block, part, tmp, packed;
	ZSTD_CCtx *zstd;
	struct arena *arena;     /* frames of the current part */
	struct map *words;       /* text -> its index */
	u32 nwords;
	u32 nprobes;             /* probes that the reader knows */
	const char *host;        /* that what follows is of, as the reader knows */
	struct recstate **states;        /* by aggregation */
	bool sampled;            /* since the last block */
	s64 written;             /* when, CLOCK_MONOTONIC */
};

/* ---- numbers and texts ---------------------------------------------------------------- */

static void put_signed(struct buf *b, s64 v)
{
	buf_varint(b, (u64)v << 1 ^ (u64)(v >> 63));
}

/* NULL is 0, a text its length + 1. */
static void put_text(struct buf *b, const char *p, size_t len)
{
	buf_varint(b, p ? len + 1 : 0);
	if (p)
		buf_add(b, p, len);
}

static void put_str(struct buf *b, const char *s)
{
	put_text(b, s, s ? strlen(s) : 0);
}

static void put_word(struct record *r, struct buf *b, const char *s)
{
	uintptr_t at = s ? (uintptr_t)map_get(r->words, s) : 0;

	if (at) {
		buf_varint(b, at);
		return;
	}
	buf_varint(b, 0);
	put_str(b, s);
	if (s && r->nwords < REC_WORDS_MAX)
		map_set(r->words, s, (void *)(uintptr_t)++r->nwords);
}

/* ---- blocks --------------------------------------------------------------------------- */

static void put_u32(u8 *to, u32 v)
{
	for (u32 i = 0; i < 4; i++)
		to[i] = v >> 8 * i;
}

static void record_write(struct out *o)
{
	struct record *r = o->priv;
	size_t room = ZSTD_compressBound(r->block.len), head, n;
	char *at;

	if (!r->block.len || o->err)
		return;
	if (r->block.len > REC_BLOCK_MAX) {      /* buf_pad() takes an int */
		o->err = EFBIG;
		return;
	}
	if (!r->file.begun)
		buf_add(&r->packed, REC_MAGIC, sizeof(REC_MAGIC) - 1);
	head = r->packed.len;
	buf_pad(&r->packed, 0, (int)(REC_HEAD + room));
	at = r->packed.data + head;
	n = ZSTD_compress2(r->zstd, at + REC_HEAD, room, r->block.data, r->block.len);
	if (ZSTD_isError(n)) {
		o->err = EFBIG;
		return;
	}
	put_u32((u8 *)at, n);
	put_u32((u8 *)at + 4, r->block.len);
	r->packed.len = head + REC_HEAD + n;
	outfile_write(&r->file, o, &r->packed);
	buf_reset(&r->block);
	r->sampled = false;
	r->written = clock_ns(CLOCK_MONOTONIC_COARSE);
}

/* Ends the part that was collected in r->part. */
static void record_part(struct out *o, enum rec_part kind)
{
	struct record *r = o->priv;

	buf_putc(&r->block, (char)kind);
	buf_varint(&r->block, r->part.len);
	buf_add(&r->block, r->part.data, r->part.len);
	buf_reset(&r->part);
	arena_clear(r->arena);
	if (r->block.len >= REC_BLOCK)
		record_write(o);
}

/* ---- life ------------------------------------------------------------------------------ */

static int record_open(struct out *o)
{
	struct record *r = xcalloc(1, sizeof(*r));
	int err = outfile_open(&r->file, o, o->arg);

	if (err) {
		free(r);
		return err;
	}
	o->priv = r;
	r->zstd = ZSTD_createCCtx();
	ZSTD_CCtx_setParameter(r->zstd, ZSTD_c_compressionLevel, RECORD_LEVEL);
	ZSTD_CCtx_setParameter(r->zstd, ZSTD_c_checksumFlag, 1);
	if (opt_is_set(o->env, OPT_refresh))     /* so that a replay shows how it went on */
		o->period = opt_num(o->env, OPT_refresh);
	r->arena = arena_new();
	r->words = map_new();
	buf_add(&r->part, "", 0);
	return 0;
}

static void record_close(struct out *o)
{
	struct record *r = o->priv;

	record_write(o);
	for (u32 i = 0; r->states && i < o->run->img->naggs; i++)
		recstate_free(r->states[i]);
	free(r->states);
	outfile_close(&r->file, o);
	ZSTD_freeCCtx(r->zstd);
	buf_free(&r->block);
	buf_free(&r->part);
	buf_free(&r->tmp);
	buf_free(&r->packed);
	arena_free(r->arena);
	map_free(r->words);
	free(r);
	o->priv = NULL;
}

static void record_flush(struct out *o)
{
	struct record *r = o->priv;

	s64 period = r->file.regular ? RECORD_PERIOD : RECORD_PIPE;

	if (r->sampled || clock_ns(CLOCK_MONOTONIC_COARSE) - r->written > period)
		record_write(o);
}

static void record_options(struct out *o, struct buf *b)
{
	u32 n = 0;

	for (u32 i = 0; i < OPT_N; i++)
		n += opt_is_set(o->env, i);
	buf_varint(b, n);
	for (u32 i = 0; i < OPT_N; i++)
		if (opt_is_set(o->env, i)) {
			put_str(b, opt_rows[i].name);
			put_str(b, opt_text(o->env, i));
		}
}

static void record_begin(struct out *o)
{
	struct record *r = o->priv;
	const struct run_info *run = o->run;
	struct buf *b = &r->part;

	buf_add(b, run->img->text, run->img->text_len);
	record_part(o, REC_MANIFEST);
	r->nprobes = run->img->nprobes;
	put_str(b, run->version);
	put_str(b, run->host);
	put_str(b, run->system);
	put_str(b, run->kernel);
	put_str(b, run->machine);
	buf_varint(b, run->ncpus);
	buf_varint(b, run->pid);
	put_signed(b, run->time);
	put_signed(b, run->wall);
	buf_varint(b, run->nprograms);
	for (u32 i = 0; i < run->nprograms; i++)
		put_str(b, run->programs[i]);
	record_options(o, b);
	buf_varint(b, run->nhosts);
	record_part(o, REC_RUN);
	record_write(o);
}

/* ---- values ----------------------------------------------------------------------------- */

static void record_stack(struct out *o, struct buf *b, const struct val *v)
{
	struct record *r = o->priv;
	u32 n;
	const struct frame *f = sym_frames(o->env, r->arena, v, &n);

	buf_varint(b, v->pid);
	buf_varint(b, v->end);
	buf_varint(b, n);
	for (u32 i = 0; i < n; i++) {
		buf_varint(b, f[i].addr);
		put_word(r, b, f[i].text);
		put_word(r, b, f[i].symbol);
		buf_varint(b, f[i].offset);
		put_word(r, b, f[i].object);
		put_word(r, b, f[i].file);
		buf_varint(b, (u64)f[i].line << 1 | f[i].inlined);
	}
}

/* Where a value is written. */
struct record_to {
	struct out *o;
	struct buf *b;
};

static void record_visit_int(void *arg, const struct val *v)
{
	struct buf *b = ((struct record_to *)arg)->b;

	if (v->is_signed)
		put_signed(b, (s64)v->u);
	else
		buf_varint(b, v->u);
}

static void record_visit_text(void *arg, const struct val *v)
{
	put_text(((struct record_to *)arg)->b, v->null ? NULL : v->p, v->len);
}

static void record_visit_bytes(void *arg, const struct val *v)
{
	put_text(((struct record_to *)arg)->b, v->p, v->len);
}

static void record_visit_stack(void *arg, const struct val *v)
{
	struct record_to *to = arg;

	record_stack(to->o, to->b, v);
}

static void record_visit_sym(void *arg, const struct val *v)
{
	struct record_to *to = arg;
	struct record *r = to->o->priv;

	buf_reset(&r->tmp);
	buf_add(&r->tmp, "", 0);
	sym_val(to->o->env, v, &r->tmp);
	buf_varint(to->b, v->u);
	buf_varint(to->b, v->pid);
	put_word(r, to->b, r->tmp.data);
}

static void record_val(struct out *o, struct buf *b, const struct val *v)
{
	static const struct val_visitor visitor = {
		record_visit_int, record_visit_text, record_visit_bytes, record_visit_stack,
		record_visit_sym
	};

	buf_varint(b, (u64)v->kind | (u64)v->size << 3);
	val_visit(v, &visitor, &(struct record_to){ o, b });
}

/* ---- aggregations ------------------------------------------------------------------------ */

static u32 record_agg_index(const struct img *img, const struct img_agg *agg)
{
	u32 i = 0;

	while (i + 1 < img->naggs && strcmp(img->aggs[i].name, agg->name))
		i++;
	return i;
}

static void record_row(struct out *o, struct buf *b, const struct agg_print *p, u32 at)
{
	const struct agg_row *row = agg_print_row(p, at);

	for (u32 k = 0; k < p->aggs[0]->nkeys; k++)
		record_val(o, b, &row->keys[k]);
	for (u32 i = 0; i < p->naggs; i++) {
		u32 words = agg_data_words(p->aggs[i]);

		put_signed(b, row[i].none ? 0 : row[i].norm);
		buf_sparse(b, row[i].data, words);
		buf_varint(b, row[i].percpu ? p->ncpus : 0);
		for (u32 c = 0; row[i].percpu && c < p->ncpus; c++)
			buf_sparse(b, row[i].percpu + (size_t)c * words, words);
	}
}

static void record_print(struct out *o, struct buf *b, const struct agg_print *p)
{
	buf_varint(b, p ? p->naggs : 0);
	if (!p || !p->naggs)
		return;
	for (u32 i = 0; i < p->naggs; i++)
		buf_varint(b, record_agg_index(o->run->img, p->aggs[i]));
	buf_varint(b, p->nrows);
	for (u32 i = 0; i < p->nrows; i++)
		record_row(o, b, p, i);
	for (u32 i = 0; i < p->naggs; i++)
		buf_varint(b, p->resets ? p->resets[i] : 0);
}

static void record_aggs(struct out *o, const struct agg_print *p)
{
	struct record *r = o->priv;

	record_print(o, &r->part, p);
	record_part(o, REC_AGGS);
}

static struct recstate *record_state_of(struct out *o, const struct img_agg *agg)
{
	struct record *r = o->priv;
	u32 i = record_agg_index(o->run->img, agg);

	if (!r->states)
		r->states = xcalloc(o->run->img->naggs, sizeof(*r->states));
	if (!r->states[i])
		r->states[i] = recstate_new();
	return r->states[i];
}

/* Only rows that have changed.  false: they have no keys that tell which ones (a replay). */
static bool record_state(struct out *o, const struct agg_print *p)
{
	const struct img_agg *agg = p->aggs[0];
	u32 words = agg_data_words(agg), number, resets;
	struct record *r = o->priv;
	struct buf *b = &r->part;
	struct recstate *s;
	bool all, first;

	if (p->fetch || p->naggs != 1)
		return false;
	s = record_state_of(o, agg);
	resets = recstate_begin(s, p, agg->keyed ? agg->key_size : 8, &all);
	buf_varint(b, record_agg_index(o->run->img, agg));
	buf_varint(b, all ? REC_ALL : 0);
	buf_varint(b, resets);
	put_signed(b, p->nrows ? agg_print_row(p, 0)->norm : 1);
	for (u32 i = 0; i < p->nrows; i++) {
		const u64 *data;
		s64 norm;
		const u8 *key = agg_print_raw(p, i, &data, &norm);

		if (!recstate_row(s, key, data, &number, &first))
			continue;
		buf_varint(b, (u64)number << 1 | first);
		for (u32 k = 0; first && k < agg->nkeys; k++)
			record_val(o, b, &agg_print_row(p, i)->keys[k]);
		buf_sparse(b, data, words);
	}
	record_part(o, REC_STATE);
	return true;
}

static void record_sample(struct out *o, const struct agg_print *p)
{
	struct record *r = o->priv;

	if (p->naggs && record_state(o, p))
		return;

	record_print(o, &r->part, p);
	r->sampled = true;
	if (!p->naggs)
		buf_varint(&r->part, p->time);
	record_part(o, REC_SAMPLE);
}

/* ---- records ----------------------------------------------------------------------------- */

/* A probe that was found while tracing is in no manifest. */
static void record_probes(struct out *o, u32 upto)
{
	struct record *r = o->priv;

	for (; r->nprobes <= upto; r->nprobes++) {
		const struct dtx_probe *p = img_probe(o->run->img, r->nprobes);

		buf_varint(&r->part, p->id);
		put_str(&r->part, p->prov);
		put_str(&r->part, p->mod);
		put_str(&r->part, p->func);
		put_str(&r->part, p->name);
		record_part(o, REC_PROBE);
	}
}

/* In a run of several hosts: what follows is of this one. */
static void record_host(struct out *o, const char *host)
{
	struct record *r = o->priv;

	if (host == r->host)
		return;
	r->host = host;
	put_word(r, &r->part, host);
	record_part(o, REC_HOST);
}

static void record_item(struct out *o, struct buf *b, const struct event *ev,
			const struct item *it)
{
	struct record *r = o->priv;

	buf_varint(b, it->act - ev->site->actions);
	buf_varint(b, it->kind);
	for (u32 i = 0; i < it->act->nfields; i++)
		record_val(o, b, &it->vals[i]);
	if (it->kind == ITEM_TEXT)
		put_text(b, it->text, it->len);
	else if (it->kind == ITEM_AGGS)
		record_print(o, b, it->print);
	if (it->kind != ITEM_OBJECT)
		return;
	buf_reset(&r->tmp);              /* its type is known here only */
	buf_add(&r->tmp, "", 0);
	item_object(o->env, it, &r->tmp);
	put_text(b, r->tmp.data, r->tmp.len);
}

static void record_event(struct out *o, const struct event *ev)
{
	struct record *r = o->priv;
	const struct img *img = o->run->img;
	struct buf *b = &r->part;

	record_probes(o, img_probe_at(img, ev->probe));
	record_host(o, ev->host);
	buf_varint(b, img_probe_at(img, ev->probe));
	buf_varint(b, ev->site - img->sites);
	buf_varint(b, (u64)ev->cpu << 2 | ev->cont << 1 | ev->more);
	buf_varint(b, ev->time);
	buf_varint(b, ev->tid);
	buf_varint(b, ev->nitems);
	for (u32 i = 0; i < ev->nitems; i++)
		record_item(o, b, ev, &ev->items[i]);
	if (ev->frame)
		buf_varint(b, ev->frame);
	record_part(o, REC_EVENT);
}

/* ---- the rest ----------------------------------------------------------------------------- */

static void record_message(struct out *o, const struct dtx_message *m, bool also_said)
{
	struct record *r = o->priv;
	struct buf *b = &r->part;

	record_host(o, m->host);
	buf_varint(b, m->kind);
	buf_varint(b, m->severity);
	buf_varint(b, also_said);
	put_str(b, m->text);
	put_str(b, m->tag);
	put_str(b, m->hint);
	put_str(b, m->probe);
	buf_varint(b, m->probe_id);
	put_signed(b, m->cpu);
	put_str(b, m->reason);
	buf_varint(b, m->has_value);
	buf_varint(b, m->value);
	buf_varint(b, m->count);
	put_signed(b, m->error);
	put_str(b, m->at.file);
	buf_varint(b, m->at.line);
	buf_varint(b, m->at.column);
	buf_varint(b, m->nlosses);
	for (u32 i = 0; i < m->nlosses; i++) {
		put_str(b, m->losses[i].reason);
		buf_varint(b, m->losses[i].count);
	}
	put_str(b, m->expression);
	for (const struct dtx_message *n = m->notes; n; n = n->next) {
		put_str(b, n->text);
		put_str(b, n->at.file);
		buf_varint(b, n->at.line);
		buf_varint(b, n->at.column);
	}
	record_part(o, REC_MESSAGE);
}

static void record_option(struct out *o, const char *name, const char *value)
{
	struct record *r = o->priv;

	put_str(&r->part, name);
	put_str(&r->part, value);
	record_part(o, REC_OPTION);
}

static void record_end(struct out *o, const struct run_end *end)
{
	struct record *r = o->priv;

	put_signed(&r->part, end->time);
	put_signed(&r->part, end->wall);
	put_signed(&r->part, end->status);
	put_signed(&r->part, end->error);
	record_part(o, REC_END);
	record_write(o);
}

const struct dtx_sink sink_record = {
	.name = "record",
	.doc = "the run in a file, for --replay",
	.open = record_open,
	.begin = record_begin,
	.event = record_event,
	.aggs = record_aggs,
	.sample = record_sample,
	.message = record_message,
	.option = record_option,
	.end = record_end,
	.flush = record_flush,
	.close = record_close,
};
