/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lsp_actions.c - what an editor offers beside the text: quick fixes, the outline, the arguments of
 * a call; and the list of what the server can.
 */
#include <dtx.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/lsp/lsp.h"

json_t *lsp_range(const char *text, size_t from, size_t to)
{
	long line, column, end_line, end_column;

	lsp_position(text, from, &line, &column);
	lsp_position(text, to, &end_line, &end_column);
	return json_pack("{s{si, si}, s{si, si}}", "start", "line", (int)line, "character",
			 (int)column, "end", "line", (int)end_line, "character", (int)end_column);
}

/* The position after the string or comment at p; p if it is none. */
static const char *after_quoted(const char *p)
{
	const char *end;

	if (!strncmp(p, "/*", 2)) {
		end = strstr(p + 2, "*/");
		return end ? end + 2 : p + strlen(p);
	}
	if (*p == '#' || !strncmp(p, "//", 2))
		return p + strcspn(p, "\n");
	if (*p != '"' && *p != '\'')
		return p;
	for (end = p + 1; *end && *end != *p && *end != '\n'; end++)
		end += *end == '\\' && end[1];
	return *end ? end + 1 : end;
}

/* ---- quick fixes -------------------------------------------------------------------- */

struct fixes {
	const char *text, *uri;
	size_t from, to;         /* what the editor asks about */
	json_t *list;
};

static void add_fix(struct fixes *f, size_t from, size_t to, const char *new)
{
	char *title = NULL;

	if (asprintf(&title, "write '%s'", new) < 0)
		return;
	json_array_append_new(f->list, json_pack("{ss, ss, sb, s{s{s[{so, ss}]}}}", "title", title,
		"kind", "quickfix", "isPreferred", 1, "edit", "changes", f->uri, "range",
		lsp_range(f->text, from, to), "newText", new));
	free(title);
}

/* "did you mean 'a', 'b' or 'c'?": each of them.  '==' stands for the '=' after the place. */
static void fixes_meant(struct fixes *f, const struct dtx_message *m, const char *names)
{
	size_t from = m->at.from, to = m->at.to;

	for (const char *open = strchr(names, '\''), *end; open; open = strchr(end + 1, '\'')) {
		end = strchr(open + 1, '\'');
		if (!end)
			return;
		char *name = strndup(open + 1, (size_t)(end - open - 1));
		const char *equals = strchr(f->text + to, '=');

		if (name && !strcmp(name, "==") && equals)
			add_fix(f, (size_t)(equals - f->text), (size_t)(equals + 1 - f->text),
				name);
		else if (name && strcmp(name, "=="))
			add_fix(f, from, to, name);
		free(name);
	}
}

/* "it has fd, buf, count": each of them. */
static void fixes_listed(struct fixes *f, const struct dtx_message *m, const char *names)
{
	while (*names) {
		size_t n = strcspn(names, ", ");
		char *name = strndup(names, n);

		if (name && n && strcmp(name, "and"))
			add_fix(f, m->at.from, m->at.to, name);
		free(name);
		names += n + strspn(names + n, ", ");
	}
}

/* After the last word before the place: comments and line breaks stay behind the ';'. */
static void fix_semicolon(struct fixes *f, size_t at)
{
	const char *p = f->text, *end = p, *next;

	while (p < f->text + at) {
		bool begins = p == f->text || p[-1] == '\n';

		next = *p == '#' && !begins ? p : after_quoted(p);
		if (next == p && isspace((unsigned char)*p)) {
			p++;
			continue;
		}
		if (next == p || *p == '"' || *p == '\'')
			end = next == p ? p + 1 : next;
		p = next == p ? p + 1 : next;
	}
	add_fix(f, (size_t)(end - f->text), (size_t)(end - f->text), ";");
}

static void collect_fix(void *arg, const struct dtx_message *m)
{
	static const char meant[] = "did you mean '", has[] = "it has ", near[] = "near it: ";
	static const char semicolon[] = "is a ';' missing before it?";
	static const char address[] = "the address of a string of the program: ";
	struct fixes *f = arg;
	size_t length = strlen(f->text);
	const char *said = m->hint ? m->hint : "", *in_text = m->text ? m->text : "", *at;

	if (m->kind != DTX_DIAGNOSTIC || !m->at.text || m->at.from > length || m->at.to > length ||
	    m->at.from > f->to || m->at.to < f->from)
		return;
	if (m->fixit)
		add_fix(f, m->at.from, m->at.to, m->fixit);
	else if ((at = strstr(said, meant)))
		fixes_meant(f, m, at);
	else if (!strcmp(said, semicolon))
		fix_semicolon(f, m->at.from);
	else if ((at = strstr(said, address)))
		add_fix(f, m->at.from, m->at.to, at + strlen(address));
	else if (!strncmp(said, near, strlen(near)))
		fixes_listed(f, m, said + strlen(near));
	else if (!strncmp(said, has, strlen(has)))
		fixes_listed(f, m, said + strlen(has));
	else if ((at = strstr(in_text, meant)))
		fixes_meant(f, m, at);
}

json_t *lsp_fixes(const char *text, const char *uri, size_t from, size_t to,
		  void (*check)(const char *text, dtx_message_fn *, void *arg))
{
	struct fixes f = { text, uri, from, to, json_array() };

	check(text, collect_fix, &f);
	return f.list;
}

/* ---- the outline -------------------------------------------------------------------- */

/* After the '}' of the '{' at p. */
static const char *after_body(const char *p)
{
	int depth = 0;

	while (*p) {
		const char *next = after_quoted(p);

		if (next > p) {
			p = next;
			continue;
		}
		depth += (*p == '{') - (*p == '}');
		p++;
		if (!depth)
			break;
	}
	return p;
}

/* One line: blanks are one. */
static char *one_line(const char *from, const char *to)
{
	char *name = malloc((size_t)(to - from) + 1), *out = name;

	for (const char *p = from; name && p < to; p++) {
		if (!isspace((unsigned char)*p))
			*out++ = *p;
		else if (out > name && out[-1] != ' ')
			*out++ = ' ';
	}
	while (name && out > name && out[-1] == ' ')
		out--;
	if (name)
		*out = '\0';
	return name;
}

enum { KIND_FUNCTION = 12, KIND_VARIABLE = 13 };

/* A clause, or a declaration that ends with ';': a struct, an inline, a variable. */
static void add_symbol(json_t *list, const char *text, const char *from, const char *head,
		       const char *to, bool clause)
{
	char *name = one_line(from, head);

	if (name && *name)
		json_array_append_new(list, json_pack("{ss, si, so, so}", "name", name, "kind",
			clause ? KIND_FUNCTION : KIND_VARIABLE, "range",
			lsp_range(text, (size_t)(from - text), (size_t)(to - text)),
			"selectionRange",
			lsp_range(text, (size_t)(from - text), (size_t)(head - text))));
	free(name);
}

json_t *lsp_symbols(const char *text)
{
	const char *from = NULL, *p = text, *next, *body;
	json_t *list = json_array();

	while (*p) {
		next = after_quoted(p);
		if (next == p && !isspace((unsigned char)*p) && !from)
			from = p;
		if (next > p) {
			p = next;
		} else if (*p == '{') {
			body = after_body(p);
			next = body + strspn(body, " \t\r\n");
			add_symbol(list, text, from, p, body, *next != ';');
			p = *next == ';' ? next + 1 : body;
			from = NULL;
		} else if (*p == ';') {
			if (from < p)
				add_symbol(list, text, from, p, p + 1, false);
			from = NULL;
			p++;
		} else {
			p++;
		}
	}
	return list;
}

/* ---- the arguments of a call ---------------------------------------------------------- */

/* The '(' that is open at `at`, and how many ',' are after it; NULL: none. */
static const char *open_call(const char *text, size_t at, int *commas)
{
	const char *open[64];
	int count[64] = { 0 }, depth = 0;

	for (const char *p = text; *p && p < text + at;) {
		const char *next = after_quoted(p);

		if (next > p) {
			p = next;
			continue;
		}
		if (*p == '(' && depth < 64) {
			open[depth] = p;
			count[depth++] = 0;
		} else if (*p == ')' && depth) {
			depth--;
		} else if (strchr("{};", *p)) {
			depth = 0;
		} else if (*p == ',' && depth) {
			count[depth - 1]++;
		}
		p++;
	}
	*commas = depth ? count[depth - 1] : 0;
	return depth ? open[depth - 1] : NULL;
}

json_t *lsp_signature(const char *text, size_t at)
{
	int commas;
	const char *open = open_call(text, at, &commas), *line, *end;
	char *hover = NULL, *label = NULL;
	json_t *result = NULL;

	if (open > text && (isalnum((unsigned char)open[-1]) || open[-1] == '_')) {
		struct dtx *d = dtx_open();

		hover = dtx_hover(d, text, (size_t)(open - text) - 1);
		dtx_close(d);
	}
	/* The prototype is the line that has the bracket. */
	for (line = hover; line && *line && !result; line = *end ? end + 1 : end) {
		end = line + strcspn(line, "\n");
		line += strspn(line, " ");
		if (!memchr(line, '(', (size_t)(end - line)) || *line == '#' || *line == '`')
			continue;
		label = strndup(line, (size_t)(end - line));
		if (label)
			result = json_pack("{s[{ss}], si, si}", "signatures", "label", label,
					   "activeSignature", 0, "activeParameter", commas);
		free(label);
	}
	free(hover);
	return result;
}

/* ---- what the server can ---------------------------------------------------------------- */

json_t *lsp_capabilities(void)
{
	return json_pack("{si, sb, sb, sb, sb, sb, sb, sb, sb, s{s[ss]}, s{s[ssssss]}, so}",
			 "textDocumentSync", 1, "hoverProvider", 1, "definitionProvider", 1,
			 "documentFormattingProvider", 1, "renameProvider", 1, "referencesProvider",
			 1, "documentHighlightProvider", 1, "codeActionProvider", 1,
			 "documentSymbolProvider", 1, "signatureHelpProvider", "triggerCharacters",
			 "(", ",", "completionProvider", "triggerCharacters", ":", ".", ">", "@",
			 "$", "`", "semanticTokensProvider", lsp_legend());
}
