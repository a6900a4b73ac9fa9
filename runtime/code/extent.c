/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * extent.c - where functions begin and end, by the call frame information of a file: for those
 * whose symbols do not say it.
 */
#include <stdlib.h>

#include <dtx/arch.h>
#include <gelf.h>

#include "runtime/code/cfi.h"
#include "runtime/code/code.h"

#define SECTION_MOST  (1u << 30)         /* bytes; larger ones are not read */

struct extent { u64 begin, size; bool catches; };

struct extents { VEC(struct extent) v; };

static int by_begin(const void *pa, const void *pb)
{
	const struct extent *a = pa, *b = pb;

	return a->begin < b->begin ? -1 : a->begin > b->begin;
}

static void read_section(struct extents *x, Elf *elf)
{
	struct cfi_section s = { 0 };
	cfi_fdes fdes = { 0 };
	u64 addr = 0;
	Elf_Data *data = elf_section(elf, ".eh_frame", &addr);

	if (!data || !data->d_buf || data->d_size > SECTION_MOST)
		return;
	s.data = data->d_buf;
	s.len = data->d_size;
	s.addr = addr;
	cfi_read(&s, &fdes);
	for (u32 i = 0; i < fdes.n; i++) {
		const struct cfi_fde *f = &fdes.v[i];

		VEC_PUSH(&x->v, ((struct extent){ f->begin, f->end - f->begin, f->cie->catches }));
	}
	VEC_FREE(&fdes);
	VEC_FREE(&s.cies);
	if (x->v.n)
		qsort(x->v.v, x->v.n, sizeof(*x->v.v), by_begin);
}

struct extents *extents_read(int fd)
{
	struct extents *x = xcalloc(1, sizeof(*x));
	Elf *elf = fd < 0 ? NULL : elf_open_fd(fd);

	if (elf && elf_kind(elf) == ELF_K_ELF)
		read_section(x, elf);
	elf_end(elf);
	return x;
}

u64 extents_at(const struct extents *x, u64 addr, u64 *begin, bool *catches)
{
	u32 i = BISECT(k, x->v.n, x->v.v[k].begin > addr);
	const struct extent *e = i ? &x->v.v[i - 1] : NULL;

	if (!e || addr - e->begin >= e->size)
		return 0;
	*begin = e->begin;
	*catches = e->catches;
	return e->size;
}

void extents_free(struct extents *x)
{
	if (x)
		VEC_FREE(&x->v);
	free(x);
}

u32 code_reach(const u8 *code, size_t len)
{
	u64 far = 0, to;

	for (u32 at = 0, n; at < len; at += n) {
		n = arch_insn_len(code + at, len - at);
		if (!n)
			return 0;
		if (arch_insn_jumps(code + at, n, at, &to) && to < len)
			far = MAX(far, to);
		if ((arch_insn_ends(code + at) || arch_insn_stops(code + at, n)) && at + n > far)
			return at + n;
	}
	return 0;
}
