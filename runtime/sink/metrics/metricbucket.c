/* SPDX-License-Identifier: BSD-2-Clause */
/* metricbucket.c - the buckets of a histogram, for both formats. */
#include <dtx/aggs.h>

#include "runtime/sink/metrics/metrics.h"

/* Buckets of negative values are there only if one of them has a count: without it they add
 * nothing on any machine. */
bool metric_bucket(const struct metric_row *r, u32 *i, s64 *high, s128 *sum)
{
	u32 n = hist_buckets(r->agg);
	bool negative = !agg_has(r->agg, AGGF_POWERS);
	s64 low;

	while (*i < n) {
		u32 at = (*i)++;

		*sum += r->counts[at];
		if (hist_bounds(r->agg, at, &low, high) && *high != INT64_MAX &&
		    (*high >= 0 || *sum || negative))
			return true;
	}
	return false;
}
