/* SPDX-License-Identifier: BSD-2-Clause */
/* tables.c - builtins.def and aggs.def as tables, found by name. */
#include "compiler/front/front.h"

const struct builtin builtins[] = {
#define BUILTIN(name, kind, sig, lower, target, flags, doc, example, output) \
	{ #name, kind, sig, lower, target, flags, doc, example, output },
#include <dtx/builtins.def>
#undef BUILTIN
};
const u32 nbuiltins = ARRAY_SIZE(builtins);

const struct builtin *builtin_exact(const char *name)
{
	for (u32 i = 0; i < nbuiltins; i++)
		if (builtins[i].name[0] == name[0] && !strcmp(builtins[i].name, name))
			return &builtins[i];
	return NULL;
}

const struct builtin *builtin_find(const char *name)
{
	const struct builtin *b = builtin_exact(name);

	while (b && b->lower == BL_ALIAS)
		b = builtin_exact(b->target);
	return b;
}

enum {
#define AGG(name, ...) AGG_##name,
#include <dtx/aggs.def>
#undef AGG
};

static const struct agg_row_def aggs[] = {
#define AGG(name, sig, size, doc) { #name, sig, doc, AGG_##name },
#include <dtx/aggs.def>
#undef AGG
};

const struct agg_row_def *agg_find(const char *name)
{
	if (!strcmp(name, "hist"))
		name = "quantize";
	else if (!strcmp(name, "lhist"))
		name = "lquantize";
	for (u32 i = 0; i < ARRAY_SIZE(aggs); i++)
		if (!strcmp(aggs[i].name, name))
			return &aggs[i];
	return NULL;
}

/* Levels of lquantize(): the two buckets outside are not counted. */
static u32 agg_levels(const s64 *p, u32 n)
{
	s64 step = n > 2 && p[2] > 0 ? p[2] : 1;

	return n > 1 && p[1] > p[0] ? (p[1] - p[0]) / step : 0;
}

/* llquantize(): each magnitude on both sides, two overflows, one underflow. */
static u32 agg_log_buckets(const s64 *p, u32 n)
{
	if (n < 4 || p[0] < 2)
		return 0;
	return 2 * (p[2] - p[1] + 1) * (p[3] - p[3] / p[0]) + 3;
}

u32 agg_value_size(const struct agg_row_def *row, const s64 *params, u32 nparams)
{
	u32 lq_levels = agg_levels(params, nparams);
	u32 llq_buckets = agg_log_buckets(params, nparams);
	const u32 sizes[] = {
#define AGG(name, sig, size, doc) size,
#include <dtx/aggs.def>
#undef AGG
	};

	return sizes[row->index];
}
