/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elfopen.c - opens ELF files of others for libelf, which takes memory for as many sections and
 * bytes as the file says.  Sections that are mostly holes are left out.
 */
#include <endian.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include <dtx/arch.h>
#include <gelf.h>

#include "runtime/code/tables.h"

#define SECTIONS_MOST 100000     /* one for each function of a kernel module: 20,000 */
#define BYTES_MOST    (128ull << 20)
#define FILE_MOST     (1ull << 60)
#define HOLES_FROM    (1u << 20) /* bytes: in smaller sections holes do no harm */

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

/* Can libelf read its headers? */
static bool is_bearable(int fd)
{
	union {
		unsigned char ident[EI_NIDENT];
		Elf32_Ehdr small;
		Elf64_Ehdr large;
	} h = { { 0 } };
	u64 n;

	if (pread(fd, &h, sizeof(h), 0) < (ssize_t)sizeof(h.small))
		return false;
	n = h.ident[EI_CLASS] == ELFCLASS32 ? sections_of_32(fd, &h.small) :
					      sections_of(fd, &h.large);
	if (n <= SECTIONS_MOST)
		return true;
	budget_refuse("a file with %llu sections", (unsigned long long)n);
	return false;
}

static void tell_hole(int fd, Elf *elf, const GElf_Shdr *sh)
{
	char self[40], path[PATH_MAX];
	const char *name = NULL;
	size_t names;
	ssize_t len;

	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	len = readlink(self, path, sizeof(path));
	if (!elf_getshdrstrndx(elf, &names))
		name = elf_strptr(elf, names, sh->sh_name);
	budget_refuse("section %s (%llu MB) of the file %.*s", name ? name : "?",
		      (unsigned long long)sh->sh_size >> 20, (int)MAX(len, 0), path);
}

/* In the headers in memory such a section has no bytes. */
static Elf *without_holes(int fd, Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while (elf && (scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &sh) || sh.sh_type == SHT_NOBITS ||
		    sh.sh_size < HOLES_FROM || sh.sh_size > FILE_MOST || sh.sh_offset > FILE_MOST ||
		    !file_mostly_holes(fd, (off_t)sh.sh_offset, (off_t)sh.sh_size))
			continue;
		tell_hole(fd, elf, &sh);
		sh.sh_type = SHT_NOBITS;
		gelf_update_shdr(scn, &sh);
	}
	return elf;
}

Elf *elf_open(int fd)
{
	elf_version(EV_CURRENT);
	return is_bearable(fd) ? without_holes(fd, elf_begin(fd, ELF_C_READ, NULL)) : NULL;
}

Elf *elf_mapped(int fd, void *map, size_t len)
{
	elf_version(EV_CURRENT);
	return is_bearable(fd) ? without_holes(fd, elf_memory(map, len)) : NULL;
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

/* The size after decompression, as the section says: ".zdebug" of GNU has it after "ZLIB". */
static u64 inflated_size(Elf *elf, Elf_Scn *scn, size_t names)
{
	GElf_Shdr sh;
	GElf_Chdr ch;
	const char *name = gelf_getshdr(scn, &sh) ? elf_strptr(elf, names, sh.sh_name) : NULL;
	Elf_Data *head;
	u64 size;

	if (!name)
		return 0;
	if (sh.sh_flags & SHF_COMPRESSED)
		return gelf_getchdr(scn, &ch) ? ch.ch_size : 0;
	if (strncmp(name, ".zdebug", 7) || sh.sh_size < 12)
		return 0;
	head = elf_getdata_rawchunk(elf, (int64_t)sh.sh_offset, 12, ELF_T_BYTE);
	if (!head || !head->d_buf || memcmp(head->d_buf, "ZLIB", 4))
		return 0;
	memcpy(&size, (const char *)head->d_buf + 4, sizeof(size));
	return be64toh(size);
}

u64 elf_inflated(Elf *elf)
{
	Elf_Scn *scn = NULL;
	u64 all = 0;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return 0;
	while ((scn = elf_nextscn(elf, scn)))
		all += MIN(inflated_size(elf, scn, names), FILE_MOST);
	return all;
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
