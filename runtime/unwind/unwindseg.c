/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unwindseg.c - where an object has code: its segments, the ranges of pages that they make in a
 * table, and its sections.
 */
#include "runtime/code/cfi.h"

#define CODE_SECTIONS 64

void frames_segments(struct frames *s, Elf *elf, u64 file_size)
{
	size_t n = 0;
	GElf_Phdr ph;

	elf_getphdrnum(elf, &n);
	for (size_t i = 0; i < n && gelf_getphdr(elf, (int)i, &ph); i++) {
		struct segment g = { ph.p_vaddr, ph.p_offset, ph.p_filesz };
		u32 at = s->segs.n;

		if (ph.p_type != PT_LOAD || !(ph.p_flags & PF_X) || g.off >= file_size ||
		    at == DTX_UW_RANGES)
			continue;
		g.size = MIN(g.size, file_size - g.off);
		VEC_PUSH(&s->segs, g);
		for (; at && s->segs.v[at - 1].off > g.off; at--)
			s->segs.v[at] = s->segs.v[at - 1];
		s->segs.v[at] = g;
	}
}

void frames_code(struct frames *s, Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Ehdr eh;
	GElf_Shdr sh;

	s->elf = elf;
	s->known.entry = gelf_getehdr(elf, &eh) ? eh.e_entry : 0;
	while ((scn = elf_nextscn(elf, scn))) {
		struct segment c;
		u32 at = s->code.n;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_PROGBITS || !sh.sh_size ||
		    !(sh.sh_flags & SHF_EXECINSTR) || at == CODE_SECTIONS)
			continue;
		c = (struct segment){ sh.sh_addr, sh.sh_offset, sh.sh_size };
		VEC_PUSH(&s->code, c);
		for (; at && s->code.v[at - 1].vaddr > c.vaddr; at--)
			s->code.v[at] = s->code.v[at - 1];
		s->code.v[at] = c;
	}
	for (u32 i = 0; i < s->segs.n && !scn && !s->code.n; i++)
		VEC_PUSH(&s->code, s->segs.v[i]);
}

u32 frames_range(const struct frames *s, u32 i, u64 *first, u64 *end)
{
	const struct segment *g = s->segs.v;

	*first = g[i].off >> DTX_UW_PAGE_SHIFT;
	*end = *first;
	do {
		u64 next = g[i].off + g[i].size + (1ull << DTX_UW_PAGE_SHIFT) - 1;

		*end = MAX(*end, next >> DTX_UW_PAGE_SHIFT);
	} while (++i < s->segs.n && g[i].off >> DTX_UW_PAGE_SHIFT < *end);
	return i;
}
