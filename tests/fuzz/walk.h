/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * walk.h - looks at types as the compiler does: members and parameters are made, names and sizes
 * read.
 */
#ifndef WALK_H
#define WALK_H

#include "runtime/run/run.h"

#define WALK_DEPTH 6
#define WALK_MOST  3000          /* types, in one input */

static u32 walked;               /* types of this input, so far */

static void walk_type(struct arena *a, struct type *t, u32 depth)
{
	u32 off = 0;

	t = type_complete(type_base(t));
	if (!t || depth > WALK_DEPTH || walked++ > WALK_MOST)
		return;
	if (!*type_name(a, t) && t->kind != T_VOID)
		__builtin_trap();                /* a type without a text */
	walk_type(a, t->to, depth + 1);
	for (u32 i = 0; i < MIN(t->count, 8u) && t->kind == T_FUNC; i++)
		walk_type(a, t->params[i].type, depth + 1);
	for (u32 i = 0; i < MIN(t->count, 8u) && (t->kind == T_STRUCT || t->kind == T_UNION); i++) {
		if (t->members[i].name)
			type_find_member(t, t->members[i].name, &off);
		walk_type(a, t->members[i].type, depth + 1);
	}
	for (u32 i = 0; i < t->count && t->kind == T_ENUM; i++)
		if (t->enums[i].name && strlen(t->enums[i].name) > UINT32_MAX)
			__builtin_trap();
}

/* Asks for each string of the input as for the name of a type. */
static void walk_names(struct arena *a, struct type_source *src, const u8 *data, size_t size)
{
	static const enum type_kind kinds[] = { T_STRUCT, T_UNION, T_ENUM, T_TYPEDEF };
	u32 asked = 0;

	for (size_t i = 0; i < size && asked < 64; i++) {
		size_t n = strnlen((const char *)data + i, size - i);

		if (n > 1 && n < size - i) {
			for (u32 k = 0; k < ARRAY_SIZE(kinds); k++)
				walk_type(a, src->by_name(src, a, kinds[k], (const char *)data + i),
					  0);
			asked++;
		}
		i += n;
	}
}

#endif
