/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarfnumber.c - new types of DWARF; its numbers: those of C, and others, which have only bytes.
 */
#include <dwarf.h>

#include "runtime/dwarf/dwarf-private.h"

u64 dwarf_number(Dwarf_Die *die, int attr, u64 otherwise)
{
	Dwarf_Attribute a;
	Dwarf_Word v;

	return dwarf_attr_integrate(die, attr, &a) && !dwarf_formudata(&a, &v) ? v : otherwise;
}

const char *dwarf_kept_name(struct dwarf_obj *o, const char *name)
{
	return name ? plain_name(o->env->arena, arena_strdup(o->env->arena, name)) : NULL;
}

struct type *dwarf_node(struct dwarf_obj *o, Dwarf_Die *die, enum type_kind kind)
{
	struct type *t = ARENA_NEW(o->env->arena, struct type);
	const char *name = dwarf_diename(die);

	t->kind = kind;
	t->name = dwarf_kept_name(o, name);
	t->size = dwarf_number(die, DW_AT_byte_size, 0);
	t->origin = o->name;
	return t;
}

struct type *dwarf_opaque(struct dwarf_obj *o, const char *what, const char *name, u64 size)
{
	struct type *t = ARENA_NEW(o->env->arena, struct type);

	t->kind = T_STRUCT;
	if (name || *what)
		t->name = plain_name(o->env->arena, arena_printf(o->env->arena, "%s%s", what,
								 name ? name : ""));
	t->size = size;
	t->origin = o->name;
	t->is_user = !o->module;
	t->incomplete = true;
	return size ? t : &ty_void;
}

struct type *dwarf_opaque_of(struct dwarf_obj *o, Dwarf_Die *die, const char *what)
{
	return dwarf_opaque(o, what, dwarf_diename(die),
			    dwarf_number(die, DW_AT_byte_size, 0));
}

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define OTHER_ORDER DW_END_big
const char dwarf_other_name[] = "big-endian ";
#else
#define OTHER_ORDER DW_END_little
const char dwarf_other_name[] = "little-endian ";
#endif

bool dwarf_other_order(Dwarf_Die *die)
{
	return dwarf_number(die, DW_AT_endianity, DW_END_default) == OTHER_ORDER;
}

/* A number that is none of D's: what its name begins with; NULL: it is one. */
static const char *number_unlike(Dwarf_Die *die, u64 encoding)
{
	const char *own = dwarf_diename(die);

	if (dwarf_other_order(die))
		return dwarf_other_name;
	/* What is above the bits of a _BitInt(37) is whatever it is, and clang does not say 37. */
	if (own && strstr(own, "_BitInt"))
		return "";
	switch (encoding) {
	case DW_ATE_packed_decimal:
	case DW_ATE_numeric_string:
	case DW_ATE_edited:
		return "decimal ";
	case DW_ATE_signed_fixed:
	case DW_ATE_unsigned_fixed:
		return "fixed-point ";
	default:
		return NULL;
	}
}

bool dwarf_is_float(u64 encoding)
{
	return encoding == DW_ATE_float || encoding == DW_ATE_complex_float ||
	       encoding == DW_ATE_imaginary_float || encoding == DW_ATE_decimal_float;
}

static bool is_like(const struct type *a, const struct type *b)
{
	return a->kind == b->kind && a->size == b->size &&
	       (a->kind != T_INT || a->is_signed == b->is_signed);
}

struct type *dwarf_base(struct dwarf_obj *o, Dwarf_Die *die)
{
	static struct type *const basic[] = {
		&ty_int, &ty_uint, &ty_char, &ty_uchar, &ty_schar, &ty_ulong, &ty_long, &ty_ullong,
		&ty_llong, &ty_short, &ty_ushort, &ty_bool, &ty_float, &ty_double, &ty_ldouble,
	};
	/* Names used by compilers that differ from D's. */
	static const struct { const char *name; struct type *type; } names[] = {
		{ "long int", &ty_long }, { "long unsigned int", &ty_ulong }, { "_Bool", &ty_bool },
		{ "long long int", &ty_llong }, { "long long unsigned int", &ty_ullong },
		{ "short int", &ty_short }, { "short unsigned int", &ty_ushort },
	};
	u64 enc = dwarf_number(die, DW_AT_encoding, DW_ATE_signed);
	const char *unlike = number_unlike(die, enc);
	struct type *t;

	if (unlike)
		return dwarf_opaque_of(o, die, unlike);
	t = dwarf_node(o, die, dwarf_is_float(enc) ? T_FLOAT : T_INT);
	t->is_signed = enc == DW_ATE_signed || enc == DW_ATE_signed_char;
	t->is_char = enc == DW_ATE_signed_char || enc == DW_ATE_unsigned_char;
	t->is_bool = enc == DW_ATE_boolean;
	t->int_rank = t->size >= 16 ? 7 : t->size == 8 ? 5 : t->size;
	/* A char has no sign with -funsigned-char, and in some languages. */
	for (u32 i = 0; t->name && i < ARRAY_SIZE(basic); i++)
		if (basic[i]->name && !strcmp(basic[i]->name, t->name) && is_like(basic[i], t))
			return basic[i];
	for (u32 i = 0; t->name && i < ARRAY_SIZE(names); i++)
		if (!strcmp(names[i].name, t->name) && is_like(names[i].type, t))
			return names[i].type;
	return t;
}
