/* SPDX-License-Identifier: BSD-2-Clause */
/* define.c - the definition of a member, for editors: the text of the struct that has it. */
#include <stdlib.h>
#include <string.h>

#include "compiler/edit/edit.h"

struct text {
	const char *member;
	struct buf *to;
	u32 line;
	bool found;
};

/* "char [16]" and "comm" are "char comm[16]". */
static void add_member(void *arg, const char *name, const char *type)
{
	struct text *t = arg;
	size_t len = strcspn(type, "[");

	while (len && type[len - 1] == ' ')
		len--;
	buf_printf(t->to, "\t%.*s%s%s%s;\n", (int)len, type, len && type[len - 1] == '*' ? "" : " ",
		   name, type + strlen(type) - strlen(strchrnul(type, '[')));
	t->line += !t->found;
	t->found |= !strcmp(name, t->member);
}

/* Of the library: its text as it stands there. */
static void add_library(struct text *t, const struct shape *s)
{
	struct buf list = { 0 }, *whole = t->to;

	t->to = &list;
	shape_members(s, add_member, t);
	buf_free(&list);
	buf_add(whole, s->lib + 1, s->lib_end - s->lib - 1);
	buf_puts(whole, "\n};\n");
}

static void add_kernel(struct text *t, const struct shape *s)
{
	buf_printf(t->to, "%s %s {\n", s->type->kind == T_UNION ? "union" : "struct",
		   s->type->name ? s->type->name : "unnamed");
	shape_members(s, add_member, t);
	buf_puts(t->to, "};\n");
}

bool define_member(struct dtx_env *env, const char *text, size_t len, size_t at, struct buf *b,
		   u32 *line)
{
	size_t end = cursor_word_end(text, len, at);
	struct cursor cur = cursor_find(text, end);
	struct text t = { .to = b };
	struct shape s;

	if (cur.where != AT_EXPRESSION || cur.path >= cur.from || cur.from == end ||
	    !shape_of(env, shape_probe(env, text, cur.probe, cur.probe_end), text, cur.path,
		      cur.from, &s))
		return false;
	t.member = arena_printf(env->arena, "%.*s", (int)(end - cur.from), text + cur.from);
	if (s.lib)
		add_library(&t, &s);
	else
		add_kernel(&t, &s);
	*line = t.line;
	return t.found;
}
