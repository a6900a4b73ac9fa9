/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * metricproto.c - metrics as protocol buffers (metrics.proto), with native histograms.
 *
 * quantize() has powers of two as its bounds, and so has schema 0.  But its buckets begin with them
 * (2^k .. 2^(k+1) - 1), while native ones end with them (2^k + 1 .. 2^(k+1), of integers).  So a
 * bucket is given as the native one that has all its integers but the first: 2^k itself is shown as
 * if it were one more.  Negative values are shifted in the same way, away from 0.
 *
 * The sum of a histogram is not known: it is NaN, which says so.
 */
#include <math.h>
#include <stdlib.h>

#include <dtx/aggs.h>

#include "runtime/sink/metrics/metrics.h"
#include "runtime/sink/metrics/metrics.pb-c.h"

#define NEAR_ZERO  0x1p-128      /* what counts as 0: the usual one, and no integer lies below */
#define QUANT_ONE  64            /* the bucket of 1 (hist.c); -1 is two below */

/* ---- delimited messages ---------------------------------------------- */

static void proto_put(struct buf *out, const ProtobufCMessage *m)
{
	size_t len = protobuf_c_message_get_packed_size(m);
	u8 *packed = xmalloc(len + 1);

	protobuf_c_message_pack(m, packed);
	buf_add(out, (char *)packed, len);
	free(packed);
}

/* Messages behind each other are one, with the members of all: so rows follow the head. */
static void proto_family(struct metric_out *o, const char *name, const char *help,
			 enum metric_kind kind)
{
	static const Prom__MetricType types[] = {
		[METRIC_COUNTER] = PROM__METRIC_TYPE__COUNTER,
		[METRIC_GAUGE] = PROM__METRIC_TYPE__GAUGE,
		[METRIC_SUMMARY] = PROM__METRIC_TYPE__SUMMARY,
		[METRIC_HISTOGRAM] = PROM__METRIC_TYPE__HISTOGRAM,
	};
	Prom__MetricFamily f = PROM__METRIC_FAMILY__INIT;

	f.name = (char *)name;
	f.help = (char *)help;
	f.has_type = true;
	f.type = types[kind];
	o->kind = kind;
	buf_reset(&o->body);
	proto_put(&o->body, &f.base);
}

static void proto_family_end(struct metric_out *o)
{
	buf_varint(&o->text, o->body.len);
	buf_add(&o->text, o->body.data, o->body.len);
}

/* ---- histograms ---------------------------------------------- */

/* Weights of quantize() may be negative; these counts are not. */
static u64 proto_count(s128 sum)
{
	return sum < 0 ? 0 : (u64)sum;
}

static void proto_buckets(struct metric_out *o, const struct metric_row *r, Prom__Histogram *h)
{
	u32 most = hist_buckets(r->agg);
	Prom__Bucket *v = ARENA_ARRAY(o->arena, Prom__Bucket, most + 1);
	s128 sum = 0;
	s64 high;

	h->bucket = ARENA_ARRAY(o->arena, Prom__Bucket *, most + 1);
	for (u32 i = 0; metric_bucket(r, &i, &high, &sum); h->n_bucket++) {
		Prom__Bucket *b = h->bucket[h->n_bucket] = &v[h->n_bucket];

		prom__bucket__init(b);
		b->has_cumulative_count = sum <= UINT64_MAX;
		b->cumulative_count = proto_count(sum);
		b->has_cumulative_count_float = !b->has_cumulative_count;
		b->cumulative_count_float = (double)sum;
		b->has_upper_bound = true;
		b->upper_bound = (double)high;
	}
	h->has_sample_count = sum <= UINT64_MAX;
	h->sample_count = proto_count(sum);
	h->has_sample_count_float = !h->has_sample_count;
	h->sample_count_float = (double)sum;
	h->has_sample_sum = true;
	h->sample_sum = NAN;
}

/* The buckets of one sign, from 1 or -1 outwards; those with counts in a row are a span. */
struct proto_side {
	Prom__BucketSpan **spans;
	s64 *deltas;
	size_t nspans, ndeltas;
};

static struct proto_side proto_side(struct metric_out *o, const s64 *counts, u32 first, int step,
				    u32 n)
{
	struct proto_side s = {
		ARENA_ARRAY(o->arena, Prom__BucketSpan *, n),
		ARENA_ARRAY(o->arena, s64, n),
	};
	Prom__BucketSpan *v = ARENA_ARRAY(o->arena, Prom__BucketSpan, n), *span = NULL;
	u64 before = 0;
	u32 end = 0;                     /* the native bucket behind the last span */

	for (u32 k = 0; k < n; k++) {
		u64 count = (u64)counts[(int)first + step * (int)k];

		if (!count) {
			span = NULL;
			continue;
		}
		if (!span) {
			span = s.spans[s.nspans] = &v[s.nspans];
			s.nspans++;
			prom__bucket_span__init(span);
			span->has_offset = span->has_length = true;
			span->offset = (s32)(k + 1 - end);       /* 2^k .. is bucket k + 1 */
		}
		span->length++;
		end = k + 2;
		s.deltas[s.ndeltas++] = (s64)(count - before);
		before = count;
	}
	return s;
}

/* Native histograms of integers have no negative counts, which weights of quantize() can bring
 * about, and no total beyond 64 bits. */
static bool proto_is_native(const struct metric_row *r, const Prom__Histogram *h)
{
	if (!agg_has(r->agg, AGGF_POWERS) || !h->has_sample_count)
		return false;
	for (u32 i = 0; i < hist_buckets(r->agg); i++)
		if (r->counts[i] < 0)
			return false;
	return true;
}

static void proto_native(struct metric_out *o, const struct metric_row *r, Prom__Histogram *h)
{
	u32 n = hist_buckets(r->agg);
	struct proto_side up = proto_side(o, r->counts, QUANT_ONE, 1, n - QUANT_ONE);
	struct proto_side down = proto_side(o, r->counts, QUANT_ONE - 2, -1, QUANT_ONE - 1);

	h->has_schema = h->has_zero_threshold = h->has_zero_count = true;
	h->zero_threshold = NEAR_ZERO;
	h->zero_count = (u64)r->counts[QUANT_ONE - 1];
	h->positive_span = up.spans;
	h->n_positive_span = up.nspans;
	h->positive_delta = up.deltas;
	h->n_positive_delta = up.ndeltas;
	h->negative_span = down.spans;
	h->n_negative_span = down.nspans;
	h->negative_delta = down.deltas;
	h->n_negative_delta = down.ndeltas;
}

/* ---- rows ---------------------------------------------- */

static void proto_labels(struct metric_out *o, const struct metric_row *r, Prom__Metric *m)
{
	Prom__LabelPair *v = ARENA_ARRAY(o->arena, Prom__LabelPair, r->nlabels + 1);

	m->label = ARENA_ARRAY(o->arena, Prom__LabelPair *, r->nlabels + 1);
	m->n_label = r->nlabels;
	for (u32 i = 0; i < r->nlabels; i++) {
		prom__label_pair__init(&v[i]);
		v[i].name = (char *)r->label[i].name;
		v[i].value = (char *)r->label[i].text;
		m->label[i] = &v[i];
	}
}

static void proto_row(struct metric_out *o, const struct metric_row *r)
{
	Prom__MetricFamily f = PROM__METRIC_FAMILY__INIT;
	Prom__Metric m = PROM__METRIC__INIT, *one = &m;
	Prom__Number number = PROM__NUMBER__INIT;
	Prom__Summary summary = PROM__SUMMARY__INIT;
	Prom__Histogram hist = PROM__HISTOGRAM__INIT;

	f.metric = &one;
	f.n_metric = 1;
	proto_labels(o, r, &m);
	if (o->kind == METRIC_HISTOGRAM) {
		m.histogram = &hist;
		proto_buckets(o, r, &hist);
		if (proto_is_native(r, &hist))
			proto_native(o, r, &hist);
	} else if (o->kind == METRIC_SUMMARY) {
		m.summary = &summary;
		summary.has_sample_count = summary.has_sample_sum = true;
		summary.sample_count = r->value.count;
		summary.sample_sum = (double)r->value.sum;
	} else {
		*(o->kind == METRIC_GAUGE ? &m.gauge : &m.counter) = &number;
		number.has_value = true;
		number.value = r->value.is_unsigned ? (double)(u64)r->value.number :
			       (double)r->value.number;
	}
	proto_put(&o->body, &f.base);
	arena_clear(o->arena);
}

static void proto_end(struct metric_out *o)
{
}

const struct metric_writer metric_proto = { proto_family, proto_row, proto_family_end, proto_end };
