/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plt.c - names of the stubs of the procedure linkage table: "malloc@plt"; what an object takes
 * from its libraries.
 *
 * A stub has no symbol.  It jumps through a slot, and a relocation says which function the dynamic
 * linker writes there ("Procedure Linkage Table" of the architecture's ABI).
 */
#include <gelf.h>

#include "runtime/code/code.h"
#include "runtime/code/tables.h"

static const char *plt_name(Elf *elf, const GElf_Shdr *rela, u32 index)
{
	Elf_Scn *scn = elf_getscn(elf, rela->sh_link);
	Elf_Data *data = scn ? elf_data(scn) : NULL;
	GElf_Shdr sh;
	GElf_Sym sym;

	if (!data || !gelf_getshdr(scn, &sh) || !gelf_getsym(data, (int)index, &sym))
		return NULL;
	return elf_strptr(elf, sh.sh_link, sym.st_name);
}

/* The functions whose addresses are written to slots, by the address of the slot. */
static struct keytab *plt_slots(Elf *elf)
{
	struct keytab *slots = keytab_new(sizeof(u64), sizeof(const char *));
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	GElf_Rela r;

	while ((scn = elf_nextscn(elf, scn))) {
		Elf_Data *data;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_RELA || !sh.sh_entsize)
			continue;
		data = elf_data(scn);
		for (size_t i = 0; data && i < sh.sh_size / sh.sh_entsize; i++) {
			const char *name = gelf_getrela(data, (int)i, &r) && GELF_R_SYM(r.r_info) ?
				plt_name(elf, &sh, GELF_R_SYM(r.r_info)) : NULL;
			u64 at = r.r_offset;

			if (name && *name)
				*(const char **)keytab_put(slots, &at) = name;
		}
	}
	return slots;
}

struct keytab *plt_targets(int fd, struct arena *a)
{
	struct keytab *slots = keytab_new(sizeof(u64), sizeof(struct plt_target));
	Elf *elf = fd < 0 ? NULL : elf_open_fd(fd);
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	GElf_Rela r;

	while (elf && (scn = elf_nextscn(elf, scn))) {
		Elf_Data *data;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_RELA || !sh.sh_entsize ||
		    !(sh.sh_flags & SHF_ALLOC))
			continue;
		data = elf_data(scn);
		for (int i = 0; data && gelf_getrela(data, i, &r); i++) {
			u32 sym = GELF_R_SYM(r.r_info);
			bool chosen = arch_reloc_chooses(GELF_R_TYPE(r.r_info));
			const char *name = sym && !r.r_addend ? plt_name(elf, &sh, sym) : NULL;

			if ((name && *name) || chosen)
				*(struct plt_target *)keytab_put(slots, &(u64){ r.r_offset }) =
					(struct plt_target){ arena_strdup(a, name ? name : ""),
							     chosen ? (u64)r.r_addend : 0 };
		}
	}
	elf_end(elf);
	return slots;
}

static void plt_section(const GElf_Shdr *sh, const Elf_Data *data, struct keytab *slots,
			void (*found)(void *arg, const char *name, u64 addr, u64 size), void *arg)
{
	u64 size = sh->sh_entsize >= 8 ? sh->sh_entsize : ARCH_PLT_ENTRY;

	for (u64 off = 0; off + size <= data->d_size; off += size) {
		u64 addr = sh->sh_addr + off, slot;
		const char **name = arch_plt_slot((u8 *)data->d_buf + off, size, addr, &slot)
					    ? keytab_get(slots, &slot)
					    : NULL;

		if (name)
			found(arg, *name, addr, size);
	}
}

void plt_each(Elf *elf, void (*found)(void *arg, const char *name, u64 addr, u64 size), void *arg)
{
	struct keytab *slots = NULL;
	Elf_Scn *scn = NULL;
	size_t names;
	GElf_Shdr sh;

	if (elf_getshdrstrndx(elf, &names))
		return;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *n = gelf_getshdr(scn, &sh) ? elf_strptr(elf, names, sh.sh_name) : NULL;
		Elf_Data *data;

		if (!n || strncmp(n, ".plt", 4) || sh.sh_type != SHT_PROGBITS)
			continue;
		data = elf_data(scn);
		if (!slots)
			slots = plt_slots(elf);
		if (data && data->d_buf)
			plt_section(&sh, data, slots, found, arg);
	}
	keytab_free(slots);
}

/* ---- what is imported, also what is not called through the table (gcc -fno-plt) ---------- */

const char **elf_needed(struct codefile *file, struct arena *a)
{
	const char **names = NULL;
	int fd = codefile_fd(file);
	Elf *elf = fd < 0 ? NULL : elf_open_fd(fd);
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	GElf_Dyn d;
	u32 n = 0;

	while (elf && (scn = elf_nextscn(elf, scn))) {
		Elf_Data *data = gelf_getshdr(scn, &sh) && sh.sh_type == SHT_DYNAMIC ?
				 elf_data(scn) : NULL;

		for (int i = 0; data && gelf_getdyn(data, i, &d); i++) {
			const char *name = d.d_tag == DT_NEEDED ?
					   elf_strptr(elf, sh.sh_link, d.d_un.d_val) : NULL;

			if (name)
				ARENA_PUSH(a, names, n, arena_strdup(a, name));
		}
	}
	elf_end(elf);
	ARENA_PUSH(a, names, n, NULL);
	return names;
}

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

bool elf_imports(struct codefile *file, const char *func)
{
	int fd = codefile_fd(file);
	Elf *elf = fd < 0 ? NULL : elf_open_fd(fd);
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	bool found = false;

	while (elf && !found && (scn = elf_nextscn(elf, scn)))
		found = gelf_getshdr(scn, &sh) && sh.sh_type == SHT_DYNSYM &&
			is_undefined(elf, scn, &sh, func);
	elf_end(elf);
	codefile_close(file);
	return found;
}
