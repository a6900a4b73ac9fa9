/* SPDX-License-Identifier: BSD-2-Clause */
/* kind.c - what each token is, for editors that colour a text (dtx_tokens()). */
#include <dtx.h>

#include <ctype.h>
#include <string.h>

#include <dtx/compile.h>

#include "compiler/front/parse.h"
#include "dtx.tab.h"

/* Only of the programs, not of the D library. */
static bool is_wanted(const struct lexer *lx)
{
	const struct compile_opts *o = lx->comp->opts;

	return o && o->token && !lx->comp->front->in_lib;
}

static bool is_tag(int token)
{
	return token == TOK_STRUCT || token == TOK_UNION || token == TOK_ENUM;
}

/* Is it declared here as a member, or given a value in a translator? */
static bool is_own_member(const struct lexer *lx)
{
	if (!lx->levels.n || lx->in_expr || lx->levels.v[0].open != '{')
		return false;
	return lx->what == IN_XLATE || (lx->what == IN_DECL && !lx->is_enum);
}

static enum dtx_token kind_of_name(const struct lexer *lx)
{
	const char *next = lx->src->text + lx->to;

	next += strspn(next, " \t\r\n\f\v");
	if (is_tag(lx->prev))
		return DTX_TOKEN_TYPE;
	if (lx->prev == TOK_PROVIDER || lx->prev == TOK_PROBE)
		return DTX_TOKEN_PROBE;
	if (lx->prev == '.' || lx->prev == TOK_ARROW)
		return lx->prev2 == TOK_SELF || lx->prev2 == TOK_THIS ? DTX_TOKEN_VARIABLE
								      : DTX_TOKEN_PROPERTY;
	if (is_own_member(lx))
		return DTX_TOKEN_PROPERTY;
	return *next == '(' ? DTX_TOKEN_FUNCTION : DTX_TOKEN_VARIABLE;
}

static enum dtx_token token_kind(const struct lexer *lx, int token)
{
	const char *text = lx->src->text + lx->from;

	if (*text == '$' && token != TOK_SPEC)
		return DTX_TOKEN_MACRO;
	switch (token) {
	case TOK_SPEC:   return DTX_TOKEN_PROBE;
	case TOK_AGG:    return DTX_TOKEN_VARIABLE;
	case TOK_TYPE:   return DTX_TOKEN_TYPE;
	case TOK_STRING: return DTX_TOKEN_STRING;
	case TOK_INT:    return *text == '\'' ? DTX_TOKEN_STRING : DTX_TOKEN_NUMBER;
	case TOK_IDENT:  return kind_of_name(lx);
	default:         break;
	}
	if (isalpha((unsigned char)*text) || *text == '_')
		return lex_is_typeword(text, lx->to - lx->from) && !is_tag(token)
			       ? DTX_TOKEN_TYPE
			       : DTX_TOKEN_KEYWORD;
	return strchr("(){}[],;", *text) ? DTX_TOKEN_NONE : DTX_TOKEN_OPERATOR;
}

static void tell(const struct lexer *lx, enum dtx_token kind, u32 from)
{
	if (is_wanted(lx) && kind != DTX_TOKEN_NONE)
		lx->comp->opts->token(lx->comp->opts->token_arg, kind, from, lx->to);
}

void lex_tell_comment(struct lexer *lx, u32 from)
{
	tell(lx, DTX_TOKEN_COMMENT, from);
}

void lex_tell_control(struct lexer *lx, u32 from)
{
	tell(lx, DTX_TOKEN_MACRO, from);
}

void lex_tell(struct lexer *lx, int token)
{
	if (is_wanted(lx))
		tell(lx, token_kind(lx, token), lx->from);
}
