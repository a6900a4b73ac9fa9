/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cfi.c - reads the entries of .eh_frame and .debug_frame.
 */
#include <string.h>

#include <dwarf.h>

#include "runtime/code/cfi.h"

#define CIES_MOST 65536                  /* cc1plus has 20; they are large in memory */
#define CIES_SOME 1024                   /* of a table made by parts */

/* ---- numbers ------------------------------------------------------------------------ */

u64 cfi_uint(struct cfi_bytes *b, u32 size)
{
	u64 v = 0;

	if ((size_t)(b->end - b->at) < size) {
		b->bad = true;
		b->at = b->end;
		return 0;
	}
	for (u32 i = 0; i < size; i++)
		v |= (u64)b->at[i] << (8 * i);
	b->at += size;
	return v;
}

static u64 leb(struct cfi_bytes *b, bool is_signed)
{
	u64 v = 0;

	for (u32 shift = 0;; shift += 7) {
		u8 byte = cfi_byte(b);

		if (shift < 64)
			v |= (u64)(byte & 0x7f) << shift;
		if (byte & 0x80)
			continue;
		if (is_signed && (byte & 0x40) && shift + 7 < 64)
			v |= ~0ull << (shift + 7);
		return v;
	}
}

u64 cfi_uleb(struct cfi_bytes *b)
{
	return leb(b, false);
}

s64 cfi_sleb(struct cfi_bytes *b)
{
	return (s64)leb(b, true);
}

struct cfi_bytes cfi_block(struct cfi_bytes *b)
{
	struct cfi_bytes in = { 0 };
	u64 len = cfi_uleb(b);

	if (len > (u64)(b->end - b->at)) {
		b->bad = true;
		len = 0;
	}
	in.at = b->at;
	in.end = in.at + len;
	b->at = in.end;
	return in;
}

u64 cfi_pointer(struct cfi_bytes *b, u8 encoding, u64 addr)
{
	u64 v;

	switch (encoding & 0x0f) {
	case DW_EH_PE_absptr:
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		v = cfi_uint(b, 8);
		break;
	case DW_EH_PE_udata4:
		v = cfi_uint(b, 4);
		break;
	case DW_EH_PE_sdata4:
		v = (u64)(s64)(s32)cfi_uint(b, 4);
		break;
	case DW_EH_PE_udata2:
		v = cfi_uint(b, 2);
		break;
	case DW_EH_PE_sdata2:
		v = (u64)(s64)(s16)cfi_uint(b, 2);
		break;
	case DW_EH_PE_uleb128:
		v = cfi_uleb(b);
		break;
	case DW_EH_PE_sleb128:
		v = (u64)cfi_sleb(b);
		break;
	default:
		b->bad = true;
		return 0;
	}
	switch (encoding & 0xf0) {
	case DW_EH_PE_absptr:
		return v;
	case DW_EH_PE_pcrel:
		return v + addr;
	default:                         /* relative to other sections: no compiler writes it */
		b->bad = true;
		return 0;
	}
}

/* ---- entries -------------------------------------------------------------------------- */

/* One entry: its body after the length, and where its id is. */
struct entry {
	struct cfi_bytes body;
	size_t off, id_off;
	u64 id;
};

/* false: the end. */
static bool next_entry(const struct cfi_section *s, size_t *at, struct entry *e)
{
	struct cfi_bytes b = { s->data + *at, s->data + s->len };
	u32 size = 4;
	u64 len = cfi_uint(&b, 4);

	if (len == 0xffffffff) {         /* the 64-bit format of DWARF */
		size = 8;
		len = cfi_uint(&b, 8);
	}
	if (b.bad || !len || len > (u64)(b.end - b.at))
		return false;
	e->off = *at;
	e->id_off = b.at - s->data;
	e->body = (struct cfi_bytes){ b.at, b.at + len };
	e->id = cfi_uint(&e->body, size);
	if (s->is_debug && size == 4 && e->id == 0xffffffff)
		e->id = ~0ull;
	*at = e->id_off + len;
	return true;
}

static bool is_cie(const struct cfi_section *s, const struct entry *e)
{
	return e->id == (s->is_debug ? ~0ull : 0);
}

static const char *cfi_text(struct cfi_bytes *b)
{
	const u8 *nul = memchr(b->at, 0, b->end - b->at), *at = b->at;

	if (!nul) {
		b->bad = true;
		return "";
	}
	b->at = nul + 1;
	return (const char *)at;
}

/* The letters of an augmentation that begins with z say what its data has, in this order. */
static void read_augmentation(const struct cfi_section *s, struct cfi_cie *c, const char *letters,
			      struct cfi_bytes data)
{
	for (; *letters && !data.bad; letters++) {
		u64 addr;
		u8 encoding;

		switch (*letters) {
		case 'R':
			c->encoding = cfi_byte(&data);
			break;
		case 'P':                /* the routine that handles exceptions */
			encoding = cfi_byte(&data);
			addr = s->addr + (data.at - s->data);
			cfi_pointer(&data, encoding & ~DW_EH_PE_indirect, addr);
			break;
		case 'L':
			c->catches = cfi_byte(&data) != DW_EH_PE_omit;
			break;
		case 'S':
		case 'B':
			break;
		default:                 /* what follows is not known, and not needed */
			return;
		}
	}
}

static void read_cie(const struct cfi_section *s, const struct entry *e, struct cfi_cie *c)
{
	struct cfi_bytes b = e->body;
	u8 version = cfi_byte(&b);
	const char *letters = cfi_text(&b);

	*c = (struct cfi_cie){ .off = e->off, .encoding = DW_EH_PE_absptr };
	if (s->is_debug && version >= 4) {
		u64 address_size = cfi_byte(&b);

		b.bad |= address_size != 8 || cfi_byte(&b);   /* segments */
	}
	c->code_align = cfi_uleb(&b);
	c->data_align = cfi_sleb(&b);
	c->ra = version == 1 ? cfi_byte(&b) : cfi_uleb(&b);
	c->sized = *letters == 'z';
	if (c->sized)
		read_augmentation(s, c, letters + 1, cfi_block(&b));
	c->usable = !b.bad && (c->sized || !*letters) && version <= 5 && cfi_begin(c, b);
}

static const struct cfi_cie *cie_of(const struct cfi_section *s, const struct entry *e)
{
	u64 off = s->is_debug ? e->id : e->id_off - e->id;
	u32 lo = BISECT(i, s->cies.n, s->cies.v[i].off >= off);

	return lo < s->cies.n && s->cies.v[lo].off == off && s->cies.v[lo].usable ?
	       &s->cies.v[lo] : NULL;
}

static bool read_fde(const struct cfi_section *s, const struct entry *e, struct cfi_fde *f)
{
	struct cfi_bytes b = e->body;
	u64 len;

	f->cie = cie_of(s, e);
	if (!f->cie)
		return false;
	f->begin = cfi_pointer(&b, f->cie->encoding, s->addr + (b.at - s->data));
	len = cfi_pointer(&b, f->cie->encoding & 0x0f, 0);
	if (f->cie->sized)
		cfi_block(&b);
	f->end = f->begin + len;
	f->prog = b;
	return !b.bad && f->end > f->begin;
}

/* The CIE of an entry is added, if it is not there. */
static bool add_cie(struct cfi_section *s, const struct entry *fde)
{
	size_t at = fde->id_off - fde->id;
	u32 lo = BISECT(i, s->cies.n, s->cies.v[i].off >= at);
	struct cfi_cie c;
	struct entry e;

	if (lo < s->cies.n && s->cies.v[lo].off == at)
		return true;
	if (at >= s->len || s->cies.n == CIES_SOME || !next_entry(s, &at, &e) || !is_cie(s, &e))
		return false;
	read_cie(s, &e, &c);
	VEC_PUSH(&s->cies, c);
	for (u32 i = s->cies.n - 1; i > lo; i--)
		s->cies.v[i] = s->cies.v[i - 1];
	s->cies.v[lo] = c;
	return true;
}

bool cfi_read_at(struct cfi_section *s, size_t at, struct cfi_fde *f)
{
	struct entry e;

	return at < s->len && next_entry(s, &at, &e) && !is_cie(s, &e) && !s->is_debug &&
	       add_cie(s, &e) && read_fde(s, &e, f);
}

size_t cfi_read(struct cfi_section *s, cfi_fdes *fdes)
{
	size_t at = 0;
	struct entry e;
	struct cfi_fde f;
	struct cfi_cie c;

	for (size_t cie = 0; next_entry(s, &cie, &e) && s->cies.n < CIES_MOST;) {
		if (!is_cie(s, &e))
			continue;
		read_cie(s, &e, &c);
		VEC_PUSH(&s->cies, c);
	}
	while (next_entry(s, &at, &e)) {
		if (!is_cie(s, &e) && read_fde(s, &e, &f))
			VEC_PUSH(fdes, f);
	}
	return at;
}
