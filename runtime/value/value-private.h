/* SPDX-License-Identifier: BSD-2-Clause */
/* value-private.h - what agg.c and aggstate.c know of all aggregations. */
#ifndef DTX_RUNTIME_VALUE_PRIVATE_H
#define DTX_RUNTIME_VALUE_PRIVATE_H

#include "runtime/value/value.h"

struct aggs {
	struct agg_keys keys;            /* it has the object in the kernel */
	u32 n, ncpus;
	bool whole;              /* aggs_whole() */
	bool percpu;             /* option aggpercpu */
	struct agg_state *v;
	struct agg_state *samples;       /* one for each, made at the first sample */
	struct agg_state *into;          /* what is read goes to this sample; NULL: to v */
	struct agg_taking taking;
};

static inline struct agg_state *aggs_state(struct aggs *as, u32 agg)
{
	return agg < as->n && as->v[agg].ops ? &as->v[agg] : NULL;
}

#endif
