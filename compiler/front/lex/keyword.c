/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * keyword.c - the words of D.
 */
#include <stdlib.h>

#include "compiler/front/parse.h"
#include "dtx.tab.h"

static const struct keyword keywords[] = {     /* sorted */
	{ "_Bool",      TOK_BOOL,       KW_OUTSIDE | KW_TYPE },
	{ "__has_member", TOK_HAS_MEMBER, 0 },
	{ "__int128",   TOK_INT128,     KW_OUTSIDE | KW_TYPE },
	{ "auto",       TOK_AUTO,       KW_OUTSIDE },
	{ "break",      TOK_BREAK,      0 },
	{ "case",       TOK_RESERVED,   0 },
	{ "char",       TOK_CHAR,       KW_OUTSIDE | KW_TYPE },
	{ "const",      TOK_CONST,      KW_OUTSIDE },
	{ "continue",   TOK_CONTINUE,   0 },
	{ "counter",    TOK_RESERVED,   KW_OUTSIDE | KW_NOT_C },
	{ "default",    TOK_RESERVED,   0 },
	{ "do",         TOK_RESERVED,   0 },
	{ "double",     TOK_DOUBLE,     KW_OUTSIDE | KW_TYPE },
	{ "else",       TOK_ELSE,       0 },
	{ "enum",       TOK_ENUM,       KW_OUTSIDE | KW_TYPE },
	{ "extern",     TOK_EXTERN,     KW_OUTSIDE },
	{ "float",      TOK_FLOAT,      KW_OUTSIDE | KW_TYPE },
	{ "for",        TOK_FOR,        0 },
	{ "goto",       TOK_RESERVED,   0 },
	{ "if",         TOK_IF,         0 },
	{ "import",     TOK_RESERVED,   KW_OUTSIDE | KW_NOT_C },
	{ "inline",     TOK_INLINE,     KW_OUTSIDE },
	{ "int",        TOK_INTW,       KW_OUTSIDE | KW_TYPE },
	{ "long",       TOK_LONG,       KW_OUTSIDE | KW_TYPE },
	{ "offsetof",   TOK_OFFSETOF,   0 },
	{ "probe",      TOK_PROBE,      KW_NOT_C },
	{ "provider",   TOK_PROVIDER,   KW_OUTSIDE | KW_NOT_C },
	{ "register",   TOK_REGISTER,   KW_OUTSIDE },
	{ "restrict",   TOK_RESTRICT,   KW_OUTSIDE },
	{ "return",     TOK_LEAVE,      0 },
	{ "self",       TOK_SELF,       KW_OUTSIDE | KW_NOT_C },
	{ "short",      TOK_SHORT,      KW_OUTSIDE | KW_TYPE },
	{ "signed",     TOK_SIGNED,     KW_OUTSIDE | KW_TYPE },
	{ "sizeof",     TOK_SIZEOF,     0 },
	{ "static",     TOK_STATIC,     KW_OUTSIDE },
	{ "string",     TOK_STRINGW,    KW_OUTSIDE | KW_TYPE | KW_NOT_C },
	{ "stringof",   TOK_STRINGOF,   KW_NOT_C },
	{ "struct",     TOK_STRUCT,     KW_OUTSIDE | KW_TYPE },
	{ "switch",     TOK_RESERVED,   0 },
	{ "this",       TOK_THIS,       KW_OUTSIDE | KW_NOT_C },
	{ "translator", TOK_TRANSLATOR, KW_OUTSIDE | KW_NOT_C },
	{ "typedef",    TOK_TYPEDEF,    KW_OUTSIDE },
	{ "union",      TOK_UNION,      KW_OUTSIDE | KW_TYPE },
	{ "unsigned",   TOK_UNSIGNED,   KW_OUTSIDE | KW_TYPE },
	{ "userland",   TOK_USERLAND,   KW_OUTSIDE | KW_NOT_C },
	{ "void",       TOK_VOID,       KW_OUTSIDE | KW_TYPE },
	{ "volatile",   TOK_VOLATILE,   KW_OUTSIDE },
	{ "while",      TOK_WHILE,      0 },
	{ "xlate",      TOK_XLATE,      KW_NOT_C },
};

static int keyword_cmp(const void *word, const void *row)
{
	return strcmp(word, ((const struct keyword *)row)->word);
}

const struct keyword *keyword_find(const char *text, u32 len)
{
	char word[16];

	if (len >= sizeof(word))
		return NULL;
	memcpy(word, text, len);
	word[len] = 0;
	return bsearch(word, keywords, ARRAY_SIZE(keywords), sizeof(keywords[0]), keyword_cmp);
}

bool token_is_keyword(const char *text, u32 len)
{
	return keyword_find(text, len);
}

bool lex_is_typeword(const char *text, u32 len)
{
	const struct keyword *kw = keyword_find(text, len);

	return kw && kw->flags & KW_TYPE;
}
