/* SPDX-License-Identifier: BSD-2-Clause */
/* cfisection.c - where an object has its call frame information. */
#include <string.h>

#include <dwarf.h>
#include <gelf.h>

#include "runtime/code/cfi.h"

#define SECTION_MOST  (1u << 30)         /* bytes; larger ones are not read */
#define SEGMENT_MOST  (128u << 20)       /* the rest of a segment is not looked at */
/* The header for exception handling: version, three encodings, address of .eh_frame, number of the
 * list's entries; then the list (Linux Standard Base, ".eh_frame_hdr"). */
#define LIST_AT       12

static void uncompress(Elf_Scn *scn, GElf_Shdr *sh)
{
	GElf_Chdr ch;

	if (sh->sh_flags & SHF_COMPRESSED && gelf_getchdr(scn, &ch) && ch.ch_size < SECTION_MOST)
		elf_compress(scn, 0, 0);
}

static void set_section(struct cfi_section *s, const Elf_Data *data, u64 addr, bool is_debug)
{
	s->data = data->d_buf;
	s->len = data->d_size;
	s->addr = addr;
	s->is_debug = is_debug;
}

bool cfi_find(Elf *elf, const char *name, struct cfi_section *s)
{
	GElf_Shdr sh;
	Elf_Scn *scn = elf_section_named(elf, name, &sh);
	Elf_Data *data;

	if (!scn || sh.sh_type == SHT_NOBITS || sh.sh_size >= SECTION_MOST)
		return false;
	uncompress(scn, &sh);
	data = gelf_getshdr(scn, &sh) && !(sh.sh_flags & SHF_COMPRESSED) ? elf_data(scn) : NULL;
	if (!data || !data->d_buf)
		return false;
	set_section(s, data, sh.sh_addr, name[1] == 'd');
	return true;
}

const Elf_Data *cfi_segment(Elf *elf, u64 addr)
{
	size_t n = 0;
	GElf_Phdr ph;

	elf_getphdrnum(elf, &n);
	for (size_t i = 0; i < n && gelf_getphdr(elf, (int)i, &ph); i++) {
		u64 skip = addr - ph.p_vaddr;

		if (ph.p_type == PT_LOAD && skip < ph.p_filesz)
			return elf_getdata_rawchunk(elf, (int64_t)(ph.p_offset + skip),
						    MIN(ph.p_filesz - skip, SEGMENT_MOST),
						    ELF_T_BYTE);
	}
	return NULL;
}

/* .eh_frame_hdr, by its segment: a stripped file may have no sections.  *size: of the segment. */
static const Elf_Data *header_of(Elf *elf, u64 *addr, u64 *size)
{
	size_t n = 0;
	GElf_Phdr ph;

	elf_getphdrnum(elf, &n);
	for (size_t i = 0; i < n && gelf_getphdr(elf, (int)i, &ph); i++) {
		const Elf_Data *data = ph.p_type == PT_GNU_EH_FRAME ?
				       cfi_segment(elf, ph.p_vaddr) : NULL;

		if (!data || !data->d_buf || data->d_size < 4)
			continue;
		*addr = ph.p_vaddr;
		*size = MIN(data->d_size, ph.p_filesz);
		return data;
	}
	return NULL;
}

bool cfi_find_by_header(Elf *elf, struct cfi_section *s)
{
	u64 addr, size;
	const Elf_Data *data = header_of(elf, &addr, &size);
	struct cfi_bytes b;

	if (!data)
		return false;
	b.at = (const u8 *)data->d_buf + 4;
	b.end = b.at + data->d_size - 4;
	b.bad = false;
	addr = cfi_pointer(&b, b.at[-3], addr + 4);
	data = b.bad ? NULL : cfi_segment(elf, addr);
	if (!data || !data->d_buf)
		return false;
	set_section(s, data, addr, false);
	return true;
}

bool cfi_find_list(Elf *elf, struct cfi_list *l)
{
	u64 addr, size;
	const Elf_Data *data = header_of(elf, &addr, &size);
	const u8 *head = data ? data->d_buf : NULL;
	u32 count;

	if (!head || size < LIST_AT || head[0] != 1 || (head[1] & 0x0f) != DW_EH_PE_sdata4 ||
	    head[2] != DW_EH_PE_udata4 || head[3] != (DW_EH_PE_datarel | DW_EH_PE_sdata4))
		return false;
	memcpy(&count, head + 8, sizeof(count));
	*l = (struct cfi_list){ (const void *)(head + LIST_AT), count, addr };
	return count && count <= (size - LIST_AT) / sizeof(*l->at);
}
