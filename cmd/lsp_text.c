/* SPDX-License-Identifier: BSD-2-Clause */
/* lsp_text.c - places in a text as editors count them, and the uses of a name. */
#include <ctype.h>
#include <string.h>

#include "cmd/lsp.h"

/* Bytes of the character at p, and its units of UTF-16. */
static size_t char_len(const char *p, int *units)
{
	unsigned char c = *p;
	size_t n = c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4, i = 1;

	while (i < n && ((unsigned char)p[i] & 0xc0) == 0x80)
		i++;
	*units = i == 4 ? 2 : 1;
	return i;
}

size_t lsp_offset(const char *text, long line, long character)
{
	const char *p = text;
	int units;

	for (; line > 0; line--) {
		const char *nl = strchr(p, '\n');
		if (!nl)
			return strlen(text);
		p = nl + 1;
	}
	while (character > 0 && *p && *p != '\n') {
		p += char_len(p, &units);
		character -= units;
	}
	return p - text;
}

void lsp_position(const char *text, size_t at, long *line, long *character)
{
	int units;

	*line = *character = 0;
	for (const char *p = text; *p && p < text + at;) {
		size_t n = char_len(p, &units);

		*character += units;
		if (*p == '\n') {
			++*line;
			*character = 0;
		}
		p += n;
	}
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static const char *sigil_before(const char *text, size_t at)
{
	static const char *const sigils[] = { "@", "self->", "this->" };

	for (size_t i = 0; i < sizeof(sigils) / sizeof(*sigils); i++) {
		size_t n = strlen(sigils[i]);

		if (at >= n && !memcmp(text + at - n, sigils[i], n))
			return sigils[i];
	}
	return "";
}

/* A member, a macro variable, a kernel symbol: not a name of the program. */
static bool is_foreign(const char *text, size_t from, const char *sigil)
{
	if (*sigil || !from)
		return false;
	return strchr(".$`:", text[from - 1]) || (text[from - 1] == '>' && from > 1 &&
						  text[from - 2] == '-');
}

/* Comments and strings from *at on; false: there is none. */
static bool skip_quiet(const char *text, size_t *at)
{
	const char *p = text + *at, *end = NULL;

	if (p[0] == '/' && (p[1] == '*' || p[1] == '/')) {
		end = strstr(p + 2, p[1] == '*' ? "*/" : "\n");
		end = end ? end + (p[1] == '*' ? 2 : 1) : p + strlen(p);
	} else if (*p == '"') {
		for (end = p + 1; *end && *end != '"' && *end != '\n'; end++)
			end += *end == '\\' && end[1];
		end += *end == '"';
	}
	if (end)
		*at = end - text;
	return end;
}

/* The next name of the program from *at on. */
static bool next_name(const char *text, size_t *at, struct lsp_name *name)
{
	while (text[*at]) {
		if (skip_quiet(text, at))
			continue;
		if (!is_word(text[*at])) {
			++*at;
			continue;
		}
		name->from = *at;
		while (is_word(text[*at]))
			++*at;
		name->to = *at;
		name->sigil = sigil_before(text, name->from);
		if (!isdigit((unsigned char)text[name->from]) &&
		    !is_foreign(text, name->from, name->sigil))
			return true;
	}
	return false;
}

bool lsp_name_at(const char *text, size_t at, struct lsp_name *name)
{
	size_t p = 0;

	while (next_name(text, &p, name) && name->from <= at)
		if (at <= name->to)
			return true;
	return false;
}

bool lsp_next_use(const char *text, const struct lsp_name *name, size_t *at, struct lsp_name *use)
{
	size_t n = name->to - name->from;

	while (next_name(text, at, use))
		if (use->to - use->from == n && !memcmp(text + use->from, text + name->from, n) &&
		    !strcmp(use->sigil, name->sigil))
			return true;
	return false;
}
