/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * foreign.c - bpftrace programs given to dtx: what to write instead.  foreign_say.c rewrites them.
 *
 * It works on the text, because a syntax error has no tree.
 */
#include <ctype.h>

#include "compiler/front/foreign/foreign.h"

/* ---- hints --------------------------------------------------------------------- */

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

#define BODY "what a clause does is in braces: { … }"
#define COUNTED "loops count: for (this->i = 0; this->i < N; this->i++) { … }"

/* @[] = …, @name[] = … */
static const char *empty_key(struct arena *a, const char *text, u32 at)
{
	u32 from, n;

	if (text[at] != ']' || !at || text[at - 1] != '[')
		return NULL;
	n = foreign_word_before(text, at - 1, &from);
	if (!from || text[from - 1] != '@')
		return NULL;
	return arena_printf(a, "without a key write @%.*s = …", (int)n, text + from);
}

/* The unexpected text, and the word before it or before its bracket; c 0: any text. */
static const struct { char c; const char *word, *hint; } forms[] = {
	{ '=', "config", "options are lines '#pragma D option NAME=VALUE', or -x NAME=VALUE" },
	{ '(', "macro", "D has inline int NAME[int x] = EXPRESSION" },
	{ '(', "fn", "D has inline int NAME[int x] = EXPRESSION" },
	{ '@', "let", "aggregations need no declaration; option aggsize sets their size" },
	{ '$', "let", "clause variables need no declaration: this->x = 1" },
	{ ':', "for", COUNTED "; the entries of an aggregation can only be printed" },
	{ '{', "unroll", COUNTED },
	{ '(', "printf", BODY },
	{ '(', "print", BODY },
	{ '(', "trace", BODY },
	{ '(', "if", "the condition of a clause is a predicate, before its '{': /pid == 1/" },
	{ '(', "function", "functions of the kernel are fbt::NAME:entry and fbt::NAME:return" },
	{ '"', "printf", "the arguments of a function are in brackets" },
	{ '"', "print", "the arguments of a function are in brackets" },
	{ '"', "echo", "printf prints, with its arguments in brackets" },
	{ 0, "var", "variables of a clause are not declared: write this->NAME = …" },
	{ 0, "not", "write ! before it" },
};

static const char *form_hint(char c, const char *word, u32 len)
{
	for (u32 i = 0; len && i < ARRAY_SIZE(forms); i++)
		if ((!forms[i].c || forms[i].c == c) && foreign_is(word, len, forms[i].word))
			return forms[i].hint;
	return NULL;
}

const char *foreign_hint(struct arena *a, const struct source *src, u32 at)
{
	const char *text = src->text;
	u32 from, n = foreign_word_before(text, at, &from), open;
	const char *hint;

	if (foreign_is(text + at, foreign_word_end(text, at, src->len) - at, "import"))
		return "'#include' with option -C, or a D library in a directory of -L";
	if (text[at] == ':' || text[at] == '{') {
		open = bracket_before(text, at);
		n = open ? foreign_word_before(text, open, &from) : 0;
	}
	hint = form_hint(text[at], text + from, n);
	if (!hint && text[at] == '(') {  /* macro NAME(, fn NAME( */
		n = foreign_word_before(text, from, &from);
		hint = form_hint('(', text + from, n);
	}
	return hint ?: empty_key(a, text, at);
}

/* Only what compiles is shown to be written instead. */
bool foreign_accepted(struct comp *c, const struct source *src, const char *said)
{
	if (c->refused != src && c->accepted && !c->accepted(c, src, said))
		c->refused = src;
	return c->refused != src;
}

void foreign_tell(struct comp *c, struct diag *d, const struct source *src, u32 at,
		  const char *hint)
{
	bool whole = src && !src->is_file && !src->is_library;
	const char *why = NULL, *said = NULL;

	if (whole)
		said = foreign_program(c->env->arena, src, &why);
	else if (src)
		said = foreign_in_d(c->env->arena, src, at);
	if (said && whole && !foreign_accepted(c, src, said))
		said = NULL;
	if (why)
		diag_hint(&c->env->diags, d, "%s; %s", hint, why);
	else
		diag_hint(&c->env->diags, d, "%s%s%s", hint, said ? "; in D this is: " : "",
			  said ? said : "");
	c->env->diags.enough |= why || (whole && said);
}
