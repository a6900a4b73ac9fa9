/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * host.c - what one host sends, as a part of the run: its manifest is compared with the run's, and
 * records, messages and rows become those of the run.
 */
#include <errno.h>
#include <stdlib.h>

#include "runtime/fleet/fleet-private.h"
#include "runtime/sink/sink.h"

#define HOST_MESSAGES 1000               /* of one of several hosts */
#define TOLD_LONG     4096               /* bytes of a notice that is compared with others' */
#define WITHIN_MOST   100000             /* hosts of hosts that are runs of several */
#define LATE_MOST     65536              /* probes that one of several finds while tracing */

struct within { const char *name; u32 number; };

/* ---- messages --------------------------------------------------------------------------- */

/* What all hosts tell alike is told once. */
static bool told_before(struct fleet *f, const struct dtx_message *m)
{
	if (m->kind != DTX_NOTICE || m->severity != DTX_INFO || strlen(m->text) > TOLD_LONG)
		return false;
	if (map_get(f->told, m->text))
		return true;
	map_set(f->told, m->text, f);
	return false;
}

static void count_losses(struct host *h, const struct dtx_message *m)
{
	u64 *to = m->kind == DTX_LOSS ? &h->lost : m->kind == DTX_ACCOUNT ? &h->lost_in_all : NULL;

	if (to)
		*to = m->count < UINT64_MAX - *to ? *to + m->count : UINT64_MAX;
}

static void host_message(void *arg, struct dtx_message *m, bool also_said)
{
	struct host *h = arg;
	struct fleet *f = h->fleet;
	bool several = fleet_several(f);

	count_losses(h, m);
	if (several && (m->kind == DTX_PROGRESS || h->nmessages > HOST_MESSAGES ||
			told_before(f, m)))
		return;
	if (several && h->nmessages++ == HOST_MESSAGES) {
		fleet_say(f, h, DTX_WARNING, "it has told more than %u messages: further ones are "
			  "not shown", HOST_MESSAGES);
		return;
	}
	if (several && m->kind == DTX_LISTING)
		m->kind = DTX_NOTICE;            /* one line, with its host */
	m->host = h->within || !several ? h->within : h->name;
	outs_flush(f->outs);
	outs_message(f->outs, m, also_said);
	/* The place is part of the text, and the program is not here. */
	m->at = (struct dtx_place){ 0 };
	if (also_said && !f->relays) {
		dtx_message_fn *also = f->env->diags.also;

		f->env->diags.also = NULL;       /* the sinks have it */
		diags_send(&f->env->diags, m);
		f->env->diags.also = also;
	}
}

/* ---- begin ------------------------------------------------------------------------------ */

static const struct img *host_image(void *arg, const char *text, size_t len)
{
	struct host *h = arg;

	return h->fit.img = fleet_image(h->fleet, text, len);
}

static int host_option(void *arg, const char *name, const char *value, bool now)
{
	return fleet_option(((struct host *)arg)->fleet, name, value, now);
}

static struct map *fleet_probes(struct fleet *f)
{
	if (f->probes)
		return f->probes;
	f->probes = map_new();
	for (u32 i = 0; i < f->img->nprobes; i++) {
		char *name = fit_probe_name(img_probe(f->img, i));

		map_set(f->probes, name, (void *)(uintptr_t)(i + 1));
		free(name);
	}
	return f->probes;
}

static void host_fit(struct host *h)
{
	struct fleet *f = h->fleet;
	struct img *run = f->img;

	h->fit.same = h->fit.img == f->first;
	if (h->fit.same)
		return;
	for (u32 i = 0; i < f->hosts.n; i++)
		if (f->hosts.v[i] != h && f->hosts.v[i]->fit.img == h->fit.img &&
		    f->hosts.v[i]->fit.sites) {
			h->fit = f->hosts.v[i]->fit;
			return;
		}
	fit_make(&h->fit, run, h->fit.img, f->arena, fleet_probes(f), &f->room);
	for (u32 i = 0; i < run->naggs; i++)
		if (i >= h->fit.img->naggs || !h->fit.aggs[i])
			fleet_say(f, h, DTX_WARNING, "@%s is another aggregation there, by its "
				  "function or its keys: its values are not in the merged table",
				  run->aggs[i].name);
}

static int host_begin(void *arg, const struct run_info *info)
{
	struct host *h = arg;
	struct fleet *f = h->fleet;
	int err = f->opened ? 0 : f->failed ? f->failed : fleet_open(f, info);

	if (err)
		return err;
	h->info = *info;
	h->state = HOST_RUNS;
	h->offset = info->wall - info->time - (f->info.wall - f->info.time);
	h->begun = h->last = info->time + h->offset;
	h->final = ARENA_ARRAY(f->arena, bool, f->img->naggs + 1);
	h->shown = ARENA_ARRAY(f->arena, bool, f->img->naggs + 1);
	h->states = ARENA_ARRAY(f->arena, struct states *, f->img->naggs + 1);
	host_fit(h);
	return 0;
}

/* ---- what hosts send -------------------------------------------------------------------- */

/* Of one host, probes of one name may be several: each is added. */
static void host_probe(void *arg, const struct dtx_probe *p)
{
	struct host *h = arg;
	struct fleet *f = h->fleet;
	struct dtx_probe kept = *p;
	u32 at;

	if (!fleet_several(f)) {
		at = fit_probe_add(f->img, p, f->arena, &f->room);
	} else if (h->late.n == LATE_MOST) {
		h->kept = SIZE_MAX / 2;  /* it is out */
		return;
	} else {
		kept.prov = arena_strdup(f->arena, p->prov);
		kept.mod = arena_strdup(f->arena, p->mod);
		kept.func = arena_strdup(f->arena, p->func);
		kept.name = arena_strdup(f->arena, p->name);
		at = fit_probe(f->img, &kept, f->arena, fleet_probes(f), &f->room);
	}
	VEC_PUSH(&h->late, at);
}

const struct img_agg *host_agg(const struct host *h, const struct img_agg *agg)
{
	u32 at = agg - h->fit.img->aggs;

	if (h->fit.same)
		return agg;
	return h->fit.aggs[at] ? &h->fleet->img->aggs[h->fit.aggs[at] - 1] : NULL;
}

static bool print_fits(const struct host *h, const struct agg_print *p)
{
	for (u32 i = 0; i < p->naggs; i++)
		if (!host_agg(h, p->aggs[i]))
			return false;
	return true;
}

static void host_misfit(struct host *h, const struct img_site *site)
{
	if (!h->misfits++)
		fleet_say(h->fleet, h, DTX_WARNING, "clause %u records other values there: its "
			  "records are not shown", site->clause + 1);
}

/* The event as one of the run's program. */
static bool event_fit(struct host *h, struct event *ev, u32 probe)
{
	struct fleet *f = h->fleet;
	const struct img_site *site = ev->site;
	u32 known = h->fit.img->nprobes, at = site - h->fit.img->sites;

	if (probe >= known)
		probe = h->late.v[MIN(probe - known, h->late.n - 1)];
	else if (!h->fit.same)
		probe = h->fit.probes[probe];
	ev->probe = img_probe(f->img, probe);
	if (h->fit.same)
		return true;
	if (!h->fit.sites[at]) {
		host_misfit(h, site);
		return false;
	}
	ev->site = &f->img->sites[h->fit.sites[at] - 1];
	for (u32 i = 0; i < ev->nitems; i++) {
		struct item *it = &ev->items[i];

		it->act = &ev->site->actions[it->act - site->actions];
		for (u32 k = 0; k < it->act->nfields; k++)
			it->vals[k].field = &it->act->fields[k];
	}
	return true;
}

static void event_printed(struct host *h, const struct img_action *act)
{
	for (u32 i = 0; i < act->naggs; i++)
		if (act->aggs[i] < h->fleet->img->naggs) {
			h->fleet->printed[act->aggs[i]] = true;
			h->shown[act->aggs[i]] = true;
		}
}

static void event_exit(struct fleet *f, const struct item *it)
{
	if (f->exit_all && fleet_several(f) && action_has(it->act, ACTF_ENDS))
		f->stop = true;
}

/* If the only host dies, its last states are printed, without those. */
static void event_alone(struct host *h, struct event *ev)
{
	struct fleet *f = h->fleet;

	ev->host = h->within;
	ev->host_number = h->within_number;
	ev->merged = h->info.nhosts && !h->within;
	for (u32 i = 0; !f->patient && i < ev->nitems; i++)
		if (ev->items[i].kind == ITEM_AGGS)
			event_printed(h, ev->items[i].act);
	outs_event(f->outs, ev);
}

/* What printa() prints is collected; the rest is of this host. */
static void event_split(struct host *h, struct event *ev)
{
	struct fleet *f = h->fleet;
	u32 n = 0, prints = 0;

	for (u32 i = 0; i < ev->nitems; i++) {
		struct item *it = &ev->items[i];

		event_exit(f, it);
		if (it->kind != ITEM_AGGS) {
			ev->items[n++] = *it;
			continue;
		}
		prints++;
		event_printed(h, it->act);
		if (it->print && print_fits(h, it->print))
			rounds_event(h, ev, it);
	}
	ev->nitems = n;
	if (n || !prints)
		outs_event(f->outs, ev);
}

static void host_event(void *arg, struct event *ev, u32 probe)
{
	struct host *h = arg;
	struct fleet *f = h->fleet;

	if (!event_fit(h, ev, probe))
		return;
	if (ev->time)
		ev->time += (u64)h->offset;
	h->last = MAX(h->last, (s64)ev->time);
	if (!fleet_several(f)) {
		event_alone(h, ev);
		return;
	}
	ev->host = h->within ? h->within : h->name;
	ev->host_number = h->within ? h->within_number : h->number;
	event_split(h, ev);
}

/* A host may be a run of several itself: its hosts are named after it. */
static void host_within(void *arg, const char *name)
{
	struct host *h = arg;
	struct fleet *f = h->fleet;
	bool several = fleet_several(f);
	struct within *w;
	char *full;

	h->within = NULL;
	if (!name)
		return;
	full = several ? xprintf("%s/%s", h->name, name) : xstrdup(name);
	w = map_get(f->within, full);
	if (!w && map_count(f->within) < WITHIN_MOST) {
		w = ARENA_NEW(f->arena, struct within);
		w->number = f->hosts.n + (u32)map_count(f->within);
		w->name = arena_strdup(f->arena, full);
		map_set(f->within, full, w);
	}
	free(full);
	h->within = w ? w->name : NULL;
	h->within_number = w ? w->number : 0;
}

/* A row is small where the host packs it, and has all its words in a table. */
static size_t rows_bytes(const struct agg_print *p)
{
	size_t words = 0;

	for (u32 i = 0; i < p->naggs; i++)
		words += agg_data_words(p->aggs[i]);
	return p->nrows * words * sizeof(u64);
}

bool host_may_bring(struct host *h, const struct agg_print *p)
{
	if (rows_bytes(p) <= HOST_BYTES)
		return true;
	h->kept = SIZE_MAX / 2;
	return false;
}

/* What it prints at the end takes the place of what it told before. */
static void host_aggs(void *arg, struct agg_print *p)
{
	struct host *h = arg;
	struct fleet *f = h->fleet;
	const struct img_agg *agg;
	u32 at;

	if (!fleet_several(f))
		outs_aggs(f->outs, p);
	agg = p->naggs == 1 ? host_agg(h, p->aggs[0]) : NULL;
	at = agg ? (u32)(agg - f->img->aggs) : 0;
	if (!agg || h->final[at] || (fleet_several(f) && !host_may_bring(h, p)))
		return;
	h->final[at] = true;
	if (fleet_several(f)) {
		u32 known = keyset_count(f->keys[at]);

		merged_add_rows(f->sums[at], p);
		h->rows += (keyset_count(f->keys[at]) - known) * agg_data_words(agg) * sizeof(u64);
	}
	states_free(h->states[at]);
	h->states[at] = NULL;
}

/* ---- states ----------------------------------------------------------------------------- */

static struct states *host_states(struct host *h, const struct img_agg *of, u32 *at)
{
	const struct img_agg *agg = host_agg(h, of);

	if (!agg)
		return NULL;
	*at = agg - h->fleet->img->aggs;
	if (h->final[*at])
		return NULL;
	if (!h->states[*at])
		h->states[*at] = states_new(agg);
	return h->states[*at];
}

static void host_state(void *arg, const struct img_agg *agg, bool all, s64 norm)
{
	u32 at;
	struct states *s = host_states(arg, agg, &at);

	if (s)
		states_begin(s, all, norm);
}

static void host_state_row(void *arg, const struct img_agg *agg, u32 number,
			   const struct val *keys, const u64 *words)
{
	struct host *h = arg;
	u32 at, key;
	struct states *s = host_states(h, agg, &at);

	if (!s)
		return;
	if (keys && fleet_several(h->fleet)) {
		u32 known = keyset_count(h->fleet->keys[at]);

		if (h->rows > HOST_BYTES)        /* it is out */
			return;
		key = keyset_put(h->fleet->keys[at], keys);
		h->rows += (key == known) * agg_data_words(agg) * sizeof(u64);
	} else if (keys) {
		key = keyset_put(h->fleet->keys[at], keys);
	}
	states_row(s, number, keys ? &key : NULL, words);
}

static void host_state_end(void *arg, const struct img_agg *agg)
{
	struct host *h = arg;
	u32 at;
	struct states *s = host_states(h, agg, &at);

	if (!s)
		return;
	states_close(s);
	if (!fleet_several(h->fleet))
		fleet_sample_of(h->fleet, at, s);
}

/* All rows, as older recordings and those of replays have them. */
static void host_sample_rows(struct host *h, const struct agg_print *p)
{
	const struct img_agg *agg = p->aggs[0];

	host_state(h, agg, true, p->nrows ? agg_print_row(p, 0)->norm : 1);
	for (u32 i = 0; i < p->nrows; i++) {
		const struct agg_row *row = agg_print_row(p, i);

		host_state_row(h, agg, i, row->keys, row->data);
	}
	host_state_end(h, agg);
}

static void host_sample(void *arg, struct agg_print *p)
{
	struct host *h = arg;
	struct fleet *f = h->fleet;

	if (!fleet_several(f)) {
		p->time += p->naggs ? 0 : h->offset;
		outs_sample(f->outs, p);
		return;
	}
	if (p->naggs == 1) {
		host_sample_rows(h, p);
		return;
	}
	h->last = MAX(h->last, p->time + h->offset);
	fleet_sample_due(f);
}

static void host_end(void *arg, const struct run_end *end)
{
	struct host *h = arg;
	struct fleet *f = h->fleet;

	h->end = *end;
	h->state = HOST_ENDED;
	if (!f->status)
		f->status = end->status;
}

static int host_after(void *arg, bool block)
{
	struct fleet *f = ((struct host *)arg)->fleet;

	if (f->outs->v[0].err)
		return -f->outs->v[0].err;
	if (block && !fleet_several(f))
		outs_flush(f->outs);
	return outs_stop(f->outs);
}

const struct replay_to host_to = {
	.image = host_image, .begin = host_begin, .option = host_option, .probe = host_probe,
	.event = host_event, .aggs = host_aggs, .sample = host_sample, .state = host_state,
	.state_row = host_state_row, .state_end = host_state_end, .message = host_message,
	.host = host_within, .end = host_end, .after = host_after,
};
