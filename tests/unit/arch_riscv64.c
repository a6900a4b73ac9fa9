/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arch_riscv64.c - base/arch/riscv64, compiled for the machine that runs the tests: instructions,
 * operands, registers.  The words are those of GNU as for the text beside them.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <setjmp.h>
#include <cmocka.h>

#include <dtx/tables/loc.h>

#include "runtime/code/cfi.h"

#define AT 0x10000                       /* the address of each instruction */

static const struct {
	const char *text;
	u32 word, len;
	enum arch_flow flow;
	u64 to;
	bool unprobed;
} flows[] = {
	{ "ret", 0x00008067, 4, ARCH_RETURN },
	{ "jr t1", 0x00030067, 4, ARCH_INDIRECT },
	{ "jalr a5", 0x000780e7, 4, ARCH_CALL },
	{ "j .+0x100", 0x1000006f, 4, ARCH_JUMP, AT + 0x100 },
	{ "jal ra, .-0x100", 0xf01ff0ef, 4, ARCH_CALL, AT - 0x100 },
	{ "beq a0, a1, .+8", 0x00b50463, 4, ARCH_BRANCH, AT + 8 },
	{ "bltu a0, a1, .-16", 0xfeb568e3, 4, ARCH_BRANCH, AT - 16 },
	{ "ebreak", 0x00100073, 4, ARCH_STOP, .unprobed = true },
	{ "ecall", 0x00000073, 4, ARCH_NEXT, .unprobed = true },
	{ "nop", 0x00000013, 4, ARCH_NEXT },
	{ "addi a0, a0, 1", 0x00150513, 4, ARCH_NEXT },
	{ "lr.d a0, (a1)", 0x1005b52f, 4, ARCH_NEXT, .unprobed = true },
	{ "fence", 0x0ff0000f, 4, ARCH_NEXT, .unprobed = true },
	{ "c.jr ra", 0x8082, 2, ARCH_RETURN },
	{ "c.jr a5", 0x8782, 2, ARCH_INDIRECT },
	{ "c.jalr a5", 0x9782, 2, ARCH_CALL },
	{ "c.j .+0x40", 0xa081, 2, ARCH_JUMP, AT + 0x40 },
	{ "c.beqz a0, .+8", 0xc501, 2, ARCH_BRANCH, AT + 8 },
	{ "c.bnez a1, .-6", 0xfded, 2, ARCH_BRANCH, AT - 6 },
	{ "c.ebreak", 0x9002, 2, ARCH_STOP, .unprobed = true },
	{ "c.nop", 0x0001, 2, ARCH_NEXT },
	{ "c.addi sp, -16", 0x1141, 2, ARCH_NEXT },
	{ "unimp", 0x0000, 2, ARCH_ODD, .unprobed = true },
};

static void test_flow(void **state)
{
	u32 bad = 0;

	for (u32 i = 0; i < ARRAY_SIZE(flows); i++) {
		struct arch_insn in;
		u8 code[4];
		u32 len;

		memcpy(code, &flows[i].word, sizeof(code));
		len = arch_insn_read(code, 4, AT, &in);
		if (len == flows[i].len && in.flow == flows[i].flow && in.to == flows[i].to &&
		    in.probed == !flows[i].unprobed)
			continue;
		print_message("%s: %u bytes, flow %d to %#lx probed %d\n", flows[i].text, len,
			      in.flow, (long)in.to, in.probed);
		bad++;
	}
	assert_int_equal(bad, 0);
	assert_int_equal(arch_insn_len((const u8 *)"\x67\x80\x00", 3), 0);
}

/* What is asked of an instruction is what it was read as. */
static void test_questions(void **state)
{
	static const u8 jump[] = { 0x6f, 0, 0, 0x10 }, call[] = { 0xef, 0xf0, 0x1f, 0xf0 };
	static const u8 stub[] = { 0x17, 0x2e, 0, 0, 0x03, 0x3e, 0x8e, 0x01 };
	u64 to;

	assert_true(arch_insn_jumps(jump, 4, AT, &to));
	assert_int_equal(to, AT + 0x100);
	assert_true(arch_insn_calls(call, 4, AT, &to));
	assert_int_equal(to, AT - 0x100);
	assert_true(arch_insn_ends(jump));
	assert_false(arch_insn_ends(call));
	assert_true(arch_plt_slot(stub, sizeof(stub), AT, &to)); /* auipc t3, 2; ld t3, 24(t3) */
	assert_int_equal(to, AT + 0x2018);
}

static void test_operands(void **state)
{
	static const struct { const char *text; int loc; s32 off; s64 value; } rows[] = {
		{ "a0", LOC_REG, 80, 0 }, { "x10", LOC_REG, 80, 0 }, { "fp", LOC_REG, 64, 0 },
		{ "-5", LOC_CONST, 0, -5 }, { "8(sp)", LOC_USERMEM, 0, 8 },
		{ "-20(s0)", LOC_USERMEM, 0, -20 },
	};
	struct arena *a = arena_new();

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct arch_site site = { .arena = a };
		struct dtx_arg arg = { 0 };
		const char *s = rows[i].text;

		assert_null(arch_operand(&site, s, s + strlen(s), &arg));
		assert_int_equal(arg.loc, rows[i].loc);
		assert_int_equal(arg.off, rows[i].off);
		assert_int_equal(arg.value, rows[i].value);
	}
	assert_non_null(arch_operand(&(struct arch_site){ .arena = a }, "fa0", "fa0" + 3,
				     &(struct dtx_arg){ 0 }));
	arena_free(a);
}

static void test_names(void **state)
{
	assert_string_equal(arch_syscall_name(56), "openat");
	assert_string_equal(arch_syscall_name(258), "riscv_hwprobe");
	assert_null(arch_syscall_name(38));      /* renameat: arm64 has it */
	assert_null(arch_compat_name(5));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flow), cmocka_unit_test(test_questions),
		cmocka_unit_test(test_operands), cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
