/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * foreign_text.c - pieces of a program's text: words, quotes, brackets, statements.
 */
#include <ctype.h>

#include "compiler/front/foreign/foreign.h"

u32 foreign_blanks(const char *text, u32 at, u32 end)
{
	while (at < end && isspace((unsigned char)text[at]))
		at++;
	return at;
}

u32 foreign_word_end(const char *text, u32 at, u32 end)
{
	while (at < end && name_char(text[at]))
		at++;
	return at;
}

/* The position after the string or comment at `at`, if there is one. */
u32 foreign_quoted(const char *text, u32 at, u32 end)
{
	if (!strncmp(text + at, "/*", 2)) {
		const char *close = strstr(text + at + 2, "*/");

		return close ? MIN((u32)(close + 2 - text), end) : end;
	}
	if (!strncmp(text + at, "//", 2) && (!at || isspace((unsigned char)text[at - 1])))
		return MIN(at + (u32)strcspn(text + at, "\n"), end);
	if (text[at] != '"')
		return at;
	for (at++; at < end && text[at] != '"' && text[at] != '\n'; at++)
		at += text[at] == '\\';
	return MIN(at + 1, end);
}

u32 foreign_closed(const char *text, u32 at, u32 end)
{
	u32 depth = 0, next;

	if (at == end || !strchr("([{", text[at]))
		return at;
	for (u32 i = at; i < end; i = next) {
		next = foreign_quoted(text, i, end);
		if (next > i)
			continue;
		next = i + 1;
		depth += strchr("([{", text[i]) ? 1 : 0;
		depth -= strchr(")]}", text[i]) ? 1 : 0;
		if (!depth)
			return next;
	}
	return at;
}

bool foreign_follows(const char *text, u32 at, char c)
{
	while (at && isspace((unsigned char)text[at - 1]))
		at--;
	return at && text[at - 1] == c;
}

bool foreign_is(const char *text, u32 len, const char *word)
{
	return strlen(word) == len && !memcmp(word, text, len);
}

u32 foreign_word_before(const char *text, u32 at, u32 *from)
{
	u32 end;

	while (at && isspace((unsigned char)text[at - 1]))
		at--;
	for (end = at; at && name_char(text[at - 1]); )
		at--;
	*from = at;
	return end - at;
}

/* The statement around `at`: the text between two of { } ; outside strings. */
void foreign_around(const struct source *src, u32 at, u32 *from, u32 *to)
{
	u32 next;

	*from = 0;
	for (u32 i = 0; i < src->len; i = next) {
		next = foreign_quoted(src->text, i, src->len);
		if (next > i)
			continue;
		next = i + 1;
		if (!strchr("{};", src->text[i]))
			continue;
		*to = i;
		if (i >= at)
			return;
		*from = i + 1;
	}
	*to = src->len;
}
