/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarfzstd.c - sections of debugging information that are compressed by zstd (ELFCOMPRESS_ZSTD,
 * gABI since 2022).  libelf unpacks them from 0.189 on, if it was built with zstd.
 */
#include <stdlib.h>

#include <zstd.h>

#include "runtime/dwarf/dwarf-private.h"

/* A file cannot make us use much more memory than itself: debugging information is packed to a
 * third, strings of C++ to a tenth. */
#define TIMES_MOST 24
#define BYTES_FREE (1u << 20)    /* whatever that makes */

struct dwarf_bytes {
	struct dwarf_bytes *next;
	u8 bytes[];
};

u8 *dwarf_bytes_new(struct dwarf_bytes **all, u64 size)
{
	struct dwarf_bytes *b = xmalloc(sizeof(*b) + size);

	b->next = *all;
	*all = b;
	return b->bytes;
}

static bool is_zstd(Elf_Scn *scn, GElf_Shdr *sh, GElf_Chdr *ch)
{
	return gelf_getshdr(scn, sh) && sh->sh_flags & SHF_COMPRESSED && gelf_getchdr(scn, ch) &&
	       ch->ch_type == ELFCOMPRESS_ZSTD;
}

/* What libelf has of the section is replaced: its data and its header, both in our memory. */
static bool unpack(Elf *elf, Elf_Scn *scn, GElf_Shdr *sh, const GElf_Chdr *ch,
		   struct dwarf_bytes **all)
{
	size_t head = gelf_fsize(elf, ELF_T_CHDR, 1, EV_CURRENT);
	Elf_Data *d = elf_getdata(scn, NULL);
	u8 *own;

	if (!d || !d->d_buf || d->d_size <= head ||
	    ch->ch_size > (u64)TIMES_MOST * d->d_size + BYTES_FREE)
		return false;
	own = dwarf_bytes_new(all, ch->ch_size);
	if (ZSTD_decompress(own, ch->ch_size, (u8 *)d->d_buf + head, d->d_size - head) !=
	    ch->ch_size)
		return false;
	sh->sh_flags &= ~(u64)SHF_COMPRESSED;
	sh->sh_size = ch->ch_size;
	sh->sh_addralign = ch->ch_addralign;
	d->d_buf = own;
	d->d_size = ch->ch_size;
	d->d_align = ch->ch_addralign;
	d->d_type = ELF_T_BYTE;
	return gelf_update_shdr(scn, sh);
}

bool dwarf_unpack_zstd(Elf *elf, struct dwarf_bytes **all)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	GElf_Chdr ch;
	bool whole = true;

	while ((scn = elf_nextscn(elf, scn)))
		if (is_zstd(scn, &sh, &ch))
			whole &= unpack(elf, scn, &sh, &ch, all);
	return whole;
}

void dwarf_bytes_free(struct dwarf_bytes *z)
{
	while (z) {
		struct dwarf_bytes *next = z->next;

		free(z);
		z = next;
	}
}
