/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * drop.c - losses: what the programs counted since the last time, in DTrace's words
 * (d-builtins §9).
 */
#include <inttypes.h>
#include <stdlib.h>

#include <bpf/bpf.h>

#include "runtime.h"

/* Text after the number, singular and plural; per CPU when `cpu`. */
static const struct drop_text {
	const char *tag, *one, *many;
	bool cpu;
} drop_texts[DTX_DROP_N] = {
	[DTX_DROP_PRINCIPAL] = { "PRINCIPAL", "drop", "drops", true },
	[DTX_DROP_AGG] = { "AGGREGATION", "aggregation drop", "aggregation drops", true },
	[DTX_DROP_DYNVAR] = { "DYNAMIC", "dynamic variable drop", "dynamic variable drops", false },
	[DTX_DROP_SPEC] = { "SPEC", "speculative drop", "speculative drops", false },
	[DTX_DROP_SPECUNAVAIL] = { "SPECUNAVAIL",
		"failed speculation (no speculative buffer available)",
		"failed speculations (no speculative buffer available)", false },
	[DTX_DROP_SPECBUSY] = { "SPECBUSY",
		"failed speculation (available buffer(s) still busy)",
		"failed speculations (available buffer(s) still busy)", false },
	[DTX_DROP_STACK] = { "STACK", "stack drop", "stack drops", false },
	[DTX_DROP_STRCUT] = { "STRCUT", "string cut to strsize", "strings cut to strsize", false },
	[DTX_DROP_NEST] = { "NEST", "firing lost (probes nested too deep)",
		"firings lost (probes nested too deep)", false },
	[DTX_DROP_DBLERROR] = { "DBLERROR", "error in ERROR probe enabling",
		"errors in ERROR probe enabling", false },
};

static void drop_report(struct consumer *c, enum dtx_drop reason, u64 n, int cpu)
{
	const struct drop_text *t = &drop_texts[reason];
	char tag[40] = "", on[32] = "";

	if (!n)
		return;
	if (c->s->env->opts.v[OPT_droptags].n)
		snprintf(tag, sizeof(tag), "[DTRACEDROP_%s] ", t->tag);
	if (cpu >= 0)
		snprintf(on, sizeof(on), " on CPU %d", cpu);
	consumer_warn(c, "%s%" PRIu64 " %s%s", tag, n, n == 1 ? t->one : t->many, on);
}

/* Sums over programs: DTX_DROP_N numbers a CPU. */
static bool drops_read(struct consumer *c, u64 *now)
{
	u32 ncpus = agg_ncpus(c->aggs);
	int fd = c->s->obj ? load_map_fd(c->s, "dtx_drops") : -1;

	if (fd < 0)
		return false;
	u64 *one = xcalloc(ncpus, DTX_DROP_N * sizeof(u64));

	for (u32 prog = 0; prog < c->s->img->nprogs; prog++) {
		if (bpf_map_lookup_elem(fd, &prog, one))
			continue;
		for (u32 i = 0; i < ncpus * DTX_DROP_N; i++)
			now[i] += one[i];
	}
	free(one);
	return true;
}

/* `last`: also what is no loss of records but of parts of them. */
void consumer_report_drops(struct consumer *c, bool last)
{
	u32 ncpus = agg_ncpus(c->aggs);
	u64 *now = xcalloc(ncpus, DTX_DROP_N * sizeof(u64)), lost = 0;

	if (!drops_read(c, now)) {
		free(now);
		return;
	}
	for (u32 reason = 0; reason < DTX_DROP_N; reason++) {
		u64 sum = 0;

		if (reason == DTX_DROP_STRCUT && !last)
			continue;
		for (u32 cpu = 0; cpu < ncpus; cpu++) {
			u32 i = cpu * DTX_DROP_N + reason;
			u64 n = now[i] - c->drops[i];

			c->drops[i] = now[i];
			sum += n;
			if (drop_texts[reason].cpu)
				drop_report(c, reason, n, cpu);
		}
		if (reason == DTX_DROP_PRINCIPAL)
			lost = sum;
		if (!drop_texts[reason].cpu)
			drop_report(c, reason, sum, -1);
	}
	if (lost || c->lost)
		spec_recover(c);
	c->lost = lost;
	free(now);
}

void consumer_drops(struct consumer *c)
{
	consumer_report_drops(c, false);
	if (c->malformed)
		consumer_warn(c, "%" PRIu64 " malformed record%s", c->malformed,
			      c->malformed == 1 ? "" : "s");
	c->malformed = 0;
}

