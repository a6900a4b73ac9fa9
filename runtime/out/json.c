/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * json.c - NDJSON: one object a line (docs/output.schema.json), written when the text would be.
 *
 *   {"type":"record","time":…,"tid":…,"cpu":0,"probe":"syscall:vmlinux:read:entry","clause":0,
 *    "data":[{"action":"trace","values":{"execname":"bash"}}]}
 *
 * What does not change from record to record is made once: the text of each probe, and of each
 * site with the names of its values.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/out/json.h"

#define PIECE        262144      /* bytes of the output that are written at once */
#define FRAMES_KEPT  (1u << 20)  /* bytes of frames before their memory is used again */
#define LEADS        256

struct json_piece {
	const char *p;           /* NULL: not made yet */
	size_t len;
};

struct json_act {
	struct json_piece open;          /* {"action":"printf" */
	struct json_piece open_text;     /* {"action":"printf","text": */
	struct json_piece *keys;         /* ,"values":{"execname": and then ,"pid": … */
};

struct json_site {
	struct json_piece head;          /* ,"clause":0,"data":[ */
	struct json_act *acts;
};

/* What a record has between its time and its data, kept for as many as come by turns. */
struct json_lead {
	u32 site, probe, tid, cpu;
	struct buf text;         /* ,"tid":1,"cpu":0,"probe":"…","clause":0,"data":[ */
};

struct json_sink {
	struct json j;
	struct json_lead leads[LEADS];   /* by a hash of the four numbers */
	struct buf out, tmp;
	struct arena *arena;     /* the texts made once */
	struct json_site *sites;
	struct json_piece *probes;       /* ,"probe":"syscall:vmlinux:read:entry" */
	u32 nprobes;
};

/* ---- made once ----------------------------------------------------------------------- */

static struct json_piece json_keep(struct json_sink *s, const struct buf *b)
{
	return (struct json_piece){ arena_memdup(s->arena, b->data, b->len), b->len };
}

static void json_put(struct buf *b, struct json_piece p)
{
	buf_add(b, p.p, p.len);
}

static struct json_piece json_probe(struct json_sink *s, const struct img *img,
				    const struct dtx_probe *p)
{
	u32 i = p - img->probes;

	if (i >= s->nprobes) {           /* probes are found while tracing, too */
		u32 n = MAX(i + 1, img->nprobes);

		s->probes = xrealloc(s->probes, n * sizeof(*s->probes));
		memset(s->probes + s->nprobes, 0, (n - s->nprobes) * sizeof(*s->probes));
		s->nprobes = n;
	}
	if (s->probes[i].p)
		return s->probes[i];
	char *name = xprintf("%s:%s:%s:%s", p->prov, p->mod, p->func, p->name);

	buf_reset(&s->tmp);
	buf_puts(&s->tmp, ",\"probe\":");
	json_str(&s->tmp, name);
	free(name);
	return s->probes[i] = json_keep(s, &s->tmp);
}

static void json_make_act(struct json_sink *s, const struct img_action *act, struct json_act *to)
{
	to->keys = ARENA_ARRAY(s->arena, struct json_piece, act->nfields + 1);
	buf_reset(&s->tmp);
	buf_puts(&s->tmp, "{\"action\":");
	json_str(&s->tmp, act->name);
	to->open = json_keep(s, &s->tmp);
	buf_puts(&s->tmp, ",\"text\":");
	to->open_text = json_keep(s, &s->tmp);
	for (u32 i = 0; i < act->nfields; i++) {
		char number[16];

		snprintf(number, sizeof(number), "%u", i);
		buf_reset(&s->tmp);
		buf_puts(&s->tmp, i ? "," : ",\"values\":{");
		json_name(&s->tmp, act->fields[i].name ? act->fields[i].name : number);
		to->keys[i] = json_keep(s, &s->tmp);
	}
}

/* Is there another site of the same clause? */
static bool json_same_clause(const struct img *img, const struct img_site *site)
{
	for (u32 i = 0; i < img->nsites; i++)
		if (&img->sites[i] != site && img->sites[i].clause == site->clause)
			return true;
	return false;
}

static const struct json_site *json_make_site(struct json_sink *s, const struct img *img,
					      const struct img_site *site)
{
	struct json_site *to = &s->sites[site - img->sites];

	if (to->head.p)
		return to;
	to->acts = ARENA_ARRAY(s->arena, struct json_act, site->nactions + 1);
	for (u32 i = 0; i < site->nactions; i++)
		json_make_act(s, &site->actions[i], &to->acts[i]);
	buf_reset(&s->tmp);
	buf_printf(&s->tmp, ",\"clause\":%u", site->clause);
	if (json_same_clause(img, site))
		buf_printf(&s->tmp, ",\"site\":%u", (u32)(site - img->sites));
	buf_puts(&s->tmp, ",\"data\":[");
	to->head = json_keep(s, &s->tmp);
	return to;
}

/* ---- writing ------------------------------------------------------------------------- */

static int json_open(struct out *o)
{
	struct json_sink *s = xcalloc(1, sizeof(*s));

	json_init(&s->j, o->env);
	s->arena = arena_new();
	s->sites = xcalloc(o->run->img->nsites + 1, sizeof(*s->sites));
	o->priv = s;
	return 0;
}

/* Of what was collected, the pieces that are full; `all`: all of it. */
static void json_write(struct out *o, bool all)
{
	struct json_sink *s = o->priv;

	if (all)
		out_write(o, &s->out);
	else if (out_full(o, &s->out, PIECE))
		out_write_pieces(o, &s->out, PIECE);
	else
		return;
	if (arena_size(s->j.arena) > FRAMES_KEPT)
		arena_clear(s->j.arena);
}

static void json_flush(struct out *o)
{
	json_write(o, true);
	out_flush(o);
}

static void json_close(struct out *o)
{
	struct json_sink *s = o->priv;

	json_flush(o);
	for (u32 i = 0; i < LEADS; i++)
		buf_free(&s->leads[i].text);
	buf_free(&s->out);
	buf_free(&s->tmp);
	json_free(&s->j);
	arena_free(s->arena);
	free(s->sites);
	free(s->probes);
	free(s);
	o->priv = NULL;
}

/* ---- records ------------------------------------------------------------------------- */

/* What print() shows, as text: the type has the structure. */
static void json_object(struct out *o, struct buf *b, const struct item *it)
{
	struct json_sink *s = o->priv;

	buf_reset(&s->tmp);
	buf_add(&s->tmp, "", 0);
	item_object(o->env, it, &s->tmp);
	json_bytes(b, s->tmp.data, s->tmp.len);
}

static void json_item(struct out *o, const struct json_act *act, const struct item *it)
{
	struct json_sink *s = o->priv;
	struct buf *b = &s->out;

	if (it->kind == ITEM_TEXT || it->kind == ITEM_OBJECT)
		json_put(b, act->open_text);
	else
		json_put(b, act->open);
	if (it->kind == ITEM_TEXT)
		json_bytes(b, it->text, it->len);
	else if (it->kind == ITEM_OBJECT)
		json_object(o, b, it);
	for (u32 i = 0; i < it->act->nfields; i++) {
		json_put(b, act->keys[i]);
		json_val(&s->j, b, &it->vals[i]);
	}
	buf_puts(b, it->act->nfields ? "}}" : "}");
}

static void json_rows(struct out *o, const struct agg_print *p, const char *when)
{
	struct json_sink *s = o->priv;

	json_agg_head(&s->j, &s->out, p, when);
	for (u32 r = 0; r < p->nrows; r++) {
		const struct agg_row *row = agg_print_row(p, r);

		for (u32 i = 0; i < p->naggs; i++)
			json_agg_row(&s->j, &s->out, p, i, row);
		json_write(o, false);
	}
}

static void json_make_lead(struct json_sink *s, const struct img *img, const struct event *ev,
			   const struct json_site *site, struct buf *b)
{
	struct json_piece probe = json_probe(s, img, ev->probe);

	buf_reset(b);
	if (ev->time) {
		buf_puts(b, ",\"tid\":");
		buf_num(b, ev->tid);
	}
	buf_puts(b, ",\"cpu\":");
	buf_num(b, ev->cpu);
	json_put(b, probe);
	if (ev->cont)
		buf_puts(b, ",\"continued\":true");
	json_put(b, site->head);
}

static void json_lead(struct json_sink *s, const struct img *img, const struct event *ev,
		      const struct json_site *site)
{
	u32 at = ev->site - img->sites, probe = ev->probe - img->probes;
	u32 hash = (at * 31 + probe) * 31 + ev->tid * 7 + ev->cpu;
	struct json_lead *l = &s->leads[hash % LEADS];
	bool same = l->text.len && l->site == at && l->probe == probe && l->tid == ev->tid &&
		    l->cpu == ev->cpu;

	if (!same || ev->cont) {
		json_make_lead(s, img, ev, site, &l->text);
		*l = (struct json_lead){ at, probe, ev->tid, ev->cpu, l->text };
	}
	buf_add(&s->out, l->text.data, l->text.len);
	if (ev->cont)
		buf_reset(&l->text);     /* the next one is a record of its own */
}

static void json_event(struct out *o, const struct event *ev)
{
	struct json_sink *s = o->priv;
	const struct img *img = o->run->img;
	const struct json_site *site = json_make_site(s, img, ev->site);
	struct buf *b = &s->out;

	buf_puts(b, ev->time ? "{\"type\":\"record\",\"time\":" : "{\"type\":\"record\"");
	if (ev->time)
		json_uint(&s->j, b, ev->time);
	json_lead(s, img, ev, site);
	for (u32 i = 0; i < ev->nitems; i++) {
		if (i)
			buf_putc(b, ',');
		json_item(o, &site->acts[ev->items[i].act - ev->site->actions], &ev->items[i]);
	}
	buf_puts(b, "]}\n");
	for (u32 i = 0; i < ev->nitems; i++)
		if (ev->items[i].kind == ITEM_AGGS && ev->items[i].print &&
		    ev->items[i].print->naggs)
			json_rows(o, ev->items[i].print, "printa");
	json_write(o, false);
}

/* ---- the rest ------------------------------------------------------------------------ */

static void json_aggs(struct out *o, const struct agg_print *p)
{
	if (p->naggs)
		json_rows(o, p, "end");
}

static void json_started(struct out *o)
{
	struct json_sink *s = o->priv;

	json_begin(&s->j, &s->out, o->run);
}

static void json_told(struct out *o, const struct dtx_message *m, bool also_said)
{
	struct json_sink *s = o->priv;

	json_message(&s->j, &s->out, m);
}

static void json_ended(struct out *o, const struct run_end *end)
{
	struct json_sink *s = o->priv;

	json_end(&s->j, &s->out, end);
}

const struct dtx_sink sink_json = {
	.name = "json",
	.doc = "NDJSON: one object a line",
	.open = json_open,
	.begin = json_started,
	.event = json_event,
	.aggs = json_aggs,
	.message = json_told,
	.end = json_ended,
	.flush = json_flush,
	.close = json_close,
};
