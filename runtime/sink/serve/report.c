/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report.c - option report: the run as one file, the page of --serve with all it shows.  It needs
 * nothing else: styles and scripts are in it, and the data as JSON, which the page takes in place
 * of what it would ask for.
 */
#include <stdlib.h>
#include <sys/stat.h>

#include "runtime/sink/serve/serve.h"
#include "runtime/sink/stacks/stackset.h"

#define REPORT_PERIOD  1000000000LL      /* ns between samples: heat maps have columns of it */
#define REPORT_LINE    (2u << 20)        /* bytes of a time line that is taken along */
#define REPORT_PAST    (1u << 20)        /* about the bytes, packed, of what is kept by time */

struct report {
	struct feed *feed;
	struct flames *flames;
	struct outfile file;
};

/* ---- all that a page can ask for ---------------------------------------------- */

/* By id of a row: the number of its node. */
static u32 *report_flame(struct report_of *r, u32 agg, struct buf *out)
{
	struct arena *mem = arena_new();
	const struct flame_words w = flame_words(mem, r->run, agg, view_run(r->view)->now, false);
	u32 *leaf = xcalloc(view_ids(r->view, agg) + 1, sizeof(*leaf));
	struct stacktree *t = flames_tree(r->flames, r->view, r->run, &(struct flames_asked){
					  .agg = agg, .whole = true, .leaf = leaf });

	buf_puts(out, ",\"flame\":");
	flame_data(t, &w, out);
	stacktree_free(t);
	arena_free(mem);
	return leaf;
}

static void report_agg(struct report_of *r, u32 agg, struct buf *out)
{
	const struct view_agg *a = view_agg(r->view, agg);
	struct serve_job all = { .agg = agg, .column = UINT32_MAX, .n = a->nrows, .ids = true };
	u32 *leaf = NULL;

	buf_puts(out, "{\"table\":");
	serve_json_rows(r->view, &all, out);
	buf_puts(out, ",\"heat\":");
	serve_json_heat(r->view, &all, out);
	if (stackset_takes(a->def))
		leaf = report_flame(r, agg, out);
	buf_puts(out, ",\"past\":");
	serve_json_past(r->view, agg, leaf, REPORT_PAST / view_naggs(r->view), out);
	buf_putc(out, '}');
	free(leaf);
}

void report_data(struct report_of *r, struct buf *out)
{
	u64 line = 0;

	buf_puts(out, "{\"about\":");
	serve_json_about(r->view, r->run, r->refresh, NULL, out);
	buf_puts(out, ",\"event\":");
	serve_json_event(r->view, &line, out);
	buf_puts(out, ",\"log\":");
	serve_json_log(r->view, VIEW_LINES, out);
	buf_puts(out, ",\"aggs\":[");
	for (u32 i = 0; i < view_naggs(r->view); i++) {
		buf_puts(out, i ? "," : "");
		report_agg(r, i, out);
	}
	buf_puts(out, "]}");
}

/* ---- the file ---------------------------------------------- */

extern const char dtx_serve_html[], dtx_serve_html_end[];

/* In a script, "<" could end it; in JSON it is only in strings. */
static void report_escaped(const struct buf *json, struct buf *out)
{
	const char *at = json->data, *end = at + json->len;

	for (const char *next; (next = memchr(at, '<', end - at)); at = next + 1) {
		buf_add(out, at, next - at);
		buf_puts(out, "\\u003c");
	}
	buf_add(out, at, end - at);
}

/* The page with its styles and scripts in place of the references. */
static void report_page(const char *html, const char *end, struct buf *out)
{
	static const char *const begins[] = { "<link rel=\"stylesheet\" href=\"",
					      "<script src=\"" };

	while (html < end) {
		const char *line = memchr(html, '\n', end - html);
		const struct serve_file *file = NULL;
		u32 kind = 0;

		line = line ? line + 1 : end;
		for (; kind < ARRAY_SIZE(begins); kind++)
			if (!strncmp(html, begins[kind], strlen(begins[kind])))
				break;
		if (kind < ARRAY_SIZE(begins))
			file = serve_file(html + strlen(begins[kind]));
		if (file) {
			buf_puts(out, kind ? "<script>\n" : "<style>\n");
			buf_add(out, file->from, file->to - file->from);
			buf_puts(out, kind ? "</script>\n" : "</style>\n");
		} else {
			buf_add(out, html, line - html);
		}
		html = line;
	}
}

/* The time line, if it is short. */
static void report_line(const char *path, struct buf *out)
{
	struct buf text = { 0 };
	struct stat st;
	char *data;
	size_t len;

	if (!path || stat(path, &st) || !S_ISREG(st.st_mode) || st.st_size > REPORT_LINE ||
	    file_read_named(path, &data, &len))
		return;
	buf_puts(out, "<script type=\"application/json\" id=\"keptline\">");
	buf_add(&text, data, len);
	report_escaped(&text, out);
	buf_puts(out, "</script>\n");
	buf_free(&text);
	free(data);
}

void report_write(struct report_of *r, struct buf *out)
{
	static const char meta[] =
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		"style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n";
	size_t len = dtx_serve_html_end - dtx_serve_html;
	const char *head = memmem(dtx_serve_html, len, "<title>", 7);
	const char *tail = memmem(dtx_serve_html, len, "<script", 7);
	struct buf json = { 0 };

	report_data(r, &json);
	buf_add(out, dtx_serve_html, head - dtx_serve_html);
	buf_puts(out, meta);
	report_page(head, tail, out);
	buf_puts(out, "<script type=\"application/json\" id=\"kept\">");
	report_escaped(&json, out);
	buf_puts(out, "</script>\n");
	report_line(r->line, out);
	report_page(tail, dtx_serve_html_end, out);
	buf_free(&json);
}

/* ---- the sink ---------------------------------------------- */

static int report_open(struct out *o)
{
	struct report *r = o->priv = xcalloc(1, sizeof(*r));
	int err = outfile_open(&r->file, o, o->arg);

	if (err) {
		free(r);
		o->priv = NULL;
		return err;
	}
	r->feed = feed_new(o);
	view_remember(feed_view(r->feed));
	r->flames = flames_new(o->run);
	o->period = REPORT_PERIOD;
	return 0;
}

static void report_event(struct out *o, const struct event *ev)
{
	feed_event(((struct report *)o->priv)->feed, ev);
}

static void report_flush(struct out *o)
{
	feed_flush(((struct report *)o->priv)->feed);
}

static void report_sample(struct out *o, const struct agg_print *p)
{
	view_sample(feed_view(((struct report *)o->priv)->feed), p);
}

/* The rows at the end of a replay, which may have had no samples. */
static void report_aggs(struct out *o, const struct agg_print *p)
{
	if (o->run->replayed)
		report_sample(o, p);
}

static void report_message(struct out *o, const struct dtx_message *m, bool also_said)
{
	struct report *r = o->priv;

	if (r && r->feed)
		view_message(feed_view(r->feed), m);
}

static void report_end(struct out *o, const struct run_end *end)
{
	struct report *r = o->priv;
	struct report_of of = { .view = feed_view(r->feed), .flames = r->flames, .run = o->run,
				.refresh = REPORT_PERIOD, .line = serve_trace_name(o->env) };
	struct buf out = { 0 };

	feed_flush(r->feed);
	view_set_state(of.view, VIEW_ENDED);
	report_write(&of, &out);
	outfile_put(&r->file, o, &out);
	outfile_close(&r->file, o);
	if (!o->err && !env_is_quiet(o->env))
		diags_say(&o->env->diags, MESSAGE(DTX_NOTICE, DTX_INFO),
			  "wrote the report %s, %zu kB: any browser opens it", o->arg,
			  (out.len + 1023) / 1024);
	buf_free(&out);
}

static void report_close(struct out *o)
{
	struct report *r = o->priv;

	if (!r)
		return;
	outfile_close(&r->file, o);
	flames_free(r->flames);
	feed_free(r->feed);
	free(r);
	o->priv = NULL;
}

const struct dtx_sink sink_report = {
	.name = "report",
	.doc = "the run as one file for browsers",
	.open = report_open,
	.event = report_event,
	.aggs = report_aggs,
	.sample = report_sample,
	.message = report_message,
	.end = report_end,
	.flush = report_flush,
	.close = report_close,
};
