/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * serve.h - option serve: a page and metrics over HTTP; private to runtime/sink/.
 *
 *   serve.c       the sink, in the thread that traces: answers what needs data
 *   serveaddr.c   the option's address, who may ask
 *   servetoken.c  the tokens of its users
 *   servecheck.c  what no honest client sends
 *   servepeer.c   connections: who is there, and for how long
 *   servehttp.c   libmicrohttpd, which is loaded when it is needed, and its thread
 *   servejson.c   the view as JSON
 *   serveflame.c  flame graphs of all rows
 *   servepast.c   the past: parts of the time
 *   report.c      the page as a file: option report
 *   servehold.c   after the run
 *   servetrace.c  the file of option trace
 *   metrics.h     aggregations as metrics
 *
 * The thread of HTTP knows no data of the run.  It checks requests and passes them as jobs to the
 * thread that traces, which answers them between two readings of the ring.  So a client can wait
 * for dtx, but dtx never waits for a client.
 */
#ifndef DTX_SERVE_H
#define DTX_SERVE_H

#include <netinet/in.h>
#include <pthread.h>
#include <sys/un.h>

#include "runtime/sink/metrics/metrics.h"
#include "runtime/view/view.h"

/* ---- serveaddr.c ------------------------------------------------------------------------ */

struct serve_address {
	char host[108];          /* "127.0.0.1", "::1", "/run/dtx.sock" */
	u16 port;
	bool local;              /* a socket of the file system: the peer is known */
	union {
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
		struct sockaddr_un un;
	} sock;
	socklen_t len;
};

/* Reads [ADDRESS:]PORT or /PATH; an IPv6 address stands in brackets.  NULL, or what is wrong. */
const char *serve_address(const char *text, struct serve_address *);
/* May a request name this host?  Pages of other sites reach a server by names of their own. */
bool serve_host_ok(const struct serve_address *, const char *host);
/* May a page of this origin ask?  Only that of dtx itself; NULL: no page asks. */
bool serve_origin_ok(const char *origin, const char *host);
/* The number of a query, 0 .. most; `otherwise` if the text is NULL or no such number. */
u64 serve_number(const char *text, u64 most, u64 otherwise);
/* Compares in a time that does not depend on the texts; NULL is equal to nothing. */
bool serve_token_ok(const char *token, const char *given);

/* ---- servetoken.c ------------------------------------------------------------------------- */

#define SERVE_TOKEN  33          /* bytes of a token, with its end */
/* Makes a token.  0, or an error that was told. */
int serve_token(struct out *, char token[SERVE_TOKEN]);
/* Reads the file of option metricstoken; *token is malloc'd, and stays as it is without one. */
int serve_metrics_token(struct out *, char **token);

/* ---- servecheck.c ------------------------------------------------------------------------- */

struct serve_pair {              /* a header, or what follows the '?' */
	const char *name, *value;        /* value: NULL if there is none */
	size_t name_len, value_len;
};
struct serve_checked {
	const char *fault;       /* the first one, with an end of line; NULL: there is none */
	u32 seen;                /* which single headers were there */
};
/* Looks at one more of a request's. */
void serve_check(struct serve_checked *, bool header, const struct serve_pair *);

/* ---- jobs: requests that the tracing thread answers -------------------------------------- */

enum serve_what {
	SERVE_ABOUT, SERVE_ROWS, SERVE_HEAT, SERVE_LOG, SERVE_FLAME, SERVE_STACKS, SERVE_CSV,
	SERVE_PROGRAM, SERVE_METRICS, SERVE_JSON, SERVE_ALL, SERVE_REPORT
};

#define BEYOND_WORDS  "\"> 64 bits\""   /* JSON: a count that has left them */
#define SERVE_MS  (1ull << 42)   /* the latest time, 139 years: in ns it has room */

struct MHD_Connection;
struct serve_job {
	struct serve_job *next;
	struct MHD_Connection *connection;
	enum serve_what what;
	u32 agg, column, skip, n;
	bool ascending;
	s64 from, to;            /* a part of the time, CLOCK_MONOTONIC, ns; to 0: all of it */
	bool ids;                /* ids of the rows are wanted, too: serve_json_past() has them */
	enum metric_form form;
	char filter[128], format[16];
	/* The answer: */
	bool done;
	u32 status;              /* of HTTP */
	const char *type;
	const char *file;        /* the name that it is saved under, or NULL: it is shown */
	struct buf body;
};

/* ---- servetrace.c: for the thread of HTTP --------------------------------------------------- */

struct serve_trace {
	int fd;
	u64 at, end;
	const char *tail;        /* what follows the part of the file */
};
/* All of it, with the end that the file will have; or a part from a byte on, as it is. */
void serve_trace_open(struct serve_trace *, int fd, u64 from, bool part);
u64 serve_trace_left(const struct serve_trace *);        /* bytes */
ssize_t serve_trace_read(struct serve_trace *, char *to, size_t max);    /* 0: that was all */

/* ---- servepeer.c ---------------------------------------------------------------------------- */

struct peers;
struct peer;
struct peers *peers_new(void);
void peers_free(struct peers *);                         /* all have gone; NULL is fine */
struct peer *peer_come(struct peers *, int fd);          /* may cut another one off */
void peer_go(struct peer *);
void peer_asks(struct peer *, bool asks, bool watches);  /* a request begins, or is answered */
void peers_late(struct peers *);                         /* cuts off those that take too long */
/* Is a process of this user, or of the superuser, at the other end?  Of a local socket. */
bool peer_is_own(const struct peer *);
bool peer_left(const struct peer *);                     /* it has closed the connection */

/* ---- servehttp.c --------------------------------------------------------------------------- */

struct serve_http;

/* Loads the library.  NULL with a failure of the environment. */
struct serve_http *serve_http_new(struct dtx_env *);
struct serve_tokens {
	const char *all, *metrics;       /* metrics: good for /metrics alone, or NULL */
};
/* Starts the thread, which serves the socket and the file `trace` (-1: there is none); `wake` is
 * written when there is a job.  The socket is closed by serve_http_free().  0 or -errno. */
int serve_http_start(struct serve_http *, const struct serve_address *,
		     const struct serve_tokens *, int socket, int wake, int trace);
void serve_http_late(struct serve_http *);       /* cuts off clients that take too long */
struct serve_job *serve_http_job(struct serve_http *);   /* the next one, or NULL */
void serve_http_done(struct serve_http *, struct serve_job *);
bool serve_http_watched(struct serve_http *);    /* is anybody there for events? */
/* Sends an event to all that watch; the text is taken.  A client that is slow gets the last one,
 * and how many it missed. */
void serve_http_event(struct serve_http *, struct buf *text);
/* Lets clients have the last event; NULL is fine. */
void serve_http_free(struct serve_http *);
/* Do pages still take what they keep?  They ask for /kept when they have it. */
bool serve_http_waits(struct serve_http *);

/* What is the same for everybody: the page, its styles and scripts. */
struct serve_file {
	const char *path, *type, *from, *to;
};
const struct serve_file *serve_file(const char *name);   /* up to its quote; NULL: there is none */

/* ---- servehold.c ---------------------------------------------------------------------------- */

void serve_work(struct out *);                   /* serve.c: answers what was asked */
void serve_hold(struct out *, int wake);         /* until q, or an interrupt */
void serve_farewell(struct out *, int wake, struct serve_http *);

/* ---- serveflame.c --------------------------------------------------------------------------- */

struct flames;
struct stacktree;
struct stackset;

struct flames *flames_new(const struct run_info *);
void flames_free(struct flames *);               /* NULL is fine */
/* The tree of an aggregation, finished; the caller frees it. */
struct flames_asked {
	u32 agg;
	s64 from, to;            /* as of a job */
	bool whole;              /* names are looked up for all rows, however long that takes */
	u32 *later;              /* set: stacks whose names are not looked up yet; or NULL */
	u32 *leaf;               /* filled, by id of a row (view_ids()): its node; or NULL */
};
struct stacktree *flames_tree(struct flames *, struct view *, const struct run_info *,
			      const struct flames_asked *);
struct stackset *flames_rows(struct view *, const struct run_info *, u32 agg);

/* ---- servejson.c ---------------------------------------------------------------------------- */

/* `trace`: the name of the file of option trace, or NULL. */
void serve_json_about(struct view *, const struct run_info *, s64 refresh, const char *trace,
		      struct buf *);
/* The state of the run; log lines from *line on, which is advanced. */
void serve_json_event(struct view *, u64 *line, struct buf *);
void serve_json_rows(struct view *, const struct serve_job *, struct buf *);
void serve_json_heat(struct view *, const struct serve_job *, struct buf *);
void serve_json_log(struct view *, u64 most, struct buf *);      /* the last lines */
void serve_csv(struct view *, const struct serve_job *, struct buf *);

/* ---- servepast.c ---------------------------------------------------------------------------- */

/* Of an aggregation without buckets: how much each span of time added, or the last one alone. */
void serve_json_bars(struct view *, u32 agg, bool last, struct buf *);
/* The time that the answer is of: null, or what is known of it. */
void serve_json_part(struct view *, const struct serve_job *, struct buf *);
/* What a page that has no dtx makes parts of; `leaf` by id: the number of a row's node in the flame
 * graph, or NULL.  `most`: bytes, about. */
void serve_json_past(struct view *, u32 agg, const u32 *leaf, size_t most, struct buf *);

/* ---- report.c ------------------------------------------------------------------------------- */

struct report_of {
	struct view *view;
	struct flames *flames;
	const struct run_info *run;
	s64 refresh;
	const char *line;        /* the file of option trace, or NULL */
};
void report_data(struct report_of *, struct buf *out);   /* all that a page can ask for: JSON */
void report_write(struct report_of *, struct buf *out);  /* the page with it */
const char *serve_trace_name(struct dtx_env *);          /* serve.c: of option trace, or NULL */

#endif
