/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unwindtab.c - writes an unwind table (dtx/unwind.h), and searches it.
 *
 * Rows come in the order of the file, so each page is written once, when it is complete.  A rule
 * gets its number when it is first used.
 */
#include <stdlib.h>

#include "runtime/code/cfi.h"

#define PAGE          (1u << DTX_UW_PAGE_SHIFT)
#define PAGES_MOST    (1u << 20)         /* code in the first 4 GB of a file */
#define RULES_MOST    (DTX_UW_ROW_RULE + 1)
#define RULE_WORDS    (sizeof(struct dtx_uw_rule) / 4)
#define HEAD_WORDS    (sizeof(struct dtx_uw_head) / 4)

struct uwtab {
	u32 *words, nwords, room;
	struct dtx_uw_head head;
	VEC(struct dtx_uw_rule) rules;
	u32 *slots, nslots;      /* rules by their hash: number + 1; nslots: a power of two */
	u64 page, end;           /* the page that is collected; end of the range */
	u32 rows[PAGE], nrows;   /* of that page; the first one is for its offset 0 */
	u32 single, single_rule; /* place and rule of the last page with one row */
};

/* ---- words ------------------------------------------------------------------------------ */

/* Room for n words; returns their place. */
static u32 add_words(struct uwtab *t, u32 n)
{
	u32 at = t->nwords;

	if (at + n > t->room) {
		u32 room = ALIGN_UP(MAX(at + n, t->room * 2), DTX_UW_CHUNK_WORDS);

		t->words = xrealloc(t->words, (size_t)room * 4);
		memset(t->words + t->room, 0, (size_t)(room - t->room) * 4);
		t->room = room;
	}
	t->nwords = at + n;
	return at;
}

/* The same, within one chunk. */
static u32 add_within_chunk(struct uwtab *t, u32 n)
{
	u32 left = DTX_UW_CHUNK_WORDS - t->nwords % DTX_UW_CHUNK_WORDS;

	if (n > left)
		add_words(t, left);
	return add_words(t, n);
}

/* ---- rules ------------------------------------------------------------------------------ */

/* There are a million rows, and few rules.  The products do not wait for each other. */
static u32 rule_hash(const struct dtx_uw_rule *r)
{
	u64 w[4];

	memcpy(w, r, sizeof(w));
	return (u32)((w[0] * 0x9e3779b97f4a7c15ull + w[1] * 0xc2b2ae3d27d4eb4full +
		      w[2] * 0x165667b19e3779f9ull + w[3] * 0x27d4eb2f165667c5ull) >> 32);
}

static bool rule_equal(const struct dtx_uw_rule *a, const struct dtx_uw_rule *b)
{
	u64 v[4], w[4];

	memcpy(v, a, sizeof(v));
	memcpy(w, b, sizeof(w));
	return !((v[0] ^ w[0]) | (v[1] ^ w[1]) | (v[2] ^ w[2]) | (v[3] ^ w[3]));
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

/* Its number, possibly a new one.  When all numbers are used: 0, nothing is known. */
static u32 rule_number(struct uwtab *t, const struct dtx_uw_rule *r)
{
	u32 at;

	if (t->rules.n * 2 >= t->nslots)
		grow_slots(t);
	for (at = rule_hash(r) & (t->nslots - 1); t->slots[at]; at = (at + 1) & (t->nslots - 1))
		if (rule_equal(&t->rules.v[t->slots[at] - 1], r))
			return t->slots[at] - 1;
	if (t->rules.n == RULES_MOST)
		return 0;
	VEC_PUSH(&t->rules, *r);
	t->slots[at] = t->rules.n;
	return t->rules.n - 1;
}

/* ---- pages ------------------------------------------------------------------------------ */

static u32 write_page(struct uwtab *t)
{
	u32 rule = t->rows[0], at;

	if (t->nrows == 1 && (!rule || (t->single && t->single_rule == rule)))
		return rule ? t->single : 0;
	at = add_within_chunk(t, t->nrows);
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
	const struct dtx_uw_range *g = &t->head.range[t->head.nranges - 1];
	u32 at = write_page(t);

	t->words[g->index + (t->page - g->first)] = at;
	t->rows[0] = t->rows[t->nrows - 1] & DTX_UW_ROW_RULE;
	t->nrows = 1;
	t->page++;
}

static void end_range(struct uwtab *t)
{
	while (t->page < t->end)
		end_page(t);
}

bool uwtab_range(struct uwtab *t, u64 first, u64 npages)
{
	struct dtx_uw_range *g = &t->head.range[t->head.nranges];

	end_range(t);
	if (t->head.nranges == DTX_UW_RANGES || !npages || first < t->end || first >= PAGES_MOST ||
	    npages > PAGES_MOST - first)
		return false;
	g->first = (u32)first;
	g->npages = (u32)npages;
	g->index = add_words(t, g->npages);
	t->head.nranges++;
	t->page = first;
	t->end = first + npages;
	t->rows[0] = 0;
	t->nrows = 1;
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
		if (!at)
			return NULL;
		at = find_row(t->words + at, (u32)(file_off & (PAGE - 1)));
		return at ? (const void *)(t->words + h->rules + at * RULE_WORDS) : NULL;
	}
	return NULL;
}
