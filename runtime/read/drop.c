/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * drop.c - losses that the programs counted since the last report, in DTrace's
 * words (DTrace guide "Buffers and Buffering").
 */
#include <inttypes.h>
#include <stdlib.h>

#include <bpf/bpf.h>

#include <dtx/opt.h>
#include <dtx/env.h>
#include <dtx/tables/maprole.h>

#include "runtime/load/load.h"
#include "runtime/proc/proc.h"
#include "runtime/read/read-private.h"
#include "runtime/value/value.h"

/* Suggests the option that helps, with twice its value, or 1; once for each reason. */
static const char *drop_hint(struct consumer *c, u32 reason)
{
	const char *name = drop_texts[reason].option;
	s64 n = name ? opt_num(c->ld->env, options_find(name)) : 0;
	const char *unit = n && !(n % (1 << 20)) ? "m" : n && !(n % (1 << 10)) ? "k" : "";

	u32 full = reason == DTX_DROP_STACK ? stacktake_full(c->ld) :
		   reason == DTX_DROP_AGG ? aggs_full(c->aggs) : 0;

	if (!name || n > INT64_MAX / 2 || c->hinted_drops & 1u << reason)
		return NULL;
	c->hinted_drops |= 1u << reason;
	if (full)
		return arena_printf(c->arena, "different stacks, or rows that have them, fill %u "
				    "MB, which is the most: take fewer by a predicate, or fewer "
				    "frames, ustack(20)", full);
	n >>= *unit == 'm' ? 20 : *unit == 'k' ? 10 : 0;
	return arena_printf(c->arena,
			    "option %s gives more room: -x %s=%" PRId64 "%s (now %" PRId64 "%s); "
			    "a pragma in the script takes precedence",
			    name, name, MAX(n * 2, 1), unit, n, unit);
}

static void drop_report(struct consumer *c, u32 reason, u64 n, int cpu)
{
	const struct drop_text *t = &drop_texts[reason];
	char tag[40] = "", on[32] = "";

	if (!n)
		return;
	if (opt_num(c->ld->env, OPT_droptags))
		snprintf(tag, sizeof(tag), "[DTRACEDROP_%s] ", t->tag);
	if (cpu >= 0)
		snprintf(on, sizeof(on), " on CPU %d", cpu);
	struct dtx_message m = drop_message(reason, n);

	m.cpu = cpu;
	m.hint = drop_hint(c, reason);
	consumer_tell(c, m, "%s%" PRIu64 " %s%s", tag, n, drop_words(reason, n), on);
}

#define ASTRAY_AFTER 500000000ull        /* ns: longer than the dynamic linker looks for a name */

/* Calls that have left their function and have come to none of those they were waited for in. */
static u64 astray(struct consumer *c)
{
	int fd = c->ld->obj ? load_role_fd(c->ld, ROLE_waits) : -1;
	struct dtx_wait_key key, *last = NULL;
	struct dtx_wait w;
	u64 n = 0, now = (u64)clock_ns(CLOCK_MONOTONIC);

	while (fd >= 0 && !bpf_map_get_next_key(fd, last, &key)) {
		bool gone = !c->ld->env->pidns && !proc_exists((s32)key.process);

		last = &key;
		if (bpf_map_lookup_elem(fd, &key, &w))
			continue;
		n += w.lost + (w.jumping && (gone || now - w.since > ASTRAY_AFTER));
	}
	return n;
}

static void report_astray(struct consumer *c)
{
	u64 n = astray(c), more = n - MIN(c->astray, n);

	drop_report(c, LOSS_ASTRAY, more, -1);
	loss_other(c, LOSS_ASTRAY, more);
	c->astray = MAX(c->astray, n);
}

static void report_drops(struct consumer *c, bool last, void (*drain)(void *), void *arg)
{
	u32 ncpus = agg_ncpus(c->aggs);
	u64 *now = xcalloc(ncpus, DTX_DROP_N * sizeof(u64)), lost = 0;

	if (!loss_read(c, now)) {
		free(now);
		return;
	}
	if (drain)
		drain(arg);
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
	if (last)
		report_astray(c);
}

void consumer_report_drops(struct consumer *c, bool last)
{
	report_drops(c, last, NULL, NULL);
}

void consumer_report_skips(struct consumer *c)
{
	u64 skipped, missed, limited = loss_limited(c);

	loss_kernel(c, &skipped, &missed);
	drop_report(c, LOSS_LIMITED, limited, -1);
	loss_other(c, LOSS_LIMITED, limited);
	drop_report(c, LOSS_SKIPPED, skipped - MIN(c->skipped, skipped), -1);
	drop_report(c, LOSS_MISSED, missed - MIN(c->missed, missed), -1);
	c->skipped = skipped;
	c->missed = missed;
}

#define SAMPLES_MANY  1000
#define SAMPLES_SHARE 20         /* one of so many */

/* Most machines lose some samples, because timers are late: reported only in the account, or if the
 * loss makes dtx fail, or if it is large and there is no account. */
void consumer_report_samples(struct consumer *c)
{
	u64 due, lost = loss_samples(c, &due);
	bool many = lost >= SAMPLES_MANY && lost > due / SAMPLES_SHARE;

	if (env_is_strict(c->ld->env) || (many && env_is_quiet(c->ld->env)))
		drop_report(c, LOSS_SAMPLES, lost, -1);
}

void consumer_drops(struct consumer *c, void (*drain)(void *), void *arg)
{
	report_drops(c, false, drain, arg);
	drop_report(c, LOSS_MALFORMED, c->malformed, -1);
	loss_other(c, LOSS_MALFORMED, c->malformed);
	c->malformed = 0;
}
