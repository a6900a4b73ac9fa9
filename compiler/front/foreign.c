/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * foreign.c - bpftrace programs given to dtx: what to write instead, and the statement
 * rewritten in D.
 *
 * It works on the text, because a syntax error has no tree.
 */
#include <ctype.h>
#include <stdlib.h>

#include "compiler/front/front.h"

static bool foreign_is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static u32 skip_blanks(const char *text, u32 at, u32 end)
{
	while (at < end && isspace((unsigned char)text[at]))
		at++;
	return at;
}

static u32 skip_word(const char *text, u32 at, u32 end)
{
	while (at < end && foreign_is_word(text[at]))
		at++;
	return at;
}

/* The position after the string or comment at `at`, if there is one. */
static u32 skip_quoted(const char *text, u32 at, u32 end)
{
	if (!strncmp(text + at, "/*", 2)) {
		const char *close = strstr(text + at + 2, "*/");

		return close ? MIN((u32)(close + 2 - text), end) : end;
	}
	if (text[at] != '"')
		return at;
	for (at++; at < end && text[at] != '"' && text[at] != '\n'; at++)
		at += text[at] == '\\';
	return MIN(at + 1, end);
}

/* ---- hints --------------------------------------------------------------------- */

/* Length of the name that ends before text + at, ignoring blanks; *from: where it begins. */
static u32 word_before(const char *text, u32 at, u32 *from)
{
	u32 end;

	while (at && isspace((unsigned char)text[at - 1]))
		at--;
	for (end = at; at && foreign_is_word(text[at - 1]); )
		at--;
	*from = at;
	return end - at;
}

/* Position of the opening bracket around text + at, or of the one closed just before it. */
static u32 bracket_before(const char *text, u32 at)
{
	u32 depth = 0;

	while (at && isspace((unsigned char)text[at - 1]))
		at--;
	at -= at && text[at - 1] == ')';
	for (; at; at--) {
		char c = text[at - 1];

		if (c == '(' && !depth)
			return at - 1;
		if (c == '{' || c == '}' || c == ';')
			return 0;
		depth += (c == ')') - (c == '(');
	}
	return 0;
}

#define COUNTED "loops count: for (this->i = 0; this->i < N; this->i++) { … }"

/* @[] = …, @name[] = … */
static const char *empty_key(struct arena *a, const char *text, u32 at)
{
	u32 from, n;

	if (text[at] != ']' || !at || text[at - 1] != '[')
		return NULL;
	n = word_before(text, at - 1, &from);
	if (!from || text[from - 1] != '@')
		return NULL;
	return arena_printf(a, "without a key write @%.*s = …", (int)n, text + from);
}

/* The unexpected text, and the word before it or before its bracket; c 0: any text. */
static const struct { char c; const char *word, *hint; } forms[] = {
	{ '=', "config", "options are lines '#pragma D option NAME=VALUE', or -x NAME=VALUE" },
	{ '(', "macro", "D has inline int NAME[int x] = EXPRESSION;" },
	{ '@', "let", "aggregations need no declaration; option aggsize sets their size" },
	{ '$', "let", "clause variables need no declaration: this->x = 1" },
	{ ':', "for", COUNTED "; the entries of an aggregation can only be printed" },
	{ '{', "unroll", COUNTED },
	{ 0, "not", "write ! before it" },
};

const char *foreign_hint(struct arena *a, const struct source *src, u32 at)
{
	const char *text = src->text;
	u32 from, n = word_before(text, at, &from), open;

	if (text[at] == '(')             /* macro NAME( */
		n = word_before(text, from, &from);
	if (text[at] == ':' || text[at] == '{') {
		open = bracket_before(text, at);
		n = open ? word_before(text, open, &from) : 0;
	}
	for (u32 i = 0; n && i < ARRAY_SIZE(forms); i++)
		if ((!forms[i].c || forms[i].c == text[at]) && strlen(forms[i].word) == n &&
		    !memcmp(forms[i].word, text + from, n))
			return forms[i].hint;
	return empty_key(a, text, at);
}

/* ---- a statement in D ------------------------------------------------------------ */

struct said {
	const char *text;
	u32 at, end;
	struct buf out;
	bool changed;
	u32 close;               /* brackets that the end of the statement closes */
};

/* The statement around `at`: the text between two of { } ; outside strings. */
void foreign_around(const struct source *src, u32 at, u32 *from, u32 *to)
{
	u32 next;

	*from = 0;
	for (u32 i = 0; i < src->len; i = next) {
		next = skip_quoted(src->text, i, src->len);
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

static void said_copy(struct said *s, u32 to)
{
	buf_add(&s->out, s->text + s->at, to - s->at);
	s->at = to;
}

static bool is_macro(const char *name, u32 len)
{
	static const char *const macros[] = { "pid",  "ppid", "pgid", "sid",   "uid",
					      "euid", "gid",  "egid", "target" };

	for (u32 i = 0; i < ARRAY_SIZE(macros); i++)
		if (strlen(macros[i]) == len && !memcmp(macros[i], name, len))
			return true;
	return false;
}

/* $x: a clause-local variable, unless it is a macro variable of D. */
static void said_scratch(struct said *s)
{
	u32 name = s->at + 1, end = skip_word(s->text, name, s->end);

	if (end == name || isdigit((unsigned char)s->text[name]) ||
	    is_macro(s->text + name, end - name)) {
		said_copy(s, MAX(end, name));
		return;
	}
	buf_printf(&s->out, "this->%.*s", (int)(end - name), s->text + name);
	s->at = end;
	s->changed = true;
}

/* 1e6, and any word that is not such a number. */
static void said_word(struct said *s)
{
	u32 end = skip_word(s->text, s->at, s->end);
	char *exp;
	u64 digits = strtoull(s->text + s->at, &exp, 10), zeroes;

	if (isdigit((unsigned char)s->text[s->at]) && *exp == 'e') {
		zeroes = strtoull(exp + 1, &exp, 10);
		if (exp == s->text + end && zeroes < 19) {
			buf_printf(&s->out, "%llu%.*s", (unsigned long long)digits, (int)zeroes,
				   "000000000000000000");
			s->at = end;
			s->changed = true;
			return;
		}
	}
	said_copy(s, end);
}

/* The position after the [keys] at `at`; `at` if there are none. */
static u32 skip_keys(const struct said *s, u32 at)
{
	u32 depth = 0, i = skip_blanks(s->text, at, s->end), next;

	if (i == s->end || s->text[i] != '[')
		return at;
	for (; i < s->end; i = next) {
		next = skip_quoted(s->text, i, s->end);
		if (next > i)
			continue;
		next = i + 1;
		depth += (s->text[i] == '[') - (s->text[i] == ']');
		if (!depth)
			return next;
	}
	return at;
}

/* The text after @name[keys]: "= sum(" makes it an aggregation. */
static bool aggregates(const struct said *s, u32 at)
{
	u32 word = skip_blanks(s->text, at + 1, s->end), end = skip_word(s->text, word, s->end);
	char name[32];

	if (at >= s->end || s->text[at] != '=' || end == word || end - word >= sizeof(name) ||
	    s->text[skip_blanks(s->text, end, s->end)] != '(')
		return false;
	memcpy(name, s->text + word, end - word);
	name[end - word] = 0;
	return agg_find(name);
}

/* print(@x), clear(@x): the word before the bracket before `at`. */
static bool is_argument_of(const struct said *s, u32 at, const char *const *words, u32 n)
{
	u32 from, len = at && s->text[at - 1] == '(' ? word_before(s->text, at - 1, &from) : 0;

	for (u32 i = 0; len && i < n; i++)
		if (strlen(words[i]) == len && !memcmp(words[i], s->text + from, len))
			return true;
	return false;
}

/* @name[keys] as a variable: the keys may have more to say. */
static void said_map(struct said *s)
{
	static const char *const printers[] = { "print", "printa",    "clear",      "zero",
						"trunc", "normalize", "denormalize" };
	static const char *const deleters[] = { "delete" };
	u32 name = s->at + 1, end = skip_word(s->text, name, s->end), keys = skip_keys(s, end);
	u32 op = skip_blanks(s->text, keys, s->end);
	bool deletes = is_argument_of(s, s->at, deleters, 1) && op < s->end && s->text[op] == ')';

	if (is_argument_of(s, s->at, printers, ARRAY_SIZE(printers)) || aggregates(s, op)) {
		said_copy(s, end);
		return;
	}
	s->changed = true;
	if (op + 1 < s->end &&
	    (!strncmp(s->text + op, "++", 2) || !strncmp(s->text + op, "+=", 2))) {
		said_copy(s, keys);
		buf_puts(&s->out, s->text[op + 1] == '+' ? " = count()" : " = sum(");
		s->close += s->text[op + 1] == '=';
		s->at = skip_blanks(s->text, op + 2, s->end);
		return;
	}
	if (deletes)
		s->out.len -= strlen("delete(");
	if (end == name)
		buf_putc(&s->out, 'x');
	s->at = name;
	said_copy(s, end);
	if (!deletes)
		return;
	said_copy(s, keys);
	buf_puts(&s->out, " = 0");
	s->at = op + 1;
}

const char *foreign_in_d(struct arena *a, const struct source *src, u32 at)
{
	struct said s = { .text = src->text };
	const char *said;
	u32 quoted;

	foreign_around(src, at, &s.at, &s.end);
	s.at = skip_blanks(s.text, s.at, s.end);
	while (s.end > s.at && isspace((unsigned char)s.text[s.end - 1]))
		s.end--;
	while (s.at < s.end) {
		quoted = skip_quoted(s.text, s.at, s.end);
		if (quoted > s.at)
			said_copy(&s, quoted);
		else if (s.text[s.at] == '$')
			said_scratch(&s);
		else if (s.text[s.at] == '@')
			said_map(&s);
		else if (foreign_is_word(s.text[s.at]))
			said_word(&s);
		else
			said_copy(&s, s.at + 1);
	}
	for (; s.close; s.close--)
		buf_putc(&s.out, ')');
	said = s.changed ? arena_strndup(a, s.out.data, s.out.len) : NULL;
	buf_free(&s.out);
	return said;
}
