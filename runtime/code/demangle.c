/* SPDX-License-Identifier: BSD-2-Clause */
/* demangle.c - readable names, by libiberty. */
#include <stdlib.h>

#include <libiberty/demangle.h>
#undef ARRAY_SIZE

#include "runtime/code/names.h"

static bool demangle(const char *name, int how, struct buf *out)
{
	char *text = NULL;

	/* All known manglings begin like this; plain C names need not be tried. */
	if (name[0] == '_' && name[1] && strchr("ZRD_", name[1]))
		text = cplus_demangle(name, DMGL_AUTO | DMGL_ANSI | how);
	bool known = text != NULL;

	buf_puts(out, known ? text : name);
	free(text);
	return known;
}

/* "_Z3foov@plt", "_Z3fooi.part.0.cold": libiberty leaves out what follows the function's name, and
 * shows clones with the parameters only: "foo(int) [clone .part.0] [clone .cold]". */
void sym_suffix(const char *name, struct buf *out)
{
	static const char clone[] = " [clone ";
	struct buf all = { 0 };
	const char *at = strchr(name, '@');

	if (at && !strcmp(at, "@plt"))
		buf_puts(out, at);
	if (!strchr(name, '.'))
		return;
	demangle(name, DMGL_PARAMS, &all);
	for (at = strstr(all.data, clone); at; at = strstr(at, clone)) {
		at += sizeof(clone) - 1;
		buf_add(out, at, strcspn(at, "]"));
	}
	buf_free(&all);
}

bool sym_demangle(const char *name, struct buf *out)
{
	bool known = demangle(name, 0, out);

	if (known)
		sym_suffix(name, out);
	return known;
}

bool sym_function(const char *name, struct buf *out)
{
	return demangle(name, 0, out);
}

bool sym_signature(const char *name, struct buf *out)
{
	return demangle(name, DMGL_PARAMS, out);
}

static bool is_mangled(const char *name)
{
	return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R');
}

/* The digit of a constructor or destructor: C1, C2, CI1, D1, D2. */
static bool is_kind(const char *name, size_t at)
{
	return at > 1 && name[at] >= '0' && name[at] <= '5' &&
	       (strchr("CD", name[at - 1]) || !memcmp(name + at - 2, "CI", 2));
}

bool sym_are_two(const char *a, const char *b)
{
	const char *end_a = strstr(a, ".localalias"), *end_b = strstr(b, ".localalias");
	size_t len = end_a ? (size_t)(end_a - a) : strlen(a), i = 0;

	if (!is_mangled(a) || !is_mangled(b))
		return false;
	if (len != (end_b ? (size_t)(end_b - b) : strlen(b)))
		return true;
	for (; i < len; i++)
		if (a[i] != b[i] && !(is_kind(a, i) && is_kind(b, i)))
			return true;
	return false;
}
