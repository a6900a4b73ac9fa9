/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * serve.c - option serve: the run as a page and as metrics.  This is the thread that traces: it
 * keeps the view, and answers what the thread of HTTP asks for (serve.h).
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dtx/opt.h>

#include "runtime/sink/json/json.h"
#include "runtime/sink/serve/serve.h"
#include "runtime/sink/stacks/stackset.h"

#define SERVE_LOG_FIRST   2000   /* lines of the log for a page that is opened */
#define SERVE_BACKLOG     32     /* connections that wait to be accepted */
#define SERVE_LOOKS       10000000000LL  /* ns that who has asked may look at the answer */

struct serve {
	struct feed *feed;
	struct serve_http *http;
	struct metrics *metrics;
	struct flames *flames;
	struct serve_address address;
	char token[SERVE_TOKEN];
	char *metrics_token;     /* of option metricstoken, or NULL */
	bool bound;              /* the path of a local socket is its own */
	int socket, wake;        /* the socket is the library's after it has started */
	int trace;               /* the file of option trace, or -1 */
	bool started;
	s64 refresh;             /* ns */
	u64 line;                /* of the log, that the next event begins with */
	u32 sampled;             /* aggregations of this sample */
	struct serve_job *scrapes, *scraping;    /* wait for a sample; are made of this one */
	struct serve_job *stale; /* wait for a sample, as nobody has read the view for a while */
	s64 looked;              /* when somebody asked for a part of the view */
	struct buf *rows;        /* by aggregation, its last rows as JSON; NULL before the end */
	struct buf last[METRIC_FORMS];   /* the metrics at the end */
	bool linger;             /* it stays after the run: option linger */
	bool ending;             /* the next sample is the last one */
	bool over;               /* the run has ended: there are no more samples */
};

/* ---- begin ---------------------------------------------- */

/* A socket of a run that was killed: nobody accepts there any more. */
static void serve_left_over(const struct serve_address *a)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct stat st;

	if (fd >= 0 && !lstat(a->host, &st) && S_ISSOCK(st.st_mode) && st.st_uid == geteuid() &&
	    connect(fd, (const void *)&a->sock, a->len) && errno == ECONNREFUSED)
		unlink(a->host);
	if (fd >= 0)
		close(fd);
}

static int serve_listen(struct out *o, struct serve *s)
{
	const struct sockaddr *to = (const void *)&s->address.sock;
	mode_t mask = umask(0177);       /* a local socket is for this user */
	int on = 1, fd = socket(to->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd >= 0)
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (s->address.local)
		serve_left_over(&s->address);
	bool bad = fd < 0 || bind(fd, to, s->address.len) || listen(fd, SERVE_BACKLOG);
	int err = -errno;

	umask(mask);
	if (bad) {
		if (fd >= 0)
			close(fd);
		if (s->address.local)
			return dtx_env_fail(o->env, err, "cannot serve on the socket %s: %s",
					    s->address.host, strerror(-err));
		return dtx_env_fail(o->env, err, "cannot serve on %s port %u: %s%s",
				    s->address.host, s->address.port, strerror(-err),
				    err == -EADDRINUSE ? "; choose another port" : "");
	}
	s->socket = fd;
	s->bound = s->address.local;
	if (!s->bound && !getsockname(fd, (struct sockaddr *)&s->address.sock, &s->address.len))
		s->address.port = ntohs(s->address.sock.in.sin_port);    /* both families have it
									   * there */
	return 0;
}

static void serve_say(struct out *o, const struct serve *s)
{
	bool six = strchr(s->address.host, ':');

	if (s->address.local) {
		diags_say(&o->env->diags, MESSAGE(DTX_NOTICE, DTX_INFO), "serving on the socket %s",
			  s->address.host);
		return;
	}
	diags_say(&o->env->diags, MESSAGE(DTX_NOTICE, DTX_INFO),
		  "serving http://%s%s%s:%u/?token=%s",
		  six ? "[" : "", s->address.host, six ? "]" : "", s->address.port, s->token);
}

/* Its sink is open already (sinks.def).  What is no file cannot be read again. */
static int serve_open_trace(const char *path)
{
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	struct stat st;

	if (fd < 0 || (!fstat(fd, &st) && S_ISREG(st.st_mode)))
		return fd;
	close(fd);
	return -1;
}

const char *serve_trace_name(struct dtx_env *env)
{
	return opt_text(env, OPT_trace);
}

static int serve_begin(struct out *o, struct serve *s)
{
	const char *bad = serve_address(o->arg, &s->address);
	int err;

	s->socket = s->wake = s->trace = -1;
	if (bad)
		return dtx_env_fail(o->env, -EINVAL, "option serve: '%s': %s", o->arg, bad);
	s->http = serve_http_new(o->env);
	if (!s->http)
		return -ENOENT;
	err = serve_listen(o, s);
	if (!err)
		err = serve_token(o, s->token);
	if (!err)
		err = serve_metrics_token(o, &s->metrics_token);
	if (err)
		return err;
	s->wake = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);        /* 1: ready() is called at once */
	s->feed = feed_new(o);
	view_remember(feed_view(s->feed));
	s->metrics = metrics_new(o->run);
	s->flames = flames_new(o->run);
	s->trace = serve_open_trace(opt_text(o->env, OPT_trace));
	if (o->run->replayed)
		s->rows = xcalloc(o->run->img->naggs + 1, sizeof(*s->rows));
	s->refresh = opt_num(o->env, OPT_refresh);
	s->linger = opt_num(o->env, OPT_linger);
	o->period = s->refresh;
	o->fd = s->wake;
	serve_say(o, s);
	return 0;
}

/* The thread begins when rights were dropped: it inherits those of this one. */
static void serve_start(struct out *o)
{
	struct serve *s = o->priv;

	if (s->started)
		return;
	s->started = true;
	const struct serve_tokens tokens = { s->token, s->metrics_token };
	int err = serve_http_start(s->http, &s->address, &tokens, s->socket, s->wake, s->trace);
	if (err)
		o->err = -err;
	else
		s->socket = -1;
}

/* ---- answers ---------------------------------------------- */

static void serve_programs(const struct run_info *run, struct buf *out)
{
	for (u32 i = 0; i < run->nprograms; i++) {
		buf_puts(out, run->programs[i]);
		buf_puts(out, out->len && out->data[out->len - 1] != '\n' ? "\n" : "");
	}
}

static void serve_answer_flame(struct out *o, struct serve_job *j)
{
	struct serve *s = o->priv;
	struct arena *a = arena_new();
	struct flame_words w = flame_words(a, o->run, j->agg, out_now(o), false);
	const struct flames_asked asked = { .agg = j->agg, .from = j->from, .to = j->to,
					    .later = &w.later };
	struct stacktree *t = flames_tree(s->flames, feed_view(s->feed), o->run, &asked);

	flame_data(t, &w, &j->body);
	stacktree_free(t);
	arena_free(a);
}

static const struct serve_format {
	const char *name, *type, *file;
} stack_formats[] = {
	{ "folded", "text/plain; charset=utf-8", "dtx.folded" },
	{ "pprof", "application/octet-stream", "dtx.pb.gz" },
	{ "svg", "image/svg+xml", "dtx.svg" },
};

static void serve_write_stacks(struct out *o, struct serve_job *j, const struct stackset *set)
{
	struct arena *a = arena_new();
	const struct flame_words w = flame_words(a, o->run, j->agg, out_now(o), false);
	struct stacktree *t = stacktree_new();

	stacktree_add_set(t, set, NULL);
	stacktree_finish(t);
	if (!strcmp(j->format, "pprof"))
		pprof_write(set, o->run, out_now(o), &j->body);
	else if (!strcmp(j->format, "svg"))
		flame_write(t, &w, &j->body);
	else
		folded_write(t, &j->body);
	stacktree_free(t);
	arena_free(a);
}

static void serve_answer_stacks(struct out *o, struct serve_job *j)
{
	const struct serve_format *f = NULL;

	for (u32 i = 0; i < ARRAY_SIZE(stack_formats); i++)
		if (!strcmp(stack_formats[i].name, j->format) || (!i && !*j->format))
			f = &stack_formats[i];
	if (!f) {
		j->status = 400;
		j->type = "text/plain; charset=utf-8";
		buf_puts(&j->body, "there is no such format of stacks: it is folded, pprof or "
				   "svg\n");
		return;
	}
	struct stackset *set = flames_rows(feed_view(((struct serve *)o->priv)->feed), o->run,
					   j->agg);
	serve_write_stacks(o, j, set);
	stackset_free(set);
	j->type = f->type;
	j->file = f->file;
}

/* ---- rows as JSON, with all that a row has: made as they pass ---------------------------- */

static void serve_json_rows_of(struct out *o, const struct agg_print *p, struct buf *to)
{
	struct json j;

	json_init(&j, o->env);
	json_agg_head(&j, to, p, "sample", out_now(o));
	for (u32 r = 0; r < p->nrows; r++)
		json_agg_row(&j, to, p, 0, agg_print_row(p, r));
	json_free(&j);
}

/* In a replay there is no other sample: its last rows are kept. */
static void serve_keep_rows(struct out *o, const struct agg_print *p)
{
	struct serve *s = o->priv;
	u32 i = 0;

	while (i < o->run->img->naggs && strcmp(o->run->img->aggs[i].name, p->aggs[0]->name))
		i++;
	if (i == o->run->img->naggs)
		return;
	buf_reset(&s->rows[i]);
	serve_json_rows_of(o, p, &s->rows[i]);
}

static void serve_json_sample(struct out *o, const struct agg_print *p)
{
	struct serve *s = o->priv;

	for (struct serve_job *j = s->scraping; j; j = j->next)
		if (j->what == SERVE_JSON &&
		    !strcmp(o->run->img->aggs[j->agg].name, p->aggs[0]->name))
			serve_json_rows_of(o, p, &j->body);
	if (s->rows)
		serve_keep_rows(o, p);
}

/* The begin of the run; its rows follow when they are read, or are those that were kept. */
static void serve_answer_json(struct out *o, struct serve_job *j)
{
	struct serve *s = o->priv;
	struct json json;

	j->type = "application/x-ndjson";
	j->file = "dtx.json";
	json_init(&json, o->env);
	json_begin(&json, &j->body, o->run);
	json_free(&json);
	if (s->rows)
		buf_add(&j->body, s->rows[j->agg].data ? s->rows[j->agg].data : "",
			s->rows[j->agg].len);
}

/* While it runs, metrics are made when somebody asks; after that, the last ones stay. */
static void serve_last_metrics(struct serve *s, struct serve_job *j)
{
	const struct buf *b = &s->last[j->form];

	if (!s->over)
		return;
	if (b->len) {
		buf_add(&j->body, b->data, b->len);
		j->type = metric_formats[j->form].type;
		return;
	}
	j->status = 503;
	j->type = "text/plain; charset=utf-8";
	buf_puts(&j->body, "a replay has no metrics\n");
}

static void serve_ready(struct out *o);

static void serve_answer(struct out *o, struct serve_job *j)
{
	struct serve *s = o->priv;
	struct view *view = feed_view(s->feed);

	if (j->agg >= view_naggs(view) && j->what != SERVE_ABOUT && j->what != SERVE_LOG &&
	    j->what != SERVE_PROGRAM && j->what != SERVE_ALL && j->what != SERVE_REPORT) {
		j->status = 404;
		j->type = "text/plain; charset=utf-8";
		buf_puts(&j->body, "there is no such aggregation\n");
		return;
	}
	switch (j->what) {
	case SERVE_ABOUT:
		serve_json_about(view, o->run, s->refresh,
				 s->trace < 0 ? NULL : opt_text(o->env, OPT_trace), &j->body);
		break;
	case SERVE_ROWS:
		serve_json_rows(view, j, &j->body);
		break;
	case SERVE_HEAT:
		serve_json_heat(view, j, &j->body);
		break;
	case SERVE_LOG:
		serve_json_log(view, SERVE_LOG_FIRST, &j->body);
		break;
	case SERVE_CSV:
		serve_csv(view, j, &j->body);
		j->type = "text/csv; charset=utf-8";
		j->file = "dtx.csv";
		break;
	case SERVE_PROGRAM:
		serve_programs(o->run, &j->body);
		j->type = "text/plain; charset=utf-8";
		break;
	case SERVE_FLAME:
		serve_answer_flame(o, j);
		break;
	case SERVE_STACKS:
		serve_answer_stacks(o, j);
		break;
	case SERVE_JSON:
		serve_answer_json(o, j);
		break;
	case SERVE_ALL:
		report_data(&(struct report_of){ view, s->flames, o->run, s->refresh, NULL },
			    &j->body);
		break;
	case SERVE_REPORT:
		report_write(&(struct report_of){ view, s->flames, o->run, s->refresh,
						  serve_trace_name(o->env) }, &j->body);
		j->type = "text/html; charset=utf-8";
		j->file = "dtx.html";
		break;
	case SERVE_METRICS:
		serve_last_metrics(s, j);
		break;
	}
}

void serve_work(struct out *o)
{
	struct serve *s = o->priv;

	serve_http_late(s->http);
	serve_ready(o);
}

/* What the view has is to be as new as if it had been read all the time. */
static void serve_looked(struct out *o)
{
	struct serve *s = o->priv;

	s->looked = clock_ns(CLOCK_MONOTONIC);
	o->sample_now |= o->unread;
}

/* Does this request of a reader wait for a sample, as nobody has looked for a while? */
static bool serve_is_stale(struct out *o, const struct serve_job *j)
{
	struct serve *s = o->priv;

	if (j->what == SERVE_METRICS || j->what == SERVE_JSON || s->over)
		return false;
	serve_looked(o);
	return o->unread;
}

static void serve_answer_stale(struct out *o)
{
	struct serve *s = o->priv;

	for (struct serve_job *j; (j = s->stale); ) {
		s->stale = j->next;
		serve_answer(o, j);
		serve_http_done(s->http, j);
	}
}

static void serve_ready(struct out *o)
{
	struct serve *s = o->priv;
	u64 times;

	if (read(s->wake, &times, sizeof(times)) < 0 && s->started)
		return;
	serve_start(o);
	if (o->unread && serve_http_watched(s->http))
		serve_looked(o);
	for (struct serve_job *j; (j = serve_http_job(s->http)); ) {
		if (serve_is_stale(o, j)) {
			j->next = s->stale;
			s->stale = j;
			continue;
		}
		if (j->what != SERVE_METRICS || s->over)
			serve_answer(o, j);
		if (j->status == 200 && !s->over &&
		    (j->what == SERVE_METRICS || (j->what == SERVE_JSON && !s->rows))) {
			j->next = s->scrapes;
			s->scrapes = j;
			o->sample_now = true;
		} else {
			serve_http_done(s->http, j);
		}
	}
}

/* ---- samples ---------------------------------------------- */

static void serve_publish(struct out *o)
{
	struct serve *s = o->priv;
	struct buf text = { 0 };

	serve_json_event(feed_view(s->feed), &s->line, &text);
	serve_http_event(s->http, &text);
}

/* All that asked before the sample began get the same answer. */
static void serve_scraped(struct serve *s)
{
	struct buf text[METRIC_FORMS];

	metrics_end(s->metrics, feed_view(s->feed), text);
	for (u32 i = 0; i < METRIC_FORMS && s->ending; i++) {
		buf_free(&s->last[i]);
		if (text[i].data)
			buf_add(&s->last[i], text[i].data, text[i].len);
	}
	for (struct serve_job *j, *next = s->scraping; (j = next); ) {
		next = j->next;
		if (j->what == SERVE_METRICS) {
			buf_add(&j->body, text[j->form].data, text[j->form].len);
			j->type = metric_formats[j->form].type;
		}
		serve_http_done(s->http, j);
	}
	s->scraping = NULL;
	for (u32 i = 0; i < METRIC_FORMS; i++)
		buf_free(&text[i]);
}

static void serve_sample(struct out *o, const struct agg_print *p)
{
	struct serve *s = o->priv;
	u32 forms = 0;

	view_sample(feed_view(s->feed), p);
	if (!p->naggs) {
		s->sampled = 0;
		s->scraping = s->scrapes;
		s->scrapes = NULL;
		for (const struct serve_job *j = s->scraping; j; j = j->next)
			forms |= j->what == SERVE_METRICS ? 1u << j->form : 0;
		metrics_begin(s->metrics, s->ending ? (1u << METRIC_FORMS) - 1 : forms);
	} else {
		s->sampled++;
		if (s->scraping || s->ending)
			metrics_add(s->metrics, p);
		serve_json_sample(o, p);
	}
	if (s->sampled < o->run->img->naggs)
		return;
	if (s->scraping || s->ending)
		serve_scraped(s);
	serve_answer_stale(o);
	if (s->started)
		serve_http_late(s->http);
	if (s->started && serve_http_watched(s->http))
		serve_publish(o);
	o->unread = s->started && !serve_http_watched(s->http) &&
		    clock_ns(CLOCK_MONOTONIC) - s->looked > SERVE_LOOKS;
}

/* ---- the rest of a sink ---------------------------------------------- */

static void serve_event(struct out *o, const struct event *ev)
{
	feed_event(((struct serve *)o->priv)->feed, ev);
}

static void serve_flush(struct out *o)
{
	feed_flush(((struct serve *)o->priv)->feed);
}

static void serve_message(struct out *o, const struct dtx_message *m, bool also_said)
{
	struct serve *s = o->priv;

	if (s->feed)
		view_message(feed_view(s->feed), m);
}

/* Who watches, or comes later, finds what the last sample has. */
static void serve_ending(struct out *o)
{
	struct serve *s = o->priv;

	view_set_state(feed_view(s->feed), VIEW_ENDING);
	s->ending = s->linger || (s->started && serve_http_watched(s->http));
	if (s->ending && !s->rows)
		s->rows = xcalloc(o->run->img->naggs + 1, sizeof(*s->rows));
}

/* The rows at the end of a replay, which may have had no samples. */
static void serve_aggs(struct out *o, const struct agg_print *p)
{
	if (!o->run->replayed)
		return;
	view_sample(feed_view(((struct serve *)o->priv)->feed), p);
	if (p->naggs)
		serve_keep_rows(o, p);
}

static void serve_end(struct out *o, const struct run_end *end)
{
	struct serve *s = o->priv;

	view_set_state(feed_view(s->feed), VIEW_ENDED);
	feed_flush(s->feed);
	s->over = true;
	serve_answer_stale(o);
	if (o->run->replayed || s->linger)
		serve_start(o);
	if (!s->started)
		return;
	serve_publish(o);
	if (s->linger)
		diags_say(&o->env->diags, MESSAGE(DTX_NOTICE, DTX_INFO),
			  "the run has ended; its page stays until q or Ctrl-C");
	if (o->run->replayed || s->linger)
		serve_hold(o, s->wake);
	else
		serve_farewell(o, s->wake, s->http);
}

/* What waits for a sample that will not come. */
static void serve_refuse(struct serve *s, struct serve_job *jobs)
{
	for (struct serve_job *j; (j = jobs); ) {
		jobs = j->next;
		j->status = 503;
		serve_http_done(s->http, j);
	}
}

static void serve_close(struct out *o)
{
	struct serve *s = o->priv;

	if (!s)
		return;
	serve_refuse(s, s->scrapes);
	serve_refuse(s, s->scraping);
	serve_refuse(s, s->stale);
	serve_http_free(s->http);
	if (s->socket >= 0)
		close(s->socket);
	if (s->wake >= 0)
		close(s->wake);
	if (s->trace >= 0)
		close(s->trace);
	for (u32 i = 0; s->rows && i < o->run->img->naggs; i++)
		buf_free(&s->rows[i]);
	for (u32 i = 0; i < METRIC_FORMS; i++)
		buf_free(&s->last[i]);
	if (s->bound)
		unlink(s->address.host);
	free(s->metrics_token);
	free(s->rows);
	metrics_free(s->metrics);
	flames_free(s->flames);
	feed_free(s->feed);
	free(s);
	o->priv = NULL;
}

static int serve_open(struct out *o)
{
	o->priv = xcalloc(1, sizeof(struct serve));
	int err = serve_begin(o, o->priv);
	if (err)
		serve_close(o);
	return err;
}

const struct dtx_sink sink_serve = {
	.name = "serve",
	.doc = "a page for browsers, and metrics for Prometheus",
	.open = serve_open,
	.event = serve_event,
	.aggs = serve_aggs,
	.sample = serve_sample,
	.message = serve_message,
	.ready = serve_ready,
	.ending = serve_ending,
	.end = serve_end,
	.flush = serve_flush,
	.close = serve_close,
};
