/* SPDX-License-Identifier: BSD-2-Clause */
/* define.c - definitions for editors: the text of a struct, or of the one that has a member. */
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

/* The struct whose member is at the cursor, or whose name; its `word` ends at `end`. */
static bool find_struct(struct dtx_env *env, const char *text, size_t end, struct cursor cur,
			const char *word, struct shape *s)
{
	static const char *const before[] = { "struct ", "union " };

	if (cur.where == AT_EXPRESSION && cur.path < cur.from)
		return shape_of(env, shape_probe(env, text, cur.probe, cur.probe_end), text,
				cur.path, cur.from, s);
	size_t from = end - strlen(word);
	for (u32 i = 0; i < ARRAY_SIZE(before); i++) {
		size_t n = strlen(before[i]);

		if (from >= n && !memcmp(text + from - n, before[i], n))
			return shape_by_name(env, arena_printf(env->arena, "%s%s", before[i], word),
					     s);
	}
	return shape_by_name(env, word, s) && s->lib;
}

bool define_at(struct dtx_env *env, const char *text, size_t len, size_t at, struct buf *b,
	       u32 *line)
{
	size_t end = cursor_word_end(text, len, at), from = end;
	struct cursor cur = cursor_find(text, end);
	struct text t = { .to = b };
	struct shape s;

	while (from && cursor_word_end(text, len, from - 1) == end)
		from--;
	if ((cur.where != AT_EXPRESSION && cur.where != AT_PROBE) || from == end)
		return false;
	t.member = arena_printf(env->arena, "%.*s", (int)(end - from), text + from);
	if (!find_struct(env, text, end, cur, t.member, &s))
		return false;
	bool is_member = cur.where == AT_EXPRESSION && cur.path < cur.from;
	if (s.lib)
		add_library(&t, &s);
	else
		add_kernel(&t, &s);
	*line = is_member ? t.line : 0;
	return t.found || !is_member;
}
