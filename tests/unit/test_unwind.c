/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_unwind.c - the tables for unwinding, row by row beside what libdw says of the same places.
 *
 * Both descriptions are evaluated with invented registers and an invented memory, so that it does
 * not matter how they are written.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include "runtime/code/cfi.h"
#include "runtime/code/names.h"

#define VDSO_BYTES 8192                  /* its two pages, on every supported kernel */

/* ---- an invented machine ---------------------------------------------------------------- */

static u64 reg_value(u64 n)
{
	return (n + 1) * 0x100000;
}

static u64 word_at(u64 addr)
{
	return addr * 0x9e3779b97f4a7c15ull;
}

static u64 pc_now;

/* Pops into *out; false: an operation that the evaluator does not know. */
static bool evaluate(const Dwarf_Op *ops, size_t n, u64 cfa, u64 *out)
{
	u64 stack[16];
	u32 top = 0;

	for (size_t i = 0; i < n; i++) {
		const Dwarf_Op *o = &ops[i];
		u64 v = 0;

		if (top >= 15)
			return false;
		if (o->atom >= DW_OP_breg0 && o->atom <= DW_OP_breg31) {
			u32 r = o->atom - DW_OP_breg0;

			v = (r == 16 ? pc_now : reg_value(r)) + o->number;
		} else if (o->atom == DW_OP_regx) {
			v = o->number;
		} else if (o->atom == DW_OP_bregx) {
			v = reg_value(o->number) + o->number2;
		} else if (o->atom >= DW_OP_lit0 && o->atom <= DW_OP_lit31) {
			v = o->atom - DW_OP_lit0;
		} else if (o->atom >= DW_OP_reg0 && o->atom <= DW_OP_reg31) {
			v = o->atom - DW_OP_reg0;        /* is in a register: its number */
		} else if (o->atom == DW_OP_call_frame_cfa) {
			v = cfa;
		} else if (top && o->atom == DW_OP_deref) {
			v = word_at(stack[--top]);
		} else if (top && o->atom == DW_OP_plus_uconst) {
			v = stack[--top] + o->number;
		} else if (top >= 2) {
			u64 b = stack[--top], a = stack[--top];

			switch (o->atom) {
			case DW_OP_and: v = a & b; break;
			case DW_OP_ge:  v = (s64)a >= (s64)b; break;
			case DW_OP_shl: v = a << b; break;
			case DW_OP_plus: v = a + b; break;
			default: return false;
			}
		} else {
			return false;
		}
		stack[top++] = v;
	}
	*out = top ? stack[top - 1] : 0;
	return top;
}

/* ---- both descriptions as places ---------------------------------------------------------- */

struct place { char how; u64 at; };      /* 's'ame, 'u'ndefined, 'm'emory, 'r'egister, '?' */

struct cfi_frame {
	bool end, unknown;
	u64 cfa;
	struct place regs[DTX_UW_REGS];
};

static const u8 numbers[DTX_UW_REGS] = ARCH_DWARF_SAVED;

static bool is_register(const Dwarf_Op *o)
{
	return o->atom == DW_OP_regx || (o->atom >= DW_OP_reg0 && o->atom <= DW_OP_reg31);
}

static void frame_of_libdw(Dwarf_Frame *f, struct cfi_frame *out)
{
	Dwarf_Op *ops, mem[3];
	size_t n;

	memset(out, 0, sizeof(*out));
	out->unknown = dwarf_frame_cfa(f, &ops, &n) || !evaluate(ops, n, 0, &out->cfa);
	for (u32 i = 0; i < DTX_UW_REGS; i++) {
		struct place *p = &out->regs[i];

		if (dwarf_frame_register(f, numbers[i], mem, &ops, &n)) {
			p->how = '?';
			continue;
		}
		if (!n) {
			p->how = ops == mem ? 'u' : 's';
			continue;
		}
		if (n == 2 && ops[0].atom == DW_OP_call_frame_cfa &&
		    ops[1].atom == DW_OP_stack_value) {
			p->how = 's';            /* the value is the CFA: SP */
			continue;
		}
		p->how = n == 1 && is_register(ops) ? 'r' :
			 ops[n - 1].atom == DW_OP_stack_value ? '?' : 'm';
		if (!evaluate(ops, n, out->cfa, &p->at))
			p->how = '?';
	}
	out->end = out->regs[DTX_UW_RA].how == 'u';
}

static void frame_of_rule(const struct dtx_uw_rule *r, struct cfi_frame *out)
{
	u64 at = reg_value(r->reg) + (u64)(s64)r->off;

	memset(out, 0, sizeof(*out));
	out->end = r->kind == DTX_UW_END;
	out->unknown = r->kind == DTX_UW_CANNOT;
	out->cfa = r->kind == DTX_UW_CFA ? at :
		   r->kind == DTX_UW_CFA_AT ? word_at(at) + (u64)(s64)r->off2 :
		   r->kind == DTX_UW_SIGNAL ? word_at(at + ARCH_SIGNAL_SP) :
		   at + ((pc_now & 15) >= (u64)r->off2 ? 8 : 0);
	for (u32 i = 0; i < DTX_UW_REGS; i++) {
		struct place *p = &out->regs[i];
		u32 bit = 1u << i;

		p->how = r->saved & bit ? 'm' : r->based & bit ? 'm' : r->inreg & bit ? 'r' :
			 r->lost & bit ? '?' : 's';
		p->at = (u64)(s64)r->at[i] + (r->saved & bit ? out->cfa :
					      r->based & bit ? reg_value(r->base) : 0);
	}
}

/* ---- comparing ---------------------------------------------------------------------------- */

struct compared {
	const char *path;
	u32 n, differ, unknown, ends, signals, plts;
	u32 contexts;            /* places of __start_context, whose information has no end */
};

static bool same(const struct cfi_frame *a, const struct cfi_frame *b, bool is_signal)
{
	if (a->end || b->end)
		return a->end == b->end;
	if (a->cfa != b->cfa)
		return false;
	for (u32 i = 0; i < DTX_UW_REGS && !is_signal; i++) {
		const struct place *p = &a->regs[i], *q = &b->regs[i];

		/* what no instruction names is unchanged for one, undefined for the other */
		if ((p->how == 's' || p->how == 'u') && (q->how == 's' || q->how == '?'))
			continue;
		if (q->how == '?' && p->how == '?')
			continue;
		if (p->how != q->how || p->at != q->at)
			return false;
	}
	return true;
}

static void compare_at(struct compared *c, Dwarf_CFI *cfi, const struct unwind_table *t, u64 addr,
		       u64 off)
{
	const struct dtx_uw_rule *r = unwind_find(t, off);
	Dwarf_Frame *f = NULL;
	struct cfi_frame a, b;

	if (dwarf_cfi_addrframe(cfi, addr, &f))
		return;                  /* padding, which our rows cover */
	c->n++;
	pc_now = addr;
	frame_of_libdw(f, &a);
	free(f);
	if (!r) {
		c->differ++;
		print_message("%s: %#lx has no row\n", c->path, (long)addr);
		return;
	}
	frame_of_rule(r, &b);
	c->ends += b.end;
	c->signals += r->kind == DTX_UW_SIGNAL;
	c->plts += r->kind == DTX_UW_PLT;
	if (b.unknown) {
		c->unknown++;
		if (getenv("UNWIND_SHOW"))
			print_message("%s: %#lx cannot be unwound\n", c->path, (long)addr);
		return;
	}
	if (b.end && !a.end) {
		c->contexts++;
		return;
	}
	if (same(&a, &b, r->kind == DTX_UW_SIGNAL) || c->differ++ > 5)
		return;
	print_message("%s: %#lx: cfa %#lx, here %#lx, end %d %d\n", c->path, (long)addr,
		      (long)a.cfa, (long)b.cfa, a.end, b.end);
	for (u32 i = 0; i < DTX_UW_REGS; i++)
		print_message("  %u %c %#lx, here %c %#lx\n", i, a.regs[i].how, (long)a.regs[i].at,
			      b.regs[i].how, (long)b.regs[i].at);
}

/* The rows of a page, and the byte before each. */
static void compare_page(struct compared *c, Dwarf_CFI *cfi, const struct unwind_table *t, u64 off,
			 s64 bias, u32 place)
{
	u32 n = t->words[place] >> DTX_UW_ROW_SHIFT;

	compare_at(c, cfi, t, off + bias, off);
	for (u32 i = 1; i <= n; i++) {
		u32 in = t->words[place + i] >> DTX_UW_ROW_SHIFT;

		compare_at(c, cfi, t, off + in - 1 + bias, off + in - 1);
		compare_at(c, cfi, t, off + in + bias, off + in);
	}
	compare_at(c, cfi, t, off + 4095 + bias, off + 4095);
}

/* Address - place of the file for the segment of this page. */
static s64 bias_of(Elf *elf, u64 off)
{
	size_t n;
	GElf_Phdr ph;

	elf_getphdrnum(elf, &n);
	for (size_t i = 0; i < n; i++) {
		gelf_getphdr(elf, (int)i, &ph);
		if (ph.p_type == PT_LOAD && ph.p_flags & PF_X && off + 4095 >= ph.p_offset &&
		    off < ph.p_offset + ph.p_filesz)
			return (s64)(ph.p_vaddr - ph.p_offset);
	}
	fail();
	return 0;
}

static void compare_all(struct compared *c, Elf *elf, const struct unwind_table *t, u32 every)
{
	const struct dtx_uw_head *h = (const void *)t->words;
	Dwarf_CFI *cfi = dwarf_getcfi_elf(elf);

	assert_non_null(cfi);
	for (u32 i = 0; i < h->nranges; i++) {
		const struct dtx_uw_range *g = &h->range[i];

		for (u32 p = 0; p < g->npages; p += every) {
			u64 off = (u64)(g->first + p) << DTX_UW_PAGE_SHIFT;
			u32 place = t->words[g->index + p];

			if (place)
				compare_page(c, cfi, t, off, bias_of(elf, off), place);
		}
	}
	dwarf_cfi_end(cfi);
}

static struct compared compare_file(const char *path, u32 every)
{
	struct compared c = { path };
	const char *why = NULL;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct unwind_table *t;
	Elf *elf;

	if (fd < 0)
		return c;
	t = unwind_read(fd, path, &why);
	if (!t)
		fail_msg("%s: %s", path, why);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	compare_all(&c, elf, t, every);
	elf_end(elf);
	print_message("%s: %u of %u places differ, %u are unknown; %u rows, %u rules, %.2f x\n",
		      path, c.differ, c.n, c.unknown, t->nrows, t->nrules,
		      t->nwords * 4.0 / t->cfi_bytes);
	assert_true((u64)t->nwords * 4 <= t->cfi_bytes);
	unwind_free(t);
	close(fd);
	assert_int_equal(c.differ, 0);
	assert_true(c.n > 100);
	return c;
}

static void test_system_objects(void **state)
{
	static const char *const names[] = { "libstdc++.so.6", "libdw.so.1", "libcrypto.so.3" };
	struct arena *a = arena_new();
	struct compared c = compare_file(sym_library(a, "libc.so.6"), 1);

	(void)state;
	assert_true(c.ends > 0 && c.signals > 0 && c.plts > 0);
	assert_int_equal(c.contexts, 1);
	assert_true(c.unknown * 1000 < c.n);
	for (u32 i = 0; i < ARRAY_SIZE(names); i++) {
		const char *path = sym_library(a, names[i]);

		if (path) {
			c = compare_file(path, 7);
			assert_int_equal(c.contexts, 0);
			assert_true(c.unknown * 1000 < c.n);
		}
	}
	compare_file("/proc/self/exe", 1);
	arena_free(a);
	if (getenv("UNWIND_FILE"))
		compare_file(getenv("UNWIND_FILE"), 1);
}

/* ---- by parts --------------------------------------------------------------------------- */

/* Room that moves each time; `most`: words, after that there is none. */
struct heap { u32 *words, room, most; };

static u32 moves;                /* of all heaps; a small file needs only one room */

static u32 *heap_more(void *arg, u32 words, u32 *room)
{
	struct heap *h = arg;
	u32 *at;

	if (words > h->most)
		return NULL;
	*room = (words + DTX_UW_CHUNK_WORDS - 1) / DTX_UW_CHUNK_WORDS * DTX_UW_CHUNK_WORDS;
	at = calloc(*room, 4);
	if (h->words)
		memcpy(at, h->words, (size_t)h->room * 4);
	free(h->words);
	h->words = at;
	h->room = *room;
	moves++;
	return at;
}

static bool same_rule(const struct dtx_uw_rule *a, const struct dtx_uw_rule *b)
{
	return a == b || (a && b && !memcmp(a, b, sizeof(*a)));
}

/* Every step-th page of a table, in an order that jumps about. */
static u32 make_some(struct unwind_parts *p, const struct unwind_table *whole, u32 step)
{
	const struct dtx_uw_head *h = (const void *)whole->words;
	u32 made = 0;

	for (u32 i = 0; i < h->nranges; i++)
		for (u32 k = 0; k < h->range[i].npages; k += step)
			made += unwind_part(p, h->range[i].first +
						       (k * 7919ull) % h->range[i].npages);
	return made;
}

static u32 rules_that_differ(const struct unwind_table *whole, const struct unwind_table *parts,
			     bool may_lack)
{
	const struct dtx_uw_head *h = (const void *)whole->words;
	u32 n = 0;

	for (u32 i = 0; i < h->nranges; i++) {
		u64 from = (u64)h->range[i].first << DTX_UW_PAGE_SHIFT;
		u64 to = from + ((u64)h->range[i].npages << DTX_UW_PAGE_SHIFT);

		for (u64 off = from; off < to; off++) {
			const struct dtx_uw_rule *r = unwind_find(parts, off);

			n += !(may_lack && !r) && !same_rule(unwind_find(whole, off), r);
		}
	}
	return n;
}

/* A table made by parts says the same as one made at once.  false: the file is small. */
static bool compare_parts(const char *path)
{
	struct heap h = { .most = ~0u };
	const struct unwind_room room = { heap_more, &h, 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct unwind_parts *p = fd < 0 ? NULL : unwind_parts_open(fd, path, &room);
	struct unwind_table *whole, parts = { 0 };
	const char *why = NULL;
	u32 made;

	if (!p) {
		close(fd);
		return false;
	}
	whole = unwind_read(fd, path, &why);
	made = make_some(p, whole, 50);
	parts.words = h.words;
	assert_int_equal(rules_that_differ(whole, &parts, true), 0);
	while (unwind_part_any(p))
		made++;
	parts.words = h.words;
	assert_int_equal(rules_that_differ(whole, &parts, false), 0);
	assert_true(made > 5);
	assert_int_equal(make_some(p, whole, 1), 0);
	unwind_parts_free(p);
	unwind_free(whole);
	free(h.words);
	close(fd);
	return true;
}

static void test_parts(void **state)
{
	static const char *const names[] = { "libc.so.6", "libstdc++.so.6", "libcrypto.so.3" };
	struct arena *a = arena_new();

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(names); i++) {
		const char *path = sym_library(a, names[i]);

		assert_true(!path || compare_parts(path));
	}
	arena_free(a);
	assert_true(compare_parts("/proc/self/exe"));
	assert_true(moves > ARRAY_SIZE(names) + 1);
	if (getenv("UNWIND_FILE"))
		assert_true(compare_parts(getenv("UNWIND_FILE")));
}

static void test_vdso(void **state)
{
	struct compared c = { "vdso" };
	unsigned long base = getauxval(AT_SYSINFO_EHDR);
	const char *why = NULL;
	struct unwind_table *t;
	Elf *elf;

	(void)state;
	if (!base)
		return;
	t = unwind_memory((void *)base, VDSO_BYTES, &why);
	assert_non_null(t);
	elf = elf_memory((void *)base, VDSO_BYTES);
	compare_all(&c, elf, t, 1);
	elf_end(elf);
	unwind_free(t);
	assert_int_equal(c.differ, 0);
	assert_true(c.n > 20);
}

/* Information that is found in memory gives the rules that the object gives; what looks like the
 * begin of it, or describes other code, does no harm. */
static void test_found_in_memory(void **state)
{
	static const u8 like[] = {
		16, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 1, 0x78, 16, 1, 0x1b, 12, 7, 8,
		0xf0, 0xff, 0xff, 0x7f, 24, 0, 0, 0,
	};
	u64 base = getauxval(AT_SYSINFO_EHDR), from = base - sizeof(like), n = 0;
	u8 *copy = xmalloc(sizeof(like) + VDSO_BYTES);
	struct unwind_table *object, *found;
	const char *why = NULL;

	(void)state;
	if (!base) {
		free(copy);
		return;
	}
	memcpy(copy, like, sizeof(like));
	memcpy(copy + sizeof(like), (void *)base, VDSO_BYTES);
	object = unwind_memory((void *)base, VDSO_BYTES, &why);
	found = unwind_bytes(copy, sizeof(like) + VDSO_BYTES, from, base, base + VDSO_BYTES, &why);
	assert_non_null(object);
	assert_non_null(found);
	for (u64 off = 0; off < VDSO_BYTES; off++) {
		const struct dtx_uw_rule *a = unwind_find(object, off);
		const struct dtx_uw_rule *b = unwind_find(found, off);

		assert_true(!b || (a && !memcmp(a, b, sizeof(*a))));
		n += !!b;                        /* the object has rules of its code, too */
	}
	assert_true(n > 500);
	unwind_free(found);
	unwind_free(object);
	found = unwind_bytes(copy, sizeof(like) + VDSO_BYTES, from + (1ull << 32), base,
			     base + VDSO_BYTES, &why);
	assert_null(found);
	assert_string_equal(why, "no call frame information in its memory");
	free(copy);
}

/* ---- rules out of instructions ------------------------------------------------------------ */

struct flowing {
	const struct unwind_table *told;         /* by the file's own information */
	u64 delta;                               /* address - offset in the file */
	u64 at;
	struct dtx_uw_rule now;
	u64 same, other, differ;                 /* bytes; other: by another register, or no rule */
};

static void flow_compare(struct flowing *f, u64 to)
{
	for (u64 at = f->at; at < to; at++) {
		const struct dtx_uw_rule *r = unwind_find(f->told, at - f->delta);

		if (!r || r->kind != DTX_UW_CFA || f->now.kind != DTX_UW_CFA ||
		    r->reg != f->now.reg)
			f->other++;
		else if (r->off == f->now.off)
			f->same++;
		else {
			f->differ++;
			if (getenv("UNWIND_SHOW"))
				printf("%llx: %d(%u), told %d\n", (unsigned long long)at,
				       f->now.off, r->reg, r->off);
		}
	}
}

static void flow_row(void *arg, u64 addr, const struct dtx_uw_rule *rule)
{
	struct flowing *f = arg;

	if (f->at)
		flow_compare(f, addr);
	f->at = addr;
	f->now = *rule;
}

static u64 file_off(Elf *elf, u64 addr)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_addr == addr && sh.sh_size)
			return sh.sh_offset;
	return 0;
}

/* Rules made from the instructions alone, beside the information that the compiler wrote. */
static void flow_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	const char *why = NULL;
	const struct codeflow_known known = { 0 };
	struct flowing f = { 0 };
	u64 addr = 0;
	const Elf_Data *text = elf_section(elf, ".text", &addr);
	struct unwind_table *told = unwind_read(fd, NULL, &why);

	assert_non_null(text);
	assert_non_null(told);
	f.told = told;
	f.delta = addr - file_off(elf, addr);
	codeflow_rules(text->d_buf, addr, (u32)text->d_size, &known, flow_row, &f);
	printf("%s: %llu bytes the same, %llu differ, %llu other\n", path,
	       (unsigned long long)f.same, (unsigned long long)f.differ,
	       (unsigned long long)f.other);
	assert_true(f.same > 1000);
	assert_true(f.differ * 2000 < f.same);
	unwind_free(told);
	elf_end(elf);
	close(fd);
}

static void test_flow(void **state)
{
	struct arena *a = arena_new();

	(void)state;
	flow_file(sym_library(a, "libc.so.6"));
	flow_file("/proc/self/exe");
	arena_free(a);
	if (getenv("UNWIND_FILE"))
		flow_file(getenv("UNWIND_FILE"));
}

/* What is no object, or has no information, says so. */
static void test_without(void **state)
{
	const char *why = NULL;
	int fd = open("/etc/passwd", O_RDONLY | O_CLOEXEC);

	(void)state;
	assert_null(unwind_read(fd, NULL, &why));
	assert_string_equal(why, "not a program or library of this machine");
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_system_objects),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_vdso),
		cmocka_unit_test(test_found_in_memory),
		cmocka_unit_test(test_flow),
		cmocka_unit_test(test_without),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
