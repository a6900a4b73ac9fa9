/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarfjoined.c - functions that are two in the source, and one in the program.
 *
 * Linkers (--icf) and compilers keep code once that several functions have.  Then all their names
 * have one address.  So have the names of one function; two are told apart by debugging
 * information, which has an entry for each, or by what mangled names say.
 * Why: docs/decisions/59-joined-functions.md
 */
#include <stdlib.h>

#include <dwarf.h>

#include "runtime/code/code.h"
#include "runtime/code/names.h"
#include "runtime/code/tables.h"
#include "runtime/dwarf/dwarf-private.h"

/* Entries of joined functions have an address, but linkers write 0 for what they have left out. */
static bool has_code(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_subprogram &&
	       (dwarf_hasattr(die, DW_AT_low_pc) || dwarf_hasattr(die, DW_AT_ranges));
}

static const char *symbol_of(Dwarf_Die *die)
{
	Dwarf_Attribute a;
	const char *linkage = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &a));

	return linkage ? linkage : dwarf_diename(die);
}

/* Assemblers write an entry for each name of a function: two entries are one function there. */
static bool is_assembly(Dwarf_Die *unit)
{
	return dwarf_srclang(unit) == DW_LANG_Mips_Assembler;
}

static void add_functions(struct map *to, Dwarf_Die *parent, u32 depth)
{
	const char *name;
	Dwarf_Die die;

	if (depth > 8 || dwarf_below(parent, &die))
		return;
	do {
		name = has_code(&die) ? symbol_of(&die) : NULL;
		if (name)
			map_set(to, name, to);
		if (dwarf_has_functions(dwarf_tag(&die), true))
			add_functions(to, &die, depth + 1);
	} while (!dwarf_siblingof(&die, &die));
}

/* Was it linked by a program that joins functions?  GNU ld does not. */
static bool is_of_joiner(Elf *elf)
{
	Elf_Data *d = elf_section(elf, ".comment", NULL);
	GElf_Shdr sh;

	return elf_section_named(elf, ".note.gnu.gold-version", &sh) ||
	       (d && d->d_buf && (memmem(d->d_buf, d->d_size, "LLD", 3) ||
				  memmem(d->d_buf, d->d_size, "mold", 4)));
}

/* The functions that may be joined with one: all of the program, or those of its unit. */
static struct map *functions(struct dwarf_obj *o, u64 addr)
{
	bool all = is_of_joiner(o->elf);
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	if (o->functions && (all || o->functions_of == addr))
		return o->functions;
	map_free(o->functions);
	o->functions = map_new_of_kept();
	o->functions_of = addr;
	if (!all && dwarf_addrdie(o->dw, addr, &unit) && !is_assembly(&unit))
		add_functions(o->functions, &unit, 0);
	while (all && !dwarf_get_units(o->dw, cu, &cu, NULL, NULL, &unit, NULL))
		if (!is_assembly(&unit))
			add_functions(o->functions, &unit, 0);
	return o->functions;
}

const char *dwarf_joined(struct dtx_env *env, const char *path, u64 addr, const char *name)
{
	struct elfsyms *syms = codefile_symbols(codefile_at(env, path));
	const struct elfsym *sym;
	struct dwarf_obj *o;
	struct map *of;

	for (u32 i = 0; syms && (sym = elfsyms_nth_at(syms, addr, i)); i++) {
		if (sym->is_label || !strcmp(sym->name, name))
			continue;
		if (sym_are_two(sym->name, name))
			return sym->name;
		o = dwarf_open(env, path);
		of = o ? functions(o, addr) : NULL;
		if (of && map_get(of, name) && map_get(of, sym->name))
			return sym->name;
	}
	return NULL;
}
