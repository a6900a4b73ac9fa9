/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * member.c - places of members in their structs: bytes, and the bits of bit-fields.
 *
 * Only this file turns the name of a member into an offset, for programs and for built-ins
 * that read kernel objects.  Offsets come from the source of the type: the program, the BTF
 * of the running kernel, DWARF.
 * Why: docs/decisions/04-member-offsets.md
 */
#include "compiler/check/check-private.h"

/*
 * The unit of a bit-field: the smallest aligned one that holds all of it; or, if it crosses two
 * units in a packed struct, the bytes from its first one on.
 */
static struct field bits_at(u32 first, const struct type_member *m)
{
	u32 last = first + m->bit_size - 1;
	struct field f = { .unit = 1, .size = m->bit_size, .is_signed = type_signed(m->type) };

	while (f.unit < 8 && first / (8 * f.unit) != last / (8 * f.unit))
		f.unit *= 2;
	f.off = first / (8 * f.unit) * f.unit;
	if (last / (8 * f.unit) != first / (8 * f.unit))
		f.off = first / 8;
	f.shift = first - 8 * f.off;
	f.is_over = f.shift + f.size > 64;
	return f;
}

const struct type_member *member_find(struct type *su, const char *name, struct field *f)
{
	u32 bits = 0;
	const struct type_member *m = type_find_member(su, name, &bits);

	if (m)
		*f = m->bit_size ? bits_at(bits, m) : (struct field){ .off = bits / 8 };
	return m;
}

bool member_of_kernel(struct comp *c, const char *tag, const char *name, u32 *off, u32 *size)
{
	struct type *t = scope_kernel_type(c, T_STRUCT, tag);
	const struct type_member *m;
	struct field f;

	if (!t)
		t = type_base(scope_kernel_type(c, T_TYPEDEF, tag));
	m = t ? member_find(t, name, &f) : NULL;
	if (!m)
		return false;
	*off = f.off;
	if (size)
		*size = type_size(c, m->type);
	return true;
}
