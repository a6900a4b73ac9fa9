/* SPDX-License-Identifier: BSD-2-Clause */
/* edit.c - the public functions for shells and editors (dtx.h). */
#include <dtx.h>

#include <errno.h>
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
	bool known = define_at(env, text, strlen(text), at, &b, line);

	diags_take(&env->diags, "");
	if (known)
		return b.data;
	buf_free(&b);
	return NULL;
}

int dtx_uses(struct dtx *d, const char *text, size_t at,
	     void (*fn)(void *arg, size_t from, size_t to), void *arg)
{
	struct dtx_env *env = handle_env(d);
	struct name name, use;
	size_t p = 0;

	if (!name_at(text, at, &name))
		return -ENOENT;
	bool of_d = name_is_of_d(env, text, &name);
	diags_take(&env->diags, "");
	if (of_d)
		return -EPERM;
	while (name_next_use(text, &name, &p, &use))
		fn(arg, use.from, use.to);
	return 0;
}

char *dtx_format(const char *text)
{
	return format_program(text, strlen(text));
}
