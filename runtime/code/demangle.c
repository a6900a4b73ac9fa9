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
