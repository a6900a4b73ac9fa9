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

#include "runtime/fleet/fleet-private.h"
#include "runtime/sink/sink.h"

#define BLOCK_MOST    (64u << 20)        /* bytes of a block of one of several hosts */
#define TURN          50000000ll         /* ns: buffers are written, keys and requests answered */

/* ---- messages and the begin ------------------------------------------------------------- */

static void fleet_message(void *arg, const struct dtx_message *m)
{
	struct fleet *f = arg;

	outs_message(f->outs, m, true);
}

/* The same program for the same kernel is read once. */
const struct img *fleet_image(struct fleet *f, const char *text, size_t len)
{
	struct img *img;

	for (u32 i = 0; i < f->imgs.n; i++)
		if (f->imgs.v[i]->text_len == len && !memcmp(f->imgs.v[i]->text, text, len))
			return f->imgs.v[i];
	img = img_read_text(f->arena, &f->env->diags, arena_memdup(f->arena, text, len), len);
	if (!img)
		return NULL;
	VEC_PUSH(&f->imgs, (const struct img *)img);
	if (!f->img) {
		f->first = img;
		f->img = arena_memdup(f->arena, img, sizeof(*img));
	}
	return img;
}

/* The options of the first recording, without those that say where output goes. */
int fleet_option(struct fleet *f, const char *name, const char *value, bool now)
{
	struct options *opts = f->env->opts;
	enum opt_id id = options_find(name);
	const char *near;

	if (id == OPT_N || (f->opened && !now) || (!f->patient && !now))
		return 0;
	/* A host sets none that the program does not. */
	if (now && (opt_rows[id].when != OPTW_DYNAMIC || !img_does(f->img, ACTF_OPTION)))
		return 0;
	if (now)
		opts->v[id].set = false;         /* what the program sets counts */
	if (!opt_rows[id].outside && id != OPT_format && id != OPT_jsonint && !opts->v[id].set &&
	    options_set(opts, f->env->arena, name, value, &near))
		return -EINVAL;
	if (now && f->opened)
		outs_option(f->outs, name, value);
	return 0;
}

/* The clock of the run; of recordings, that of the one which has come the least far. */
static s64 fleet_now(const struct fleet *f)
{
	s64 least = 0;
	bool any = false;

	if (!f->patient)
		return clock_ns(CLOCK_MONOTONIC);
	for (u32 i = 0; i < f->hosts.n; i++) {
		const struct host *h = f->hosts.v[i];

		if (host_lives(h) && (!any || host_elapsed(h) < least)) {
			least = host_elapsed(h);
			any = true;
		}
	}
	return any ? f->info.time + least : MAX(f->outs->info.last, f->info.time);
}

/* ns between samples; 0: nobody wants them. */
static s64 fleet_period(const struct fleet *f)
{
	return f->patient ? opt_num(f->env, OPT_refresh) : outs_period(f->outs);
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

			if (action_has(act, ACTF_CUTS) && act->naggs &&
			    act->aggs[0] < img->naggs && (act->nfields || act->num))
				return &img->aggs[act->aggs[0]];
		}
	return NULL;
}

static void fleet_warn(struct fleet *f)
{
	const struct img_agg *cut = fleet_several(f) ? fleet_cut(f->img) : NULL;

	if (!f->patient && !f->relays && img_does(f->img, ACTF_OUTPUT))
		fleet_say(f, NULL, DTX_WARNING, "freopen() opens its file on the host, but what "
			  "the host prints comes here: only captures of pcap() are written there");
	if (cut)
		fleet_say(f, NULL, DTX_WARNING, "trunc(@%s, n) cuts the table of each host: the "
			  "merged values lack what the hosts have cut off; -x aggtop=n cuts the "
			  "merged table instead", cut->name);
}

int fleet_open(struct fleet *f, const struct run_info *info)
{
	int err;

	fleet_info(f, info);
	err = outs_open(f->outs, f->env, f->img, f->file, &f->info);
	f->opened = !err;
	f->failed = err;
	if (err)
		return err;
	f->printed = ARENA_ARRAY(f->arena, bool, f->img->naggs + 1);
	f->keys = ARENA_ARRAY(f->arena, struct keyset *, f->img->naggs + 1);
	f->sums = ARENA_ARRAY(f->arena, struct merged *, f->img->naggs + 1);
	for (u32 i = 0; i < f->img->naggs; i++) {
		const struct img_agg *agg = &f->img->aggs[i];

		f->keys[i] = keyset_new(f->texts, agg);
		f->sums[i] = merged_new(f->texts, f->keys[i], &agg, 1);
	}
	if (fleet_several(f))
		texts_share(f->texts);
	f->sample_next = fleet_now(f) + fleet_period(f);
	f->exit_all = !strcmp(opt_text(f->env, OPT_exit), "all");
	f->env->diags.also = fleet_several(f) ? fleet_message : NULL;
	f->env->diags.also_arg = f;
	f->shows = f->env->diags.fn;
	if (f->relays && fleet_several(f))
		f->env->diags.fn = NULL;
	outs_begin(f->outs);
	fleet_notes(f);
	fleet_warn(f);
	return 0;
}

/* ---- hosts ------------------------------------------------------------------------------ */

struct fleet *fleet_new(struct dtx_env *env, FILE *out)
{
	struct fleet *f = xcalloc(1, sizeof(*f));

	f->env = env;
	f->file = out;
	f->outs = xcalloc(1, sizeof(*f->outs));
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
	for (u32 i = 0; h->states && i < f->img->naggs; i++)
		states_free(h->states[i]);
	free(h);
}

void fleet_free(struct fleet *f)
{
	if (!f)
		return;
	f->env->diags.also = NULL;
	outs_close(f->outs);
	rounds_free(f);
	for (u32 i = 0; i < f->hosts.n; i++)
		host_free(f, f->hosts.v[i]);
	for (u32 i = 0; f->keys && i < f->img->naggs; i++) {
		merged_free(f->sums[i]);
		keyset_free(f->keys[i]);
	}
	VEC_FREE(&f->notes);
	VEC_FREE(&f->hosts);
	VEC_FREE(&f->imgs);
	map_free(f->probes);
	map_free(f->told);
	map_free(f->within);
	texts_free(f->texts);
	arena_free(f->arena);
	free(f->outs);
	free(f);
}

/* What the program's pragmas say of its output, where the user says nothing.  Hosts always have
 * times, whether they are shown or not. */
static void fleet_options(struct fleet *f, const struct img *img)
{
	struct options *opts = f->env->opts;
	const char *near;

	for (u32 i = 0; i < img->noptions; i++) {
		enum opt_id id = options_find(img->options[i].name);

		if (id != OPT_N && id != OPT_timestamps && !opt_rows[id].outside &&
		    !opts->v[id].set)
			options_set(opts, f->env->arena, img->options[i].name,
				    img->options[i].value, &near);
	}
}

int fleet_program(struct fleet *f, const char *manifest, size_t len)
{
	bool first = !f->img;
	const struct img *img = fleet_image(f, manifest, len);

	if (img && first)
		fleet_options(f, img);
	return img ? 0 : -EINVAL;
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

/* Keys and their texts, which all hosts share. */
static size_t fleet_kept(const struct fleet *f)
{
	size_t sum = texts_bytes(f->texts);

	for (u32 i = 0; f->keys && i < f->img->naggs; i++)
		sum += keyset_bytes(f->keys[i]);
	return sum;
}

/* What stays until the end has a bound. */
static bool host_large(const struct host *h)
{
	size_t sum = replay_kept(h->replay) + h->kept + h->rows;

	for (u32 i = 0; h->states && i < h->fleet->img->naggs; i++)
		sum += h->states[i] ? states_bytes(h->states[i]) : 0;
	return fleet_several(h->fleet) && sum > HOST_BYTES;
}

int fleet_bytes(struct fleet *f, u32 host, const void *bytes, size_t n)
{
	struct host *h = f->hosts.v[host];
	size_t before;
	int err;

	if (!host_lives(h))
		return h->state == HOST_OUT ? -EINVAL : 0;
	if (!h->replay)
		h->replay = replay_new(f->env, &host_to, h,
				       fleet_several(f) ? BLOCK_MOST : REPLAY_MOST);
	before = fleet_kept(f);
	err = replay_bytes(h->replay, bytes, n);
	h->kept += fleet_kept(f) - before;
	if (!err && host_large(h)) {
		h->state = HOST_OUT;
		fleet_say(f, h, DTX_ERROR, "its keys, texts and rows take more than %u MB: it is "
			  "out, and what it had sent stays", HOST_BYTES >> 20);
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
	bool began = h->state != HOST_WAITED;

	if (!host_lives(h))
		return;
	h->state = HOST_GONE;
	if (why)
		fleet_say(f, h, DTX_WARNING, "%s: %s", why,
			  began ? "what it had sent stays" : "nothing was traced there");
	if (why && !f->status)
		f->status = 1;
	rounds_show(f, false);
}

void fleet_relays(struct fleet *f)
{
	f->relays = true;
}

bool fleet_stop(const struct fleet *f)
{
	return f->stop || f->failed || (f->opened && outs_stop(f->outs));
}

bool fleet_ended(const struct fleet *f, u32 host)
{
	return !host_lives(f->hosts.v[host]);
}

int fleet_status(const struct fleet *f)
{
	return f->status;
}

/* ---- samples ---------------------------------------------------------------------------- */

static void sample_show(struct fleet *f, struct merged *t)
{
	struct arena *a = arena_new();
	struct agg_print print;

	merged_print(t, a, NULL, &print);
	outs_sample(f->outs, &print);
	arena_free(a);
}

void fleet_sample_of(struct fleet *f, u32 agg, struct states *s)
{
	const struct img_agg *def = &f->img->aggs[agg];
	struct merged *t = merged_new(f->texts, f->keys[agg], &def, 1);

	states_add(s, t);
	sample_show(f, t);
	merged_free(t);
}

static void fleet_sample(struct fleet *f)
{
	struct agg_print begin = { .time = fleet_now(f) };

	outs_sample(f->outs, &begin);
	for (u32 i = 0; i < f->img->naggs && !f->outs->v[0].err; i++) {
		const struct img_agg *def = &f->img->aggs[i];
		struct merged *t = merged_new(f->texts, f->keys[i], &def, 1);

		merged_add_merged(t, f->sums[i]);
		for (u32 k = 0; k < f->hosts.n; k++)
			if (f->hosts.v[k]->states && f->hosts.v[k]->states[i])
				states_add(f->hosts.v[k]->states[i], t);
		sample_show(f, t);
		merged_free(t);
	}
}

void fleet_sample_due(struct fleet *f)
{
	s64 now = fleet_now(f), period = fleet_period(f);

	if (period <= 0 || now < f->sample_next)
		return;
	f->sample_next = now + period;
	fleet_sample(f);
}

/* Is there a host whose run has not begun, and may? */
static bool fleet_awaits(const struct fleet *f)
{
	for (u32 i = 0; i < f->hosts.n; i++)
		if (f->hosts.v[i]->state == HOST_WAITED)
			return true;
	return false;
}

s64 fleet_turn(struct fleet *f)
{
	if (!f->opened)
		return TURN;
	rounds_show(f, false);
	if (!fleet_awaits(f))
		fleet_namesakes(f);
	outs_ready(f->outs);            /* a key, a request */
	if (outs_sample_now(f->outs))
		fleet_sample(f);
	fleet_sample_due(f);
	outs_flush(f->outs);
	return MIN(TURN, rounds_next(f));
}

/* ---- the end ---------------------------------------------------------------------------- */

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

/* Of one that a printa() has shown, those hosts' values are printed that did no printa() of it. */
static void fleet_print(struct fleet *f, u32 i)
{
	struct merged *t = f->sums[i];
	struct agg_opts opts = fleet_order(f);
	struct arena *a = arena_new();
	struct agg_print print;

	/* What a host that has gone had told last. */
	for (u32 k = 0; k < f->hosts.n; k++) {
		const struct host *h = f->hosts.v[k];

		if (h->states && h->states[i] && h->state != HOST_ENDED &&
		    !(f->printed[i] && h->shown[i]))
			states_add(h->states[i], t);
	}
	merged_print(t, a, &opts, &print);
	if (merged_mixed(t))
		fleet_say_mixed(f, &f->img->aggs[i]);
	if (print.nrows)
		outs_aggs(f->outs, &print);
	arena_free(a);
}

static void fleet_aggs(struct fleet *f)
{
	static const struct agg_print begin;
	bool reverse = opt_num(f->env, OPT_aggsortrev);
	u32 n = f->img->naggs;

	outs_ending(f->outs);
	outs_aggs(f->outs, &begin);
	for (u32 i = 0; i < n && !f->outs->v[0].err; i++)
		fleet_print(f, reverse ? n - 1 - i : i);
}

#define WORST 3

static u64 host_lost(const struct host *h)
{
	return h ? MAX(h->lost, h->lost_in_all) : 0;
}

/* Each host has told what it lost, between much else. */
static void fleet_losses(struct fleet *f)
{
	const struct host *worst[WORST] = { NULL };
	struct buf names = { 0 };
	u32 n = 0;

	for (u32 i = 0; i < f->hosts.n; i++) {
		const struct host *h = f->hosts.v[i], *less;

		n += host_lost(h) > 0;
		for (u32 k = 0; k < WORST && host_lost(h); k++)
			if (host_lost(h) > host_lost(worst[k])) {
				less = worst[k];
				worst[k] = h;
				h = less;
			}
	}
	for (u32 k = 0; k < WORST && worst[k]; k++)
		buf_printf(&names, "%s%s (%" PRIu64 ")", k ? ", " : "", worst[k]->name,
			   host_lost(worst[k]));
	if (n)
		fleet_say(f, NULL, DTX_WARNING, "%u of %u hosts lost data, the most of it %s", n,
			  f->hosts.n, names.data);
	buf_free(&names);
}

int fleet_end(struct fleet *f)
{
	struct run_end end = { .time = f->info.last, .wall = f->info.wall, .status = f->status };
	struct host *only = f->hosts.n == 1 ? f->hosts.v[0] : NULL;

	if (!f->opened || f->ended)
		return f->failed;
	f->ended = true;
	fleet_namesakes(f);
	if (only && only->state == HOST_ENDED) {
		end = only->end;
		end.time += only->offset;
	}
	if (fleet_several(f) || (!f->patient && only->state != HOST_ENDED)) {
		if (fleet_period(f) > 0)
			fleet_sample(f);
		rounds_rest(f);
		fleet_aggs(f);
		if (fleet_several(f))
			fleet_losses(f);
		f->env->diags.fn = f->shows;     /* what goes wrong with the sinks is not in them */
		end.time = f->patient ? f->outs->info.last : (s64)clock_ns(CLOCK_MONOTONIC);
		end.wall = end.time - f->info.time + f->info.wall;
	}
	if (!f->patient || !only || only->state == HOST_ENDED)
		outs_end(f->outs, &end);
	outs_flush(f->outs);
	if (f->outs->v[0].err)
		return env_fail_output(f->env, -f->outs->v[0].err, fileno(f->outs->v[0].file));
	return -f->outs->failed;
}
