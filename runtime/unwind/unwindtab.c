/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unwindtab.c - writes an unwind table (dtx/unwind.h), and searches it.
 *
 * Rows come in the order of the file, so each page is written once, when it is complete.  A rule
 * gets its number when it is first used.
 *
 * A table made by parts is written where programs read it: what a word of the page index leads to
 * is complete before the word is stored.
 */
#include <stdlib.h>

#include "runtime/code/cfi.h"

#define PAGE          (1u << DTX_UW_PAGE_SHIFT)
#define RULES_MOST    (DTX_UW_ROW_RULE + 1)
#define RULE_WORDS    (sizeof(struct dtx_uw_rule) / 4)
#define RULE_QUADS    (sizeof(struct dtx_uw_rule) / 8)
#define HEAD_WORDS    (sizeof(struct dtx_uw_head) / 4)

struct uwtab {
	u32 *words, nwords, room;
	struct dtx_uw_head head;
	VEC(struct dtx_uw_rule) rules;
	VEC(u32) numbers;        /* of the rules, if the table is made by parts */
	u32 *slots, nslots;      /* rules by their hash: index + 1; nslots: a power of two */
	u32 range;               /* that is written */
	u64 page, end;           /* the page that is collected; end of the range, or part */
	u32 rows[PAGE], nrows;   /* of that page; the first one is for its offset 0 */
	u32 single, single_rule; /* place and rule of the last page with one row */
	struct unwind_room room_of;      /* of a table made by parts */
	bool by_parts, full;
};

/* ---- words ------------------------------------------------------------------------------ */

static bool more_room(struct uwtab *t, u32 words)
{
	u32 room = ALIGN_UP(MAX(words, t->room * 2), DTX_UW_CHUNK_WORDS), *at;

	if (t->by_parts) {
		at = t->room_of.more(t->room_of.arg, words, &room);
		t->full |= !at;
		if (!at)
			return false;
		t->words = at;
	} else {
		t->words = xrealloc(t->words, (size_t)room * 4);
		memset(t->words + t->room, 0, (size_t)(room - t->room) * 4);
	}
	t->room = room;
	return true;
}

/* Room for n words; returns their place.  0: there is none. */
static u32 add_words(struct uwtab *t, u32 n)
{
	u32 at = t->nwords;

	if (at + n > t->room && !more_room(t, at + n))
		return 0;
	t->nwords = at + n;
	return at;
}

/* The same, within one chunk. */
static u32 add_within_chunk(struct uwtab *t, u32 n)
{
	u32 left = DTX_UW_CHUNK_WORDS - t->nwords % DTX_UW_CHUNK_WORDS;

	if (n > left && left < DTX_UW_CHUNK_WORDS)
		add_words(t, left);
	return add_words(t, n);
}

/* ---- rules ------------------------------------------------------------------------------ */

/* There are a million rows, and few rules.  The products do not wait for each other. */
static u32 rule_hash(const struct dtx_uw_rule *r)
{
	static const u64 by[4] = { 0x9e3779b97f4a7c15ull, 0xc2b2ae3d27d4eb4full,
				   0x165667b19e3779f9ull, 0x27d4eb2f165667c5ull };
	u64 w[RULE_QUADS], sum = 0;

	memcpy(w, r, sizeof(w));
	for (u32 i = 0; i < RULE_QUADS; i++)
		sum += w[i] * (by[i % 4] + i / 4 * 2);
	return (u32)(sum >> 32);
}

static bool rule_equal(const struct dtx_uw_rule *a, const struct dtx_uw_rule *b)
{
	u64 v[RULE_QUADS], w[RULE_QUADS], differ = 0;

	memcpy(v, a, sizeof(v));
	memcpy(w, b, sizeof(w));
	for (u32 i = 0; i < RULE_QUADS; i++)
		differ |= v[i] ^ w[i];
	return !differ;
}

static void grow_slots(struct uwtab *t)
{
	t->nslots = t->nslots ? t->nslots * 2 : 256;
	free(t->slots);
	t->slots = xcalloc(t->nslots, sizeof(*t->slots));
	for (u32 i = 0; i < t->rules.n; i++) {
		u32 at = rule_hash(&t->rules.v[i]) & (t->nslots - 1);

		while (t->slots[at])
			at = (at + 1) & (t->nslots - 1);
		t->slots[at] = i + 1;
	}
}

/* The number of the i-th rule, which is new; 0: there is no room. */
static u32 new_number(struct uwtab *t, u32 i)
{
	u32 at = 0;

	if (!t->by_parts)
		return i;
	if (i) {
		t->nwords = ALIGN_UP(t->nwords, RULE_WORDS);     /* within the chunk */
		at = add_within_chunk(t, RULE_WORDS);
	}
	if (at / RULE_WORDS >= RULES_MOST)
		at = 0;
	if (at)
		memcpy(t->words + at, &t->rules.v[i], sizeof(t->rules.v[i]));
	VEC_PUSH(&t->numbers, at / RULE_WORDS);
	return at / RULE_WORDS;
}

static u32 number_of(const struct uwtab *t, u32 i)
{
	return t->by_parts ? t->numbers.v[i] : i;
}

/* Its number, possibly a new one.  When all numbers are used: 0, nothing is known. */
static u32 rule_number(struct uwtab *t, const struct dtx_uw_rule *r)
{
	u32 at;

	if (t->rules.n * 2 >= t->nslots)
		grow_slots(t);
	for (at = rule_hash(r) & (t->nslots - 1); t->slots[at]; at = (at + 1) & (t->nslots - 1))
		if (rule_equal(&t->rules.v[t->slots[at] - 1], r))
			return number_of(t, t->slots[at] - 1);
	if (t->rules.n == RULES_MOST)
		return 0;
	VEC_PUSH(&t->rules, *r);
	t->slots[at] = t->rules.n;
	return new_number(t, t->rules.n - 1);
}

/* ---- pages ------------------------------------------------------------------------------ */

static u32 write_page(struct uwtab *t)
{
	u32 rule = t->rows[0], at;

	if (t->nrows == 1 && (!rule || (t->single && t->single_rule == rule)))
		return rule ? t->single : 0;
	at = add_within_chunk(t, t->nrows);
	if (!at)
		return 0;
	memcpy(t->words + at, t->rows, t->nrows * 4);
	t->words[at] |= (t->nrows - 1) << DTX_UW_ROW_SHIFT;
	t->head.nrows += t->nrows;
	if (t->nrows == 1) {
		t->single = at;
		t->single_rule = rule;
	}
	return at;
}

/* Writes what is collected, and begins the next page. */
static void end_page(struct uwtab *t)
{
	const struct dtx_uw_range *g = &t->head.range[t->range];
	u32 place = g->index + (u32)(t->page - g->first), at;

	if (!t->by_parts || t->words[place] == DTX_UW_ASK) {
		at = write_page(t);
		__atomic_store_n(&t->words[place], at, __ATOMIC_RELEASE);
	}
	t->rows[0] = t->rows[t->nrows - 1] & DTX_UW_ROW_RULE;
	t->nrows = 1;
	t->page++;
}

static void end_range(struct uwtab *t)
{
	while (t->page < t->end)
		end_page(t);
}

static void begin_pages(struct uwtab *t, u64 first, u64 npages)
{
	t->page = first;
	t->end = first + npages;
	t->rows[0] = 0;
	t->nrows = 1;
}

bool uwtab_range(struct uwtab *t, u64 first, u64 npages)
{
	struct dtx_uw_range *g = &t->head.range[t->head.nranges];

	end_range(t);
	if (t->head.nranges == DTX_UW_RANGES || !npages || first < t->end ||
	    first >= DTX_UW_PAGES || npages > DTX_UW_PAGES - first)
		return false;
	g->first = (u32)first;
	g->npages = (u32)npages;
	g->index = add_words(t, g->npages);
	t->range = t->head.nranges++;
	begin_pages(t, first, npages);
	return true;
}

void uwtab_row(struct uwtab *t, u64 file_off, const struct dtx_uw_rule *r)
{
	u64 page = file_off >> DTX_UW_PAGE_SHIFT;
	u32 at = (u32)(file_off & (PAGE - 1)) << DTX_UW_ROW_SHIFT, rule = rule_number(t, r);

	if (page >= t->end || page < t->page)
		return;
	while (t->page < page)
		end_page(t);
	if ((t->rows[t->nrows - 1] & ~DTX_UW_ROW_RULE) == at) {
		t->rows[t->nrows - 1] = at | rule;
		return;
	}
	if ((t->rows[t->nrows - 1] & DTX_UW_ROW_RULE) != rule)
		t->rows[t->nrows++] = at | rule;
}

/* ---- tables ------------------------------------------------------------------------------ */

struct uwtab *uwtab_new(void)
{
	static const struct dtx_uw_rule none = { .kind = DTX_UW_NONE };
	struct uwtab *t = xcalloc(1, sizeof(*t));

	add_words(t, HEAD_WORDS);
	rule_number(t, &none);
	return t;
}

struct unwind_table *uwtab_end(struct uwtab *t, u64 cfi)
{
	struct unwind_table *out = xcalloc(1, sizeof(*out));
	u32 n = t->rules.n;

	end_range(t);
	add_words(t, ALIGN_UP(t->nwords, RULE_WORDS) - t->nwords);
	t->head.magic = DTX_UW_MAGIC;
	t->head.nrules = n;
	t->head.rules = add_words(t, n * RULE_WORDS);
	t->head.nwords = t->nwords;
	memcpy(t->words + t->head.rules, t->rules.v, n * sizeof(*t->rules.v));
	memcpy(t->words, &t->head, sizeof(t->head));
	out->words = t->words;
	out->nwords = t->nwords;
	out->nchunks = (t->nwords + DTX_UW_CHUNK_WORDS - 1) / DTX_UW_CHUNK_WORDS;
	out->nrows = t->head.nrows;
	out->nrules = n;
	out->cfi_bytes = cfi;
	VEC_FREE(&t->rules);
	free(t->slots);
	free(t);
	return out;
}

/* ---- by parts ---------------------------------------------------------------------------- */

struct uwtab *uwtab_parts(const struct unwind_room *room, const struct dtx_uw_range *ranges, u32 n)
{
	static const struct dtx_uw_rule none = { .kind = DTX_UW_NONE };
	struct uwtab *t = xcalloc(1, sizeof(*t));

	t->by_parts = true;
	t->room_of = *room;
	t->head.magic = DTX_UW_MAGIC;
	t->head.nranges = n;
	memcpy(t->head.range, ranges, n * sizeof(*ranges));
	add_words(t, HEAD_WORDS);
	rule_number(t, &none);
	for (u32 i = 0; i < n && !t->full; i++) {
		u32 at = add_words(t, ranges[i].npages);

		t->head.range[i].index = at;
		for (u32 p = 0; p < ranges[i].npages && at; p++)
			t->words[at + p] = DTX_UW_ASK;
	}
	if (t->full) {
		uwtab_free(t);
		return NULL;
	}
	memcpy(t->words, &t->head, sizeof(t->head));
	return t;
}

bool uwtab_asked(const struct uwtab *t, u32 range, u64 page)
{
	const struct dtx_uw_range *g = &t->head.range[range];

	return page - g->first < g->npages &&
	       t->words[g->index + (page - g->first)] == DTX_UW_ASK;
}

void uwtab_part(struct uwtab *t, u32 range, u64 first, u64 npages)
{
	t->range = range;
	begin_pages(t, first, npages);
}

void uwtab_moved(struct uwtab *t, u32 *words)
{
	t->words = words;
}

void uwtab_ask_no_more(struct uwtab *t)
{
	for (u32 i = 0; i < t->head.nranges; i++)
		for (u32 p = 0; p < t->head.range[i].npages; p++) {
			u32 *word = &t->words[t->head.range[i].index + p];

			*word = *word == DTX_UW_ASK ? 0 : *word;
		}
}

bool uwtab_part_end(struct uwtab *t)
{
	end_range(t);
	if (t->full)
		uwtab_ask_no_more(t);
	return !t->full;
}

void uwtab_free(struct uwtab *t)
{
	if (!t)
		return;
	VEC_FREE(&t->rules);
	VEC_FREE(&t->numbers);
	free(t->slots);
	free(t);
}

/* ---- use --------------------------------------------------------------------------------- */

u64 unwind_size(const struct unwind_table *t)
{
	return (u64)t->nchunks * DTX_UW_CHUNK_BYTES;
}

void unwind_free(struct unwind_table *t)
{
	if (!t)
		return;
	free(t->words);
	free(t);
}

/* The last row of the page at or before this offset. */
static u32 find_row(const u32 *rows, u32 off)
{
	u32 n = rows[0] >> DTX_UW_ROW_SHIFT;

	return rows[BISECT(i, n, rows[1 + i] >> DTX_UW_ROW_SHIFT > off)] & DTX_UW_ROW_RULE;
}

const struct dtx_uw_rule *unwind_find(const struct unwind_table *t, u64 file_off)
{
	const struct dtx_uw_head *h = (const void *)t->words;
	u64 page = file_off >> DTX_UW_PAGE_SHIFT;

	for (u32 i = 0; i < h->nranges; i++) {
		u32 at;

		if (page - h->range[i].first >= h->range[i].npages)
			continue;
		at = t->words[h->range[i].index + (page - h->range[i].first)];
		if (at <= DTX_UW_ASK)
			return NULL;
		at = find_row(t->words + at, (u32)(file_off & (PAGE - 1)));
		return at ? (const void *)(t->words + h->rules + at * RULE_WORDS) : NULL;
	}
	return NULL;
}
