/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * jitsyms.c - code made at run time: where functions are, as processes tell it (perfmap.c,
 * jitdump.c).
 *
 * Memory is used again: what was told last is valid.
 */
#include <stdlib.h>

#include "runtime/stack/stack-private.h"

#define OVERLAPS 64              /* functions that begin before an address and are looked at */

struct jit {
	const char *kind;                /* who tells it: "the perf map" of process pid */
	u32 pid;
	VEC(struct jitsym) syms;
	u32 sorted;                      /* the first ones are, by address and order */
	u64 kept;                        /* bytes of memory */
	struct arena *names;
};

struct jit *jit_new(const char *kind, u32 pid)
{
	struct jit *j = xcalloc(1, sizeof(*j));

	j->kind = kind;
	j->pid = pid;
	j->names = arena_new();
	return j;
}

void jit_free(struct jit *j)
{
	if (!j)
		return;
	budget_free(j->kept);
	VEC_FREE(&j->syms);
	arena_free(j->names);
	free(j);
}

bool jit_room(struct jit *j, u64 bytes)
{
	if (!budget_keep(bytes)) {
		budget_refuse("%s of process %u", j->kind, j->pid);
		return false;
	}
	j->kept += bytes;
	return true;
}

const char *jit_name(struct jit *j, const char *name)
{
	size_t len = strnlen(name, JIT_NAME_MOST + 1);
	const char *cut = len > JIT_NAME_MOST ? "…" : "";

	len = MIN(len, (size_t)JIT_NAME_MOST);
	while (*cut && len && (name[len] & 0xc0) == 0x80)
		len--;                   /* a character of UTF-8 stays whole */
	return jit_room(j, len + 8) ? arena_printf(j->names, "%.*s%s", (int)len, name, cut) : NULL;
}

bool jit_add(struct jit *j, u64 addr, u64 size, const char *name)
{
	struct jitsym s = { .addr = addr, .size = size, .order = j->syms.n, .name = name };

	if (!name || !jit_room(j, 2 * sizeof(s)))        /* 2: the vector grows by doubling */
		return false;
	VEC_PUSH(&j->syms, s);
	return true;
}

u32 jit_count(const struct jit *j)
{
	return j->syms.n;
}

/* The new ones, which come after all others in the order of telling; equal addresses keep it. */
static struct jitsym *sort_new(const struct jitsym *v, u32 n)
{
	struct sort_key *keys = xmalloc(n * sizeof(*keys));
	struct jitsym *out = xmalloc(n * sizeof(*out));

	for (u32 i = 0; i < n; i++)
		keys[i] = (struct sort_key){ v[i].addr, i };
	sort_keys(keys, n);
	for (u32 i = 0; i < n; i++)
		out[i] = v[keys[i].i];
	free(keys);
	return out;
}

/* Merges them into the sorted ones before them, from the end. */
static void sort_all(struct jit *j)
{
	u32 old = j->sorted, n = j->syms.n - old, at = j->syms.n;
	struct jitsym *v = j->syms.v, *more;

	if (!n)
		return;
	more = sort_new(v + old, n);
	while (n) {
		bool keep = old && v[old - 1].addr > more[n - 1].addr;

		v[--at] = keep ? v[--old] : more[--n];
	}
	free(more);
	j->sorted = j->syms.n;
}

const struct jitsym *jit_at(struct jit *j, u64 addr)
{
	const struct jitsym *best = NULL;
	u32 lo;

	sort_all(j);
	lo = BISECT(i, j->syms.n, j->syms.v[i].addr > addr);
	for (u32 i = 0; i < OVERLAPS && lo--; i++) {
		const struct jitsym *s = &j->syms.v[lo];

		if (addr - s->addr < s->size && (!best || s->order > best->order))
			best = s;
	}
	return best;
}
