/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tell.c - what is told while records are read: a message, and the words of losses in it.
 */
#include <stdarg.h>

#include <dtx/env.h>

#include "runtime/load/load.h"
#include "runtime/read/read-private.h"
#include "runtime/sink/sink.h"

const struct drop_text drop_texts[LOSS_N] = {
	[DTX_DROP_PRINCIPAL] = { "PRINCIPAL", "drop", "drops", true, "bufsize" },
	[DTX_DROP_AGG] = { "AGGREGATION", "aggregation drop", "aggregation drops", true,
			   "aggsize" },
	[DTX_DROP_DYNVAR] = { "DYNAMIC", "dynamic variable drop", "dynamic variable drops", false,
			      "dynvarsize" },
	[DTX_DROP_SPEC] = { "SPEC", "speculative drop", "speculative drops", false, "specsize" },
	[DTX_DROP_SPECUNAVAIL] = { "SPECUNAVAIL",
				   "failed speculation (no speculative buffer available)",
				   "failed speculations (no speculative buffer available)", false,
				   "nspec" },
	[DTX_DROP_SPECBUSY] = { "SPECBUSY", "failed speculation (available buffer still busy)",
				"failed speculations (available buffers still busy)", false,
				"nspec" },
	[DTX_DROP_STACK] = { "STACK", "stack drop", "stack drops", false, "nstacks" },
	[DTX_DROP_STRCUT] = { "STRCUT", "string cut to strsize", "strings cut to strsize", false,
			      "strsize" },
	[DTX_DROP_NEST] = { "NEST", "firing lost (probes nested too deep)",
			    "firings lost (probes nested too deep)", false },
	[DTX_DROP_DBLERROR] = { "DBLERROR", "error in ERROR probe enabling",
				"errors in ERROR probe enabling", false },
	[LOSS_SKIPPED] = { "SKIPPED", "firing skipped by the kernel (inside another program)",
			   "firings skipped by the kernel (inside other programs)", false },
	[LOSS_MISSED] = { "MISSED",
			  "firing missed by a kernel probe (recursion, or no return slot)",
			  "firings missed by kernel probes (recursion, or no return slot)", false },
	[LOSS_LIMITED] = { "LIMITED",
			   "profile probe faster than kernel.perf_event_max_sample_rate allows: "
			   "samples are missing",
			   "profile probes faster than kernel.perf_event_max_sample_rate allows: "
			   "samples are missing",
			   false },
	[LOSS_SAMPLES] = { "SAMPLES",
			   "sample not taken by the kernel (throttled, timer late, CPU idle, or "
			   "inside another program)",
			   "samples not taken by the kernel (throttled, timer late, CPU idle, or "
			   "inside other programs)",
			   false },
	[LOSS_FAULT] = { "FAULT", "clause given up after an error", "clauses given up after errors",
			 false },
	[LOSS_MALFORMED] = { "MALFORMED", "malformed record", "malformed records", false },
	[LOSS_UNREAD] = { "UNREAD", "aggregation that could not be read",
			  "aggregations that could not be read", false },
	[LOSS_DETACHED] = { "DETACHED", "probe detached by maxoverhead",
			    "probes detached by maxoverhead", false },
	[LOSS_ASTRAY] = { "ASTRAY", "return not seen: its function ended by a jump, and not to "
			  "where it was looked for",
			  "returns not seen: their functions ended by jumps, and not to where they "
			  "were looked for", false },
	[LOSS_ABANDONED] = { "ABANDONED", "record not read (interrupted twice)",
			     "records not read (interrupted twice)", false },
};

const char *drop_words(u32 loss, u64 n)
{
	return n == 1 ? drop_texts[loss].one : drop_texts[loss].many;
}

const char *drop_tag(u32 loss)
{
	return drop_texts[loss].tag;
}

struct dtx_message drop_message(u32 loss, u64 n)
{
	struct dtx_message m = MESSAGE(DTX_LOSS, DTX_WARNING);

	m.reason = drop_texts[loss].tag;
	m.count = n;
	return m;
}

/* Flushes the output first: it appears before the message. */
void consumer_tell(struct consumer *c, struct dtx_message m, const char *fmt, ...)
{
	va_list ap;

	if (c->out->sink->flush)
		c->out->sink->flush(c->out);
	va_start(ap, fmt);
	diags_vsay(&c->ld->env->diags, m, fmt, ap);
	va_end(ap);
}
