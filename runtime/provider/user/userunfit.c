/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * userunfit.c - where no probe may be, although the kernel would take it.
 *
 * Between an exclusive load and its store: a probe makes the store fail, and the program goes back
 * to the load, for ever.  Each way from a load is followed to the next exclusive access; what leads
 * to no store is free.  And what instructions read as data: a breakpoint would change it.
 */
#include <stdlib.h>

#include <dtx/arch.h>

#include "runtime/provider/insn.h"

#define STEPS_MOST 128           /* from a load on; sequences have four or five */

struct step {
	u64 off, to[2];
	u32 n;                   /* of to[] */
	bool leads;              /* to a store, or is one */
};
struct way { struct step v[STEPS_MOST]; u32 n; };

static struct step *step_at(struct way *w, u64 off)
{
	for (u32 i = 0; i < w->n; i++)
		if (w->v[i].off == off)
			return &w->v[i];
	return NULL;
}

static void add_step(struct way *w, u64 off)
{
	if (w->n < STEPS_MOST && !step_at(w, off))
		w->v[w->n++] = (struct step){ .off = off };
}

static void next_steps(struct way *w, u32 i, const u8 *code, u64 size)
{
	struct step *s = &w->v[i];
	struct arch_insn in;

	if (s->off >= size || !arch_insn_read(code + s->off, size - s->off, s->off, &in))
		return;
	s->leads = in.exclusive == ARCH_EXCLUSIVE_STORE;
	if (i && in.exclusive)
		return;
	if (in.flow == ARCH_JUMP || in.flow == ARCH_BRANCH)
		s->to[s->n++] = in.to;
	if (in.flow == ARCH_NEXT || in.flow == ARCH_CALL || in.flow == ARCH_BRANCH)
		s->to[s->n++] = s->off + in.len;
	for (u32 j = 0; j < s->n; j++)
		add_step(w, s->to[j]);
}

/* Another one leads to a store, as one after it does. */
static bool lead_more(struct way *w)
{
	for (u32 i = 0; i < w->n; i++)
		for (u32 j = 0; j < w->v[i].n && !w->v[i].leads; j++) {
			struct step *next = step_at(w, w->v[i].to[j]);

			if (next && next->leads)
				return w->v[i].leads = true;
		}
	return false;
}

static void mark_from(u64 load, const u8 *code, u64 size, u8 *marks)
{
	struct way *w = xcalloc(1, sizeof(*w));

	add_step(w, load);
	for (u32 i = 0; i < w->n; i++)
		next_steps(w, i, code, size);
	while (lead_more(w))
		continue;
	for (u32 i = 0; i < w->n; i++)
		if (w->v[i].leads)
			marks[w->v[i].off] = UNFIT_EXCLUSIVE;
	free(w);
}

static void mark_data(const struct arch_insn *in, u64 size, u8 *marks)
{
	for (u32 i = 0; i < in->data_size; i++)
		if (in->data + i < size)
			marks[in->data + i] = UNFIT_DATA;
}

u8 *insn_unfit(const u8 *code, u64 size)
{
	struct arch_insn in;
	u8 *marks = NULL;

	for (u64 off = 0; ARCH_UNFIT_CODE && off < size; off += in.len) {
		if (!arch_insn_read(code + off, size - off, off, &in))
			break;
		if (in.exclusive != ARCH_EXCLUSIVE_LOAD && (!in.data_size || in.data >= size))
			continue;
		marks = marks ? marks : xcalloc(size, 1);
		if (!marks[off] && in.exclusive)
			mark_from(off, code, size, marks);
		else if (marks[off] != UNFIT_DATA)
			mark_data(&in, size, marks);
	}
	return marks;
}
