/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lsp.c - dtx --lsp: a server of the Language Server Protocol, 3.17.  It has one thread and keeps
 * only the open texts; each question opens a handle of the library, asks, and closes it.
 */
#include <dtx.h>

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd/command.h"
#include "cmd/lsp/lsp.h"

#define MESSAGE_MAX (64 << 20)   /* bytes; larger ones are a mistake */

enum {
	PARSE_ERROR = -32700, BAD_REQUEST = -32600, METHOD_UNKNOWN = -32601,
	NOT_INITIALIZED = -32002, REFUSED = -32803
};

struct server {
	FILE *in, *out;
	json_t *texts;           /* uri: text */
	char *folder;            /* of the definitions that were asked for; NULL: none yet */
	json_t *files;           /* their paths */
	bool begun, shut, ended;
};

/* ---- messages ------------------------------------------------------------------------------- */

/* The next message, or NULL at the end of the input; `bad`: it is no JSON. */
static json_t *receive(struct server *s, bool *bad)
{
	char line[256];
	size_t length = 0;

	*bad = false;
	while (fgets(line, sizeof(line), s->in) && strcmp(line, "\r\n") && strcmp(line, "\n"))
		if (!strncasecmp(line, "Content-Length:", 15))
			length = strtoul(line + 15, NULL, 10);
	if (feof(s->in) || ferror(s->in))
		return NULL;
	*bad = true;
	if (!length || length > MESSAGE_MAX)
		return NULL;
	char *body = malloc(length);
	size_t got = body ? fread(body, 1, length, s->in) : 0;
	json_t *message = got == length ? json_loadb(body, length, JSON_ALLOW_NUL, NULL) : NULL;
	free(body);
	*bad = !message && got == length;
	return message;
}

static void send_message(struct server *s, json_t *message)
{
	char *text;

	json_object_set_new(message, "jsonrpc", json_string("2.0"));
	text = json_dumps(message, JSON_COMPACT);
	if (text)
		fprintf(s->out, "Content-Length: %zu\r\n\r\n%s", strlen(text), text);
	fflush(s->out);
	free(text);
	json_decref(message);
}

static void reply(struct server *s, json_t *id, json_t *result)
{
	send_message(s, json_pack("{sO, so}", "id", id, "result", result ? result : json_null()));
}

static void reply_error(struct server *s, json_t *id, int code, const char *what)
{
	send_message(s, json_pack("{sO?, s{si, ss}}", "id", id, "error", "code", code, "message",
				  what));
}

/* ---- texts ---------------------------------------------------------------------------------- */

static const char *uri_of(const json_t *params)
{
	const char *uri = json_string_value(
		json_object_get(json_object_get(params, "textDocument"), "uri"));

	return uri ? uri : "";
}

static const char *text_of(const struct server *s, const json_t *params)
{
	return json_string_value(json_object_get(s->texts, uri_of(params)));
}

static size_t place_of(const char *text, const json_t *params)
{
	const json_t *at = json_object_get(params, "position");

	return lsp_offset(text, json_integer_value(json_object_get(at, "line")),
			  json_integer_value(json_object_get(at, "character")));
}

/* ---- diagnostics ---------------------------------------------------------------------------- */

struct collected {
	const char *text;
	json_t *list;
};

static void collect(void *arg, const struct dtx_message *m)
{
	struct collected *c = arg;
	size_t length = strlen(c->text);
	size_t from = m->at.text && m->at.from < length ? m->at.from : 0;
	size_t to = m->at.text && m->at.to <= length ? m->at.to : from;
	char *said = NULL;

	if (m->kind != DTX_DIAGNOSTIC || !m->text)
		return;
	if (asprintf(&said, "%s%s%s", m->text, m->hint ? "\n" : "", m->hint ? m->hint : "") < 0)
		return;
	json_t *d = json_pack("{so, si, ss, ss}", "range", lsp_range(c->text, from, to), "severity",
			      m->severity == DTX_ERROR ? 1 : m->severity == DTX_WARNING ? 2 : 3,
			      "source", "dtx", "message", said);
	if (d && m->tag)
		json_object_set_new(d, "code", json_string(m->tag));
	if (d)
		json_array_append_new(c->list, d);
	free(said);
}

static void ignore_message(void *arg, const struct dtx_message *m)
{
}

/* Compiles up to the types: nothing is loaded, and no right is needed. */
static void check_text(const char *text, dtx_message_fn *fn, void *arg)
{
	FILE *nowhere = fopen("/dev/null", "w");
	struct dtx *d = dtx_open();

	dtx_on_message(d, fn, arg);
	dtx_set_option(d, "quiet", NULL);
	dtx_set_option(d, "defaultargs", NULL);
	if (nowhere && text[strspn(text, " \t\r\n")] &&
	    !dtx_program_add(d, DTX_PROG_SCRIPT, "script", text, strlen(text)))
		dtx_dump(d, "typed", nowhere);
	dtx_close(d);
	if (nowhere)
		fclose(nowhere);
}

static void publish(struct server *s, const char *uri, const char *text)
{
	json_t *list = json_array();

	if (text)
		check_text(text, collect, &(struct collected){ text, list });
	send_message(s, json_pack("{ss, s{ss, so}}", "method", "textDocument/publishDiagnostics",
				  "params", "uri", uri, "diagnostics", list));
}

/* ---- notifications -------------------------------------------------------------------------- */

static void set_text(struct server *s, const json_t *params, const char *text)
{
	if (!text)
		return;
	json_object_set_new(s->texts, uri_of(params), json_string(text));
	publish(s, uri_of(params), text);
}

static void did_open(struct server *s, const json_t *params)
{
	set_text(s, params, json_string_value(
			    json_object_get(json_object_get(params, "textDocument"), "text")));
}

static void did_change(struct server *s, const json_t *params)
{
	const json_t *changes = json_object_get(params, "contentChanges");
	size_t n = json_array_size(changes);

	/* Texts are sent as a whole (textDocumentSync 1); the last one counts. */
	if (n)
		set_text(s, params, json_string_value(
				    json_object_get(json_array_get(changes, n - 1), "text")));
}

static void did_close(struct server *s, const json_t *params)
{
	json_object_del(s->texts, uri_of(params));
	publish(s, uri_of(params), NULL);
}

/* ---- requests: a result, or NULL for "nothing" ---------------------------------------------- */

static json_t *do_initialize(struct server *s, const json_t *params, const char **refused)
{
	s->begun = true;
	return json_pack("{so, s{ss, ss}}", "capabilities", lsp_capabilities(), "serverInfo",
			 "name", "dtx", "version", dtx_version());
}

static json_t *do_shutdown(struct server *s, const json_t *params, const char **refused)
{
	s->shut = true;
	return NULL;
}

struct completion {
	json_t *range, *items;
};

static void add_item(void *arg, const char *word, const char *about)
{
	struct completion *c = arg;
	json_t *item = json_pack("{ss, s{sO, ss}}", "label", word, "textEdit", "range", c->range,
				 "newText", word);

	if (item && *about)
		json_object_set_new(item, "detail", json_string(about));
	if (item)
		json_array_append_new(c->items, item);
}

static json_t *do_completion(struct server *s, const json_t *params, const char **refused)
{
	const char *text = text_of(s, params);
	struct completion c = { .items = json_array() };

	if (!text)
		return json_pack("{sb, so}", "isIncomplete", 0, "items", c.items);
	struct dtx *d = dtx_open();
	size_t at = place_of(text, params);
	c.range = lsp_range(text, dtx_complete(d, text, at, NULL, NULL), at);
	dtx_complete(d, text, at, add_item, &c);
	json_decref(c.range);
	dtx_close(d);
	/* If there are more, the client asks again with the next letter. */
	bool cut = json_array_size(c.items) >= DTX_CANDIDATES;
	return json_pack("{sb, so}", "isIncomplete", cut, "items", c.items);
}

/* ---- names that the program defines --------------------------------------------------------- */

struct uses {
	const char *text;
	json_t *ranges;
	size_t first, first_end;
};

static void add_use(void *arg, size_t from, size_t to)
{
	struct uses *u = arg;

	if (!json_array_size(u->ranges))
		u->first = from, u->first_end = to;
	json_array_append_new(u->ranges, lsp_range(u->text, from, to));
}

/* All uses of the name at a place; what dtx_uses() says.  The caller releases u->ranges. */
static int find_uses(const char *text, size_t at, struct uses *u)
{
	struct dtx *d = dtx_open();

	*u = (struct uses){ .text = text, .ranges = json_array() };
	int err = dtx_uses(d, text, at, add_use, u);
	dtx_close(d);
	return err;
}

/* The types of all variables, as -S typed prints them; NULL: the program has mistakes.  The caller
 * frees it. */
static char *types_of(const char *text)
{
	char *types = NULL;
	size_t len;
	FILE *to = open_memstream(&types, &len);
	struct dtx *d = dtx_open();

	dtx_on_message(d, ignore_message, NULL);
	dtx_set_option(d, "quiet", NULL);
	dtx_set_option(d, "defaultargs", NULL);
	int err = !to || dtx_program_add(d, DTX_PROG_SCRIPT, "script", text, strlen(text)) ||
		  dtx_dump(d, "typed", to);
	dtx_close(d);
	if (to)
		fclose(to);
	if (!err)
		return types;
	free(types);
	return NULL;
}

/* "variable self->t : uint64_t": is it the name that ends at `to`? */
static bool is_row_of(const char *row, const char *text, size_t from, size_t to)
{
	const char *name = strchr(row, ' ') + 1;
	size_t n = strcspn(name, " [\n");

	return n >= to - from && n <= to && !memcmp(text + to - n, name, n) &&
	       (n == to || n > to - from || !strchr("@>.$", text[to - n - 1]));
}

/* The type of a variable or aggregation; else, and in a program with mistakes, the line where the
 * name was first written, if that is before.  The caller frees it. */
static char *say_own_name(const char *text, size_t at)
{
	struct uses u;
	char *said = NULL, *types;

	if (find_uses(text, at, &u)) {
		json_decref(u.ranges);
		return NULL;
	}
	json_decref(u.ranges);
	types = types_of(text);
	for (char *row = types, *nl; row && (nl = strchr(row, '\n')); row = nl + 1) {
		bool is_own = !strncmp(row, "variable ", 9) || !strncmp(row, "aggregation ", 12);

		if (is_own && !said && is_row_of(row, text, u.first, u.first_end) &&
		    asprintf(&said, "    %.*s\n", (int)(nl - row), row) < 0)
			said = NULL;
	}
	free(types);
	const char *line = text + u.first;
	while (line > text && line[-1] != '\n')
		line--;
	line += strspn(line, " \t");
	if (!said && at > u.first_end &&
	    asprintf(&said, "    %.*s\n", (int)strcspn(line, "\r\n"), line) < 0)
		said = NULL;
	return said;
}

/* ---- requests about the name at a place ----------------------------------------------------- */

static json_t *do_hover(struct server *s, const json_t *params, const char **refused)
{
	const char *text = text_of(s, params);
	json_t *result = NULL;

	if (!text)
		return NULL;
	struct dtx *d = dtx_open();
	char *said = dtx_hover(d, text, place_of(text, params));
	if (!said)
		said = say_own_name(text, place_of(text, params));
	if (said)
		result = json_pack("{s{ss, ss}}", "contents", "kind", "markdown", "value", said);
	free(said);
	dtx_close(d);
	return result;
}

/* The definition of a struct in a file, for the editor to open, until the server ends.  NULL: it
 * cannot be written. */
static json_t *definition_file(struct server *s, const char *definition, unsigned line)
{
	char *path = lsp_definition(&s->folder, definition), *uri = NULL;
	json_t *result = NULL;

	if (path && asprintf(&uri, "file://%s", path) >= 0) {
		json_t *at = json_pack("{si, si}", "line", line, "character", 1);

		json_array_append_new(s->files, json_string(path));
		result = json_pack("{ss, s{sO, so}}", "uri", uri, "range", "start", at, "end", at);
	}
	free(path);
	free(uri);
	return result;
}

static void remove_files(struct server *s)
{
	json_t *path;
	size_t i;

	json_array_foreach(s->files, i, path)
		remove(json_string_value(path));
	if (s->folder)
		remove(s->folder);
	json_decref(s->files);
	free(s->folder);
}

/* Of a name of the program where it is first written: a declaration, a variable's first assignment.
 * Of a member the struct that has it, of a struct its text. */
static json_t *do_definition(struct server *s, const json_t *params, const char **refused)
{
	const char *text = text_of(s, params);
	struct uses u;
	json_t *result = NULL;
	unsigned line;

	if (!text)
		return NULL;
	if (!find_uses(text, place_of(text, params), &u))
		result = json_pack("{ss, so}", "uri", uri_of(params), "range",
				   lsp_range(text, u.first, u.first_end));
	json_decref(u.ranges);
	if (result)
		return result;
	struct dtx *d = dtx_open();
	char *definition = dtx_definition(d, text, place_of(text, params), &line);
	dtx_close(d);
	if (definition)
		result = definition_file(s, definition, line);
	free(definition);
	return result;
}

/* Is it neither a keyword nor a built-in? */
static bool is_free(const char *name)
{
	char *text = NULL;
	struct uses u;

	if (asprintf(&text, "BEGIN { %s = 1; }", name) < 0)
		return false;
	int err = find_uses(text, strlen("BEGIN { "), &u);
	json_decref(u.ranges);
	free(text);
	return !err;
}

static json_t *do_rename(struct server *s, const json_t *params, const char **refused)
{
	const char *text = text_of(s, params);
	const char *to = json_string_value(json_object_get(params, "newName"));
	struct uses u = { 0 };
	json_t *edits = json_array(), *at;
	size_t i;

	int err = text ? find_uses(text, place_of(text, params), &u) : -ENOENT;
	if (err == -EPERM)
		*refused = "this is a name of D: it cannot be changed";
	else if (err)
		*refused = "no name of the program is here";
	else if (!lsp_is_name(to))
		*refused = "the new name must have letters, digits and _, and begin with no digit";
	else if (!is_free(to))
		*refused = "the new name is a word of D";
	json_array_foreach(u.ranges, i, at)
		json_array_append_new(edits, json_pack("{sO, ss}", "range", at, "newText",
						       to ? to : ""));
	json_decref(u.ranges);
	if (!*refused)
		return json_pack("{s{so}}", "changes", uri_of(params), edits);
	json_decref(edits);
	return NULL;
}

/* Each use of the name, as an object that has its range; `uri`: it has that, too. */
static json_t *list_uses(struct server *s, const json_t *params, const char *uri)
{
	const char *text = text_of(s, params);
	json_t *list = json_array(), *at;
	struct uses u = { 0 };
	size_t i;

	if (text)
		find_uses(text, place_of(text, params), &u);
	json_array_foreach(u.ranges, i, at)
		json_array_append_new(list, json_pack("{sO, ss*}", "range", at, "uri", uri));
	json_decref(u.ranges);
	return list;
}

static json_t *do_references(struct server *s, const json_t *params, const char **refused)
{
	return list_uses(s, params, uri_of(params));
}

static json_t *do_highlight(struct server *s, const json_t *params, const char **refused)
{
	return list_uses(s, params, NULL);
}

static json_t *do_formatting(struct server *s, const json_t *params, const char **refused)
{
	const char *text = text_of(s, params);

	if (!text)
		return NULL;
	char *formatted = dtx_format(text);
	json_t *edits = json_array();
	if (strcmp(text, formatted))
		json_array_append_new(edits, json_pack("{so, ss}", "range",
						       lsp_range(text, 0, strlen(text)), "newText",
						       formatted));
	free(formatted);
	return edits;
}

static json_t *do_actions(struct server *s, const json_t *params, const char **refused)
{
	const char *text = text_of(s, params);
	const json_t *range = json_object_get(params, "range");
	const json_t *from = json_object_get(range, "start"), *to = json_object_get(range, "end");

	if (!text)
		return NULL;
	return lsp_fixes(text, uri_of(params),
			 lsp_offset(text, json_integer_value(json_object_get(from, "line")),
				    json_integer_value(json_object_get(from, "character"))),
			 lsp_offset(text, json_integer_value(json_object_get(to, "line")),
				    json_integer_value(json_object_get(to, "character"))),
			 check_text);
}

static json_t *do_symbols(struct server *s, const json_t *params, const char **refused)
{
	const char *text = text_of(s, params);

	return text ? lsp_symbols(text) : NULL;
}

static json_t *do_tokens(struct server *s, const json_t *params, const char **refused)
{
	const char *text = text_of(s, params);

	return text ? lsp_tokens(text) : NULL;
}

static json_t *do_signature(struct server *s, const json_t *params, const char **refused)
{
	const char *text = text_of(s, params);

	return text ? lsp_signature(text, place_of(text, params)) : NULL;
}

/* ---- the loop ------------------------------------------------------------------------------- */

static const struct {
	const char *method;
	json_t *(*answer)(struct server *, const json_t *params, const char **refused);
	void (*note)(struct server *, const json_t *params);
} methods[] = {
	{ "initialize", do_initialize, NULL },
	{ "shutdown", do_shutdown, NULL },
	{ "textDocument/completion", do_completion, NULL },
	{ "textDocument/hover", do_hover, NULL },
	{ "textDocument/definition", do_definition, NULL },
	{ "textDocument/rename", do_rename, NULL },
	{ "textDocument/references", do_references, NULL },
	{ "textDocument/documentHighlight", do_highlight, NULL },
	{ "textDocument/formatting", do_formatting, NULL },
	{ "textDocument/codeAction", do_actions, NULL },
	{ "textDocument/documentSymbol", do_symbols, NULL },
	{ "textDocument/signatureHelp", do_signature, NULL },
	{ "textDocument/semanticTokens/full", do_tokens, NULL },
	{ "textDocument/didOpen", NULL, did_open },
	{ "textDocument/didChange", NULL, did_change },
	{ "textDocument/didClose", NULL, did_close },
};

/* A request before initialize or after shutdown is refused; a notification is dropped. */
static bool comes_in_time(struct server *s, const char *method, json_t *id)
{
	bool first = !strcmp(method, "initialize");

	if (!strcmp(method, "exit") || (s->begun != first && !s->shut))
		return true;
	if (id && !s->begun)
		reply_error(s, id, NOT_INITIALIZED, "initialize comes first");
	else if (id)
		reply_error(s, id, BAD_REQUEST, s->shut ? "the server was shut down"
							: "initialize comes only once");
	return false;
}

static void handle(struct server *s, json_t *message)
{
	const char *method = json_string_value(json_object_get(message, "method"));
	json_t *id = json_object_get(message, "id"), *params = json_object_get(message, "params");

	if (!method)
		return;                  /* an answer; the server asks nothing */
	if (!comes_in_time(s, method, id))
		return;
	if (!strcmp(method, "exit"))
		s->ended = true;
	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
		const char *refused = NULL;

		if (strcmp(methods[i].method, method))
			continue;
		if (methods[i].note) {
			methods[i].note(s, params);
			return;
		}
		if (!id)
			return;
		json_t *result = methods[i].answer(s, params, &refused);
		if (refused)
			reply_error(s, id, REFUSED, refused);
		else
			reply(s, id, result);
		return;
	}
	if (id)
		reply_error(s, id, METHOD_UNKNOWN, "dtx does not have this method");
}

int lsp_serve(FILE *in, FILE *out)
{
	struct server s = { .in = in, .out = out, .texts = json_object(),
			    .files = json_array() };

	while (!s.ended) {
		bool bad;
		json_t *message = receive(&s, &bad);

		if (!message && !bad)
			break;
		if (message)
			handle(&s, message);
		else
			reply_error(&s, NULL, PARSE_ERROR, "this is no message of JSON-RPC");
		json_decref(message);
	}
	json_decref(s.texts);
	remove_files(&s);
	return s.shut || !s.ended ? STATUS_OK : STATUS_FAILED;
}
