/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dwarfzstd.c - sections of debugging information that are compressed by zstd (ELFCOMPRESS_ZSTD,
 * gABI since 2022).  libelf unpacks them from 0.189 on, if it was built with zstd.
 */
#include <stdlib.h>

#include <zstd.h>

#include "runtime/dwarf/dwarf.h"

/* A file cannot make us use much more memory than itself: debugging information is packed to a
 * third, strings of C++ to a tenth. */
#define TIMES_MOST 24
#define BYTES_FREE (1u << 20)    /* whatever that makes */

struct zstd_data {
	struct zstd_data *next;
	u8 bytes[];
};

static bool is_zstd(Elf_Scn *scn, GElf_Shdr *sh, GElf_Chdr *ch)
{
	return gelf_getshdr(scn, sh) && sh->sh_flags & SHF_COMPRESSED && gelf_getchdr(scn, ch) &&
	       ch->ch_type == ELFCOMPRESS_ZSTD;
}

/* What libelf has of the section is replaced: its data and its header, both in our memory. */
static bool unpack(Elf *elf, Elf_Scn *scn, GElf_Shdr *sh, const GElf_Chdr *ch,
		   struct zstd_data **all)
{
	size_t head = gelf_fsize(elf, ELF_T_CHDR, 1, EV_CURRENT);
	Elf_Data *d = elf_getdata(scn, NULL);
	struct zstd_data *z;

	if (!d || !d->d_buf || d->d_size <= head ||
	    ch->ch_size > (u64)TIMES_MOST * d->d_size + BYTES_FREE)
		return false;
	z = xmalloc(sizeof(*z) + ch->ch_size);
	z->next = *all;
	*all = z;
	if (ZSTD_decompress(z->bytes, ch->ch_size, (u8 *)d->d_buf + head, d->d_size - head) !=
	    ch->ch_size)
		return false;
	sh->sh_flags &= ~(u64)SHF_COMPRESSED;
	sh->sh_size = ch->ch_size;
	sh->sh_addralign = ch->ch_addralign;
	d->d_buf = z->bytes;
	d->d_size = ch->ch_size;
	d->d_align = ch->ch_addralign;
	d->d_type = ELF_T_BYTE;
	return gelf_update_shdr(scn, sh);
}

bool dwarf_unpack_zstd(Elf *elf, struct zstd_data **all)
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

void dwarf_unpack_free(struct zstd_data *z)
{
	while (z) {
		struct zstd_data *next = z->next;

		free(z);
		z = next;
	}
}
