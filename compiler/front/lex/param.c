/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * param.c - options that programs declare (#pragma D param) and their values, macro variables:
 * $limit is the value of --limit, of the declared type; $$limit and $limit in a probe description
 * are its text.
 */
#include <dtx/params.h>
#include <dtx/tag.h>
#include <stdlib.h>

#include "compiler/front/parse.h"

/* Options given to the handle by name; the last one counts. */
static const char *param_given(const struct dtx_env *env, const char *name)
{
	for (u32 i = env->nparams; i-- > 0; )
		if (!strcmp(env->params[i].name, name))
			return env->params[i].value;
	return NULL;
}

static const char *param_twice(struct comp *c, const struct dtx_param *p)
{
	for (u32 i = 0; i < c->front->nparams; i++) {
		const struct dtx_param *other = &c->front->params[i];

		if (!strcmp(other->name, p->name))
			return arena_printf(c->arena, "the option '%s' is declared twice", p->name);
		if (p->letter && other->letter == p->letter)
			return arena_printf(c->arena, "the letter %c belongs to the option '%s'",
					    p->letter, other->name);
	}
	return NULL;
}

void param_declare(struct lexer *lx, const char *const *words, u32 n)
{
	struct comp *c = lx->comp;
	const char *wrong, *given;
	struct dtx_param p;
	s64 number;

	if (c->front->in_lib)                    /* options belong to scripts */
		return;
	wrong = param_parse(c->env->arena, words, n, &p);
	if (wrong && !strcmp(wrong, PARAM_FORM)) {
		lex_hint(lx, lex_error(lx, D_PRAGMA_MALFORM, "malformed #pragma D param"), wrong);
		return;
	}
	if (!wrong)
		wrong = param_twice(c, &p);
	if (wrong) {
		lex_error(lx, D_PRAGMA_PARAM, "%s", wrong);
		return;
	}
	given = param_given(c->env, p.name);
	if (given && !param_number(&p, given, &number))
		lex_error(lx, D_PRAGMA_PARAM, "--%s takes %s, not '%s'", p.name, param_takes(&p),
			  given);
	else if (given)
		p.value = given;
	ARENA_PUSH(c->arena, c->front->params, c->front->nparams, p);
}

const struct dtx_param *param_find(struct comp *c, const char *text, u32 len, u32 *used)
{
	u32 n = 0;

	while (n < len && name_char(text[n]))
		n++;
	*used = n;
	for (u32 i = 0; i < c->front->nparams; i++) {
		const struct dtx_param *p = &c->front->params[i];

		if (strlen(p->name) == n && !memcmp(p->name, text, n))
			return p;
	}
	return NULL;
}

const char *param_value(struct comp *c, const struct dtx_param *p)
{
	return param_text(c->env->arena, p, p->value);
}

void param_finish(struct comp *c)
{
	u32 used;

	for (u32 i = 0; i < c->env->nparams; i++) {
		const char *name = c->env->params[i].name;

		if (param_find(c, name, strlen(name), &used))
			continue;
		diag_error(&c->env->diags, D_PRAGMA_PARAM, (struct range){ 0 },
			   "no script declares the option '%s'", name);
	}
}

/* ---- for images ------------------------------------------------------------------------- */

static void put_quoted(struct buf *b, const char *text)
{
	buf_putc(b, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			buf_putc(b, '\\');
		buf_putc(b, *text);
	}
	buf_putc(b, '"');
}

static void declaration(struct buf *b, const struct dtx_param *p)
{
	buf_printf(b, "#pragma D param %s", p->name);
	if (p->letter)
		buf_printf(b, ",%c", p->letter);
	buf_printf(b, " %s ", p->type);
	put_quoted(b, p->value);
	buf_putc(b, ' ');
	put_quoted(b, p->help);
	buf_putc(b, '\n');
}

const char *param_script(struct comp *c)
{
	struct dtx_script *s = NULL;
	struct buf b = { 0 };
	const char *text;

	for (u32 i = 0; i < c->nprogs && !(s && s->comment); i++) {
		dtx_script_free(s);
		s = c->progs[i].is_script ?
		    dtx_script_text(c->progs[i].src->text, c->progs[i].src->len) : NULL;
	}
	if (s && s->comment)
		buf_printf(&b, "/*\n%s\n*/\n", s->comment);
	for (u32 i = 0; i < c->front->nparams; i++)
		declaration(&b, &c->front->params[i]);
	text = b.len ? arena_strdup(c->img->arena, b.data) : NULL;
	buf_free(&b);
	dtx_script_free(s);
	return text;
}
