/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ahead.c - names of the frames that many rows have, found before the rows are printed, one file
 * after the other.
 *
 * Rows come in the order of their values, and each has frames in other files.  Where the symbols of
 * all files are more than may be in memory, each row would throw out what the next one needs.  So
 * the frames of as many rows as there is room for are collected first, and what is kept of each is
 * its function's name.
 * Why: docs/decisions/43-code-files.md
 */
#include <stdlib.h>

#include <dtx/base.h>
#include <dtx/stack.h>

#include "runtime/code/code.h"
#include "runtime/stack/stack-private.h"

#define AHEAD_MOST (1u << 18)    /* frames that are known at a time: some 50 bytes each */

struct ahead_row {
	const char *sym;         /* NULL: the frame is in no function that has a name */
	u64 off;
	bool known;
};

struct ahead {
	struct arena *names;
	struct keytab *rows;     /* frame → struct ahead_row */
};

void ahead_free(struct ahead *t)
{
	if (!t)
		return;
	keytab_free(t->rows);
	arena_free(t->names);
	free(t);
}

static struct ahead *ahead_get(struct dtx_env *env)
{
	struct symtabs *sym = symtabs_get(env);

	if (!sym->ahead) {
		sym->ahead = xcalloc(1, sizeof(struct ahead));
		sym->ahead->names = arena_new();
		sym->ahead->rows = keytab_new(sizeof(u64), sizeof(struct ahead_row));
	}
	return sym->ahead;
}

/* Lines of the source need more of a file than its symbols. */
bool sym_ahead_pays(struct dtx_env *env)
{
	if (stack_lines(env) || stack_inlined(env, true) || !codefiles_crowded(env) ||
	    budget_stopped())
		return false;
	if (keytab_count(ahead_get(env)->rows) >= AHEAD_MOST) {
		ahead_free(ahead_get(env));
		symtabs_get(env)->ahead = NULL;
	}
	return true;
}

bool sym_ahead_want(struct dtx_env *env, const struct val *v)
{
	struct keytab *rows = ahead_get(env)->rows;
	bool frames = v->kind == VAL_STACK && v->user && !v->frames;

	for (u32 i = 0; frames && i < v->npcs && v->pcs[i]; i++)
		if (v->pcs[i] & DTX_FRAME_FILE)
			keytab_put(rows, &v->pcs[i]);
	return keytab_count(rows) < AHEAD_MOST;
}

/* ---- finding --------------------------------------------------------------------------------- */

/* Frames of one file are side by side, and so are those of one function. */
static struct sort_key *in_order(const struct ahead *t, u32 *n)
{
	u32 all = keytab_count(t->rows);
	struct sort_key *v = xcalloc(all + 1, sizeof(*v));

	*n = 0;
	for (u32 i = 0; i < all; i++)
		if (!((struct ahead_row *)keytab_val(t->rows, i))->known)
			v[(*n)++] = (struct sort_key){ *(const u64 *)keytab_key(t->rows, i), i };
	sort_keys(v, *n);
	return v;
}

/* Is it known now, with a place after the begin of its function? */
static bool name_frame(struct dtx_env *env, struct ahead *t, u64 frame, const char **last)
{
	struct ahead_row *row = keytab_put(t->rows, &frame);
	struct usym s;

	if (row->known || !stackfile_lookup(env, frame, &s) || s.unseen || budget_stopped())
		return true;
	if (s.sym && (!*last || strcmp(*last, s.sym)))
		*last = arena_strdup(t->names, s.sym);
	*row = (struct ahead_row){ s.sym ? *last : NULL, s.off, true };
	return s.sym && s.off;
}

void sym_ahead_find(struct dtx_env *env)
{
	struct ahead *t = ahead_get(env);
	const char *last = NULL;
	u32 n;
	struct sort_key *v = in_order(t, &n);

	budget_reading(true);
	for (u32 i = 0; i < n; i++) {
		codefiles_trim(env);
		if (!name_frame(env, t, v[i].key, &last))
			name_frame(env, t, v[i].key - 1, &last);         /* as sym_frame() does */
	}
	budget_reading(false);
	free(v);
}

bool ahead_lookup(struct dtx_env *env, u64 frame, struct usym *out)
{
	const struct ahead *t = symtabs_get(env)->ahead;
	const struct ahead_row *row = t ? keytab_get(t->rows, &frame) : NULL;

	if (!row || !row->known)
		return false;
	out->sym = row->sym;
	out->off = row->off;
	return true;
}
