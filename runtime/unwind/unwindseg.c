/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * unwindseg.c - where an object has code: its segments, the ranges of pages that they make in a
 * table, and its sections.
 */
#include "runtime/code/cfi.h"

#define CODE_SECTIONS 64

static u64 begin_of(const struct segment *g, bool in_file)
{
	return in_file ? g->off : g->vaddr;
}

/* The last of n is new: it goes where it belongs, behind what begins at the same place. */
static void sort_last(struct segment *v, u32 n, bool in_file)
{
	struct segment g = v[--n];

	for (; n && begin_of(&v[n - 1], in_file) > begin_of(&g, in_file); n--)
		v[n] = v[n - 1];
	v[n] = g;
}

void frames_segments(struct frames *s, Elf *elf, u64 file_size)
{
	size_t n = 0;
	GElf_Phdr ph;

	elf_getphdrnum(elf, &n);
	for (size_t i = 0; i < n && gelf_getphdr(elf, (int)i, &ph); i++) {
		struct segment g = { ph.p_vaddr, ph.p_offset, ph.p_filesz };

		if (ph.p_type != PT_LOAD || !(ph.p_flags & PF_X) || g.off >= file_size ||
		    s->segs.n == DTX_UW_RANGES)
			continue;
		g.size = MIN(g.size, file_size - g.off);
		VEC_PUSH(&s->segs, g);
		sort_last(s->segs.v, s->segs.n, true);
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

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_PROGBITS || !sh.sh_size ||
		    !(sh.sh_flags & SHF_EXECINSTR) || s->code.n == CODE_SECTIONS)
			continue;
		c = (struct segment){ sh.sh_addr, sh.sh_offset, sh.sh_size };
		VEC_PUSH(&s->code, c);
		sort_last(s->code.v, s->code.n, false);
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
