/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * builtin.h - the built-ins by name, rows of builtins.def.  For what is true of one of them only;
 * what is true of several is a flag of their rows (BF_*).
 */
#ifndef DTX_FRONT_BUILTIN_H
#define DTX_FRONT_BUILTIN_H

#include "compiler/front/front.h"

enum builtin_id {
#define BUILTIN(name, ...) BI_##name,
#include <dtx/tables/builtins.def>
#undef BUILTIN
	BI_N
};

static inline bool builtin_is(const struct builtin *b, enum builtin_id id)
{
	return b && b->id == id;
}

/* Is it the name of that built-in?  For names that are not resolved yet. */
static inline bool builtin_named(const char *name, enum builtin_id id)
{
	return !strcmp(name, builtins[id].name);
}

#endif
