/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * value.c - the values that sinks see (dtx/value.h): what kind one is, and the numbers or the
 * buckets of an aggregation.
 */
#include <dtx/aggs.h>
#include <dtx/env.h>

#include "runtime/value/value.h"

void val_visit(const struct val *v, const struct val_visitor *to, void *arg)
{
	switch (v->kind) {
	case VAL_INT:
		to->integer(arg, v);
		break;
	case VAL_STR:
		to->text(arg, v);
		break;
	case VAL_BYTES:
		to->bytes(arg, v);
		break;
	case VAL_STACK:
		to->stack(arg, v);
		break;
	case VAL_SYM:
		to->symbol(arg, v);
		break;
	}
}

static void value_buckets(const struct img_agg *agg, const u64 *data, s64 norm, struct arena *a,
			  struct agg_value *to)
{
	struct agg_bucket *b;
	struct hist_bucket k;
	struct hist_walk w;
	u32 n = 0;

	for (hist_walk(&w, agg, data); hist_next(&w, &k); n++) {
		bool beyond = k.count == AGG_BEYOND;

		to->beyond |= beyond;
		to->sum += beyond ? 0 : k.count;
	}
	if (!a)
		return;
	to->buckets = b = ARENA_ARRAY(a, struct agg_bucket, MAX(n, 1u));
	for (hist_walk(&w, agg, data); hist_next(&w, &k);)
		b[to->nbuckets++] =
			(struct agg_bucket){ k.low, k.high, k.count == AGG_BEYOND ? k.count :
					     agg_s64(agg_div(k.count, norm)), k.index };
}

static struct agg_value value_of(const struct img_agg *agg, const u64 *data, s64 norm,
				 struct arena *a)
{
	struct agg_value v = agg_numbers(agg, data, norm);

	if (v.kind == AGG_HISTOGRAM)
		value_buckets(agg, data, norm, a, &v);
	return v;
}

struct agg_value agg_value(const struct agg_print *p, const struct agg_row *row, u32 i,
			   struct arena *a)
{
	return value_of(p->aggs[i], row[i].data, row[i].norm, a);
}

struct agg_value agg_value_of_cpu(const struct agg_print *p, const struct agg_row *row, u32 i,
				  u32 cpu, struct arena *a)
{
	size_t words = agg_data_words(p->aggs[i]);

	return value_of(p->aggs[i], row[i].percpu + cpu * words, row[i].norm, a);
}

/* The first word: of min() and max() the distance from what no value is less or larger than. */
bool agg_cpu_has(const struct agg_print *p, const struct agg_row *row, u32 i, u32 cpu)
{
	const struct img_agg *agg = p->aggs[i];

	if (!agg_has(agg, AGGF_EXTREME) && agg_kind(agg) != AGG_MEAN)
		return true;
	return row[i].percpu[(size_t)cpu * agg_data_words(agg)] || !row[i].data[0];
}

struct agg_value agg_value_plain(const struct agg_print *p, const struct agg_row *row, u32 i,
				 struct arena *a)
{
	return value_of(p->aggs[i], row[i].data, 1, a);
}

void agg_text(struct dtx_env *env, const struct agg_print *p, const struct agg_row *row, u32 i,
	      u32 cpu, struct buf *out)
{
	const struct img_agg *agg = p->aggs[i];
	const u64 *data = cpu == AGG_ALL_CPUS ? row[i].data :
			  row[i].percpu + (size_t)cpu * agg_data_words(agg);
	struct hist_style style;

	if (agg_kind(agg) != AGG_HISTOGRAM) {
		agg_render(agg, data, row[i].norm, out);
		return;
	}
	style = hist_style(env->opts);
	hist_render_as(agg, data, row[i].norm, &style, out);
}
