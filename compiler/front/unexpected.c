/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unexpected.c - a next step for common syntax errors.
 *
 * A hint is said only where it fits: by the token, the one before it, the bracket around them
 * and the construct.
 */
#include <ctype.h>

#include "compiler/front/foreign/foreign.h"
#include "compiler/front/parse.h"
#include "dtx.tab.h"

/* A type of another system in the statement, before the unexpected text. */
const char *unexpected_old_type(struct lexer *lx, struct range at)
{
	u32 from, to;

	foreign_around(lx->src, at.from ? at.from - 1 : 0, &from, &to);
	return foreign_type_in(lx->comp->env->arena, lx->src->text + from,
			  at.to > from ? at.to - from : 0);
}

static bool expects(const char *const *expected, int n, const char *what)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(expected[i], what))
			return true;
	return false;
}

/* ---- by the words ------------------------------------------------------------------- */

#define NO_TYPES "variables of a clause are not declared: write this->NAME = …"
#define OF_D "it is a word of D; a parameter of this name is args.NAME"
#define LOOPS "loops are while (...) and for (...; ...; ...)"

static const char *word_hint(const char *text, u32 len)
{
	static const struct { const char *word, *hint; } rows[] = {
		{ "do", LOOPS },
		{ "else", "it comes directly after the statement of its if, or after its '}'" },
		{ "return", "a clause ends at its '}'; use a predicate or if to skip the rest" },
		{ "switch", "use if and else, or a clause with a predicate for each case" },
		{ "in", LOOPS "; the entries of an aggregation can only be printed" },
		{ "and", "write &&" },
		{ "or", "write ||" },
		{ "goto", "there are no jumps: use if and else" },
		{ "case", "use if and else, or a clause with a predicate for each case" },
		{ "default", "it is a word of C that D keeps: use another name" },
		{ "self", "thread variables are written self->NAME" },
		{ "this", "clause variables are written this->NAME" },
		{ "counter", OF_D }, { "translator", OF_D }, { "provider", OF_D },
		{ "probe", OF_D }, { "xlate", OF_D }, { "stringof", OF_D }, { "import", OF_D },
		{ "string", OF_D }, { "userland", OF_D },
		{ "#", "control lines begin with '#' as the first character of a line" },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++)
		if (strlen(rows[i].word) == len && !memcmp(rows[i].word, text, len))
			return rows[i].hint;
	return NULL;
}

/* "int n = 0;" outside of clauses. */
bool unexpected_value(const struct lexer *lx, const char *const *expected, int n)
{
	return lx->prev == '=' && lx->what != IN_CLAUSE && expects(expected, n, "'['");
}

/* Of the word before the token, if it was taken for a word of D: "string != 0". */
static const char *hint_before(const struct lexer *lx, struct range at)
{
	const char *text = lx->src->text, *hint;
	u32 end = at.from, from;

	while (end && isspace((unsigned char)text[end - 1]))
		end--;
	for (from = end; from && isalpha((unsigned char)text[from - 1]); )
		from--;
	hint = lx->what == IN_CLAUSE ? word_hint(text + from, end - from) : NULL;
	return hint && !strcmp(hint, OF_D) ? hint : NULL;
}

/* self. and this. */
static bool after_self(const char *text, u32 at)
{
	return at >= 4 && (!memcmp(text + at - 4, "self", 4) || !memcmp(text + at - 4, "this", 4));
}

/* ---- by the tokens ------------------------------------------------------------------------- */

static char inner_bracket(const struct lexer *lx)
{
	return lx->levels.n ? lx->levels.v[lx->levels.n - 1].open : 0;
}

static bool is_closing(int token)
{
	return token == ')' || token == ']' || token == '}';
}

static bool is_type(const struct lexer *lx, const char *text, u32 len)
{
	return lex_is_typeword(text, len) ||
	       scope_is_typename(lx->comp, arena_strndup(lx->comp->arena, text, len));
}

/* A declaration in a clause: the token is "int" of "int x", or "x" of "uint64_t x". */
static bool declares(const struct lexer *lx, struct range at)
{
	const char *text = lx->src->text, *next = text + at.to;
	bool keyword = lx->prev != TOK_IDENT && lx->prev != TOK_TYPE;
	u32 from, len = foreign_word_before(text, at.from, &from);

	if (lx->what != IN_CLAUSE)
		return false;
	if (keyword && (lex_is_typeword(text + at.from, at.to - at.from) ||
			lx->prev == TOK_CONST || lx->prev == TOK_VOLATILE)) {
		while (isspace((unsigned char)*next))
			next++;
		return name_char(*next) || *next == '*' ||
		       (lx->prev != TOK_STRINGW && strchr(";{(", lx->prev2));
	}
	return !keyword && inner_bracket(lx) == '{' && len && is_type(lx, text + from, len);
}

#define ANY  (-1)
#define BEGINS "a clause begins with its probe, as in BEGIN { … } or BEGIN /x > 1/ { … }"

/* The token, and the one before it. */
static const char *pair_hint(const struct lexer *lx)
{
	static const struct { int token, before; enum construct what; const char *hint; } rows[] = {
		{ TOK_STRING, TOK_STRING, IN_CLAUSE,
		  "strings that stand side by side are not joined: write one" },
		{ TOK_SPEC, TOK_SPEC, IN_NOTHING,
		  "descriptions of one clause are separated by ','; a declaration begins with "
		  "the name of a known type" },
		{ '<', TOK_SPEC, IN_NOTHING,
		  "quote a name with such characters: uprobe:PATH:\"ns::f<int>\":entry" },
		{ TOK_PRED, ANY, IN_CLAUSE, BEGINS },
		{ ';', '}', IN_NOTHING, "nothing follows the '}' of a clause" },
		{ '{', ')', IN_DECL,
		  "functions cannot be defined; an expression can have a name: "
		  "inline int NAME[int x] = x + 1;" },
		{ '{', TOK_IDENT, IN_DECL, "is a ';' missing at the end of the declaration?" },
		{ '}', TOK_IDENT, IN_XLATE, "each member ends with ';': NAME = EXPRESSION;" },
		{ '}', ',', IN_NOTHING, "no ',' follows the last one" },
		{ '}', ',', IN_DECL, "no ',' follows the last one" },
		{ ')', ',', IN_CLAUSE, "a ',' stands between two values" },
		{ ']', ',', IN_CLAUSE, "a ',' stands between two values" },
		{ ANY, TOK_LEAVE, IN_CLAUSE, "return gives no value: it ends the clause" },
		{ ANY, TOK_IF, IN_CLAUSE, "the condition is in parentheses: if (x > 1) …" },
		{ ANY, TOK_WHILE, IN_CLAUSE, LOOPS },
		{ ANY, TOK_FOR, IN_CLAUSE, LOOPS },
		{ '=', ANY, IN_CLAUSE,
		  "values are compared by '=='; only a variable can be given one by '='" },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++)
		if ((rows[i].token == ANY || rows[i].token == lx->prev) &&
		    (rows[i].before == ANY || rows[i].before == lx->prev2) &&
		    rows[i].what == lx->what)
			return rows[i].hint;
	return NULL;
}

/* Can a statement, or a value, begin with the token? */
static bool token_begins(int token, bool value)
{
	static const int both[] = { TOK_IDENT, TOK_TYPE, TOK_SELF, TOK_THIS, TOK_AGG, TOK_INC,
				    TOK_DEC },
			 values[] = { TOK_INT, TOK_STRING, TOK_SIZEOF, TOK_STRINGOF },
			 statements[] = { TOK_IF, TOK_FOR, TOK_WHILE, TOK_BREAK, TOK_CONTINUE,
					  TOK_LEAVE };
	const int *more = value ? values : statements;
	u32 n = value ? ARRAY_SIZE(values) : ARRAY_SIZE(statements);

	for (u32 i = 0; i < ARRAY_SIZE(both); i++)
		if (both[i] == token)
			return true;
	for (u32 i = 0; i < n; i++)
		if (more[i] == token)
			return true;
	return false;
}

/* A mark that is missing between two things. */
static const char *between_hint(const struct lexer *lx, struct range at,
				const char *const *expected, int n)
{
	char inner = inner_bracket(lx);
	bool list = inner == '(' || inner == '[';

	if (n <= 5 || at.from == at.to)
		return NULL;
	if (lx->what == IN_CLAUSE && (lx->prev == ';' || is_closing(lx->prev)) &&
	    expects(expected, n, "':'"))
		return "a choice has two values: CONDITION ? VALUE : VALUE";
	if (list && token_begins(lx->prev, true) && expects(expected, n, "','"))
		return "is a ',' missing before it?";
	if (!list && token_begins(lx->prev, false) && expects(expected, n, "';'"))
		return "is a ';' missing before it?";
	return NULL;
}

/* lx->prev is the token itself. */
const char *unexpected_hint(struct lexer *lx, struct range at, const char *const *expected, int n)
{
	const char *text = lx->src->text, *hint;

	if (declares(lx, at))
		return NO_TYPES;
	hint = word_hint(text + at.from, at.to - at.from);
	if (!hint)
		hint = unexpected_old_type(lx, at);
	if (!hint)
		hint = hint_before(lx, at);
	if (hint)
		return hint;
	if (lx->prev == '.' && after_self(text, at.from))
		return "variables of the thread and of the clause are written self->x and this->x";
	if (lx->prev2 == TOK_SPEC && text[at.from] == '@')
		return "a '{' is missing: what a clause does is in braces";
	if (lx->prev2 == TOK_AGG && lx->prev == TOK_IDENT && at.from > 1 &&
	    isspace((unsigned char)text[at.from - 1]) && text[at.from - 2] == '@')
		return "the name of an aggregation follows its '@' at once";
	if (unexpected_value(lx, expected, n))
		return "assign it in BEGIN { NAME = value; }, or make it a constant: "
		       "inline int NAME = value;";
	if (lx->prev == '{' && lx->levels.n == 1 && lx->what == IN_CLAUSE && !lx->pred)
		return BEGINS;
	hint = pair_hint(lx);
	if (hint)
		return hint;
	if (lx->what != IN_CLAUSE && lx->prev == TOK_IDENT && expects(expected, n, "type name"))
		return "it is not a known type; write a tag as 'struct NAME', or declare the name "
		       "with a typedef";
	if (is_closing(lx->prev) && lx->unmatched)
		return "there is no open bracket for it";
	if (lx->pred)
		return "a predicate ends with '/' before the '{' of its body";
	return between_hint(lx, at, expected, n);
}
