/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * states.c - the rows of an aggregation as a host has told them last, in few bytes.
 *
 * Rows are packed in blocks of ROWS: first the numbers of their keys among those of all hosts,
 * each as its distance from the one before, or nothing but the first one if they follow each
 * other, as with the host that told them first and those in its order; then their words, as
 * numbers of seven bits.  Most words of a histogram are 0 and take none.  A counter takes two to
 * six bytes.  What changes a row packs its block again, once for all that follow each other; only
 * then there is memory for it unpacked.
 *
 * Nothing is added up here: the merged table is made of all states when it is asked for.  So
 * what comes late or twice is never counted twice, and no function needs an inverse.
 */
#include <stdlib.h>

#include "runtime/fleet/fleet-private.h"

#define ROWS  128u

struct states {
	u32 words;
	s64 norm;
	u32 n;                   /* rows */
	VEC(struct packed { u8 *p; u32 len; }) blocks;
	size_t bytes;
	u32 open;                /* the block that is unpacked + 1; 0: none */
	bool changed;
	u32 *keys;               /* of the open block; NULL: none since states_close() */
	u64 *data;
};

struct states *states_new(const struct img_agg *agg)
{
	struct states *s = xcalloc(1, sizeof(*s));

	s->words = agg_data_words(agg);
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

/* The sign in bit 0: what is near 0 is short. */
static u64 from_signed(s64 n)
{
	return (u64)n << 1 ^ (u64)(n >> 63);
}

static s64 to_signed(u64 n)
{
	return (s64)(n >> 1 ^ -(n & 1));
}

static void pack_keys(struct buf *b, const u32 *keys, u32 n)
{
	u32 follow = 1;

	while (follow < n && keys[follow] == keys[follow - 1] + 1)
		follow++;
	buf_varint(b, (u64)keys[0] << 1 | (follow == n));
	for (u32 i = 1; i < n && follow < n; i++)
		buf_varint(b, from_signed((s64)keys[i] - keys[i - 1]));
}

static void unpack_keys(const u8 **p, u32 *keys, u32 n)
{
	u64 first = varint_get(p);

	keys[0] = (u32)(first >> 1);
	for (u32 i = 1; i < n; i++)
		keys[i] = keys[i - 1] + (first & 1 ? 1 : (u32)to_signed(varint_get(p)));
}

static void pack_words(struct buf *b, const u64 *data, u32 words)
{
	if (words == 1)
		buf_varint(b, data[0]);
	else
		buf_sparse(b, data, words);
}

static void unpack_words(const u8 **p, u64 *data, u32 words)
{
	u32 used, at = 0;

	if (words == 1) {
		data[0] = varint_get(p);
		return;
	}
	memset(data, 0, words * sizeof(*data));
	for (used = (u32)varint_get(p); used; used--, at++) {
		at += (u32)varint_get(p);
		data[at] = varint_get(p);
	}
}

/* The open block, if it has changed. */
static void states_pack(struct states *s)
{
	struct buf b = { 0 };
	struct packed *to;
	u32 n;

	if (s->open && s->changed) {
		n = block_rows(s, s->open - 1);
		pack_keys(&b, s->keys, n);
		for (u32 i = 0; i < n; i++)
			pack_words(&b, s->data + (size_t)i * s->words, s->words);
		to = &s->blocks.v[s->open - 1];
		s->bytes += b.len - to->len;
		to->p = xrealloc(to->p, b.len);
		to->len = (u32)b.len;
		memcpy(to->p, b.data, b.len);
		buf_free(&b);
	}
	s->open = 0;
	s->changed = false;
}

void states_close(struct states *s)
{
	states_pack(s);
	free(s->keys);
	free(s->data);
	s->keys = NULL;
	s->data = NULL;
}

static void states_open(struct states *s, u32 block)
{
	const u8 *p;
	u32 n;

	if (s->open == block + 1)
		return;
	states_pack(s);
	s->open = block + 1;
	if (!s->keys) {
		s->keys = xcalloc(ROWS, sizeof(*s->keys));
		s->data = xcalloc(ROWS, s->words * sizeof(u64));
	}
	if (block == s->blocks.n) {
		VEC_PUSH(&s->blocks, (struct packed){ 0 });
		return;
	}
	p = s->blocks.v[block].p;
	n = block_rows(s, block);
	unpack_keys(&p, s->keys, n);
	for (u32 i = 0; i < n; i++)
		unpack_words(&p, s->data + (size_t)i * s->words, s->words);
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
	u32 keys[ROWS];

	states_close(s);                 /* what a host tells may end in the middle */
	if (s->n)
		merged_norm(to, 0, s->norm);
	for (u32 b = 0; b < s->blocks.n; b++) {
		const u8 *p = s->blocks.v[b].p;
		u32 n = block_rows(s, b);

		unpack_keys(&p, keys, n);
		for (u32 i = 0; i < n; i++) {
			unpack_words(&p, data, s->words);
			merged_add(to, keys[i], 0, data);
		}
	}
	free(data);
}
