/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sinks.c - the sinks of a run: that of the option format, and those beside it.  Each sees
 * everything; one that fails is told once and gets no more, the others go on.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <dtx/opt.h>

#include "runtime/sink/live/live.h"
#include "runtime/sink/sink.h"

#define ROWS_MANY 256            /* of them, names of frames are found ahead */

#define SINK(name, times, doc) extern const struct dtx_sink sink_##name;
#define SINK_BESIDE SINK
#include <dtx/tables/sinks.def>
#undef SINK
#undef SINK_BESIDE

static const struct dtx_sink *const formats[] = {
#define SINK(name, times, doc) &sink_##name,
#define SINK_BESIDE(name, times, doc)
#include <dtx/tables/sinks.def>
#undef SINK
#undef SINK_BESIDE
	NULL
};

struct outs_beside {
	const struct dtx_sink *sink;
	enum opt_id option;
};
static const struct outs_beside beside[] = {
#define SINK(name, times, doc)
#define SINK_BESIDE(name, times, doc) { &sink_##name, OPT_##name },
#include <dtx/tables/sinks.def>
#undef SINK
#undef SINK_BESIDE
	{ NULL, OPT_N }
};

/* ---- life ------------------------------------------------------------------------ */

static const struct dtx_sink *outs_find(const char *name)
{
	for (u32 i = 0; name && formats[i]; i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	return formats[0];
}

bool outs_is_text(const struct outs *os)
{
	return os->v[0].sink == formats[0];
}

static void outs_info(struct outs *os, struct dtx_env *env, const struct img *img)
{
	struct run_info *r = &os->info;

	uname(&os->uts);
	r->env = env;
	r->img = img;
	r->version = RUN_VERSION;
	r->host = os->uts.nodename;
	r->system = os->uts.sysname;
	r->kernel = os->uts.release;
	r->machine = os->uts.machine;
	r->ncpus = env->ncpus ? env->ncpus : 1;
	r->pid = getpid();
	r->time = clock_ns(CLOCK_MONOTONIC);
	r->wall = clock_ns(CLOCK_REALTIME);
	os->programs = xcalloc(env->ntexts + 1, sizeof(*os->programs));
	for (u32 i = 0; i < env->ntexts; i++)
		if (!env->texts[i]->is_library)
			os->programs[r->nprograms++] = env->texts[i]->text;
	r->programs = os->programs;
}

static struct out *outs_add(struct outs *os, const struct dtx_sink *sink, const char *arg,
			    FILE *file)
{
	struct out *o = &os->v[os->n++];

	*o = (struct out){ .sink = sink, .env = os->info.env, .run = &os->info, .arg = arg,
			   .file = file, .fd = -1 };
	return o;
}

/* Options that say more about an output which is not wanted do nothing: then one is forgotten.
 * In the environment they are for those runs that want it. */
static int outs_suit(struct dtx_env *env)
{
	static const struct {
		enum opt_id option, of;
		const char *text;
	} parts[] = {
		{ OPT_linger, OPT_serve, "--linger keeps the page of --serve PORT" },
		{ OPT_diff, OPT_stacks, "--diff compares what --stacks KIND writes" },
	};

	for (u32 i = 0; i < ARRAY_SIZE(parts); i++) {
		const struct opt_value *v = &env->opts->v[parts[i].option];

		if (v->set && !v->usual && !env->opts->v[parts[i].of].set)
			return dtx_env_fail(env, -EINVAL, "%s: give that, too", parts[i].text);
	}
	return 0;
}

int outs_open(struct outs *os, struct dtx_env *env, const struct img *img, FILE *file,
	      const struct run_info *given)
{
	int err = outs_suit(env);

	memset(os, 0, sizeof(*os));
	if (err)
		return err;
	if (given) {
		os->info = *given;
		os->info.last = given->time;
		os->info.env = env;
		os->info.img = img;
	} else {
		outs_info(os, env, img);
	}
	outs_add(os, file ? outs_find(opt_text(env, OPT_format)) : &sink_none, NULL, file);
	if (env->data)
		outs_add(os, &sink_data, NULL, NULL);
	for (u32 i = 0; beside[i].sink; i++) {
		const struct opt_value *v = &env->opts->v[beside[i].option];

		if (v->set && v->n)
			outs_add(os, beside[i].sink, v->s ? v->s : "", NULL);
	}
	for (u32 i = 0; i < os->n && !err; i++) {
		struct out *o = &os->v[i];

		err = o->sink->open ? o->sink->open(o) : 0;
		if (err)
			os->n = i;       /* the rest was not opened */
	}
	outs_hide(os);
	return err;
}

void outs_close(struct outs *os)
{
	for (u32 i = 0; i < os->n; i++)
		if (os->v[i].sink->close)
			os->v[i].sink->close(&os->v[i]);
	free(os->programs);
	os->programs = NULL;
	os->n = 0;
}

/* ---- to all of them --------------------------------------------------------------- */

/* A sink beside the output that cannot write; the output itself ends the run. */
static void outs_failed(struct outs *os, u32 i)
{
	struct out *o = &os->v[i];
	int err = o->err;

	if (!i || !err || o->told)
		return;
	o->told = true;
	os->failed = err;
	diags_say(&o->env->diags, MESSAGE(DTX_WRITE, DTX_ERROR),
		  "cannot write %s (option %s): %s%s%s", o->arg ? o->arg : "", o->sink->name,
		  strerror(err), os->ending ? "" : "; tracing goes on without it",
		  o->left ? o->left : "");
}

#define OUTS_EACH(os, function, ...)                                          \
	for (u32 i = 0; i < (os)->n; i++) {                                   \
		struct out *o = &(os)->v[i];                                  \
		if (o->sink->function && (!o->err || !i))                     \
			o->sink->function(o, ##__VA_ARGS__);                  \
		if (o->err)                                                   \
			outs_failed(os, i);                                   \
	}

/* Standard output is a terminal also while --live keeps what is written to it for the end. */
static void outs_see(struct outs *os)
{
	struct out *o = &os->v[0];
	int fd = o->file ? fileno(o->file) : -1;

	o->terminal = fd >= 0 && (isatty(fd) || (fd <= 2 && fd && divert_has(o->env->divert, fd)));
}

void outs_hide(struct outs *os)
{
	bool screen = false;

	for (u32 i = 1; i < os->n; i++)
		screen |= os->v[i].screen;
	outs_see(os);
	os->hidden = screen && os->v[0].file && fileno(os->v[0].file) == 1;
}

void outs_begin(struct outs *os)
{
	OUTS_EACH(os, begin);
}

/* The same without the output of the run: nothing would be written, so it is not rendered. */
#define OUTS_BESIDE(os, function, ...)                                        \
	for (u32 i = 1; i < (os)->n; i++) {                                   \
		struct out *o = &(os)->v[i];                                  \
		if (o->sink->function && !o->err)                             \
			o->sink->function(o, ##__VA_ARGS__);                  \
		if (o->err)                                                   \
			outs_failed(os, i);                                   \
	}

/* Finds the names in the rows from `row` on, as many as there is room for, when the first of them
 * comes.  Rows come one after the other, for each sink anew; who wants them in another order gets
 * names as they come. */
static void outs_ahead_from(void *arg, const struct agg_print *p, u32 row)
{
	struct outs *os = arg;
	bool room = true;

	if ((row >= os->ahead.from && row < os->ahead.to) ||
	    (row != os->ahead.to && os->ahead.jumps++ >= ARRAY_SIZE(os->v)) ||
	    !sym_ahead_pays(os->info.env))
		return;
	os->ahead.from = row;
	os->ahead.to = p->nrows;                 /* while they are read */
	for (; row < p->nrows && room; row++) {
		const struct val *keys = agg_print_row(p, row)->keys;

		for (u32 k = 0; k < p->aggs[0]->nkeys; k++)
			room &= sym_ahead_want(os->info.env, &keys[k]);
	}
	os->ahead.to = row;
	sym_ahead_find(os->info.env);
}

/* Of a few rows, names are found as they come. */
static void outs_ahead(struct outs *os, const struct agg_print *p)
{
	bool any = false;

	if (p->nrows < ROWS_MANY || !p->naggs)
		return;
	for (u32 k = 0; k < p->aggs[0]->nkeys; k++)
		any |= agg_print_row(p, 0)->keys[k].kind == VAL_STACK;
	if (!any)
		return;
	os->ahead.from = os->ahead.to = os->ahead.jumps = 0;
	outs_ahead_from(os, p, 0);
	agg_print_before(p, outs_ahead_from, os);
}

void outs_event(struct outs *os, const struct event *ev)
{
	os->info.last = MAX(os->info.last, (s64)ev->time);
	for (u32 i = 0; i < ev->nitems; i++)
		if (ev->items[i].kind == ITEM_AGGS && ev->items[i].print)
			outs_ahead(os, ev->items[i].print);
	if (os->hidden) {
		OUTS_BESIDE(os, event, ev);
		return;
	}
	OUTS_EACH(os, event, ev);
}

/* Rows that a file takes are not printed as text, too: nobody asked for them there. */
static bool outs_taken(const struct outs *os, const struct agg_print *p)
{
	for (u32 i = 1; i < os->n && p->naggs && outs_is_text(os); i++)
		if (os->v[i].sink->takes && os->v[i].sink->takes(&os->v[i], p->aggs[0]))
			return true;
	return false;
}

void outs_aggs(struct outs *os, const struct agg_print *p)
{
	outs_ahead(os, p);
	if (outs_taken(os, p)) {
		OUTS_BESIDE(os, aggs, p);
		return;
	}
	OUTS_EACH(os, aggs, p);
}

void outs_ending(struct outs *os)
{
	OUTS_EACH(os, ending);
	outs_hide(os);
}

void outs_option(struct outs *os, const char *name, const char *value)
{
	OUTS_EACH(os, option, name, value);
}

void outs_end(struct outs *os, const struct run_end *end)
{
	os->ending = true;
	if (!os->ended)
		OUTS_EACH(os, end, end);
	os->ended = true;
}

/* A message of a sink about itself reaches users only. */
void outs_message(struct outs *os, const struct dtx_message *m, bool also_said)
{
	if (os->telling || os->ended)
		return;
	os->telling = true;
	OUTS_EACH(os, message, m, also_said);
	os->telling = false;
}

void outs_flush(struct outs *os)
{
	OUTS_EACH(os, flush);
}

/* ---- waiting, sampling --------------------------------------------------------------- */

bool outs_stop(const struct outs *os)
{
	for (u32 i = 0; i < os->n; i++)
		if (os->v[i].stop)
			return true;
	return false;
}

s64 outs_period(const struct outs *os)
{
	s64 least = 0;

	for (u32 i = 0; i < os->n; i++)
		if (os->v[i].period > 0 && (!least || os->v[i].period < least))
			least = os->v[i].period;
	return least;
}

bool outs_unread(const struct outs *os)
{
	for (u32 i = 0; i < os->n; i++)
		if (os->v[i].period > 0 && !os->v[i].unread)
			return false;
	return true;
}

void outs_sample(struct outs *os, const struct agg_print *p)
{
	if (!p->naggs)
		os->info.last = MAX(os->info.last, p->time);
	OUTS_EACH(os, sample, p);
}

bool outs_sample_now(struct outs *os)
{
	bool now = false;

	for (u32 i = 0; i < os->n; i++) {
		now = now || os->v[i].sample_now;
		os->v[i].sample_now = false;
	}
	return now;
}

void outs_ready(struct outs *os)
{
	OUTS_EACH(os, ready);
}
