/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shellquote.c - values in a command of system(): text of the program's format is read as sh reads
 * it, so that a value stays a value, wherever it stands (POSIX, "Shell Command Language", 2.2).
 *
 *   echo %s           echo 'a b;c'         a word: in single quotes, unless it needs none
 *   echo '%s'         echo 'it'\''s'       in single quotes: those of the value end and begin them
 *   echo "%s"         echo "\$HOME"        in double quotes: a backslash before what acts there
 *
 * Where no rule is known the compiler refuses the program: in `…`, ${…}, $((…)), a comment, a
 * here-document, beside case, and where eval, sh -c, ssh and others would read the value once more.
 * If it comes nevertheless, '_' stands for all but letters and digits.
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

/* ---- programs that run what they are given ----------------------------------------------- */

/* All that follows the name, or the word that follows one of these options.  A name may have a
 * version behind it: python3.11.  `script`: what follows a script is the script's; `flags`: letters
 * of options that a script may follow at once. */
#define SHELL_FLAGS "aefnuvx"            /* POSIX, set(1) */
static const struct { const char *name, *options; bool script; const char *flags; } readers[] = {
	{ "", NULL },
	{ "eval", NULL }, { "let", NULL }, { "trap", NULL }, { "ssh", NULL }, { "watch", NULL },
	{ "sh", "c", true, SHELL_FLAGS }, { "bash", "c", true, SHELL_FLAGS },
	{ "dash", "c", true, SHELL_FLAGS }, { "ash", "c", true, SHELL_FLAGS },
	{ "ksh", "c", true, SHELL_FLAGS }, { "mksh", "c", true, SHELL_FLAGS },
	{ "zsh", "c", true, SHELL_FLAGS }, { "fish", "c", true },
	{ "su", "c" }, { "runuser", "c" }, { "script", "c" }, { "flock", "c" },
	{ "python", "c", true }, { "perl", "eE", true }, { "ruby", "e", true },
	{ "node", "ep", true }, { "php", "r", true },
};

static u8 reader_named(const char *word)
{
	for (u8 i = 1; i < ARRAY_SIZE(readers); i++) {
		size_t n = strlen(readers[i].name);

		if (!strncmp(word, readers[i].name, n) &&
		    !word[n + strspn(word + n, "0123456789.")])
			return i;
	}
	return 0;
}

/* Is the word the script that follows the name at once?  Not if it could be an option, the value of
 * one, the file of a '>', or nothing. */
static bool is_script(const struct shell *s)
{
	return readers[s->reader[s->depth]].script && !s->later[s->depth] &&
	       (is_shell_word(s->first) || s->first == '/' || s->first == '.');
}

/* "-x": it has no value that is the next word. */
static bool is_flag(const struct shell *s)
{
	const char *flags = readers[s->reader[s->depth]].flags;

	return flags && s->first == '-' && s->word[0] == '-' && s->word[1] &&
	       !s->word[1 + strspn(s->word + 1, flags)];
}

static void shell_word_ends(struct shell *s)
{
	u8 *reader = &s->reader[s->depth];
	const char *options = readers[*reader].options;
	bool option;

	if (!s->len)
		return;
	s->word[MIN(s->len, sizeof(s->word) - 1)] = '\0';
	option = options && s->word[0] == '-' && s->len < sizeof(s->word);
	option = option && (strchr(options, s->word[s->len - 1]) || !strcmp(s->word, "--command"));
	if (is_script(s)) {
		*reader = 0;
	} else if (!is_flag(s)) {
		s->later[s->depth] = *reader;
		if (!*reader && s->len < sizeof(s->word))
			*reader = reader_named(s->word);
	}
	s->again[s->depth] = option || (*reader && !readers[*reader].options);
	s->len = 0;
}

/* "<", ">" and what belongs to them: ">&", "&>", ">|". */
static bool is_redirection(const char *at, char before)
{
	return strchr("<>", *at) || (strchr("&|", *at) && (before == '<' || before == '>')) ||
	       (*at == '&' && at[1] == '>');
}

static void shell_word(struct shell *s, const char *at, char before)
{
	u8 state = *shell_state(s);
	char c = *at;
	bool plain = state == SHELL_PLAIN && !s->escaped;
	bool quotes = !s->escaped && ((c == '\'' && state != SHELL_DOUBLE) ||
				      (c && strchr("\"\\", c) && state != SHELL_SINGLE));

	if (plain && strchr(" \t\n;&|<>()", c)) {
		bool redirects = is_redirection(at, before);

		s->later[s->depth] |= redirects;
		shell_word_ends(s);
		s->later[s->depth] |= redirects;
		s->first = ' ';
		if (!redirects && !strchr(" \t", c))
			s->again[s->depth] = false, s->reader[s->depth] = 0;
	} else if (c == '/') {
		s->first = s->first == ' ' ? c : s->first;
		s->len = 0;
	} else if (!quotes) {
		s->first = s->first == ' ' ? c : s->first;
		if (s->len < sizeof(s->word) - 1)
			s->word[s->len] = c;
		s->len = MIN(s->len + 1, (u32)sizeof(s->word));
	}
}

bool shell_reads_again(const struct shell *s)
{
	bool again = false;

	for (u32 i = 0; i <= s->depth; i++)
		again |= s->again[i];
	return again;
}

/* ---- what surrounds a value --------------------------------------------------------------- */

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
	} else if (c == '`' || (c == '$' && next == '{') || !strncmp(text, "$((", 3) ||
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
	s->first = s->first == ' ' ? '\0' : s->first;
	for (const char *at = text; *at; at++) {
		shell_word(s, at, at == text ? '\0' : at[-1]);
		shell_char(s, at, at == text || strchr(" \t\n;&|({!", at[-1]));
	}
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

	if (s->lost || s->escaped || shell_reads_again(s)) {
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
