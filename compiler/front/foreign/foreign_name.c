/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * foreign_name.c - names of other systems and tools (foreign.def): what to write instead.
 */
#include <stdlib.h>

#include "compiler/front/front.h"

static const struct foreign_row {
	enum foreign_names kind;
	const char *name, *instead, *why;
} foreign_rows[] = {
#define ROW(kind, name, d, is, why, ...) { FOREIGN_##kind, name, d is, why },
#define FOREIGN(kind, name, ...) ROW(kind, name, __VA_ARGS__, "", "", "")
#include <dtx/tables/foreign.def>
#undef ROW
#undef BUILTIN
};

static const struct foreign_row *foreign_row(enum foreign_names kind, const char *name)
{
	for (u32 i = 0; name && *name && i < ARRAY_SIZE(foreign_rows); i++)
		if (foreign_rows[i].kind == kind && !strcmp(foreign_rows[i].name, name))
			return &foreign_rows[i];
	return NULL;
}

const char *foreign_find(enum foreign_names kind, const char *name)
{
	const struct foreign_row *row = foreign_row(kind, name);

	return row ? row->instead : NULL;
}

struct diag *foreign_refused(struct comp *c, u32 tag, struct range at, const char *name)
{
	const struct foreign_row *absent = foreign_row(FOREIGN_ABSENT, name);
	const struct foreign_row *row = absent ?: foreign_row(FOREIGN_BPFTRACE, name);
	struct diag *d;

	if (!row)
		return NULL;
	d = absent ? diag_error(&c->env->diags, tag, at, "'%s' is not possible on Linux: %s", name,
				row->why)
		   : diag_error(&c->env->diags, tag, at,
				"'%s' is a bpftrace name; D does this another way", name);
	diag_hint(&c->env->diags, d, "%s", row->instead);
	return d;
}

const char *foreign_type(struct arena *a, const char *name, u32 len)
{
	const char *plain = arena_strndup(a, name, len);
	const char *instead = foreign_find(FOREIGN_TYPE, plain);

	if (!instead)
		instead = foreign_find(FOREIGN_TYPE, arena_printf(a, "%s_t", plain));
	return instead ? arena_printf(a, "'%s' is not a type on Linux: %s", plain, instead) : NULL;
}

const char *foreign_type_in(struct arena *a, const char *text, u32 len)
{
	const char *said = NULL;
	u32 n;

	for (u32 i = 0; !said && i < len; i += MAX(n, 1u)) {
		for (n = 0; i + n < len && name_char(text[i + n]);)
			n++;
		if (n > 2 && !memcmp(text + i + n - 2, "_t", 2))
			said = foreign_type(a, text + i, n);
	}
	return said;
}

/* ---- #include lines ----------------------------------------------------------------- */

void foreign_headers(struct comp *c, const struct source *src, struct diag *d)
{
	const char *s = src->text, *end = s + src->len, *close;

	for (; (s = strstr(s, "#include")); s++) {
		const char *from = s + strlen("#include"), *instead;

		from += strspn(from, " \t");
		close = from < end && *from == '<' ? strpbrk(from, ">\n") : NULL;
		if (!close || *close != '>')
			continue;
		instead = foreign_find(FOREIGN_HEADER,
				       arena_strndup(c->env->arena, from + 1, close - from - 1));
		if (instead)
			diag_note(&c->env->diags, d,
				  (struct range){ src, from - src->text, close + 1 - src->text },
				  "there is no such header on Linux: %s", instead);
	}
}
