/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cursor.c - where a place of an unfinished text is: in a probe description, in an expression, in
 * a pragma.  It reads brackets, comments and strings only, so mistakes elsewhere do not matter.
 */
#include <ctype.h>
#include <string.h>

#include "compiler/edit/edit.h"

struct scan {
	const char *text;
	size_t at, end;
	u32 depth;               /* of brackets; 0: outside of clauses */
	bool predicate;
	bool idle;               /* in a comment or a string that has not ended */
	size_t probe, probe_end; /* the descriptions so far */
};

bool cursor_in_path(const char *word, const char *slash)
{
	static const char *const users[] = { "uprobe:", "uretprobe:", "usdt:", "u:", "ur:", "U:" };
	size_t n = 0;

	for (u32 i = 0; !n && i < ARRAY_SIZE(users); i++)
		if ((size_t)(slash - word) >= strlen(users[i]) &&
		    !strncmp(word, users[i], strlen(users[i])))
			n = strlen(users[i]);
	return n && !memchr(word + n, ':', slash - word - n);
}

/* Is the slash at `at` one in a path of the last description? */
static bool scan_path(const struct scan *s)
{
	const char *slash = s->text + s->at, *word = slash;

	while (word > s->text + s->probe && !strchr(", \t\r\n", word[-1]))
		word--;
	return cursor_in_path(word, slash);
}

/* Skips to the end of a comment or string that begins at `at`; false: there is none. */
static bool skip_quiet(struct scan *s)
{
	const char *p = s->text + s->at;
	size_t left = s->end - s->at, n = 0;

	if (*p == '/' && left > 1 && (p[1] == '*' || p[1] == '/')) {
		const char *close = p[1] == '*' ? "*/" : "\n", *found;

		found = memmem(p + 2, left - 2, close, strlen(close));
		s->idle = !found;
		n = found ? (size_t)(found - p) + strlen(close) : left;
	} else if (*p == '"' || (*p == '\'' && s->depth)) {
		for (n = 1; n < left && p[n] != *p && p[n] != '\n'; n++)
			n += p[n] == '\\' && n + 1 < left;
		s->idle = n >= left;
		n = MIN(n + 1, left);
	}
	s->at += n;
	return n;
}

/* A slash ends a predicate if a clause, or nothing, follows. */
static bool ends_predicate(const struct scan *s)
{
	size_t i = s->at + 1;

	while (i < s->end && isspace((unsigned char)s->text[i]))
		i++;
	return i == s->end || s->text[i] == '{' || s->text[i] == ';';
}

static void scan_outside(struct scan *s, char c)
{
	if (c == '/' && !scan_path(s)) {
		s->predicate = true;
	} else if (c == '{') {
		s->depth = 1;
	} else if (c == ';' || c == '}') {
		s->probe = s->probe_end = s->at + 1;
		return;
	}
	if (s->predicate || s->depth)
		return;
	if (isspace((unsigned char)c) && s->probe == s->at)
		s->probe++;
	else
		s->probe_end = s->at + 1;
}

static void scan_inside(struct scan *s, char c)
{
	if (c == '/' && s->predicate && !s->depth && ends_predicate(s)) {
		s->predicate = false;
		return;
	}
	s->depth += c == '{' || c == '(' || c == '[';
	if ((c == '}' || c == ')' || c == ']') && s->depth)
		s->depth--;
	if (!s->depth && !s->predicate && c == '}')
		s->probe = s->probe_end = s->at + 1;
}

/* A line that begins with #; false: it does not. */
static bool scan_control(struct scan *s)
{
	const char *nl;

	if (s->text[s->at] != '#' || (s->at && s->text[s->at - 1] != '\n'))
		return false;
	nl = memchr(s->text + s->at, '\n', s->end - s->at);
	if (!nl)
		return false;
	s->at = nl - s->text;
	if (!s->depth && !s->predicate)
		s->probe = s->probe_end = s->at + 1;
	return true;
}

static bool in_option(const char *text, size_t at)
{
	size_t line = at;

	while (line && text[line - 1] != '\n')
		line--;
	return at - line >= 17 && !strncmp(text + line, "#pragma D option ", 17);
}

/* Where "args[0]->x." begins: identifiers, indices, dots and arrows before `at`. */
static size_t path_begin(const char *text, size_t at)
{
	while (at) {
		char c = text[at - 1];

		if (name_char(c) || c == '.' || (c == '>' && at > 1 && text[at - 2] == '-') ||
		    (c == '-' && text[at] == '>')) {
			at--;
		} else if (c == ']') {
			while (at && text[at - 1] != '[')
				at--;
			at -= at > 0;
		} else {
			break;
		}
	}
	return at;
}

struct cursor cursor_find(const char *text, size_t at)
{
	struct scan s = { .text = text, .end = at };
	struct cursor c = { 0 };

	while (s.at < s.end) {
		bool inside = s.depth || s.predicate;

		if (scan_control(&s))
			continue;
		if ((text[s.at] == '/' || inside) && skip_quiet(&s)) {
			if (!inside && s.probe_end <= s.probe)
				s.probe = s.probe_end = s.at;
			continue;
		}
		if (inside)
			scan_inside(&s, text[s.at]);
		else
			scan_outside(&s, text[s.at]);
		s.at++;
	}
	c.where = s.idle ? AT_NOTHING : s.depth || s.predicate ? AT_EXPRESSION : AT_PROBE;
	if (c.where == AT_PROBE && in_option(text, at))
		c.where = AT_OPTION;
	c.from = at;
	while (c.from && (c.where == AT_PROBE || c.where == AT_OPTION
				  ? !strchr(" \t\n,{};", text[c.from - 1])
				  : name_char(text[c.from - 1])))
		c.from--;
	c.path = c.where == AT_EXPRESSION ? path_begin(text, c.from) : c.from;
	c.probe = s.probe;
	c.probe_end = MAX(s.probe, s.probe_end);
	return c;
}

size_t cursor_word_end(const char *text, size_t len, size_t at)
{
	while (at < len && name_char(text[at]))
		at++;
	return at;
}
