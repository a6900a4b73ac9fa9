/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pclntab.c - the functions of a Go program as its own runtime knows them: .gopclntab, which
 * stripped programs have, too.  Names, and the size of the frame at each instruction.
 *
 * Formats of Go 1.16, 1.18 and 1.20 (src/internal/abi/symtab.go, src/runtime/symtab.go).  All of it
 * is somebody else's file: nothing in it is trusted.
 */
#include <gelf.h>

#include "runtime/code/cfi.h"

#define GO_116  0xfffffffau
#define GO_118  0xfffffff0u
#define GO_120  0xfffffff1u

struct gotab {
	const u8 *data;
	u64 len, text;                   /* text: address that offsets count from */
	u64 n, names, pctab, funcs;      /* places of the parts */
	bool old;                        /* 1.16: addresses, not offsets */
};

/* ---- reading --------------------------------------------------------------------------------- */

static u64 word(const struct gotab *t, u64 at, u32 size)
{
	u64 v = 0;

	if (at < t->len && size <= t->len - at)
		memcpy(&v, t->data + at, size);
	return v;
}

static const char *name_at(const struct gotab *t, u64 at)
{
	const char *name = (const char *)t->data + at;

	return at < t->len && memchr(name, 0, t->len - at) ? name : NULL;
}

static const Elf_Data *find_tab(Elf *elf, u64 *addr)
{
	static const char *const names[] = { ".gopclntab", ".data.rel.ro.gopclntab" };
	const Elf_Data *d = NULL;

	for (u32 i = 0; i < ARRAY_SIZE(names) && !d; i++)
		d = elf_section(elf, names[i], addr);
	return d && d->d_buf && d->d_size > 72 ? d : NULL;
}

/* What the linker of a position-independent program writes at this address when it starts. */
static u64 relocated(Elf *elf, u64 addr)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	GElf_Rela r;

	while ((scn = elf_nextscn(elf, scn))) {
		Elf_Data *d = gelf_getshdr(scn, &sh) && sh.sh_type == SHT_RELA && sh.sh_entsize ?
			      elf_data(scn) : NULL;

		for (size_t i = 0; d && i < sh.sh_size / sh.sh_entsize; i++)
			if (gelf_getrela(d, (int)i, &r) && r.r_offset == addr)
				return (u64)r.r_addend;
	}
	return 0;
}

/* Programs that a C linker has put together have other code at the begin of .text. */
static u64 text_begin(Elf *elf, u64 header, u64 at)
{
	u64 init, text = 0, moved = header ? header : relocated(elf, at);

	if (moved || elf_section(elf, ".init", &init))
		return moved;
	return elf_section(elf, ".text", &text) ? text : 0;
}

static bool open_tab(Elf *elf, struct gotab *t)
{
	u64 addr = 0;
	const Elf_Data *d = find_tab(elf, &addr);
	u32 magic, next;

	*t = (struct gotab){ 0 };
	if (!d)
		return false;
	t->data = d->d_buf;
	t->len = d->d_size;
	magic = (u32)word(t, 0, 4);
	t->old = magic == GO_116;
	if ((!t->old && magic != GO_118 && magic != GO_120) || t->data[7] != 8)
		return false;
	next = t->old ? 24 : 32;
	t->n = word(t, 8, 8);
	t->names = word(t, next, 8);
	t->pctab = word(t, next + 24, 8);
	t->funcs = word(t, next + 32, 8);
	t->text = t->old ? 0 : text_begin(elf, word(t, 24, 8), addr + 24);
	return (t->old || t->text) && t->n < t->len / 8 && t->funcs < t->len;
}

static void read_func(const struct gotab *t, u64 i, struct gofunc *f)
{
	u32 size = t->old ? 8 : 4;
	u64 row = t->funcs + i * 2 * size, at = t->funcs + word(t, row + size, size);

	f->begin = t->text + word(t, row, size);
	f->end = t->text + word(t, row + 2ull * size, size);
	f->name = name_at(t, t->names + word(t, at + size, 4));
	at = t->pctab + word(t, at + size + 12, 4);
	f->sp = (struct cfi_bytes){ t->data + MIN(at, t->len), t->data + t->len, false };
}

bool gotab_each(Elf *elf, void (*found)(void *arg, const struct gofunc *), void *arg)
{
	struct gotab t;
	struct gofunc f;

	if (!open_tab(elf, &t))
		return false;
	for (u64 i = 0; i < t.n; i++) {
		read_func(&t, i, &f);
		if (f.end > f.begin && f.name)
			found(arg, &f);
	}
	return true;
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* Pairs: the change of the value (zigzag), which holds for so many bytes; a change of 0 ends it. */
void gotab_frames(const struct cfi_fde *f,
		  void (*row)(void *arg, u64 addr, const struct dtx_uw_rule *), void *arg)
{
	struct cfi_bytes b = f->prog;
	struct dtx_uw_rule r = {
		.kind = DTX_UW_CFA, .reg = ARCH_DWARF_SP, .saved = 1u << DTX_UW_RA,
		.at = { [DTX_UW_RA] = -8 },
	};
	s64 value = -1;

	for (u64 at = f->begin; at < f->end && !b.bad;) {
		u64 change = cfi_uleb(&b), bytes = cfi_uleb(&b);

		if ((!change && at != f->begin) || !bytes)
			break;
		value += (s64)(change >> 1) ^ -(s64)(change & 1);
		r.kind = value >= 0 && value < 1 << 28 ? DTX_UW_CFA : DTX_UW_NONE;
		r.off = (s32)value + 8;
		row(arg, at, &r);
		at += bytes;
	}
}
