/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * place.c - where the lexer is, and messages about that place.
 */
#include <stdarg.h>

#include <dtx/tag.h>

#include "compiler/front/parse.h"

struct range lex_range(const struct lexer *lx)
{
	return (struct range){ lx->src, lx->from, lx->to };
}

/* While skipping to the end of a broken clause, its other errors are ignored. */
struct diag *lex_error(struct lexer *lx, u32 tag, const char *fmt, ...)
{
	struct diag *d;
	va_list ap;

	if (lx->recover)
		return NULL;
	va_start(ap, fmt);
	d = diag_error(&lx->comp->env->diags, tag, lex_range(lx), "%s",
		       arena_vprintf(lx->comp->env->arena, fmt, ap));
	va_end(ap);
	return d;
}

void lex_hint(struct lexer *lx, struct diag *d, const char *text)
{
	if (d)
		diag_hint(&lx->comp->env->diags, d, "%s", text);
}

void parse_too_deep(struct lexer *lx, struct range at)
{
	struct diag *d;

	if (lx->too_deep)
		return;
	lx->too_deep = true;
	d = diag_error(&lx->comp->env->diags, D_SYNTAX, at, "this is nested too deeply");
	diag_hint(&lx->comp->env->diags, d,
		  "expressions may have %d levels and %d open brackets: split it over variables",
		  NODE_DEPTH, LEX_LEVELS);
}
