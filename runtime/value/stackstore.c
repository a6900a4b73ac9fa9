/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stackstore.c - stacks that were taken out of the program's tables (stacktake.c).
 *
 * The kernel keeps a stack under a hash of its frames, so its number means the same wherever it is:
 * tables that fill are emptied to here while the program runs, and records and keys that have the
 * number stay as they are.  A program may put a stack there again; it is the same one.
 *
 * What is taken at once is sorted by the frames, from the start of the thread on, and written with
 * what differs from the stack before, each frame as a small number: 10 to 30 bytes for a stack and
 * 12 for its place.  Every sixteenth is written whole, where reading begins.  The innermost frame
 * of a sample may be anywhere: it is no number, but its difference from its caller.
 *
 * What is written is packed in blocks of some 16 KB, which takes three fifths: the same callers
 * come again and again.  To read a stack its block is unpacked, in 20 us; the last ones stay.
 *
 * Places are in lists that are sorted by the number of the stack.  Lists of about the same length
 * are joined, so there are few; long ones are not, as that needs the memory twice.
 * Why: docs/decisions/37-user-stacks.md
 */
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include <dtx/base.h>
#include <dtx/stack.h>

#include "runtime/value/decode.h"

#define STORE_GROUP  16          /* stacks that are read from one begin */
#define STORE_LIST   (1u << 19)  /* places in a list that is not joined any more */
#define STORE_BLOCK  16384       /* bytes of text that are packed, or one group more */
#define STORE_LEVEL  3           /* of zstd: 9 saves 3 %, and costs ten times as much */
#define STORE_OPEN   64          /* blocks that stay unpacked */

struct place {
	u32 low, high;           /* the name of the stack: its number in its table, and which one */
	u32 at;                  /* which one it was, as they were written */
};

struct list {
	struct place *v;
	u32 n;
};

/* Taken, and not written yet. */
struct fresh {
	u64 name;
	u32 kind;                /* index in kinds */
	u32 at, n;               /* in ids */
	u64 inner, caller;       /* the innermost frame, and the one before it; 0: none */
};

/* Text of whole groups, packed. */
struct block {
	u8 *data;
	u32 len, bytes;          /* bytes: of the text */
	u32 group;               /* the first one */
};

struct stackstore {
	u32 n;                   /* stacks written */
	struct keytab *frames;   /* u64 */
	struct keytab *kinds;    /* struct dtx_stack */
	VEC(struct list) lists;
	size_t nplaces;          /* in all lists */
	struct buf text;         /* what is not packed yet */
	VEC(u32) groups;         /* where they begin in the text of their block */
	VEC(struct block) blocks;
	u32 first;               /* the first group in text */
	size_t packed;           /* bytes of all blocks */
	struct unpacked {
		u32 block;       /* + 1; 0: none */
		char *text;
	} open[STORE_OPEN];      /* by the number of the block */
	VEC(struct fresh) fresh;
	VEC(u32) ids;            /* frames of the fresh ones, from the start on; no innermost */
};

struct stackstore *stackstore_new(void)
{
	struct stackstore *st = xcalloc(1, sizeof(*st));

	st->frames = keytab_new(sizeof(u64), 0);
	st->kinds = keytab_new(sizeof(struct dtx_stack), 0);
	return st;
}

void stackstore_free(struct stackstore *st)
{
	if (!st)
		return;
	keytab_free(st->frames);
	keytab_free(st->kinds);
	for (u32 i = 0; i < st->lists.n; i++)
		free(st->lists.v[i].v);
	VEC_FREE(&st->lists);
	buf_free(&st->text);
	for (u32 i = 0; i < st->blocks.n; i++)
		free(st->blocks.v[i].data);
	for (u32 i = 0; i < STORE_OPEN; i++)
		free(st->open[i].text);
	VEC_FREE(&st->blocks);
	VEC_FREE(&st->groups);
	VEC_FREE(&st->fresh);
	VEC_FREE(&st->ids);
	free(st);
}

size_t stackstore_bytes(const struct stackstore *st)
{
	return keytab_bytes(st->frames) + keytab_bytes(st->kinds) + st->text.len + st->packed +
	       st->blocks.n * (sizeof(struct block) + 16) + st->groups.n * sizeof(u32) +
	       st->nplaces * sizeof(struct place);
}

/* ---- places -------------------------------------------------------------------------- */

static u64 stack_name(u64 id, u32 depth)
{
	return id ^ depth * 0xc2b2ae3d27d4eb4full;
}

static u64 place_name(const struct place *p)
{
	return (u64)p->high << 32 | p->low;
}

static const struct place *find_place(const struct stackstore *st, u64 name)
{
	for (u32 i = st->lists.n; i--;) {
		const struct list *l = &st->lists.v[i];
		u32 at = BISECT(k, l->n, place_name(&l->v[k]) >= name);

		if (at < l->n && place_name(&l->v[at]) == name)
			return &l->v[at];
	}
	return NULL;
}

static int by_name(const void *a, const void *b)
{
	u64 x = place_name(a), y = place_name(b);

	return x < y ? -1 : x > y;
}

static struct list join(struct list a, struct list b)
{
	struct list to = { xmalloc(((size_t)a.n + b.n) * sizeof(*to.v)), 0 };

	for (u32 i = 0, k = 0; i < a.n || k < b.n;) {
		bool first = k == b.n || (i < a.n && by_name(&a.v[i], &b.v[k]) < 0);

		to.v[to.n++] = first ? a.v[i++] : b.v[k++];
	}
	free(a.v);
	free(b.v);
	return to;
}

static void add_list(struct stackstore *st, struct list l)
{
	st->nplaces += l.n;
	qsort(l.v, l.n, sizeof(*l.v), by_name);
	while (st->lists.n) {
		struct list last = st->lists.v[st->lists.n - 1];

		if (last.n > 2 * l.n || last.n + l.n > STORE_LIST)
			break;
		l = join(last, l);
		st->lists.n--;
	}
	VEC_PUSH(&st->lists, l);
}

static u32 frames_of(const struct dtx_stack *s, u32 depth)
{
	return MIN(s->n, MIN(depth, DTX_STACK_MAX));
}

/* ---- blocks -------------------------------------------------------------------------- */

/* The text becomes a block.  What cannot be packed is kept as it is. */
static void pack_text(struct stackstore *st)
{
	size_t room = ZSTD_compressBound(st->text.len);
	struct block b = { xmalloc(room), 0, (u32)st->text.len, st->first };
	size_t len = ZSTD_compress(b.data, room, st->text.data, st->text.len, STORE_LEVEL);

	if (ZSTD_isError(len) || len >= st->text.len) {
		len = st->text.len;
		memcpy(b.data, st->text.data, len);
	}
	b.len = (u32)len;
	b.data = xrealloc(b.data, len);
	st->packed += len;
	VEC_PUSH(&st->blocks, b);
	st->first = st->groups.n;
	buf_reset(&st->text);
}

static const char *block_text(struct stackstore *st, u32 i)
{
	struct unpacked *u = &st->open[i % STORE_OPEN];
	const struct block *b = &st->blocks.v[i];

	if (u->block == i + 1)
		return u->text;
	u->text = xrealloc(u->text, b->bytes);
	u->block = i + 1;
	if (b->len == b->bytes)
		memcpy(u->text, b->data, b->bytes);
	else if (ZSTD_decompress(u->text, b->bytes, b->data, b->len) != b->bytes)
		memset(u->text, 0, b->bytes);    /* it was packed here: this cannot be */
	return u->text;
}

/* Where the text of a group begins. */
static const u8 *group_text(struct stackstore *st, u32 group)
{
	const char *text = st->text.data;

	if (group < st->first)
		text = block_text(st, BISECT(i, st->blocks.n,
					     st->blocks.v[i].group > group) - 1);
	return (const u8 *)text + st->groups.v[group];
}

/* ---- writing ------------------------------------------------------------------------- */

void stackstore_put(struct stackstore *st, u64 id, u32 depth, const struct dtx_stack *s)
{
	const u64 *frame = (const u64 *)(s + 1);
	struct fresh f = { .name = stack_name(id, depth), .at = st->ids.n };
	u32 n = frames_of(s, depth);

	if (find_place(st, f.name))
		return;
	f.kind = keytab_index(st->kinds, s);
	for (u32 i = n; i-- > 1; f.n++)
		VEC_PUSH(&st->ids, keytab_index(st->frames, &frame[i]));
	f.inner = n ? frame[0] : 0;
	f.caller = n > 1 ? frame[1] : 0;
	VEC_PUSH(&st->fresh, f);
}

static u32 in_common(const struct stackstore *st, const struct fresh *a, const struct fresh *b)
{
	u32 i = 0;

	while (i < MIN(a->n, b->n) && st->ids.v[a->at + i] == st->ids.v[b->at + i])
		i++;
	return i;
}

static int by_frames(const void *a, const void *b, void *arg)
{
	const struct stackstore *st = arg;
	const struct fresh *x = a, *y = b;
	u32 i = in_common(st, x, y);

	if (i == x->n && i == y->n && x->inner != y->inner)
		return x->inner < y->inner ? -1 : 1;
	if (i == x->n && i == y->n)
		return x->name < y->name ? -1 : x->name > y->name;
	if (i == x->n || i == y->n)
		return (x->n > y->n) - (x->n < y->n);
	return st->ids.v[x->at + i] < st->ids.v[y->at + i] ? -1 : 1;
}

/* before: the stack written before it, NULL: a group begins. */
static void write_stack(struct stackstore *st, const struct fresh *f, const struct fresh *before)
{
	u32 same = before ? in_common(st, before, f) : 0;

	if (!before && st->text.len >= STORE_BLOCK)
		pack_text(st);
	if (!before)
		VEC_PUSH(&st->groups, (u32)st->text.len);
	buf_varint(&st->text, f->kind);
	buf_varint(&st->text, same);
	buf_varint(&st->text, f->n - same);
	for (u32 i = same; i < f->n; i++)
		buf_varint(&st->text, st->ids.v[f->at + i]);
	buf_varint(&st->text, f->inner ^ f->caller);
	st->n++;
}

void stackstore_write(struct stackstore *st)
{
	const struct fresh *before = NULL;
	struct list l = { NULL, 0 };

	if (!st->fresh.n)
		return;
	l.v = xmalloc(st->fresh.n * sizeof(*l.v));
	qsort_r(st->fresh.v, st->fresh.n, sizeof(*st->fresh.v), by_frames, st);
	st->n = st->groups.n * STORE_GROUP;
	for (u32 i = 0; i < st->fresh.n; i++) {
		const struct fresh *f = &st->fresh.v[i];

		if (before && before->name == f->name)
			continue;        /* it was put there again while the table was emptied */
		l.v[l.n++] = (struct place){ (u32)f->name, f->name >> 32, st->n };
		write_stack(st, f, st->n % STORE_GROUP ? before : NULL);
		before = f;
	}
	add_list(st, l);
	st->fresh.n = st->ids.n = 0;
}

/* ---- reading --------------------------------------------------------------------------- */

bool stackstore_get(struct stackstore *st, u64 id, u32 depth, struct dtx_stack *s)
{
	const struct place *place = find_place(st, stack_name(id, depth));
	u32 ids[DTX_STACK_MAX], n = 0, kind = 0;
	u64 inner = 0, *frame = (u64 *)(s + 1);

	if (!place)
		return false;
	const u8 *p = group_text(st, place->at / STORE_GROUP);
	for (u32 i = 0; i <= place->at % STORE_GROUP; i++) {
		kind = (u32)varint_get(&p);
		n = (u32)varint_get(&p);
		for (u32 own = (u32)varint_get(&p); own; own--)
			ids[n++] = (u32)varint_get(&p);
		inner = varint_get(&p);
	}
	memcpy(s, keytab_key(st->kinds, kind), sizeof(*s));
	for (u32 i = 0; i < n; i++)
		memcpy(&frame[1 + i], keytab_key(st->frames, ids[n - 1 - i]), sizeof(*frame));
	if (frames_of(s, depth))
		frame[0] = inner ^ (n ? frame[1] : 0);
	return true;
}
