/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * replayval.c - numbers, texts, values and rows of a recording.  Nothing of the file is trusted:
 * what a part needs in memory follows from its own size, and rows are made one at a time.
 */
#include "runtime/read/read-private.h"
#include "runtime/sink/record.h"
#include "runtime/value/value.h"

#define ROW_WORDS      (16u << 20)       /* words of one row, of all its aggregations and CPUs */
#define FRAMES_MOST    (1u << 16)        /* of a stack */

/* ---- numbers and texts ------------------------------------------------------- */

void replay_bad(struct replay *r, const char *why)
{
	if (!r->bad)
		r->bad = why;
	r->at = r->end;
}

u64 take_num(struct replay *r)
{
	u64 v = 0;

	for (u32 shift = 0; shift < 64; shift += 7) {
		if (r->at == r->end) {
			replay_bad(r, "a number is cut");
			return 0;
		}
		u8 c = *r->at++;

		v |= (u64)(c & 0x7f) << shift;
		if (!(c & 0x80))
			return v;
	}
	replay_bad(r, "a number is too long");
	return 0;
}

u32 take_below(struct replay *r, u64 limit, const char *why)
{
	u64 v = take_num(r);

	if (!r->bad && v < limit)
		return (u32)v;
	replay_bad(r, why);
	return 0;
}

s64 take_signed(struct replay *r)
{
	u64 v = take_num(r);

	return (s64)(v >> 1 ^ -(v & 1));
}

const char *take_text(struct replay *r, struct arena *a, size_t room, u32 *len)
{
	u64 n = take_num(r);
	char *to;

	*len = 0;
	if (!n || r->bad)
		return NULL;
	n--;
	if (n > (size_t)(r->end - r->at)) {
		replay_bad(r, "a text is longer than its part");
		return NULL;
	}
	to = arena_alloc(a, MAX(room, n) + 1);
	memcpy(to, r->at, n);
	r->at += n;
	*len = (u32)n;
	return to;
}

const char *take_str(struct replay *r, struct arena *a)
{
	u32 len;
	const char *s = take_text(r, a, 0, &len);

	if (s && strlen(s) != len)
		replay_bad(r, "a name has a NUL inside");
	return r->bad ? NULL : s;
}

const char *take_name(struct replay *r, struct arena *a)
{
	const char *s = take_str(r, a);

	return s ? s : "";
}

const char *take_word(struct replay *r)
{
	u64 at = take_num(r);
	const char *s;

	if (r->bad || at > r->words.n) {
		replay_bad(r, "a text is used before it is given");
		return NULL;
	}
	if (at)
		return r->words.v[at - 1];
	s = plain_name(r->again ? r->row : r->arena, take_str(r, r->again ? r->row : r->arena));
	if (s && !r->again && r->words.n < REC_WORDS_MAX)
		VEC_PUSH(&r->words, s);
	return s;
}

/* ---- values ------------------------------------------------------- */

static const u8 replay_kinds[] = {
	[IMG_INT] = VAL_INT, [IMG_STR] = VAL_STR, [IMG_BYTES] = VAL_BYTES,
	[IMG_STACK] = VAL_STACK, [IMG_SYM] = VAL_SYM,
};

static void take_frames(struct replay *r, struct arena *a, struct val *v)
{
	struct frame *f;
	u64 n;

	v->pid = (u32)take_num(r);
	v->end = (u32)take_num(r);
	n = take_num(r);
	if (r->bad || n > MIN((size_t)(r->end - r->at), (size_t)FRAMES_MOST)) {
		replay_bad(r, "a stack has too many frames");
		return;
	}
	v->frames = f = ARENA_ARRAY(a, struct frame, n + 1);
	for (u64 i = 0; i < n && !r->bad; i++) {
		f[i].addr = take_num(r);
		f[i].text = take_word(r);
		f[i].symbol = take_word(r);
		f[i].offset = take_num(r);
		f[i].object = take_word(r);
		f[i].file = take_word(r);
		u64 line = take_num(r);

		f[i].line = (u32)(line >> 1);
		f[i].inlined = line & 1;
		if (!f[i].text)
			f[i].text = "";
	}
	v->nframes = (u32)n;
}

void take_val(struct replay *r, struct arena *a, const struct img_field *f, struct val *v)
{
	u64 head = take_num(r);

	*v = (struct val){ .kind = head & 7, .size = (u32)(head >> 3), .field = f,
			   .is_signed = f->is_signed, .is_char = f->is_char, .is_ptr = f->is_ptr,
			   .user = f->user, .symkind = f->symkind, .ctype = f->ctype,
			   .shared = r->info.nhosts && !r->within };
	if (r->bad || v->kind != replay_kinds[f->type] || head >> 3 > DTX_REC_MAX) {
		replay_bad(r, "a value is not of the kind that the program records");
		return;
	}
	switch (v->kind) {
	case VAL_INT:
		v->u = v->is_signed ? (u64)take_signed(r) : take_num(r);
		v->names = f->obj && f->obj->kind == T_ENUM ? f->obj : NULL;
		if (v->size != 1 && v->size != 2 && v->size != 4 && v->size != 8)
			replay_bad(r, "a number has no size of numbers");
		break;
	case VAL_STR:
	case VAL_BYTES:
		v->p = take_text(r, a, v->size, &v->len);
		v->null = !v->p;
		v->p = v->p ? v->p : arena_alloc(a, v->size + 1);
		break;
	case VAL_STACK:
		take_frames(r, a, v);
		break;
	case VAL_SYM:
		v->u = take_num(r);
		v->pid = (u32)take_num(r);
		v->text = take_word(r);
		v->text = v->text ? v->text : "";
		break;
	}
}

/* ---- aggregations ------------------------------------------------------- */

/* The rows stay as they are in the part; `row` is made when it is asked for. */
struct agg_rows {
	struct replay *r;
	const u8 *end;
	const u8 **row;          /* where each begins */
	u32 at;                  /* the last row made + 1; 0: none */
	struct agg_row *made;
};

static const u64 *take_words(struct replay *r, u64 *to, u32 n)
{
	u64 used = take_num(r);

	for (u32 at = 0; used && !r->bad; used--, at++) {
		u64 skip = take_num(r);

		if (skip >= n - at) {
			replay_bad(r, "an aggregation has more words than its function");
			break;
		}
		at += skip;
		to[at] = take_num(r);
		if (used > 1 && at + 1 == n)
			replay_bad(r, "an aggregation has more words than its function");
	}
	return to;
}

static void take_row(struct replay *r, struct arena *a, const struct agg_print *p,
		     struct agg_row *row)
{
	u32 nkeys = p->aggs[0]->nkeys;
	u64 sum = 0;
	struct val *keys = ARENA_ARRAY(a, struct val, nkeys + 1);

	for (u32 k = 0; k < nkeys && !r->bad; k++)
		take_val(r, a, &p->aggs[0]->keys[k], &keys[k]);
	for (u32 i = 0; i < p->naggs && !r->bad; i++) {
		u32 words = agg_data_words(p->aggs[i]);

		sum += words;
		if (sum > ROW_WORDS) {
			replay_bad(r, "a row has too many words");
			break;
		}
		row[i].keys = keys;
		row[i].norm = take_signed(r);
		row[i].none = !row[i].norm;
		row[i].norm += row[i].none;
		row[i].data = take_words(r, ARENA_ARRAY(a, u64, words + 1), words);
		u64 cpus = take_num(r);

		sum += cpus ? (u64)p->ncpus * words : 0;
		if (cpus && (cpus != p->ncpus || sum > ROW_WORDS)) {
			replay_bad(r, "a row is not of all CPUs");
			break;
		}
		u64 *all = cpus ? ARENA_ARRAY(a, u64, cpus * words + 1) : NULL;

		row[i].percpu = all;
		for (u64 c = 0; c < cpus && !r->bad; c++)
			take_words(r, all + c * words, words);
	}
}

static const struct agg_row *replay_row(const struct agg_print *p, u32 at)
{
	struct agg_rows *rows = p->rows;
	struct replay *r = rows->r;
	const u8 *old = r->at, *end = r->end;

	if (rows->at == at + 1)
		return rows->made;
	arena_clear(r->row);
	r->at = rows->row[at];
	r->end = rows->end;
	r->again = true;
	take_row(r, r->row, p, rows->made);
	r->again = false;
	r->at = old;
	r->end = end;
	rows->at = at + 1;
	return rows->made;
}

/* Reads all rows once: nothing bad is found later. */
static void take_rows(struct replay *r, struct agg_print *p)
{
	struct agg_rows *rows = ARENA_NEW(r->part, struct agg_rows);

	p->rows = rows;
	p->fetch = replay_row;
	*rows = (struct agg_rows){
		.r = r, .end = r->end,
		.row = ARENA_ARRAY(r->part, const u8 *, p->nrows + 1),
		.made = ARENA_ARRAY(r->part, struct agg_row, p->naggs),
	};
	for (u32 i = 0; i < p->nrows && !r->bad; i++) {
		rows->row[i] = r->at;
		arena_clear(r->row);
		take_row(r, r->row, p, rows->made);
	}
}

static void take_resets(struct replay *r, struct agg_print *p)
{
	u32 *resets = ARENA_ARRAY(r->part, u32, p->naggs);

	p->resets = resets;
	for (u32 i = 0; i < p->naggs && r->resets && !r->bad; i++)
		resets[i] = (u32)take_num(r);
}

struct agg_print *take_print(struct replay *r, const struct img_action *act)
{
	struct agg_print *p = ARENA_NEW(r->part, struct agg_print);
	const struct img_agg **aggs;
	u64 nrows;

	p->act = act;
	p->ncpus = r->info.ncpus;
	p->naggs = take_below(r, r->img->naggs + 1ull, "there are not that many aggregations");
	if (!p->naggs)
		return p;
	p->aggs = aggs = ARENA_ARRAY(r->part, const struct img_agg *, p->naggs);
	for (u32 i = 0; i < p->naggs; i++) {
		aggs[i] = &r->img->aggs[take_below(r, r->img->naggs, "no such aggregation")];
		if (aggs[i]->nkeys != aggs[0]->nkeys)
			replay_bad(r, "aggregations of different keys are joined");
	}
	nrows = take_num(r);
	if (nrows > (size_t)(r->end - r->at))
		replay_bad(r, "an aggregation has more rows than bytes");
	if (r->bad)
		return p;
	p->nrows = (u32)nrows;
	take_rows(r, p);
	take_resets(r, p);
	return p;
}

/* ---- states ------------------------------------------------------- */

static void state_row(struct replay *r, const struct img_agg *agg, u32 *nrows)
{
	u32 words = agg_data_words(agg);
	u64 head = take_num(r), number = head >> 1;
	bool first = head & 1;
	struct val *keys = NULL;

	if (r->bad || (first ? number != *nrows : number >= *nrows) || *nrows == UINT32_MAX) {
		replay_bad(r, "a row has no such number");
		return;
	}
	arena_clear(r->row);
	if (first)
		keys = ARENA_ARRAY(r->row, struct val, agg->nkeys + 1);
	for (u32 k = 0; first && k < agg->nkeys && !r->bad; k++)
		take_val(r, r->row, &agg->keys[k], &keys[k]);
	const u64 *data = take_words(r, ARENA_ARRAY(r->row, u64, words + 1), words);

	if (r->bad)
		return;
	*nrows += first;
	r->to->state_row(r->arg, agg, (u32)number, keys, data);
}

static u32 *state_rows(struct replay *r, u32 agg)
{
	if (!r->nrows)
		r->nrows = ARENA_ARRAY(r->arena, u32, r->img->naggs);
	return &r->nrows[agg];
}

/* All rows came without numbers: those that follow with numbers begin anew. */
void replay_sampled(struct replay *r, const struct img_agg *agg)
{
	*state_rows(r, agg - r->img->aggs) = UINT32_MAX;
}

void take_state(struct replay *r)
{
	u32 at = take_below(r, r->img->naggs, "no such aggregation");
	u64 flags = take_num(r);
	u32 *nrows;
	s64 norm;

	take_num(r);                     /* how often it began at zero: all come then */
	norm = take_signed(r);
	if (r->bad)
		return;
	nrows = state_rows(r, at);
	if (flags & REC_ALL)
		*nrows = 0;
	r->to->state(r->arg, &r->img->aggs[at], flags & REC_ALL, norm ? norm : 1);
	while (r->at < r->end && !r->bad)
		state_row(r, &r->img->aggs[at], nrows);
	if (!r->bad)
		r->to->state_end(r->arg, &r->img->aggs[at]);
}
