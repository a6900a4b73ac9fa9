/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * names.c - the names that a program defines: where each is used, what its own declarations offer.
 * The text is read, not compiled: it may have mistakes.
 */
#include <ctype.h>
#include <string.h>

#include "compiler/edit/edit.h"
#include "compiler/front/front.h"

static const char *skip_blanks(const char *p)
{
	return p + strspn(p, " \t\r\n");
}

/* ---- what kind of name ----------------------------------------------------------------------- */

/* "@", "$", "self->", "this->" before a name belong to it; so do "struct ", "union ", "enum ". */
static const char *sigil_before(const char *text, size_t at)
{
	static const char *const sigils[] = {
		"@", "$", "self->", "this->", "struct ", "union ", "enum ",
	};

	for (u32 i = 0; i < ARRAY_SIZE(sigils); i++) {
		size_t n = strlen(sigils[i]);

		if (at >= n && !memcmp(text + at - n, sigils[i], n) &&
		    (at == n || !isalpha((unsigned char)*sigils[i]) ||
		     !name_char(text[at - n - 1])))
			return sigils[i];
	}
	return "";
}

/* In "self uint64_t start;" start is self->start. */
static const char *declared_sigil(const char *text, size_t from, size_t to)
{
	size_t begin = from;

	while (begin && !strchr(";{}", text[begin - 1]))
		begin--;
	const char *p = skip_blanks(text + begin), *after = skip_blanks(text + to);
	bool self = !strncmp(p, "self", 4), this = !strncmp(p, "this", 4);
	if ((!self && !this) || !isspace((unsigned char)p[4]) || !*after || !strchr(";,[", *after))
		return "";
	return self ? "self->" : "this->";
}

/* A member, a kernel symbol, a part of a probe description. */
static bool is_foreign(const char *text, size_t from, const char *sigil)
{
	if (*sigil || !from)
		return false;
	return strchr(".`:", text[from - 1]) ||
	       (from > 1 && text[from - 1] == '>' && text[from - 2] == '-');
}

/* Is this the text of a declaration, not of probe descriptions?  "inline int x", "struct s {": two
 * words without a comma. */
static bool is_declaration(const char *p, const char *end)
{
	p += *p == '#';                  /* #define */
	while (p < end && name_char(*p))
		p++;
	const char *next = skip_blanks(p);

	return next > p && next < end && (name_char(*next) || *next == '*' || *next == '<');
}

static bool begins_with(const char *p, const char *word)
{
	size_t n = strlen(word);

	return !strncmp(p, word, n) && !name_char(p[n]);
}

/* A name in the braces of a declaration that is none of the program: a member, a probe. */
static bool is_member(const char *declaration, const char *after)
{
	if (begins_with(declaration, "translator"))
		return *after == '=' && after[1] != '=';
	if (begins_with(declaration, "provider"))
		return *after == '(';
	return !begins_with(declaration, "enum") && !begins_with(declaration, "inline") &&
	       *after && strchr(";[:,", *after);
}

/* In comments, strings, character constants, descriptions and pragmas there is none. */
bool name_is_own(const char *text, const struct name *name)
{
	if (*name->sigil == '$')
		return true;
	struct cursor cur = cursor_find(text, name->to);
	const char *probe = text + cur.probe;

	if (cur.where == AT_NOTHING || cur.where == AT_OPTION ||
	    token_is_keyword(text + name->from, name->to - name->from))
		return false;
	if (cur.where == AT_PROBE)
		return is_declaration(probe, text + strlen(text));
	return !is_declaration(probe, text + cur.probe_end) ||
	       !is_member(probe, skip_blanks(text + name->to));
}

/* ---- the names of a text --------------------------------------------------------------------- */

/* "#pragma D param NAME" declares $NAME.  false: this is no such line; *at goes to its end. */
static bool param_line(const char *text, size_t *at, struct name *name)
{
	static const char begin[] = "#pragma D param ";
	const char *line = text + *at;

	*at += strcspn(line, "\n");
	if (strncmp(line, begin, strlen(begin)))
		return false;
	name->from = line + strlen(begin) + strspn(line + strlen(begin), " \t") - text;
	name->to = cursor_word_end(text, strlen(text), name->from);
	name->sigil = "$";
	return name->to > name->from;
}

bool name_next(const char *text, size_t *at, struct name *name)
{
	while (text[*at]) {
		if (text[*at] == '#' && (!*at || text[*at - 1] == '\n')) {
			if (!begins_with(text + *at, "#pragma")) {
				++*at;   /* #define: its words are names */
				continue;
			}
			if (param_line(text, at, name))
				return true;
			continue;
		}
		if (!name_char(text[*at])) {
			++*at;
			continue;
		}
		name->from = *at;
		name->to = *at = cursor_word_end(text, strlen(text), *at);
		name->sigil = sigil_before(text, name->from);
		if (!*name->sigil)
			name->sigil = declared_sigil(text, name->from, name->to);
		if (!isdigit((unsigned char)text[name->from]) &&
		    !is_foreign(text, name->from, name->sigil))
			return true;
	}
	return false;
}

bool name_at(const char *text, size_t at, struct name *name)
{
	for (size_t p = 0; name_next(text, &p, name) && name->from <= at;)
		if (at <= name->to)
			return name_is_own(text, name);
	return false;
}

static bool is_same(const char *text, const struct name *a, const struct name *b)
{
	size_t n = a->to - a->from;

	return b->to - b->from == n && !memcmp(text + a->from, text + b->from, n) &&
	       !strcmp(a->sigil, b->sigil);
}

bool name_next_use(const char *text, const struct name *name, size_t *at, struct name *use)
{
	while (name_next(text, at, use))
		if (is_same(text, name, use) && name_is_own(text, use))
			return true;
	return false;
}

/* Does "#pragma D param" declare it? */
static bool is_declared_macro(const char *text, const struct name *name)
{
	struct name use;

	for (size_t at = 0; name_next(text, &at, &use);)
		if (is_same(text, name, &use) && text[use.from - 1] != '$')
			return true;
	return false;
}

/* Does "struct NAME {" define it? */
static bool is_defined_struct(const char *text, const struct name *name)
{
	struct name use;

	for (size_t at = 0; name_next_use(text, name, &at, &use);)
		if (*skip_blanks(text + use.to) == '{')
			return true;
	return false;
}

bool name_is_of_d(struct dtx_env *env, const char *text, const struct name *name)
{
	struct cursor cur = cursor_find(text, name->to);
	struct buf said = { 0 };
	struct shape s;

	if (*name->sigil == '$')
		return !is_declared_macro(text, name);
	if (strchr(name->sigil, ' '))
		return !is_defined_struct(text, name);
	char *word = arena_printf(env->arena, "%.*s", (int)(name->to - name->from),
				  text + name->from);
	bool known = !*name->sigil && (explain_of_d(env, text, &cur, word, &said) ||
				       shape_by_name(env, word, &s));
	buf_free(&said);
	return known;
}
