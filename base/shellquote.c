/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shellquote.c - values in a command of system(): text of the program's format is read as sh reads
 * it, so that a value stays a value, wherever it stands (POSIX, "Shell Command Language", 2.2).
 *
 *   echo %s           echo 'a b;c'         a word: in single quotes, unless it needs none
 *   echo '%s'         echo 'it'\''s'       in single quotes: those of the value end and begin them
 *   echo "%s"         echo "\$HOME"        in double quotes: a backslash before what acts there
 *
 * Where no rule is known the compiler refuses the program: in `…`, ${…}, a comment, a
 * here-document, beside case.  If it comes nevertheless, '_' stands for all but letters and digits.
 */
#include <dtx/base.h>

enum { SHELL_PLAIN, SHELL_SINGLE, SHELL_DOUBLE };

static bool is_shell_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* The state inside; each command that is open has one of its own. */
static u8 *shell_state(struct shell *s)
{
	return &s->state[s->depth];
}

static void shell_open(struct shell *s)
{
	if (s->depth + 1 == SHELL_DEEP) {
		s->lost = true;
		return;
	}
	s->state[++s->depth] = SHELL_PLAIN;
}

/* A comment, a here-document, a pattern whose ')' closes nothing. */
static bool shell_loses(const char *text, bool begins)
{
	return !strncmp(text, "<<", 2) || (begins && *text == '#') ||
	       (begins && !strncmp(text, "case", 4) && !is_shell_word(text[4]));
}

/* One character; `begins`: it may begin a word. */
static void shell_char(struct shell *s, const char *text, bool begins)
{
	u8 *state = shell_state(s);
	char c = text[0], next = c ? text[1] : '\0';

	if (*state == SHELL_SINGLE) {
		*state = c == '\'' ? SHELL_PLAIN : SHELL_SINGLE;
	} else if (s->escaped) {
		s->escaped = false;
	} else if (c == '\\') {
		s->escaped = true;
	} else if (c == '`' || (c == '$' && next == '{') ||
		   (*state == SHELL_PLAIN && shell_loses(text, begins))) {
		s->lost = true;
	} else if (c == '"') {
		*state = *state == SHELL_DOUBLE ? SHELL_PLAIN : SHELL_DOUBLE;
	} else if (c == '\'' && *state == SHELL_PLAIN) {
		*state = SHELL_SINGLE;
	} else if (c == '(' && *state == SHELL_PLAIN) {
		shell_open(s);
	} else if (c == '$' && next == '(' && *state == SHELL_DOUBLE) {
		shell_open(s);
	} else if (c == ')' && *state == SHELL_PLAIN && s->depth) {
		s->depth--;
	}
}

void shell_read(struct shell *s, const char *text)
{
	for (const char *at = text; *at; at++)
		shell_char(s, at, at == text || strchr(" \t\n;&|({!", at[-1]));
}

/* Does sh take the text as one word, with nothing special in it? */
static bool needs_none(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!is_shell_word(text[i]) && !strchr("/.:,@%+-", text[i] ? text[i] : '*'))
			return false;
	return len;
}

static void quote_single(const char *text, size_t len, struct buf *out)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\'')
			buf_puts(out, "'\\''");
		else
			buf_putc(out, text[i]);
	}
}

static void quote_double(const char *text, size_t len, struct buf *out)
{
	for (size_t i = 0; i < len; i++) {
		if (strchr("$`\"\\", text[i]))
			buf_putc(out, '\\');
		buf_putc(out, text[i]);
	}
}

static void quote_word(const char *text, size_t len, struct buf *out)
{
	if (needs_none(text, len)) {
		buf_add(out, text, len);
		return;
	}
	buf_putc(out, '\'');
	quote_single(text, len, out);
	buf_putc(out, '\'');
}

void shell_quote(const struct shell *s, const char *text, size_t len, struct buf *out)
{
	u8 state = s->state[s->depth];

	if (s->lost || s->escaped) {
		for (size_t i = 0; i < len; i++)
			buf_putc(out, is_shell_word(text[i]) ? text[i] : '_');
	} else if (state == SHELL_SINGLE) {
		quote_single(text, len, out);
	} else if (state == SHELL_DOUBLE) {
		quote_double(text, len, out);
	} else {
		quote_word(text, len, out);
	}
}
