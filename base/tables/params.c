/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * params.c - options that scripts declare, and what a script says about itself.
 *
 * A declaration is read in two places by the same function: by the compiler (pragma.c), which
 * reports what is wrong with it, and by dtx_script_text(), before anything is compiled, so that a
 * command knows the options of a script when it reads its arguments.
 *
 * To add a type: a row in `types`.
 */
#include <ctype.h>
#include <dtx/optrow.h>
#include <dtx/params.h>
#include <stdlib.h>
#include <string.h>

#include <dtx/env.h>

/* ---- types -------------------------------------------------------------------------- */

static bool int_read(const char *s, s64 *n)
{
	bool minus = *s == '-';

	if (!options_read(OPTK_INT, s + (minus || *s == '+'), n))
		return false;
	*n = minus ? -*n : *n;
	return true;
}

static bool time_read(const char *s, s64 *n)
{
	return options_read(OPTK_TIME, s, n);
}

static bool size_read(const char *s, s64 *n)
{
	return options_read(OPTK_SIZE, s, n);
}

static bool flag_read(const char *s, s64 *n)
{
	*n = *s == '1';
	return !strcmp(s, "0") || !strcmp(s, "1");
}

static bool string_read(const char *s, s64 *n)
{
	*n = 0;
	return true;
}

static const struct param_type {
	const char *name, *takes, *dflt;
	bool (*read)(const char *, s64 *);
} types[] = {
	{ "int",    "a whole number, as in 10", "0", int_read },
	{ "string", "a text", "", string_read },
	{ "time",   "a time with its unit, as in 10ms, 5s or 2m", "0s", time_read },
	{ "size",   "a number of bytes, as in 4096, 64k or 1m", "0", size_read },
	{ "flag",   "no value, but 0 or 1 as default", "0", flag_read },
};

static const struct param_type *type_of(const char *name)
{
	for (u32 i = 0; i < ARRAY_SIZE(types); i++)
		if (!strcmp(types[i].name, name))
			return &types[i];
	return NULL;
}

bool param_number(const struct dtx_param *p, const char *value, s64 *n)
{
	return type_of(p->type)->read(value, n);
}

const char *param_takes(const struct dtx_param *p)
{
	return type_of(p->type)->takes;
}

const char *dtx_param_wrong(const struct dtx_param *p, const char *value)
{
	s64 n;

	return param_number(p, value, &n) ? NULL : param_takes(p);
}

const char *param_text(struct arena *a, const struct dtx_param *p, const char *value)
{
	size_t len = strlen(value);

	if (strcmp(p->type, "time") || !len || !isdigit((unsigned char)value[len - 1]))
		return value;
	return arena_printf(a, "%ss", value);
}

/* ---- a declaration -------------------------------------------------------------------- */

/* Is it the name of a macro variable that dtx defines itself ($pid …), or of the help? */
static bool param_is_fixed(const char *name, size_t len)
{
	static const char *const fixed[] = {
		"pid", "ppid", "pgid", "sid", "uid", "euid", "gid", "egid", "target", "help",
	};

	for (u32 i = 0; i < ARRAY_SIZE(fixed); i++)
		if (strlen(fixed[i]) == len && !memcmp(fixed[i], name, len))
			return true;
	return len >= 2 && !memcmp(name, "__", 2);
}

/* The text between the quotes of a word, with \" and \\ resolved. */
static const char *param_unquote(struct arena *a, const char *word)
{
	size_t len = strlen(word);
	char *text, *to;

	if (len < 2 || *word != '"' || word[len - 1] != '"')
		return word;
	text = to = arena_strndup(a, word + 1, len - 2);
	for (const char *s = text; *s; s++) {
		s += *s == '\\' && (s[1] == '"' || s[1] == '\\');
		*to++ = *s;
	}
	*to = 0;
	return text;
}

/* NAME or NAME,LETTER */
static const char *param_names(struct arena *a, const char *word, struct dtx_param *out)
{
	size_t len = strcspn(word, ",");

	if (word[len] && (!isalpha((unsigned char)word[len + 1]) || word[len + 2]))
		return arena_printf(a, "'%s' is not the letter of an option", word + len + 1);
	out->letter = word[len] ? word[len + 1] : 0;
	out->name = arena_strndup(a, word, len);
	for (size_t i = 0; i < len || !len; i++)
		if (!len || !name_char(word[i]) ||
		    (!i && isdigit((unsigned char)word[i])))
			return arena_printf(a, "'%s' is not a name for an option: use letters, "
					       "digits and _", out->name);
	if (param_is_fixed(word, len))
		return arena_printf(a, "'%s' cannot be declared: dtx defines it itself", out->name);
	if (out->letter == 'h')
		return "the letter h cannot be declared: -h is the help of a script";
	return NULL;
}

const char *param_parse(struct arena *a, const char *const *words, u32 n, struct dtx_param *out)
{
	const struct param_type *type;
	const char *wrong;
	s64 number;

	*out = (struct dtx_param){ 0 };
	if (n < 3 || n > PARAM_WORDS || words[n - 1][0] != '"')
		return PARAM_FORM;
	wrong = param_names(a, words[0], out);
	if (wrong)
		return wrong;
	type = type_of(words[1]);
	if (!type)
		return arena_printf(a, "there is no type '%s' of options: the types are int, "
				       "string, time, size and flag", words[1]);
	out->type = type->name;
	out->help = param_unquote(a, words[n - 1]);
	out->value = n == PARAM_WORDS ? param_unquote(a, words[2]) : type->dflt;
	if (!type->read(out->value, &number))
		return arena_printf(a, "'%s' is not a default of '%s', which takes %s", out->value,
				    out->name, type->takes);
	return NULL;
}

/* ---- what a script says about itself -------------------------------------------------- */

static struct arena *arena_of(struct dtx_script *s)
{
	return s->memory;
}

/* The words of a line; a text in quotes is one word. */
static u32 words_of(struct arena *a, const char *line, const char *end, const char **v, u32 max)
{
	u32 n = 0;

	for (const char *s = line; n < max; n++) {
		const char *from;

		while (s < end && isspace((unsigned char)*s))
			s++;
		from = s;
		if (s < end && *s == '"')
			for (s++; s < end && *s != '"'; s++)
				s += *s == '\\' && s + 1 < end;
		while (s < end && !isspace((unsigned char)*s))
			s++;
		if (s == from)
			break;
		v[n] = arena_strndup(a, from, s - from);
	}
	return n;
}

static void read_param(struct dtx_script *s, const char *line, const char *end)
{
	const char *v[3 + PARAM_WORDS + 1];
	struct dtx_param p;
	u32 n = words_of(arena_of(s), line, end, v, ARRAY_SIZE(v));

	if (n < 3 || (strcmp(v[0], "#pragma") || strcmp(v[1], "D") || strcmp(v[2], "param")) ||
	    param_parse(arena_of(s), v + 3, n - 3, &p))
		return;
	ARENA_PUSH(arena_of(s), s->params, s->nparams, p);
}

/* The lines of a comment without its stars. */
static const char *comment_text(struct arena *a, const char *from, const char *to)
{
	struct buf b = { 0 };
	const char *text;

	for (const char *s = from, *eol; s < to; s = eol + 1) {
		eol = memchr(s, '\n', to - s);
		if (!eol)
			eol = to;
		while (s < eol && (*s == ' ' || *s == '\t'))
			s++;
		if (s < eol && *s == '*')
			s++;
		if (s < eol && *s == ' ')
			s++;
		buf_add(&b, s, eol - s);
		buf_putc(&b, '\n');
	}
	text = b.data ? b.data + strspn(b.data, "\n") : "";
	while (b.len && text < b.data + b.len && b.data[b.len - 1] == '\n')
		b.data[--b.len] = 0;
	text = arena_strdup(a, text);
	buf_free(&b);
	return text;
}

/* The first comment before the program that is not the licence. */
static const char *head_comment(struct arena *a, const char *text, const char *end)
{
	const char *s = text, *close, *comment;

	if (end - s > 2 && s[0] == '#' && s[1] == '!')
		s = memchr(s, '\n', end - s) ?: end;
	for (;;) {
		while (s < end && isspace((unsigned char)*s))
			s++;
		if (end - s < 4 || s[0] != '/' || s[1] != '*')
			return NULL;
		close = memmem(s + 2, end - s - 2, "*/", 2);
		if (!close)
			return NULL;
		comment = comment_text(a, s + 2, close);
		if (strncmp(comment, "SPDX-", 5))
			return comment;
		s = close + 2;
	}
}

/* The end of a comment, text or character constant that begins at `s`; NULL: none begins there. */
static const char *quoted_end(const char *s, const char *end)
{
	if (end - s > 1 && s[0] == '/' && s[1] == '*') {
		s = memmem(s + 2, end - s - 2, "*/", 2);
		return s ? s + 2 : end;
	}
	if (end - s > 1 && s[0] == '/' && s[1] == '/')
		return memchr(s, '\n', end - s) ?: end;
	if (*s != '"' && *s != '\'')
		return NULL;
	const char quote = *s;

	for (s++; s < end && *s != quote && *s != '\n'; s++)
		s += *s == '\\' && s + 1 < end;
	return s < end ? s + 1 : end;
}

static unsigned operands_of(const char *s, const char *end)
{
	unsigned most = 0;
	s64 n;

	for (const char *past; s < end; s = past) {
		past = quoted_end(s, end) ?: s + 1;
		if (*s != '$' || past == end || !isdigit((unsigned char)*past))
			continue;
		for (n = 0; past < end && isdigit((unsigned char)*past) && n < 1000; past++)
			n = n * 10 + *past - '0';
		most = (unsigned)n > most ? n : most;
	}
	return most;
}

/* Clauses of END, or aggregations, which are printed at the end. */
static bool has_end(const char *s, const char *end)
{
	for (const char *past; s < end; s = past) {
		past = quoted_end(s, end) ?: s + 1;
		if (*s == '@')
			return true;
		if (!name_char(*s))
			continue;
		while (past < end && name_char(*past))
			past++;
		if (past - s == 3 && !memcmp(s, "END", 3))
			return true;
	}
	return false;
}

struct dtx_script *dtx_script_text(const char *text, size_t len)
{
	struct arena *a = arena_new();
	struct dtx_script *s = ARENA_NEW(a, struct dtx_script);
	const char *end = text + len;

	s->memory = a;
	s->is_tool = len > 2 && text[0] == '#' && text[1] == '!';
	s->comment = head_comment(a, text, end);
	for (const char *line = text, *eol; line < end; line = eol + 1) {
		eol = memchr(line, '\n', end - line);
		if (!eol)
			eol = end;
		if (*line == '#')
			read_param(s, line, eol);
	}
	s->is_tool |= s->nparams;
	s->noperands = operands_of(text, end);
	s->has_end = has_end(text, end);
	return s;
}

void dtx_script_free(struct dtx_script *s)
{
	if (s)
		arena_free(s->memory);
}
