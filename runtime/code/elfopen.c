/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elfopen.c - opens ELF files of others for libelf, which takes memory for as many sections and
 * bytes as the file says.  Files that are mostly holes are refused before (base/file.c).
 */
#include <unistd.h>

#include <dtx/arch.h>
#include <gelf.h>

#include "runtime/code/tables.h"

#define SECTIONS_MOST 100000     /* one for each function of a kernel module: 20,000 */
#define BYTES_MOST    (128ull << 20)

/* Of a file with more than e_shnum can say, the first section has the number (elf(5)). */
static u64 sections_of(int fd, const Elf64_Ehdr *h)
{
	Elf64_Shdr first = { 0 };

	if (h->e_shnum || !h->e_shoff)
		return h->e_shnum;
	return pread(fd, &first, sizeof(first), (off_t)h->e_shoff) == sizeof(first) ?
	       first.sh_size : 0;
}

static u64 sections_of_32(int fd, const Elf32_Ehdr *h)
{
	Elf32_Shdr first = { 0 };

	if (h->e_shnum || !h->e_shoff)
		return h->e_shnum;
	return pread(fd, &first, sizeof(first), (off_t)h->e_shoff) == sizeof(first) ?
	       first.sh_size : 0;
}

Elf *elf_open(int fd)
{
	union {
		unsigned char ident[EI_NIDENT];
		Elf32_Ehdr small;
		Elf64_Ehdr large;
	} h = { { 0 } };
	u64 n;

	elf_version(EV_CURRENT);
	if (pread(fd, &h, sizeof(h), 0) < (ssize_t)sizeof(h.small))
		return NULL;
	n = h.ident[EI_CLASS] == ELFCLASS32 ? sections_of_32(fd, &h.small) :
					      sections_of(fd, &h.large);
	if (n <= SECTIONS_MOST)
		return elf_begin(fd, ELF_C_READ, NULL);
	budget_refuse("a file with %llu sections", (unsigned long long)n);
	return NULL;
}

/* Programs of x32 have the registers of 64-bit ones. */
bool elf_is_32bit(Elf *elf)
{
	GElf_Ehdr eh;

	return gelf_getehdr(elf, &eh) && eh.e_ident[EI_CLASS] == ELFCLASS32 &&
	       eh.e_machine == ARCH_ELF_MACHINE32;
}

bool elf_has_zstd(Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	GElf_Chdr ch;

	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_flags & SHF_COMPRESSED &&
		    gelf_getchdr(scn, &ch) && ch.ch_type == ELFCOMPRESS_ZSTD)
			return true;
	return false;
}

Elf_Data *elf_data(Elf_Scn *scn)
{
	GElf_Shdr sh;

	if (!gelf_getshdr(scn, &sh))
		return NULL;
	if (sh.sh_type == SHT_NOBITS || sh.sh_size <= BYTES_MOST)
		return elf_getdata(scn, NULL);
	budget_refuse("a section of %llu MB of a file", (unsigned long long)sh.sh_size >> 20);
	return NULL;
}
