/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * consumer.c - records of the ring buffer to a sink; faults and losses are messages.
 *
 *   record ──► fault?   ──► "error in …"
 *          ──► bufpolicy=ring? ──► kept until the end (recorder.c)
 *          ──► flagged? ──► held until commit() or discard() (speculate.c)
 *          ──► decode.c ──► action.c ──► sink
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include <bpf/bpf.h>

#include <dtx/opt.h>
#include <dtx/env.h>

#include "runtime/load/load.h"
#include "runtime/read/read-private.h"
#include "runtime/sink/sink.h"
#include "runtime/value/value.h"

/* ---- life ------------------------------------------------------------------------ */

static void consumer_message(void *arg, const struct dtx_message *m)
{
	struct consumer *c = arg;

	outs_message(c->outs, m, true);
}

struct consumer *consumer_new(struct loaded *ld, struct attach *at, FILE *out)
{
	struct consumer *c = xcalloc(1, sizeof(*c));

	c->ld = ld;
	c->at = at;
	c->first = out;
	c->arena = arena_new();
	c->aggs = aggs_new(ld);
	c->sites = xcalloc(ld->img->nsites, sizeof(*c->sites));
	c->fresh = xcalloc(ld->img->naggs, sizeof(*c->fresh));
	c->drops = xcalloc(agg_ncpus(c->aggs), DTX_DROP_N * sizeof(u64));
	c->losses = loss_new(ld->img);
	c->faults = faults_new();
	c->batch = 1;
	if (!strcmp(opt_text(ld->env, OPT_bufpolicy), "ring"))
		c->recorder = recorder_new(opt_num(ld->env, OPT_bufsize), agg_ncpus(c->aggs));
	c->outs = xcalloc(1, sizeof(*c->outs));
	c->out = &c->outs->v[0];
	if (outs_open(c->outs, ld->env, ld->img, out, NULL)) {
		consumer_free(c);
		return NULL;
	}
	ld->env->diags.also = consumer_message;
	ld->env->diags.also_arg = c;
	/* Nobody sees the output here: it goes where that of other machines does. */
	if (!out && !ld->env->data && outs_period(c->outs))
		aggs_whole(c->aggs);
	outs_begin(c->outs);
	return c;
}

void consumer_free(struct consumer *c)
{
	if (!c)
		return;
	c->ld->env->diags.also = NULL;
	consumer_flush(c);
	outs_close(c->outs);
	if (c->out->file && c->out->file != c->first)
		fclose(c->out->file);
	free(c->outs);
	for (u32 i = 0; i < c->ld->img->nsites; i++)
		for (u32 k = 0; c->sites[i].text && k < c->ld->img->sites[i].nactions; k++)
			buf_free(&c->sites[i].text[k]);
	spec_free(c);
	recorder_free(c->recorder);
	aggs_free(c->aggs);
	arena_free(c->rows);
	arena_free(c->arena);
	free(c->sites);
	free(c->fresh);
	free(c->drops);
	loss_free(c->losses);
	faults_free(c->faults);
	free(c);
}

void consumer_output(struct consumer *c, FILE *f)
{
	consumer_flush(c);
	if (c->out->file != c->first && c->out->file != f)
		fclose(c->out->file);
	c->out->file = f;
	c->out->mute = false;
	outs_hide(c->outs);
}

void consumer_ending(struct consumer *c, s64 at)
{
	c->ended = at;
	consumer_flush(c);
	outs_ending(c->outs);
}

void consumer_newline(struct consumer *c)
{
	if (!outs_is_text(c->outs) || c->outs->hidden || getenv("_DTRACE_TESTING"))
		return;
	consumer_flush(c);
	fputc('\n', c->out->file);
}

int consumer_error(const struct consumer *c)
{
	return c->out->err;
}

int consumer_failed(const struct consumer *c)
{
	return c->outs->failed;
}

int consumer_fd(const struct consumer *c)
{
	return c->out->file ? fileno(c->out->file) : -1;
}

bool consumer_has_shown(const struct consumer *c)
{
	return c->shown;
}

struct outs *consumer_outs(struct consumer *c)
{
	return c->outs;
}

struct aggs *consumer_aggs(struct consumer *c)
{
	return c->aggs;
}

void consumer_show_held(struct consumer *c)
{
	if (c->recorder)
		recorder_replay(c->recorder, c);
}

void consumer_flush(struct consumer *c)
{
	outs_flush(c->outs);
	if (c->out->file && fflush(c->out->file) && !c->out->err)
		c->out->err = errno;
	c->batch++;
}

/* ---- records --------------------------------------------------------------------- */

static struct site_state *consumer_site(struct consumer *c, u32 i)
{
	const struct img_site *site = &c->ld->img->sites[i];
	struct site_state *st = &c->sites[i];

	if (st->rows)
		return st;
	st->rows = ARENA_ARRAY(c->arena, const struct action_row *, MAX(site->nactions, 1u));
	st->shown = ARENA_ARRAY(c->arena, struct item, MAX(site->nactions, 1u));
	st->text = ARENA_ARRAY(c->arena, struct buf, MAX(site->nactions, 1u));
	for (u32 k = 0; k < site->nactions; k++)
		st->rows[k] = action_find(site->actions[k].name);
	return st;
}

void consumer_one(struct consumer *c, const void *data, size_t size)
{
	u32 site;

	memcpy(&site, data, sizeof(site));
	if (site >= c->ld->img->nsites) {
		c->malformed++;
		return;
	}
	struct site_state *st = consumer_site(c, site);

	c->record++;
	if (decode_event(c->ld, c->arena, data, size, &st->ev))
		action_event(c, st);
	else
		c->malformed++;
}

void consumer_take(struct consumer *c, const void *data, size_t size)
{
	struct dtx_rec rec;

	memcpy(&rec, data, sizeof(rec));
	if (rec.site == DTX_SITE_FAULT)
		consumer_fault_record(c, data, size);
	else if (!rec.flags || !spec_hold(c, rec.flags, data, size))
		consumer_one(c, data, size);
}

/* The option maxevents: false for records after the last one to print. */
static bool consumer_counts(struct consumer *c, const struct dtx_rec *rec)
{
	const struct img *img = c->ld->img;
	u64 most = opt_num(c->ld->env, OPT_maxevents);
	struct dtx_ctl *ctl = c->ld->ctl;

	if (!most || rec->probe >= img->nprobes ||
	    img_probe(img, rec->probe)->provider == provider_by_name("dtrace"))
		return true;
	if (++c->events >= most && ctl->state < DTX_STATE_DRAINING) {
		ctl->state = DTX_STATE_DRAINING;
		ctl->exit_called = 1;
	}
	return c->events <= most;
}

int consumer_record(struct consumer *c, const void *data, size_t size)
{
	struct dtx_rec rec;

	if (c->out->err)
		return -c->out->err;
	if (size < sizeof(rec)) {
		c->malformed++;
		return 0;
	}
	memcpy(&rec, data, sizeof(rec));
	c->shown |= rec.probe >= c->ld->img->nprobes ||
		    (!c->shown && probe_is_event(img_probe(c->ld->img, rec.probe))) ||
		    rec.site == DTX_SITE_FAULT;
	if (!consumer_counts(c, &rec))
		return 0;
	if (c->recorder && rec.site != DTX_SITE_FAULT)
		recorder_add(c->recorder, data, size);
	else
		consumer_take(c, data, size);
	return -c->out->err;
}

/* Timers, BEGIN and END come whatever happens. */
bool probe_is_event(const struct dtx_probe *p)
{
	return p->provider != provider_by_name("dtrace") && strncmp(p->name, "tick-", 5);
}

/* ---- the end --------------------------------------------------------------------- */

void consumer_snapshot(struct consumer *c, u32 agg)
{
	int err = aggs_snapshot(c->aggs, agg);

	if (!err)
		return;
	consumer_tell(c, drop_message(LOSS_UNREAD, 1),
		      "the aggregation @%s cannot be read (%s): its printed values are incomplete",
		      c->ld->img->aggs[agg].name, strerror(-err));
	loss_other(c, LOSS_UNREAD, 1);
}

static void consumer_print_agg(struct consumer *c, u32 agg)
{
	struct arena *a = arena_new();
	struct agg_print print;

	consumer_snapshot(c, agg);
	if (!aggs_rows(c->aggs, a, &agg, 1, &print) && print.nrows) {
		c->shown = true;
		outs_aggs(c->outs, &print);
	}
	arena_free(a);
}

/* The work of others while aggregations are read does not count as part of it. */
struct sampling {
	void (*between)(void *);
	void *arg;
	s64 others;              /* CPU time, ns */
};

static void consumer_between(void *arg)
{
	struct sampling *s = arg;
	s64 cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	s->between(s->arg);
	s->others += clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu;
}

/* What the program clears meanwhile, and what cannot be read, is left for the next time. */
static void consumer_sample_agg(struct consumer *c, u32 agg, struct sampling *s)
{
	struct arena *a = arena_new();
	struct agg_print print;

	if (!aggs_sample(c->aggs, a, agg, consumer_between, s, &print)) {
		c->shown |= print.nrows > 0;
		outs_sample(c->outs, &print);
	}
	arena_free(a);
}

void consumer_sample(struct consumer *c, void (*between)(void *), void *arg)
{
	struct agg_print begin = { 0 };
	struct sampling s = { between, arg, 0 };
	s64 now = clock_ns(CLOCK_MONOTONIC), cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	if (now < c->sample_next)
		return;
	begin.time = c->ended ? c->ended : now;  /* what is counted has ended there */
	outs_sample(c->outs, &begin);
	for (u32 i = 0; i < c->ld->img->naggs && !c->out->err; i++)
		consumer_sample_agg(c, i, &s);
	cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu - s.others;
	c->sample_next = now + cpu * (outs_unread(c->outs) ? SAMPLE_UNREAD : SAMPLE_SHARE);
}

void consumer_sample_now(struct consumer *c, void (*between)(void *), void *arg)
{
	c->sample_next = 0;
	consumer_sample(c, between, arg);
}

static void consumer_nothing(void *arg)
{
}

void consumer_last_sample(struct consumer *c)
{
	if (outs_period(c->outs) <= 0)
		return;
	consumer_sample_now(c, consumer_nothing, NULL);
}

void consumer_end(struct consumer *c, int status, int error)
{
	s64 now = clock_ns(CLOCK_MONOTONIC), time = c->ended ? c->ended : now;
	const struct run_end end = { .time = time, .wall = clock_ns(CLOCK_REALTIME) - (now - time),
				     .status = status, .error = error };

	outs_end(c->outs, &end);
	consumer_flush(c);
}

/* A newline, and what the program has not printed. */
static void print_rest(struct consumer *c)
{
	static const struct agg_print begin;
	bool reverse = opt_num(c->ld->env, OPT_aggsortrev);
	u32 n = c->ld->img->naggs;

	if (!c->out->err)
		outs_aggs(c->outs, &begin);
	for (u32 i = 0; i < n && !c->out->err; i++)
		if (!aggs_printed(c->aggs, reverse ? n - 1 - i : i))
			consumer_print_agg(c, reverse ? n - 1 - i : i);
	consumer_flush(c);
}

/* What was printed becomes the baseline: what came after that is in the next table. */
void consumer_table(struct consumer *c)
{
	bool keeps = opt_num(c->ld->env, OPT_cumulative);

	print_rest(c);
	for (u32 i = 0; i < c->ld->img->naggs; i++)
		aggs_anew(c->aggs, i, keeps);
}

void consumer_finish(struct consumer *c)
{
	print_rest(c);
	faults_report(c, true);
	consumer_report_drops(c, true);
}
