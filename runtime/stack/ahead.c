/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ahead.c - names of the frames that many rows have, found before the rows are printed, one file
 * after the other.
 *
 * Rows come in the order of their values, and each has frames in other files.  Where the symbols of
 * all files are more than may be in memory, each row would throw out what the next one needs.  So
 * the frames of all rows are collected first, and what is kept of each is its function's name.
 * Why: docs/decisions/43-code-files.md
 */
#include <stdlib.h>

#include <dtx/base.h>
#include <dtx/stack.h>

#include "runtime/code/code.h"
#include "runtime/stack/stack-private.h"

#define AHEAD_MOST (1u << 19)    /* frames; further ones are named in the order of the rows */
#define AHEAD_SORT (1u << 16)    /* collected ones are sorted, and each is there once */

struct ahead_row {
	u64 frame;
	const char *sym;         /* NULL: none is known */
	u64 off;
};

struct ahead {
	struct arena *names;
	VEC(u64) wanted;
	u32 sorted;              /* of them, each once */
	VEC(struct ahead_row) rows;      /* by frame */
};

void ahead_free(struct ahead *t)
{
	if (!t)
		return;
	VEC_FREE(&t->wanted);
	VEC_FREE(&t->rows);
	arena_free(t->names);
	free(t);
}

static struct ahead *ahead_get(struct dtx_env *env)
{
	struct symtabs *sym = symtabs_get(env);

	if (!sym->ahead) {
		sym->ahead = xcalloc(1, sizeof(struct ahead));
		sym->ahead->names = arena_new();
	}
	return sym->ahead;
}

static int word_cmp(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return (x > y) - (x < y);
}

static int row_cmp(const void *frame, const void *row)
{
	return word_cmp(frame, &((const struct ahead_row *)row)->frame);
}

static const struct ahead_row *ahead_row_of(const struct ahead *t, u32 n, u64 frame)
{
	return n ? bsearch(&frame, t->rows.v, n, sizeof(*t->rows.v), row_cmp) : NULL;
}

static void sort_wanted(struct ahead *t)
{
	u32 n = 0;

	if (t->wanted.n)
		qsort(t->wanted.v, t->wanted.n, sizeof(u64), word_cmp);
	for (u32 i = 0; i < t->wanted.n; i++)
		if (!n || t->wanted.v[n - 1] != t->wanted.v[i])
			t->wanted.v[n++] = t->wanted.v[i];
	t->wanted.n = t->sorted = n;
}

/* ---- collecting ------------------------------------------------------------------------------ */

void sym_ahead_want(struct dtx_env *env, const struct val *v)
{
	struct ahead *t = ahead_get(env);
	bool source = stack_lines(env) || stack_inlined(env, true);

	if (v->kind != VAL_STACK || !v->user || v->frames || source || t->sorted >= AHEAD_MOST)
		return;
	for (u32 i = 0; i < v->npcs && v->pcs[i]; i++)
		if (v->pcs[i] & DTX_FRAME_FILE)
			VEC_PUSH(&t->wanted, v->pcs[i]);
	if (t->wanted.n >= 2 * t->sorted + AHEAD_SORT)
		sort_wanted(t);
}

/* ---- finding --------------------------------------------------------------------------------- */

/* false: nobody knows yet. */
static bool ahead_name(struct dtx_env *env, struct ahead *t, u64 frame)
{
	const struct ahead_row *last = t->rows.n ? &t->rows.v[t->rows.n - 1] : NULL;
	struct ahead_row row = { .frame = frame };
	struct usym s;

	if (!stackfile_lookup(env, frame, &s) || s.unseen || budget_stopped())
		return false;
	row.off = s.off;
	if (s.sym)
		row.sym = last && last->sym && !strcmp(last->sym, s.sym) ?
			  last->sym : arena_strdup(t->names, s.sym);
	VEC_PUSH(&t->rows, row);
	return true;
}

static int ahead_cmp(const void *a, const void *b)
{
	return word_cmp(&((const struct ahead_row *)a)->frame,
			&((const struct ahead_row *)b)->frame);
}

void sym_ahead_find(struct dtx_env *env)
{
	struct ahead *t = ahead_get(env);
	u32 before;

	sort_wanted(t);
	if (t->rows.n + t->wanted.n > AHEAD_MOST) {
		t->rows.n = 0;
		arena_clear(t->names);
	}
	before = t->rows.n;
	budget_reading(true);
	for (u32 i = 0; i < t->wanted.n && i < AHEAD_MOST; i++) {
		u64 frame = t->wanted.v[i];
		const struct ahead_row *row;

		if (ahead_row_of(t, before, frame))
			continue;
		codefiles_trim(env);
		if (!ahead_name(env, t, frame))
			continue;
		row = &t->rows.v[t->rows.n - 1];         /* as sym_frame() does */
		if (!(row->sym && row->off) && (!i || t->wanted.v[i - 1] != frame - 1) &&
		    !ahead_row_of(t, before, frame - 1))
			ahead_name(env, t, frame - 1);
	}
	budget_reading(false);
	qsort(t->rows.v, t->rows.n, sizeof(*t->rows.v), ahead_cmp);
	VEC_FREE(&t->wanted);
	t->sorted = 0;
}

bool ahead_lookup(struct dtx_env *env, u64 frame, struct usym *out)
{
	const struct ahead *t = symtabs_get(env)->ahead;
	const struct ahead_row *row = t ? ahead_row_of(t, t->rows.n, frame) : NULL;

	if (!row)
		return false;
	out->sym = row->sym;
	out->off = row->off;
	return true;
}
