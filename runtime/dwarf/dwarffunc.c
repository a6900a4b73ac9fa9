/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarffunc.c - the function, and the scopes in it, that have an address.
 */
#include <dwarf.h>

#include "runtime/dwarf/dwarf-private.h"

bool dwarf_entry_of(Dwarf_Die *subprogram, u64 *addr)
{
	Dwarf_Addr low, base, end;

	/* Code in several parts: the first one has the entry. */
	if (dwarf_entrypc(subprogram, &low) && dwarf_ranges(subprogram, 0, &base, &low, &end) <= 0)
		return false;
	*addr = low;
	return true;
}

bool dwarf_has_functions(int tag, bool inside)
{
	switch (tag) {                   /* dispatch */
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		return true;
	case DW_TAG_subprogram:
	case DW_TAG_lexical_block:
		return inside;
	default:
		return false;
	}
}

/* The function that begins at addr, somewhere below a unit; `inside`: also below functions. */
static bool find_function(Dwarf_Die *parent, u64 addr, bool inside, Dwarf_Die *out, u32 depth)
{
	Dwarf_Die die;
	u64 low;

	if (dwarf_below(parent, &die))
		return false;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_subprogram && dwarf_entry_of(&die, &low) && low == addr) {
			*out = die;
			return true;
		}
		if (depth < 8 && dwarf_has_functions(tag, inside) &&
		    find_function(&die, addr, inside, out, depth + 1))
			return true;
	} while (!dwarf_siblingof(&die, &die));
	return false;
}

static bool function_in(Dwarf_Die *unit, u64 addr, Dwarf_Die *out)
{
	return find_function(unit, addr, false, out, 0) || find_function(unit, addr, true, out, 0);
}

bool dwarf_unit_at(struct dwarf_obj *o, u64 addr, Dwarf_Die *unit)
{
	Dwarf_CU *cu = NULL;

	if (dwarf_addrdie(o->dw, addr, unit))
		return true;
	while (!dwarf_get_units(o->dw, cu, &cu, NULL, NULL, unit, NULL))
		if (dwarf_haspc(unit, addr) > 0)
			return true;
	return false;
}

bool dwarf_function_at(struct dwarf_obj *o, u64 addr, Dwarf_Die *out)
{
	Dwarf_Die unit;
	Dwarf_CU *cu = NULL;

	if (dwarf_addrdie(o->dw, addr, &unit))
		return function_in(&unit, addr, out);
	while (!dwarf_get_units(o->dw, cu, &cu, NULL, NULL, &unit, NULL))
		if (dwarf_haspc(&unit, addr) > 0 && function_in(&unit, addr, out))
			return true;
	return false;
}

bool dwarf_is_function(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

/* Has it code of its own, or entries with code? */
static bool is_scope(Dwarf_Die *die, u64 addr, u32 depth)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_subprogram:
	case DW_TAG_inlined_subroutine:
	case DW_TAG_lexical_block:
		return dwarf_haspc(die, addr) > 0;
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		return depth < 8;
	default:
		return false;
	}
}

/* Returns false if no entry below has the address: a namespace without it. */
static bool descend(Dwarf_Die *parent, u64 addr, Dwarf_Die *scopes, u32 *n)
{
	Dwarf_Die die;
	bool is_code = dwarf_is_function(parent) || dwarf_tag(parent) == DW_TAG_lexical_block;
	u32 before = *n;

	if (before == DWARF_SCOPES)
		return is_code;
	scopes[(*n)++] = *parent;
	if (!dwarf_below(parent, &die))
		do {
			if (is_scope(&die, addr, before) && descend(&die, addr, scopes, n))
				return true;
		} while (!dwarf_siblingof(&die, &die));
	if (!is_code)
		*n = before;
	return is_code;
}

u32 dwarf_scopes_in(Dwarf_Die *unit, u64 addr, Dwarf_Die scopes[DWARF_SCOPES])
{
	u32 n = 0;

	return descend(unit, addr, scopes, &n) ? n : 0;
}

u32 dwarf_scopes(struct dwarf_obj *o, u64 addr, Dwarf_Die scopes[DWARF_SCOPES])
{
	Dwarf_Die unit;

	return dwarf_unit_at(o, addr, &unit) ? dwarf_scopes_in(&unit, addr, scopes) : 0;
}
