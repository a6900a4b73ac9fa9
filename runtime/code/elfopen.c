/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elfopen.c - opens ELF files of others for libelf, which takes memory for as many sections and
 * bytes as the file says.  Sections that are mostly holes are left out.
 */
#include <endian.h>
#include <limits.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <dtx/arch.h>
#include <gelf.h>

#include "runtime/code/code.h"
#include "runtime/code/tables.h"

#define SECTIONS_MOST 100000     /* one for each function of a kernel module: 20,000 */
#define BYTES_MOST    (128ull << 20)
#define FILE_MOST     (1ull << 60)
#define HOLES_FROM    (1u << 20) /* bytes: in smaller sections holes do no harm */

/* Of a file with more than e_shnum can say, the first section has the number (elf(5)). */
static u64 sections_of(int fd, u64 n, u64 at, bool bits32)
{
	union { Elf32_Shdr small; Elf64_Shdr large; } first = { .large = { 0 } };
	size_t size = bits32 ? sizeof(first.small) : sizeof(first.large);

	if (n || !at || pread(fd, &first, size, (off_t)at) != (ssize_t)size)
		return n;
	return bits32 ? first.small.sh_size : first.large.sh_size;
}

union header {
	unsigned char ident[EI_NIDENT];
	Elf32_Ehdr small;
	Elf64_Ehdr large;
};

/* Why the file of this header is not read; NULL: it may be.  e_machine is in the same place in
 * both classes; numbers in code, notes and tables are read as this machine has them. */
static const char *stranger(const union header *h)
{
	u16 machine = h->small.e_machine;

	if (memcmp(h->ident, ELFMAG, SELFMAG))
		return NULL;
	if (h->ident[EI_CLASS] != ELFCLASS32 && h->ident[EI_CLASS] != ELFCLASS64)
		return "its ELF header says neither 32 nor 64 bits";
	if (h->ident[EI_DATA] != ELFDATA2LSB)
		return "it is of a machine with the other order of bytes (big-endian)";
	if (machine != ARCH_ELF_MACHINE && machine != ARCH_ELF_MACHINE32 && machine != EM_NONE)
		return "it is of another machine than this one";
	return NULL;
}

const char *codefile_stranger(const char *path)
{
	union header h = { { 0 } };
	int fd = file_open_object(path, 0);
	const char *why;

	if (fd < 0)
		return NULL;
	why = pread(fd, &h, sizeof(h), 0) < (ssize_t)sizeof(h.small) ? NULL : stranger(&h);
	close(fd);
	return why;
}

/* Can libelf read its headers, and are they of this machine? */
static bool is_bearable(int fd)
{
	union header h = { { 0 } };
	u64 n;

	if (pread(fd, &h, sizeof(h), 0) < (ssize_t)sizeof(h.small) || stranger(&h))
		return false;
	n = h.ident[EI_CLASS] == ELFCLASS32 ?
	    sections_of(fd, h.small.e_shnum, h.small.e_shoff, true) :
	    sections_of(fd, h.large.e_shnum, h.large.e_shoff, false);
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

Elf *elf_open_fd(int fd)
{
	elf_version(EV_CURRENT);
	return is_bearable(fd) ? without_holes(fd, elf_begin(fd, ELF_C_READ, NULL)) : NULL;
}

Elf *elf_open_path(const char *path, int *fd)
{
	Elf *elf;

	*fd = file_open_object(path, 0);
	elf = *fd < 0 ? NULL : elf_open_fd(*fd);
	if (!elf && *fd >= 0)
		close(*fd);
	if (!elf)
		*fd = -1;
	return elf;
}

void elf_close_fd(Elf *elf, int fd)
{
	elf_end(elf);
	if (fd >= 0)
		close(fd);
}

struct elf_view elf_view(int fd)
{
	struct elf_view v = { NULL, NULL, 0, NULL };
	struct stat st;

	if (fstat(fd, &st) || st.st_size <= 0)
		return v;
	v.len = (size_t)st.st_size;
	/* libelf changes headers where they are */
	v.map = mmap(NULL, v.len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, fd, 0);
	if (v.map == MAP_FAILED) {
		v.map = NULL;
		v.elf = elf_open_fd(fd);
		return v;
	}
	v.guard = guard_mapping(v.map, v.len);
	elf_version(EV_CURRENT);
	if (is_bearable(fd))
		v.elf = without_holes(fd, elf_memory(v.map, v.len));
	return v;
}

bool elf_view_end(struct elf_view *v)
{
	bool whole = !v->guard || !guard_was_cut(v->guard);

	elf_end(v->elf);
	guard_end(v->guard);
	if (v->map)
		munmap(v->map, v->len);
	return whole;
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

u64 elf_names_size(Elf *elf, u32 section)
{
	Elf_Scn *scn = elf_getscn(elf, section);
	GElf_Shdr sh;

	return scn && gelf_getshdr(scn, &sh) && sh.sh_type == SHT_STRTAB ? sh.sh_size : 0;
}

Elf_Scn *elf_section_named(Elf *elf, const char *name, GElf_Shdr *sh)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *its;

		if (!gelf_getshdr(scn, sh))
			continue;
		its = elf_strptr(elf, names, sh->sh_name);
		if (its && !strcmp(its, name))
			return scn;
	}
	return NULL;
}

Elf_Data *elf_section(Elf *elf, const char *name, u64 *addr)
{
	GElf_Shdr sh;
	Elf_Scn *scn = elf_section_named(elf, name, &sh);

	if (scn && addr)
		*addr = sh.sh_addr;
	return !scn || sh.sh_type == SHT_NOBITS ? NULL : elf_data(scn);
}

const char *elf_shared_name(Elf *elf)
{
	const Elf_Data *link = elf_section(elf, SHARED_LINK, NULL);

	return link && link->d_buf && memchr(link->d_buf, '\0', link->d_size) ? link->d_buf : NULL;
}

bool elf_section_runs(Elf *elf, u32 index)
{
	Elf_Scn *scn = elf_getscn(elf, index);
	GElf_Shdr sh;

	return scn && gelf_getshdr(scn, &sh) && (sh.sh_flags & SHF_EXECINSTR);
}
