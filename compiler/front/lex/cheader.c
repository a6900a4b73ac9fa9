/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cheader.c - C constructs in headers that D does not have: functions with bodies,
 * assertions, a comma after the last enumerator.  They are blanked where the
 * preprocessor's output comes from another file than the script; line numbers do not
 * change.
 * Why: docs/decisions/10-library-on-demand.md
 */
#include <ctype.h>
#include <stdlib.h>

#include "compiler/front/front.h"

struct header {
	char *text, *end;
	const char *script;
	size_t script_len;
	bool inside;             /* of a header */
};

static char *line_end(const struct header *h, char *s)
{
	char *nl = memchr(s, '\n', h->end - s);

	return nl ? nl : h->end;
}

static bool is_marker(const struct header *h, const char *s)
{
	return *s == '#' && (s == h->text || s[-1] == '\n');
}

bool cheader_is(struct range at)
{
	const char *file;
	u32 line, col;

	source_place(at.src, at.from, &file, &line, &col);
	return strcmp(file, at.src->name);
}

static void blank(const struct header *h, char *from, const char *to)
{
	while (from < to) {
		if (is_marker(h, from))
			from = line_end(h, from);
		else if (*from != '\n')
			*from++ = ' ';
		else
			from++;
	}
}

/* # 33 "/usr/include/x.h" 1 3: names the file of the following lines. */
static char *marker(struct header *h, char *s)
{
	char *end = line_end(h, s), *name = memchr(s, '"', end - s), *close;

	close = name ? memchr(name + 1, '"', end - name - 1) : NULL;
	if (close)
		h->inside = (size_t)(close - name - 1) != h->script_len ||
			    memcmp(name + 1, h->script, h->script_len);
	return end;
}

/* The text after the string or character constant at s. */
static char *quoted(const struct header *h, char *s)
{
	char quote = *s++;

	while (s < h->end && *s != quote && *s != '\n')
		s += *s == '\\' && s + 1 < h->end ? 2 : 1;
	return s < h->end ? s + 1 : h->end;
}

static bool cheader_is_word(const char *s, const char *end, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(end - s) >= n && !memcmp(s, word, n) &&
	       (s + n == end || !name_char(s[n]));
}

/* The text after the attribute at s: it may be between the name of a struct, or a
 * function, and the braces. */
static char *attribute(const struct header *h, char *s)
{
	u32 depth = 0;

	for (s += strlen("__attribute__"); s < h->end; s++) {
		if (*s == '"')
			s = quoted(h, s) - 1;
		depth += *s == '(';
		if (*s == ')' && --depth == 0)
			return s + 1;
		if (!depth && !isspace((unsigned char)*s))
			break;
	}
	return s;
}

/*
 * The declaration at s: up to its semicolon, or to the end of its body.  The braces
 * of a body follow a parenthesis; those of a struct or an initialiser follow a word
 * or '='.
 */
static char *external(struct header *h, char *s)
{
	char *from = s, *last = s;
	u32 depth = 0;
	bool body = cheader_is_word(s, h->end, "_Static_assert");

	for (; s < h->end; s++) {
		if (*s == '"' || *s == '\'') {
			s = quoted(h, s) - 1;
		} else if (is_marker(h, s)) {
			s = marker(h, s) - 1;
			continue;
		} else if (cheader_is_word(s, h->end, "__attribute__")) {
			s = attribute(h, s) - 1;
			continue;
		} else if (strchr("([{", *s)) {
			body |= *s == '{' && !depth && *last == ')';
			depth++;
		} else if (strchr(")]}", *s)) {
			depth -= depth > 0;
		}
		if (*s == '}' && *last == ',')
			*last = ' ';
		if (!isspace((unsigned char)*s))
			last = s;
		if (!depth && (*s == ';' || (body && *s == '}')))
			break;
	}
	if (s < h->end)
		s++;
	if (body)
		blank(h, from, s);
	return s;
}

void cheader_blank(char *text, size_t len, const char *script)
{
	struct header h = { text, text + len, script, strlen(script), false };

	for (char *s = text; s < h.end; ) {
		if (is_marker(&h, s))
			s = marker(&h, s);
		else if (!h.inside)
			s = line_end(&h, s);
		else if (!isspace((unsigned char)*s) && *s != ';')
			s = external(&h, s);
		else
			s++;
		if (!h.inside && s < h.end && *s == '\n')
			s++;
	}
}
