/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arch_aarch64.c - base/arch/aarch64, compiled for the machine that runs the tests: instructions,
 * operands, rules for stacks; places of arguments: arch_aarch64_calls.c.
 * tests/e2e/robust/architecture.sh asks an assembler for the words of the rows below, and a
 * disassembler what a whole library says.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <setjmp.h>
#include <cmocka.h>

#include <dtx/tables/loc.h>
#include <dtx/type.h>

#include "runtime/code/cfi.h"
#include "runtime/code/safe/budget.h"
#include "runtime/code/tables.h"

#define AT 0x10000                       /* the address of each instruction */

static u32 put(u8 *code, u32 word)
{
	memcpy(code, &word, sizeof(word));
	return sizeof(word);
}

/* ---- where execution goes ---------------------------------------------------------------- */

static const struct {
	const char *text;
	u32 word;
	enum arch_flow flow;
	u64 to;
	u32 cond;
	bool unprobed;
	int exclusive;
} flows[] = {
	{ "ret", 0xd65f03c0, ARCH_RETURN },
	{ "ret x5", 0xd65f00a0, ARCH_RETURN },
	{ "retaa", 0xd65f0bff, ARCH_RETURN, .unprobed = true },
	{ "b .+0x100", 0x14000040, ARCH_JUMP, AT + 0x100 },
	{ "bl .-0x100", 0x97ffffc0, ARCH_CALL, AT - 0x100 },
	{ "b.ne .+8", 0x54000041, ARCH_BRANCH, AT + 8, 1 },
	{ "b.al .+8", 0x5400004e, ARCH_JUMP, AT + 8, 14 },
	{ "cbz x3, .+16", 0xb4000083, ARCH_BRANCH, AT + 16, ARCH_COND_ZERO + 4 * 3 + 2 },
	{ "cbnz w4, .-16", 0x35ffff84, ARCH_BRANCH, AT - 16, ARCH_COND_ZERO + 4 * 4 + 1 },
	{ "tbz x1, #33, .+8", 0xb6080041, ARCH_BRANCH, AT + 8 },
	{ "br x16", 0xd61f0200, ARCH_INDIRECT },
	{ "blr x8", 0xd63f0100, ARCH_CALL },
	{ "braa x1, x2", 0xd71f0822, ARCH_INDIRECT, .unprobed = true },
	{ "blraaz x1", 0xd63f083f, ARCH_CALL, .unprobed = true },
	{ "eret", 0xd69f03e0, ARCH_ODD, .unprobed = true },
	{ "svc #0", 0xd4000001, ARCH_NEXT, .unprobed = true },
	{ "brk #0x3e8", 0xd4207d00, ARCH_STOP, .unprobed = true },
	{ "hlt #1", 0xd4400020, ARCH_STOP, .unprobed = true },
	{ "udf #0", 0x00000000, ARCH_ODD, .unprobed = true },
	{ "nop", 0xd503201f, ARCH_NEXT },
	{ "paciasp", 0xd503233f, ARCH_NEXT },
	{ "autiasp", 0xd50323bf, ARCH_NEXT, .unprobed = true },
	{ "bti c", 0xd503245f, ARCH_NEXT },
	{ "bti j", 0xd503249f, ARCH_NEXT },
	{ "adr x1, .+0x14", 0x100000a1, ARCH_NEXT },
	{ "ldr x2, .+0x20", 0x58000102, ARCH_NEXT, .unprobed = true },
	{ "ldrsw x2, .+0x20", 0x98000102, ARCH_NEXT, .unprobed = true },
	{ "ldr d0, .+0x20", 0x5c000100, ARCH_NEXT, .unprobed = true },
	{ "ldr q1, .+0x20", 0x9c000101, ARCH_NEXT, .unprobed = true },
	{ "cpyfp [x0]!, [x1]!, x2!", 0x19010440, ARCH_NEXT, .unprobed = true },
	{ "setm [x0]!, x2!, x1", 0x19c14440, ARCH_NEXT, .unprobed = true },
	{ "mov w0, #0x1234", 0x52824680, ARCH_NEXT },
	{ "ldxr x0, [x1]", 0xc85f7c20, ARCH_NEXT, .unprobed = true,
	  .exclusive = ARCH_EXCLUSIVE_LOAD },
	{ "ldaxp w0, w1, [x2]", 0x887f8440, ARCH_NEXT, .unprobed = true,
	  .exclusive = ARCH_EXCLUSIVE_LOAD },
	{ "stlxrb w2, w1, [x0]", 0x0802fc01, ARCH_NEXT, .unprobed = true,
	  .exclusive = ARCH_EXCLUSIVE_STORE },
	{ "caspa w0, w1, w2, w3, [x4]", 0x08607c82, ARCH_NEXT, .unprobed = true },
	{ "cas w0, w1, [x2]", 0x88a07c41, ARCH_NEXT },
	{ "ldar x0, [x1]", 0xc8dffc20, ARCH_NEXT },
	{ "stlrb w0, [x1]", 0x089ffc20, ARCH_NEXT },
	{ "mrs x0, tpidr_el0", 0xd53bd040, ARCH_NEXT },
	{ "msr nzcv, x0", 0xd51b4200, ARCH_NEXT, .unprobed = true },
};

static void test_flow(void **state)
{
	u32 bad = 0;

	for (u32 i = 0; i < ARRAY_SIZE(flows); i++) {
		struct arch_insn in;
		u8 code[4];

		put(code, flows[i].word);
		assert_int_equal(arch_insn_read(code, 4, AT, &in), 4);
		if (in.flow == flows[i].flow && in.to == flows[i].to && in.cond == flows[i].cond &&
		    in.probed == !flows[i].unprobed && (int)in.exclusive == flows[i].exclusive)
			continue;
		print_message("%s: flow %d to %#lx cond %u probed %d\n", flows[i].text, in.flow,
			      (long)in.to, in.cond, in.probed);
		bad++;
	}
	assert_int_equal(bad, 0);
	assert_int_equal(arch_insn_len((const u8 *)"abc", 3), 0);
}

/* Addresses in the code, a register to jump to, what begins functions. */
static void test_addresses(void **state)
{
	struct arch_insn in;
	u8 code[12];
	u64 slot;

	put(code, 0xd0000000);                   /* adrp x0, two pages on */
	arch_insn_read(code, 4, 0x12345678, &in);
	assert_int_equal(in.data, 0x12347000);
	assert_true(in.is_address && in.is_unclear);
	put(code + 4, 0xf100043f);               /* cmp x1, #1 */
	put(code + 8, 0x911b0001);               /* add x1, x0, #0x6c0 */
	arch_insn_read(code, 12, 0x12345678, &in);
	assert_int_equal(in.data, 0x123476c0);
	assert_true(in.is_address && !in.is_unclear);
	put(code + 4, 0xf9400000);               /* ldr x0, [x0]: another value */
	arch_insn_read(code, 12, 0x12345678, &in);
	assert_true(in.is_unclear);
	put(code, 0x100000a1);                   /* adr x1, .+0x14 */
	arch_insn_read(code, 4, AT, &in);
	assert_int_equal(in.data, AT + 0x14);
	assert_false(in.is_code);
	put(code, 0x1000009e);                   /* adr x30, .+0x10: to return to */
	put(code + 4, 0xf900d41e);               /* str x30, [x0, #424] */
	arch_insn_read(code, 8, AT, &in);
	assert_true(in.is_address && in.is_code);
	put(code + 8, 0xf94003c1);               /* ldr x1, [x30]: it is data */
	arch_insn_read(code, 12, AT, &in);
	assert_false(in.is_code);
	/* The base of a switch is code: adr x0, .+12; add x1, x0, w1, sxtb #2; br x1 */
	put(code, 0x10000060);
	put(code + 4, 0x8b218801);
	put(code + 8, 0xd61f0020);
	arch_insn_read(code, 12, AT, &in);
	assert_false(in.is_address);
	put(code + 8, 0xd61f0200);               /* br x16: of something else */
	arch_insn_read(code, 12, AT, &in);
	assert_true(in.is_address);
	put(code, 0xd2a00043);                   /* movz x3, #2, lsl #16 */
	arch_insn_read(code, 4, AT, &in);
	assert_int_equal(in.number, 0x20000);
	put(code, 0xd61f0200);
	arch_insn_read(code, 4, AT, &in);
	assert_int_equal(in.reg, 16);
	assert_int_equal(in.index, ARCH_NO_WORD);
	put(code, 0xd503245f);
	assert_true(arch_insn_marks_entry(code));
	put(code, 0xd503249f);                   /* bti j: for jumps in a function */
	assert_false(arch_insn_marks_entry(code));

	/* A stub: bti c; adrp x16, 0x20000; ldr x17, [x16, #24] */
	put(code, 0xd503245f);
	put(code + 4, 0x90000090);
	put(code + 8, 0xf9400e11);
	assert_true(arch_plt_slot(code, 12, AT, &slot));
	assert_int_equal(slot, 0x20018);
	assert_true(arch_plt_slot(code + 4, 8, AT + 4, &slot));
	assert_false(arch_plt_slot(code + 8, 4, AT, &slot));
}

/* What the kernel does itself at a probe, and what is passed to get there. */
static void test_past(void **state)
{
	static const struct { u32 words[2], past; } rows[] = {
		{ { 0xd503245f, 0xb4000083 }, 4 },       /* bti c; cbz x3 */
		{ { 0xd503245f, 0x10000060 }, 4 },       /* bti c; adr x0 */
		{ { 0xd503245f, 0xa9bd7bfd }, 0 },       /* bti c; stp: kernels differ */
		{ { 0xd503201f, 0xb4000083 }, 0 },       /* nop, which may be patched; cbz x3 */
		{ { 0xd503233f, 0x14000040 }, 0 },       /* paciasp changes the link register */
		{ { 0x14000040, 0x14000040 }, 0 },       /* b: the first one */
	};
	u64 starts, to;
	u8 code[8];

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		put(code, rows[i].words[0]);
		put(code + 4, rows[i].words[1]);
		assert_int_equal(arch_past_entry(code, 8, &starts), rows[i].past);
	}
	put(code, 0x97ffffc0);                           /* bl */
	assert_int_equal(arch_reach(code, AT, &to), ARCH_REACH_FAR);
	assert_int_equal(to, AT - 0x100);
	assert_int_equal(arch_reach(code, AT + 2, &to), ARCH_REACH_NONE);
	assert_false(arch_may_reach(code, 4, AT, AT, 1));
	put(code + 4, 0x17ffffff);                       /* b -4 */
	assert_true(arch_may_reach(code, 8, AT, AT, 1));
	assert_false(arch_past_keeps(ARCH_REG_IP));
}

/* ---- the stack --------------------------------------------------------------------------- */

static const struct { const char *text; u32 word; struct arch_stackop op; } stacks[] = {
	{ "stp x29, x30, [sp, #-48]!", 0xa9bd7bfd,
	  { ARCH_SP_STORE, 29, 0, 30, true, -48, 0 } },
	{ "mov x29, sp", 0x910003fd, { ARCH_SP_TO_FP, 29, 0 } },
	{ "add x29, sp, #16", 0x910043fd, { ARCH_SP_TO_FP, 29, 16 } },
	{ "sub sp, sp, #32", 0xd10083ff, { ARCH_SP_ADD, 31, -32 } },
	{ "sub sp, sp, #1, lsl #12", 0xd14007ff, { ARCH_SP_ADD, 31, -4096 } },
	{ "add sp, sp, #32", 0x910083ff, { ARCH_SP_ADD, 31, 32 } },
	{ "ldp x29, x30, [sp], #48", 0xa8c37bfd, { ARCH_SP_LOAD, 29, 0, 30, true, 0, 48 } },
	{ "str x19, [sp, #16]", 0xf9000bf3, { ARCH_SP_STORE, 19, 16 } },
	{ "ldr x19, [sp, #16]", 0xf9400bf3, { ARCH_SP_LOAD, 19, 16 } },
	{ "stp x19, x20, [sp, #16]", 0xa90153f3, { ARCH_SP_STORE, 19, 16, 20, true } },
	{ "str x30, [sp, #-16]!", 0xf81f0ffe, { ARCH_SP_STORE, 30, 0, .before = -16 } },
	{ "ldr x30, [sp], #16", 0xf84107fe, { ARCH_SP_LOAD, 30, 0, .after = 16 } },
	{ "mov sp, x29", 0x910003bf, { ARCH_SP_FROM_FP, 31, 0 } },
	{ "mov x29, #0", 0xd280001d, { ARCH_SP_ZERO_FP, 29 } },
	{ "mov x29, xzr", 0xaa1f03fd, { ARCH_SP_ZERO_FP, 29 } },
	{ "sub sp, sp, x16", 0xcb3063ff, { ARCH_SP_LOST } },
	{ "and sp, x9, #0xfffffffffffffff0", 0x927ced3f, { ARCH_SP_LOST } },
	{ "stp d8, d9, [sp, #-64]!", 0x6dbc27e8, { ARCH_SP_ADD, 31, -64 } },
	{ "str q0, [sp, #-16]!", 0x3c9f0fe0, { ARCH_SP_ADD, 31, -16 } },
	{ "ldr w19, [sp, #12]", 0xb9400ff3, { ARCH_SP_WRITE, 19 } },
	{ "mov x19, x0", 0xaa0003f3, { ARCH_SP_WRITE, 19 } },
	{ "ldr x20, [x1]", 0xf9400034, { ARCH_SP_WRITE, 20 } },
	{ "ldur x21, [x29, #-8]", 0xf85f83b5, { ARCH_SP_WRITE, 21 } },
	{ "cmp x19, #4", 0xf100127f, { ARCH_SP_NONE } },
	{ "bl .-0x100", 0x97ffffc0, { ARCH_SP_WRITE, 30 } },
	{ "svc #0", 0xd4000001, { ARCH_SP_SYSCALL } },
	{ "prfm pldl1keep, [x0]", 0xf9800000, { ARCH_SP_NONE } },
};

static void test_stackop(void **state)
{
	u32 bad = 0;

	for (u32 i = 0; i < ARRAY_SIZE(stacks); i++) {
		const struct arch_stackop *want = &stacks[i].op;
		struct arch_stackop got;
		u8 code[4];

		put(code, stacks[i].word);
		got = arch_stack_op(code, 4);
		if (got.kind == want->kind && got.n == want->n && got.pair == want->pair &&
		    got.before == want->before && got.after == want->after &&
		    (got.kind == ARCH_SP_LOST || got.reg == want->reg) &&
		    (!got.pair || got.next == want->next))
			continue;
		print_message("%s: kind %d reg %u n %ld next %u %d %d %d\n", stacks[i].text,
			      got.kind, got.reg, (long)got.n, got.next, got.pair, got.before,
			      got.after);
		bad++;
	}
	assert_int_equal(bad, 0);
}

/* A function's rules, out of its instructions and out of its call frame information. */
struct rules { u64 at[16]; struct dtx_uw_rule r[16]; u32 n; };

static void keep(void *arg, u64 addr, const struct dtx_uw_rule *r)
{
	struct rules *to = arg;

	assert_true(to->n < ARRAY_SIZE(to->at));
	to->at[to->n] = addr;
	to->r[to->n++] = *r;
}

static const struct dtx_uw_rule *rule_at(const struct rules *r, u64 addr)
{
	const struct dtx_uw_rule *found = NULL;

	for (u32 i = 0; i < r->n; i++)
		if (r->at[i] <= addr)
			found = &r->r[i];
	assert_non_null(found);
	return found;
}

/* The return address is in x30, not on the stack. */
static bool in_link(const struct dtx_uw_rule *r)
{
	return r->inreg & 1u << DTX_UW_RA && r->at[DTX_UW_RA] == 30;
}

static void check_rules(const struct rules *r, u64 at)
{
	const struct dtx_uw_rule *x = rule_at(r, at);

	assert_int_equal(x->kind, DTX_UW_CFA);
	assert_int_equal(x->reg, ARCH_DWARF_SP);
	assert_int_equal(x->off, 0);
	assert_true(in_link(x));
	x = rule_at(r, at + 12);                 /* x29 and x30 are stored, 32 bytes */
	assert_int_equal(x->kind, DTX_UW_CFA);
	assert_int_equal(x->off, 32);
	assert_int_equal(x->at[DTX_UW_RA], -24);
	assert_int_equal(x->at[DTX_UW_FP], -32);
	assert_int_equal(x->at[DTX_UW_KEPT], -16);
	assert_int_equal(x->saved, 1u << DTX_UW_RA | 1u << DTX_UW_FP | 1u << DTX_UW_KEPT);
	x = rule_at(r, at + 28);                 /* behind the load of both */
	assert_int_equal(x->off, 0);
	assert_true(in_link(x));
	assert_int_equal(x->saved, 0);
}

static void test_codeflow(void **state)
{
	static const u32 words[] = {
		0xa9be7bfd,              /* stp x29, x30, [sp, #-32]! */
		0xf9000bf3,              /* str x19, [sp, #16] */
		0x910003fd,              /* mov x29, sp */
		0x94000040,              /* bl */
		0xaa0003f3,              /* mov x19, x0 */
		0xf9400bf3,              /* ldr x19, [sp, #16] */
		0xa8c27bfd,              /* ldp x29, x30, [sp], #32 */
		0xd65f03c0,              /* ret */
	};
	struct codeflow_known known = { 0 };
	struct rules r = { .n = 0 };

	codeflow_rules((const u8 *)words, AT, sizeof(words), &known, keep, &r);
	check_rules(&r, AT);
	/* It goes by the frame pointer where there is one. */
	assert_int_equal(rule_at(&r, AT + 12)->reg, ARCH_DWARF_FP);
}

/* Functions as V8 makes them: each begins after bytes that fill, takes its arguments away, and may
 * pass others on.  No other program's function is believed that leaves so. */
static void test_v8(void **state)
{
	static const u32 words[24] = {
		0xd10043ff,              /* sub sp, sp, #16 */
		0xf90003e0,              /* str x0, [sp] */
		0x14000006,              /* b, the second one */
		0xcccccccc, 0xcccccccc, 0xcccccccc, 0xcccccccc, 0xcccccccc,
		0xf94003e0,              /* ldr x0, [sp] */
		0x910043ff,              /* add sp, sp, #16 */
		0xd65f03c0,              /* ret */
		0xcccccccc, 0xcccccccc, 0xcccccccc, 0xcccccccc, 0xcccccccc,
		0xa9bf7bfd,              /* stp x29, x30, [sp, #-16]! */
		0x910003fd,              /* mov x29, sp */
		0x97ffffee,              /* bl, the first one */
		0x910003bf,              /* mov sp, x29 */
		0xa8c17bfd,              /* ldp x29, x30, [sp], #16 */
		0x8b236fff,              /* add sp, sp, x3, lsl #3 */
		0xd65f03c0,              /* ret */
		0xcccccccc,
	};
	static const struct { u32 at, reg, off; } want[] = {
		{ 4, ARCH_DWARF_SP, 16 }, { 8, ARCH_DWARF_SP, 16 },
		{ 32, ARCH_DWARF_SP, 0 }, { 40, ARCH_DWARF_SP, 0 },
		{ 76, ARCH_DWARF_FP, 16 }, { 84, ARCH_DWARF_SP, 0 }, { 88, ARCH_DWARF_SP, 0 },
	};
	struct codeflow_known known = { .keeps_none = true, .is_filled = true };
	struct rules r = { .n = 0 }, other = { .n = 0 };

	codeflow_rules((const u8 *)words, AT, sizeof(words), &known, keep, &r);
	for (u32 i = 0; i < ARRAY_SIZE(want); i++) {
		const struct dtx_uw_rule *x = rule_at(&r, AT + want[i].at);

		assert_int_equal(x->kind, DTX_UW_CFA);
		assert_int_equal(x->reg, want[i].reg);
		assert_int_equal(x->off, want[i].off);
		assert_int_equal(!!(x->inreg & 1u << DTX_UW_RA), want[i].at != 76);
	}
	known.keeps_none = known.is_filled = false;
	codeflow_rules((const u8 *)words, AT, sizeof(words), &known, keep, &other);
	assert_int_equal(rule_at(&other, AT + 88)->kind, DTX_UW_NONE);
}

static void test_cfi(void **state)
{
	static const u8 first[] = {
		0x0c, 31, 0,             /* def_cfa sp, 0 */
		0x08, 30, 0x14, 31, 0,   /* same_value x30; val_offset sp, 0: as Go has it */
	};
	static const u8 prog[] = {
		0x2d,                    /* negate_ra_state: paciasp */
		0x42,                    /* advance 8 */
		0x0e, 32,                /* def_cfa_offset 32 */
		0x9d, 4, 0x9e, 3,        /* offset x29, -32; x30, -24 */
		0x93, 2,                 /* offset x19, -16 */
		0x44,                    /* advance 16 */
		0xdd, 0xde, 0xd3,        /* restore */
		0x0e, 0,
		0x41, 0x2d,              /* advance 4, negate_ra_state: autiasp */
	};
	struct cfi_cie c = { .code_align = 4, .data_align = -8, .ra = 30 };
	struct cfi_fde f = { AT, AT + 40, &c, { prog, prog + sizeof(prog), false } };
	struct rules r = { .n = 0 };

	assert_true(cfi_begin(&c, (struct cfi_bytes){ first, first + sizeof(first), false }));
	cfi_run(&f, keep, &r);
	check_rules(&r, AT);
}

static void test_go(void **state)
{
	struct dtx_uw_rule r, moved;

	arch_go_rule(48, &r);
	arch_go_keeps_fp(&r);
	assert_int_equal(r.off, 48);
	assert_int_equal(r.base, ARCH_DWARF_SP);
	assert_int_equal(r.based, 1u << DTX_UW_RA | 1u << DTX_UW_FP);
	assert_int_equal(r.at[DTX_UW_FP], -8);
	assert_true(arch_go_switched(&r, &moved));
	assert_int_equal(moved.reg, ARCH_DWARF_FP);
	assert_int_equal(moved.off, 56);
	assert_int_equal(moved.at[DTX_UW_RA], 8);
	arch_go_rule(0, &r);
	assert_false(arch_go_switched(&r, &moved));
	arch_go_keeps_fp(&r);
	assert_true(in_link(&r));
	assert_int_equal(r.based, 0);
}

/* What runtime/code/pclntab.c asks of a file is not asked here. */
Elf_Data *elf_data(Elf_Scn *scn) { return NULL; }
Elf_Data *elf_section(Elf *elf, const char *name, u64 *addr) { return NULL; }
const char *budget_name(const char *name, size_t room, u64 *left) { return NULL; }
void budget_refuse(const char *what, ...) { }

struct go_rows { u32 n; u64 at[4]; s32 size[4]; };

static void go_row(void *arg, u64 addr, const struct dtx_uw_rule *r)
{
	struct go_rows *rows = arg;

	assert_true(rows->n < 4);
	rows->at[rows->n] = addr;
	rows->size[rows->n++] = r->off;
}

/* Sizes of a frame: each holds for so many instructions, not bytes. */
static void test_go_sizes(void **state)
{
	static const u8 sizes[] = { 2, 4, 64, 7, 63, 1, 64, 12, 0 };     /* 0, 32, 0, 32 */
	const struct cfi_fde f = { AT, AT + 96, NULL, { sizes, sizes + sizeof(sizes), false } };
	struct go_rows rows = { 0 };

	gotab_frames(&f, go_row, &rows);
	assert_int_equal(rows.n, 4);
	for (u32 i = 0; i < 4; i++)
		assert_int_equal(rows.size[i], i % 2 ? 32 : 0);
	assert_int_equal(rows.at[1], AT + 16);
	assert_int_equal(rows.at[2], AT + 16 + 28);
	assert_int_equal(rows.at[3], AT + 16 + 28 + 4);
}

/* Where the stack of a goroutine or a thread begins: nothing is left of what called it. */
static void test_go_begins(void **state)
{
	static const char *const names[] = {
		"runtime.goexit.abi0", "runtime.mstart", "main.main", "runtime.gopreempt_m",
	};
	struct goasm g = { 0 };

	for (u32 i = 0; i < ARRAY_SIZE(names); i++)
		goasm_note(&g, names[i], AT + 64 * i);
	assert_int_equal(goasm_rule(&g, AT)->kind, DTX_UW_END);
	assert_int_equal(goasm_rule(&g, AT + 64)->kind, DTX_UW_END);
	assert_null(goasm_rule(&g, AT + 128));
	assert_int_equal(goasm_rule(&g, AT + 192)->kind, DTX_UW_END);
}

/* Where it goes on with the stack of the thread: the goroutine leads back, which is stored there.
 * The frame that calls runtime.morestack is not made yet: it is as if it was interrupted. */
static void test_go_switches(void **state)
{
	static const char *const names[] = {
		"runtime.systemstack.abi0", "runtime.asmcgocall.abi0", "runtime.morestack.abi0",
		"runtime.nanotime1.abi0", "runtime.sigtramp.abi0", "runtime.asyncPreempt.abi0",
	};
	struct goasm g = { 0 };

	for (u32 i = 0; i < ARRAY_SIZE(names); i++)
		goasm_note(&g, names[i], AT + 64 * i);
	for (u32 i = 0; i < 2; i++) {
		const struct dtx_uw_rule *r = goasm_rule(&g, AT + 64 * i);

		assert_int_equal(r->kind, DTX_UW_GOROUTINE);
		assert_int_equal(r->off + r->at[DTX_UW_RA], 0);
		assert_int_equal(r->off + r->at[DTX_UW_FP], -8);
		assert_int_equal(goasm_calls_c(&g, AT + 64 * i), i == 1);
	}
	assert_int_equal(goasm_rule(&g, AT + 128)->kind, DTX_UW_GOBUF);
	assert_true(goasm_moves(&g, AT + 64) && goasm_moves(&g, AT + 192));
	assert_false(goasm_calls_c(&g, AT + 192));
	assert_true(goasm_is_handler(&g, AT + 256) && !goasm_rule(&g, AT + 256));
	assert_int_equal(goasm_pushed(&g, AT + 320), 16);        /* x30, before the call */
	assert_true(!goasm_rule(&g, AT + 320) && !goasm_pushed(&g, AT + 256));
}

/* ---- operands of USDT probes --------------------------------------------------------------- */

static void test_operands(void **state)
{
	static const struct {
		const char *text; u32 loc; s32 off; s64 value; u32 slot, index, scale;
	} rows_of_operands[] = {
		{ "x0", LOC_REG, 0 }, { "w1", LOC_REG, 8 }, { "x30", LOC_REG, 240 },
		{ "sp", LOC_REG, 248 },
		{ "5", LOC_CONST, 0, 5 }, { "#-7", LOC_CONST, 0, -7 }, { "xzr", LOC_CONST, 0, 0 },
		{ "[sp, 16]", LOC_USERMEM, 0, 16, 31, DTX_NO_REG },
		{ "[sp,#-8]", LOC_USERMEM, 0, -8, 31, DTX_NO_REG },
		{ "[x0]", LOC_USERMEM, 0, 0, 0, DTX_NO_REG },
		{ "[x2, x3]", LOC_USERMEM, 0, 0, 2, 3, 1 },
		{ "[x2, x3, lsl 3]", LOC_USERMEM, 0, 0, 2, 3, 8 },
		{ "[x2, x3, lsl #2]", LOC_USERMEM, 0, 0, 2, 3, 4 },
	};
	static const char *const refused[] = {
		"d0", "x31", "x", "[w0]", "[x0", "[x0, x1, sxtw 3]", "[x0, w1, uxtw]", "[sp, 16]!",
		"[x0, :lo12:v]", "", "[", "x0y", "5x",
	};
	struct arena *a = arena_new();
	struct arch_site site = { .arena = a };

	for (u32 i = 0; i < ARRAY_SIZE(rows_of_operands); i++) {
		const char *s = rows_of_operands[i].text;
		struct dtx_arg got = { 0 };
		const char *why = arch_operand(&site, s, s + strlen(s), &got);

		if (why || got.loc != rows_of_operands[i].loc ||
		    got.value != rows_of_operands[i].value ||
		    (got.loc == LOC_REG && got.off != rows_of_operands[i].off) ||
		    (got.loc == LOC_USERMEM && (got.slot != rows_of_operands[i].slot ||
						got.index != rows_of_operands[i].index ||
						got.scale != rows_of_operands[i].scale)))
			fail_msg("%s: %s loc %u off %d value %ld", s, why ? why : "", got.loc,
				 got.off, (long)got.value);
	}
	for (u32 i = 0; i < ARRAY_SIZE(refused); i++) {
		struct dtx_arg got = { 0 };

		if (!arch_operand(&site, refused[i], refused[i] + strlen(refused[i]), &got))
			fail_msg("%s is taken", refused[i]);
	}
	arena_free(a);
}

static void test_names(void **state)
{
	u32 off, shift;

	assert_string_equal(arch_syscall_name(56), "openat");
	assert_string_equal(arch_syscall_name(221), "execve");
	assert_string_equal(arch_compat_name(5), "open");
	assert_string_equal(arch_compat_name(437), "openat2");
	for (u32 i = 0; i <= arch_syscall_max(); i++)    /* there is no open, only openat */
		assert_false(arch_syscall_name(i) && !strcmp(arch_syscall_name(i), "open"));
	assert_true(arch_user_reg("x12", 3, &off, &shift));
	assert_int_equal(off, 96);
	assert_false(arch_user_reg("x31", 3, &off, &shift));
	assert_false(arch_user_reg("x01", 3, &off, &shift));
	assert_true(arch_reg_kept(19 * 8) && arch_reg_kept(29 * 8));
	assert_false(arch_reg_kept(18 * 8) || arch_reg_kept(30 * 8));
	assert_int_equal((u32)arch_breakpoint(0x1111111122222222), 0xd4200000);
}

/* ---- for tests/e2e/robust/architecture.sh --------------------------------------------------- */

static void print_rows(void)
{
	for (u32 i = 0; i < ARRAY_SIZE(flows); i++)
		printf("%08x %s\n", flows[i].word, flows[i].text);
	for (u32 i = 0; i < ARRAY_SIZE(stacks); i++)
		printf("%08x %s\n", stacks[i].word, stacks[i].text);
}

/* Words on the standard input, "ADDRESS WORD": where execution goes after each. */
static void print_flow(void)
{
	static const char *const names[] = {
		"next", "call", "return", "jump", "branch", "indirect", "stop", "odd",
	};
	unsigned long addr;
	unsigned int word;

	while (scanf("%lx %x", &addr, &word) == 2) {
		struct arch_insn in;
		u8 code[4];

		put(code, word);
		arch_insn_read(code, 4, addr, &in);
		if (in.flow != ARCH_NEXT)
			printf("%lx %s %lx\n", addr, names[in.flow], (long)in.to);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flow), cmocka_unit_test(test_past),
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_stackop), cmocka_unit_test(test_codeflow),
		cmocka_unit_test(test_v8),
		cmocka_unit_test(test_cfi), cmocka_unit_test(test_go),
		cmocka_unit_test(test_go_sizes), cmocka_unit_test(test_go_begins),
		cmocka_unit_test(test_go_switches),
		cmocka_unit_test(test_operands), cmocka_unit_test(test_names),
	};

	if (argc > 1) {
		strcmp(argv[1], "rows") ? print_flow() : print_rows();
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
