/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * relocate.c - objects that are not linked: modules of the kernel, and their debug files.
 *
 * Their sections have no addresses, and the debugging information refers to them by relocations
 * (ELF specification, "Relocation").  Each section gets an address of its own, which is the same
 * whenever the file is read; then the relocations are applied to the copy in memory.
 */
#include <gelf.h>

#include <dtx/arch.h>

#include "runtime/code/tables.h"

#define FIRST_ADDRESS 0x1000     /* no section is at 0 */

bool elf_is_unlinked(Elf *elf)
{
	GElf_Ehdr eh;

	return gelf_getehdr(elf, &eh) && eh.e_type == ET_REL;
}

void elf_lay_out(Elf *elf)
{
	u64 next = FIRST_ADDRESS;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(elf, scn))) {
		u64 align;

		if (!gelf_getshdr(scn, &sh) || !(sh.sh_flags & SHF_ALLOC))
			continue;
		align = MAX(sh.sh_addralign, 1u);
		sh.sh_addr = (next + align - 1) / align * align;
		next = sh.sh_addr + sh.sh_size;
		gelf_update_shdr(scn, &sh);
	}
}

u64 elf_section_addr(Elf *elf, u32 index)
{
	Elf_Scn *scn = index < SHN_LORESERVE ? elf_getscn(elf, index) : NULL;
	GElf_Shdr sh;

	return scn && gelf_getshdr(scn, &sh) ? sh.sh_addr : 0;
}

static void apply(Elf *elf, Elf_Data *to, Elf_Data *symbols, const GElf_Rela *r)
{
	u32 size = arch_reloc_size(GELF_R_TYPE(r->r_info));
	GElf_Sym sym;
	u64 value;

	if (!size || r->r_offset > to->d_size || to->d_size - r->r_offset < size ||
	    !gelf_getsym(symbols, (int)GELF_R_SYM(r->r_info), &sym))
		return;
	value = sym.st_value + elf_section_addr(elf, sym.st_shndx) + (u64)r->r_addend;
	memcpy((u8 *)to->d_buf + r->r_offset, &value, size);
}

static void relocate(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Scn *target = elf_getscn(elf, sh->sh_info), *table = elf_getscn(elf, sh->sh_link);
	Elf_Data *relas = elf_getdata(scn, NULL), *to;
	Elf_Data *symbols = table ? elf_getdata(table, NULL) : NULL;
	GElf_Shdr info;
	GElf_Rela r;

	if (!target || !gelf_getshdr(target, &info) || info.sh_type == SHT_NOBITS)
		return;
	if (info.sh_flags & SHF_COMPRESSED)
		elf_compress(target, 0, 0);
	to = elf_rawdata(target, NULL);
	for (size_t i = 0; to && to->d_buf && relas && symbols && sh->sh_entsize &&
			   i < sh->sh_size / sh->sh_entsize; i++)
		if (gelf_getrela(relas, (int)i, &r))
			apply(elf, to, symbols, &r);
}

void elf_relocate_debug(Elf *elf)
{
	Elf_Scn *scn = NULL;
	size_t names;
	GElf_Shdr sh;

	if (!elf_is_unlinked(elf) || elf_getshdrstrndx(elf, &names))
		return;
	elf_lay_out(elf);
	while ((scn = elf_nextscn(elf, scn))) {
		const char *name = gelf_getshdr(scn, &sh) && sh.sh_type == SHT_RELA ?
				   elf_strptr(elf, names, sh.sh_name) : NULL;

		if (name && !strncmp(name, ".rela.debug_", 12))
			relocate(elf, scn, &sh);
	}
}
