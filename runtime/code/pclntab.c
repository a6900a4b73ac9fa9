/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pclntab.c - the functions of a Go program as its own runtime knows them: .gopclntab, which
 * stripped programs have, too.  Names, and the size of the frame, file and line of each
 * instruction.
 *
 * Formats of Go 1.2, 1.16, 1.18 and 1.20 (src/debug/gosym/pclntab.go, src/runtime/symtab.go).  All
 * of it is somebody else's file: nothing in it is trusted.
 */
#include <gelf.h>

#include "runtime/code/cfi.h"
#include "runtime/code/safe/budget.h"

#define GO_12   0xfffffffbu
#define GO_116  0xfffffffau
#define GO_118  0xfffffff0u
#define GO_120  0xfffffff1u
#define NAME_MOST 65536u         /* bytes of a name */

struct gotab {
	const u8 *data;
	u64 len, text;                   /* text: address that offsets count from */
	u64 n, names, pctab, funcs;      /* places of the parts */
	u64 places;                      /* that those of functions count from */
	u64 units, files;                /* places of the numbers of files, and of their names */
	bool old;                        /* before 1.18: addresses, not offsets */
	bool plain;                      /* before 1.16: all counts from the begin */
};

/* ---- reading --------------------------------------------------------------------------------- */

static u64 go_word(const struct gotab *t, u64 at, u32 size)
{
	u64 v = 0;

	if (at < t->len && size <= t->len - at)
		memcpy(&v, t->data + at, size);
	return v;
}

static const char *name_at(const struct gotab *t, u64 at)
{
	const char *name = (const char *)t->data + at;
	u64 most = NAME_MOST;

	return at < t->len ? budget_name(name, t->len - at, &most) : NULL;
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
	magic = (u32)go_word(t, 0, 4);
	t->plain = magic == GO_12;
	t->old = t->plain || magic == GO_116;
	if ((!t->old && magic != GO_118 && magic != GO_120) || t->data[6] != ARCH_GO_QUANTUM ||
	    t->data[7] != 8)
		return false;
	next = t->old ? 24 : 32;
	t->n = go_word(t, 8, 8);
	if (t->n >= t->len / 8)
		return false;
	if (t->plain) {
		t->funcs = 16;
		t->units = go_word(t, t->funcs + t->n * 16 + 8, 4);
		return true;
	}
	t->names = go_word(t, next, 8);
	t->units = go_word(t, next + 8, 8);
	t->files = go_word(t, next + 16, 8);
	t->pctab = go_word(t, next + 24, 8);
	t->places = t->funcs = go_word(t, next + 32, 8);
	t->text = t->old ? 0 : text_begin(elf, go_word(t, 24, 8), addr + 24);
	return (t->old || t->text) && t->funcs < t->len;
}

bool gotab_is(Elf *elf)
{
	struct gotab t;

	return open_tab(elf, &t);
}

u64 gotab_bytes(Elf *elf)
{
	const Elf_Data *d = find_tab(elf, NULL);

	return d ? d->d_size : 0;
}

static struct cfi_bytes values_at(const struct gotab *t, u64 place)
{
	u64 at = t->pctab + go_word(t, place, 4);

	return (struct cfi_bytes){ t->data + MIN(at, t->len), t->data + t->len, false };
}

static void read_func(const struct gotab *t, u64 i, struct gofunc *f)
{
	u32 size = t->old ? 8 : 4;
	u64 row = t->funcs + i * 2 * size, at = t->places + go_word(t, row + size, size);

	f->begin = t->text + go_word(t, row, size);
	f->end = t->text + go_word(t, row + 2ull * size, size);
	f->name = name_at(t, t->names + go_word(t, at + size, 4));
	f->sp = values_at(t, at + size + 12);
	f->files = values_at(t, at + size + 16);
	f->lines = values_at(t, at + size + 20);
	f->unit = t->plain ? 0 : go_word(t, at + size + 28, 4);
}

bool gotab_each(Elf *elf, void (*found)(void *arg, const struct gofunc *), void *arg)
{
	struct gotab t;
	struct gofunc f;
	u64 left;

	if (!open_tab(elf, &t))
		return false;
	left = t.len;
	for (u64 i = 0; i < t.n && left; i++) {
		read_func(&t, i, &f);
		f.name = f.name ? budget_name(f.name, NAME_MOST, &left) : NULL;
		if (f.end > f.begin && f.name)
			found(arg, &f);
	}
	if (!left)
		budget_refuse("a table of functions of Go whose names are the same bytes");
	return true;
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* Pairs: the change of the value (zigzag), which holds for so many units of code; a change of 0
 * ends it. */
void gotab_frames(const struct cfi_fde *f,
		  void (*row)(void *arg, u64 addr, const struct dtx_uw_rule *), void *arg)
{
	struct cfi_bytes b = f->prog;
	struct dtx_uw_rule r;
	s64 value = -1;

	for (u64 at = f->begin; at < f->end && !b.bad;) {
		u64 change = cfi_uleb(&b), bytes = cfi_uleb(&b) * ARCH_GO_QUANTUM;

		if ((!change && at != f->begin) || !bytes)
			break;
		value += (s64)(change >> 1) ^ -(s64)(change & 1);
		arch_go_rule(value, &r);
		if (value < 0 || value >= 1 << 28)
			r.kind = DTX_UW_NONE;
		row(arg, at, &r);
		at += bytes;
	}
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* One of these lists of values, at some place in the function. */
struct values {
	struct cfi_bytes b;
	s64 value;
	u64 end;                 /* of the code that has the value */
};

/* The value at `at`, where the code of the one before ends.  false: there is none. */
static bool value_next(struct values *v, u64 at, u64 begin)
{
	u64 change, bytes;

	if (v->end > at)
		return true;
	change = cfi_uleb(&v->b);
	bytes = cfi_uleb(&v->b) * ARCH_GO_QUANTUM;
	if (v->b.bad || (!change && at != begin) || !bytes)
		return false;
	v->value += (s64)(change >> 1) ^ -(s64)(change & 1);
	v->end = at + bytes;
	return true;
}

static const char *file_name(const struct gotab *t, u64 unit, s64 number)
{
	u64 at = number < 0 ? ~0ull : t->units + (unit + (u64)number) * 4, off;

	if (at >= t->len)
		return NULL;
	off = go_word(t, at, 4);
	return off == 0xffffffff ? NULL : name_at(t, t->files + off);
}

static void each_line(const struct gotab *t, const struct gofunc *f,
		      void (*found)(void *arg, const struct goline *), void *arg)
{
	struct values file = { f->files, -1, f->begin }, line = { f->lines, -1, f->begin };
	struct goline l = { .func = f->name, .begin = f->begin };

	for (u64 at = f->begin; at < f->end; at = MIN(file.end, line.end)) {
		if (!value_next(&file, at, f->begin) || !value_next(&line, at, f->begin))
			return;
		l.addr = at;
		l.end = MIN(MIN(file.end, line.end), f->end);
		l.file = file_name(t, f->unit, file.value);
		l.line = line.value > 0 ? (u32)line.value : 0;
		if (l.file && l.line)
			found(arg, &l);
	}
}

void gotab_lines(Elf *elf, u64 addr, void (*found)(void *arg, const struct goline *), void *arg)
{
	struct gotab t;
	struct gofunc f;
	u64 i = 0;

	if (!open_tab(elf, &t))
		return;
	if (addr) {
		for (u64 n = t.n; i < n;) {      /* the last function that begins at or before it */
			u64 mid = i + (n - i) / 2;

			read_func(&t, mid, &f);
			if (f.end <= addr)
				i = mid + 1;
			else
				n = mid;
		}
		t.n = MIN(t.n, i + 1);
	}
	for (; i < t.n; i++) {
		read_func(&t, i, &f);
		if (f.end > f.begin && f.name)
			each_line(&t, &f, found, arg);
	}
}
