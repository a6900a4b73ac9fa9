/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * text.c - the sink that keeps DTrace's layout, to the column (DTrace guide "Output Formatting",
 * "Aggregations").
 *
 *   CPU     ID                    FUNCTION:NAME
 *     0   4711                       read:entry   bash
 *   %3d    %6d                            %32s \  data of each action, with its own padding
 *
 * Text is collected in one buffer, and written when the buffer is large or at a flush.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <dtx/opt.h>

#include "runtime/sink/sink.h"

#define PIECE       65536        /* bytes of the output that are written at once */
#define KEY_WIDTH   50           /* string and symbol keys, after two blanks */
#define TRACE_WIDTH 33           /* strings of trace() */
#define FLOW_WIDTH  41           /* name column of -F */
#define TIME_WIDTH  12           /* option flowtime: nanoseconds, in front of it */
#define FLOW_DEEP   1024         /* columns: deeper calls are not moved further to the right */
#define LAST_ROWS     40         /* of an aggregation, printed after --live */
#define LAST_PICTURES 5          /* rows that are stacks or histograms */

/* -F: where each CPU of each host is. */
struct flow {
	int indent;
	const struct dtx_probe *probe;   /* of the last record */
	const struct img_site *site;
};

struct text {
	struct buf out;
	struct buf tmp;
	bool headed;             /* the header line was printed */
	bool testing;            /* _DTRACE_TESTING: without the columns CPU and ID */
	struct chart chart;      /* aggpack */
	struct elapsed *elapsed; /* option flowtime, else NULL */
	struct flow *flow;       /* by CPU */
	u32 nflow;
	struct hostlines *lines; /* of several hosts, or NULL */
};

static bool text_opt(const struct out *o, enum opt_id id)
{
	return opt_num(o->env, id) != 0;
}

static int text_indent(const struct out *o)
{
	return (int)opt_num(o->env, OPT_stackindent);
}

/* ---- writing --------------------------------------------------------------------- */

static int text_open(struct out *o)
{
	struct text *t;

	if (o->run->nhosts && text_opt(o, OPT_flowtime))
		return dtx_env_fail(o->env, -EINVAL, "flowtime is not there for a run of several "
				    "hosts: their threads have the same numbers");
	t = xcalloc(1, sizeof(*t));
	t->testing = getenv("_DTRACE_TESTING");
	if (text_opt(o, OPT_flowtime))
		t->elapsed = elapsed_new();
	if (o->run->nhosts && text_opt(o, OPT_hostprefix))
		t->lines = hostlines_new();
	o->priv = t;
	return 0;
}

static void text_flush(struct out *o)
{
	struct text *t = o->priv;

	out_write(o, &t->out);
	out_flush(o);
}

static void text_close(struct out *o)
{
	struct text *t = o->priv;

	hostlines_end(t->lines, &t->out);
	text_flush(o);
	buf_free(&t->out);
	buf_free(&t->tmp);
	hostlines_free(t->lines);
	free(t->flow);
	VEC_FREE(&t->chart);
	elapsed_free(t->elapsed);
	free(t);
	o->priv = NULL;
}

/* ---- dumps --------------------------------------------------------------------- */

static void dump_row(struct buf *b, const u8 *p, u32 at, u32 n)
{
	buf_printf(b, "     %5x:", at);
	for (u32 i = 0; i < 16; i++) {
		if (i < n)
			buf_printf(b, " %02x", p[at + i]);
		else
			buf_puts(b, "   ");
	}
	buf_puts(b, "  ");
	for (u32 i = 0; i < n; i++) {
		u8 c = p[at + i];

		buf_putc(b, c >= 0x20 && c < 0x7f ? (char)c : '.');
	}
	buf_putc(b, '\n');
}

static void text_dump(struct buf *b, const void *data, u32 n)
{
	if (!n)
		return;
	buf_puts(b, "\n           ");
	for (u32 i = 0; i < 16; i++)
		buf_printf(b, "  %x", i);
	buf_puts(b, "  0123456789abcdef\n");
	for (u32 at = 0; at < n; at += 16)
		dump_row(b, data, at, MIN(n - at, 16u));
}

/* ---- values of recording actions ------------------------------------------------ */

static void text_int(const struct out *o, struct buf *b, const struct val *v)
{
	static const int width[9] = { [1] = 3, [2] = 5, [4] = 10, [8] = 19 };
	int w = v->size <= 8 ? width[v->size] : 0;
	bool is_signed = v->is_signed && !v->is_ptr;

	if (text_opt(o, OPT_rawbytes)) {
		text_dump(b, &v->u, MIN(v->size, 8u));
		return;
	}
	if (!is_signed && w == 19)
		w = 20;
	if (text_opt(o, OPT_quiet))
		w = 0;
	else
		buf_putc(b, ' ');
	if (is_signed)
		buf_printf(b, "%*" PRId64, w, (s64)v->u);
	else
		buf_printf(b, "%*" PRIu64, w, v->u);
}

/* Does what others chose stay as it is here? */
static bool text_raw(const struct out *o)
{
	return text_opt(o, OPT_raw);
}

static enum quoting text_quoting(const struct out *o)
{
	return o->terminal && !text_raw(o) ? QUOTE_PLAIN : QUOTE_NONE;
}

/* DTrace dumps what is no text.  Here UTF-8 is text, and what is not seen is shown in other ways;
 * in a key (keep: PLAIN_BYTES) a byte that is no UTF-8 is, too. */
static bool text_is_text(const struct out *o, const char *p, size_t len, unsigned keep)
{
	return !text_opt(o, OPT_rawbytes) &&
	       (text_raw(o) || text_is_plain(p, len, keep | PLAIN_SPACE | PLAIN_UNSEEN));
}

/* All that a string has room for; what is after its text is zero. */
static void text_str_dump(const struct out *o, struct buf *b, const struct val *v)
{
	size_t size = MAX((size_t)opt_num(o->env, OPT_strsize), (size_t)v->len + 1);
	char *bytes = xcalloc(1, size);

	memcpy(bytes, v->p, v->len);
	text_dump(b, bytes, size);
	free(bytes);
}

static void text_str(const struct out *o, struct buf *b, const struct val *v)
{
	bool quiet = text_opt(o, OPT_quiet);
	size_t from;

	if (!text_is_text(o, v->p, v->len, 0)) {
		text_str_dump(o, b, v);
		return;
	}
	if (!quiet)
		buf_puts(b, "  ");
	from = b->len;
	if (text_quoting(o) == QUOTE_PLAIN)
		buf_plain(b, v->p, v->len, 0);
	else
		buf_add(b, v->p, v->len);
	if (!quiet)
		buf_pad(b, ' ', TRACE_WIDTH - (int)MIN(b->len - from, (size_t)TRACE_WIDTH));
}

/* Two blanks and a column of KEY_WIDTH: symbols, string keys.  A row is a line. */
static void text_column(const struct out *o, struct buf *b, const char *text, size_t len)
{
	size_t from;

	buf_puts(b, "  ");
	from = b->len;
	if (text_raw(o))
		buf_add(b, text, len);
	else
		buf_plain(b, text, len, 0);
	buf_pad(b, ' ', KEY_WIDTH - (int)MIN(b->len - from, (size_t)KEY_WIDTH));
}

static void text_sym(const struct out *o, struct buf *b, const struct val *v)
{
	struct text *t = o->priv;

	buf_reset(&t->tmp);
	buf_add(&t->tmp, "", 0);
	sym_val(o->env, v, &t->tmp);
	text_column(o, b, t->tmp.data, t->tmp.len);
}

/* Where a value is written. */
struct text_to {
	const struct out *o;
	struct buf *b;
};

static void text_visit_int(void *arg, const struct val *v)
{
	struct text_to *to = arg;

	text_int(to->o, to->b, v);
}

static void text_visit_str(void *arg, const struct val *v)
{
	struct text_to *to = arg;

	text_str(to->o, to->b, v);
}

static void text_visit_bytes(void *arg, const struct val *v)
{
	text_dump(((struct text_to *)arg)->b, v->p, v->len);
}

static void text_visit_stack(void *arg, const struct val *v)
{
	struct text_to *to = arg;

	sym_stack(to->o->env, v, text_indent(to->o), to->b);
}

static void text_visit_sym(void *arg, const struct val *v)
{
	struct text_to *to = arg;

	text_sym(to->o, to->b, v);
}

static void text_val(const struct out *o, struct buf *b, const struct val *v)
{
	static const struct val_visitor visitor = {
		text_visit_int, text_visit_str, text_visit_bytes, text_visit_stack, text_visit_sym
	};

	val_visit(v, &visitor, &(struct text_to){ o, b });
}

/* ---- aggregations ------------------------------------------------------------- */

void text_key_int(struct buf *b, const struct val *v)
{
	static const int width[9] = { [1] = 3, [2] = 5, [4] = 8 };
	int w = v->size < ARRAY_SIZE(width) && width[v->size] ? width[v->size] : 16;
	char address[24];

	buf_putc(b, ' ');
	if (v->is_ptr) {
		snprintf(address, sizeof(address), "0x%" PRIx64, v->u);
		buf_printf(b, "%16s", address);
	} else if (v->is_signed) {
		buf_printf(b, "%*" PRId64, w, (s64)v->u);
	} else {
		buf_printf(b, "%*" PRIu64, w, v->u);
	}
}

static void text_key_bytes(const struct out *o, struct buf *b, const struct val *v)
{
	u32 len = v->kind == VAL_STR ? v->len : strnlen(v->p, v->len);

	if (v->kind == VAL_BYTES) {
		/* It is text if only zeros follow the first NUL. */
		for (u32 i = len; i < v->len; i++)
			if (v->p[i]) {
				text_dump(b, v->p, v->len);
				return;
			}
	}
	if (text_is_text(o, v->p, len, PLAIN_BYTES))
		text_column(o, b, v->p, len);
	else
		text_dump(b, v->p, v->size);
}

static void text_visit_key_int(void *arg, const struct val *v)
{
	text_key_int(((struct text_to *)arg)->b, v);
}

static void text_visit_key_bytes(void *arg, const struct val *v)
{
	struct text_to *to = arg;

	text_key_bytes(to->o, to->b, v);
}

static void text_key(const struct out *o, struct buf *b, const struct val *v)
{
	static const struct val_visitor visitor = {
		text_visit_key_int, text_visit_key_bytes, text_visit_key_bytes, text_visit_stack,
		text_visit_sym
	};

	val_visit(v, &visitor, &(struct text_to){ o, b });
}

static void text_agg_value(const struct out *o, struct buf *b, const struct agg_print *p, u32 i,
			   const struct agg_row *row)
{
	agg_text(o->env, p, row, i, AGG_ALL_CPUS, b);
	for (u32 c = 0; row[i].percpu && c < p->ncpus; c++) {
		buf_printf(b, "\n    [CPU %u]", c);
		if (agg_cpu_has(p, row, i, c))
			agg_text(o->env, p, row, i, c, b);
		else
			buf_puts(b, "         no value");
	}
}

static void text_agg_part(struct out *o, struct buf *b, const struct agg_print *p, u32 from, u32 to)
{
	for (u32 r = from; r < to; r++) {
		const struct agg_row *row = agg_print_row(p, r);

		for (u32 k = 0; k < p->aggs[0]->nkeys; k++)
			text_key(o, b, &row->keys[k]);
		for (u32 i = 0; i < p->naggs; i++)
			text_agg_value(o, b, p, i, row);
		buf_putc(b, '\n');
		if (b == &((struct text *)o->priv)->out)
			out_write_full(o, b, PIECE);
	}
}

static void text_agg_rows(struct out *o, struct buf *b, const struct agg_print *p)
{
	if (!chart_rows(o, p, &((struct text *)o->priv)->chart, b))
		text_agg_part(o, b, p, 0, p->nrows);
}

static void text_printa(struct out *o, struct buf *b, const struct item *it)
{
	const struct agg_print *p = it->print;

	if (!p)
		return;
	if (!it->act->has_format) {
		buf_putc(b, '\n');
		text_agg_rows(o, b, p);
		return;
	}
	for (u32 r = 0; r < p->nrows; r++) {
		const struct agg_row *row = agg_print_row(p, r);

		printf_run(o->env, &(struct format){ .convs = it->act->convs,
						     .nconvs = it->act->nconvs,
						     .vals = row->keys,
						     .nvals = p->aggs[0]->nkeys,
						     .print = p, .row = row,
						     .quoting = text_quoting(o) }, b);
	}
}

/* On the terminal that --live had, the end is what a person can read. */
static u32 text_most(const struct out *o, const struct agg_print *p)
{
	const struct img_agg *agg = p->aggs[0];

	if (!o->terminal || !o->env->divert)
		return UINT32_MAX;
	for (u32 k = 0; k < agg->nkeys; k++)
		if (agg->keys[k].type == IMG_STACK)
			return LAST_PICTURES;
	return agg_kind(agg) == AGG_HISTOGRAM ? LAST_PICTURES : LAST_ROWS;
}

static void text_aggs_last(struct out *o, const struct agg_print *p)
{
	struct text *t = o->priv;
	u32 most = text_most(o, p);
	bool reverse = text_opt(o, OPT_aggsortrev);
	const char *name = p->aggs[0]->name;

	buf_printf(&t->out, "  (@%s has %u rows, of which the %s %u are here; -o FILE has all)\n",
		   strcmp(name, "_") ? name : "", p->nrows, reverse ? "first" : "last", most);
	text_agg_part(o, &t->out, p, reverse ? 0 : p->nrows - most,
		      reverse ? most : p->nrows);
}

static void text_aggs(struct out *o, const struct agg_print *p)
{
	struct text *t = o->priv;

	hostlines_end(t->lines, &t->out);
	if (!p->naggs)
		buf_putc(&t->out, '\n');
	else if (p->nrows > text_most(o, p))
		text_aggs_last(o, p);
	else
		text_agg_rows(o, &t->out, p);
}

/* ---- items ----------------------------------------------------------------------- */

/* Symbols of numbers ('a', 'A') are known only where the program ran. */
static bool text_can_format(const struct out *o, const struct img_action *act)
{
	if (!action_has(act, ACTF_FORMAT))
		return false;
	for (u32 i = 0; o->run->remote && i < act->nconvs; i++)
		if (act->convs[i].conv && strchr("aA", act->convs[i].conv[0]))
			return false;
	return true;
}

/* What printf() printed; on a terminal the values are printed anew, each in its place. */
static void text_text(struct out *o, struct buf *b, const struct item *it)
{
	if (text_quoting(o) == QUOTE_NONE)
		buf_add(b, it->text, it->len);
	else if (text_can_format(o, it->act))
		printf_run(o->env, &(struct format){ .convs = it->act->convs,
						     .nconvs = it->act->nconvs,
						     .vals = it->vals, .nvals = it->act->nfields,
						     .quoting = QUOTE_PLAIN }, b);
	else
		buf_plain(b, it->text, it->len, PLAIN_LINES);
}

static void text_item(struct out *o, struct buf *b, const struct item *it)
{
	switch (it->kind) {
	case ITEM_VALUES:
		for (u32 i = 0; i < it->act->nfields; i++)
			text_val(o, b, &it->vals[i]);
		break;
	case ITEM_TEXT:
		text_text(o, b, it);
		break;
	case ITEM_AGGS:
		text_printa(o, b, it);
		break;
	case ITEM_DUMP:
		if (it->act->nfields)
			text_dump(b, it->vals[0].p, it->vals[0].len);
		break;
	case ITEM_OBJECT:
		item_object(o->env, it, b);
		break;
	case ITEM_NONE:
		break;
	}
}

/* ---- columns and flow ------------------------------------------------------ */

static struct flow *text_flow(struct text *t, const struct event *ev)
{
	u32 cpu = (ev->cpu < DTX_MAX_CPUS ? ev->cpu : 0) + ev->host_number * DTX_MAX_CPUS;

	if (cpu >= t->nflow) {
		t->flow = xrealloc(t->flow, (cpu + 1) * sizeof(*t->flow));
		memset(t->flow + t->nflow, 0, (cpu + 1 - t->nflow) * sizeof(*t->flow));
		t->nflow = cpu + 1;
	}
	return &t->flow[cpu];
}

/* "entry" or "...-entry", but not "carpentry". */
static bool name_ends(const char *name, const char *word)
{
	size_t n = strlen(name), w = strlen(word);

	return n >= w && !strcmp(name + n - w, word) && (n == w || name[n - w - 1] == '-');
}

/* The column of option flowtime: the time of the call that returns; blank in other lines. */
static void text_flow_time(struct text *t, const struct event *ev, bool entry, bool ret)
{
	s64 ns = ret ? elapsed_return(t->elapsed, ev) : -1;

	if (entry)
		elapsed_entry(t->elapsed, ev);
	if (ns >= 0)
		buf_printf(&t->out, "%*" PRId64 " ", TIME_WIDTH, ns);
	else
		buf_pad(&t->out, ' ', TIME_WIDTH + 1);
}

static void text_flow_column(struct text *t, const struct event *ev)
{
	const struct dtx_probe *p = ev->probe;
	struct flow *f = text_flow(t, ev);
	bool syscall = !strcmp(p->prov, "syscall");
	bool entry = name_ends(p->name, "entry"), ret = name_ends(p->name, "return");

	/* A later clause of the same firing is not another entry. */
	if (f->probe == p && ev->site > f->site)
		entry = false;

	if (ret)
		f->indent = MAX(f->indent - 2, 0);
	buf_reset(&t->tmp);
	buf_pad(&t->tmp, ' ', MIN(f->indent, FLOW_DEEP));
	if (entry || ret)
		buf_printf(&t->tmp, "%s%s", entry ? syscall ? " => " : " -> " :
			   syscall ? " <= " : " <- ", p->func);
	else
		buf_printf(&t->tmp, "| %s:%s", p->func, p->name);
	if (entry)
		f->indent += 2;
	f->probe = p;
	f->site = ev->site;
	if (!t->testing)
		buf_printf(&t->out, "%3u ", ev->cpu);
	if (t->elapsed)
		text_flow_time(t, ev, entry, ret);
	buf_printf(&t->out, "%-*s ", FLOW_WIDTH, t->tmp.data);
}

/* Where a CPU is after records were lost is not known: the returns may be among them. */
static void text_message(struct out *o, const struct dtx_message *m, bool also_said)
{
	struct text *t = o->priv;

	if (m->kind == DTX_LOSS && m->cpu >= 0 && (u32)m->cpu < t->nflow && !m->host)
		t->flow[m->cpu].indent = 0;
}

static void text_probe_column(struct text *t, const struct event *ev)
{
	const struct dtx_probe *p = ev->probe;
	size_t func = strlen(p->func), name = strlen(p->name);

	if (!t->testing && ev->merged)
		buf_puts(&t->out, "  -      - ");
	else if (!t->testing)
		buf_printf(&t->out, "%3u %6u ", ev->cpu, p->id);
	buf_pad(&t->out, ' ', 32 - (int)(func + 1 + name));
	buf_add(&t->out, p->func, func);
	buf_putc(&t->out, ':');
	buf_add(&t->out, p->name, name);
	buf_putc(&t->out, ' ');
}

static void text_head(const struct out *o, struct text *t)
{
	if (t->headed)
		return;
	t->headed = true;
	if (text_opt(o, OPT_flowindent))
		buf_printf(&t->out, "%s%s%-*s\n", t->testing ? "" : "CPU ",
			   t->elapsed ? "          NS " : "", FLOW_WIDTH, "FUNCTION");
	else if (!text_opt(o, OPT_quiet))
		buf_printf(&t->out, "%s%32s\n", t->testing ? "" : "CPU     ID ", "FUNCTION:NAME");
}

static void text_event(struct out *o, const struct event *ev)
{
	struct text *t = o->priv;
	size_t from;

	if (!ev->cont)
		text_head(o, t);
	from = t->out.len;
	if (!ev->cont) {
		if (text_opt(o, OPT_flowindent) && !ev->merged)
			text_flow_column(t, ev);
		else if (!text_opt(o, OPT_quiet))
			text_probe_column(t, ev);
	}
	for (u32 i = 0; i < ev->nitems; i++)
		text_item(o, &t->out, &ev->items[i]);
	if (!ev->more && !text_opt(o, OPT_quiet))
		buf_putc(&t->out, '\n');
	if (t->lines && ev->host)
		hostlines_put(t->lines, ev, &t->out, from);
	out_write_full(o, &t->out, PIECE);
}

const struct dtx_sink sink_text = {
	.name = "text",
	.doc = "DTrace's layout: header, probe columns, tables",
	.open = text_open,
	.event = text_event,
	.aggs = text_aggs,
	.message = text_message,
	.flush = text_flush,
	.close = text_close,
};
