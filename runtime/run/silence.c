/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * silence.c - a run that had nothing to show says what it knows: which probes never fired, which
 * predicates were never true, and what to try.  Rows of 0 that clear() has left are explained, too.
 *
 * While nothing was shown the state is DTX_STATE_WATCHED: programs then mark the probes that fire.
 * The first record or row ends it, and when all probes have fired there is nothing left to learn.
 * Why: docs/decisions/44-silence.md
 */
#include <bpf/bpf.h>

#include <dtx/opt.h>

#include "runtime/run/run.h"
#include "runtime/value/value.h"

#define SILENCE_NOTES  8         /* clauses that are told */

/* ---- watching ----------------------------------------------------------------------- */

void silence_begin(struct dtx_session *s)
{
	s->watched = true;
	__atomic_store_n(&s->ld.ctl->state, DTX_STATE_WATCHED, __ATOMIC_SEQ_CST);
}

/* A program may have called exit() meanwhile: its state stays. */
void silence_over(struct dtx_session *s)
{
	u32 from = DTX_STATE_WATCHED;

	if (s->watched)
		__atomic_compare_exchange_n(&s->ld.ctl->state, &from, DTX_STATE_ACTIVE, false,
					    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	s->watched = false;
}

static bool has_rows(struct dtx_session *s, u32 agg)
{
	struct agg_state *st = agg_state(consumer_aggs(s->con), agg);
	u64 key[DTX_REC_MAX / 8];
	int fds[AGG_MAPS];

	if (!st)
		return false;
	if (!st->def->keyed)
		return !aggs_snapshot(consumer_aggs(s->con), agg) && st->e.n;
	if (img_agg_map_key(st->def) > sizeof(key))
		return true;
	agg_maps(consumer_aggs(s->con), st, fds);
	for (u32 i = 0; i < AGG_MAPS; i++)
		if (fds[i] >= 0 && !bpf_map_get_next_key(fds[i], NULL, key))
			return true;
	return agg_carry_rows(st);
}

static bool all_fired(const struct dtx_session *s)
{
	u32 n = MIN(s->img->nprobes, (u32)DTX_FIRED);

	for (u32 i = 0; i < n; i++)
		if (!s->ld.ctl->fired[i])
			return false;
	return true;
}

void silence_look(struct dtx_session *s)
{
	bool over = !s->watched || consumer_has_shown(s->con) || all_fired(s);

	for (u32 i = 0; i < s->img->naggs && !over; i++)
		over = has_rows(s, i);
	if (over)
		silence_over(s);
}

/* ---- telling ------------------------------------------------------------------------ */

enum fired { FIRED_NEVER, FIRED_SOME, FIRED_UNKNOWN };

/* What is known of the probes of a clause: of its sites from `from` on. */
struct silence {
	struct dtx_session *s;
	struct buf text;
	u32 from, to;            /* its sites, half open */
	u32 first, nprobes;      /* a probe, and how many there are */
	bool narrowed;
	const char *filter;      /* "--comm cat", or NULL */
	enum fired fired;
};

/* Sites that no probe of events belongs to are not asked. */
static bool is_asked(const struct img *img, const struct img_site *site)
{
	return site->file && site->nruns && probe_is_event(img_probe(img, site->runs[0]));
}

/* Programs that do not look at the state leave no marks: a single one, with one probe. */
static bool leaves_marks(const struct img *img)
{
	for (u32 i = 0; i < img->nsites; i++)
		if (img->sites[i].rec_size || img->sites[i].nactions)
			return true;
	return img->nprogs > 1 || img->nprobes > 1;
}

static void look_at_site(struct silence *q, const struct img_site *site)
{
	const struct img *img = q->s->img;

	for (u32 i = 0; i < site->nruns; i += 2) {
		if (!q->nprobes)
			q->first = site->runs[i];
		q->nprobes += site->runs[i + 1] - site->runs[i] + 1;
		for (u32 k = site->runs[i]; k <= site->runs[i + 1]; k++)
			if (q->s->ld.ctl->fired[k % DTX_FIRED] && q->fired == FIRED_NEVER)
				q->fired = FIRED_SOME;
	}
	if ((site->runs_more || img->nprobes > DTX_FIRED) && q->fired == FIRED_SOME)
		q->fired = FIRED_UNKNOWN;        /* the mark may be another's */
	if (img->late || !q->s->marks || !leaves_marks(img))
		q->fired = FIRED_UNKNOWN;
	q->narrowed |= site->narrowed;
}

static void look_at_clause(struct silence *q, u32 from)
{
	const struct img *img = q->s->img;

	*q = (struct silence){ .s = q->s, .filter = q->filter, .from = from, .to = from };
	for (; q->to < img->nsites && img->sites[q->to].clause == img->sites[from].clause; q->to++)
		look_at_site(q, &img->sites[q->to]);
}

static void put_probes(const struct silence *q, struct buf *b)
{
	const struct dtx_probe *p = img_probe(q->s->img, q->first);

	buf_printf(b, PROBE_NAME, PROBE_PARTS(p));
	if (q->nprobes > 1)
		buf_printf(b, " and %u more", q->nprobes - 1);
}

/* The text of "-n:1:1: note: …"; false: the clause is not why nothing was shown. */
static bool tell_clause(struct silence *q, struct buf *b)
{
	const struct img_site *site = &q->s->img->sites[q->from];
	const char *its = q->nprobes > 1 ? "its probes" : "its probe";
	bool shows = site->rec_size || site->aggregates;

	if (q->fired == FIRED_NEVER) {
		buf_puts(b, q->nprobes > 1 ? "none of its probes fired: "
					   : "its probe never fired: ");
		put_probes(q, b);
	} else if (q->fired == FIRED_SOME && q->filter) {
		buf_printf(b, "%s fired, but not in what %s selects%s", its, q->filter,
			   site->pred ? ", or its predicate was never true" : "");
	} else if (site->pred && shows) {
		buf_printf(b, "%s %s predicate was never true: /%s/", its,
			   q->fired == FIRED_UNKNOWN ? "did not fire, or its" : "fired, but its",
			   site->pred);
	} else if (q->fired == FIRED_UNKNOWN) {
		buf_printf(b, "%s did not fire, or showed nothing: ", its);
		put_probes(q, b);
	} else if (q->narrowed) {
		buf_printf(b, "what %s is made from came, but never as the probe wants it: ", its);
		put_probes(q, b);
	} else {
		return false;
	}
	return true;
}

static const char *silence_hint(const struct dtx_session *s, const struct silence *q)
{
	const struct img_site *site = &s->img->sites[q->from];
	const struct dtx_probe *p = img_probe(s->img, q->first);
	bool follows = opt_num(s->env, OPT_follow);

	if (site->pred && strstr(site->pred, "$target") && !s->env->target_pid)
		return "$target is 0: it is the process of -p PID or -c COMMAND";
	if (q->filter && q->fired != FIRED_NEVER && !(follows && p->place.target))
		return arena_printf(s->arena, "only what %s selects is traced: leave it out to see "
				    "whether others do it", q->filter);
	if (site->pred && q->fired != FIRED_NEVER)
		return arena_printf(s->arena,
				    "see what there is without the predicate: %s -n '" PROBE_NAME
				    " { @[execname] = count(); }'",
				    s->env->diags.tool, PROBE_PARTS(p));
	if (p->place.pid > 0 && !follows)
		return "the process did not do it in this time: if one that it starts does it, "
		       "add --follow; else, is it the right process, and the right function?";
	return s->ntargets ? "the program did not do it in this time: is it the right process, "
			     "and the right function?"
			   : "what it waits for did not happen in this time: trace longer, or run "
			     "a command that does it with -c";
}

/* Could the program have shown something, and does it have probes that wait for events? */
static bool could_show(const struct img *img)
{
	bool shows = img->naggs, waits = false;

	for (u32 i = 0; i < img->nsites; i++) {
		if (!is_asked(img, &img->sites[i]))
			continue;
		waits = true;
		shows |= img->sites[i].rec_size;
	}
	return shows && waits;
}

/* clear() keeps the keys: rows of 0 are half an answer. */
static void tell_zeros(struct dtx_session *s)
{
	struct dtx_message m = MESSAGE(DTX_NOTICE, DTX_INFO);

	for (u32 i = 0; i < s->img->naggs; i++) {
		const char *name = s->img->aggs[i].name;

		name = strcmp(name, "_") ? name : "";
		if (!aggs_left_zero(consumer_aggs(s->con), i))
			continue;
		m.hint = arena_printf(s->arena, "to see the values, write printa(@%s) before "
				      "clear(@%s), or leave clear() out; trunc(@%s) removes the "
				      "rows", name, name, name);
		consumer_tell(s->con, m, "all values of @%s are 0: clear() keeps its rows, and no "
			      "value came after it", name);
	}
}

void silence_say(struct dtx_session *s)
{
	struct dtx_message m = MESSAGE(DTX_NOTICE, DTX_INFO);
	struct dtx_message notes[SILENCE_NOTES];
	struct silence q = { .s = s, .filter = filter_selects(s->env) }, worst = { 0 };
	double took = (clock_ns(CLOCK_MONOTONIC) - (s64)s->ld.ctl->start) / 1e9;
	u32 n = 0;

	if (s->marks)
		tell_zeros(s);
	if (!s->marks || consumer_has_shown(s->con) || s->lost || !could_show(s->img))
		return;
	for (u32 i = 0; i < s->img->nsites && n < SILENCE_NOTES; i = q.to) {
		const struct img_site *site = &s->img->sites[i];
		struct buf b = { 0 };

		look_at_clause(&q, i);
		if (!is_asked(s->img, site) || !tell_clause(&q, &b)) {
			buf_free(&b);
			continue;
		}
		if (!n || q.fired < worst.fired)
			worst = q;
		notes[n] = MESSAGE(DTX_NOTICE, DTX_NOTE);
		notes[n].at = (struct dtx_place){ .file = site->file, .line = site->line,
						  .column = site->column };
		notes[n].text = arena_strdup(s->arena, b.data);
		buf_free(&b);
		if (n)
			notes[n - 1].next = &notes[n];
		n++;
	}
	m.notes = n ? notes : NULL;
	m.hint = n ? silence_hint(s, &worst) : NULL;
	consumer_tell(s->con, m, "nothing was traced in %.1f s", took);
}
