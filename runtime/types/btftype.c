/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * btftype.c - BTF types as struct type.
 *
 * Each id has one node, which is kept: recursive types work, and equal ids are
 * equal pointers.  A struct, union or prototype is made without its members;
 * those are made on first use (type_complete), together with the structs it holds
 * by value.  So struct task_struct costs only its own members, not half of the
 * kernel.
 */
#include <linux/btf.h>

#include "runtime/types/types-private.h"

#define MODIFIERS (1u << BTF_KIND_CONST | 1u << BTF_KIND_VOLATILE | \
		   1u << BTF_KIND_RESTRICT | 1u << BTF_KIND_TYPE_TAG)
#define DEPTH_MAX 64             /* deeper than any C type; malformed BTF may exceed it */

static struct type *convert(struct btf_obj *o, u32 id, u32 depth);

static struct arena *obj_arena(const struct btf_obj *o)
{
	return btf_env(o->src)->arena;
}

static struct type *node_new(struct btf_obj *o, const struct btf_type *b, u32 id,
			     enum type_kind kind)
{
	struct type *t = ARENA_NEW(obj_arena(o), struct type);

	t->kind = kind;
	t->name = b->name_off ? btf_str(o, b->name_off) : NULL;
	t->origin = o->base ? o->name : "kernel BTF";
	t->btf_id = o->base ? 0 : id;
	return t;
}

/* ---- scalars ------------------------------------------------------------------- */

/*
 * The compiler's char has no sign, as with -funsigned-char (Linux from 6.2 on; of some machines
 * always).
 * Where not even signed char has one, pahole (before 1.22) did not write it down.
 */
static bool char_is_unsigned(struct btf_obj *o, u32 info)
{
	u32 id = btf_find(o->base ? o->base : o, "signed char", 1u << BTF_KIND_INT);
	const struct btf_type *b = id ? btf_at(o, id) : NULL;

	return b && BTF_INT_ENCODING(*(const u32 *)(b + 1)) & BTF_INT_SIGNED &&
	       !(BTF_INT_ENCODING(info) & BTF_INT_SIGNED);
}

static struct type *conv_int(struct btf_obj *o, const struct btf_type *b, u32 id)
{
	static const struct { const char *name; struct type *type; } names[] = {
		{ "int", &ty_int }, { "unsigned int", &ty_uint }, { "char", &ty_char },
		{ "unsigned char", &ty_uchar }, { "signed char", &ty_schar },
		{ "long unsigned int", &ty_ulong }, { "long int", &ty_long },
		{ "long long unsigned int", &ty_ullong }, { "long long int", &ty_llong },
		{ "short unsigned int", &ty_ushort }, { "short int", &ty_short },
		{ "_Bool", &ty_bool }, { "unsigned long", &ty_ulong }, { "long", &ty_long },
		{ "unsigned long long", &ty_ullong }, { "long long", &ty_llong },
		{ "unsigned short", &ty_ushort }, { "short", &ty_short }, { "bool", &ty_bool },
	};
	const char *name = btf_str(o, b->name_off);
	u32 info = *(const u32 *)(b + 1);
	struct type *t;

	for (u32 i = 0; i < ARRAY_SIZE(names); i++) {
		if (strcmp(names[i].name, name) || names[i].type->size != b->size)
			continue;
		if (names[i].type != &ty_char || !char_is_unsigned(o, info))
			return names[i].type;
	}
	t = node_new(o, b, id, T_INT);
	t->size = b->size;
	t->is_signed = BTF_INT_ENCODING(info) & BTF_INT_SIGNED;
	t->is_char = BTF_INT_ENCODING(info) & BTF_INT_CHAR || !strcmp(name, "char");
	t->is_bool = BTF_INT_ENCODING(info) & BTF_INT_BOOL;
	t->int_rank = b->size >= 16 ? 7 : b->size == 8 ? 5 : b->size;
	return t;
}

static struct type *conv_float(struct btf_obj *o, const struct btf_type *b, u32 id)
{
	struct type *t;

	if (b->size == 4)
		return &ty_float;
	if (b->size == 8)
		return &ty_double;
	t = node_new(o, b, id, T_FLOAT);
	t->size = b->size;
	return t;
}

static struct type *conv_enum(struct btf_obj *o, const struct btf_type *b, u32 id)
{
	const struct btf_enum *e = (const void *)(b + 1);
	const struct btf_enum64 *e64 = (const void *)(b + 1);
	bool wide = BTF_INFO_KIND(b->info) == BTF_KIND_ENUM64;
	struct type *t = node_new(o, b, id, T_ENUM);

	t->size = b->size;
	t->is_signed = BTF_INFO_KFLAG(b->info);
	t->count = BTF_INFO_VLEN(b->info);
	t->enums = ARENA_ARRAY(obj_arena(o), struct type_enumerator, t->count);
	for (u32 i = 0; i < t->count; i++) {
		struct type_enumerator *to = &t->enums[i];

		to->name = btf_str(o, wide ? e64[i].name_off : e[i].name_off);
		if (wide)
			to->value = (s64)((u64)e64[i].val_hi32 << 32 | e64[i].val_lo32);
		else if (o->enum_signs && !t->is_signed)
			to->value = (u32)e[i].val;
		else
			to->value = e[i].val;
		/* Before Linux 6.0 enums have no sign flag. */
		t->is_signed |= !wide && to->value < 0;
	}
	return t;
}

/* ---- structs, unions, prototypes: members on demand ------------------------------- */

static void fill_struct(struct type *t)
{
	struct btf_obj *o = t->fill_arg;
	const struct btf_type *b = btf_at(o, t->fill_id);
	const struct btf_member *m = (const void *)(b + 1);

	t->count = BTF_INFO_VLEN(b->info);
	t->members = ARENA_ARRAY(obj_arena(o), struct type_member, t->count);
	for (u32 i = 0; i < t->count; i++) {
		struct type_member *to = &t->members[i];

		to->name = m[i].name_off ? btf_str(o, m[i].name_off) : NULL;
		to->type = convert(o, m[i].type, 0);
		to->bit_off = m[i].offset;
		if (BTF_INFO_KFLAG(b->info)) {
			to->bit_off = BTF_MEMBER_BIT_OFFSET(m[i].offset);
			to->bit_size = BTF_MEMBER_BITFIELD_SIZE(m[i].offset);
		}
	}
	type_complete_held(t);
}

static void fill_proto(struct type *t)
{
	struct btf_obj *o = t->fill_arg;
	const struct btf_type *b = btf_at(o, t->fill_id);
	const struct btf_param *p = (const void *)(b + 1);

	t->to = convert(o, b->type, 0);
	t->count = BTF_INFO_VLEN(b->info);
	if (t->count && !p[t->count - 1].type && !p[t->count - 1].name_off) {
		t->variadic = true;
		t->count--;
	}
	t->params = ARENA_ARRAY(obj_arena(o), struct type_member, t->count);
	for (u32 i = 0; i < t->count; i++) {
		t->params[i].name = p[i].name_off ? btf_str(o, p[i].name_off) : NULL;
		t->params[i].type = convert(o, p[i].type, 0);
	}
}

static struct type *conv_lazy(struct btf_obj *o, const struct btf_type *b, u32 id)
{
	u32 kind = BTF_INFO_KIND(b->info);
	struct type *t = node_new(o, b, id, kind == BTF_KIND_STRUCT ? T_STRUCT :
				  kind == BTF_KIND_UNION ? T_UNION : T_FUNC);

	t->size = t->kind == T_FUNC ? 0 : b->size;
	t->fill = t->kind == T_FUNC ? fill_proto : fill_struct;
	t->fill_arg = o;
	t->fill_id = id;
	return t;
}

static struct type *conv_fwd(struct btf_obj *o, const struct btf_type *b, u32 id)
{
	struct type *t = node_new(o, b, id, BTF_INFO_KFLAG(b->info) ? T_UNION : T_STRUCT);

	t->incomplete = true;
	return t;
}

/* ---- what is made of other types ---------------------------------------------------- */

/* Skips qualifiers and tags; records those that matter. */
static u32 skip_modifiers(struct btf_obj *o, u32 id, bool *is_const, bool *is_user)
{
	const struct btf_type *b;

	for (u32 n = 0; n < DEPTH_MAX && (b = btf_at(o, id)); n++) {
		u32 kind = BTF_INFO_KIND(b->info);

		if (!(MODIFIERS >> kind & 1))
			break;
		*is_const |= kind == BTF_KIND_CONST;
		*is_user |= kind == BTF_KIND_TYPE_TAG && !strcmp(btf_str(o, b->name_off), "user");
		id = b->type;
	}
	return id;
}

/* `const T` of a pointer: another node, for the text; it fills its members itself. */
static struct type *const_of(struct btf_obj *o, struct type *t)
{
	struct type *c;

	if (t->is_const)
		return t;
	c = arena_memdup(obj_arena(o), t, sizeof(*t));
	c->is_const = true;
	if (t->fill_arg) {
		c->fill = t->kind == T_FUNC ? fill_proto : fill_struct;
		c->members = NULL;
		c->count = 0;
	}
	return c;
}

static struct type *conv_ptr(struct btf_obj *o, const struct btf_type *b, u32 id, u32 depth)
{
	struct type *t = node_new(o, b, id, T_PTR);
	bool is_const = false, is_user = false;

	o->memo[id - o->first_id] = t;
	t->size = 8;
	t->to = convert(o, skip_modifiers(o, b->type, &is_const, &is_user), depth);
	if (is_const && t->to)
		t->to = const_of(o, t->to);
	t->is_user = is_user;
	return t;
}

static struct type *conv_array(struct btf_obj *o, const struct btf_type *b, u32 id, u32 depth)
{
	const struct btf_array *n = (const void *)(b + 1);
	struct type *t = node_new(o, b, id, T_ARRAY);

	t->to = convert(o, n->type, depth);
	t->count = n->nelems;
	t->size = t->to ? t->to->size * n->nelems : 0;
	return t;
}

static struct type *conv_typedef(struct btf_obj *o, const struct btf_type *b, u32 id, u32 depth)
{
	struct type *t = node_new(o, b, id, T_TYPEDEF);

	o->memo[id - o->first_id] = t;
	type_alias(t, convert(o, b->type, depth));
	return t;
}

/* A function is its prototype, with the name. */
static struct type *conv_func(struct btf_obj *o, const struct btf_type *b, u32 id)
{
	const struct btf_type *proto = btf_at(o, b->type);
	struct type *t;

	if (!proto || BTF_INFO_KIND(proto->info) != BTF_KIND_FUNC_PROTO)
		return NULL;
	t = conv_lazy(o, proto, b->type);
	t->name = btf_str(o, b->name_off);
	t->btf_id = o->base ? 0 : id;
	return t;
}

static struct type *conv_kind(struct btf_obj *o, const struct btf_type *b, u32 id, u32 depth)
{
	switch (BTF_INFO_KIND(b->info)) {        /* dispatch */
	case BTF_KIND_INT:
		return conv_int(o, b, id);
	case BTF_KIND_FLOAT:
		return conv_float(o, b, id);
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return conv_enum(o, b, id);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_FUNC_PROTO:
		return conv_lazy(o, b, id);
	case BTF_KIND_FWD:
		return conv_fwd(o, b, id);
	case BTF_KIND_PTR:
		return conv_ptr(o, b, id, depth);
	case BTF_KIND_ARRAY:
		return conv_array(o, b, id, depth);
	case BTF_KIND_TYPEDEF:
		return conv_typedef(o, b, id, depth);
	case BTF_KIND_FUNC:
		return conv_func(o, b, id);
	case BTF_KIND_CONST:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
	case BTF_KIND_VAR:
		return convert(o, b->type, depth);
	}
	return NULL;
}

static struct type *convert(struct btf_obj *o, u32 id, u32 depth)
{
	const struct btf_type *b = btf_at(o, id);
	struct type **slot;

	if (!id)
		return &ty_void;
	while (o->base && id < o->first_id)
		o = o->base;
	if (!b || depth > DEPTH_MAX)
		return &ty_void;
	slot = &o->memo[id - o->first_id];
	if (!*slot) {
		struct type *t = conv_kind(o, b, id, depth + 1);

		*slot = t;
	}
	return *slot ? *slot : &ty_void;
}

struct type *btf_type_of(struct btf_obj *o, u32 id)
{
	return convert(o, id, 0);
}
