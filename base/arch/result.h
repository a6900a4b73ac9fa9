/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * result.h - the place of a function's result, where it is in one general register or in two that
 * follow each other.  A file of the folder includes it, once.
 */
#include <dtx/arch.h>
#include <dtx/tables/loc.h>
#include <dtx/type.h>

/* `lost`: BPF programs cannot read it.  The register that had the place of a result in memory may
 * be another value when the function returns. */
static void place_result(struct dtx_arg *a, bool lost, struct arch_call *t)
{
	struct type *b = type_complete(type_base(a->type));

	a->size = MIN(b->size, UINT16_MAX);
	if (lost || arch_result_in_memory(a->type) || !b->count) {
		a->loc = LOC_NONE;
	} else if (arch_result_in_reg(a->type)) {
		a->loc = LOC_REG;
		a->off = ARCH_REG_RESULT;
		a->size = 8;
	} else {
		a->loc = LOC_VALUE;
		t->low = ARCH_REG_RESULT;
		t->high = ARCH_REG_RESULT + 8;
	}
}
