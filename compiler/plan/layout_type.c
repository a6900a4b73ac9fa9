/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * layout_type.c - types in the manifest, for print().
 *
 * Named types of the kernel are found by their name when they are printed; types of the
 * program or of a D library are stored completely.  A type comes after the types it
 * consists of; of a pointer's target only the name is stored.
 */
#include "compiler/plan/plan.h"

static u32 written_type(struct comp *c, struct type *t, bool named);

static struct img_type *type_add(struct comp *c, const struct type *t, bool named)
{
	struct img *img = c->img;
	struct img_type add = {
		.kind = t->kind,
		.count = named && t->kind != T_ARRAY ? 0 : t->count,
		.is_signed = t->is_signed,
		.is_char = t->is_char,
		.is_bool = t->is_bool,
		.is_const = t->is_const,
		.variadic = t->variadic,
		.is_flags = t->is_flags,
		.size = type_size(c, t),
		.name = t->name ? arena_strdup(img->arena, t->name) : NULL,
		.node = t,
		.named = named,
	};

	ARENA_PUSH(img->arena, img->types, img->ntypes, add);
	return &img->types[img->ntypes - 1];
}

static void write_members(struct comp *c, struct img_type *out, const struct type_member *from,
			  u32 n, bool named)
{
	struct arena *a = c->img->arena;

	out->members = ARENA_ARRAY(a, struct img_member, n);
	out->nmembers = n;
	for (u32 i = 0; i < n; i++)
		out->members[i] = (struct img_member){
			.name = from[i].name ? arena_strdup(a, from[i].name) : NULL,
			.type = written_type(c, from[i].type, named),
			.bit_off = from[i].bit_off, .bit_size = from[i].bit_size,
		};
}

static void write_enums(struct comp *c, struct img_type *out, const struct type *t)
{
	struct arena *a = c->img->arena;

	out->enums = ARENA_ARRAY(a, struct img_enum, t->count);
	out->nenums = t->count;
	for (u32 i = 0; i < t->count; i++)
		out->enums[i] = (struct img_enum){ arena_strdup(a, t->enums[i].name),
						   t->enums[i].value };
}

/* The parts of t, before t itself. */
static struct img_type write_parts(struct comp *c, struct type *t, bool named)
{
	struct img_type parts = { 0 };
	bool tagged = t->kind == T_STRUCT || t->kind == T_UNION || t->kind == T_ENUM;

	if (tagged && !named)
		t = scope_complete(c, t);
	if (t->kind == T_PTR || t->kind == T_FUNC)
		parts.to = t->to ? written_type(c, t->to, true) : 0;
	else if (t->kind == T_ARRAY || (t->kind == T_TYPEDEF && !named))
		parts.to = written_type(c, t->to, named);
	type_complete(t);
	if (t->kind == T_FUNC)
		write_members(c, &parts, t->params, t->count, true);
	else if (t->kind == T_ENUM && !named)
		write_enums(c, &parts, t);
	else if (tagged && !named)
		write_members(c, &parts, t->members, t->count, false);
	return parts;
}

/* Its index in img->types + 1. */
static u32 written_type(struct comp *c, struct type *t, bool named)
{
	struct img *img = c->img;
	struct img_type parts, *out;

	for (u32 i = 0; i < img->ntypes; i++)
		if (img->types[i].node == t && img->types[i].named == named)
			return i + 1;
	parts = write_parts(c, t, named);
	out = type_add(c, t, named);
	out->to = parts.to;
	out->members = parts.members;
	out->nmembers = parts.nmembers;
	out->enums = parts.enums;
	out->nenums = parts.nenums;
	return img->ntypes;
}

/* Can the runtime find it by its name? */
static bool is_known(const struct type *t)
{
	if (!t->name || !*t->name)
		return false;
	return t->btf_id || t->kind == T_INT ||
	       (t->kind == T_TYPEDEF && type_builtin(t->name) == t);
}

/* The enumerators of a type, also of one that has a name. */
u32 layout_names(struct comp *c, struct type *t)
{
	return written_type(c, t, false);
}

u32 layout_type(struct comp *c, struct type *t)
{
	return is_known(t) ? 0 : written_type(c, t, false);
}
