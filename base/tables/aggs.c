/* SPDX-License-Identifier: BSD-2-Clause */
/* aggs.c - aggs.def as a table: names, constants, sizes. */
#include <dtx/aggid.h>
#include <dtx/aggs.h>
#include <dtx/abi.h>
#include <dtx/tag.h>

const u32 agg_nfuncs = AGG_N;
const struct agg_func agg_funcs[] = {
#define AGG(name, sig, words, flags, merge, value, rule, doc) \
	{ #name, AGG_##name, sig, doc, flags },
#include <dtx/tables/aggs.def>
};

/* The rows of one function are adjacent. */
static const struct agg_const consts[] = {
#define AGG_CONST(name, ...) { AGG_##name, __VA_ARGS__ },
#include <dtx/tables/aggs.def>
};

const struct agg_func *agg_func(const char *name)
{
	for (u32 i = 0; i < AGG_N; i++)
		if (!strcmp(agg_funcs[i].name, name))
			return &agg_funcs[i];
	return NULL;
}

const struct agg_const *agg_consts(const struct agg_func *f, u32 *n)
{
	const struct agg_const *first = NULL;

	*n = 0;
	for (u32 i = 0; i < ARRAY_SIZE(consts); i++) {
		if (consts[i].agg != f->id)
			continue;
		if (!first)
			first = &consts[i];
		++*n;
	}
	return first;
}

bool agg_increments(const struct agg_func *f)
{
	u32 nconsts, commas = 0;

	for (const char *p = f->sig; *p; p++)
		commas += *p == ',';
	agg_consts(f, &nconsts);
	return commas > nconsts;
}

bool agg_const_ok(const struct agg_const *k, s64 value)
{
	return value >= k->min && value <= k->max;
}

u64 agg_words(const struct agg_func *f, const s64 *p)
{
	u32 n;
	const struct agg_const *k = agg_consts(f, &n);

	for (u32 i = 0; i < n; i++)
		if (!agg_const_ok(&k[i], p[i]))
			return 0;
	switch (f->id) {
#define AGG(name, sig, words, ...) case AGG_##name: return words;
#include <dtx/tables/aggs.def>
	case AGG_N: break;
	}
	return 0;
}
