/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * recorder.c - bufpolicy=ring: the newest records of each CPU, printed at the end.
 *
 * The kernel's ring buffer cannot overwrite records. So it is read as it fills, and
 * the records are kept here, bufsize bytes per CPU; new records replace the oldest.
 */
#include <stdlib.h>

#include "runtime/read/read-private.h"

struct kept {
	struct kept *next;
	u64 number;              /* number in order of arrival, over all CPUs */
	u32 size;
	u8 data[];
};

struct recorder {
	u64 number, room;
	u32 ncpus;
	struct lane { struct kept *first, **last; u64 used; } *lanes;
};

struct recorder *recorder_new(u64 bufsize, u32 ncpus)
{
	struct recorder *r = xcalloc(1, sizeof(*r));

	r->room = bufsize;
	r->ncpus = ncpus;
	r->lanes = xcalloc(ncpus, sizeof(*r->lanes));
	for (u32 i = 0; i < ncpus; i++)
		r->lanes[i].last = &r->lanes[i].first;
	return r;
}

static struct kept *recorder_take(struct lane *l)
{
	struct kept *k = l->first;

	l->first = k->next;
	l->used -= k->size;
	if (!l->first)
		l->last = &l->first;
	return k;
}

void recorder_free(struct recorder *r)
{
	if (!r)
		return;
	for (u32 i = 0; i < r->ncpus; i++)
		while (r->lanes[i].first)
			free(recorder_take(&r->lanes[i]));
	free(r->lanes);
	free(r);
}

void recorder_add(struct recorder *r, const void *data, size_t size)
{
	struct dtx_rec rec;

	memcpy(&rec, data, sizeof(rec));
	struct lane *l = &r->lanes[rec.cpu % r->ncpus];

	while (l->first && l->used + size > r->room)
		free(recorder_take(l));
	if (l->used + size > r->room)
		return;                  /* larger than the buffer: never stored */
	struct kept *k = xmalloc(sizeof(*k) + size);

	k->next = NULL;
	k->number = r->number++;
	k->size = size;
	memcpy(k->data, data, size);
	*l->last = k;
	l->last = &k->next;
	l->used += size;
}

void recorder_replay(struct recorder *r, struct consumer *c)
{
	for (;;) {
		struct lane *oldest = NULL;

		for (u32 i = 0; i < r->ncpus; i++) {
			struct lane *l = &r->lanes[i];

			if (l->first && (!oldest || l->first->number < oldest->first->number))
				oldest = l;
		}
		if (!oldest)
			return;
		struct kept *k = recorder_take(oldest);

		if (!c->out->err)
			consumer_take(c, k->data, k->size);
		free(k);
	}
}
