/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * servehttp.c - the thread of HTTP: libmicrohttpd.  The library is loaded by name when option serve
 * is given, so that no other run pays for it, and dtx runs where it is not installed.
 */
#include <dlfcn.h>
#include <errno.h>
#include <microhttpd.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "runtime/sink/serve/serve.h"

#define HTTP_LIBRARY   "libmicrohttpd.so.12"
#define HTTP_CLIENTS   256               /* connections until servepeer.c has cut some off */
#define HTTP_WATCHERS  16                /* of them for events */
#define HTTP_IDLE      10                /* seconds until a silent connection is closed */
#define HTTP_MEMORY    32768             /* bytes of a request with its headers */
#define HTTP_LAST      100               /* times 10 ms that clients have for the last event */

/* What is used of the library, by name. */
#define HTTP_FUNCTIONS(F)                                                                 \
	F(MHD_start_daemon) F(MHD_stop_daemon) F(MHD_queue_response) F(MHD_add_response_header)  \
	F(MHD_create_response_from_buffer) F(MHD_create_response_from_callback)                  \
	F(MHD_destroy_response) F(MHD_lookup_connection_value) F(MHD_suspend_connection)         \
	F(MHD_resume_connection) F(MHD_get_connection_info) F(MHD_get_connection_values_n)

struct http_library {
	void *handle;
#define F(name) __typeof__(&name) name;
	HTTP_FUNCTIONS(F)
#undef F
};

struct watcher {
	struct watcher *next;
	struct serve_http *h;
	struct MHD_Connection *connection;
	u64 seen;                /* the last event it got */
	struct buf out;
	size_t at;               /* bytes of `out` that were sent */
	bool waits;              /* suspended until there is an event */
	bool gone;               /* its reader has closed the connection */
};

struct serve_http {
	struct http_library lib;
	struct MHD_Daemon *daemon;
	struct serve_address address;
	struct serve_tokens tokens;
	struct peers *peers;
	int wake, trace;
	pthread_mutex_t lock;    /* of all below */
	struct serve_job *jobs, **last;
	struct watcher *watchers;
	u32 nwatchers, kept;     /* kept: pages that have all they keep after the end */
	struct buf event;        /* the last one */
	u64 nevents;
	bool ending;
};

extern const char dtx_serve_html[], dtx_serve_html_end[], dtx_serve_js[], dtx_serve_js_end[];
extern const char dtx_serve_css[], dtx_serve_css_end[], dtx_flame_js[], dtx_flame_js_end[];
extern const char dtx_flame_css[], dtx_flame_css_end[], dtx_timeline_js[], dtx_timeline_js_end[];
extern const char dtx_rows_js[], dtx_rows_js_end[], dtx_brush_js[], dtx_brush_js_end[];

/* What is the same for everybody, and needs no token: it holds no data. */
static const struct serve_file files[] = {
	{ "/", "text/html; charset=utf-8", dtx_serve_html, dtx_serve_html_end },
	{ "/serve.js", "text/javascript", dtx_serve_js, dtx_serve_js_end },
	{ "/serve.css", "text/css", dtx_serve_css, dtx_serve_css_end },
	{ "/flame.js", "text/javascript", dtx_flame_js, dtx_flame_js_end },
	{ "/rows.js", "text/javascript", dtx_rows_js, dtx_rows_js_end },
	{ "/brush.js", "text/javascript", dtx_brush_js, dtx_brush_js_end },
	{ "/timeline.js", "text/javascript", dtx_timeline_js, dtx_timeline_js_end },
	{ "/flame.css", "text/css", dtx_flame_css, dtx_flame_css_end },
	{ "/favicon.ico", "image/x-icon", dtx_serve_html, dtx_serve_html },      /* there is none */
};

static const struct http_path {
	const char *path;
	enum serve_what what;
} paths[] = {
	{ "/about", SERVE_ABOUT }, { "/rows", SERVE_ROWS }, { "/heat", SERVE_HEAT },
	{ "/log", SERVE_LOG }, { "/flame", SERVE_FLAME }, { "/stacks", SERVE_STACKS },
	{ "/csv", SERVE_CSV }, { "/program", SERVE_PROGRAM }, { "/metrics", SERVE_METRICS },
	{ "/json", SERVE_JSON }, { "/all", SERVE_ALL }, { "/report", SERVE_REPORT },
};

const struct serve_file *serve_file(const char *name)
{
	size_t len = strcspn(name, "\"");

	for (u32 i = 0; i < ARRAY_SIZE(files); i++)
		if (strlen(files[i].path) == len + 1 && !memcmp(files[i].path + 1, name, len))
			return &files[i];
	return NULL;
}

/* ---- answers ---------------------------------------------- */

static const char *const headers[][2] = {
	{ "Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; "
	  "connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
	  "frame-ancestors 'none'" },
	{ "X-Content-Type-Options", "nosniff" },
	{ "Referrer-Policy", "no-referrer" },
	{ "Cross-Origin-Resource-Policy", "same-origin" },
	{ "Cache-Control", "no-store" },
};

static enum MHD_Result http_send(struct serve_http *h, struct MHD_Connection *c, u32 status,
				 const char *type, struct MHD_Response *r)
{
	enum MHD_Result ok;

	if (!r)
		return MHD_NO;
	for (u32 i = 0; i < ARRAY_SIZE(headers); i++)
		h->lib.MHD_add_response_header(r, headers[i][0], headers[i][1]);
	h->lib.MHD_add_response_header(r, "Content-Type", type);
	if (status == 405)
		h->lib.MHD_add_response_header(r, "Allow", "GET, HEAD");
	ok = h->lib.MHD_queue_response(c, status, r);
	h->lib.MHD_destroy_response(r);
	return ok;
}

static enum MHD_Result http_text(struct serve_http *h, struct MHD_Connection *c, u32 status,
				 const char *text)
{
	return http_send(h, c, status, "text/plain; charset=utf-8",
			 h->lib.MHD_create_response_from_buffer(strlen(text), (void *)text,
								MHD_RESPMEM_MUST_COPY));
}

/* Offers the answer to be saved. */
static void http_save_as(struct serve_http *h, struct MHD_Response *r, const char *name)
{
	char as[96];

	snprintf(as, sizeof(as), "attachment; filename=\"%s\"", name);
	h->lib.MHD_add_response_header(r, "Content-Disposition", as);
}

static enum MHD_Result http_answer(struct serve_http *h, struct serve_job *j)
{
	struct MHD_Response *r = h->lib.MHD_create_response_from_buffer(
		j->body.len, j->body.data, MHD_RESPMEM_MUST_FREE);

	j->body = (struct buf){ 0 };
	if (r && j->file)
		http_save_as(h, r, j->file);
	return http_send(h, j->connection, j->status, j->type, r);
}

static struct peer *http_peer(struct serve_http *h, struct MHD_Connection *c)
{
	return h->lib.MHD_get_connection_info(c, MHD_CONNECTION_INFO_SOCKET_CONTEXT)
		       ->socket_context;
}

/* ---- events ---------------------------------------------- */

static void watcher_fill(struct watcher *w)
{
	struct serve_http *h = w->h;

	buf_reset(&w->out);
	w->at = 0;
	if (w->seen && h->nevents - w->seen > 1)
		buf_printf(&w->out, "event: missed\ndata: %llu\n\n",
			   (unsigned long long)(h->nevents - w->seen - 1));
	buf_puts(&w->out, "data: ");
	buf_add(&w->out, h->event.data, h->event.len);
	buf_puts(&w->out, "\n\n");
	w->seen = h->nevents;
}

static ssize_t watcher_read(void *arg, uint64_t pos, char *to, size_t max)
{
	struct watcher *w = arg;
	struct serve_http *h = w->h;
	ssize_t n = 0;

	pthread_mutex_lock(&h->lock);
	if (w->at == w->out.len && h->nevents > w->seen)
		watcher_fill(w);
	if (w->at < w->out.len) {
		n = MIN(max, w->out.len - w->at);
		memcpy(to, w->out.data + w->at, n);
		w->at += n;
	} else if (h->ending || w->gone) {
		n = MHD_CONTENT_READER_END_OF_STREAM;
	} else {
		w->waits = true;
		h->lib.MHD_suspend_connection(w->connection);
	}
	pthread_mutex_unlock(&h->lock);
	return n;
}

static void watcher_free(void *arg)
{
	struct watcher *w = arg, **at;
	struct serve_http *h = w->h;

	pthread_mutex_lock(&h->lock);
	for (at = &h->watchers; *at && *at != w; at = &(*at)->next)
		;
	if (*at)
		*at = w->next;
	h->nwatchers--;
	pthread_mutex_unlock(&h->lock);
	buf_free(&w->out);
	free(w);
}

/*
 * With the lock: how many of them are still there.  The library does not look at connections that
 * wait, and after the run there are no events that it could fail to write.
 */
static u32 watchers_left(struct serve_http *h)
{
	u32 n = h->nwatchers;

	for (struct watcher *w = h->watchers; w; w = w->next) {
		w->gone |= peer_left(http_peer(h, w->connection));
		n -= w->gone;
		if (w->gone && w->waits) {
			w->waits = false;
			h->lib.MHD_resume_connection(w->connection);
		}
	}
	return n;
}

static enum MHD_Result http_watch(struct serve_http *h, struct MHD_Connection *c)
{
	struct watcher *w;

	pthread_mutex_lock(&h->lock);
	bool full = watchers_left(h) >= HTTP_WATCHERS || h->ending;
	h->nwatchers += !full;
	pthread_mutex_unlock(&h->lock);
	if (full)
		return http_text(h, c, 503, "too many pages watch this run: close one\n");
	w = xcalloc(1, sizeof(*w));
	w->h = h;
	w->connection = c;
	pthread_mutex_lock(&h->lock);
	w->next = h->watchers;
	h->watchers = w;
	pthread_mutex_unlock(&h->lock);
	eventfd_write(h->wake, 1);
	return http_send(h, c, 200, "text/event-stream",
			 h->lib.MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 32768,
								  watcher_read, w, watcher_free));
}

static void http_resume(struct serve_http *h)
{
	for (struct watcher *w = h->watchers; w; w = w->next)
		if (w->waits) {
			w->waits = false;
			h->lib.MHD_resume_connection(w->connection);
		}
}

void serve_http_event(struct serve_http *h, struct buf *text)
{
	pthread_mutex_lock(&h->lock);
	buf_free(&h->event);
	h->event = *text;
	*text = (struct buf){ 0 };
	h->nevents++;
	http_resume(h);
	pthread_mutex_unlock(&h->lock);
}

bool serve_http_waits(struct serve_http *h)
{
	pthread_mutex_lock(&h->lock);
	bool waits = h->nwatchers > h->kept;
	pthread_mutex_unlock(&h->lock);
	return waits;
}

bool serve_http_watched(struct serve_http *h)
{
	pthread_mutex_lock(&h->lock);
	bool watched = h->watchers;
	pthread_mutex_unlock(&h->lock);
	return watched;
}

/* ---- requests ---------------------------------------------- */

static const char *http_query(struct serve_http *h, struct MHD_Connection *c, const char *name)
{
	return h->lib.MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, name);
}

static const char *http_header(struct serve_http *h, struct MHD_Connection *c, const char *name)
{
	return h->lib.MHD_lookup_connection_value(c, MHD_HEADER_KIND, name);
}

/* Cookies of a host go to all its ports: each run has a name of its own. */
static void http_cookie_name(const struct serve_http *h, char name[16])
{
	snprintf(name, 16, "dtx_%.6s", h->tokens.all);
}

/* ?token=…, as the printed link has it; the cookie that it left; a bearer token, as Prometheus
 * sends it.  The token for metrics opens nothing else. */
static bool http_allowed(struct serve_http *h, struct MHD_Connection *c, const char *url)
{
	const char *bearer = http_header(h, c, "Authorization"), *cookie;
	char name[16];

	if (h->address.local)
		return peer_is_own(http_peer(h, c));
	http_cookie_name(h, name);
	cookie = h->lib.MHD_lookup_connection_value(c, MHD_COOKIE_KIND, name);
	if (serve_token_ok(h->tokens.all, http_query(h, c, "token")) ||
	    serve_token_ok(h->tokens.all, cookie))
		return true;
	if (!bearer || strncmp(bearer, "Bearer ", 7))
		return false;
	return serve_token_ok(h->tokens.all, bearer + 7) ||
	       (h->tokens.metrics && !strcmp(url, "/metrics") &&
		serve_token_ok(h->tokens.metrics, bearer + 7));
}

/* Whoever opens the link needs it once: the cookie lasts as long as the browser does. */
static void http_set_cookie(struct serve_http *h, struct MHD_Connection *c, struct MHD_Response *r)
{
	char name[16], cookie[128];

	if (h->address.local || !serve_token_ok(h->tokens.all, http_query(h, c, "token")))
		return;
	http_cookie_name(h, name);
	snprintf(cookie, sizeof(cookie), "%s=%s; Path=/; HttpOnly; SameSite=Strict", name,
		 h->tokens.all);
	h->lib.MHD_add_response_header(r, "Set-Cookie", cookie);
}

static ssize_t trace_read(void *arg, uint64_t pos, char *to, size_t max)
{
	ssize_t n = serve_trace_read(arg, to, max);

	return n > 0 ? n : MHD_CONTENT_READER_END_WITH_ERROR;    /* the file was cut */
}

/* ?from=N: a part of the file, for the page; else all of it. */
static enum MHD_Result http_trace(struct serve_http *h, struct MHD_Connection *c)
{
	const char *from = http_query(h, c, "from");
	struct serve_trace *t;
	struct MHD_Response *r;

	if (h->trace < 0)
		return http_text(h, c, 404, "there is no time line: start dtx with --trace FILE\n");
	t = xmalloc(sizeof(*t));
	serve_trace_open(t, h->trace, serve_number(from, 1ull << 50, 0), from);
	r = h->lib.MHD_create_response_from_callback(serve_trace_left(t), 65536, trace_read, t,
						     free);
	if (r && !from)
		http_save_as(h, r, "dtx.trace.json");
	return http_send(h, c, 200, "application/json", r);
}

static void http_copy(char *to, size_t size, const char *from)
{
	snprintf(to, size, "%s", from ? from : "");
}

static enum MHD_Result http_ask(struct serve_http *h, struct MHD_Connection *c,
				enum serve_what what, void **state)
{
	struct serve_job *j = *state = xcalloc(1, sizeof(*j));
	const char *agg = http_query(h, c, "agg");

	*j = (struct serve_job){
		.connection = c, .what = what, .status = 200, .type = "application/json",
		.agg = agg ? serve_number(agg, 1u << 16, UINT32_MAX) : 0,
		.column = serve_number(http_query(h, c, "column"), 1u << 16, UINT32_MAX),
		.skip = serve_number(http_query(h, c, "skip"), 1u << 30, 0),
		.n = serve_number(http_query(h, c, "n"), 1000, 100),
		.ascending = serve_number(http_query(h, c, "asc"), 1, 0),
		.from = 1000000 * (s64)serve_number(http_query(h, c, "from"), SERVE_MS, 0),
		.to = 1000000 * (s64)serve_number(http_query(h, c, "to"), SERVE_MS, 0),
		.form = metric_form(h->lib.MHD_lookup_connection_value(c, MHD_HEADER_KIND,
								       "Accept")),
	};
	http_copy(j->filter, sizeof(j->filter), http_query(h, c, "filter"));
	http_copy(j->format, sizeof(j->format), http_query(h, c, "format"));
	h->lib.MHD_suspend_connection(c);
	pthread_mutex_lock(&h->lock);
	bool late = h->ending;
	if (!late) {
		*h->last = j;
		h->last = &j->next;
	}
	pthread_mutex_unlock(&h->lock);
	if (late) {
		j->status = 503;
		j->done = true;
		h->lib.MHD_resume_connection(c);
	} else {
		eventfd_write(h->wake, 1);       /* serve_ready() */
	}
	return MHD_YES;
}

static enum MHD_Result http_file(struct serve_http *h, struct MHD_Connection *c,
				 const struct serve_file *f)
{
	struct MHD_Response *r = h->lib.MHD_create_response_from_buffer(
		f->to - f->from, (void *)f->from, MHD_RESPMEM_PERSISTENT);

	if (r && !strcmp(f->path, "/"))
		http_set_cookie(h, c, r);
	return http_send(h, c, 200, f->type, r);
}

static enum MHD_Result http_kept(struct serve_http *h, struct MHD_Connection *c)
{
	pthread_mutex_lock(&h->lock);
	h->kept++;
	pthread_mutex_unlock(&h->lock);
	return http_text(h, c, 200, "");
}

static enum MHD_Result http_look(void *arg, enum MHD_ValueKind kind, const char *name, size_t len,
				 const char *value, size_t size)
{
	serve_check(arg, kind == MHD_HEADER_KIND, &(struct serve_pair){ name, value, len, size });
	return MHD_YES;
}

/* Is the request one of this server's users?  NULL, or what is wrong, and its status. */
static const char *http_refusal(struct serve_http *h, struct MHD_Connection *c, const char *method,
				u32 *status)
{
	const char *host = http_header(h, c, "Host");
	struct serve_checked checked = { 0 };

	*status = 400;
	h->lib.MHD_get_connection_values_n(c, MHD_HEADER_KIND | MHD_GET_ARGUMENT_KIND, http_look,
					   &checked);
	if (checked.fault)
		return checked.fault;
	*status = 403;
	if (!serve_host_ok(&h->address, host))
		return "the Host header is not the address of this server: use the link that dtx "
		       "printed\n";
	if (!serve_origin_ok(http_header(h, c, "Origin"), host))
		return "the Origin header names a page that is not of this server\n";
	*status = 405;
	return strcmp(method, "GET") && strcmp(method, "HEAD")
		       ? "this server changes nothing: GET and HEAD only\n" : NULL;
}

static enum MHD_Result http_request(void *arg, struct MHD_Connection *c, const char *url,
				    const char *method, const char *version, const char *data,
				    size_t *size, void **state)
{
	struct serve_http *h = arg;
	struct serve_job *j = *state;
	const char *refused;
	u32 status;

	if (j)
		return j->done ? http_answer(h, j) : MHD_YES;
	peer_asks(http_peer(h, c), true, !strcmp(url, "/events"));
	refused = http_refusal(h, c, method, &status);
	if (refused)
		return http_text(h, c, status, refused);
	for (u32 i = 0; i < ARRAY_SIZE(files); i++)
		if (!strcmp(files[i].path, url))
			return http_file(h, c, &files[i]);
	if (!http_allowed(h, c, url))
		return http_text(h, c, 401, h->address.local
					    ? "only the user who runs dtx, and root, may ask\n"
					    : "a token is needed: use the link that dtx printed\n");
	if (!strcmp(url, "/events"))
		return http_watch(h, c);
	if (!strcmp(url, "/kept"))
		return http_kept(h, c);
	if (!strcmp(url, "/trace"))
		return http_trace(h, c);
	for (u32 i = 0; i < ARRAY_SIZE(paths); i++)
		if (!strcmp(paths[i].path, url))
			return http_ask(h, c, paths[i].what, state);
	return http_text(h, c, 404, "there is no such page\n");
}

static void http_completed(void *arg, struct MHD_Connection *c, void **state,
			   enum MHD_RequestTerminationCode why)
{
	struct serve_job *j = *state;

	peer_asks(http_peer(arg, c), false, false);
	if (j)
		buf_free(&j->body);
	free(j);
	*state = NULL;
}

static void http_connection(void *arg, struct MHD_Connection *c, void **context,
			    enum MHD_ConnectionNotificationCode what)
{
	struct serve_http *h = arg;

	if (what == MHD_CONNECTION_NOTIFY_STARTED)
		*context = peer_come(h->peers, h->lib.MHD_get_connection_info(
					c, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd);
	else if (*context)
		peer_go(*context);
}

void serve_http_late(struct serve_http *h)
{
	peers_late(h->peers);
}

struct serve_job *serve_http_job(struct serve_http *h)
{
	pthread_mutex_lock(&h->lock);
	struct serve_job *j = h->jobs;
	if (j)
		h->jobs = j->next;
	if (!h->jobs)
		h->last = &h->jobs;
	pthread_mutex_unlock(&h->lock);
	return j;
}

void serve_http_done(struct serve_http *h, struct serve_job *j)
{
	buf_add(&j->body, "", 0);
	pthread_mutex_lock(&h->lock);    /* what was written is seen by the other thread */
	j->done = true;
	pthread_mutex_unlock(&h->lock);
	h->lib.MHD_resume_connection(j->connection);
}

/* ---- life ---------------------------------------------- */

static bool http_load(struct http_library *l)
{
	l->handle = dlopen(HTTP_LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!l->handle)
		return false;
#define F(name) l->name = (__typeof__(&name))dlsym(l->handle, #name); \
		if (!l->name) \
			return false;
	HTTP_FUNCTIONS(F)
#undef F
	return true;
}

struct serve_http *serve_http_new(struct dtx_env *env)
{
	struct serve_http *h = xcalloc(1, sizeof(*h));

	h->last = &h->jobs;
	h->peers = peers_new();
	pthread_mutex_init(&h->lock, NULL);
	if (http_load(&h->lib))
		return h;
	dtx_env_fail(env, -ENOENT, "option serve needs the library %s, %s", HTTP_LIBRARY,
		     libraries_load ? "which is not installed: on Debian, apt install "
				      "libmicrohttpd12" : LIBRARIES_NONE);
	peers_free(h->peers);
	free(h);
	return NULL;
}

static void http_mute(void *arg, const char *format, va_list ap)
{
}

int serve_http_start(struct serve_http *h, const struct serve_address *address,
		     const struct serve_tokens *tokens, int socket, int wake, int trace)
{
	sigset_t all, before;

	h->address = *address;
	h->tokens = *tokens;
	h->wake = wake;
	h->trace = trace;
	sigfillset(&all);                /* signals are for the thread that traces */
	pthread_sigmask(SIG_BLOCK, &all, &before);
	h->daemon = h->lib.MHD_start_daemon(
		MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME |
		MHD_USE_ERROR_LOG, 0, NULL, NULL, http_request, h,
		MHD_OPTION_EXTERNAL_LOGGER, http_mute, NULL,
		MHD_OPTION_LISTEN_SOCKET, socket,
		MHD_OPTION_CONNECTION_LIMIT, (unsigned)HTTP_CLIENTS,
		MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)HTTP_IDLE,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HTTP_MEMORY,
		MHD_OPTION_NOTIFY_CONNECTION, http_connection, h,
		MHD_OPTION_NOTIFY_COMPLETED, http_completed, h, MHD_OPTION_END);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return h->daemon ? 0 : -EIO;
}

static bool http_idle(struct serve_http *h)
{
	bool idle = true;

	pthread_mutex_lock(&h->lock);
	for (struct watcher *w = h->watchers; w; w = w->next)
		idle = idle && w->seen == h->nevents && w->at == w->out.len;
	pthread_mutex_unlock(&h->lock);
	return idle;
}

/* Streams of events are ended, not cut off, if their readers take what is left in time. */
void serve_http_free(struct serve_http *h)
{
	if (!h)
		return;
	for (u32 i = 0; h->daemon && i < HTTP_LAST && !http_idle(h); i++)
		usleep(10000);
	pthread_mutex_lock(&h->lock);
	h->ending = true;
	http_resume(h);
	pthread_mutex_unlock(&h->lock);
	for (struct serve_job *j; (j = serve_http_job(h)); ) {
		j->status = 503;
		serve_http_done(h, j);
	}
	for (u32 i = 0; h->daemon && i < HTTP_LAST && serve_http_watched(h); i++)
		usleep(10000);
	if (h->daemon)
		h->lib.MHD_stop_daemon(h->daemon);
	dlclose(h->lib.handle);
	peers_free(h->peers);
	buf_free(&h->event);
	free(h);
}
