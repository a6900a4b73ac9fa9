/* SPDX-License-Identifier: BSD-2-Clause */
/* lsp_text.c - places in a text as editors count them. */
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

bool lsp_is_name(const char *s)
{
	return s && *s && !strchr("0123456789", *s) &&
	       strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
		       strlen(s);
}
