/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * token.c - the meaning of a token at its place: the two modes of the lexer,
 * brackets, keywords, names that are types, the slashes around a predicate.
 */
#include <ctype.h>

#include <dtx/opt.h>
#include <dtx/tag.h>

#include "compiler/front/parse.h"
#include "dtx.tab.h"

/* ---- names ------------------------------------------------------------------------------- */

/* First byte after the current token that is not blank. */
static const char *lex_ahead(const struct lexer *lx)
{
	const char *s = lx->src->text + lx->to;

	return s + strspn(s, " \t\r\n\f\v");
}

static bool lex_is_qualifier(int token)
{
	return token == TOK_CONST || token == TOK_VOLATILE || token == TOK_RESTRICT;
}

/* In an expression only a cast, sizeof, offsetof or xlate contains a type. */
static bool lex_cast_follows(const struct lexer *lx)
{
	char next = *lex_ahead(lx);

	if (lex_is_qualifier(lx->prev) || lx->prev == TOK_USERLAND)
		return true;
	if (lx->prev == '<')
		return lx->prev2 == TOK_XLATE;
	if (lx->prev != '(' || lx->prev2 == TOK_IDENT || lx->prev2 == ']')
		return false;
	return next == ')' || next == '*' || next == '[' || next == '(' ||
	       (next == ',' && (lx->prev2 == TOK_OFFSETOF || lx->prev2 == TOK_HAS_MEMBER));
}

static bool lex_is_type(const struct lexer *lx, const char *name)
{
	if (lx->prev == TOK_STRUCT || lx->prev == TOK_UNION || lx->prev == TOK_ENUM ||
	    lx->prev == TOK_PROVIDER || lx->prev == TOK_PROBE)
		return false;
	if (lx->in_expr)
		return lex_cast_follows(lx) && scope_is_typename(lx->comp, name);
	if (lx->is_enum || lx->spec_seen || lx->prev == '*' ||
	    (lx->prev2 == '*' && lex_is_qualifier(lx->prev)))
		return false;            /* after '*' is a declarator */
	if (lx->what == IN_XLATE && lx->levels.n)
		return false;
	return scope_is_typename(lx->comp, name);
}

/* Is the word the target of an assignment? */
static bool lex_is_set(const struct lexer *lx)
{
	const char *next = lex_ahead(lx);

	return *next == '=' && next[1] != '=';
}

static int keyword_token(struct lexer *lx, const struct keyword *kw)
{
	if (kw->flags & KW_TYPE)
		lx->spec_seen = true;
	return kw->token;
}

/* Is the word at the place of the name in a declaration? */
static bool lex_declares(const struct lexer *lx)
{
	const char *next = lex_ahead(lx);

	if (lx->prev == TOK_STRUCT || lx->prev == TOK_UNION || lx->prev == TOK_ENUM)
		return true;
	return (lx->spec_seen || lx->prev == '*') && !lx->in_expr &&
	       (memchr(";,[)=:", *next, 6) || !strncmp(next, "__attribute__", 13));
}

/* After the comma of offsetof(T, member). */
static bool lex_in_offsetof(const struct lexer *lx)
{
	return lx->prev == ',' && lx->levels.n && lx->levels.v[lx->levels.n - 1].is_offsetof;
}

/* Members may have names that are special only in D, because C programs use them. */
static bool lex_in_struct(const struct lexer *lx)
{
	return lx->what == IN_DECL && lx->levels.n && lx->levels.v[0].open == '{';
}

int lex_word(struct lexer *lx, DTX_YYSTYPE *val, const char *text, u32 len)
{
	bool member = lx->prev == '.' || lx->prev == TOK_ARROW || lex_in_offsetof(lx);
	const struct keyword *kw = member ? NULL : keyword_find(text, len);
	const char *name;

	if (kw && kw->token == TOK_LEAVE && *lex_ahead(lx) == '(')
		kw = NULL;               /* the action */
	if (kw && (kw->flags & KW_NOT_C) && lex_declares(lx) &&
	    (lex_in_struct(lx) || cheader_is(lex_range(lx))))
		kw = NULL;
	if (kw && kw->token == TOK_PROBE && lx->what == IN_CLAUSE && !lex_is_set(lx))
		kw = NULL;               /* the variable of bpftrace */
	if (kw)
		return keyword_token(lx, kw);
	name = arena_strndup(lx->comp->arena, text, len);
	if (!member && lex_is_type(lx, name)) {
		lx->spec_seen = true;
		val->TOK_TYPE = name;
		return TOK_TYPE;
	}
	val->TOK_IDENT = name;
	return TOK_IDENT;
}

/* a::b: how much of it is one word; a C++ tag includes all of it. */
u32 lex_scoped(struct lexer *lx, const char *text, u32 len)
{
	const char *colon = memchr(text, ':', len);

	return lx->prev == TOK_STRUCT || lx->prev == TOK_UNION || lx->prev == TOK_ENUM
		       ? len
		       : (u32)(colon - text);
}

/* ---- modes and brackets ------------------------------------------------------------------- */

/* The current token ends its clause or declaration. */
static void lex_end(struct lexer *lx)
{
	lx->ended = lx->outer = true;
	lx->pred = lx->in_expr = lx->spec_seen = lx->is_enum = false;
	lx->what = IN_NOTHING;
	lx->levels.n = 0;
}

static void lex_begin(struct lexer *lx, enum construct what)
{
	lx->what = what;
	lx->outer = false;
	lx->in_expr = what == IN_CLAUSE;
	lx->spec_seen = lx->is_enum = false;
}

int lex_open(struct lexer *lx, char c)
{
	struct level level = { c, lx->spec_seen, lx->is_enum,
			       lx->prev == TOK_OFFSETOF || lx->prev == TOK_HAS_MEMBER, lx->from };

	if (lx->outer)
		lex_begin(lx, IN_CLAUSE);
	if (lx->levels.n >= LEX_LEVELS) {
		parse_too_deep(lx, lex_range(lx));
		lx->stop = true;
		return 0;
	}
	VEC_PUSH(&lx->levels, level);
	lx->spec_seen = false;
	lx->is_enum = c == '{' && (lx->prev == TOK_ENUM || lx->prev2 == TOK_ENUM);
	return c;
}

/* A closing bracket also closes inner open ones: a missing bracket spoils only one clause. */
int lex_close(struct lexer *lx, char c)
{
	char open = c == ')' ? '(' : c == ']' ? '[' : '{';
	u32 n = lx->levels.n;

	while (n && lx->levels.v[n - 1].open != open)
		n--;
	lx->unmatched = !n;
	lx->passed = (struct level){ 0 };
	if (n && n < lx->levels.n)
		lx->passed = lx->levels.v[lx->levels.n - 1];
	if (n) {
		lx->spec_seen = lx->levels.v[n - 1].spec_seen;
		lx->is_enum = lx->levels.v[n - 1].is_enum;
		lx->levels.n = n - 1;
	}
	if (c == '}' && (!n || (n == 1 && lx->what == IN_CLAUSE)))
		lex_end(lx);
	return c;
}

int lex_punct(struct lexer *lx, int c)
{
	char inner = lx->levels.n ? lx->levels.v[lx->levels.n - 1].open : 0;

	if (lx->outer && c == '/') {
		lex_begin(lx, IN_CLAUSE);
		lx->pred = true;
		return TOK_PRED;
	}
	if (c == ';' && !lx->levels.n && !lx->pred)
		lex_end(lx);
	if (lx->outer)
		return c;
	if (c == ';' || c == '<' || (c == ',' && (inner == '(' || inner == '[')))
		lx->spec_seen = false;
	if (lx->what == IN_INLINE || lx->what == IN_XLATE)
		lx->in_expr = c == '=' || (lx->in_expr && c != ';');
	return c;
}

/* First byte after blanks and comments; it skips only a few comments. */
static char lex_ahead_text(const struct lexer *lx, u32 from)
{
	const char *s = lx->src->text + from, *end;

	s += strspn(s, " \t\r\n\f\v");
	for (u32 i = 0; i < 16 && s[0] == '/' && (s[1] == '*' || s[1] == '/'); i++) {
		end = strstr(s + 2, s[1] == '*' ? "*/" : "\n");
		s = end ? end + (s[1] == '*' ? 2 : 1) : s + strlen(s);
		s += strspn(s, " \t\r\n\f\v");
	}
	return *s;
}

/* Else =~ and !~ are = ~ and ! ~, the complement of a number. */
bool lex_text_follows(struct lexer *lx)
{
	const char *s = lex_ahead(lx), *end = s + (*s == '$');
	struct sym *sym;

	if (*s == '"' || !strncmp(s, "$$", 2))
		return true;
	end += name_span(end, "");
	if (*s == '$')
		return lex_macro_is_text(lx, s, end - s);
	sym = scope_peek(lx->comp, SPACE_GLOBAL, arena_strndup(lx->comp->arena, s, end - s));
	return sym && sym->type && type_is_string(sym->type);
}

/* The slash after a predicate is recognised by what follows: the body, or nothing. */
int lex_slash(struct lexer *lx)
{
	if (!lx->pred || lx->levels.n || !memchr("{;/", lex_ahead_text(lx, lx->to), 4))
		return '/';
	lx->pred = false;
	lx->outer = true;
	return TOK_EPRED;
}

/* "//" in a predicate: its end if the body follows after a comment, else a comment. */
bool lex_slash_slash(struct lexer *lx, const char *text, u32 len)
{
	char next = len > 2 ? text[2] : 0;

	return lx->pred && !lx->levels.n && (next == '/' || next == '*') &&
	       memchr("{;", lex_ahead_text(lx, lx->from + 1), 3);
}

/* ---- outer mode ------------------------------------------------------------------------------ */

static enum construct construct_of(int token)
{
	switch (token) {
	case TOK_INLINE:     return IN_INLINE;
	case TOK_TRANSLATOR: return IN_XLATE;
	case TOK_PROVIDER:   return IN_PROVDEF;
	default:             return IN_DECL;
	}
}

bool lex_spec_for_sure(const char *text, u32 len)
{
	static const char *const words[] = { "BEGIN", "END", "ERROR" };

	for (u32 i = 0; i < len; i++)
		if (memchr(":-.?!`", text[i], 6))
			return true;
	for (u32 i = 0; i < ARRAY_SIZE(words); i++)
		if (strlen(words[i]) == len && !memcmp(text, words[i], len))
			return true;
	return false;
}

/* A probe description is never followed by a word or a star: `uint64_t n` is a declaration
 * for -n too. */
static bool lex_word_follows(const struct lexer *lx)
{
	const char *next = lex_ahead(lx);

	return isalpha((unsigned char)*next) || *next == '_' || *next == '*';
}

/*
 * A word between clauses: keyword or type of a declaration, else a probe description.
 * `foo_t*` is cut before the star: *used is the length used.
 */
int lex_spec(struct lexer *lx, DTX_YYSTYPE *val, const char *text, u32 len, u32 *used)
{
	const char *star = memchr(text, '*', len);
	u32 cut = star && star > text ? star - text : len;
	bool pspec = !lx->prog->is_script || opt_num(lx->comp->env, OPT_pspec);
	const struct keyword *kw = keyword_find(text, cut);
	const char *name;

	if (kw && (kw->flags & KW_OUTSIDE)) {
		*used = cut;
		lex_begin(lx, construct_of(kw->token));
		return keyword_token(lx, kw);
	}
	if ((!pspec || lex_word_follows(lx)) && !lex_spec_for_sure(text, len)) {
		name = arena_strndup(lx->comp->arena, text, cut);
		if (scope_is_typename(lx->comp, name)) {
			*used = cut;
			lex_begin(lx, IN_DECL);
			lx->spec_seen = true;
			val->TOK_TYPE = name;
			return TOK_TYPE;
		}
	}
	name = lex_spec_macros(lx, text, len);
	if (name && !*name)
		lex_error(lx, D_PDESC_INVAL, "'%.*s' is empty, which is no probe description",
			  (int)len, text);
	val->TOK_SPEC = name ? name : "";
	return TOK_SPEC;
}

/* ---- what is no token ------------------------------------------------------------------------ */

int lex_is_comment(struct lexer *lx)
{
	struct diag *d;

	lx->from = lx->comment_at;
	lx->to = lx->from + 2;
	d = lex_error(lx, D_SYNTAX, "this comment does not end");
	lex_hint(lx, d, "close it with '*/'");
	lx->from = lx->to = lx->src->len;
	lx->stop = true;
	return 0;
}

void lex_stray(struct lexer *lx, const char *text, u32 len)
{
	unsigned char c = text[0];
	struct diag *d;

	if (++lx->nbad == LEX_BAD) {
		d = lex_error(lx, D_SYNTAX, "this does not look like a D program");
		lex_hint(lx, d, "too many invalid characters: the rest is not read");
		lx->stop = true;
		return;
	}
	if (c >= 0x80 && len > 2 && !memcmp(text, "\xe2\x80", 2)) {
		d = lex_error(lx, D_SYNTAX, "unexpected character '%.*s'", (int)MIN(len, 12u),
			      text);
		lex_hint(lx, d, "typographic quotes and dashes come from word processors: "
			 "use plain ones");
	} else if (c >= 0x80 && len <= 12) {
		lex_error(lx, D_SYNTAX, "unexpected character '%.*s'", (int)len, text);
	} else {
		lex_error(lx, D_SYNTAX, "unexpected byte 0x%02x", c);
	}
}
