/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * states.c - the rows of an aggregation as a host has told them last, in few bytes.
 *
 * Rows are packed in blocks of ROWS: of each the number of its key among those of all hosts,
 * and its words, as numbers of seven bits; most words of a histogram are 0 and take none.  A
 * counter takes about six bytes.  What changes a row packs its block again, once for all that
 * follow each other.
 *
 * Nothing is added up here: the merged table is made of all states when it is asked for.  So
 * what comes late or twice is never counted twice, and no function needs an inverse.
 */
#include <stdlib.h>

#include "runtime/fleet/merge.h"

#define ROWS  64u

struct states {
	u32 words;
	s64 norm;
	u32 n;                   /* rows */
	VEC(struct packed { u8 *p; u32 len; }) blocks;
	size_t bytes;
	u32 open;                /* the block that is unpacked + 1; 0: none */
	bool changed;
	u32 *keys;               /* of the open block */
	u64 *data;
	struct buf tmp;
};

struct states *states_new(const struct img_agg *agg)
{
	struct states *s = xcalloc(1, sizeof(*s));

	s->words = agg_data_words(agg);
	s->keys = xcalloc(ROWS, sizeof(*s->keys));
	s->data = xcalloc(ROWS, s->words * sizeof(u64));
	return s;
}

static void states_drop(struct states *s)
{
	for (u32 i = 0; i < s->blocks.n; i++)
		free(s->blocks.v[i].p);
	s->blocks.n = s->n = s->open = 0;
	s->changed = false;
	s->bytes = 0;
}

void states_free(struct states *s)
{
	if (!s)
		return;
	states_drop(s);
	VEC_FREE(&s->blocks);
	buf_free(&s->tmp);
	free(s->keys);
	free(s->data);
	free(s);
}

size_t states_bytes(const struct states *s)
{
	return s->bytes + s->blocks.cap * sizeof(*s->blocks.v);
}

void states_begin(struct states *s, bool all, s64 norm)
{
	if (all)
		states_drop(s);
	s->norm = norm;
}

/* ---- blocks ----------------------------------------------------------------------------- */

static u32 block_rows(const struct states *s, u32 block)
{
	return MIN(ROWS, s->n - block * ROWS);
}

static void pack_row(struct buf *b, u32 key, const u64 *data, u32 words)
{
	buf_varint(b, key);
	if (words == 1)
		buf_varint(b, data[0]);
	else
		buf_sparse(b, data, words);
}

static u32 unpack_row(const u8 **p, u64 *data, u32 words)
{
	u32 key = (u32)varint_get(p), used, at = 0;

	if (words == 1) {
		data[0] = varint_get(p);
		return key;
	}
	memset(data, 0, words * sizeof(*data));
	for (used = (u32)varint_get(p); used; used--, at++) {
		at += (u32)varint_get(p);
		data[at] = varint_get(p);
	}
	return key;
}

void states_close(struct states *s)
{
	struct packed *to;
	u32 n;

	if (!s->open || !s->changed) {
		s->open = 0;
		return;
	}
	n = block_rows(s, s->open - 1);
	buf_reset(&s->tmp);
	for (u32 i = 0; i < n; i++)
		pack_row(&s->tmp, s->keys[i], s->data + (size_t)i * s->words, s->words);
	to = &s->blocks.v[s->open - 1];
	s->bytes += s->tmp.len - to->len;
	to->p = xrealloc(to->p, s->tmp.len);
	to->len = (u32)s->tmp.len;
	memcpy(to->p, s->tmp.data, s->tmp.len);
	s->open = 0;
	s->changed = false;
}

static void states_open(struct states *s, u32 block)
{
	const u8 *p;

	if (s->open == block + 1)
		return;
	states_close(s);
	s->open = block + 1;
	if (block == s->blocks.n) {
		VEC_PUSH(&s->blocks, (struct packed){ 0 });
		return;
	}
	p = s->blocks.v[block].p;
	for (u32 i = 0; i < block_rows(s, block); i++)
		s->keys[i] = unpack_row(&p, s->data + (size_t)i * s->words, s->words);
}

void states_row(struct states *s, u32 number, const u32 *key, const u64 *words)
{
	u32 at = number % ROWS;

	/* The reader has checked this, for one kind of sample; they are not to be mixed. */
	if (key ? number != s->n : number >= s->n)
		return;
	states_open(s, number / ROWS);
	if (key) {
		s->keys[at] = *key;
		s->n = number + 1;
	}
	memcpy(s->data + (size_t)at * s->words, words, s->words * sizeof(u64));
	s->changed = true;
}

/* ---- all of them ------------------------------------------------------------------------ */

void states_add(struct states *s, struct merged *to)
{
	u64 *data = xmalloc(s->words * sizeof(*data));

	states_close(s);                 /* what a host tells may end in the middle */
	if (s->n)
		merged_norm(to, 0, s->norm);
	for (u32 b = 0; b < s->blocks.n; b++) {
		const u8 *p = s->blocks.v[b].p;

		for (u32 i = 0; i < block_rows(s, b); i++) {
			u32 key = unpack_row(&p, data, s->words);

			merged_add(to, key, 0, data);
		}
	}
	free(data);
}
