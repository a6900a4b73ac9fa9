/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fleet.c - runs of several hosts, merged into one set of sinks: records and messages as they come,
 * each with its host; aggregations once, added (rounds.c, merged.c).
 *
 * No host is trusted: what one sends is read by runtime/read/, bounded here, and mapped to the
 * program of the run.  A host that sends rubbish is out, and the others go on.
 * Why it is so: docs/decisions/48-merging.md
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include <dtx/opt.h>

#include "runtime/fleet/merge.h"

#define BLOCK_MOST    (64u << 20)        /* bytes of a block of one of several hosts */
#define HOST_BYTES    (256u << 20)       /* that the texts of such a host may take */
#define HOST_MESSAGES 1000               /* of such a host */
#define TURN          100000000ll        /* ns: a buffer is written at least so often */

/* ---- messages ------------------------------------------------------------------------------ */

void fleet_say(struct fleet *f, const struct host *h, enum dtx_severity severity, const char *fmt,
	       ...)
{
	struct dtx_message m = MESSAGE(DTX_NOTICE, severity);
	va_list ap;

	m.host = h ? h->name : NULL;
	if (f->opened)
		outs_flush(&f->outs);
	va_start(ap, fmt);
	diags_vsay(&f->env->diags, m, fmt, ap);
	va_end(ap);
}

static void fleet_message(void *arg, const struct dtx_message *m)
{
	struct fleet *f = arg;

	outs_message(&f->outs, m, true);
}

/* What all hosts tell alike is told once. */
static bool told_before(struct fleet *f, const struct dtx_message *m)
{
	if (m->kind != DTX_NOTICE || m->severity != DTX_INFO)
		return false;
	if (map_get(f->told, m->text))
		return true;
	map_set(f->told, m->text, f);
	return false;
}

static void host_message(void *arg, struct dtx_message *m, bool also_said)
{
	struct host *h = arg;
	struct fleet *f = h->fleet;
	bool several = fleet_several(f);

	if (several && (m->kind == DTX_PROGRESS || told_before(f, m)))
		return;
	if (several && h->nmessages++ >= HOST_MESSAGES) {
		if (h->nmessages == HOST_MESSAGES + 1)
			fleet_say(f, h, DTX_WARNING, "it has told more than %u messages: further "
				  "ones are not shown", HOST_MESSAGES);
		return;
	}
	m->host = several ? h->name : h->within;
	outs_flush(&f->outs);
	outs_message(&f->outs, m, also_said);
	/* The place is part of the text, and the program is not here. */
	m->at = (struct dtx_place){ 0 };
	if (also_said) {
		dtx_message_fn *also = f->env->diags.also;

		f->env->diags.also = NULL;       /* the sinks have it */
		diags_send(&f->env->diags, m);
		f->env->diags.also = also;
	}
}

/* ---- begin ----------------------------------------------------------------------------------- */

/* The same program for the same kernel is read once. */
static const struct img *fleet_image(struct fleet *f, const char *text, size_t len)
{
	struct img *img;

	for (u32 i = 0; i < f->imgs.n; i++)
		if (f->imgs.v[i]->text_len == len && !memcmp(f->imgs.v[i]->text, text, len))
			return f->imgs.v[i];
	img = img_read_text(f->arena, &f->env->diags, arena_memdup(f->arena, text, len), len);
	if (img)
		VEC_PUSH(&f->imgs, (const struct img *)img);
	return img;
}

static const struct img *host_image(void *arg, const char *text, size_t len)
{
	struct host *h = arg;
	struct fleet *f = h->fleet;

	h->fit.img = fleet_image(f, text, len);
	if (h->fit.img && !f->img) {
		f->first = h->fit.img;
		f->img = arena_memdup(f->arena, f->first, sizeof(*f->img));
		f->printed = ARENA_ARRAY(f->arena, bool, f->img->naggs + 1);
	}
	return h->fit.img;
}

/* The options of the first recording, without those that say where output goes. */
static int host_option(void *arg, const char *name, const char *value, bool now)
{
	struct host *h = arg;
	struct fleet *f = h->fleet;
	struct options *opts = f->env->opts;
	enum opt_id id = options_find(name);
	const char *near;

	if (id == OPT_N || (f->opened && !now) || (!f->patient && !now))
		return 0;
	if (now && opt_rows[id].when != OPTW_DYNAMIC)
		return 0;
	if (now)
		opts->v[id].set = false;         /* what the program sets counts */
	if (!opt_rows[id].outside && id != OPT_format && id != OPT_jsonint && !opts->v[id].set &&
	    options_set(opts, f->env->arena, name, value, &near))
		return -EINVAL;
	if (now && f->opened)
		outs_option(&f->outs, name, value);
	return 0;
}

static void fleet_info(struct fleet *f, const struct run_info *info)
{
	struct run_info *i = &f->info;
	bool several = fleet_several(f);

	*i = *info;
	i->replayed = f->patient;
	i->remote = true;
	if (!f->patient) {
		i->time = clock_ns(CLOCK_MONOTONIC);
		i->wall = clock_ns(CLOCK_REALTIME);
	}
	if (!several)
		return;
	i->nhosts = f->hosts.n;
	i->host = arena_printf(f->arena, "%u hosts", f->hosts.n);
	i->kernel = i->machine = "";
}

/* Does the program keep only some rows of an aggregation on each host? */
static const struct img_agg *fleet_cut(const struct img *img)
{
	for (u32 i = 0; i < img->nsites; i++)
		for (u32 k = 0; k < img->sites[i].nactions; k++) {
			const struct img_action *act = &img->sites[i].actions[k];

			if (!strcmp(act->name, "trunc") && act->naggs &&
			    act->aggs[0] < img->naggs && (act->nfields || act->num))
				return &img->aggs[act->aggs[0]];
		}
	return NULL;
}

static void fleet_warn(struct fleet *f)
{
	const struct img_agg *cut = fleet_cut(f->img);

	if (cut)
		fleet_say(f, NULL, DTX_WARNING, "trunc(@%s, n) keeps the largest rows of each host: "
			  "what the others had of them is missing in the merged values; -x aggtop=n "
			  "cuts the merged table", cut->name);
}

static int fleet_open(struct fleet *f, const struct run_info *info)
{
	int err;

	fleet_info(f, info);
	err = outs_open(&f->outs, f->env, f->img, f->file, &f->info);
	f->opened = !err;
	f->failed = err;
	if (err)
		return err;
	f->env->diags.also = fleet_several(f) ? fleet_message : NULL;
	f->env->diags.also_arg = f;
	outs_begin(&f->outs);
	if (fleet_several(f))
		fleet_warn(f);
	return 0;
}

struct map *fleet_probes(struct fleet *f)
{
	if (f->probes)
		return f->probes;
	f->probes = map_new();
	for (u32 i = 0; i < f->img->nprobes; i++) {
		char *name = fit_probe_name(&f->img->probes[i]);

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
			fleet_say(f, h, DTX_WARNING, "@%s has other keys there than on %s: its "
				  "values are not in the merged table", run->aggs[i].name,
				  f->hosts.v[0]->name);
}

static int host_begin(void *arg, const struct run_info *info)
{
	struct host *h = arg;
	struct fleet *f = h->fleet;
	int err = f->opened ? 0 : fleet_open(f, info);

	if (err)
		return err;
	h->info = *info;
	h->state = HOST_RUNS;
	h->offset = info->wall - info->time - (f->info.wall - f->info.time);
	h->begun = h->last = info->time + h->offset;
	h->final = ARENA_ARRAY(f->arena, struct merged *, f->img->naggs + 1);
	host_fit(h);
	return 0;
}

/* ---- what hosts send -------------------------------------------------------------------------- */

/* Of one host, probes of one name may be several: each is added. */
static void host_probe(void *arg, const struct dtx_probe *p)
{
	struct host *h = arg;
	struct fleet *f = h->fleet;
	struct dtx_probe kept = *p;
	u32 at;

	if (!fleet_several(f)) {
		at = fit_probe_add(f->img, p, f->arena, &f->room);
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
		fleet_say(h->fleet, h, DTX_WARNING, "clause %u records other values there than on "
			  "%s: its records are not shown", site->clause + 1,
			  h->fleet->hosts.v[0]->name);
}

/* The event as one of the run's program. */
static bool event_fit(struct host *h, struct event *ev, u32 probe)
{
	struct fleet *f = h->fleet;
	const struct img_site *site = ev->site;
	u32 known = h->fit.img->nprobes, at = site - h->fit.img->sites;

	if (probe >= known)
		probe = h->late.v[probe - known];
	else if (!h->fit.same)
		probe = h->fit.probes[probe];
	ev->probe = &f->img->probes[probe];
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

static void event_printed(struct fleet *f, const struct img_action *act)
{
	for (u32 i = 0; i < act->naggs; i++)
		if (act->aggs[i] < f->img->naggs)
			f->printed[act->aggs[i]] = true;
}

static void event_exit(struct fleet *f, const struct item *it)
{
	if (fleet_several(f) && !strcmp(it->act->name, "exit") &&
	    !strcmp(opt_text(f->env, OPT_exit), "all"))
		f->stop = true;
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
		event_printed(f, it->act);
		if (it->print && print_fits(h, it->print))
			rounds_event(h, ev, it);
	}
	ev->nitems = n;
	if (n || !prints)
		outs_event(&f->outs, ev);
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
		ev->host = h->within;
		ev->host_number = h->within_number;
		ev->merged = h->info.nhosts && !h->within;
		outs_event(&f->outs, ev);
		return;
	}
	ev->host = h->name;
	ev->host_number = h->number;
	event_split(h, ev);
}

static void host_within(void *arg, const char *name)
{
	struct host *h = arg;
	struct fleet *f = h->fleet;

	if (name && !map_get(f->within, name))
		map_set(f->within, name, (void *)(map_count(f->within) + 1));
	h->within_number = name ? (u32)((uintptr_t)map_get(f->within, name) - 1) : 0;
	h->within = name;
}

/* What it printed at the end; the same as from a sample, if it has one. */
static void host_aggs(void *arg, struct agg_print *p)
{
	struct host *h = arg;
	struct fleet *f = h->fleet;

	if (!fleet_several(f)) {
		outs_aggs(&f->outs, p);
		return;
	}
	const struct img_agg *agg = p->naggs == 1 ? host_agg(h, p->aggs[0]) : NULL;

	if (!agg)
		return;
	struct merged **to = &h->final[agg - f->img->aggs];

	if (!*to)
		*to = merged_new(f->texts, NULL, &agg, 1);
	merged_clear(*to);
	merged_add_rows(*to, p);
}

static void host_sample(void *arg, struct agg_print *p)
{
	struct host *h = arg;

	if (!fleet_several(h->fleet))
		outs_sample(&h->fleet->outs, p);
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

	if (f->outs.v[0].err)
		return -f->outs.v[0].err;
	if (block && !fleet_several(f))
		outs_flush(&f->outs);
	return outs_stop(&f->outs);
}

static const struct replay_to host_to = {
	.image = host_image, .begin = host_begin, .option = host_option, .probe = host_probe,
	.event = host_event, .aggs = host_aggs, .sample = host_sample, .message = host_message,
	.host = host_within, .end = host_end, .after = host_after,
};

/* ---- hosts ------------------------------------------------------------------------------------ */

struct fleet *fleet_new(struct dtx_env *env, FILE *out)
{
	struct fleet *f = xcalloc(1, sizeof(*f));

	f->env = env;
	f->file = out;
	f->arena = arena_new();
	f->texts = texts_new();
	f->told = map_new();
	f->within = map_new();
	return f;
}

static void host_free(struct fleet *f, struct host *h)
{
	replay_free(h->replay);
	VEC_FREE(&h->late);
	for (u32 i = 0; h->final && i < f->img->naggs; i++)
		merged_free(h->final[i]);
	free(h);
}

void fleet_free(struct fleet *f)
{
	if (!f)
		return;
	f->env->diags.also = NULL;
	outs_close(&f->outs);
	rounds_free(f);
	for (u32 i = 0; i < f->hosts.n; i++)
		host_free(f, f->hosts.v[i]);
	VEC_FREE(&f->hosts);
	VEC_FREE(&f->imgs);
	map_free(f->probes);
	map_free(f->told);
	map_free(f->within);
	texts_free(f->texts);
	arena_free(f->arena);
	free(f);
}

u32 fleet_host(struct fleet *f, const char *name)
{
	struct host *h = xcalloc(1, sizeof(*h));

	h->fleet = f;
	h->number = f->hosts.n;
	h->name = plain_name(f->arena, name ? arena_strdup(f->arena, name) : NULL);
	VEC_PUSH(&f->hosts, h);
	return h->number;
}

static void host_out(struct host *h)
{
	const char *why;
	u64 records;

	replay_state(h->replay, &why, &records);
	why = why ? why : diags_take(&h->fleet->env->diags, "its manifest is wrong");
	h->state = HOST_OUT;
	fleet_say(h->fleet, h, DTX_ERROR, "what it sends is no run (%s, after %" PRIu64
		  " records): it is out, and what it had sent stays", why, records);
	rounds_show(h->fleet, false);
}

/* Its texts stay until the end: they have a bound. */
static bool host_large(const struct host *h)
{
	return fleet_several(h->fleet) && replay_kept(h->replay) > HOST_BYTES;
}

int fleet_bytes(struct fleet *f, u32 host, const void *bytes, size_t n)
{
	struct host *h = f->hosts.v[host];
	int err;

	if (!host_lives(h))
		return h->state == HOST_OUT ? -EINVAL : 0;
	if (!h->replay)
		h->replay = replay_new(f->env, &host_to, h,
				       fleet_several(f) ? BLOCK_MOST : REPLAY_MOST);
	err = replay_bytes(h->replay, bytes, n);
	if (!err && host_large(h)) {
		h->state = HOST_OUT;
		fleet_say(f, h, DTX_ERROR, "its texts take more than %u MB: it is out, and what it "
			  "had sent stays", HOST_BYTES >> 20);
		return -EINVAL;
	}
	if (err == -EINVAL && fleet_several(f) && !f->failed)
		host_out(h);
	if (h->state == HOST_ENDED)
		rounds_show(f, false);
	return err;
}

void fleet_gone(struct fleet *f, u32 host, const char *why)
{
	struct host *h = f->hosts.v[host];

	if (!host_lives(h))
		return;
	h->state = HOST_GONE;
	if (why)
		fleet_say(f, h, DTX_WARNING, "%s: what it had sent stays", why);
	if (why && !f->status)
		f->status = 1;
	rounds_show(f, false);
}

bool fleet_stop(const struct fleet *f)
{
	return f->stop || f->failed || (f->opened && outs_stop(&f->outs));
}

bool fleet_ended(const struct fleet *f, u32 host)
{
	return !host_lives(f->hosts.v[host]);
}

int fleet_status(const struct fleet *f)
{
	return f->status;
}

s64 fleet_turn(struct fleet *f)
{
	if (!f->opened)
		return TURN;
	rounds_show(f, false);
	outs_flush(&f->outs);
	return MIN(TURN, rounds_next(f));
}

/* ---- the end ---------------------------------------------------------------------------------- */

struct agg_opts fleet_order(const struct fleet *f)
{
	s64 keypos = opt_num(f->env, OPT_aggsortkeypos), pos = opt_num(f->env, OPT_aggsortpos);

	return (struct agg_opts){
		.by_key = opt_num(f->env, OPT_aggsortkey),
		.reverse = opt_num(f->env, OPT_aggsortrev),
		.key_first = keypos > 0 ? (u32)MIN(keypos, UINT32_MAX) : 0,
		.first = pos > 0 ? (u32)MIN(pos, UINT32_MAX) : 0,
		.top = (u32)MIN(opt_num(f->env, OPT_aggtop), UINT32_MAX),
	};
}

static void fleet_print(struct fleet *f, u32 i)
{
	const struct img_agg *agg = &f->img->aggs[i];
	struct merged *t = merged_new(f->texts, NULL, &agg, 1);
	struct agg_opts opts = fleet_order(f);
	struct arena *a = arena_new();
	struct agg_print print;

	for (u32 k = 0; k < f->hosts.n; k++)
		if (f->hosts.v[k]->final && f->hosts.v[k]->final[i])
			merged_add_table(t, f->hosts.v[k]->final[i]);
	merged_print(t, a, &opts, &print);
	if (merged_mixed(t))
		fleet_say(f, NULL, DTX_WARNING, "the hosts normalized @%s by different factors: "
			  "its merged values are not normalized", agg->name);
	if (print.nrows)
		outs_aggs(&f->outs, &print);
	arena_free(a);
	merged_free(t);
}

static void fleet_aggs(struct fleet *f)
{
	static const struct agg_print begin;
	bool reverse = opt_num(f->env, OPT_aggsortrev);
	u32 n = f->img->naggs;

	outs_ending(&f->outs);
	outs_aggs(&f->outs, &begin);
	for (u32 i = 0; i < n && !f->outs.v[0].err; i++)
		if (!f->printed[reverse ? n - 1 - i : i])
			fleet_print(f, reverse ? n - 1 - i : i);
}

int fleet_end(struct fleet *f)
{
	struct run_end end = { .time = f->info.last, .wall = f->info.wall, .status = f->status };
	struct host *only = f->hosts.n == 1 ? f->hosts.v[0] : NULL;

	if (!f->opened || f->ended)
		return f->failed;
	f->ended = true;
	if (only && only->state == HOST_ENDED)
		end = only->end;
	if (fleet_several(f)) {
		rounds_rest(f);
		fleet_aggs(f);
		end.time = f->patient ? f->outs.info.last : (s64)clock_ns(CLOCK_MONOTONIC);
		end.wall = end.time - f->info.time + f->info.wall;
	}
	if (!only || only->state == HOST_ENDED)
		outs_end(&f->outs, &end);
	outs_flush(&f->outs);
	if (f->outs.v[0].err)
		return env_fail_write(f->env, -f->outs.v[0].err, "the output");
	return -f->outs.failed;
}
