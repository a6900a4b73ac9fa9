/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * json.c - NDJSON: one object a line (docs/output.schema.json), written when the text would be.
 *
 *   {"type":"record","time":…,"tid":…,"cpu":0,"probe":"syscall:vmlinux:read:entry","clause":0,
 *    "data":[{"action":"trace","values":{"execname":"bash"}}]}
 *
 * What does not change from record to record is made once: the text of each probe, and of each
 * site with the names of its values.  Records are written to memory that was reserved for all of
 * their parts; only values other than integers and strings ask for more.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/sink/json/json.h"

#define PIECE        524288      /* bytes of the output that are written at once */
#define FRAMES_KEPT  (1u << 20)  /* bytes of frames before their memory is used again */
#define LEADS        256
#define STEP         32          /* bytes that are copied at once */
#define TIME_STEP    100000000   /* ns: the digits before its zeros are kept */
#define TIME_MOST    (2 * STEP + JSON_INT_MOST)  /* bytes of a record up to its time */

/* Can be read and written beyond its end, up to a multiple of STEP. */
struct json_piece {
	const char *p;           /* NULL: not made yet */
	size_t len;
};

struct json_act {
	struct json_piece open;          /* {"action":"trace" */
	struct json_piece open_text;     /* {"action":"printf","text": */
	struct json_piece *keys;         /* ,"values":{"execname": and then ,"pid": … */
	size_t room;                     /* for keys, integers and the end */
};

struct json_site {
	struct json_piece head;          /* ,"clause":0,"data":[ */
	struct json_act *acts;
};

/* What a record has between its time and the first value, kept for as many as come by turns. */
struct json_lead {
	const struct img_site *site;
	const struct dtx_probe *probe;
	const struct img_action *act;    /* the first that is shown; NULL: none */
	u32 tid, cpu;
	bool cont;
	const char *host;
	const struct json_site *made;    /* of the site; NULL: this was not made yet */
	const struct json_act *first;    /* of act */
	struct buf text;         /* ,"tid":1,"cpu":0,"probe":"…","clause":0,"data":[{"action":… */
};

struct json_time {
	u64 from;                /* a multiple of TIME_STEP */
	struct buf text;         /* {"type":"record","time":123456 without its last eight digits */
};

struct json_sink {
	struct json j;
	struct json_lead leads[LEADS];   /* by a hash of what they are made of */
	struct json_time time;           /* of the last record */
	struct buf out, tmp;
	struct arena *arena;     /* the texts made once */
	struct json_site *sites;
	struct json_piece *probes;       /* ,"probe":"syscall:vmlinux:read:entry" */
	u32 nprobes;
};

/* ---- made once ----------------------------------------------------------------------- */

static struct json_piece json_keep(struct json_sink *s, const struct buf *b)
{
	char *p = arena_alloc(s->arena, b->len + STEP);

	memcpy(p, b->data, b->len);
	return (struct json_piece){ p, b->len };
}

static inline char *json_put(char *to, const char *p, size_t len)
{
	for (size_t i = 0; i < len; i += STEP)
		memcpy(to + i, p + i, STEP);
	return to + len;
}

static inline char *json_piece(char *to, const struct json_piece *p)
{
	return json_put(to, p->p, p->len);
}

static struct json_piece json_probe(struct json_sink *s, const struct img *img,
				    const struct dtx_probe *p)
{
	u32 i = img_probe_at(img, p);

	if (i >= s->nprobes) {           /* probes are found while tracing, too */
		u32 n = MAX(i + 1, img->nprobes);

		s->probes = xrealloc(s->probes, n * sizeof(*s->probes));
		memset(s->probes + s->nprobes, 0, (n - s->nprobes) * sizeof(*s->probes));
		s->nprobes = n;
	}
	if (s->probes[i].p)
		return s->probes[i];
	char *name = xprintf(PROBE_NAME, PROBE_PARTS(p));

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
	to->room = STEP;
	for (u32 i = 0; i < act->nfields; i++) {
		char number[16];

		snprintf(number, sizeof(number), "%u", i);
		buf_reset(&s->tmp);
		buf_puts(&s->tmp, i ? "," : ",\"values\":{");
		json_name(&s->tmp, act->fields[i].name ? act->fields[i].name : number);
		to->keys[i] = json_keep(s, &s->tmp);
		to->room += to->keys[i].len + JSON_INT_MOST;
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
static inline void json_write(struct out *o, bool all)
{
	struct json_sink *s = o->priv;

	if (all)
		out_write(o, &s->out);
	else if (!out_write_full(o, &s->out, PIECE))
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
	buf_free(&s->time.text);
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

/* What was written ends before `to`; where more may be written, with room for n bytes. */
static char *json_room(struct buf *b, const char *to, size_t n)
{
	b->len = (size_t)(to - b->data);
	return buf_room(b, n);
}

/* What print() shows, as text: the type has the structure. */
static char *json_object(struct out *o, char *to, const struct item *it)
{
	struct json_sink *s = o->priv;

	buf_reset(&s->tmp);
	buf_add(&s->tmp, "", 0);
	item_object(o->env, it, &s->tmp);
	return json_put_bytes(json_room(&s->out, to, JSON_BYTES_MOST(s->tmp.len)), s->tmp.data,
			      s->tmp.len);
}

/* Leaves room for n bytes, and needs room for an integer. */
static char *json_value(struct json_sink *s, char *to, const struct val *v, size_t n)
{
	if (v->kind == VAL_INT && !v->names)
		return json_put_int(&s->j, to, v);
	if (v->kind == VAL_STR && !v->null) {
		to = json_put_bytes(json_room(&s->out, to, JSON_BYTES_MOST(v->len)), v->p, v->len);
		return json_room(&s->out, to, n);
	}
	json_room(&s->out, to, 0);
	json_val(&s->j, &s->out, v);
	return buf_room(&s->out, n);
}

/* What follows the piece that opens the item; leaves room for STEP bytes. */
static char *json_item(struct out *o, char *to, const struct json_act *act, const struct item *it)
{
	struct json_sink *s = o->priv;
	u32 n = it->act->nfields;

	if (it->kind == ITEM_TEXT)
		to = json_put_bytes(json_room(&s->out, to, JSON_BYTES_MOST(it->len)), it->text,
				    it->len);
	else if (it->kind == ITEM_OBJECT)
		to = json_object(o, to, it);
	to = json_room(&s->out, to, act->room + STEP);
	for (u32 i = 0; i < n; i++) {
		to = json_piece(to, &act->keys[i]);
		to = json_value(s, to, &it->vals[i], act->room + STEP);
	}
	memcpy(to, "}}", 2);
	return to + (n ? 2 : 1);
}

static void json_rows(struct out *o, const struct agg_print *p, const char *when)
{
	struct json_sink *s = o->priv;

	json_agg_head(&s->j, &s->out, p, when, out_now(o));
	for (u32 r = 0; r < p->nrows; r++) {
		const struct agg_row *row = agg_print_row(p, r);

		for (u32 i = 0; i < p->naggs; i++)
			json_agg_row(&s->j, &s->out, p, i, row);
		json_write(o, false);
	}
}

static const struct json_piece *json_opens(const struct json_act *act, const struct item *it)
{
	return it->kind == ITEM_TEXT || it->kind == ITEM_OBJECT ? &act->open_text : &act->open;
}

static const struct json_act *json_act(const struct json_site *site, const struct event *ev,
				       const struct item *it)
{
	return &site->acts[it->act - ev->site->actions];
}

static void json_make_lead(struct json_sink *s, const struct img *img, const struct event *ev,
			   struct json_lead *l)
{
	const struct json_site *site = json_make_site(s, img, ev->site);
	struct json_piece probe = json_probe(s, img, ev->probe);
	const struct item *it = ev->nitems ? &ev->items[0] : NULL;
	const struct json_act *first = it ? json_act(site, ev, it) : NULL;
	struct buf b = l->text;

	buf_reset(&b);
	if (ev->host) {
		buf_puts(&b, ",\"host\":");
		json_str(&b, ev->host);
	}
	if (ev->time && !ev->merged) {
		buf_puts(&b, ",\"tid\":");
		buf_num(&b, ev->tid);
	}
	buf_puts(&b, ev->merged ? ",\"merged\":true" : ",\"cpu\":");
	if (!ev->merged)
		buf_num(&b, ev->cpu);
	buf_add(&b, probe.p, probe.len);
	if (ev->cont)
		buf_puts(&b, ",\"continued\":true");
	buf_add(&b, site->head.p, site->head.len);
	if (first)
		buf_add(&b, json_opens(first, it)->p, json_opens(first, it)->len);
	buf_room(&b, STEP);
	*l = (struct json_lead){ ev->site, ev->probe, it ? it->act : NULL, ev->tid, ev->cpu,
				 ev->cont, ev->host, site, first, b };
}

static const struct json_lead *json_lead(struct json_sink *s, const struct img *img,
					 const struct event *ev)
{
	const struct img_action *act = ev->nitems ? ev->items[0].act : NULL;
	uintptr_t hash = (uintptr_t)ev->probe / 8 * 31 + (uintptr_t)(act ? act : (void *)ev->site);
	struct json_lead *l = &s->leads[(hash / 8 + ev->tid * 7 + ev->cpu) % LEADS];

	if (!l->made || l->site != ev->site || l->probe != ev->probe || l->act != act ||
	    l->tid != ev->tid || l->cpu != ev->cpu || l->cont != ev->cont || l->host != ev->host)
		json_make_lead(s, img, ev, l);
	return l;
}

/* Begins a record.  Most are within the tenth of a second of the one before. */
static char *json_time(struct json_sink *s, char *to, u64 time)
{
	struct json_time *t = &s->time;

	if (time < TIME_STEP || time > JSON_EXACT) {
		to = stpcpy(to, time ? "{\"type\":\"record\",\"time\":" : "{\"type\":\"record\"");
		return time ? json_put_int(&s->j, to, &(struct val){ .u = time }) : to;
	}
	if (time - t->from >= TIME_STEP) {
		t->from = time - time % TIME_STEP;
		buf_reset(&t->text);
		buf_puts(&t->text, "{\"type\":\"record\",\"time\":");
		buf_num(&t->text, time / TIME_STEP);
		buf_room(&t->text, STEP);
	}
	to = json_put(to, t->text.data, t->text.len);
	decimal_eight(time - t->from, to);
	return to + 8;
}

static void json_event(struct out *o, const struct event *ev)
{
	struct json_sink *s = o->priv;
	const struct json_lead *lead = json_lead(s, o->run->img, ev);
	char *to = buf_room(&s->out, TIME_MOST + lead->text.len + STEP);
	bool rows = false;

	to = json_time(s, to, ev->time);
	to = json_put(to, lead->text.data, lead->text.len);
	for (u32 i = 0; i < ev->nitems; i++) {
		const struct item *it = &ev->items[i];
		const struct json_act *act = lead->first;

		if (i) {
			act = json_act(lead->made, ev, it);
			to = json_room(&s->out, to, 1 + act->open_text.len + STEP);
			*to++ = ',';
			to = json_piece(to, json_opens(act, it));
		}
		to = json_item(o, to, act, it);
		rows |= it->kind == ITEM_AGGS;
	}
	memcpy(to, "]}\n", 3);
	buf_end(&s->out, to + 3);
	for (u32 i = 0; rows && i < ev->nitems; i++)
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
	.lines = true,
	.open = json_open,
	.begin = json_started,
	.event = json_event,
	.aggs = json_aggs,
	.message = json_told,
	.end = json_ended,
	.flush = json_flush,
	.close = json_close,
};
