/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * foreign_name.c - names that scripts from other systems use (foreign.def): what to write instead.
 */
#include <ctype.h>
#include <stdlib.h>

#include "compiler/front/front.h"

static const struct old_row {
	enum old_kind kind;
	const char *name, *instead;
} old_rows[] = {
#define OLD(kind, name, instead) { OLD_##kind, name, instead },
#include <dtx/tables/foreign.def>
#undef OLD
};

const char *oldname_find(enum old_kind kind, const char *name)
{
	for (u32 i = 0; name && *name && i < ARRAY_SIZE(old_rows); i++)
		if (old_rows[i].kind == kind && !strcmp(old_rows[i].name, name))
			return old_rows[i].instead;
	return NULL;
}

const char *oldname_type(struct arena *a, const char *name, u32 len)
{
	const char *plain = arena_strndup(a, name, len);
	const char *instead = oldname_find(OLD_TYPE, plain);

	if (!instead)
		instead = oldname_find(OLD_TYPE, arena_printf(a, "%s_t", plain));
	return instead ? arena_printf(a, "'%s' is not a type on Linux: %s", plain, instead) : NULL;
}

const char *oldname_in(struct arena *a, const char *text, u32 len)
{
	const char *said = NULL;
	u32 n;

	for (u32 i = 0; !said && i < len; i += MAX(n, 1u)) {
		for (n = 0;
		     i + n < len && (isalnum((unsigned char)text[i + n]) || text[i + n] == '_');)
			n++;
		if (n > 2 && !memcmp(text + i + n - 2, "_t", 2))
			said = oldname_type(a, text + i, n);
	}
	return said;
}

/* ---- #include lines ----------------------------------------------------------------- */

void oldname_headers(struct comp *c, const struct source *src, struct diag *d)
{
	const char *s = src->text, *end = s + src->len, *close;

	for (; (s = strstr(s, "#include")); s++) {
		const char *from = s + strlen("#include"), *instead;

		from += strspn(from, " \t");
		close = from < end && *from == '<' ? strpbrk(from, ">\n") : NULL;
		if (!close || *close != '>')
			continue;
		instead = oldname_find(OLD_HEADER,
				       arena_strndup(c->env->arena, from + 1, close - from - 1));
		if (instead)
			diag_note(&c->env->diags, d,
				  (struct range){ src, from - src->text, close + 1 - src->text },
				  "there is no such header on Linux: %s", instead);
	}
}
