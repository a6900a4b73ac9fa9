/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rounds.c - printa() on every host is printed once.
 *
 * The n-th time that a host does a certain printa() is its part of the n-th round of it.  A
 * round is shown when all hosts have brought their part, or when those that lack it are late.
 * Nothing of a late part is lost: if the host has cleared its aggregation since, it is added to
 * the next round; else the next part contains it.
 */
#include <stdlib.h>

#include "runtime/fleet/fleet-private.h"
#include "runtime/sink/sink.h"

#define LATE        2000000000ll /* ns that a round waits for those that lack */
#define LATE_FILES  1000000000ll /* the same in recordings, whose runs are as if begun together */
#define BYTES_MOST  (256u << 20) /* of its tables that wait: then the oldest is shown */
#define ROUNDS_MOST 64           /* of one printa() that wait */

struct round {
	u64 order;               /* those that began sooner are shown first */
	s64 since, at;           /* when: on this machine, and on the clock of the run */
	s64 elapsed;             /* of its first host */
	size_t bytes;            /* of its table */
	struct merged *table;
	u32 *resets;             /* of each aggregation, of all parts together */
};

struct rounds_host {
	u64 next;                /* the round that its next part belongs to */
	bool joined;
	u32 *resets;             /* of each aggregation at its last part */
	struct merged *late;      /* a part whose round was shown */
};

/* One printa() of a clause. */
struct printing {
	const struct img_site *site;
	const struct img_action *act;
	u32 probe;               /* its number: the run gets further ones, and they move then */
	size_t bytes;            /* of all that wait */
	u64 first;               /* the number of the oldest that waits */
	VEC(struct round *) open;
	VEC(struct rounds_host) hosts;
	bool mixed_told;
};

static struct printing *printing_of(struct fleet *f, const struct event *ev,
				    const struct img_action *act)
{
	struct printing *p;

	for (u32 i = 0; i < f->printings.n; i++)
		if (f->printings.v[i]->act == act)
			return f->printings.v[i];
	p = xcalloc(1, sizeof(*p));
	p->site = ev->site;
	p->act = act;
	p->probe = img_probe_at(f->img, ev->probe);
	VEC_PUSH(&f->printings, p);
	return p;
}

/* One that came later begins with the round that waits now. */
static struct rounds_host *rounds_of(struct printing *p, u32 host)
{
	while (p->hosts.n <= host)
		VEC_PUSH(&p->hosts, (struct rounds_host){ 0 });
	struct rounds_host *rh = &p->hosts.v[host];

	if (!rh->joined)
		rh->next = p->first;
	rh->joined = true;
	return rh;
}

/* Of the run's aggregations; a host's print has those of its own manifest. */
static struct merged *print_merged(const struct host *h, const struct agg_print *print)
{
	const struct img_agg **aggs = xcalloc(print->naggs, sizeof(*aggs));
	struct merged *t;

	for (u32 i = 0; i < print->naggs; i++)
		aggs[i] = host_agg(h, print->aggs[i]);
	t = merged_new(h->fleet->texts, NULL, aggs, print->naggs);
	free(aggs);
	return t;
}

static struct round *round_get(const struct host *h, struct printing *p, u64 number, s64 at,
			       const struct agg_print *print)
{
	struct fleet *f = h->fleet;

	while (p->open.n <= number - p->first) {
		struct round *r = xcalloc(1, sizeof(*r));

		r->order = ++f->nrounds;
		r->since = clock_ns(CLOCK_MONOTONIC_COARSE);
		r->at = at;
		r->elapsed = host_elapsed(h);
		r->table = print_merged(h, print);
		r->resets = xcalloc(print->naggs, sizeof(*r->resets));
		VEC_PUSH(&p->open, r);
	}
	return p->open.v[number - p->first];
}

static void round_free(struct round *r)
{
	merged_free(r->table);
	free(r->resets);
	free(r);
}

/* ---- showing ---------------------------------------------------------------------------- */

static void round_show(struct fleet *f, struct printing *p, struct round *r)
{
	struct agg_opts opts = fleet_order(f);
	struct arena *a = arena_new();
	struct agg_print print;
	struct item item = { .kind = ITEM_AGGS, .act = p->act, .print = &print };
	struct event ev = { .probe = img_probe(f->img, p->probe), .site = p->site,
			    .time = (u64)r->at, .items = &item, .nitems = 1, .merged = true };
	const struct img_agg *mixed = merged_mixed(r->table);

	merged_print(r->table, a, &opts, &print);
	print.act = p->act;
	print.resets = r->resets;
	if (p->act->has_num && (u64)p->act->num < print.nrows)
		merged_cut(&print, (u32)p->act->num, opts.reverse);
	outs_event(f->outs, &ev);
	if (mixed && !p->mixed_told)
		fleet_say_mixed(f, mixed);
	p->mixed_told |= mixed != NULL;
	arena_free(a);
}

static void round_pop(struct fleet *f, struct printing *p)
{
	struct round *r = p->open.v[0];

	VEC_DROP(&p->open, 1);
	p->first++;
	p->bytes -= r->bytes;
	round_show(f, p, r);
	round_free(r);
}

/* Has the host brought its part of the oldest round, or is it not waited for? */
static bool host_brought(struct printing *p, const struct host *h, const struct round *r)
{
	const struct rounds_host *rh = h->number < p->hosts.n ? &p->hosts.v[h->number] : NULL;

	return !host_lives(h) || (rh && rh->joined && rh->next > p->first) ||
	       (h->fleet->patient && host_elapsed(h) > r->elapsed + LATE_FILES);
}

static bool round_due(struct fleet *f, struct printing *p, s64 now)
{
	const struct round *r = p->open.v[0];

	if (p->open.n > ROUNDS_MOST || p->bytes > BYTES_MOST)
		return true;
	if (!f->patient && now - r->since >= LATE)
		return true;
	for (u32 i = 0; i < f->hosts.n; i++)
		if (!host_brought(p, f->hosts.v[i], r))
			return false;
	return true;
}

void rounds_show(struct fleet *f, bool all)
{
	s64 now = clock_ns(CLOCK_MONOTONIC_COARSE);
	struct printing *next;

	do {
		next = NULL;
		for (u32 i = 0; i < f->printings.n; i++) {
			struct printing *p = f->printings.v[i];

			if (p->open.n && (all || round_due(f, p, now)) &&
			    (!next || p->open.v[0]->order < next->open.v[0]->order))
				next = p;
		}
		if (next)
			round_pop(f, next);
	} while (next);
}

s64 rounds_next(const struct fleet *f)
{
	s64 now = clock_ns(CLOCK_MONOTONIC_COARSE), least = LATE;

	for (u32 i = 0; i < f->printings.n; i++)
		if (f->printings.v[i]->open.n)
			least = MIN(least, f->printings.v[i]->open.v[0]->since + LATE - now);
	return MAX(least, 0);
}

/* ---- parts ------------------------------------------------------------------------------ */

/* What came too late is added, of those that the host has cleared since: the others contain it. */
static void part_add(struct rounds_host *rh, const struct agg_print *print, struct merged *to)
{
	if (!rh->resets)
		rh->resets = xcalloc(print->naggs, sizeof(*rh->resets));
	for (u32 i = 0; i < print->naggs; i++) {
		if (rh->late && rh->resets[i] != print->resets[i])
			merged_add_one(to, rh->late, i);
		rh->resets[i] = print->resets[i];
	}
	merged_free(rh->late);
	rh->late = NULL;
	merged_add_rows(to, print);
}

static void part_late(const struct host *h, struct rounds_host *rh, const struct agg_print *print)
{
	struct merged *late = print_merged(h, print);

	part_add(rh, print, late);
	rh->late = late;
}

void rounds_event(struct host *h, const struct event *ev, const struct item *it)
{
	struct fleet *f = h->fleet;
	struct printing *p = printing_of(f, ev, it->act);
	struct rounds_host *rh = rounds_of(p, h->number);
	u64 number = rh->next++;

	if (!it->print->naggs || !host_may_bring(h, it->print))
		return;
	if (number < p->first) {
		part_late(h, rh, it->print);
	} else {
		struct round *r = round_get(h, p, number, (s64)ev->time, it->print);

		part_add(rh, it->print, r->table);
		for (u32 i = 0; i < it->print->naggs; i++)
			r->resets[i] += it->print->resets ? it->print->resets[i] : 0;
		p->bytes += merged_bytes(r->table) - r->bytes;
		r->bytes = merged_bytes(r->table);
	}
	rounds_show(f, false);
}

/* What came too late and was in no later part. */
void rounds_rest(struct fleet *f)
{
	rounds_show(f, true);
	for (u32 i = 0; i < f->printings.n; i++) {
		struct printing *p = f->printings.v[i];
		struct round r = { .at = f->info.last };

		for (u32 k = 0; k < p->hosts.n; k++) {
			struct merged *late = p->hosts.v[k].late;

			if (late && r.table)
				merged_add_merged(r.table, late);
			else if (late)
				r.table = late;
			if (late && r.table != late)
				merged_free(late);
			p->hosts.v[k].late = NULL;
		}
		if (r.table)
			round_show(f, p, &r);
		merged_free(r.table);
	}
}

void rounds_free(struct fleet *f)
{
	for (u32 i = 0; i < f->printings.n; i++) {
		struct printing *p = f->printings.v[i];

		for (u32 k = 0; k < p->open.n; k++)
			round_free(p->open.v[k]);
		for (u32 k = 0; k < p->hosts.n; k++) {
			merged_free(p->hosts.v[k].late);
			free(p->hosts.v[k].resets);
		}
		VEC_FREE(&p->open);
		VEC_FREE(&p->hosts);
		free(p);
	}
	VEC_FREE(&f->printings);
}
