/* SPDX-License-Identifier: BSD-2-Clause */
/* lsp_tokens.c - semantic tokens: what each word of a text is, as the compiler reads it. */
#include <dtx.h>

#include <string.h>

#include "cmd/lsp/lsp.h"

/* Names of the protocol (LSP 3.17, SemanticTokenTypes). */
static const char *const names[DTX_TOKENS] = {
	[DTX_TOKEN_NONE] = "",
	[DTX_TOKEN_KEYWORD] = "keyword",   [DTX_TOKEN_TYPE] = "type",
	[DTX_TOKEN_VARIABLE] = "variable", [DTX_TOKEN_PROPERTY] = "property",
	[DTX_TOKEN_FUNCTION] = "function", [DTX_TOKEN_PROBE] = "event",
	[DTX_TOKEN_MACRO] = "macro",       [DTX_TOKEN_NUMBER] = "number",
	[DTX_TOKEN_STRING] = "string",     [DTX_TOKEN_OPERATOR] = "operator",
	[DTX_TOKEN_COMMENT] = "comment",
};

json_t *lsp_legend(void)
{
	json_t *types = json_array();

	for (int i = DTX_TOKEN_NONE + 1; i < DTX_TOKENS; i++)
		json_array_append_new(types, json_string(names[i]));
	return json_pack("{s{so, s[]}, sb}", "legend", "tokenTypes", types, "tokenModifiers",
			 "full", 1);
}

struct tokens {
	const char *text;
	json_t *data;
	size_t done;             /* bytes of the text whose place is known */
	long line, column;       /* their place */
	long last_line, last_column;     /* of the token before */
};

/* Five numbers a token: its line and column after the token before, length, type, modifiers.  Each
 * line of a comment is one, as clients expect. */
static void add_line(struct tokens *t, int kind, size_t from, size_t to)
{
	long line, column, length, unused;

	lsp_position(t->text + t->done, from - t->done, &line, &column);
	t->column = line ? column : t->column + column;
	t->line += line;
	t->done = from;
	lsp_position(t->text + from, to - from, &unused, &length);
	long numbers[] = {
		t->line - t->last_line,
		t->line > t->last_line ? t->column : t->column - t->last_column,
		length, kind - 1, 0
	};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		json_array_append_new(t->data, json_integer(numbers[i]));
	t->last_line = t->line;
	t->last_column = t->column;
}

static void add_token(void *arg, int kind, size_t from, size_t to)
{
	struct tokens *t = arg;

	while (from < to) {
		const char *nl = memchr(t->text + from, '\n', to - from);
		size_t end = nl ? (size_t)(nl - t->text) : to, stop = end;

		while (stop > from && t->text[stop - 1] == '\r')
			stop--;
		if (stop > from)
			add_line(t, kind, from, stop);
		from = end + 1;
	}
}

static void ignore(void *arg, const struct dtx_message *m)
{
}

json_t *lsp_tokens(const char *text)
{
	struct tokens t = { .text = text, .data = json_array() };
	struct dtx *d = dtx_open();

	dtx_on_message(d, ignore, NULL);
	dtx_set_option(d, "defaultargs", NULL);
	dtx_set_option(d, "cpp", "off");         /* places are of the text as it is written */
	if (!dtx_program_add(d, DTX_PROG_SCRIPT, "script", text, strlen(text)))
		dtx_tokens(d, add_token, &t);
	dtx_close(d);
	return json_pack("{so}", "data", t.data);
}
