/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * symbols.h - reads the symbols of an object, and asks for each as tracing and printing do.
 */
#ifndef SYMBOLS_H
#define SYMBOLS_H

#include <stdio.h>

#include "runtime/code/code.h"
#include "runtime/run/run.h"

static int symbols_look(void *arg, const struct elfsym *s)
{
	struct elfsyms *e = arg;

	elfsyms_at(e, s->addr);
	elfsyms_by_name(e, s->name);
	elfsyms_only(e, s->addr);
	elfsyms_file_off(e, s->addr);
	elfsyms_vaddr(e, s->file_off);
	return 0;
}

/* Of the file in fd, whose path is written to `path`; NULL: it has none.  To be closed. */
static struct elfsyms *symbols_read(int fd, char path[64])
{
	const char *err = NULL;
	struct elfsyms *e;

	snprintf(path, 64, "/proc/self/fd/%d", fd);
	e = elfsyms_open(path, &err);
	if (e)
		elfsyms_each(e, symbols_look, e);
	return e;
}

#endif
