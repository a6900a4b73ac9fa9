/* SPDX-License-Identifier: BSD-2-Clause */
/* test_insn.c - lengths of x86-64 instructions, one of each kind of encoding; and which of them the
 * kernel probes, and where jumps lead. */
#include <dtx/arch.h>

#include "runtime/run/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <asm/ptrace.h>
#include <cmocka.h>

struct row {
	const char *bytes;               /* hexadecimal, with blanks */
	u32 len;
	bool probed;
	const char *text;
};

static const struct row rows[] = {
	{ "90",                         1, true,  "nop" },
	{ "55",                         1, true,  "push %rbp" },
	{ "48 89 e5",                   3, true,  "mov %rsp,%rbp" },
	{ "48 83 ec 20",                4, true,  "sub $0x20,%rsp" },
	{ "48 81 ec 00 01 00 00",       7, true,  "sub $0x100,%rsp" },
	{ "66 81 c1 34 12",             5, true,  "add $0x1234,%cx" },
	{ "48 b8 1 2 3 4 5 6 7 8",     10, true,  "movabs $0x807060504030201,%rax" },
	{ "b8 1 0 0 0",                 5, true,  "mov $1,%eax" },
	{ "48 8b 05 10 00 00 00",       7, true,  "mov 0x10(%rip),%rax" },
	{ "8b 44 24 08",                4, true,  "mov 8(%rsp),%eax" },
	{ "8b 84 88 00 01 00 00",       7, true,  "mov 0x100(%rax,%rcx,4),%eax" },
	{ "8b 04 25 00 01 00 00",       7, true,  "mov 0x100,%eax" },
	{ "a1 1 2 3 4 5 6 7 8",         9, true,  "movabs 0x807060504030201,%eax" },
	{ "f6 c1 01",                   3, true,  "test $1,%cl" },
	{ "f6 d1",                      2, true,  "not %cl" },
	{ "f7 c1 1 0 0 0",              6, true,  "test $1,%ecx" },
	{ "e8 0 0 0 0",                 5, true,  "call" },
	{ "0f 84 0 0 0 0",              6, true,  "je" },
	{ "f3 0f 1e fa",                4, true,  "endbr64" },
	{ "66 0f 3a 0f c1 08",          6, true,  "palignr $8,%xmm1,%xmm0" },
	{ "66 0f 38 00 c1",             5, true,  "pshufb %xmm1,%xmm0" },
	{ "c8 10 00 01",                4, true,  "enter $0x10,$1" },
	{ "c5 f9 70 c1 08",             5, false,  "vpshufd $8,%xmm1,%xmm0" },
	{ "c5 f9 6e c7",                4, false, "vmovd %edi,%xmm0" },
	{ "c4 e2 79 78 c0",             5, false,  "vpbroadcastb %xmm0,%xmm0" },
	{ "c4 e3 7d 19 c1 01",          6, false,  "vextractf128 $1,%ymm0,%xmm1" },
	{ "62 f1 7c 48 28 44 24 01",    8, false,  "vmovaps 0x40(%rsp),%zmm0" },
	{ "66 2e 0f 1f 84 00 0 0 0 0", 10, false, "cs nopw 0(%rax,%rax,1)" },
	{ "49 90",                      2, false, "xchg %rax,%r8" },
	{ "41 90",                      2, false, "xchg %eax,%r8d" },
	{ "66 41 90",                   3, false, "xchg %ax,%r8w" },
	{ "48 90",                      2, true,  "rex.W nop" },
	{ "f3 90",                      2, true,  "pause" },
	{ "f0 0f b1 17",                4, false, "lock cmpxchg %edx,(%rdi)" },
	{ "0f 05",                      2, true,  "syscall" },
	{ "cc",                         1, false, "int3" },
	{ "06",                         0, false, "no instruction" },
	{ "48 8b",                      0, false, "cut off" },
};

static void test_rows(void **state)
{
	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		u8 code[16];
		u32 n = 0, len;
		char *end;

		for (const char *s = rows[i].bytes; *s; s = end)
			code[n++] = (u8)strtoul(s, &end, 16);
		len = arch_insn_len(code, n);
		if (len != rows[i].len)
			fail_msg("%s: %u bytes, not %u", rows[i].text, len, rows[i].len);
		if (len && arch_insn_probed(code, len) != rows[i].probed)
			fail_msg("%s: probed or not", rows[i].text);
	}
}

/* Of instructions at 0x1000: where they jump to; 0: they are no jumps. */
static const struct { const char *bytes; u64 to; const char *text; } jumps[] = {
	{ "eb fe",             0x1000, "jmp, near, to itself" },
	{ "75 e7",             0x0fe9, "jne, near" },
	{ "3e 75 10",          0x1013, "jne with a hint" },
	{ "e3 05",             0x1007, "jrcxz" },
	{ "e9 fb ff ff ff",    0x1000, "jmp, far" },
	{ "f2 e9 0 1 0 0",     0x1106, "bnd jmp" },
	{ "0f 84 0 0 0 80",    0x1006 - 0x80000000ull, "je, far" },
	{ "e8 0 0 0 0",        0,      "call" },
	{ "ff 25 0 0 0 0",     0,      "jmp *(%rip)" },
	{ "0f 94 c0",          0,      "sete" },
	{ "c3",                0,      "ret" },
};

static void test_jumps(void **state)
{
	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(jumps); i++) {
		u8 code[16];
		u32 n = 0;
		u64 to;
		char *end;

		for (const char *s = jumps[i].bytes; *s; s = end)
			code[n++] = (u8)strtoul(s, &end, 16);
		assert_int_equal(arch_insn_len(code, n), n);
		if (arch_insn_jumps(code, n, 0x1000, &to) != !!jumps[i].to ||
		    (jumps[i].to && to != jumps[i].to))
			fail_msg("%s: to 0x%llx", jumps[i].text, (unsigned long long)to);
	}
}

/* ---- where execution goes, and the stack --------------------------------------------- */

static u32 bytes_of(const char *text, u8 *code)
{
	u32 n = 0;

	for (char *end; *text; text = end) {
		code[n++] = (u8)strtoul(text, &end, 16);
		end += strspn(end, " ");
	}
	return n;
}

static void test_flow(void **state)
{
	static const struct {
		const char *bytes; enum arch_flow flow; u64 to; u32 cond;
	} flows[] = {
		{ "c3", ARCH_RETURN, 0, 0 },          { "f3 c3", ARCH_RETURN, 0, 0 },
		{ "f2 c3", ARCH_RETURN, 0, 0 },       { "c2 08 00", ARCH_RETURN, 0, 0 },
		{ "eb 10", ARCH_JUMP, 0x1012, 0 },    { "f2 e9 0 1 0 0", ARCH_JUMP, 0x1106, 0 },
		{ "75 fe", ARCH_BRANCH, 0x1000, 5 },  { "0f 84 0 1 0 0", ARCH_BRANCH, 0x1106, 4 },
		{ "e2 fe", ARCH_BRANCH, 0x1000, ARCH_COND_LOOP + 2 },
		{ "e3 02", ARCH_BRANCH, 0x1004, ARCH_COND_LOOP + 3 },
		{ "e8 0 0 0 0", ARCH_CALL, 0x1005, 0 }, { "ff d0", ARCH_CALL, 0, 0 },
		{ "ff e0", ARCH_INDIRECT, 0, 0 },     { "3e ff e0", ARCH_INDIRECT, 0, 0 },
		{ "ff 25 0 1 0 0", ARCH_INDIRECT, 0, 0 }, { "0f 0b", ARCH_STOP, 0, 0 },
		{ "f4", ARCH_STOP, 0, 0 },            { "00 00", ARCH_ODD, 0, 0 },
		{ "0f 1f 00", ARCH_NEXT, 0, 0 },      { "0f 05", ARCH_NEXT, 0, 0 },
		{ "c5 f9 c2 c1 00", ARCH_NEXT, 0, 0 },
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(flows); i++) {
		struct arch_insn in;
		u8 code[16];
		u32 n = bytes_of(flows[i].bytes, code);

		assert_int_equal(arch_insn_read(code, n, 0x1000, &in), n);
		if (in.flow != flows[i].flow || in.to != flows[i].to || in.cond != flows[i].cond)
			fail_msg("%s: %d to %llx on %u", flows[i].bytes, in.flow,
				 (unsigned long long)in.to, in.cond);
	}
}

static void test_targets(void **state)
{
	struct arch_insn in;
	u8 code[16];

	(void)state;
	/* jmp *0x10(%r13,%rcx,8) */
	arch_insn_read(code, bytes_of("41 ff 64 cd 10", code), 0, &in);
	assert_true(in.in_memory && in.scale == 8 && in.disp == 0x10);
	assert_int_equal(in.reg, offsetof(struct pt_regs, r13) / 8);
	assert_int_equal(in.index, offsetof(struct pt_regs, rcx) / 8);
	arch_insn_read(code, bytes_of("41 ff e3", code), 0, &in);        /* jmp *%r11 */
	assert_false(in.in_memory);
	assert_int_equal(in.reg, offsetof(struct pt_regs, r11) / 8);
	arch_insn_read(code, bytes_of("48 8d 05 10 0 0 0", code), 0x1000, &in);
	assert_true(in.is_address && in.data == 0x1017);
}

static void test_stack(void **state)
{
	static const struct { const char *bytes; s32 sp, bp; } rows_of_stack[] = {
		{ "55", 24, 8 },                 { "41 54", 24, 8 },
		{ "5b", 8, 8 },                  { "5d", 8, ARCH_DEEP_UNKNOWN },
		{ "48 83 ec 18", 40, 8 },        { "48 81 c4 10 0 0 0", 0, 8 },
		{ "48 83 e4 f0", ARCH_DEEP_UNKNOWN, 8 }, { "48 29 c4", ARCH_DEEP_UNKNOWN, 8 },
		{ "48 89 e5", 16, 16 },          { "48 89 ec", 8, 8 },
		{ "c9", 0, ARCH_DEEP_UNKNOWN },  { "48 8d 65 f0", 24, 8 },
		{ "48 8d 64 24 08", 8, 8 },      { "31 ed", 16, ARCH_DEEP_UNKNOWN },
		{ "48 39 c4", 16, 8 },           { "49 89 c4", 16, 8 },
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(rows_of_stack); i++) {
		struct arch_stack s = { 16, 8 };
		u8 code[16];

		arch_insn_stack(code, bytes_of(rows_of_stack[i].bytes, code), &s);
		if (s.sp != rows_of_stack[i].sp || s.bp != rows_of_stack[i].bp)
			fail_msg("%s: %d %d", rows_of_stack[i].bytes, s.sp, s.bp);
	}
}

/* ---- what the kernel does itself --------------------------------------------------------- */

static void test_past(void **state)
{
	static const struct {
		const char *bytes; u32 past; u64 starts; const char *text;
	} rows[] = {
		{ "55 0 0",                       0, 0,       "push: the first one" },
		{ "f3 0f 1e fa 55 0",             4, 1 << 4,  "endbr64; push" },
		{ "f3 0f 1e fa 41 57",            4, 1 << 4,  "endbr64; push %r15" },
		{ "f3 0f 1e fa 48 83 ec 08 55 0", 0, 1 << 4,  "endbr64; sub $8,%rsp: the stack" },
		{ "48 85 ff 74 05",               3, 1 << 3,  "test %rdi,%rdi; je" },
		{ "31 c0 0f 84 0 0 0 0",          2, 1 << 2,  "xor %eax,%eax; je, far" },
		{ "41 89 fb 55 0 0",              3, 1 << 3,  "mov %edi,%r11d; push" },
		{ "8d 47 01 55 0 0",              3, 1 << 3,  "lea 1(%rdi),%eax; push" },
		{ "b8 1 0 0 0 72 02",             5, 1 << 5,  "mov $1,%eax; jb" },
		{ "b8 1 0 0 0 e8 0 0 0 0",        0, 0,       "mov, call: it may be patched" },
		{ "f3 0f 1e fa 90 90 55 0",       0, 0,       "endbr64; nop: it may be patched" },
		{ "f3 0f 1e fa eb 09",            0, 0,       "endbr64; jmp: it may be patched" },
		{ "f6 c1 01 75 02 0",             3, 1 << 3,  "test $1,%cl; jne" },
		{ "48 98 55 0 0",                 0, 0,       "cltq: not known" },
		{ "89 fa 55 0 0",                 0, 0,       "mov %edi,%edx: an argument" },
		{ "89 fb 55 0 0",                 0, 0,       "mov %edi,%ebx: the caller's" },
		{ "8b 07 55 0 0",                 0, 0,       "mov (%rdi),%eax: it may fault" },
		{ "8b 05 0 0 0 0 55 0",           0, 0,       "mov (%rip),%eax" },
		{ "83 c4 08 55 0 0",              0, 0,       "add $8,%esp" },
		{ "b4 01 55 0 0",                 0, 0,       "mov $1,%ah: not known" },
		{ "c5 f9 6e c7 55 0",             0, 0,       "vmovd %edi,%xmm0" },
		{ "0f 1f 00 55 0 0",              0, 0,       "nop of three bytes" },
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		u8 code[32] = { 0 };
		u64 starts;
		u32 past;

		bytes_of(rows[i].bytes, code);
		past = arch_past_entry(code, sizeof(code), &starts);
		if (past != rows[i].past || (past && starts != rows[i].starts))
			fail_msg("%s: %u, %llx", rows[i].text, past, (unsigned long long)starts);
	}
	assert_true(arch_past_keeps(offsetof(struct pt_regs, rdi)));
	assert_false(arch_past_keeps(offsetof(struct pt_regs, rip)));
}

static void test_reach(void **state)
{
	static const struct { const char *bytes; enum arch_reach how; u64 to; } rows[] = {
		{ "74 05", ARCH_REACH_NEAR, 0x1007 },        { "eb 80", ARCH_REACH_NEAR, 0xf82 },
		{ "e8 0 1 0 0", ARCH_REACH_FAR, 0x1105 },
		{ "e9 fb ff ff ff", ARCH_REACH_FAR, 0x1000 },
		{ "0f 8f 0 0 0 0", ARCH_REACH_FAR, 0x1006 },
		{ "c7 f8 0 0 0 0", ARCH_REACH_FAR, 0x1006 },
		{ "48 8d 05 0 1 0 0", ARCH_REACH_FAR, 0x1107 },          /* lea */
		{ "4c 8d 2d f9 ff ff ff", ARCH_REACH_FAR, 0x1000 },
		{ "48 8d 45 0", ARCH_REACH_NONE, 0 },
		{ "0f 1f 0 0 0 0", ARCH_REACH_NONE, 0 },     { "c3", ARCH_REACH_NONE, 0 },
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		u8 code[16] = { 0 };
		u64 to = 0;

		bytes_of(rows[i].bytes, code);
		assert_int_equal(arch_reach(code, 0x1000, &to), rows[i].how);
		assert_int_equal(to, rows[i].to);
	}
}

static void test_may_reach(void **state)
{
	static const struct { const char *bytes; u64 size; bool turns; } rows[] = {
		{ "55 eb fd", 3, true },                     { "55 75 fd", 3, true },
		{ "55 e3 fd", 3, true },                     { "55 b0 fd", 3, false },
		{ "55 eb fc", 3, false },                    { "55 e9 fa ff ff ff", 6, true },
		{ "55 0f 84 f9 ff ff ff", 7, true },         { "55 e9 fa ff ff ff", 5, false },
		{ "90 90 90 90 eb fa c3", 7, true },         { "c3", 1, false },
	};

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		u8 code[ARCH_INSN_MAX + ARCH_REACH_BYTES] = { 0 };

		bytes_of(rows[i].bytes, code);
		if (arch_may_reach(code, rows[i].size, 0x1000, 0x1000, 1) != rows[i].turns)
			fail_msg("%s", rows[i].bytes);
	}
	u8 code[] = { 0xeb, 0x02, 0xc3 };                /* jmp +2 */
	assert_true(arch_may_reach(code, sizeof(code), 0x1000, 0x1003, 2));
	assert_false(arch_may_reach(code, sizeof(code), 0x1000, 0x1005, 2));
}

static void test_zone(void **state)
{
	static const struct { const char *bytes; bool has; const char *text; } rows[] = {
		{ "48 89 7c 24 f8 e8 0 0 0 0", true,  "mov %rdi,-8(%rsp); call" },
		{ "48 89 7c 24 08 e8 0 0 0 0", false, "mov %rdi,8(%rsp); call" },
		{ "48 89 7d f8 c3",            true,  "mov %rdi,-8(%rbp), and no call" },
		{ "ff d0 c3",                  false, "call *%rax" },
		{ "e8 0 0 0 0 06",             true,  "no instruction" },
	};
	static const struct { const char *bytes; bool becomes; } nops[] = {
		{ "0f 1f 44 00 00", true }, { "66 0f 1f 40 00", true }, { "0f 1f 40 00", false },
		{ "66 0f 1f 44 00 00", false }, { "e8 0 0 0 0", false }, { "b8 1 0 0 0", false },
	};
	u8 code[16];

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++)
		if (arch_has_red_zone(code, bytes_of(rows[i].bytes, code)) != rows[i].has)
			fail_msg("%s", rows[i].text);
	for (u32 i = 0; i < ARRAY_SIZE(nops); i++)
		assert_int_equal(arch_becomes_call(code, bytes_of(nops[i].bytes, code)),
				 nops[i].becomes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows), cmocka_unit_test(test_flow),
		cmocka_unit_test(test_targets), cmocka_unit_test(test_stack),
		cmocka_unit_test(test_jumps),
		cmocka_unit_test(test_past), cmocka_unit_test(test_reach),
		cmocka_unit_test(test_may_reach),
		cmocka_unit_test(test_zone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
