/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarfarray.c - arrays of DWARF as those of C, whose first element is element 0.
 *
 * Languages count from other numbers, and name the dimensions in another order: what is given has
 * the size that the program gives it, and the elements in the order of their addresses.
 */
#include <dwarf.h>

#include "runtime/dwarf/dwarf-private.h"

/* false: it is not there, or the program computes it.  Compilers write what may be negative in the
 * forms that have a sign (DWARF 5, 7.5.5); the others are as large as they need be, and have none:
 * 199 in one byte. */
static bool bound(Dwarf_Die *range, int attr, s64 *to)
{
	Dwarf_Attribute a;
	Dwarf_Sword v;
	Dwarf_Word u;

	if (!dwarf_attr_integrate(range, attr, &a))
		return false;
	switch (dwarf_whatform(&a)) {
	case DW_FORM_sdata:
	case DW_FORM_implicit_const:
		if (dwarf_formsdata(&a, &v))
			return false;
		*to = v;
		return true;
	default:
		if (dwarf_formudata(&a, &u))
			return false;
		*to = (s64)u;
		return true;
	}
}

/* The index of the first element, where debugging information does not say it. */
static s64 first_index(Dwarf_Die *die)
{
	Dwarf_Sword first;
	Dwarf_Die unit;

	return dwarf_diecu(die, &unit, NULL, NULL) &&
	       !dwarf_default_lower_bound(dwarf_srclang(&unit), &first) ? first : 0;
}

/* Elements in one dimension; 0: not known. */
static u32 range_count(Dwarf_Die *range)
{
	s64 first = 0, last;
	u64 count = dwarf_number(range, DW_AT_count, ~0ull);

	if (count == ~0ull) {
		if (!dwarf_hasattr(range, DW_AT_lower_bound))
			first = first_index(range);
		else if (!bound(range, DW_AT_lower_bound, &first))
			return 0;
		count = bound(range, DW_AT_upper_bound, &last) && last >= first ?
			(u64)last - (u64)first + 1 : 0;
	}
	return (u32)MIN(count, UINT32_MAX);
}

/* Bits from one element to the next, if debugging information says it; else 0. */
static u64 stride_of(Dwarf_Die *die)
{
	u64 bits = dwarf_number(die, DW_AT_bit_stride, 0);

	return bits ? bits : 8 * dwarf_number(die, DW_AT_byte_stride, 0);
}

/* Elements that share bytes (Ada), or that have others between them: only their bytes are given. */
static struct type *conv_apart(struct dwarf_obj *o, Dwarf_Die *die, u64 elements, u64 stride)
{
	u64 size = dwarf_number(die, DW_AT_byte_size, (elements * stride + 7) / 8);

	return dwarf_opaque(o, "packed ", "array", size);
}

#define RANKS  15                /* the most that Fortran has */

struct type *dwarf_array(struct dwarf_obj *o, Dwarf_Die *die, struct type *of)
{
	bool by_column = dwarf_number(die, DW_AT_ordering, DW_ORD_row_major) == DW_ORD_col_major;
	struct type *t = of;
	u64 stride = stride_of(die), all = 1;
	u32 counts[RANKS] = { 0 }, n = 0;
	Dwarf_Die range;

	for (int no = dwarf_child(die, &range); !no && n < RANKS;
	     no = dwarf_siblingof(&range, &range)) {
		if (dwarf_tag(&range) != DW_TAG_subrange_type)
			continue;
		stride = stride ? stride : stride_of(&range);
		counts[n++] = range_count(&range);
		all *= counts[n - 1];
	}
	if (stride && stride != t->size * 8)
		return conv_apart(o, die, all, stride);
	for (u32 i = 0; i < n; i++)      /* the last is the innermost, or the first */
		t = type_array(o->env->arena, t, counts[by_column ? i : n - 1 - i]);
	t->is_vector = t->kind == T_ARRAY && dwarf_hasattr(die, DW_AT_GNU_vector);
	return t;
}
