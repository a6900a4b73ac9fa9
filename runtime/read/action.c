/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * action.c - consumer-side actions, run in record order.
 *
 * Most actions only show values: they become items of the event, and the sink prints
 * them.  Actions with an effect (clear, system, freopen …) first hand over the pending
 * items: output and effects keep the order of the program.
 *
 * To add one: a row of actions.def and its function here.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <dtx/opt.h>

#include "runtime/load/load.h"
#include "runtime/read/read-private.h"
#include "runtime/sink/live/live.h"
#include "runtime/sink/sink.h"
#include "runtime/value/value.h"
#include "runtime/kernel/kernel.h"

struct action_row {
	const char *name;
	enum item_kind kind;
	/* Fills an item that is shown; NULL: nothing to fill. */
	void (*show)(struct consumer *, struct site_state *, u32 index, struct item *);
	/* Performs the action; its item is not shown. */
	void (*act)(struct consumer *, struct site_state *, u32 index, struct item *);
	u32 flags;               /* ACTF_* */
};

/* ---- arguments ------------------------------------------------------------------- */

/* The n-th number of an action: a recorded field or a constant. */
static s64 action_number(const struct item *it, s64 dflt)
{
	if (it->act->nfields && it->vals[0].kind == VAL_INT)
		return (s64)it->vals[0].u;
	return it->act->has_num ? it->act->num : dflt;
}

/* NULL: a value does not fit into such a text; st->text[i] has it. */
static const char *action_quoted(struct consumer *c, struct site_state *st, u32 i,
				 enum quoting quoting)
{
	const struct img_action *act = st->ev.items[i].act;
	struct buf *text = &st->text[i];

	buf_reset(text);
	buf_add(text, "", 0);
	bool fits = printf_run(c->ld->env,
			       &(struct format){ .convs = act->convs, .nconvs = act->nconvs,
						 .vals = st->ev.items[i].vals,
						 .nvals = act->nfields, .quoting = quoting },
			       text);

	return fits ? text->data : NULL;
}

static const char *action_format(struct consumer *c, struct site_state *st, u32 i)
{
	return action_quoted(c, st, i, QUOTE_NONE);
}

/* ---- shown ----------------------------------------------------------------------- */

static void show_printf(struct consumer *c, struct site_state *st, u32 i, struct item *it)
{
	it->text = action_format(c, st, i);
	it->len = st->text[i].len;
}

/* tracemem: the last number after the bytes limits the bytes printed. */
static void show_tracemem(struct consumer *c, struct site_state *st, u32 i, struct item *it)
{
	const struct img_action *act = it->act;

	if (act->nfields > 1 && it->vals[act->nfields - 1].kind == VAL_INT) {
		const struct val *d = &it->vals[act->nfields - 1];

		if (!(d->is_signed && (s64)d->u < 0) && d->u < it->vals[0].len)
			it->vals[0].len = (u32)d->u;
	}
}

/* setopt("printsize") may allow fewer bytes than were captured. */
static void show_print(struct consumer *c, struct site_state *st, u32 i, struct item *it)
{
	u32 most = opt_num(c->ld->env, OPT_printsize);

	for (u32 k = 0; k < it->act->nfields; k++)
		if (it->vals[k].kind == VAL_BYTES)
			it->vals[k].len = MIN(it->vals[k].len, most);
}

/*
 * pcap: packet, length, captured length, time, protocol.  After freopen() the file is a
 * packet capture; nothing else of the record is written to it.
 */
static void show_pcap(struct consumer *c, struct site_state *st, u32 i, struct item *it)
{
	struct val *v = it->vals;
	struct pcap_packet p = { v[0].p, MIN((u32)v[2].u, v[0].len), v[1].u, v[3].u, v[4].u };

	v[0].len = p.captured;
	if (it->act->nfields < 5 || c->out->file == c->first)
		return;
	consumer_flush(c);
	if (pcap_write(c->out->file, &p, opt_num(c->ld->env, OPT_pcapsize)) && !c->out->err)
		c->out->err = errno ? errno : EIO;
	c->out->mute = true;
	it->skipped = true;
}

/* Reads an aggregation at most once per record, and not again within the option aggrate.  Without
 * that option printa reads it for each record; the other actions reuse a snapshot of this batch. */
static void action_snapshot(struct consumer *c, u32 agg, bool anew)
{
	struct agg_fresh *f = &c->fresh[agg];

	s64 rate = opt_num(c->ld->env, OPT_aggrate);

	if (f->record == c->record || (!anew && f->batch == c->batch))
		return;
	if (rate > 0 && f->time && clock_ns(CLOCK_MONOTONIC) - f->time < (u64)rate)
		return;
	f->time = rate > 0 ? clock_ns(CLOCK_MONOTONIC) : 0;
	consumer_snapshot(c, agg);
	f->record = c->record;
	f->batch = c->batch;
}

/* print(@a, num, div): the num largest rows, each value also divided by div. */
static void print_top(struct consumer *c, const struct img_action *act, struct agg_print *print)
{
	bool cut = act->has_num && !aggs_are_whole(c->aggs);
	u32 n = cut ? MIN((u64)act->num, print->nrows) : print->nrows;

	agg_print_cut(print, opt_num(c->ld->env, OPT_aggsortrev) ? 0 : print->nrows - n, n,
		      act->div);
}

static void show_printa(struct consumer *c, struct site_state *st, u32 i, struct item *it)
{
	const struct img_action *act = it->act;
	struct agg_print *print;

	if (!c->rows)
		c->rows = arena_new();
	print = ARENA_NEW(c->rows, struct agg_print);
	it->print = print;
	for (u32 k = 0; k < act->naggs; k++) {
		if (act->aggs[k] >= c->ld->img->naggs)
			return;
		action_snapshot(c, act->aggs[k], true);
		aggs_mark_printed(c->aggs, act->aggs[k]);
	}
	aggs_rows(c->aggs, c->rows, act->aggs, act->naggs, print);
	c->shown |= print->nrows > 0;
	print_top(c, act, print);
	print->act = act;
}

/* ---- aggregations ---------------------------------------------------------------- */

static void act_clear(struct consumer *c, struct site_state *st, u32 i, struct item *it)
{
	for (u32 k = 0; k < it->act->naggs; k++) {
		action_snapshot(c, it->act->aggs[k], false);
		aggs_clear(c->aggs, it->act->aggs[k]);
	}
}

static void act_trunc(struct consumer *c, struct site_state *st, u32 i, struct item *it)
{
	for (u32 k = 0; k < it->act->naggs; k++) {
		action_snapshot(c, it->act->aggs[k], false);
		aggs_trunc(c->aggs, it->act->aggs[k], action_number(it, 0));
	}
}

/* `why` is added to DTrace's message; NULL: nothing is added. */
static void action_fault(struct consumer *c, struct site_state *st, const struct img_action *act,
			 const char *what, const char *why)
{
	const struct img *img = c->ld->img;

	consumer_fault(c, &(struct fault){ .site = st->ev.site, .probe = st->ev.probe,
		.cpu = st->ev.cpu, .text = what, .detail = why, .pc = -1,
		.place = act->place && act->place <= img->nplaces ? &img->places[act->place - 1]
								  : NULL });
}

/* A file, or the shell, that an action cannot open; `err` for file_why(). */
static void action_cannot_open(struct consumer *c, struct site_state *st,
			       const struct img_action *act, const char *name, int err)
{
	char *why = xprintf("cannot open '%s': %s", name, file_why(err));

	action_fault(c, st, act, "library-level fault", why);
	free(why);
}

static void action_not_a_name(struct consumer *c, struct site_state *st,
			      const struct img_action *act, u32 i)
{
	char *why = xprintf("'%s' is not opened: a text that the program did not choose leads to "
			    "another folder; %%#s takes it as it is", st->text[i].data);

	action_fault(c, st, act, "library-level fault", why);
	free(why);
}

/* A factor of 0 changes nothing. */
static void act_normalize(struct consumer *c, struct site_state *st, u32 i, struct item *it)
{
	s64 factor = action_number(it, 1);

	if (!factor)
		action_fault(c, st, it->act, "normalization by 0", NULL);
	for (u32 k = 0; k < it->act->naggs && factor; k++)
		aggs_normalize(c->aggs, it->act->aggs[k], factor);
}

static void act_denormalize(struct consumer *c, struct site_state *st, u32 i, struct item *it)
{
	for (u32 k = 0; k < it->act->naggs; k++)
		aggs_normalize(c->aggs, it->act->aggs[k], 1);
}

/* ---- speculation ----------------------------------------------------------------- */

static void act_commit(struct consumer *c, struct site_state *st, u32 i, struct item *it)
{
	consumer_commit(c, action_number(it, 0), true);
}

static void act_discard(struct consumer *c, struct site_state *st, u32 i, struct item *it)
{
	consumer_commit(c, action_number(it, 0), false);
}

/* ---- the tool's output and options ----------------------------------------------- */

#define CAT_MAX  10240

/* cat(): the text of a file, up to the first error. */
static void show_cat(struct consumer *c, struct site_state *st, u32 i, struct item *it)
{
	const char *name = action_format(c, st, i);
	int fd = file_open_named(name, O_RDONLY | O_NONBLOCK |
				       O_NOCTTY); /* do not wait for the writer of a FIFO */
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
	struct buf *text = &st->text[i];
	char part[1024];
	size_t n;

	if (!f)
		action_cannot_open(c, st, it->act, name, errno);
	buf_reset(text);
	buf_add(text, "", 0);
	while (f && text->len < CAT_MAX &&
	       (n = fread(part, 1, MIN(sizeof(part), CAT_MAX - text->len), f)))
		buf_add(text, part, n);
	if (f)
		fclose(f);
	else if (fd >= 0)
		close(fd);
	it->text = text->data;
	it->len = text->len;
}

/* As system(3), which however ignores the interrupts of dtx while the command runs. */
static int action_shell(const char *command)
{
	char *argv[] = { "sh", "-c", (char *)command, NULL };
	int status = 0, err;
	pid_t pid;

	err = posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environ);
	if (err)
		return err;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return 0;
}

/*
 * Commands get default signal actions: with SIGPIPE ignored, `yes | head -1` would complain.
 * They also get the original limit of open files: some commands close every possible descriptor,
 * and select() handles 1024.
 */
static void act_system(struct consumer *c, struct site_state *st, u32 i, struct item *it)
{
	const struct sigaction dflt = { .sa_handler = SIG_DFL };
	struct sigaction own;
	struct rlimit files, less;
	int err;
	bool raised = c->ld->files_before && !getrlimit(RLIMIT_NOFILE, &files);

	if (raised) {
		less = (struct rlimit){ c->ld->files_before, files.rlim_max };
		setrlimit(RLIMIT_NOFILE, &less);
	}
	bool watched = divert_has(c->ld->env->divert, 1) && divert_has(c->ld->env->divert, 2);
	int messages = watched ? dup(2) : -1;    /* --live shows all that a command writes */

	if (watched)
		dup2(1, 2);
	sigaction(SIGPIPE, &dflt, &own);
	bool raw = env_is_raw(c->ld->env);

	err = action_shell(action_quoted(c, st, i, raw ? QUOTE_NONE : QUOTE_SHELL));
	if (err)
		action_cannot_open(c, st, it->act, "/bin/sh", err);
	sigaction(SIGPIPE, &own, NULL);
	if (messages >= 0) {
		dup2(messages, 2);
		close(messages);
	}
	if (raised)
		setrlimit(RLIMIT_NOFILE, &files);
}

/* A program that is traced may choose a name in a path, but not where the path leads. */
static void act_freopen(struct consumer *c, struct site_state *st, u32 i, struct item *it)
{
	bool raw = env_is_raw(c->ld->env);
	const char *name = action_quoted(c, st, i, raw ? QUOTE_NONE : QUOTE_PATH);
	FILE *f;
	int fd;

	if (!name) {
		action_not_a_name(c, st, it->act, i);
		return;
	}
	if (!*name) {
		consumer_output(c, c->first);
		return;
	}
	fd = env_create(c->ld->env, name, O_RDWR | O_APPEND);
	f = fd < 0 ? NULL : fdopen(fd, "a+");
	if (f)
		consumer_output(c, f);
	else
		action_cannot_open(c, st, it->act, name, -fd);
}

/* No effect on terminals and pipes. */
static void act_ftruncate(struct consumer *c, struct site_state *st, u32 i, struct item *it)
{
	FILE *f = c->out->file;

	if (!f || lseek(fileno(f), 0, SEEK_CUR) < 0 || isatty(fileno(f)))
		return;
	if (!ftruncate(fileno(f), 0))
		rewind(f);
}

/* Sets an option; NULL on success.  An option that can no longer change keeps its value. */
static const char *action_option(struct consumer *c, const char *name, const char *value)
{
	struct dtx_env *env = c->ld->env;
	enum opt_id id = options_find(name);
	const char *why;
	int err;

	if (id < OPT_N && opt_rows[id].when != OPTW_DYNAMIC)
		why = "it cannot be set while tracing";
	else
		why = env_try_option(env, name, value, &err);
	if (!why)
		outs_option(c->outs, name, value);
	return why ? arena_printf(env->arena, "failed to set option '%s'%s%s%s: %s", name,
				  value ? " to '" : "", value ? value : "", value ? "'" : "", why)
		   : NULL;
}

/* setopt(name[, value]): each a recorded string or the constant text of the action. */
static void act_setopt(struct consumer *c, struct site_state *st, u32 i, struct item *it)
{
	const struct img_action *act = it->act;
	const char *name = act->str, *value = NULL, *why;
	char num[24];
	u32 f = 0;

	if (!name && f < act->nfields)
		name = it->vals[f++].p;
	if (f < act->nfields && it->vals[f].kind == VAL_STR)
		value = it->vals[f].p;
	if ((f < act->nfields && it->vals[f].kind == VAL_INT) || (!act->nfields && act->has_num)) {
		snprintf(num, sizeof(num), "%lld", f < act->nfields ? (long long)it->vals[f].u :
			 (long long)act->num);
		value = num;
	}
	why = action_option(c, name ? name : "", value);
	if (why)
		action_fault(c, st, act, "library-level fault", why);
}

/* ---- the table: actions.def ------------------------------------------------------ */

#define show_none NULL
#define act_none  NULL
static const struct action_row action_rows[] = {
#define ACTION(name, item, show, act, flags) { #name, ITEM_##item, show_##show, act_##act, flags },
#include <dtx/tables/actions.def>
#undef ACTION
};

const struct action_row *action_find(const char *name)
{
	static const struct action_row none = { "", ITEM_NONE, NULL, NULL, 0 };

	for (u32 i = 0; i < ARRAY_SIZE(action_rows); i++)
		if (!strcmp(action_rows[i].name, name))
			return &action_rows[i];
	return &none;
}

/* ---- one record ------------------------------------------------------------------ */

/* Hands the pending items over; `more`: the record is not finished. */
static void action_part(struct consumer *c, struct event *part, bool more)
{
	part->more = more;
	outs_event(c->outs, part);
	part->cont = true;
	part->items += part->nitems;
	part->nitems = 0;
}

/* Did the clause record data?  Not if all its actions are in branches that were not taken. */
static bool action_recorded(const struct site_state *st)
{
	const struct event *ev = &st->ev;

	if (ev->site->is_default || !ev->site->record)
		return ev->site->is_default;
	for (u32 i = 0; i < ev->nitems; i++)
		if (!ev->items[i].skipped && !(st->rows[i]->flags & ACTF_SPEC))
			return true;
	return false;
}

void action_event(struct consumer *c, struct site_state *st)
{
	struct event *ev = &st->ev, part = *ev;
	bool prints = action_recorded(st);

	part.items = st->shown;
	part.nitems = 0;
	for (u32 i = 0; i < ev->nitems; i++) {
		const struct action_row *row = st->rows[i];
		struct item *it = &ev->items[i];

		if (it->skipped)
			continue;
		it->kind = row->kind;
		if (row->show)
			row->show(c, st, i, it);
		if (it->skipped)
			continue;
		if (!row->act) {
			part.items[part.nitems++] = *it;
			continue;
		}
		if (prints && (part.nitems || (row->flags & ACTF_VISIBLE)))
			action_part(c, &part, true);
		if (row->flags & ACTF_VISIBLE)
			consumer_flush(c);
		row->act(c, st, i, it);
	}
	if (prints)
		action_part(c, &part, false);
	arena_free(c->rows);
	c->rows = NULL;
}
