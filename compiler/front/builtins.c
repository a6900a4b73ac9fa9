/* SPDX-License-Identifier: BSD-2-Clause */
/* builtins.c - builtins.def as a table, and the names of aggs.def, found by name. */
#include <dtx/aggid.h>
#include <dtx/aggs.h>

#include "compiler/front/builtin.h"

#define SAME_BL_CALL(target)      NULL
#define SAME_BL_EMIT(target)      NULL
#define SAME_BL_TEXT(target)      NULL
#define SAME_BL_RECORD(target)    NULL
#define SAME_BL_CONSUMER(target)  NULL
#define SAME_BL_REWRITE(target)   NULL
#define SAME_BL_ALIAS(target)     &builtins[ROW_##target]

enum {
#define BUILTIN(name, ...) ROW_##name,
#include <dtx/tables/builtins.def>
#undef BUILTIN
};

const struct builtin builtins[] = {
#define BUILTIN(name, kind, sig, lower, target, flags, doc, example, output) \
	{ #name, kind, sig, lower, SAME_##lower(target), flags, doc, example, output },
#include <dtx/tables/builtins.def>
#undef BUILTIN
};
const u32 nbuiltins = ARRAY_SIZE(builtins);

const struct builtin *builtin_row(enum builtin_id id)
{
	static const struct builtin *const named[BI_N] = {
#define NAMED(name) [BI_##name] = &builtins[ROW_##name],
		BUILTINS_NAMED(NAMED)
#undef NAMED
	};

	return named[id];
}

enum builtin_id builtin_id(const struct builtin *b)
{
	static const u8 ids[ARRAY_SIZE(builtins)] = {
#define NAMED(name) [ROW_##name] = BI_##name,
		BUILTINS_NAMED(NAMED)
#undef NAMED
	};

	return ids[b - builtins];
}

const struct builtin *builtin_exact(const char *name)
{
	for (u32 i = 0; i < nbuiltins; i++)
		if (builtins[i].name[0] == name[0] && !strcmp(builtins[i].name, name))
			return &builtins[i];
	return NULL;
}

const struct builtin *builtin_find(const char *name)
{
	const struct builtin *b = builtin_exact(name);

	while (b && b->lower == BL_ALIAS)
		b = b->same;
	return b;
}

const struct agg_func *agg_find(const char *name)
{
	static const struct { const char *name; enum agg_id row; } aliases[] = {
#define AGG_ALIAS(name, row, rewrite) { #name, AGG_##row },
#include <dtx/tables/aggs.def>
	};

	for (u32 i = 0; i < ARRAY_SIZE(aliases); i++)
		if (!strcmp(aliases[i].name, name))
			return &agg_funcs[aliases[i].row];
	return agg_func(name);
}
