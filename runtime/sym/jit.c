/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * jit.c - code made at run time: where functions are, and perf-PID.map, in which a process
 * describes them.
 *
 * A line is "START SIZE name", both numbers in hexadecimal.  Memory is used again: what was told
 * last is valid.
 */
#include <stdlib.h>

#include "runtime/sym/tables.h"

#define OVERLAPS 64              /* functions that begin before an address and are looked at */

struct jit {
	VEC(struct jitsym) syms;         /* by address and order, once sorted */
	bool sorted;
	struct arena *names;
};

struct jit *jit_new(void)
{
	struct jit *j = xcalloc(1, sizeof(*j));

	j->names = arena_new();
	return j;
}

void jit_free(struct jit *j)
{
	if (!j)
		return;
	VEC_FREE(&j->syms);
	arena_free(j->names);
	free(j);
}

void jit_add(struct jit *j, u64 addr, u64 size, const char *name)
{
	struct jitsym s = { .addr = addr, .size = size, .order = j->syms.n };

	s.name = arena_strdup(j->names, name);
	VEC_PUSH(&j->syms, s);
	j->sorted = false;
}

u32 jit_count(const struct jit *j)
{
	return j->syms.n;
}

static int jit_cmp(const void *pa, const void *pb)
{
	const struct jitsym *a = pa, *b = pb;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return a->order < b->order ? -1 : 1;
}

const struct jitsym *jit_at(struct jit *j, u64 addr)
{
	const struct jitsym *best = NULL;
	u32 lo;

	if (!j->sorted && j->syms.n)
		qsort(j->syms.v, j->syms.n, sizeof(*j->syms.v), jit_cmp);
	j->sorted = true;
	lo = BISECT(i, j->syms.n, j->syms.v[i].addr > addr);
	for (u32 i = 0; i < OVERLAPS && lo--; i++) {
		const struct jitsym *s = &j->syms.v[lo];

		if (addr - s->addr < s->size && (!best || s->order > best->order))
			best = s;
	}
	return best;
}

struct jit *jit_parse(char *text)
{
	struct jit *j = jit_new();
	char *line, *next, *q;

	for (line = text; (next = strchr(line, '\n')); line = next + 1) {
		u64 addr, size;

		*next = '\0';
		addr = strtoull(line, &q, 16);
		size = strtoull(q, &q, 16);
		if (*q++ == ' ')
			jit_add(j, addr, size, q);
	}
	return j;
}
