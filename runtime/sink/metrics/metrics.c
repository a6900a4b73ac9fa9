/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * metrics.c - aggregations, and the run itself, as metrics; written in several forms at once.
 *
 * A named aggregation is a family dtx_NAME, its keys are labels by their names.  count() is a
 * counter, dtx_NAME_total, unless the program clears or divides it; so is sum(), until a row falls
 * or is below 0: then it is the gauge dtx_NAME.  Stacks are no labels: each would be a series.
 * avg(), stats() and stddev() are a summary: count and sum, which can be added over machines.
 * Histograms have each of their buckets, also the empty ones, so that the same bounds are there on
 * each machine: `le` is the last integer of a bucket.  They have no sum, because buckets do not
 * tell it.  Labels are UTF-8: what is none, or acts on a terminal, is an escape (base/plain.c).
 */
#include <ctype.h>
#include <stdlib.h>

#include <dtx/aggs.h>

#include "runtime/sink/metrics/metrics.h"
#include "runtime/sink/stacks/stackset.h"
#include "runtime/view/view.h"

struct family {
	char *name;              /* "dtx_bytes"; NULL: it has no name, and is not written */
	char *total;             /* "dtx_bytes_total", its name while it is a counter */
	char *help;
	char **labels;           /* names, by key */
	bool gauge;              /* of a total: it can fall */
	struct keytab *before;   /* its rows in the last answer: one that falls makes it a gauge */
	s128 most;               /* all of them */
	u64 limited, twice, stacks, beyond, none;        /* rows left out of the last answer */
};

struct metrics {
	const struct run_info *run;
	struct family *v;
	struct metric_out out[METRIC_FORMS];
	u32 forms;               /* of this answer: bits */
	struct buf labels, text, clean;
	struct arena *arena;     /* of a family */
	struct arena *row;       /* of a row's buckets */
	struct map *seen;        /* labels of the family */
	u64 answers;
};

#define TOTAL  "_total"         /* what names of counters end in */

/* ---- names ---------------------------------------------- */

/* Names that dtx uses for the run itself. */
static const char *const taken[] = {
	"dtx_info", "dtx_records_total", "dtx_losses_total", "dtx_errors_total",
	"dtx_host_losses_total", "dtx_host_errors_total", "dtx_scrapes_total", "dtx_series_dropped",
};

static void metric_name(const char *text, struct buf *out)
{
	for (const char *p = text; *p; p++)
		if (name_char(*p))
			buf_putc(out, *p);
		else if (out->len && out->data[out->len - 1] != '_' && p[1])
			buf_putc(out, '_');
	while (out->len > 1 && out->data[out->len - 1] == '_' && text[strlen(text) - 1] != '_')
		out->data[--out->len] = '\0';
}

/* Is it this name with that tail? */
static bool metric_is(const char *text, const char *name, const char *tail)
{
	size_t len = strlen(name);

	return !strncmp(text, name, len) && !strcmp(text + len, tail);
}

static bool metric_has_total(const char *name)
{
	size_t len = strlen(name), tail = strlen(TOTAL);

	return len > tail && !strcmp(name + len - tail, TOTAL);
}

/* Is it, or what a histogram, a summary or a counter adds to it, the name of something else? */
static bool metric_clash(const struct metrics *m, u32 agg, const char *name)
{
	static const char *const tails[] = { "", "_bucket", "_count", "_sum", TOTAL };

	for (u32 i = 0; i < ARRAY_SIZE(taken); i++)
		if (metric_is(taken[i], name, "") || metric_is(taken[i], name, TOTAL))
			return true;
	for (u32 i = 0; i < agg; i++)
		for (u32 k = 0; m->v[i].name && k < ARRAY_SIZE(tails); k++) {
			const char *other = m->v[i].name;

			if (metric_is(name, other, tails[k]) || metric_is(other, name, tails[k]))
				return true;
		}
	return false;
}

static char *metric_label(const struct img_agg *agg, char **labels, u32 key)
{
	struct buf b = { 0 };
	u32 same = 0;

	buf_add(&b, "", 0);
	metric_name(agg->keys[key].name ? agg->keys[key].name : "", &b);
	if (!b.len || isdigit((u8)b.data[0]) || !strncmp(b.data, "__", 2) || !strcmp(b.data, "le"))
		buf_printf(&b, "%skey%u", b.len ? "_" : "", key + 1);
	for (u32 i = 0; i < key; i++)
		same += !strcmp(labels[i], b.data);
	if (same)
		buf_printf(&b, "_%u", key + 1);
	if (isdigit((u8)b.data[0])) {
		char *name = xprintf("key%u", key + 1);

		buf_free(&b);
		return name;
	}
	return b.data;
}

/* ---- help: the comment in front of the clause ---------------------------------------------- */

struct help {
	const char *from, *to;   /* the comment, NULL: none */
	int depth;               /* of braces */
	int newlines;            /* since the comment */
};

/* Is the aggregation at p? */
static bool help_at(const char *p, const char *name)
{
	size_t len = strlen(name);

	return *p == '@' && !strncmp(p + 1, name, len) && !isalnum((u8)p[len + 1]) &&
	       p[len + 1] != '_';
}

static const char *help_comment(struct help *h, const char *p)
{
	const char *end = p[1] == '*' ? strstr(p + 2, "*/") : strchr(p, '\n');
	bool follows = p[1] == '/' && h->from && h->newlines == 1;

	end = end ? end + (p[1] == '*' ? 2 : 0) : p + strlen(p);
	if (!h->depth) {
		h->from = follows ? h->from : p;
		h->to = end;
		h->newlines = 0;
	}
	return end;
}

static const char *help_string(const char *p)
{
	for (p++; *p && *p != '"' && *p != '\n'; p++)
		if (*p == '\\' && p[1])
			p++;
	return *p ? p + 1 : p;
}

/* One step through a program. */
static const char *help_step(struct help *h, const char *p)
{
	if (p[0] == '/' && (p[1] == '*' || p[1] == '/'))
		return help_comment(h, p);
	if (*p == '"')
		return help_string(p);
	if (*p == '{')
		h->depth++;
	if (*p == '}' && h->depth && !--h->depth)
		h->from = NULL;
	if (*p == '\n')
		h->newlines += h->newlines < 3;
	/* A blank line, or a directive, parts the comment from what follows. */
	if (!h->depth && h->from && ((*p == '\n' && h->newlines > 1) || *p == '#'))
		h->from = NULL;
	else if (!isspace((u8)*p))
		h->newlines = 0;
	return p + 1;
}

static bool help_find(const char *text, const char *name, struct help *h)
{
	*h = (struct help){ 0 };
	for (const char *p = text; *p; p = help_step(h, p))
		if (help_at(p, name))
			return h->from;
	return false;
}

/* The comment in one line. */
static void help_text(const struct help *h, struct buf *out)
{
	bool blank = true;

	for (const char *p = h->from; p < h->to; p++) {
		if (isspace((u8)*p) || *p == '*' || (*p == '/' && (p == h->from || p + 1 == h->to ||
		    p[-1] == '/' || p[1] == '/'))) {
			blank = true;
			continue;
		}
		if (blank && out->len)
			buf_putc(out, ' ');
		blank = false;
		buf_putc(out, *p);
	}
}

static char *metric_help(const struct run_info *run, const struct img_agg *agg)
{
	struct buf b = { 0 };
	struct help h;

	buf_add(&b, "", 0);
	for (u32 i = 0; i < run->nprograms && !b.len; i++)
		if (help_find(run->programs[i], agg->name, &h))
			help_text(&h, &b);
	if (!b.len)
		buf_printf(&b, "@%s = %s(%s)", agg->name, agg->func, agg->arg ? agg->arg : "");
	for (size_t i = 0; i < b.len; i++)
		if (b.data[i] == '\n')
			b.data[i] = ' ';
	return b.data;
}

/* ---- life ---------------------------------------------- */

/* Does the program clear it, cut it, or divide it? */
static bool metric_changes(const struct img *img, u32 agg)
{
	for (u32 s = 0; s < img->nsites; s++)
		for (u32 i = 0; i < img->sites[s].nactions; i++) {
			const struct img_action *act = &img->sites[s].actions[i];

			for (u32 k = 0; k < act->naggs; k++)
				if (act->aggs[k] == agg && action_has(act, ACTF_CHANGES))
					return true;
		}
	return false;
}

static void metric_describe(struct metrics *m, u32 i)
{
	const struct img_agg *agg = &m->run->img->aggs[i];
	struct family *f = &m->v[i];
	char *name = xprintf("dtx_%s", agg->name);

	if (!strcmp(agg->name, "_")) {
		free(name);
		return;
	}
	if (metric_clash(m, i, name)) {
		free(name);
		name = xprintf("dtx_%s_%u", agg->name, i + 1);
	}
	f->name = name;
	f->total = metric_has_total(name) ? xstrdup(name) : xprintf("%s" TOTAL, name);
	f->help = metric_help(m->run, agg);
	f->gauge = metric_changes(m->run->img, i);
	f->labels = xcalloc(agg->nkeys + 1, sizeof(*f->labels));
	for (u32 k = 0; k < agg->nkeys; k++)
		f->labels[k] = metric_label(agg, f->labels, k);
}

struct metrics *metrics_new(const struct run_info *run)
{
	struct metrics *m = xcalloc(1, sizeof(*m));

	m->run = run;
	m->arena = arena_new();
	m->row = arena_new();
	for (u32 i = 0; i < METRIC_FORMS; i++)
		m->out[i].arena = arena_new();
	m->v = xcalloc(run->img->naggs + 1, sizeof(*m->v));
	for (u32 i = 0; i < run->img->naggs; i++)
		metric_describe(m, i);
	return m;
}

void metrics_free(struct metrics *m)
{
	if (!m)
		return;
	for (u32 i = 0; i < m->run->img->naggs; i++) {
		for (u32 k = 0; m->v[i].labels && m->v[i].labels[k]; k++)
			free(m->v[i].labels[k]);
		free(m->v[i].labels);
		free(m->v[i].name);
		free(m->v[i].total);
		free(m->v[i].help);
		keytab_free(m->v[i].before);
	}
	free(m->v);
	for (u32 i = 0; i < METRIC_FORMS; i++) {
		buf_free(&m->out[i].text);
		buf_free(&m->out[i].body);
		arena_free(m->out[i].arena);
	}
	buf_free(&m->labels);
	buf_free(&m->text);
	buf_free(&m->clean);
	arena_free(m->arena);
	arena_free(m->row);
	free(m);
}

/* ---- writing, in each form that is asked for ------------------------------ */

static void metric_family(struct metrics *m, const char *name, const char *help,
			  enum metric_kind kind)
{
	for (u32 i = 0; i < METRIC_FORMS; i++)
		if (m->forms & 1u << i)
			metric_formats[i].writer->family(&m->out[i], name, help, kind);
}

static void metric_family_end(struct metrics *m)
{
	for (u32 i = 0; i < METRIC_FORMS; i++)
		if (m->forms & 1u << i)
			metric_formats[i].writer->family_end(&m->out[i]);
}

/* Its labels are m->labels, too. */
static void metric_write(struct metrics *m, struct metric_row *r)
{
	r->labels = m->labels.data;
	for (u32 i = 0; i < METRIC_FORMS; i++)
		if (m->forms & 1u << i)
			metric_formats[i].writer->row(&m->out[i], r);
}

/* ---- labels ---------------------------------------------- */

static void metric_quote(const char *p, struct buf *out)
{
	buf_putc(out, '"');
	for (; *p; p++)
		if (*p == '\n')
			buf_puts(out, "\\n");
		else if (*p == '"' || *p == '\\')
			buf_printf(out, "\\%c", *p);
		else
			buf_putc(out, *p);
	buf_putc(out, '"');
}

/* Sets the text of label k of a row, and adds it to m->labels. */
static void metric_put_label(struct metrics *m, struct metric_label *to, u32 k, const char *name,
			     const char *text, size_t len)
{
	buf_reset(&m->clean);
	buf_add(&m->clean, "", 0);
	buf_plain(&m->clean, text, len, PLAIN_SPACE);
	to[k] = (struct metric_label){ name, arena_strndup(m->arena, m->clean.data,
							    m->clean.len) };
	buf_printf(&m->labels, "%s%s=", k ? "," : "", name);
	metric_quote(to[k].text, &m->labels);
}

static void metric_labels(struct metrics *m, const struct family *f, const struct img_agg *agg,
			  const struct val *keys, struct metric_row *r)
{
	struct metric_label *v = ARENA_ARRAY(m->arena, struct metric_label, agg->nkeys + 1);

	buf_reset(&m->labels);
	buf_add(&m->labels, "", 0);
	for (u32 k = 0; k < agg->nkeys; k++) {
		buf_reset(&m->text);
		buf_add(&m->text, "", 0);
		stack_key_text(m->run->env, &keys[k], &m->text);
		metric_put_label(m, v, k, f->labels[k], m->text.data, m->text.len);
	}
	r->label = v;
	r->nlabels = agg->nkeys;
}

/* ---- rows ---------------------------------------------- */

/* NULL: one of them is no number. */
static const s64 *metric_counts(struct metrics *m, const struct agg_print *p,
				const struct agg_row *row)
{
	struct agg_value v = agg_value_plain(p, row, 0, m->row);
	s64 *counts = ARENA_ARRAY(m->row, s64, hist_buckets(p->aggs[0]));

	for (u32 i = 0; i < v.nbuckets; i++)
		counts[v.buckets[i].index] = v.buckets[i].count;
	return v.beyond ? NULL : counts;
}

static void metric_row(struct metrics *m, struct family *f, const struct agg_print *p,
		       const struct agg_row *row)
{
	const struct img_agg *agg = p->aggs[0];
	struct metric_row r = { .agg = agg };

	metric_labels(m, f, agg, row->keys, &r);
	if (map_add(m->seen, m->labels.data, f)) {
		f->twice++;
		return;
	}
	if (agg_kind(agg) == AGG_HISTOGRAM)
		r.counts = metric_counts(m, p, row);
	else
		r.value = agg_value(p, row, 0, NULL);
	if (agg_kind(agg) == AGG_HISTOGRAM && !r.counts)
		f->beyond++;
	else if (r.value.none)
		f->none++;
	else
		metric_write(m, &r);
	arena_clear(m->row);
}

/* sum() is a counter until a row is seen to fall: Prometheus would take that for a new begin. */
static void metric_falls(struct family *f, const struct agg_print *p)
{
	const struct img_agg *agg = p->aggs[0];
	s128 total = 0;

	if (!f->before)
		f->before = keytab_new(agg->keyed ? agg->key_size : 8, sizeof(s128));
	for (u32 i = 0; i < p->nrows && !f->gauge; i++) {
		const u64 *data;
		s64 norm;
		const u8 *key = agg_print_raw(p, i, &data, &norm);
		s128 value = agg_value(p, agg_print_row(p, i), 0, NULL).number, before = 0;
		void *kept = key ? keytab_put(f->before, key) : NULL;

		if (kept) {
			memcpy(&before, kept, sizeof(before));
			memcpy(kept, &value, sizeof(value));
		}
		f->gauge = value < before;               /* new: 0 before */
		total += value;
	}
	f->gauge = f->gauge || total < f->most;          /* of rows without keys, too */
	f->most = total;
}

static enum metric_kind metric_kind(struct family *f, const struct agg_print *p)
{
	const struct img_agg *agg = p->aggs[0];

	if (agg_kind(agg) == AGG_HISTOGRAM)
		return METRIC_HISTOGRAM;
	if (agg_has(agg, AGGF_FALLS) && !f->gauge)
		metric_falls(f, p);
	if (agg_has(agg, AGGF_TOTAL))
		return f->gauge ? METRIC_GAUGE : METRIC_COUNTER;
	return agg_has(agg, AGGF_EXTREME) ? METRIC_GAUGE : METRIC_SUMMARY;
}

void metrics_begin(struct metrics *m, u32 forms)
{
	m->forms = forms;
	for (u32 i = 0; i < METRIC_FORMS; i++) {
		buf_reset(&m->out[i].text);
		buf_add(&m->out[i].text, "", 0);
	}
}

void metrics_add(struct metrics *m, const struct agg_print *p)
{
	u32 i = 0, most;

	while (i < m->run->img->naggs && strcmp(m->run->img->aggs[i].name, p->aggs[0]->name))
		i++;
	if (i == m->run->img->naggs || !m->v[i].name || !p->nrows || !m->forms)
		return;
	struct family *f = &m->v[i];
	if (stackset_takes(p->aggs[0])) {
		f->stacks = p->nrows;
		return;
	}
	enum metric_kind kind = metric_kind(f, p);
	metric_family(m, kind == METRIC_COUNTER ? f->total : f->name, f->help, kind);
	most = MIN(p->nrows, METRICS_SERIES);
	f->limited = p->nrows - most;
	f->twice = f->beyond = f->none = 0;
	m->seen = map_new();
	for (u32 k = 0; k < most; k++)
		metric_row(m, f, p, agg_print_row(p, k));
	map_free(m->seen);
	metric_family_end(m);
	arena_clear(m->arena);
}

/* ---- the run itself ---------------------------------------------- */

/* A row with two labels, or one, or none. */
static void metric_plain(struct metrics *m, const char *const (*labels)[2], u32 n, u64 value)
{
	struct metric_label v[2];
	struct metric_row r = { .label = v, .nlabels = n,
				.value = { .is_unsigned = true, .number = (s64)value } };

	buf_reset(&m->labels);
	buf_add(&m->labels, "", 0);
	for (u32 i = 0; i < n; i++) {
		const char *text = labels[i][1] ? labels[i][1] : "";

		metric_put_label(m, v, i, labels[i][0], text, strlen(text));
	}
	metric_write(m, &r);
}

static void metric_single(struct metrics *m, const char *name, const char *help, u64 value)
{
	metric_family(m, name, help, METRIC_COUNTER);
	metric_plain(m, NULL, 0, value);
	metric_family_end(m);
}

static const struct events_family {
	const char *name, *help;
	const struct view_event *(*get)(const struct view *, u32 *);
	bool host;               /* of runs of several: their reason is the host */
} events_families[] = {
	{ "dtx_losses_total", "What was lost, by reason and probe.", view_losses },
	{ "dtx_errors_total", "Errors while tracing, by text and probe.", view_errors },
	{ "dtx_host_losses_total", "What was lost, by host.", view_host_losses, true },
	{ "dtx_host_errors_total", "Errors while tracing, by host.", view_host_errors, true },
};

static void metric_events(struct metrics *m, const struct view *view, const struct events_family *f)
{
	u32 n;
	const struct view_event *v = f->get(view, &n);

	if (f->host && !m->run->nhosts)
		return;
	metric_family(m, f->name, f->help, METRIC_COUNTER);
	for (u32 i = 0; i < n; i++) {
		const char *const labels[][2] = { { f->host ? "host" : "reason", v[i].reason },
						  { "probe", v[i].probe } };

		metric_plain(m, labels, f->host ? 1 : 2, v[i].count);
	}
	metric_family_end(m);
}

static void metric_left_out(struct metrics *m, const struct family *f, const char *why, u64 rows)
{
	const char *const labels[][2] = { { "family", f->name }, { "reason", why } };

	if (f->name && rows)
		metric_plain(m, labels, ARRAY_SIZE(labels), rows);
}

static void metric_dropped(struct metrics *m)
{
	metric_family(m, "dtx_series_dropped", "Rows of an aggregation that are not here: "
		      "there are too many, their labels are those of another row, a key is a "
		      "stack, which would be a series of its own, a bucket is beyond 64 bits, or "
		      "min() or max() have seen no value since clear().",
		      METRIC_GAUGE);
	for (u32 i = 0; i < m->run->img->naggs; i++) {
		metric_left_out(m, &m->v[i], "limit", m->v[i].limited);
		metric_left_out(m, &m->v[i], "same", m->v[i].twice);
		metric_left_out(m, &m->v[i], "stack", m->v[i].stacks);
		metric_left_out(m, &m->v[i], "beyond", m->v[i].beyond);
		metric_left_out(m, &m->v[i], "none", m->v[i].none);
	}
	metric_family_end(m);
}

static void metric_info(struct metrics *m)
{
	const char *const labels[][2] = { { "version", m->run->version },
					  { "kernel", m->run->kernel } };

	metric_family(m, "dtx_info", "The run.", METRIC_GAUGE);
	metric_plain(m, labels, ARRAY_SIZE(labels), 1);
	metric_family_end(m);
}

void metrics_end(struct metrics *m, struct view *view, struct buf to[METRIC_FORMS])
{
	memset(to, 0, METRIC_FORMS * sizeof(*to));
	if (!m->forms)
		return;
	for (u32 i = 0; i < ARRAY_SIZE(events_families); i++)
		metric_events(m, view, &events_families[i]);
	metric_dropped(m);
	metric_single(m, "dtx_records_total", "Records that were read.", view_run(view)->records);
	metric_single(m, "dtx_scrapes_total",
		      "Answers to requests for metrics, with this one.", ++m->answers);
	metric_info(m);
	for (u32 i = 0; i < METRIC_FORMS; i++) {
		if (!(m->forms & 1u << i))
			continue;
		metric_formats[i].writer->end(&m->out[i]);
		to[i] = m->out[i].text;
		m->out[i].text = (struct buf){ 0 };
	}
	arena_clear(m->arena);
}
