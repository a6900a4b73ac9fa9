/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * imports.c - functions that an object takes from its libraries: undefined ones in .dynsym, whether
 * they are called through the procedure linkage table or through the global offset table (gcc
 * -fno-plt).
 */
#include <unistd.h>

#include <gelf.h>

#include "runtime/code/sym.h"
#include "runtime/code/tables.h"

static bool is_undefined(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, const char *func)
{
	Elf_Data *data = elf_data(scn);
	GElf_Sym sym;

	for (int i = 0; data && gelf_getsym(data, i, &sym); i++) {
		u32 type = GELF_ST_TYPE(sym.st_info);
		const char *name = sym.st_shndx == SHN_UNDEF ?
				   elf_strptr(elf, sh->sh_link, sym.st_name) : NULL;

		if (name && (type == STT_FUNC || type == STT_NOTYPE) && !strcmp(name, func))
			return true;
	}
	return false;
}

bool elf_imports(const char *path, const char *func)
{
	int fd = file_open_object(path, 0);
	Elf *elf = fd < 0 ? NULL : elf_open(fd);
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	bool found = false;

	while (elf && !found && (scn = elf_nextscn(elf, scn)))
		found = gelf_getshdr(scn, &sh) && sh.sh_type == SHT_DYNSYM &&
			is_undefined(elf, scn, &sh, func);
	elf_end(elf);
	if (fd >= 0)
		close(fd);
	return found;
}
