/* SPDX-License-Identifier: BSD-2-Clause */
/* kitchen.c - a format: each value on a line of its own, after what the option `spoon` says. */
#include <stdio.h>

#include <dtx/opt.h>

#include "runtime/sink/sink.h"

static void one(struct out *o, s64 v)
{
	fprintf(o->file, "%s%lld\n", opt_text(o->env, OPT_spoon), (long long)v);
}

static void kitchen_event(struct out *o, const struct event *ev)
{
	for (u32 i = 0; i < ev->nitems; i++)
		for (u32 k = 0; ev->items[i].kind == ITEM_VALUES && k < ev->items[i].act->nfields;
		     k++)
			one(o, (s64)ev->items[i].vals[k].u);
}

static void kitchen_aggs(struct out *o, const struct agg_print *p)
{
	for (u32 r = 0; p->naggs && r < p->nrows; r++) {
		const struct agg_row *row = agg_print_row(p, r);

		one(o, agg_s64(agg_value(p, row, 0, NULL).number));
	}
}

const struct dtx_sink sink_kitchen = {
	.name = "kitchen",
	.doc = "added by a recipe",
	.event = kitchen_event,
	.aggs = kitchen_aggs,
};
