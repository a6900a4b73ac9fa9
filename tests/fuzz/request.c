/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * request.c - libFuzzer harness of requests to the page (option serve), from what libmicrohttpd has
 * read of one to the status or the job that comes of it, without sockets.
 *
 * The first line of an input is METHOD PATH; each other one is a value: ?NAME=VALUE of the query,
 * :NAME=VALUE a header, ;NAME=VALUE a cookie.  Nobody may get data who has not the token, or who
 * comes from another site.
 */
#include "runtime/sink/serve/servehttp.c"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

#define TOKEN   "secret"
#define METRICS "graphs"
#define HOST    "127.0.0.1:8080"

static struct { enum MHD_ValueKind kind; char *name, *value; } values[64];
static u32 nvalues, answer;
static char body;                        /* stands for all responses */

static const char *value_of(enum MHD_ValueKind kind, const char *name)
{
	for (u32 i = 0; i < nvalues; i++)
		if (values[i].kind == kind && !strcasecmp(values[i].name, name))
			return values[i].value;
	return NULL;
}

static const char *fake_lookup(struct MHD_Connection *c, enum MHD_ValueKind kind, const char *name)
{
	return value_of(kind, name);
}

static int fake_values(struct MHD_Connection *c, enum MHD_ValueKind kinds,
		       MHD_KeyValueIteratorN look, void *arg)
{
	for (u32 i = 0; i < nvalues; i++)
		if (values[i].kind & kinds)
			look(arg, values[i].kind, values[i].name, strlen(values[i].name),
			     values[i].value, strlen(values[i].value));
	return (int)nvalues;
}

static enum MHD_Result fake_queue(struct MHD_Connection *c, unsigned status, struct MHD_Response *r)
{
	answer = status;
	return MHD_YES;
}

static enum MHD_Result fake_header(struct MHD_Response *r, const char *name, const char *value)
{
	return strpbrk(name, "\r\n") || strpbrk(value, "\r\n") ? __builtin_trap(), MHD_NO : MHD_YES;
}

static struct MHD_Response *fake_buffer(size_t n, void *data, enum MHD_ResponseMemoryMode mode)
{
	if (mode == MHD_RESPMEM_MUST_FREE)
		free(data);
	return (struct MHD_Response *)&body;
}

/* The reader of events or of a file: as if the client had gone at once. */
static struct MHD_Response *fake_callback(u64 n, size_t block, MHD_ContentReaderCallback read,
					  void *arg, MHD_ContentReaderFreeCallback done)
{
	done(arg);
	return (struct MHD_Response *)&body;
}

static void fake_destroy(struct MHD_Response *r) { }
static void fake_connection(struct MHD_Connection *c) { }

static const union MHD_ConnectionInfo *fake_info(struct MHD_Connection *c,
						 enum MHD_ConnectionInfoType what, ...)
{
	static const union MHD_ConnectionInfo none;

	return &none;
}

void peer_asks(struct peer *p, bool asks, bool watches) { }
bool peer_is_own(const struct peer *p) { return false; }

/* How many headers of this name are there; NULL: with a byte in the value that no header has? */
static u32 headers_of(const char *name)
{
	u32 n = 0;

	for (u32 i = 0; i < nvalues; i++)
		if (values[i].kind == MHD_HEADER_KIND)
			n += name ? !strcasecmp(values[i].name, name)
				  : values[i].value[strcspn(values[i].value, "\r\x1b")] != 0;
	return n;
}

static bool is(const char *a, const char *b) { return a && !strcmp(a, b); }

/* Said anew, so that it can differ. */
static bool may_have_data(const char *method, const char *url)
{
	const char *host = value_of(MHD_HEADER_KIND, "Host");
	const char *origin = value_of(MHD_HEADER_KIND, "Origin");
	const char *bearer = value_of(MHD_HEADER_KIND, "Authorization");

	if ((strcmp(method, "GET") && strcmp(method, "HEAD")) || !host ||
	    !strncmp(host, "evil", 4) || (origin && !strcasestr(origin, host)) ||
	    headers_of("Host") > 1 || headers_of("Origin") > 1 || headers_of(NULL))
		return false;
	return is(value_of(MHD_GET_ARGUMENT_KIND, "token"), TOKEN) ||
	       is(value_of(MHD_COOKIE_KIND, "dtx_" TOKEN), TOKEN) || is(bearer, "Bearer " TOKEN) ||
	       (is(bearer, "Bearer " METRICS) && !strcmp(url, "/metrics"));
}

static void ask(struct serve_http *h, const char *method, const char *url)
{
	void *state = NULL;
	bool data = !strcmp(url, "/events") || !strcmp(url, "/trace");
	struct serve_job *j;

	answer = 0;
	http_request(h, NULL, url, method, "HTTP/1.1", NULL, &(size_t){ 0 }, &state);
	j = serve_http_job(h);
	if ((j || (data && answer == 200)) && !may_have_data(method, url))
		__builtin_trap();
	if (!j && !answer)
		__builtin_trap();        /* neither answered nor kept: it would wait for ever */
	if (j && ((j->agg > 1u << 16 && j->agg != UINT32_MAX) || j->n > 1000 ||
		  j->form >= METRIC_FORMS))
		__builtin_trap();
	if (j) {
		serve_http_done(h, j);
		http_request(h, NULL, url, method, "HTTP/1.1", NULL, &(size_t){ 0 }, &state);
		if (answer != 200)
			__builtin_trap();
	}
	http_completed(h, NULL, &state, MHD_REQUEST_TERMINATED_COMPLETED_OK);
}

static void read_values(char *line)
{
	static const char marks[] = "?:;";
	static const enum MHD_ValueKind kinds[] = { MHD_GET_ARGUMENT_KIND, MHD_HEADER_KIND,
						    MHD_COOKIE_KIND };
	char *save = NULL;

	nvalues = 0;
	for (; (line = strtok_r(line, "\n", &save)) && nvalues < ARRAY_SIZE(values); line = NULL) {
		const char *mark = strchr(marks, *line);
		char *eq = strchr(line, '=');

		if (!mark || !eq)
			continue;
		*eq = '\0';
		values[nvalues].kind = kinds[mark - marks];
		values[nvalues].name = line + 1;
		values[nvalues++].value = eq + 1;
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct serve_http h = {
		.lib = { NULL, .MHD_queue_response = fake_queue,
			 .MHD_add_response_header = fake_header,
			 .MHD_create_response_from_buffer = fake_buffer,
			 .MHD_create_response_from_callback = fake_callback,
			 .MHD_destroy_response = fake_destroy,
			 .MHD_lookup_connection_value = fake_lookup,
			 .MHD_suspend_connection = fake_connection,
			 .MHD_resume_connection = fake_connection,
			 .MHD_get_connection_info = fake_info,
			 .MHD_get_connection_values_n = fake_values },
		.tokens = { TOKEN, METRICS }, .wake = -1, .trace = -1,
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};
	char *text = malloc(size + 1), *rest, *url;

	memcpy(text, data, size);
	text[size] = '\0';
	h.last = &h.jobs;
	rest = strchr(text, '\n');
	if (rest)
		*rest++ = '\0';
	url = strchr(text, ' ');
	if (url && !serve_address(HOST, &h.address)) {
		*url++ = '\0';
		if (rest)
			read_values(rest);
		else
			nvalues = 0;
		ask(&h, text, url);
	}
	free(text);
	return 0;
}
