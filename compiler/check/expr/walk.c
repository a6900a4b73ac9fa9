/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * walk.c - which member the verifier takes for the one that a load from a kernel object reads.
 *
 * It does not know the program's text: it looks for the first member at the offset, and of a union
 * for the first one that is long enough to reach there.  If the member that is meant stands behind
 * a narrower one, or behind a pointer, then the load is refused, or its result is taken for what
 * it is not; the same holds for the unit of a bit-field that begins in the member before it.
 * btf_struct_walk() in kernel/bpf/btf.c: here are its rules of 6.1, and of newer kernels what is
 * stricter (since 6.5 a scalar of a union may be narrower; since 6.17 void * is a pointer, too).
 */
#include "compiler/check/check-private.h"

#define WALK_STEPS  64           /* structs in structs; real ones have few */

struct walk {
	struct comp *c;
	struct type *su;         /* where the rest of the walk is */
	u64 off;
	u32 size;
	struct type *found;      /* the member's type, without the arrays around it */
};

enum step { STEP_DOWN, STEP_FOUND, STEP_REFUSED, STEP_NEXT };

static struct type *innermost(struct type *t)
{
	for (t = type_base(t); t && t->kind == T_ARRAY; t = type_base(t->to))
		;
	return t;
}

/* Beyond the end: only in structs of an array without a length. */
static enum step beyond(struct walk *w)
{
	const struct type_member *last = w->su->count ? &w->su->members[w->su->count - 1] : NULL;
	struct type *t = last ? type_base(last->type) : NULL;
	u64 size;

	if (!t || t->kind != T_ARRAY || t->count || w->off < last->bit_off / 8)
		return STEP_REFUSED;
	t = type_base(t->to);
	size = t && type_is_struct(t) ? type_size(w->c, t) : 0;
	if (!size)
		return STEP_REFUSED;
	w->off = (w->off - last->bit_off / 8) % size;
	w->su = t;
	return STEP_DOWN;
}

static enum step bits_step(const struct walk *w, const struct type_member *m)
{
	u32 end = (m->bit_off + m->bit_size + 7) / 8;

	return w->off <= m->bit_off / 8 && end <= w->off + w->size ? STEP_FOUND : STEP_NEXT;
}

static enum step member_step(struct walk *w, const struct type_member *m)
{
	u64 at = m->bit_off / 8, end = at + type_size(w->c, m->type), size;
	struct type *t = innermost(m->type);

	if (w->off + w->size <= at)
		return STEP_REFUSED;
	w->found = t;
	if (m->bit_size)
		return bits_step(w, m);
	if (w->off < at || !t)
		return STEP_REFUSED;
	if (w->off >= end)
		return STEP_NEXT;
	size = type_size(w->c, t);
	if (size)
		at += (w->off - at) / size * size;
	if (type_is_struct(t)) {
		w->su = t;
		w->off -= at;
		return STEP_DOWN;
	}
	if (t->kind == T_PTR)
		return size == w->size && w->off == at ? STEP_FOUND : STEP_REFUSED;
	return w->off + w->size <= end ? STEP_FOUND : STEP_REFUSED;
}

static enum step struct_step(struct walk *w)
{
	enum step s = STEP_NEXT;

	w->su = type_complete(w->su);
	if (!w->su || w->su->incomplete)
		return STEP_REFUSED;
	if (w->off + w->size > w->su->size)
		return beyond(w);
	for (u32 i = 0; s == STEP_NEXT && i < w->su->count; i++)
		s = member_step(w, &w->su->members[i]);
	return s;
}

struct type *walk_finds(struct comp *c, struct type *su, u64 off, u32 size)
{
	struct walk w = { c, su, off, size, NULL };
	enum step s = STEP_DOWN;

	for (u32 n = 0; s == STEP_DOWN && n < WALK_STEPS; n++)
		s = struct_step(&w);
	return s == STEP_FOUND ? w.found : NULL;
}
