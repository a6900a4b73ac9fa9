/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shape.c - what members the object before a "." or "->" has.  Types are those of the probe's
 * arguments, of the kernel, and of the D library, whose text is read: a text that is being written
 * cannot be compiled.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dtx/provider.h>

#include "compiler/edit/edit.h"
#include "compiler/help/help.h"

extern const struct help_page dtx_d_lib[];

/* ---- probes ---------------------------------------------------------------------------------- */

static int take_first(void *arg, struct dtx_probe *p)
{
	*(struct dtx_probe **)arg = p;
	return 1;
}

struct dtx_probe *shape_probe(struct dtx_env *env, const char *text, size_t from, size_t to)
{
	struct dtx_pattern pat = { "", "", "", "", 0, false };
	struct dtx_probe *found = NULL;
	const char *err = NULL;

	/* The last of several descriptions: the one that is nearest to the cursor. */
	while (to > from && isspace((unsigned char)text[to - 1]))
		to--;
	for (size_t i = from; i < to; i++)
		if (text[i] == ',')
			from = i + 1;
	while (from < to && isspace((unsigned char)text[from]))
		from++;
	if (from >= to)
		return NULL;

	char *one = arena_printf(env->arena, "%.*s", (int)(to - from), text + from);
	if (provider_parse(env->arena, one, 4, &pat, &err))
		return NULL;
	provider_list(env, &pat, take_first, &found);
	if (found)
		provider_args(env, found, ARGS_TYPED);
	return found;
}

/* ---- types by their names -------------------------------------------------------------------- */

/* "struct pid *" is pid, what = T_STRUCT; "psinfo_t *" is psinfo_t, what = T_TYPEDEF. */
bool shape_by_name(struct dtx_env *env, const char *name, struct shape *s)
{
	enum type_kind what = !strncmp(name, "struct ", 7)  ? T_STRUCT
			      : !strncmp(name, "union ", 6) ? T_UNION
							    : T_TYPEDEF;
	const char *tag = what == T_TYPEDEF ? name : strchr(name, ' ') + 1;
	char plain[96], end[112];

	snprintf(plain, sizeof(plain), "%.*s", (int)strcspn(tag, " *"), tag);
	snprintf(end, sizeof(end), "\n} %s;", plain);
	for (const struct help_page *file = dtx_d_lib; file->name && what == T_TYPEDEF; file++) {
		const char *found = memmem(file->text, file->end - file->text, end, strlen(end));
		const char *from = found;

		while (from && from > file->text && strncmp(from, "\ntypedef struct", 15))
			from--;
		if (found) {
			*s = (struct shape){ .lib = from, .lib_end = found };
			return true;
		}
	}
	for (u32 i = 0; i < ARRAY_SIZE(env->sources) && env->sources[i]; i++) {
		struct type *t = env->sources[i]->by_name(env->sources[i], env->arena, what, plain);

		if (t) {
			*s = (struct shape){ .type = t };
			return true;
		}
	}
	return false;
}

/* A pointer leads to what it points to. */
static bool shape_by_type(struct dtx_env *env, struct type *t, struct shape *s)
{
	t = type_base(t);
	if (t && t->kind == T_PTR)
		t = type_base(t->to);
	t = type_complete(t);
	if (t && (t->kind == T_STRUCT || t->kind == T_UNION) && t->incomplete && t->name) {
		char *name = arena_printf(env->arena, "struct %s", t->name);

		return shape_by_name(env, name, s);
	}
	*s = (struct shape){ .type = t };
	return t && (t->kind == T_STRUCT || t->kind == T_UNION);
}

static bool shape_by_arg(struct dtx_env *env, const struct dtx_arg *a, struct shape *s)
{
	if (a->xlate || (!a->type && a->ctype))
		return shape_by_name(env, a->xlate ? a->xlate : a->ctype, s);
	return a->type && shape_by_type(env, a->type, s);
}

/* ---- members --------------------------------------------------------------------------------- */

/* A member of a struct of the library: "\tTYPE name;".  false: the text has ended. */
static bool lib_member(const char **at, const char *end, const char **type, size_t *type_len,
		       char *name, size_t size)
{
	while (*at < end) {
		const char *line = memchr(*at, '\n', end - *at);
		if (!line || ++line >= end)
			return false;
		*at = line;
		const char *semi = memchr(line, ';', end - line), *p = semi;
		if (!semi || *line != '\t')
			continue;
		if (p > line && p[-1] == ']')
			while (p > line && *p != '[')
				p--;
		const char *stop = p;
		while (p > line && name_char(p[-1]))
			p--;
		*type = line + 1;
		*type_len = p - line - 1;
		snprintf(name, size, "%.*s", (int)(stop - p), p);
		return true;
	}
	return false;
}

static void type_members(const struct type *t, candidate_fn *fn, void *arg)
{
	for (u32 i = 0; i < t->count && t->members; i++) {
		const struct type_member *m = &t->members[i];
		struct buf text = { 0 };

		if (!m->name || !*m->name) {
			struct type *inner = type_complete(type_base(m->type));

			if (inner && (inner->kind == T_STRUCT || inner->kind == T_UNION))
				type_members(inner, fn, arg);
			continue;
		}
		type_text(m->type, &text);
		fn(arg, m->name, text.data ? text.data : "");
		buf_free(&text);
	}
}

void shape_members(const struct shape *s, candidate_fn *fn, void *arg)
{
	const char *at = s->lib, *type;
	size_t n;
	char name[96];

	if (s->type)
		type_members(s->type, fn, arg);
	while (s->lib && lib_member(&at, s->lib_end, &type, &n, name, sizeof(name))) {
		char *text = xprintf("%.*s", (int)n, type);

		fn(arg, name, text);
		free(text);
	}
}

static bool shape_step(struct dtx_env *env, struct shape *s, const char *member)
{
	const char *at = s->lib, *type;
	size_t n;
	char name[96];
	u32 off;

	if (s->type) {
		const struct type_member *m = type_find_member(s->type, member, &off);

		return m && shape_by_type(env, m->type, s);
	}
	while (s->lib && lib_member(&at, s->lib_end, &type, &n, name, sizeof(name))) {
		if (strcmp(name, member))
			continue;
		char *of = arena_printf(env->arena, "%.*s", (int)n, type);
		return shape_by_name(env, of, s);
	}
	return false;
}

/* ---- paths ----------------------------------------------------------------------------------- */

/* args[N], args.NAME, the name of an argument, or a built-in pointer; `n`: bytes of the word. */
static bool shape_first(struct dtx_env *env, const struct dtx_probe *p, const char *word, size_t n,
			s64 index, struct shape *s)
{
	static const struct { const char *name, *type; } pointers[] = {
		{ "curthread", "struct task_struct" }, { "curtask", "struct task_struct" },
		{ "curpsinfo", "psinfo_t" }, { "curlwpsinfo", "lwpsinfo_t" },
		{ "curcpu", "cpuinfo_t" }, { "fds", "fileinfo_t" },
	};

	for (u32 i = 0; i < ARRAY_SIZE(pointers); i++)
		if (strlen(pointers[i].name) == n && !memcmp(pointers[i].name, word, n))
			return shape_by_name(env, pointers[i].type, s);
	if (!p)
		return false;
	if (n == 4 && !memcmp(word, "args", 4) && index >= 0)
		return (u64)index < p->args.n && shape_by_arg(env, &p->args.v[index], s);
	for (u32 i = 0; i < p->args.n; i++)
		if (p->args.v[i].name && strlen(p->args.v[i].name) == n &&
		    !memcmp(p->args.v[i].name, word, n))
			return shape_by_arg(env, &p->args.v[i], s);
	return false;
}

bool shape_of(struct dtx_env *env, const struct dtx_probe *p, const char *text, size_t from,
	      size_t to, struct shape *s)
{
	bool first = true, found = false;

	while (from < to) {
		size_t n = cursor_word_end(text, to, from) - from;
		const char *word = text + from;
		s64 index = -1;

		from += n;
		if (from < to && text[from] == '[') {
			index = strtoll(text + from + 1, NULL, 0);
			while (from < to && text[from] != ']')
				from++;
			from += from < to;
		}
		/* "args." itself is only the way to an argument. */
		if (first && n == 4 && !memcmp(word, "args", 4) && index < 0) {
			from += strspn(text + from, ".->");
			continue;
		}
		char *name = arena_printf(env->arena, "%.*s", (int)n, word);
		if (first)
			found = n && shape_first(env, p, word, n, index, s);
		else
			found = n && shape_step(env, s, name);
		if (!found)
			return false;
		first = false;
		size_t dots = strspn(text + from, ".->");
		if (!dots)
			return false;
		from += dots;
	}
	return found;
}
