/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * btfcheck.c - checks the BTF of an image of unknown origin: each reference must be to an
 * allowed type, each name inside the strings.  libbpf follows them without checks.
 *
 * Layouts: the kernel's Documentation/bpf/btf.rst.
 */
#include <linux/btf.h>

#include "runtime/types/types-private.h"

#define CHAIN_MAX 32 /* modifiers, arrays in arrays: libbpf's MAX_RESOLVE_DEPTH */

#define KIND(k)   (1u << BTF_KIND_##k)
#define MODIFIERS (KIND(VOLATILE) | KIND(CONST) | KIND(RESTRICT) | KIND(TYPE_TAG) | KIND(TYPEDEF))
/* Allowed types of a member, an element, a parameter. */
#define DATA                                                                             \
	(KIND(INT) | KIND(PTR) | KIND(ARRAY) | KIND(STRUCT) | KIND(UNION) | KIND(ENUM) | \
	 KIND(FWD) | KIND(FLOAT) | KIND(ENUM64) | MODIFIERS)

static u32 kind_of(const struct btf_type *t)
{
	return 1u << BTF_INFO_KIND(t->info);
}

/* `kinds` without void, or with it (KIND(UNKN)). */
static bool is_one(const struct btf_obj *o, u32 id, u32 kinds)
{
	const struct btf_type *t = btf_at(o, id);

	return t ? kind_of(t) & kinds : !id && kinds & KIND(UNKN);
}

/* Does the chain of modifiers and arrays end? */
static bool ends(const struct btf_obj *o, u32 id)
{
	for (u32 i = 0; i < CHAIN_MAX; i++) {
		const struct btf_type *t = btf_at(o, id);

		if (!t || !(kind_of(t) & (MODIFIERS | KIND(ARRAY))))
			return true;
		id = kind_of(t) == KIND(ARRAY) ? ((const struct btf_array *)(t + 1))->type
					       : t->type;
	}
	return false;
}

static const char *check_members(const struct btf_obj *o, const struct btf_type *t)
{
	const struct btf_member *m = (const struct btf_member *)(t + 1);

	for (u32 i = 0; i < BTF_INFO_VLEN(t->info); i++)
		if (m[i].name_off >= o->strs_len || !is_one(o, m[i].type, DATA) ||
		    !ends(o, m[i].type))
			return "a member of a struct has no type";
	return NULL;
}

static const char *check_params(const struct btf_obj *o, const struct btf_type *t)
{
	const struct btf_param *p = (const struct btf_param *)(t + 1);

	for (u32 i = 0; i < BTF_INFO_VLEN(t->info); i++)
		if (p[i].name_off >= o->strs_len || !is_one(o, p[i].type, DATA | KIND(UNKN)) ||
		    !ends(o, p[i].type))
			return "a parameter of a function has no type";
	return is_one(o, t->type, DATA | KIND(UNKN)) && ends(o, t->type)
		       ? NULL
		       : "a function returns no type";
}

static const char *check_section(const struct btf_obj *o, const struct btf_type *t)
{
	const struct btf_var_secinfo *v = (const struct btf_var_secinfo *)(t + 1);

	for (u32 i = 0; i < BTF_INFO_VLEN(t->info); i++)
		if (!is_one(o, v[i].type, KIND(VAR)))
			return "a section holds something that is not a variable";
	return NULL;
}

static const char *check_enum(const struct btf_obj *o, const struct btf_type *t)
{
	u32 step = kind_of(t) == KIND(ENUM) ? sizeof(struct btf_enum) : sizeof(struct btf_enum64);

	for (u32 i = 0; i < BTF_INFO_VLEN(t->info); i++) {
		u32 name = *(const u32 *)((const u8 *)(t + 1) + i * step);

		if (name >= o->strs_len)
			return "an enumerator has no name";
	}
	return NULL;
}

static const char *check_array(const struct btf_obj *o, const struct btf_type *t)
{
	const struct btf_array *a = (const struct btf_array *)(t + 1);

	return is_one(o, a->type, DATA) && is_one(o, a->index_type, DATA) && ends(o, a->type)
		       ? NULL
		       : "an array has no type";
}

static const char *check_type(const struct btf_obj *o, const struct btf_type *t)
{
	if (t->name_off >= o->strs_len)
		return "a type's name lies outside of the strings";
	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_PTR:
		return is_one(o, t->type, DATA | KIND(UNKN) | KIND(FUNC_PROTO))
			       ? NULL
			       : "a pointer has no type";
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		return is_one(o, t->type, DATA | KIND(UNKN) | KIND(FUNC_PROTO)) && ends(o, t->type)
			       ? NULL
			       : "a type names no other type";
	case BTF_KIND_ARRAY:
		return check_array(o, t);
	case BTF_KIND_STRUCT: case BTF_KIND_UNION:
		return check_members(o, t);
	case BTF_KIND_ENUM: case BTF_KIND_ENUM64:
		return check_enum(o, t);
	case BTF_KIND_FUNC_PROTO:
		return check_params(o, t);
	case BTF_KIND_FUNC:
		return is_one(o, t->type, KIND(FUNC_PROTO)) ? NULL : "a function has no prototype";
	case BTF_KIND_VAR:
		return is_one(o, t->type, DATA) && ends(o, t->type) ? NULL
								    : "a variable has no type";
	case BTF_KIND_DATASEC:
		return check_section(o, t);
	case BTF_KIND_DECL_TAG:
		return is_one(o, t->type, DATA | KIND(FUNC) | KIND(VAR))
			       ? NULL
			       : "a tag has no declaration";
	default:
		return NULL;
	}
}

const char *btf_check(const void *data, size_t len)
{
	struct btf_obj *o = btf_obj_memory(data, len);
	const char *why = NULL;
	u32 end = 0;

	if (!o)
		return "this is not BTF";
	for (u32 id = 1; id < o->end_id && !why; id++) {
		const struct btf_type *t = btf_at(o, id);

		end = o->off[id - 1] + btf_size(t);
		why = check_type(o, t);
	}
	if (!why && end != o->types_len)
		why = "it has a type of a kind that is not known";
	if (!why && *o->strs)
		why = "its strings begin with a name";
	btf_obj_free(o);
	return why;
}
