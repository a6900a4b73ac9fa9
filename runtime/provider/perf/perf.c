/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perf.c - perf events of the kernel that fire each time their counter reaches a given count.
 *
 *     software:::page-faults-1        or software:page-faults:1     events the kernel counts
 *     hardware:::cache-misses-1000    or hardware:cache-misses:1000 events of the CPU's counters,
 *     hardware:::L1-dcache-load-misses-1000, hardware:::r01c2-1000  its caches, raw numbers
 *     cpc:::cycles-user-1000000       DTrace's name for either, by mode: user, kernel, all
 *
 * A count that ends in hz is a rate; the kernel adapts the period to it.  Without a count,
 * software events fire every time, the others every millionth time.  Events are opened on each
 * CPU or, with a filter for one process, for each of its threads: then a period counts only its
 * events.  A name is parsed again when it is attached.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include <linux/perf_event.h>

#include <dtx/feat.h>

#include "runtime/machine/machine.h"
#include "runtime/proc/proc.h"
#include "runtime/provider/provider.h"
#include "runtime/kernel/kernel.h"
#include "runtime/provider/attach.h"

static const char cache_key[] = "perf";     /* of prov_cache() */

#define MANY       1000000       /* default period of clocks and hardware events */
#define CPC_PERIOD "1000000000"  /* of listed cpc probes: DTrace guide "cpc Provider" */
#define CLOCK_LEAST \
	10000ull /* ns: the shortest period the kernel gives a clock, perf_swevent_hrtimer() */
#define LONG_NAMES 64            /* numbers of cpc's perf_count_ names, after all others */
#define NEVENTS    96

enum mode { MODE_ALL, MODE_USER, MODE_KERNEL };

struct counted {
	const char *name, *alias, *id;   /* id: as linux/perf_event.h calls it, or NULL */
	u32 type;
	u64 config;
};

static const struct counted fixed[] = {
#define SW(name, alias, id)                                                             \
	{ name, alias, "perf_count_sw_" #id, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##id }
#define HW(name, alias, id)                                                             \
	{ name, alias, "perf_count_hw_" #id, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##id }
	SW("cpu-clock", "cpu", CPU_CLOCK),
	SW("task-clock", NULL, TASK_CLOCK),
	SW("page-faults", "faults", PAGE_FAULTS),
	SW("context-switches", "cs", CONTEXT_SWITCHES),
	SW("cpu-migrations", "migrations", CPU_MIGRATIONS),
	SW("minor-faults", NULL, PAGE_FAULTS_MIN),
	SW("major-faults", NULL, PAGE_FAULTS_MAJ),
	SW("alignment-faults", NULL, ALIGNMENT_FAULTS),
	SW("emulation-faults", NULL, EMULATION_FAULTS),
	SW("dummy", NULL, DUMMY),
	SW("bpf-output", NULL, BPF_OUTPUT),
	HW("cpu-cycles", "cycles", CPU_CYCLES),
	HW("instructions", NULL, INSTRUCTIONS),
	HW("cache-references", NULL, CACHE_REFERENCES),
	HW("cache-misses", NULL, CACHE_MISSES),
	HW("branch-instructions", "branches", BRANCH_INSTRUCTIONS),
	HW("branch-misses", NULL, BRANCH_MISSES),
	HW("bus-cycles", NULL, BUS_CYCLES),
	HW("stalled-cycles-frontend", "frontend-stalls", STALLED_CYCLES_FRONTEND),
	HW("stalled-cycles-backend", "backend-stalls", STALLED_CYCLES_BACKEND),
	HW("ref-cycles", NULL, REF_CPU_CYCLES),
};

/* PERF_TYPE_HW_CACHE: cache | operation << 8 | result << 16. */
static const char *const caches[] = { "L1-dcache", "L1-icache", "LLC", "dTLB",
				      "iTLB",      "branch",    "node" };
static const char *const ops[] = { "load", "store", "prefetch" };

struct spec {                    /* the parts of a probe name */
	const struct counted *ev;
	enum mode mode;
	u64 count;
	bool is_rate;
};

struct cache {
	struct counted events[NEVENTS];
	u32 n;
	bool usable[NEVENTS];
	struct prov_made *made;
};

/* ---- the events -------------------------------------------------------------------- */

static void add_caches(struct dtx_env *env, struct cache *c)
{
	for (u32 i = 0; i < ARRAY_SIZE(caches) * ARRAY_SIZE(ops) * 2; i++) {
		u32 cache = i / 6, op = i / 2 % 3, miss = i % 2;
		const char *plural = op == 2 ? "es" : "s";

		c->events[c->n++] = (struct counted){
			arena_printf(env->arena, "%s-%s%s", caches[cache], ops[op],
				     miss ? "-misses" : plural),
			NULL, NULL,
			PERF_TYPE_HW_CACHE,
			cache | op << 8 | miss << 16,
		};
	}
}

static int open_on(const struct spec *sp, s32 pid, int cpu)
{
	struct perf_event_attr a = {
		.type = sp->ev->type, .config = sp->ev->config, .freq = sp->is_rate,
		.sample_period = sp->count, .inherit = pid > 0,
		.exclude_kernel = sp->mode == MODE_USER, .exclude_user = sp->mode == MODE_KERNEL,
		.exclude_hv = sp->mode != MODE_ALL, .disabled = 1,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};

	return sys_perf_open(&a, pid, cpu);
}

/* Raw events are not recorded: whether the other machine counts one is seen when it is
 * attached. */
static bool opens(struct dtx_env *env, const struct counted *ev)
{
	const char *question = arena_printf(env->arena, "perf.%s", ev->name);
	struct spec sp = { ev, MODE_ALL, MANY, false };
	int fd;

	if (!machine_is_here(env) && ev->type == PERF_TYPE_RAW)
		return env_has(env, FEAT_PMU);
	if (!machine_is_here(env))
		return machine_says_yes(env, question);
	fd = open_on(&sp, 0, -1);
	machine_note_yes(env, question, fd >= 0);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static struct cache *perf_cache(struct dtx_env *env)
{
	struct cache *c = prov_cache(env, cache_key, sizeof(*c));
	bool pmu = env_has(env, FEAT_PMU);

	if (c->n)
		return c;
	for (; c->n < ARRAY_SIZE(fixed); c->n++)
		c->events[c->n] = fixed[c->n];
	add_caches(env, c);
	for (u32 i = 0; i < c->n; i++)
		c->usable[i] =
			(c->events[i].type == PERF_TYPE_SOFTWARE || pmu) &&
			opens(env, &c->events[i]);
	return c;
}

/* In cpc, events are in lower case and have '_' for '-'. */
static bool same_name(const char *event, const char *text, size_t len, bool cpc)
{
	if (!event || strlen(event) != len)
		return false;
	for (size_t i = 0; i < len; i++) {
		char has = cpc && event[i] == '-' ? '_' : event[i];

		if (cpc ? tolower(has) != text[i] : has != text[i])
			return false;
	}
	return true;
}

static const struct counted *event_named(struct dtx_env *env, const char *text, size_t len,
					 bool cpc)
{
	struct cache *c = perf_cache(env);
	char *end;
	u64 raw;

	for (u32 i = 0; i < c->n; i++)
		if (same_name(c->events[i].name, text, len, cpc) ||
		    same_name(c->events[i].alias, text, len, cpc) ||
		    (cpc && same_name(c->events[i].id, text, len, true)))
			return &c->events[i];
	if (len < 2 || *text != 'r' || !isxdigit((unsigned char)text[1]))
		return NULL;
	raw = strtoull(text + 1, &end, 16);
	if (end != text + len)
		return NULL;
	struct counted *ev = ARENA_NEW(env->arena, struct counted);
	*ev = (struct counted){ arena_strndup(env->arena, text, len), NULL, NULL, PERF_TYPE_RAW,
				raw };
	return ev;
}

/* ---- names ---------------------------------------------------------------------------- */

/* "-1000" or "-99hz" at the end of the name: where it begins, else the end. */
static size_t read_count(const char *name, struct spec *sp)
{
	size_t len = strlen(name);
	const char *dash = strrchr(name, '-');
	char *end;

	if (!dash || !isdigit((unsigned char)dash[1]))
		return len;
	errno = 0;
	sp->count = strtoull(dash + 1, &end, 10);
	sp->is_rate = !strcmp(end, "hz");
	if ((*end && !sp->is_rate) || errno || !sp->count || sp->count > INT64_MAX)
		return len;
	return dash - name;
}

static size_t read_mode(const char *name, size_t len, struct spec *sp)
{
	static const char *const modes[] = { "-all", "-user", "-kernel" };

	for (u32 i = 0; i < ARRAY_SIZE(modes); i++) {
		size_t n = strlen(modes[i]);

		if (len <= n || strncmp(name + len - n, modes[i], n))
			continue;
		sp->mode = i;
		return len - n;
	}
	return 0;
}

/* false: the name is not that of an event. */
static bool read_name(struct dtx_env *env, const char *prov, const char *name, struct spec *sp)
{
	bool cpc = !strcmp(prov, "cpc"), soft = !strcmp(prov, "software");
	size_t len;

	*sp = (struct spec){ 0 };
	len = read_count(name, sp);
	if (cpc)
		len = sp->count ? read_mode(name, len, sp) : 0;
	sp->ev = len ? event_named(env, name, len, cpc) : NULL;
	if (!sp->ev || (!cpc && soft != (sp->ev->type == PERF_TYPE_SOFTWARE)))
		return false;
	if (!sp->count)
		sp->count = soft && sp->ev->config != PERF_COUNT_SW_CPU_CLOCK &&
			    sp->ev->config != PERF_COUNT_SW_TASK_CLOCK ? 1 : MANY;
	return true;
}

/* ---- listing ------------------------------------------------------------------------------ */

struct listing {
	struct dtx_env *env;
	const struct dtx_pattern *pat;
	const struct dtx_provider *of;
	dtx_probe_fn *each;
	void *arg;
	u32 seen;
};

static int perf_emit(struct listing *l, u32 id, const char *name)
{
	struct dtx_probe *p;
	const char *prov = l->of->name;

	p = prov_probe(l->env, l->of, (struct probe_name){ id, prov, "", "", name });
	perf_kind(l->env, p);
	if (l->env->targets.n == 1 && (l->env->target_only || prov_follows(l->env)))
		p->place.pid = l->env->target_pid;
	return l->each(l->arg, p);
}

extern const struct dtx_provider provider_cpc, provider_software, provider_hardware;

static const char *listed_name(struct dtx_env *env, const struct dtx_provider *of,
			       const char *event)
{
	char *name = arena_strdup(env->arena, event);

	if (of != &provider_cpc)
		return name;
	for (char *s = name; *s; s++)
		*s = *s == '-' ? '_' : tolower((unsigned char)*s);
	return arena_printf(env->arena, "%s-all-" CPC_PERIOD, name);
}

static int perf_list_event(struct listing *l, u32 number, const char *event)
{
	const char *name = listed_name(l->env, l->of, event);
	u32 id = prov_base(l->of) + number;

	if (!prov_wants(l->pat, id, "", "", name))
		return 0;
	l->seen++;
	return perf_emit(l, id, name);
}

static int list_fixed(struct listing *l, struct cache *c)
{
	bool cpc = l->of == &provider_cpc;

	for (u32 i = 0; i < c->n; i++) {
		const struct counted *ev = &c->events[i];
		bool soft = ev->type == PERF_TYPE_SOFTWARE;
		int err;

		if (!c->usable[i] || (!cpc && soft != (l->of == &provider_software)))
			continue;
		err = perf_list_event(l, i, ev->name);
		if (!err && cpc && ev->id)
			err = perf_list_event(l, LONG_NAMES + i, ev->id);
		if (err)
			return err;
	}
	return 0;
}

/* Any count is allowed. */
static int list_asked(struct listing *l, struct cache *c)
{
	const char *name = l->pat->name;
	struct spec sp;
	u32 id;

	if (l->seen || l->pat->id || glob_is_pattern(name) || !*l->pat->prov ||
	    glob_is_pattern(l->pat->prov) || !glob_matches(l->pat->mod, "") ||
	    !glob_matches(l->pat->func, "") ||
	    !read_name(l->env, l->of->name, name, &sp) || !opens(l->env, sp.ev))
		return 0;
	id = prov_made(l->env, &c->made, arena_printf(l->env->arena, "%s %s", l->of->name, name));
	return perf_emit(l, prov_base(l->of) + NEVENTS + id, arena_strdup(l->env->arena, name));
}

static int perf_list(struct dtx_env *env, const struct dtx_provider *of,
		     const struct dtx_pattern *pat, dtx_probe_fn *each, void *arg)
{
	struct listing l = { .env = env, .pat = pat, .of = of, .each = each, .arg = arg };
	struct cache *c;
	int err;

	if (!prov_named(pat, of->name) || !perf_events_open(env))
		return 0;
	c = perf_cache(env);
	err = list_fixed(&l, c);
	return err ? err : list_asked(&l, c);
}

static int perf_args(struct dtx_env *env, struct dtx_probe *p)
{
	prov_args_pc(env, p);
	return 0;
}

/* ---- attaching ------------------------------------------------------------------------------- */

struct opened {
	struct attach *at;
	struct spec sp;
	u64 cookie;
	int prog_fd, err;
	u32 n;
};

static bool is_clock(const struct counted *ev, u64 which)
{
	return ev->type == PERF_TYPE_SOFTWARE && ev->config == which;
}

/*
 * Can dtx compute how often it should fire?  Not for threads that begin later (each has its own
 * period), for a rate (no period), and for clocks in one mode (they run on in the other).
 */
static bool is_countable(const struct spec *sp, s32 pid)
{
	return pid <= 0 && !sp->is_rate && !is_clock(sp->ev, PERF_COUNT_SW_TASK_CLOCK) &&
	       (sp->mode == MODE_ALL || !is_clock(sp->ev, PERF_COUNT_SW_CPU_CLOCK));
}

static int attach_event(const struct opened *o, int event, s32 pid, u32 link)
{
	bool clock = is_clock(o->sp.ev, PERF_COUNT_SW_CPU_CLOCK);
	u64 period = clock ? MAX(o->sp.count, CLOCK_LEAST) : o->sp.count;
	const struct perf_way w = { o->prog_fd, o->cookie, is_countable(&o->sp, pid) ? period : 0,
				    clock };

	return perf_attach_sampled(o->at, &w, event, link);
}

/* The kernel gives threads that it begins, and children, a counter of their own. */
static void attach_thread(void *arg, s32 pid)
{
	struct opened *o = arg;
	int fd = open_on(&o->sp, pid, (int)env_cpu(o->at->env));

	if (fd >= 0) {
		attach_keep(o->at, -1);
		fd = attach_event(o, fd, pid, o->at->links.n - 1);
	}
	if (fd >= 0)
		o->n++;
	else if (fd != -ENODEV && fd != -ESRCH)  /* a CPU that is offline, a thread that has
						  * ended */
		o->err = fd;
}

static int open_percpu(struct attach *at, const struct attach_percpu *pc, int cpu, u32 link)
{
	struct opened o = { .at = at, .cookie = pc->cookie, .prog_fd = pc->prog_fd };
	int fd;

	read_name(at->env, pc->probe->prov, pc->probe->name, &o.sp);
	fd = open_on(&o.sp, -1, cpu);
	return fd < 0 ? fd : attach_event(&o, fd, -1, link);
}

static void attach_one(struct attach *at, const struct dtx_probe *p, u64 cookie, int prog_fd)
{
	struct opened o = { .at = at, .cookie = cookie, .prog_fd = prog_fd, .err = -ESRCH };
	const struct attach_percpu pc = { p, cookie, prog_fd, open_percpu, 0 };

	if (!read_name(at->env, p->prov, p->name, &o.sp)) {
		attach_refuse(at, p, "this dtx knows no such event");
		return;
	}
	if (p->place.pid > 0)
		proc_each_thread((u32)p->place.pid, attach_thread, &o);
	else
		o.err = perf_attach_cpus(at, pc, &o.n);
	if (!o.n)
		attach_refuse(at, p, "%s", prov_why(o.err));
	else
		attach_note(at, "%s:::%s: each %llu%s by a perf event on %u %s%s", p->prov, p->name,
			     (unsigned long long)o.sp.count, o.sp.is_rate ? " hz" : "", o.n,
			     p->place.pid > 0 ? "thread" : "CPU", o.n == 1 ? "" : "s");
}

static int perf_attach_event(struct attach *at, const struct dtx_probe **probes, const u64 *cookies,
		  u32 n, int prog_fd)
{
	for (u32 i = 0; i < n; i++)
		attach_one(at, probes[i], cookies ? cookies[i] : 0, prog_fd);
	return 0;
}

/* ---- words ----------------------------------------------------------------------------------- */

static const char *perf_missing(struct dtx_env *env)
{
	return perf_events_open(env)
		       ? NULL
		       : "perf events cannot be opened here (not root, or "
			 "kernel.perf_event_paranoid forbids it)";
}

static const char *missing_pmu(struct dtx_env *env)
{
	if (!perf_events_open(env))
		return perf_missing(env);
	return env_has(env, FEAT_PMU)
		       ? NULL
		       : "this machine gives Linux no performance counters (PMU), as most virtual "
			 "machines do: hardware events cannot be counted; software: events can";
}

static const char *perf_advise(struct dtx_env *env, const struct dtx_pattern *pat)
{
	struct spec sp;

	if (strcmp(pat->prov, "software") && strcmp(pat->prov, "hardware") &&
	    strcmp(pat->prov, "cpc"))
		return NULL;
	if (env_perf_denied(env))
		return PROV_PERF_DENIED;
	if (!strcmp(pat->prov, "hardware") && missing_pmu(env))
		return missing_pmu(env);
	if (read_name(env, pat->prov, pat->name, &sp))
		return sp.ev->type == PERF_TYPE_SOFTWARE ? "the kernel cannot open this event"
		       : env_has(env, FEAT_PMU)          ? "this CPU cannot count this event"
							 : missing_pmu(env);
	if (!strcmp(pat->prov, "cpc"))
		return "a counter is EVENT-MODE-COUNT with the mode user, kernel or all, as in "
		       "page_faults-user-100 or cycles-all-1000000; " TOOL
		       " -ln cpc::: lists the events";
	return "an event is NAME or NAME-COUNT, as in page-faults-100 or cpu-clock-99hz; "
	       TOOL " -ln software::: and hardware::: list the names";
}

#define PROVIDE(NAME, DOC, MISSING, ADVISE)                                        \
	static int list_##NAME(struct dtx_env *env, const struct dtx_pattern *pat, \
			       dtx_probe_fn *each, void *arg)                      \
	{                                                                          \
		return perf_list(env, &provider_##NAME, pat, each, arg);                \
	}                                                                          \
	const struct dtx_provider provider_##NAME = {                              \
		.name = #NAME,                                                     \
		.doc = DOC,                                                        \
		.list = list_##NAME,                                               \
		.args = perf_args,                                                 \
		.attach = perf_attach_event,                                       \
		.missing = MISSING,                                                \
		.advise = ADVISE,                                                  \
	}

PROVIDE(cpc, "counters by DTrace's names: EVENT-MODE-COUNT", perf_missing, perf_advise);
PROVIDE(software, "events that the kernel counts: faults, switches, migrations, clocks",
	perf_missing, NULL);
PROVIDE(hardware, "events that the CPU counts, its caches', raw ones", missing_pmu, NULL);
