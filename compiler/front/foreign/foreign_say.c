/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * foreign_say.c - a statement or a whole program of bpftrace, rewritten in D.
 *
 * The text is copied from left to right; what D spells differently is replaced on the way.
 */
#include <ctype.h>
#include <stdlib.h>

#include <dtx/aggs.h>

#include "compiler/front/foreign/foreign.h"
#include "compiler/front/parse.h"

static void said_copy(struct said *s, u32 to)
{
	buf_add(&s->out, s->text + s->at, to - s->at);
	s->at = to;
}

void said_skip(struct said *s, u32 to)
{
	s->at = to;
	s->changed = true;
}

/* The first reason counts. */
void said_cannot(struct said *s, const char *why)
{
	s->why = s->why ?: why;
}

/* The position after a ';' that follows. */
static u32 after_semicolon(const struct said *s, u32 at)
{
	u32 next = foreign_blanks(s->text, at, s->end);

	return next < s->end && s->text[next] == ';' ? next + 1 : at;
}

/* `at` begins with this text. */
bool said_is(const struct said *s, u32 at, const char *what)
{
	return at + strlen(what) <= s->end && !strncmp(s->text + at, what, strlen(what));
}

/* ---- variables of the clause ---------------------------------------------------- */

static bool is_macro(const char *name, u32 len)
{
	static const char *const macros[] = { "pid",  "ppid", "pgid", "sid",   "uid",
					      "euid", "gid",  "egid", "target" };

	for (u32 i = 0; i < ARRAY_SIZE(macros); i++)
		if (foreign_is(name, len, macros[i]))
			return true;
	return false;
}

#define NO_TUPLES "D has no tuples: use a variable for each part"

/* $x: a clause-local variable, unless it is a macro variable of D. */
static void said_scratch(struct said *s)
{
	u32 name = s->at + 1, end = foreign_word_end(s->text, name, s->end);

	if (end == name || isdigit((unsigned char)s->text[name]) ||
	    is_macro(s->text + name, end - name)) {
		said_copy(s, MAX(end, name));
		return;
	}
	if (said_is(s, end, ".") && isdigit((unsigned char)s->text[end + 1]))
		said_cannot(s, NO_TUPLES);
	if (s->unrolled && end - name == s->unrolled_end - s->unrolled &&
	    !memcmp(s->text + name, s->text + s->unrolled, end - name))
		buf_printf(&s->out, "%llu", (unsigned long long)s->value);
	else
		buf_printf(&s->out, "this->%.*s", (int)(end - name), s->text + name);
	said_skip(s, end);
}

/* ---- maps ----------------------------------------------------------------------- */

/* A name that D has already becomes another one. */
static void map_name(struct said *s, const struct foreign_map *m)
{
	const char *name = arena_strndup(s->arena, s->text + m->name, m->end - m->name);
	const struct builtin *b = builtin_find(name);
	bool taken = (b && !(b->flags & BF_LINUX)) ||
		     token_is_keyword(name, strlen(name));

	buf_printf(&s->out, "%s%s", taken ? "my_" : "", *name ? name : "x");
}

static void map_keys(struct said *s, const struct foreign_map *m)
{
	u32 end = s->end;

	s->at = m->end;
	s->end = m->keys;
	said_until(s, m->keys);
	s->end = end;
}

/* The map as a variable, with its keys. */
static void map_variable(struct said *s, const struct foreign_map *m, enum foreign_kind kind)
{
	s->changed = true;
	if (kind == FOREIGN_THREAD) {
		buf_printf(&s->out, "self->%.*s", (int)(m->end - m->name), s->text + m->name);
		if (m->end == m->name)
			buf_putc(&s->out, 'x');
	} else {
		map_name(s, m);
		map_keys(s, m);
	}
	s->at = m->keys;
}

/* = count() or = sum(x) of what is also read. */
static void map_added(struct said *s, const struct foreign_map *m)
{
	u32 open = strchr(s->text + m->op, '(') - s->text;

	if (m->fn->flags & AGGF_TOTAL && !*m->fn->sig) {
		buf_puts(&s->out, "++");
		said_skip(s, foreign_closed(s->text, open, s->end));
	} else if (m->fn->flags & AGGF_TOTAL) {
		buf_puts(&s->out, " += ");
		said_skip(s, open);
	} else {
		said_cannot(s, "only counts and sums can be kept so");
	}
}

/* ++ and += of what is only printed; "= count" without brackets. */
static void agg_added(struct said *s, const struct foreign_map *m)
{
	bool before = s->out.len >= 2 && !memcmp(s->out.data + s->out.len - 2, "++", 2);

	if (before)
		s->out.len -= 2;
	said_copy(s, m->end);
	map_keys(s, m);
	if (m->bare && foreign_is(s->text + m->bare - 5, 5, "count")) {
		said_copy(s, m->bare);
		buf_puts(&s->out, "()");
		s->changed = true;
	}
	if (!before && !said_is(s, m->op, "++") && !said_is(s, m->op, "+="))
		return;
	buf_puts(&s->out, before || s->text[m->op + 1] == '+' ? " = count()" : " = sum(");
	s->close += !before && s->text[m->op + 1] == '=';
	said_skip(s, before ? m->keys : foreign_blanks(s->text, m->op + 2, s->end));
}

/* @name[keys] */
static void said_map(struct said *s)
{
	struct foreign_map m = foreign_map_at(s->text, s->at, s->end);
	enum foreign_kind kind = foreign_map_kind(s->src, &m);

	if (kind == FOREIGN_AGG) {
		agg_added(s, &m);
		return;
	}
	map_variable(s, &m, kind);
	if (m.fn)
		map_added(s, &m);
}

/* ---- functions of maps ---------------------------------------------------------- */

/* The map that is the first argument of the function at s->at; false: it is none. */
static bool map_argument(const struct said *s, struct foreign_map *m, u32 *close)
{
	u32 open = foreign_blanks(s->text, foreign_word_end(s->text, s->at, s->end), s->end);
	u32 at = foreign_blanks(s->text, open + 1, s->end);

	if (!said_is(s, open, "(") || !said_is(s, at, "@"))
		return false;
	*m = foreign_map_at(s->text, at, s->end);
	*close = foreign_closed(s->text, open, s->end);
	return *close > open;
}

/* A whole variable, set to 0; arrays are emptied element by element, or not at all at the end. */
static void map_emptied(struct said *s, const struct foreign_map *m, enum foreign_kind kind,
			u32 close)
{
	if (kind == FOREIGN_VAR) {
		map_name(s, m);
		buf_puts(&s->out, " = 0");
		said_skip(s, close);
		return;
	}
	if (!s->at_end)
		said_cannot(s, "an array is emptied element by element: x[key] = 0");
	said_skip(s, after_semicolon(s, close));
}

static bool say_clear(struct said *s)
{
	struct foreign_map m;
	enum foreign_kind kind;
	u32 close;

	if (!map_argument(s, &m, &close))
		return false;
	kind = foreign_map_kind(s->src, &m);
	if (kind != FOREIGN_AGG) {
		map_emptied(s, &m, kind, close);
	} else if (said_is(s, s->at, "clear")) {
		buf_puts(&s->out, "trunc");
		s->at += strlen("clear");
	} else {
		return false;
	}
	return true;
}

/* delete(@x[key]), delete(@x, key), delete(@x) */
static bool say_delete(struct said *s)
{
	struct foreign_map m;
	enum foreign_kind kind;
	u32 close, key;

	if (!map_argument(s, &m, &close))
		return false;
	kind = foreign_map_kind(s->src, &m);
	if (m.keys == m.end && s->text[m.op] != ',') {
		map_emptied(s, &m, kind, close);
		return true;
	}
	map_variable(s, &m, kind);
	if (s->text[m.op] == ',' && kind != FOREIGN_THREAD) {
		key = foreign_blanks(s->text, m.op + 1, s->end);
		s->at = s->text[key] == '(' ? key + 1 : key;
		buf_putc(&s->out, '[');
		said_until(s, close - (s->text[key] == '(' ? 2 : 1));
		buf_putc(&s->out, ']');
	}
	buf_puts(&s->out, " = 0");
	said_skip(s, close);
	return true;
}

static bool say_has_key(struct said *s)
{
	struct foreign_map m;
	u32 close;

	if (!map_argument(s, &m, &close) || foreign_map_kind(s->src, &m) != FOREIGN_THREAD)
		return false;
	buf_putc(&s->out, '(');
	map_variable(s, &m, FOREIGN_THREAD);
	buf_puts(&s->out, " != 0)");
	said_skip(s, close);
	return true;
}

/* print() of a map or of a value */
static bool say_print(struct said *s)
{
	u32 open = foreign_blanks(s->text, s->at + strlen("print"), s->end), close, at;
	enum foreign_kind kind = FOREIGN_VAR;
	struct foreign_map m;

	if (!said_is(s, open, "("))
		return false;
	at = foreign_blanks(s->text, open + 1, s->end);
	if (map_argument(s, &m, &close)) {
		kind = foreign_map_kind(s->src, &m);
		if (kind != FOREIGN_AGG && kind != FOREIGN_VAR && m.keys == m.end)
			said_cannot(s, "only aggregations are printed as a whole");
	}
	if (kind == FOREIGN_AGG || said_is(s, at, "*") || said_is(s, at, "&"))
		return false;
	if (said_is(s, at, "("))
		said_cannot(s, NO_TUPLES);
	buf_puts(&s->out, said_is(s, at, "\"") &&
		 foreign_quoted(s->text, at, s->end) + 1 < foreign_closed(s->text, open, s->end) ?
		 "printf" : "trace");
	said_skip(s, open);
	return true;
}

/* ---- other functions ------------------------------------------------------------ */

/* kstack(perf, 5): stacks have one layout. */
static bool say_stack(struct said *s)
{
	static const char *const modes[] = { "perf", "bpftrace", "raw", "build_id" };
	u32 open = s->at + strlen("kstack"), mode = foreign_blanks(s->text, open + 1, s->end);
	u32 end = foreign_word_end(s->text, mode, s->end);

	for (u32 i = 0; said_is(s, open, "(") && i < ARRAY_SIZE(modes); i++) {
		if (!foreign_is(s->text + mode, end - mode, modes[i]))
			continue;
		said_copy(s, open + 1);
		end = foreign_blanks(s->text, end, s->end);
		said_skip(s, foreign_blanks(s->text, end + said_is(s, end, ","), s->end));
		return true;
	}
	return false;
}

/* str($1) is $$1. */
static bool say_str(struct said *s)
{
	u32 from = s->at + strlen("str"), end;

	if (!said_is(s, from, "($"))
		return false;
	end = from + 2;
	while (isdigit((unsigned char)s->text[end]))
		end++;
	if (end == from + 2 || !said_is(s, end, ")"))
		return false;
	buf_printf(&s->out, "$$%.*s", (int)(end - from - 2), s->text + from + 2);
	said_skip(s, end + 1);
	return true;
}

/* ---- declarations --------------------------------------------------------------- */

/* let $x = 1, let $x: type = 1, let $x;, let @m = hash(100); */
static bool say_let(struct said *s)
{
	u32 name = foreign_blanks(s->text, s->at + strlen("let"), s->end);
	u32 end = foreign_word_end(s->text, name + 1, s->end);
	u32 next = end + (u32)strcspn(s->text + end, "=;}");

	if (name >= s->end || (s->text[name] != '$' && s->text[name] != '@'))
		return false;
	if (s->text[name] == '@' || s->text[next] != '=') {
		next = name + (u32)strcspn(s->text + name, ";}");
		said_skip(s, foreign_blanks(s->text, after_semicolon(s, next), s->end));
		return true;
	}
	said_skip(s, name);
	said_until(s, end);
	buf_putc(&s->out, ' ');
	s->at = next;
	return true;
}

/* config = { … }, import "…"; */
static bool say_config(struct said *s)
{
	u32 open = s->at + (u32)strcspn(s->text + s->at, "{;");
	u32 end = MIN(foreign_closed(s->text, MIN(open, s->end), s->end), s->end);

	said_skip(s, foreign_blanks(s->text, after_semicolon(s, end), s->end));
	return true;
}

static bool say_not(struct said *s)
{
	said_cannot(s, "it has no functions of statements: write them where they are called");
	return false;
}

/* ---- words ---------------------------------------------------------------------- */

/* 1e6 and 1_000; false: any other word. */
static bool say_number(struct said *s, u32 end)
{
	struct buf digits = { 0 };
	const char *text = s->text;
	u32 exp = s->at + (u32)strcspn(text + s->at, "e"), i;
	u64 zeroes = exp < end ? strtoull(text + exp + 1, NULL, 10) : 0;

	exp = MIN(exp, end);
	for (i = s->at; i < exp && (isdigit((unsigned char)text[i]) || text[i] == '_'); i++)
		if (text[i] != '_')
			buf_putc(&digits, text[i]);
	if (i < exp || zeroes > 18 || (digits.len == end - s->at) || !digits.len) {
		buf_free(&digits);
		return false;
	}
	buf_printf(&s->out, "%.*s%.*s", (int)digits.len, digits.data, (int)zeroes,
		   "000000000000000000");
	buf_free(&digits);
	said_skip(s, end);
	return true;
}

/* What begins with a word; false: it is copied. */
static const struct {
	const char *word;
	bool outside;            /* of clauses, as well as inside */
	bool (*say)(struct said *);
} words[] = {
	{ "clear", false, say_clear },
	{ "config", true, say_config },
	{ "delete", false, say_delete },
	{ "fn", true, say_not },
	{ "for", false, foreign_for },
	{ "has_key", true, say_has_key },
	{ "import", true, say_config },
	{ "kstack", false, say_stack },
	{ "let", true, say_let },
	{ "macro", true, say_not },
	{ "print", false, say_print },
	{ "str", true, say_str },
	{ "unroll", false, foreign_unroll },
	{ "ustack", false, say_stack },
	{ "while", false, foreign_while },
	{ "zero", false, say_clear },
};

static void said_word(struct said *s)
{
	u32 end = foreign_word_end(s->text, s->at, s->end);
	const char *word = s->text + s->at;
	char before = s->at ? word[-1] : ' ';

	if (isdigit((unsigned char)*word) && say_number(s, end))
		return;
	if (!s->depth && end - s->at == 3 && !strncasecmp(word, "END", 3))
		s->at_end = true;
	for (u32 i = 0; !strchr(".:>*?-", before) && i < ARRAY_SIZE(words); i++) {
		if (!foreign_is(word, end - s->at, words[i].word))
			continue;
		if ((s->depth || words[i].outside) && words[i].say(s))
			return;
		break;
	}
	said_copy(s, end);
}

/* ---- the text ------------------------------------------------------------------- */

/* The value is a list in brackets. */
static bool said_is_tuple(const struct said *s)
{
	u32 close = foreign_closed(s->text, s->at, s->end), before = s->at, next;

	while (before && isspace((unsigned char)s->text[before - 1]))
		before--;
	if (before < 2 || s->text[before - 1] != '=' || strchr("=!<>", s->text[before - 2]))
		return false;
	for (u32 i = s->at + 1; i + 1 < close; i = next) {
		next = MAX(foreign_closed(s->text, i, close), foreign_quoted(s->text, i, close));
		next = MAX(next, i + 1);
		if (s->text[i] == ',')
			return true;
	}
	return false;
}

static void said_mark(struct said *s)
{
	char c = s->text[s->at];

	for (; strchr(";}", c) && s->close; s->close--)
		buf_putc(&s->out, ')');
	if (c == '(' && said_is_tuple(s))
		said_cannot(s, NO_TUPLES);
	s->depth += c == '{';
	s->depth -= c == '}' && s->depth;
	s->at_end &= c != '}' || s->depth;
	said_copy(s, s->at + 1);
}

void said_until(struct said *s, u32 to)
{
	while (s->at < to) {
		u32 quoted = foreign_quoted(s->text, s->at, to);

		if (quoted > s->at)
			said_copy(s, quoted);
		else if (s->text[s->at] == '$')
			said_scratch(s);
		else if (s->text[s->at] == '@')
			said_map(s);
		else if (name_char(s->text[s->at]))
			said_word(s);
		else
			said_mark(s);
	}
}

/* The text from s->at to s->end in D; NULL: nothing is changed, or it cannot be said. */
static const char *said_text(struct said *s)
{
	const char *said;

	s->at = foreign_blanks(s->text, s->at, s->end);
	while (s->end > s->at && isspace((unsigned char)s->text[s->end - 1]))
		s->end--;
	said_until(s, s->end);
	for (; s->close; s->close--)
		buf_putc(&s->out, ')');
	said = s->changed && s->out.len ? arena_strndup(s->arena, s->out.data, s->out.len) : NULL;
	buf_free(&s->out);
	return said;
}

const char *foreign_in_d(struct arena *a, const struct source *src, u32 at)
{
	struct said s = { .arena = a, .src = src, .text = src->text, .depth = 1 };

	foreign_around(src, at, &s.at, &s.end);
	return said_text(&s);
}

const char *foreign_program(struct arena *a, const struct source *src, const char **why)
{
	struct said s = { .arena = a, .src = src, .text = src->text, .end = src->len };
	const char *said = said_text(&s);

	*why = s.why;
	return s.why ? NULL : said;
}
