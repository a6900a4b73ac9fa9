/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csvdir.c - option csvdir: one table in a file, with the same columns in all its rows, for
 * programs that read such files.
 *
 *   agg-NAME.csv   an aggregation: all rows that were printed, each with its time
 *   clause-N.csv   the records of the N-th clause of the program; what did not run is empty
 *
 * All files are made when the run begins: later the rights to make them may be given up.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/sink/csv/csv.h"

struct csv_table {
	struct outfile file;
	char *path;
	struct buf head, out;
	u32 clause;                      /* of records */
};

struct csvdir {
	struct csv csv;
	struct buf row;                  /* of a record, which may come in parts */
	struct csv_table *v;             /* those of the aggregations, then those of clauses */
	u32 n;
	int folder;
	u32 *of_site;                    /* index of its table + 1; 0: it shows nothing */
	u32 next;                        /* the first action that is not yet in the row */
};

/* ---- the tables ---------------------------------------------------------------------- */

static bool action_shows(const struct out *o, const struct img_action *act)
{
	return csv_shows(action_kind(act->name), act);
}

/* The columns of a site: its time and place, and the values of each action that shows some. */
static bool site_shows(const struct out *o, const struct img_site *site)
{
	bool shows = site->is_default;

	for (u32 i = 0; i < site->nactions; i++)
		shows |= action_shows(o, &site->actions[i]);
	return shows && site->rec_size;
}

static void site_names(const struct out *o, struct buf *b, const struct img_site *site)
{
	buf_puts(b, "time,tid,cpu,probe");
	for (u32 i = 0; i < site->nactions; i++)
		if (action_shows(o, &site->actions[i]))
			csv_action_names(b, &site->actions[i]);
	csv_line(b);
}

/* "@_" is the one without a name. */
static char *agg_path(const struct out *o, const struct img_agg *agg)
{
	char *path = strcmp(agg->name, "_") ? xprintf("%s/agg-%s.csv", o->arg, agg->name)
					    : xprintf("%s/agg.csv", o->arg);

	for (char *p = path + strlen(o->arg) + 1; *p; p++)
		if (!isalnum((u8)*p) && *p != '-' && *p != '.')
			*p = '_';
	return path;
}

/* The file of the table at the end, whose head is made. */
static int table_make(struct out *o, struct csvdir *d, char *path)
{
	struct csv_table *t = &d->v[d->n++];

	t->path = path;
	buf_add(&t->out, t->head.data, t->head.len);
	return outfile_open_at(&t->file, o, d->folder, path);
}

static int csvdir_aggs(struct out *o, struct csvdir *d)
{
	const struct img *img = o->run->img;
	int err = 0;

	for (u32 i = 0; i < img->naggs && !err; i++) {
		const struct img_agg *agg = &img->aggs[i];

		csv_agg_names(&d->v[d->n].head, agg, &agg, 1);
		csv_line(&d->v[d->n].head);
		err = table_make(o, d, agg_path(o, agg));
	}
	return err;
}

/* A clause on several kinds of probes has several sites: they share a table if their columns are
 * the same. */
static int csvdir_site(struct out *o, struct csvdir *d, u32 i)
{
	const struct img_site *site = &o->run->img->sites[i];
	struct csv_table *t = &d->v[d->n];
	u32 same = o->run->img->naggs, before = 0;

	site_names(o, &t->head, site);
	for (; same < d->n; same++) {
		const struct csv_table *old = &d->v[same];

		before += old->clause == site->clause;
		if (old->clause == site->clause && old->head.len == t->head.len &&
		    !memcmp(old->head.data, t->head.data, t->head.len))
			break;
	}
	d->of_site[i] = same + 1;
	if (same < d->n) {
		buf_reset(&t->head);
		return 0;
	}
	t->clause = site->clause;
	return table_make(o, d, before ? xprintf("%s/clause-%u-%u.csv", o->arg, site->clause + 1,
						 before + 1)
				       : xprintf("%s/clause-%u.csv", o->arg, site->clause + 1));
}

static void table_write(struct out *o, struct csv_table *t, size_t from)
{
	if (t->out.len >= from && t->out.len)
		outfile_write(&t->file, o, &t->out);
}

/* ---- rows ---------------------------------------------------------------------------- */

static struct csv_table *table_of(struct out *o, const struct img_agg *agg)
{
	const struct img *img = o->run->img;
	u32 i = 0;

	while (i + 1 < img->naggs && strcmp(img->aggs[i].name, agg->name))
		i++;
	return &((struct csvdir *)o->priv)->v[i];
}

static void csvdir_print(struct out *o, const struct agg_print *p)
{
	struct csvdir *d = o->priv;

	d->csv.now = out_now(o);
	for (u32 r = 0; p->naggs && r < p->nrows; r++) {
		const struct agg_row *row = agg_print_row(p, r);

		for (u32 i = 0; i < p->naggs; i++) {
			struct csv_table *t = table_of(o, p->aggs[i]);

			csv_agg_row(&d->csv, &t->out, p, row, i, 1);
			table_write(o, t, CSV_PIECE);
		}
		csv_done(&d->csv);
	}
}

/* The fields that come before those of this action are empty; NULL: to the end of the row. */
static void csvdir_skip(struct out *o, const struct img_site *site, const struct img_action *to)
{
	struct csvdir *d = o->priv;

	for (; d->next < site->nactions && &site->actions[d->next] != to; d->next++)
		if (action_shows(o, &site->actions[d->next]))
			csv_action(&d->csv, &d->row, &site->actions[d->next], NULL);
}

static void csvdir_begin_row(struct csvdir *d, const struct event *ev)
{
	struct buf *b = &d->row;

	d->next = 0;
	buf_reset(b);
	if (ev->time) {
		csv_num(b, (s64)ev->time, false);
		csv_num(b, ev->tid, false);
	} else {
		buf_putc(b, ',');        /* compiled without them: two empty fields */
	}
	csv_num(b, ev->cpu, false);
	csv_probe(&d->csv, b, ev->probe);
}

static void csvdir_event(struct out *o, const struct event *ev)
{
	struct csvdir *d = o->priv;
	u32 at = d->of_site[ev->site - o->run->img->sites];
	struct csv_table *t = at ? &d->v[at - 1] : NULL;

	if (t && !ev->cont)
		csvdir_begin_row(d, ev);
	for (u32 i = 0; i < ev->nitems; i++) {
		const struct item *it = &ev->items[i];

		if (it->kind == ITEM_AGGS && it->print)
			csvdir_print(o, it->print);
		if (!t || !csv_shows(it->kind, it->act))
			continue;
		csvdir_skip(o, ev->site, it->act);
		csv_action(&d->csv, &d->row, it->act, it);
		d->next++;
	}
	if (!t || ev->more)
		return;
	csvdir_skip(o, ev->site, NULL);
	csv_line(&d->row);
	buf_add(&t->out, d->row.data, d->row.len);
	csv_done(&d->csv);
	table_write(o, t, CSV_PIECE);
}

/* ---- life ---------------------------------------------------------------------------- */

static void csvdir_close(struct out *o)
{
	struct csvdir *d = o->priv;

	for (u32 i = 0; i < d->n; i++) {
		outfile_close(&d->v[i].file, o);
		free(d->v[i].path);
		buf_free(&d->v[i].head);
		buf_free(&d->v[i].out);
	}
	if (d->folder >= 0)
		close(d->folder);
	csv_free(&d->csv);
	buf_free(&d->row);
	free(d->v);
	free(d->of_site);
	free(d);
	o->priv = NULL;
}

static int csvdir_open(struct out *o)
{
	const struct img *img = o->run->img;
	struct csvdir *d;
	int err = 0;

	if (o->run->nhosts)
		return dtx_env_fail(o->env, -EINVAL, "csvdir is not there for a run of several "
				    "hosts: --format csv has a column for the host");
	d = xcalloc(1, sizeof(*d));

	csv_init(&d->csv, o->env);
	d->v = xcalloc(img->naggs + img->nsites + 1, sizeof(*d->v));
	d->of_site = xcalloc(img->nsites + 1, sizeof(*d->of_site));
	o->priv = d;
	d->folder = file_make_folder(o->arg);
	if (d->folder < 0)
		err = dtx_env_fail(o->env, d->folder,
				   "cannot make the folder %s (option csvdir): %s", o->arg,
				   file_why(-d->folder));
	if (!err)
		err = csvdir_aggs(o, d);
	for (u32 i = 0; i < img->nsites && !err; i++)
		if (site_shows(o, &img->sites[i]))
			err = csvdir_site(o, d, i);
	if (err)
		csvdir_close(o);
	return err;
}

static void csvdir_flush(struct out *o)
{
	struct csvdir *d = o->priv;

	for (u32 i = 0; i < d->n; i++)
		table_write(o, &d->v[i], 0);
}

static void csvdir_end(struct out *o, const struct run_end *end)
{
	struct csvdir *d = o->priv;

	csvdir_flush(o);
	if (!o->err && !env_is_quiet(o->env))
		diags_say(&o->env->diags, MESSAGE(DTX_NOTICE, DTX_INFO), "wrote %u table%s to %s",
			  d->n, d->n == 1 ? "" : "s", o->arg);
}

static bool csvdir_takes(const struct out *o, const struct img_agg *agg)
{
	return true;
}

const struct dtx_sink sink_csvdir = {
	.name = "csvdir",
	.doc = "a folder of tables, one in each file",
	.open = csvdir_open,
	.event = csvdir_event,
	.aggs = csvdir_print,
	.takes = csvdir_takes,
	.end = csvdir_end,
	.flush = csvdir_flush,
	.close = csvdir_close,
};
