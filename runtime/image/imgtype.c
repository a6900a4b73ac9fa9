/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * imgtype.c - makes type nodes from the types in a manifest, for print().
 */
#include "runtime/image/image.h"

static struct type *imgtype_node(struct type *nodes, u32 index)
{
	return index ? &nodes[index - 1] : NULL;
}

static void imgtype_members(struct arena *a, struct type *nodes, const struct img_type *from,
			    struct type *t)
{
	struct type_member *m = ARENA_ARRAY(a, struct type_member, from->nmembers);

	for (u32 i = 0; i < from->nmembers; i++)
		m[i] = (struct type_member){
			.name = from->members[i].name,
			.type = imgtype_node(nodes, from->members[i].type),
			.bit_off = from->members[i].bit_off,
			.bit_size = from->members[i].bit_size,
		};
	if (t->kind == T_FUNC)
		t->params = m;
	else
		t->members = m;
	t->count = from->nmembers;
}

static void imgtype_fill(struct arena *a, struct type *nodes, const struct img_type *from,
			 struct type *t)
{
	*t = (struct type){
		.kind = from->kind, .name = from->name, .size = from->size,
		.to = imgtype_node(nodes, from->to), .count = from->count,
		.is_signed = from->is_signed, .is_char = from->is_char,
		.is_bool = from->is_bool, .is_const = from->is_const,
		.variadic = from->variadic, .is_flags = from->is_flags,
	};
	if (t->kind == T_TYPEDEF && !t->to)      /* only its name is known */
		t->to = &ty_void;
	if (t->kind == T_STRUCT || t->kind == T_UNION || t->kind == T_FUNC)
		imgtype_members(a, nodes, from, t);
	if (t->kind != T_ENUM)
		return;
	t->enums = ARENA_ARRAY(a, struct type_enumerator, from->nenums);
	t->count = from->nenums;
	for (u32 i = 0; i < from->nenums; i++)
		t->enums[i] = (struct type_enumerator){ from->enums[i].name, from->enums[i].value };
}

/* A type refers only to earlier types: none can contain itself. */
bool imgtype_valid(const struct img_type *t, u32 index)
{
	if (t->to > index || (t->kind == T_ARRAY && !t->to) || t->size > 1u << 28)
		return false;
	for (u32 i = 0; i < t->nmembers; i++)
		if (!t->members[i].type || t->members[i].type > index ||
		    t->members[i].bit_size > 64)
			return false;
	return true;
}

void imgtype_build(struct arena *a, struct img *img)
{
	struct type *nodes = ARENA_ARRAY(a, struct type, img->ntypes);

	for (u32 i = 0; i < img->ntypes; i++)
		imgtype_fill(a, nodes, &img->types[i], &nodes[i]);
	for (u32 i = 0; i < img->nsites; i++)
		for (u32 k = 0; k < img->sites[i].nactions; k++) {
			struct img_action *act = &img->sites[i].actions[k];

			for (u32 f = 0; f < act->nfields; f++)
				act->fields[f].obj = imgtype_node(nodes, act->fields[f].objtype);
		}
}
