/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elfversion.c - the functions of one name that a library has for programs of several ages:
 * NAME@VERSION, and NAME@@VERSION for what is linked today; and one of the names of an address.
 */
#include <string.h>

#include "runtime/code/code.h"
#include "runtime/code/tables.h"

#define NOT_DEFAULT 0x8000u              /* of a number in .gnu.version; elf.h has no name for it */

static Elf_Scn *section_of(Elf *elf, u32 type, GElf_Shdr *sh)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, sh) && sh->sh_type == type)
			return scn;
	return NULL;
}

Elf_Data *elf_versions(Elf *elf)
{
	GElf_Shdr sh;
	Elf_Scn *scn = section_of(elf, SHT_GNU_versym, &sh);

	return scn ? elf_data(scn) : NULL;
}

static u32 version_of(Elf_Data *versions, size_t i)
{
	GElf_Versym version;

	return versions && gelf_getversym(versions, (int)i, &version) ? version : 0;
}

bool elf_is_old_version(Elf_Data *versions, size_t i)
{
	return version_of(versions, i) & NOT_DEFAULT;
}

/* The number that a version has in this file; 0: it has none. */
static u32 version_number(Elf *elf, const char *name)
{
	GElf_Shdr sh;
	Elf_Scn *scn = section_of(elf, SHT_GNU_verdef, &sh);
	Elf_Data *data = scn ? elf_data(scn) : NULL;
	u64 at = 0, n = data ? sh.sh_info : 0;
	GElf_Verdef def;
	GElf_Verdaux aux;

	for (; n-- && at < data->d_size && gelf_getverdef(data, (int)at, &def); at += def.vd_next) {
		const char *is = gelf_getverdaux(data, (int)(at + def.vd_aux), &aux) ?
				 elf_strptr(elf, sh.sh_link, aux.vda_name) : NULL;

		if (is && !strcmp(is, name))
			return def.vd_ndx & ~NOT_DEFAULT;
		if (!def.vd_next)
			break;
	}
	return 0;
}

/* The function of `len` bytes of name with this number. */
static u64 find_version(Elf *elf, const char *name, size_t len, u32 number, bool today)
{
	GElf_Shdr sh;
	Elf_Scn *scn = section_of(elf, SHT_DYNSYM, &sh);
	Elf_Data *data = scn ? elf_data(scn) : NULL, *versions = elf_versions(elf);
	GElf_Sym sym;

	for (size_t i = 1; data && sh.sh_entsize && i < sh.sh_size / sh.sh_entsize; i++) {
		u32 has = version_of(versions, i);
		const char *is;

		if ((has & ~NOT_DEFAULT) != number || (today && has & NOT_DEFAULT) ||
		    !gelf_getsym(data, (int)i, &sym) || sym.st_shndx == SHN_UNDEF)
			continue;
		is = elf_strptr(elf, sh.sh_link, sym.st_name);
		if (is && strlen(is) == len && !memcmp(is, name, len))
			return sym.st_value;
	}
	return 0;
}

u64 elf_version_addr(struct codefile *file, const char *full, size_t *len)
{
	const char *version = strchr(full, '@');
	bool today = version && version[1] == '@';
	int fd = version ? codefile_fd(file) : -1;
	Elf *elf = fd < 0 ? NULL : elf_open_fd(fd);
	u32 number = elf ? version_number(elf, version + 1 + today) : 0;
	u64 addr;

	*len = version ? (size_t)(version - full) : 0;
	addr = number ? find_version(elf, full, *len, number, today) : 0;
	elf_end(elf);
	if (fd >= 0)
		codefile_close(file);
	return addr;
}

const struct elfsym *elfsyms_named_at(struct elfsyms *s, u64 addr, const char *name, size_t len)
{
	const struct elfsym *sym;

	for (u32 i = 0; (sym = elfsyms_nth_at(s, addr, i)); i++)
		if (strlen(sym->name) == len && !memcmp(sym->name, name, len))
			return sym;
	return NULL;
}
