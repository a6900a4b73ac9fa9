/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* kitchen.bpf.c - a variable, a subroutine and an aggregating function, added by the recipes. */
#include "dtx.bpf.h"

DTX_FN s32 dtx_salt(struct dtx_mst *m)
{
	return 42;
}

DTX_FN s64 dtx_twice(struct dtx_mst *m, s64 x)
{
	return 2 * x;
}

DTX_FN void dtx_agg_tally(u64 *v, s64 x)
{
	__sync_fetch_and_add(v, x < 0 ? -x : x);
}

DTX_FN void dtx_agg_bits(u64 *v, s64 x, s64 shift)
{
	__sync_fetch_and_or(v, (u64)x << shift);
}
