/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rowstore.c - rows of an aggregation that were taken out of its maps (aggcarry.c), in few bytes.
 *
 * Rows collect in a table.  When it is full they are sorted and written to a run: each with what
 * differs from the row before, and its words as numbers of one to ten bytes.  The bytes of a key
 * are in an order in which neighbours have much in common: words that have few values come first.
 * A row of two stacks and a name takes 10 to 15 bytes; in a table it took 60 to 90.
 *
 * Runs of about the same length are joined.  A run is in pieces of PIECE rows, where reading may
 * begin; they are freed while they are read for joining, so that this needs no memory.
 * Why: docs/decisions/37-user-stacks.md
 */
#include <stdlib.h>
#include <string.h>

#include <dtx/base.h>

#include "runtime/value/value.h"

#define FRESH  32768u            /* rows in the table */
#define PIECE  64u               /* rows */

struct run {
	u32 n;
	u32 npieces;
	u8 **pieces;
};

struct rowstore {
	u32 key_bytes, words;
	void (*add)(void *arg, u64 *into, const u64 *from);
	void *arg;
	u16 *order;              /* which byte of a key comes when; NULL: not known yet */
	struct keytab *fresh;
	VEC(struct run) runs;    /* longer ones first */
	bool settled;            /* the first one is read by number: it is not joined */
	size_t bytes;            /* of all pieces */
};

struct rowstore *rowstore_new(u32 key_bytes, u32 words,
			      void (*add)(void *, u64 *, const u64 *), void *arg)
{
	struct rowstore *rs = xcalloc(1, sizeof(*rs));

	rs->key_bytes = key_bytes;
	rs->words = words;
	rs->add = add;
	rs->arg = arg;
	rs->fresh = keytab_new(key_bytes, words * 8);
	return rs;
}

static void run_free(struct run *r)
{
	for (u32 i = 0; i < r->npieces; i++)
		free(r->pieces[i]);
	free(r->pieces);
}

void rowstore_free(struct rowstore *rs)
{
	if (!rs)
		return;
	for (u32 i = 0; i < rs->runs.n; i++)
		run_free(&rs->runs.v[i]);
	VEC_FREE(&rs->runs);
	keytab_free(rs->fresh);
	free(rs->order);
	free(rs);
}

size_t rowstore_bytes(const struct rowstore *rs)
{
	return rs->bytes + keytab_bytes(rs->fresh);
}

u32 rowstore_count(const struct rowstore *rs)
{
	u32 n = keytab_count(rs->fresh);

	for (u32 i = 0; i < rs->runs.n; i++)
		n += rs->runs.v[i].n;
	return n;
}

/* ---- the order of bytes ------------------------------------------------------------ */

static u32 values_of_word(const struct rowstore *rs, u32 at, u32 size)
{
	struct keytab *seen = keytab_new(sizeof(u64), 0);
	u32 n;

	for (u32 i = 0; i < keytab_count(rs->fresh); i++) {
		u64 word = 0;

		memcpy(&word, (const u8 *)keytab_key(rs->fresh, i) + at, size);
		keytab_index(seen, &word);
	}
	n = keytab_count(seen);
	keytab_free(seen);
	return n;
}

/* The bytes of a word in reverse: those of small numbers that differ come last. */
static void find_order(struct rowstore *rs)
{
	u32 nwords = (rs->key_bytes + 7) / 8, at = 0;
	struct sort_key *w = xcalloc(nwords, sizeof(*w));

	for (u32 i = 0; i < nwords; i++)
		w[i] = (struct sort_key){ values_of_word(rs, i * 8, MIN(8u, rs->key_bytes - i * 8)),
					  i };
	sort_keys(w, nwords);
	rs->order = xcalloc(rs->key_bytes, sizeof(*rs->order));
	for (u32 i = 0; i < nwords; i++)
		for (u32 b = MIN(8u, rs->key_bytes - w[i].i * 8); b--;)
			rs->order[at++] = (u16)(w[i].i * 8 + b);
	free(w);
}

static void to_order(const struct rowstore *rs, u8 *to, const u8 *key)
{
	for (u32 i = 0; i < rs->key_bytes; i++)
		to[i] = key[rs->order[i]];
}

static void from_order(const struct rowstore *rs, u8 *key, const u8 *from)
{
	for (u32 i = 0; i < rs->key_bytes; i++)
		key[rs->order[i]] = from[i];
}

/* ---- writing ------------------------------------------------------------------------- */

struct writer {
	struct rowstore *rs;
	struct run run;
	struct buf piece;
	u8 *last;                /* key of the row before */
};

static struct writer writer_begin(struct rowstore *rs)
{
	return (struct writer){ .rs = rs, .last = xcalloc(1, rs->key_bytes) };
}

static void end_piece(struct writer *w)
{
	struct run *r = &w->run;
	u8 *piece;

	if (!w->piece.len)
		return;
	piece = xmalloc(w->piece.len);
	memcpy(piece, w->piece.data, w->piece.len);
	if (!(r->npieces & (r->npieces - 1)))    /* full at 0, 1, 2, 4 … */
		r->pieces = xrealloc(r->pieces, MAX(2 * r->npieces, 1u) * sizeof(*r->pieces));
	r->pieces[r->npieces++] = piece;
	w->rs->bytes += w->piece.len + 4 * sizeof(u8 *);         /* and what malloc() needs */
	buf_reset(&w->piece);
}

static void write_row(struct writer *w, const u8 *key, const u64 *words)
{
	u32 same = 0, n = w->rs->key_bytes;

	if (w->run.n % PIECE == 0)
		end_piece(w);
	while (w->run.n % PIECE && same < n && key[same] == w->last[same])
		same++;
	buf_varint(&w->piece, same);
	buf_add(&w->piece, (const char *)key + same, n - same);
	for (u32 i = 0; i < w->rs->words; i++)
		buf_varint(&w->piece, words[i]);
	memcpy(w->last, key, n);
	w->run.n++;
}

static struct run writer_end(struct writer *w)
{
	end_piece(w);
	buf_free(&w->piece);
	free(w->last);
	return w->run;
}

/* ---- reading --------------------------------------------------------------------------- */

struct reader {
	struct rowstore *rs;
	struct run *run;
	u32 at;                  /* rows read */
	bool frees;              /* what was read */
	const u8 *p, *begin;
	u8 *key;                 /* of this row, in the order of bytes */
	u64 *words;
};

static struct reader reader_begin(struct rowstore *rs, struct run *run, bool frees)
{
	return (struct reader){ .rs = rs, .run = run, .frees = frees,
				.key = xcalloc(1, rs->key_bytes),
				.words = xcalloc(rs->words + 1, sizeof(u64)) };
}

static void free_piece(struct reader *r, u32 i)
{
	r->rs->bytes -= (size_t)(r->p - r->begin) + 4 * sizeof(u8 *);
	free(r->run->pieces[i]);
	r->run->pieces[i] = NULL;
}

static void read_row(struct reader *r)
{
	u32 same = (u32)varint_get(&r->p), n = r->rs->key_bytes - same;

	memcpy(r->key + same, r->p, n);
	r->p += n;
	for (u32 i = 0; i < r->rs->words; i++)
		r->words[i] = varint_get(&r->p);
}

/* The next row; false: there is none, and what the reader had is freed. */
static bool next_row(struct reader *r)
{
	u32 piece = r->at / PIECE;

	if (r->at && (r->at % PIECE == 0 || r->at == r->run->n) && r->frees)
		free_piece(r, (r->at - 1) / PIECE);
	if (r->at == r->run->n) {
		if (r->frees)
			free(r->run->pieces);
		free(r->key);
		free(r->words);
		r->key = NULL;
		return false;
	}
	if (r->at++ % PIECE == 0)
		r->p = r->begin = r->run->pieces[piece];
	read_row(r);
	return true;
}

/* ---- runs ------------------------------------------------------------------------------ */

static struct run join(struct rowstore *rs, struct run a, struct run b)
{
	struct reader x = reader_begin(rs, &a, true), y = reader_begin(rs, &b, true);
	struct writer w = writer_begin(rs);
	bool has_x = next_row(&x), has_y = next_row(&y);

	while (has_x || has_y) {
		int d = !has_x ? 1 : !has_y ? -1 : memcmp(x.key, y.key, rs->key_bytes);

		if (!d)
			rs->add(rs->arg, x.words, y.words);
		if (d <= 0)
			write_row(&w, x.key, x.words);
		else
			write_row(&w, y.key, y.words);
		has_x = d <= 0 ? next_row(&x) : has_x;
		has_y = d >= 0 ? next_row(&y) : has_y;
	}
	return writer_end(&w);
}

static void add_run(struct rowstore *rs, struct run r, bool all)
{
	while (rs->runs.n > rs->settled) {
		struct run last = rs->runs.v[rs->runs.n - 1];

		if (last.n > 2 * r.n && !all)
			break;
		rs->runs.n--;
		r = join(rs, last, r);
	}
	VEC_PUSH(&rs->runs, r);
}

struct packing {
	const u8 *keys;
	u32 key_bytes;
};

static int by_key(const void *a, const void *b, void *arg)
{
	const struct packing *p = arg;

	return memcmp(p->keys + (size_t)*(const u32 *)a * p->key_bytes,
		      p->keys + (size_t)*(const u32 *)b * p->key_bytes, p->key_bytes);
}

/* The rows of the table become a run. */
static struct run pack(struct rowstore *rs)
{
	u32 n = keytab_count(rs->fresh);
	u8 *keys = xmalloc((size_t)n * rs->key_bytes + 1);
	u32 *at = xmalloc(n * sizeof(*at) + 1);
	struct writer w = writer_begin(rs);

	if (!rs->order)
		find_order(rs);
	for (u32 i = 0; i < n; i++) {
		to_order(rs, keys + (size_t)i * rs->key_bytes, keytab_key(rs->fresh, i));
		at[i] = i;
	}
	qsort_r(at, n, sizeof(*at), by_key, &(struct packing){ keys, rs->key_bytes });
	for (u32 i = 0; i < n; i++)
		write_row(&w, keys + (size_t)at[i] * rs->key_bytes, keytab_val(rs->fresh, at[i]));
	free(at);
	free(keys);
	keytab_free(rs->fresh);
	rs->fresh = keytab_new(rs->key_bytes, rs->words * 8);
	return writer_end(&w);
}

/* ---- for others ------------------------------------------------------------------------ */

u64 *rowstore_put(struct rowstore *rs, const void *key)
{
	if (keytab_count(rs->fresh) == FRESH && !keytab_get(rs->fresh, key))
		add_run(rs, pack(rs), false);
	return keytab_put(rs->fresh, key);
}

void rowstore_settle(struct rowstore *rs)
{
	bool some = keytab_count(rs->fresh);

	rs->settled = false;
	if (some || rs->runs.n > 1)
		add_run(rs, some ? pack(rs) : rs->runs.v[--rs->runs.n], true);
	rs->settled = rs->runs.n;
}

u32 rowstore_settled(const struct rowstore *rs)
{
	return rs->settled ? rs->runs.v[0].n : 0;
}

void rowstore_row(struct rowstore *rs, u32 i, void *key, u64 *words)
{
	struct reader r = { .rs = rs, .run = &rs->runs.v[0], .key = xmalloc(rs->key_bytes),
			    .words = words };

	r.p = r.run->pieces[i / PIECE];
	for (u32 k = 0; k <= i % PIECE; k++)
		read_row(&r);
	from_order(rs, key, r.key);
	free(r.key);
}

void rowstore_keep(struct rowstore *rs, const u32 *rows, u32 n)
{
	struct run old = rs->runs.v[0];
	struct reader r = reader_begin(rs, &old, true);
	struct writer w = writer_begin(rs);
	u32 i = 0;

	while (next_row(&r))
		if (i < n && rows[i] == r.at - 1) {
			write_row(&w, r.key, r.words);
			i++;
		}
	rs->runs.v[0] = writer_end(&w);
}

static void each_of_runs(struct rowstore *rs, u32 n,
			 void (*row)(void *arg, const void *key, u64 *words), void *arg)
{
	u8 *key = xmalloc(rs->key_bytes);

	for (u32 i = 0; i < n; i++) {
		struct reader r = reader_begin(rs, &rs->runs.v[i], false);

		while (next_row(&r)) {
			from_order(rs, key, r.key);
			row(arg, key, r.words);
		}
	}
	free(key);
}

void rowstore_each_settled(struct rowstore *rs,
			   void (*row)(void *arg, const void *key, u64 *words), void *arg)
{
	each_of_runs(rs, rs->settled, row, arg);
}

void rowstore_each(struct rowstore *rs, void (*row)(void *arg, const void *key, u64 *words),
		   void *arg)
{
	each_of_runs(rs, rs->runs.n, row, arg);
	for (u32 i = 0; i < keytab_count(rs->fresh); i++)
		row(arg, keytab_key(rs->fresh, i), keytab_val(rs->fresh, i));
}
