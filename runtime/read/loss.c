/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * loss.c - losses by probe and reason, from three sources: the programs' counters, the kernel's
 * counters of firings that reached no program, and the records.
 *
 * drop.c reports losses as they happen, in DTrace's words and without probes. This file has the
 * account of the whole run, and decides for the option strict.
 *
 * Where the kernel skips a firing (include/uapi/linux/bpf.h, kernel/trace/bpf_trace.c):
 *   bpf_prog_info.recursion_misses   a program interrupted itself, or another one (5.12)
 *   missed.c                         no return slot was free, or the probe was hit inside a
 *                                    probe
 * Samples of perf events that were not taken are counted nowhere. They are computed: the clock
 * or the count of the event, divided by its period, is how often its program should have run;
 * how often it did run, the program counts itself (dtx_ran).
 * Why: docs/decisions/24-losses.md
 */
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include <dtx/progkind.h>
#include <dtx/env.h>
#include <dtx/tables/maprole.h>

#include "runtime/load/load.h"
#include "runtime/read/read-private.h"
#include "runtime/sink/sink.h"
#include "runtime/value/value.h"
#include "runtime/provider/attach.h"

struct losses {
	u32 n;                           /* rows of the map dtx_drops: probes or programs */
	bool by_probe;
	u64 (*row)[LOSS_N];
	u64 *due;                        /* expected firings of perf events, by row */
	u64 (*kernel)[2];                /* one per attached program: skipped, missed */
	u32 nkernel;
	u64 other[LOSS_N];               /* losses of no known probe */
	struct missed *missed;           /* made on first use */
};

struct losses *loss_new(const struct img *img)
{
	struct losses *l = xcalloc(1, sizeof(*l));

	l->by_probe = img_losses_by_probe(img);
	l->n = img_loss_rows(img);
	l->row = xcalloc(l->n + 1, sizeof(*l->row));
	l->due = xcalloc(l->n + 1, sizeof(*l->due));
	return l;
}

void loss_free(struct losses *l)
{
	if (!l)
		return;
	free(l->row);
	free(l->due);
	free(l->kernel);
	missed_free(l->missed);
	free(l);
}

/* The row of a probe of a program for perf events; ~0: none. */
static u32 loss_row_of(const struct consumer *c, u32 probe)
{
	const struct img *img = c->ld->img;

	if (c->losses->by_probe)
		return probe;
	for (u32 i = 0; i < img->nprogs; i++)
		for (u32 k = 0; k < img->progs[i].nprobes; k++)
			if (img->progs[i].probes[k] == probe)
				return i;
	return ~0u;
}

bool loss_read(struct consumer *c, u64 *now)
{
	struct losses *l = c->losses;
	u32 ncpus = agg_ncpus(c->aggs);
	int fd = c->ld->obj ? load_role_fd(c->ld, ROLE_drops) : -1;

	if (fd < 0)
		return false;
	u64 *one = xcalloc(ncpus, DTX_DROP_N * sizeof(u64));

	for (u32 key = 0; key < l->n; key++) {
		if (bpf_map_lookup_elem(fd, &key, one))
			continue;
		memset(l->row[key], 0, DTX_DROP_N * sizeof(u64));
		for (u32 i = 0; i < ncpus * DTX_DROP_N; i++) {
			now[i] += one[i];
			l->row[key][i % DTX_DROP_N] += one[i];
		}
	}
	free(one);
	return true;
}

/* ---- the kernel's own counters ------------------------------------------------------ */

static u64 loss_skipped(int prog_fd)
{
	struct bpf_prog_info info = { 0 };
	u32 len = sizeof(info);

	return bpf_obj_get_info_by_fd(prog_fd, &info, &len) ? 0 : info.recursion_misses;
}

/* Only probes of kernel functions miss firings. */
static bool loss_can_miss(const struct consumer *c, const struct attached *a)
{
	return a->nprobes && kind_is(c->ld->img->progs[a->prog].kind, KIND_KERNEL);
}

static struct missed *loss_missed(struct consumer *c)
{
	struct losses *l = c->losses;

	if (!l->missed)
		l->missed = missed_new(c->ld->env);
	return l->missed;
}

/* Programs are attached during the run, too.  What is known of others stays: their counters may
 * have ended with their links. */
static void loss_grow(struct losses *l, u32 n)
{
	if (n <= l->nkernel)
		return;
	l->kernel = xrealloc(l->kernel, n * sizeof(*l->kernel));
	memset(l->kernel + l->nkernel, 0, (n - l->nkernel) * sizeof(*l->kernel));
	l->nkernel = n;
}

void loss_kernel(struct consumer *c, u64 *skipped, u64 *missed)
{
	const struct attach *at = c->at;
	struct losses *l = c->losses;

	loss_grow(l, at->attached.n);
	*skipped = *missed = 0;
	for (u32 i = 0; i < at->attached.n; i++) {
		const struct attached *a = &at->attached.v[i];
		u32 first = attach_same_prog(at, i);
		u64 sum = 0;

		if (!a->off) {
			for (u32 k = a->link; k < a->link + a->nlinks && loss_can_miss(c, a); k++)
				sum += missed_of(loss_missed(c), k, at->links.v[k]);
			l->kernel[first][0] = loss_skipped(a->prog_fd);
			l->kernel[i][1] = MAX(sum, l->kernel[i][1]);
		}
	}
	for (u32 i = 0; i < at->attached.n; i++) {
		*skipped += l->kernel[i][0];
		*missed += l->kernel[i][1];
	}
}

/* ---- perf events: what they should have given ------------------------------------------- */

#define LOSS_LATE 1000000 /* ns: a sample due this shortly before the end does not count as
			   * missing */

/* The clock of an event starts when it is enabled and runs while its CPU is online. */
static u64 loss_due_by_clock(const struct attach_sampled *e, u64 elapsed, u64 running)
{
	u64 late = MIN(e->period / 2, (u64)LOSS_LATE);

	/* The two clocks differ by adjustments of the time; by more if the CPU was offline. */
	if (running < elapsed - elapsed / 500)
		elapsed = running;
	return elapsed > late ? (elapsed - late) / e->period : 0;
}

void loss_end_samples(struct consumer *c, u32 link, u32 nlinks)
{
	struct losses *l = c->losses;

	for (u32 i = 0; i < c->at->sampled.n; i++) {
		struct attach_sampled *e = &c->at->sampled.v[i];
		struct { u64 count, enabled, running; } now;

		if (e->fd < 0 || e->link < link || e->link >= link + nlinks)
			continue;
		u64 elapsed = e->since ? clock_ns(CLOCK_MONOTONIC) - e->since : 0;
		u32 row = loss_row_of(c, e->probe);

		ioctl(e->fd, PERF_EVENT_IOC_DISABLE, 0);
		if (row < l->n && read(e->fd, &now, sizeof(now)) == sizeof(now))
			l->due[row] += e->since ? loss_due_by_clock(e, elapsed, now.running)
						: now.count / e->period;
		close(e->fd);
		e->fd = -1;
	}
}

u64 loss_samples(struct consumer *c, u64 *due)
{
	struct losses *l = c->losses;
	u32 ncpus = agg_ncpus(c->aggs);
	int fd = c->ld->obj ? load_role_fd(c->ld, ROLE_runs) : -1;
	u64 *one = xcalloc(ncpus, sizeof(u64)), lost = 0;

	*due = 0;
	for (u32 key = 0; key < l->n && fd >= 0; key++) {
		u64 ran = 0;

		if (!l->due[key] || bpf_map_lookup_elem(fd, &key, one))
			continue;
		for (u32 i = 0; i < ncpus; i++)
			ran += one[i];
		l->row[key][LOSS_SAMPLES] = l->due[key] - MIN(ran, l->due[key]);
		lost += l->row[key][LOSS_SAMPLES];
		*due += l->due[key];
	}
	free(one);
	return lost;
}

/* The kernel lowers the limit if its samples take long, and drops samples above it without
 * counting them. */
u64 loss_limited(struct consumer *c)
{
	const struct attach *at = c->at;
	const struct img *img = c->ld->img;
	u64 now = 0, told = c->limited;
	s64 limit = file_number("/proc/sys/kernel/perf_event_max_sample_rate", INT64_MAX);

	for (u32 i = 0; i < at->attached.n; i++) {
		const struct attached *a = &at->attached.v[i];

		if (a->off || !kind_is(img->progs[a->prog].kind, KIND_SAMPLE))
			continue;
		for (u32 k = 0; k < a->nprobes; k++) {
			const struct dtx_probe *p = img_probe(img, a->probes[k]);

			now += !strcmp(p->prov, "profile") && 1000000000 / p->place.num > limit;
		}
	}
	c->limited = MAX(now, told);
	return c->limited - told;
}

/* ---- what the consumer sees ------------------------------------------------------------ */

void loss_of_probe(struct consumer *c, u32 probe, enum loss what)
{
	struct losses *l = c->losses;

	if (l->by_probe && probe < l->n)
		l->row[probe][what]++;
	else
		l->other[what]++;
}

void loss_other(struct consumer *c, enum loss what, u64 n)
{
	c->losses->other[what] += n;
}

bool loss_unknown(const struct consumer *c)
{
	return c->losses->missed && missed_unknown(c->losses->missed);
}

bool loss_any(const struct consumer *c)
{
	const struct losses *l = c->losses;
	u64 any = 0;

	for (u32 r = 0; r < LOSS_N; r++) {
		any |= l->other[r];
		for (u32 i = 0; i < l->n; i++)
			any |= l->row[i][r];
	}
	for (u32 i = 0; i < l->nkernel; i++)
		any |= l->kernel[i][0] | l->kernel[i][1];
	return any;
}

/* ---- the account --------------------------------------------------------------------------- */

static const char *loss_row_name(struct consumer *c, u32 key)
{
	const struct img *img = c->ld->img;
	const struct img_prog *p = c->losses->by_probe ? NULL : &img->progs[key];
	const struct dtx_probe *probe = img_probe(img, p ? p->probes[0] : key);

	return arena_printf(c->arena,
			    p && p->nprobes > 1 ? PROBE_NAME " and %u more" : PROBE_NAME,
			    PROBE_PARTS(probe),
			    p ? p->nprobes - 1 : 0);
}

/* name: NULL for what is not counted by probe. */
static void loss_say(struct consumer *c, const char *name, const u64 *row)
{
	struct dtx_message m = MESSAGE(DTX_ACCOUNT, DTX_WARNING);
	struct dtx_loss losses[LOSS_N];
	struct buf b = { 0 };

	for (u32 r = 0; r < LOSS_N; r++) {
		if (!row[r])
			continue;
		buf_printf(&b, "%s%" PRIu64 " %s", b.len ? ", " : "", row[r],
			   drop_words(r, row[r]));
		losses[m.nlosses++] = (struct dtx_loss){ drop_tag(r), row[r] };
		m.count += row[r];
	}
	m.probe = name;
	m.losses = losses;
	if (m.nlosses && env_is_quiet(c->ld->env)) {
		char *text = xprintf("lost in all%s%s: %s", name ? " by " : "",
				     name ? name : "", b.data);

		m.text = text;
		m.tool = c->ld->env->diags.tool;
		outs_message(c->outs, &m, false);
		free(text);
	} else if (m.nlosses) {
		consumer_tell(c, m, "lost in all%s%s: %s", name ? " by " : "",
			      name ? name : "", b.data);
	}
	buf_free(&b);
}

static bool loss_in(const u64 *row)
{
	u64 any = 0;

	for (u32 r = 0; r < LOSS_N; r++)
		any |= row[r];
	return any;
}

void loss_account(struct consumer *c)
{
	const struct losses *l = c->losses;

	for (u32 i = 0; i < l->n; i++)
		if (loss_in(l->row[i]))
			loss_say(c, loss_row_name(c, i), l->row[i]);
	for (u32 i = 0; i < l->nkernel; i++) {
		u64 row[LOSS_N] = {
			[LOSS_SKIPPED] = l->kernel[i][0], [LOSS_MISSED] = l->kernel[i][1]
		};

		if (loss_in(row))
			loss_say(c, attach_name(c->at, &c->at->attached.v[i]), row);
	}
	loss_say(c, NULL, l->other);
}
