/* SPDX-License-Identifier: BSD-2-Clause */
/* demangle.c - readable names, by libiberty. */
#include <stdlib.h>

#include <libiberty/demangle.h>
#undef ARRAY_SIZE

#include "runtime/sym/tables.h"

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

bool sym_demangle(const char *name, struct buf *out)
{
	return demangle(name, 0, out);
}

bool sym_signature(const char *name, struct buf *out)
{
	return demangle(name, DMGL_PARAMS, out);
}
