/* SPDX-License-Identifier: BSD-2-Clause */
/* edit.c - the public functions for shells and editors (dtx.h). */
#include <dtx.h>

#include <string.h>

#include <dtx/handle.h>

#include "compiler/edit/edit.h"

size_t dtx_complete(struct dtx *d, const char *text, size_t at,
		    void (*fn)(void *arg, const char *word, const char *about), void *arg)
{
	struct dtx_env *env = handle_env(d);

	if (fn)
		complete_text(env, text, at, fn, arg);
	diags_take(&env->diags, "");
	return cursor_find(text, at).from;
}

char *dtx_hover(struct dtx *d, const char *text, size_t at)
{
	struct dtx_env *env = handle_env(d);
	struct buf b = { 0 };
	bool known = explain_word(env, text, strlen(text), at, &b);

	diags_take(&env->diags, "");
	if (known)
		return b.data;
	buf_free(&b);
	return NULL;
}

char *dtx_definition(struct dtx *d, const char *text, size_t at, unsigned *line)
{
	struct dtx_env *env = handle_env(d);
	struct buf b = { 0 };
	bool known = define_member(env, text, strlen(text), at, &b, line);

	diags_take(&env->diags, "");
	if (known)
		return b.data;
	buf_free(&b);
	return NULL;
}

char *dtx_format(const char *text)
{
	return format_program(text, strlen(text));
}
