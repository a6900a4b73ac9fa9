/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * overhead.c - the option maxoverhead: measures the CPU time of the programs, and detaches
 * the most expensive one if they use too much.
 *
 * The kernel's run-time statistics (BPF_ENABLE_STATS, Linux 5.8) give each program's time and
 * number of runs. They cost two clock reads per run, and do not include the cost of the probe
 * itself.  That is measured when it matters (trapprice.c) and added for each firing.
 *
 * The limit is a share of the time of all CPUs; for a probe in a program it is also one of a
 * single CPU, as that program is what waits, however many CPUs are idle. It is checked every
 * OVERHEAD_PERIOD; one program is detached at a time, and its effect is measured before the next
 * one. Programs that keep registers for others stay: without them these would find those of
 * earlier calls.
 *
 * Without the option, the first OVERHEAD_FIRST ns of a run are looked at in the same way: who did
 * not expect that a function is hot is warned, and nothing is detached.
 * Why: docs/decisions/25-max-overhead.md
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include <dtx/arch.h>
#include <dtx/progkind.h>
#include <dtx/env.h>

#include "runtime/code/code.h"
#include "runtime/kernel/kernel.h"
#include "runtime/run/run.h"
#include "runtime/provider/provider.h"

#define RUNS_LEAST   100         /* firings between two looks that are worth a measurement */
#define WARN_PERCENT 10          /* of a CPU */
#define LOOKED_AT    64          /* instructions at probes of one program */

struct overhead {
	struct dtx_session *s;
	int stats_fd;                    /* statistics are on as long as it is open */
	u64 limit;                       /* share of CPU time, in 1/10000 */
	u64 then;                        /* CLOCK_MONOTONIC of the last check, ns */
	bool only_warns;                 /* once, without the option */
	int trap[TRAPS];                 /* fd to measure with, 0: none */
	u64 price[TRAPS];                /* ns */
	struct overhead_last { u64 ns, runs; } *last;    /* one per attached program … */
	enum trap *traps;                                /* … and what stops for it */
	u32 nlast;
};

static struct overhead_last overhead_read(const struct attached *a)
{
	struct bpf_prog_info info = { 0 };
	u32 len = sizeof(info);

	if (bpf_obj_get_info_by_fd(a->prog_fd, &info, &len))
		return (struct overhead_last){ 0 };
	return (struct overhead_last){ info.run_time_ns, info.run_cnt };
}

/*
 * The kernel does some instructions itself when a probe is at them; for others it steps over a
 * copy, which may take thirty times as long in a virtual machine.
 */
static bool overhead_is_emulated(struct dtx_env *env, const struct dtx_probe *p)
{
	u8 in[ARCH_EMULATED_BYTES];
	int fd = p->place.target && !p->late ? codefile_open_same(env, p->place.target) : -1;

	if (fd < 0)
		return false;
	bool whole = pread(fd, in, sizeof(in), (off_t)user_probed(p)) == sizeof(in);

	close(fd);
	return whole && arch_insn_emulated(in);
}

/* What stops a program or the kernel so that the BPF program runs. */
static enum trap overhead_trap_of(const struct overhead *o, u32 prog, const struct dtx_probe *p)
{
	u32 kind = o->s->img->progs[prog].kind;
	bool ret = kind_is(kind, KIND_RETURN | KIND_BOTH);

	if (kind_is(kind, KIND_USER) && !ret && overhead_is_emulated(o->s->env, p))
		return TRAP_NOP;
	if (kind_is(kind, KIND_USER))
		return ret ? TRAP_USER_RETURN : TRAP_USER;
	if (kind_is(kind, KIND_KERNEL))
		return ret ? TRAP_KERNEL_RETURN : TRAP_KERNEL;
	return TRAPS;
}

/* The dearest of its probes counts, and of many one is taken to be dear. */
static enum trap overhead_trap_at(const struct overhead *o, const struct attached *a)
{
	const struct img *img = o->s->img;
	enum trap t = overhead_trap_of(o, a->prog, img_probe(img, a->probes[0]));

	for (u32 i = 1; i < a->nprobes && t == TRAP_NOP; i++)
		if (i == LOOKED_AT ||
		    overhead_trap_of(o, a->prog, img_probe(img, a->probes[i])) != t)
			t = TRAP_USER;
	return t;
}

/* Probes are attached during the run, too: of later programs, libraries and modules. */
static void overhead_grow(struct overhead *o)
{
	u32 n = o->s->at.attached.n;

	if (n <= o->nlast)
		return;
	o->last = xrealloc(o->last, n * sizeof(*o->last));
	o->traps = xrealloc(o->traps, n * sizeof(*o->traps));
	for (; o->nlast < n; o->nlast++) {
		const struct attached *a = &o->s->at.attached.v[o->nlast];

		u32 first = attach_same_prog(&o->s->at, o->nlast);      /* is asked for all */

		o->last[o->nlast] = overhead_read(a);
		o->traps[o->nlast] = overhead_trap_at(o, a);
		if (o->traps[first] == TRAP_NOP)
			o->traps[first] = o->traps[o->nlast];
	}
}

/* Does it stand for probes of programs, libraries and modules that come later? */
static bool overhead_is_late(const struct overhead *o, u32 prog)
{
	const struct img *img = o->s->img;

	return o->s->late && img_probe(img, img->progs[prog].probes[0])->late;
}

/* There may be more to trace, although nothing is attached now. */
static bool overhead_waits(const struct overhead *o)
{
	for (u32 i = 0; i < o->s->img->nprogs; i++)
		if (overhead_is_late(o, i) && !attach_is_off(&o->s->at, i))
			return true;
	return false;
}

/* A program waits for its probes: what they cost is a share of one CPU. */
static bool overhead_stops(const struct overhead *o, u32 i)
{
	return o->traps[i] <= TRAP_USER_RETURN;
}

static void overhead_measure(struct overhead *o, enum trap t)
{
	if (t == TRAPS || !o->trap[t])
		return;
	o->price[t] = trap_price(t, o->trap[t]);
	o->trap[t] = 0;
}

static u64 overhead_runs(const struct overhead *o, u32 i)
{
	return overhead_read(&o->s->at.attached.v[i]).runs - o->last[i].runs;
}

/* Takes a while on a busy machine: before the clock and the counters are read. */
static void overhead_measure_all(struct overhead *o)
{
	for (u32 i = 0; i < o->s->at.attached.n; i++)
		if (overhead_runs(o, i) >= RUNS_LEAST)
			overhead_measure(o, o->traps[i]);
}

/* What it took since the last look, with the traps. */
static struct overhead_last overhead_took(struct overhead *o, u32 i)
{
	struct overhead_last now = overhead_read(&o->s->at.attached.v[i]), took = {
		now.ns - o->last[i].ns, now.runs - o->last[i].runs,
	};

	o->last[i] = now;
	enum trap t = o->traps[i];

	took.ns += t == TRAPS ? 0 : took.runs * o->price[t];
	return took;
}

/* false: there is none, or it is known. */
static bool overhead_open_trap(struct overhead *o, enum trap t)
{
	if (t == TRAPS || o->trap[t] || o->price[t] || (o->only_warns && t > TRAP_USER_RETURN))
		return false;
	o->trap[t] = trap_open(t);
	if (!o->only_warns)
		overhead_measure(o, t);
	return true;
}

/* What comes may be at any instruction. */
static bool overhead_open_late(struct overhead *o, u32 prog)
{
	const struct img *img = o->s->img;
	enum trap t = overhead_trap_of(o, prog, img_probe(img, img->progs[prog].probes[0]));
	bool nop = t == TRAP_USER && overhead_open_trap(o, TRAP_NOP);

	return overhead_open_trap(o, t) || nop;
}

/*
 * The rights to measure are given up later.  With the option it is done now; else when something
 * fires often, and not for kernel functions: their probes would be met by all, meanwhile.
 */
static bool overhead_open_traps(struct overhead *o)
{
	bool any = false;

	for (u32 i = 0; i < o->s->at.attached.n; i++)
		any |= overhead_open_trap(o, o->traps[i]);
	for (u32 i = 0; i < o->s->img->nprogs; i++)
		if (!o->only_warns && overhead_is_late(o, i))
			any |= overhead_open_late(o, i);
	return any;
}

/* The kernel measures all programs, all the time. */
#define OVERHEAD_ALWAYS  "/proc/sys/kernel/bpf_stats_enabled"

struct overhead *overhead_new(struct dtx_session *s, s64 limit)
{
	struct overhead *o = xcalloc(1, sizeof(*o));

	o->s = s;
	o->limit = (u64)limit;
	o->only_warns = !o->limit;
	o->stats_fd = -1;
	overhead_grow(o);
	if (!overhead_open_traps(o) && o->only_warns) {
		overhead_free(o);
		return NULL;
	}
	o->stats_fd = bpf_enable_stats(BPF_STATS_RUN_TIME);
	if (!o->only_warns && o->stats_fd < 0 && file_number(OVERHEAD_ALWAYS, 0) != 1) {
		dtx_env_fail(
			s->env, -errno,
			"maxoverhead is not possible: the kernel does not measure programs (%s); "
			"this needs CAP_SYS_ADMIN, or sysctl kernel.bpf_stats_enabled=1",
			strerror(errno));
		overhead_free(o);
		return NULL;
	}
	o->then = clock_ns(CLOCK_MONOTONIC);
	return o;
}

void overhead_free(struct overhead *o)
{
	if (!o)
		return;
	if (o->stats_fd >= 0)
		close(o->stats_fd);
	for (u32 t = 0; t < TRAPS; t++)
		if (o->trap[t] > 0)
			close(o->trap[t]);
	free(o->last);
	free(o->traps);
	free(o);
}

/* `one`: the time that was measured.  Shares are those of all CPUs, for a probe in a program that
 * is hot those of one. */
static void overhead_detach(struct overhead *o, u32 i, struct overhead_last took, u64 all, u64 one)
{
	enum trap t = o->traps[i];
	bool of_one = overhead_stops(o, i) && took.ns > one / 10000 * o->limit;
	u64 wall = of_one ? one : one * sysconf(_SC_NPROCESSORS_ONLN);
	const char *names = NULL;
	u32 nprobes = 0;

	for (u32 k = i; k < o->s->at.attached.n; k++) {
		struct attached *a = &o->s->at.attached.v[k];

		if (attach_same_prog(&o->s->at, k) != i)
			continue;
		names = arena_printf(o->s->arena, "%s%s%s", names ? names : "", names ? ", " : "",
				     attach_name(&o->s->at, a));
		nprobes += a->nprobes;
		session_detach_one(o->s, k);
	}
	struct dtx_message m = drop_message(LOSS_DETACHED, nprobes);

	m.probe = names;
	consumer_tell(o->s->con, m,
		      "maxoverhead: %s is detached: it took %.2f%% of the %s (%" PRIu64
		      " firings of %" PRIu64
		      " ns%s in %.1f s), all together %.2f%%, and %.2f%% are allowed",
		      names, took.ns * 100.0 / wall, of_one ? "time of a CPU" : "CPU time",
		      (u64)took.runs, (u64)(took.ns / MAX(took.runs, (u64)1)),
		      t != TRAPS && o->price[t] ? ", traps included," : "",
		      one / 1e9, all * 100.0 / wall,
		      o->limit / 100.0);
	loss_other(o->s->con, LOSS_DETACHED, nprobes);
}

/* The dearest probe, if it costs more than a share of a CPU that nobody overlooks. */
static void overhead_warn(struct overhead *o)
{
	u64 wall = clock_ns(CLOCK_MONOTONIC) - o->then;
	u64 cpus = wall * sysconf(_SC_NPROCESSORS_ONLN);
	struct overhead_last most = { 0 };
	u32 dearest = 0;

	for (u32 i = 0; i < o->s->at.attached.n; i++) {
		if (!overhead_stops(o, i) || attach_same_prog(&o->s->at, i) != i)
			continue;
		struct overhead_last took = overhead_took(o, i);

		if (took.ns > most.ns) {
			most = took;
			dearest = i;
		}
	}
	if (o->stats_fd >= 0)
		close(o->stats_fd);
	o->stats_fd = -1;
	if (most.ns <= wall / 100 * WARN_PERCENT)
		return;
	most.ns = MIN(most.ns, cpus);    /* the kernel's time has that of what came between */
	consumer_tell(o->s->con, MESSAGE(DTX_NOTICE, DTX_WARNING),
		      "%s takes %.0f%% of a CPU from the program it is in: it fires %.0f times a "
		      "second, for %.1f us each; -x maxoverhead=5 detaches probes above 5%%",
		      attach_name(&o->s->at, &o->s->at.attached.v[dearest]), most.ns * 100.0 / wall,
		      most.runs * 1e9 / wall, most.ns / 1e3 / MAX(most.runs, (u64)1));
}

bool overhead_look(struct overhead *o)
{
	overhead_grow(o);
	overhead_measure_all(o);
	if (o->only_warns) {
		overhead_warn(o);
		return false;
	}

	u64 one = clock_ns(CLOCK_MONOTONIC) - o->then, all = 0;
	u64 wall = one * sysconf(_SC_NPROCESSORS_ONLN);
	struct overhead_last most = { 0 };
	u32 dearest = 0, left = 0;
	bool hot = false;

	for (u32 i = 0; i < o->s->at.attached.n; i++) {
		if (o->s->at.attached.v[i].off || attach_same_prog(&o->s->at, i) != i)
			continue;
		struct overhead_last took = overhead_took(o, i);

		all += took.ns;
		if (o->s->img->progs[o->s->at.attached.v[i].prog].saves)
			continue;
		left++;
		bool is_hot = overhead_stops(o, i) && took.ns > one / 10000 * o->limit;

		/* A hot one goes first: what costs all CPUs more may be within the limit. */
		if (is_hot > hot || (is_hot == hot && took.ns > most.ns)) {
			most = took;
			dearest = i;
		}
		hot |= is_hot;
	}
	bool over = hot || all > wall / 10000 * o->limit;

	if (over && most.ns)
		overhead_detach(o, dearest, most, all, one);
	o->then = clock_ns(CLOCK_MONOTONIC);
	return over && left <= 1 && !overhead_waits(o);
}
