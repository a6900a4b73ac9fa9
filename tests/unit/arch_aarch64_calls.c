/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arch_aarch64_calls.c - base/arch/aarch64, compiled for the machine that runs the tests: places of
 * arguments and results, and what the first instructions of a function store.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <setjmp.h>
#include <cmocka.h>

#include <dtx/arch.h>
#include <dtx/tables/loc.h>
#include <dtx/type.h>

static struct type_member members[] = {
	{ "a", &ty_long, 0 }, { "b", &ty_long, 64 }, { "c", &ty_long, 128 },
};
static struct type_member floats[] = {
	{ "x", &ty_double, 0 }, { "y", &ty_double, 64 }, { "z", &ty_double, 128 },
	{ "w", &ty_double, 192 }, { "v", &ty_double, 256 },
};
static struct type_member mixed[] = { { "x", &ty_double, 0 }, { "n", &ty_long, 64 } };
static struct type one = { .kind = T_STRUCT, .size = 8, .count = 1, .members = members };
static struct type two = { .kind = T_STRUCT, .size = 16, .count = 2, .members = members };
static struct type three = { .kind = T_STRUCT, .size = 24, .count = 3, .members = members };
static struct type hfa = { .kind = T_STRUCT, .size = 32, .count = 4, .members = floats };
static struct type five = { .kind = T_STRUCT, .size = 40, .count = 5, .members = floats };
static struct type pair = { .kind = T_STRUCT, .size = 16, .count = 2, .members = mixed };

static struct type_member raised[] = { { "a", &ty_long, 0, .align = 16 }, { "b", &ty_long, 64 } };
static struct type member = { .kind = T_STRUCT, .size = 16, .count = 2, .members = raised };

static struct dtx_arg place(struct type *t, struct arch_call *call)
{
	struct dtx_arg a = { .type = t, .size = (u16)t->size };

	arch_place(&a, true, call);
	return a;
}

static void test_places(void **state)
{
	struct arch_call c = { 0 };
	struct dtx_arg a;

	assert_int_equal(place(&ty_int, &c).off, 0);
	assert_int_equal(place(&ty_double, &c).loc, LOC_NONE);
	assert_int_equal(place(&ty_long, &c).off, 8);            /* the double took none of them */
	a = place(&two, &c);
	assert_int_equal(a.loc, LOC_VALUE);
	assert_int_equal(c.low, 16);
	assert_int_equal(c.high, 24);
	assert_int_equal(place(&hfa, &c).loc, LOC_NONE);
	assert_int_equal(c.floats, 5);
	a = place(&three, &c);                                   /* by its address, in x4 */
	assert_int_equal(a.loc, LOC_PLACE);
	assert_int_equal(c.low, 32);
	assert_int_equal(place(&five, &c).loc, LOC_PLACE);       /* five are no HFA */
	assert_int_equal(place(&ty_int128, &c).loc, LOC_NONE);   /* in x6, x7 */
	assert_int_equal(c.reg, 8);
	a = place(&ty_char, &c);
	assert_int_equal(a.loc, LOC_STACK);
	assert_int_equal(a.off, 0);
	a = place(&pair, &c);
	assert_int_equal(a.off, 8);
	a = place(&ty_int128, &c);
	assert_int_equal(a.off, 32);                             /* at a multiple of 16 */

	c = (struct arch_call){ .reg = 1 };
	place(&ty_int128, &c);                                   /* from an even register on */
	assert_int_equal(c.reg, 4);
	c.reg = 1;
	place(&member, &c);
	assert_int_equal(c.low, 16);
	c = (struct arch_call){ .reg = 7 };
	assert_int_equal(place(&two, &c).loc, LOC_STACK);        /* not in a register and memory */
	assert_int_equal(place(&ty_int, &c).loc, LOC_STACK);
	a = place(&three, &c);                                   /* its address is there, too */
	assert_true(a.loc == LOC_PLACE && c.low == ARCH_NO_REG && a.off == 24 && c.stack == 32);
	c = (struct arch_call){ .floats = 6 };
	place(&hfa, &c);
	assert_int_equal(c.stack, 32);
	assert_int_equal(c.floats, 8);
}

/* Of SVE: none of x0 … is used. */
static void test_scalable(void **state)
{
	static struct type z = { .kind = T_ARRAY, .is_vector = true, .to = &ty_int };
	static struct type both = { .kind = T_ARRAY, .count = 2, .to = &z };
	static struct type_member val[] = { { "__val", &both, 0 } };
	static struct type tuple = { .kind = T_STRUCT, .count = 1, .members = val };
	struct arch_call c = { 0 };
	struct dtx_arg result = { .type = &tuple, .loc = LOC_REG };

	assert_int_equal(place(&z, &c).loc, LOC_NONE);
	assert_int_equal(place(&tuple, &c).loc, LOC_NONE);
	assert_int_equal(place(&ty_int, &c).off, 0);
	assert_false(arch_result_in_reg(&z));
	assert_false(arch_result_in_reg(&tuple));
	arch_result(&result, false, &c);
	assert_int_equal(result.loc, LOC_NONE);
}

static void test_results(void **state)
{
	struct arch_call c = { 0 };
	struct dtx_arg a = { .type = &two };

	assert_true(arch_result_in_reg(&ty_long));
	assert_true(arch_result_in_reg(&one));
	assert_false(arch_result_in_reg(&ty_double));
	assert_false(arch_result_in_memory(&two));
	assert_false(arch_result_in_memory(&hfa));
	assert_true(arch_result_in_memory(&three));
	assert_true(arch_result_in_memory(&five));
	arch_result(&a, false, &c);
	assert_int_equal(a.loc, LOC_VALUE);
	assert_int_equal(c.high, 8);
	a.type = &three;
	arch_result(&a, false, &c);
	assert_int_equal(a.loc, LOC_NONE);                       /* x8 is not kept */
	a.type = &hfa;
	arch_result(&a, false, &c);
	assert_int_equal(a.loc, LOC_NONE);
}

/* What gcc -O0 does: sub sp; str w0, [sp, #12]; str x1, [sp]; then another value there. */
static void test_prologue(void **state)
{
	static const u32 words[] = {
		0xa9bd7bfd,              /* stp x29, x30, [sp, #-48]! */
		0x910003fd,              /* mov x29, sp */
		0xb9001fe0,              /* str w0, [sp, #28] */
		0xf9000ba1,              /* str x1, [x29, #16] */
		0xaa0203f3,              /* mov x19, x2 */
		0xd2800001,              /* mov x1, #0 */
		0xf90017e1,              /* str x1, [sp, #40] */
		0xf9401be4,              /* ldr x4, [sp, #48]: an argument on the stack */
		0x94000000,              /* bl: the end */
		0xf90013e2,              /* str x2, [sp, #32] */
	};
	struct arch_prologue p;

	arch_prologue((const u8 *)words, sizeof(words), false, &p);
	assert_int_equal(p.sp, -48);
	assert_true(p.has_sp && p.has_fp);
	assert_int_equal(p.fp, -48);
	assert_int_equal(p.n, 4);                /* x29, x30, and two arguments */
	assert_int_equal(p.stores[2].at, -20);
	assert_int_equal(p.stores[2].bytes, 4);
	assert_int_equal(p.stores[2].from.at, 0);
	assert_int_equal(p.stores[3].at, -32);
	assert_int_equal(p.stores[3].from.at, 8);
	assert_int_equal(p.regs[19].from.at, 16);
	assert_true(p.regs[1].lost);
	assert_true(p.regs[4].from.stack);
	assert_int_equal(p.regs[4].from.at, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places), cmocka_unit_test(test_results),
		cmocka_unit_test(test_scalable), cmocka_unit_test(test_prologue),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
