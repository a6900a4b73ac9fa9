/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile.c - timers: profile-N fires on every CPU, tick-N on one.
 *
 * profile-N is a software clock event of perf on each CPU, tick-N a timer of dtx's own
 * (ticker.c).  N is a rate in hertz, or an interval with a unit; any rate may be asked for,
 * some are listed (DTrace guide "profile Provider").
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <dtx/kind.h>
#include <dtx/tables/loc.h>

#include "runtime/provider/provider.h"
#include "runtime/kernel/kernel.h"
#include "runtime/provider/attach.h"

extern const struct dtx_provider provider_profile;
static const char cache_key[] = "profile";     /* of prov_cache() */

#define MIN_PERIOD 200000        /* ns: 5000 hz, DTrace guide, "profile provider" */

static const char *const listed[] = {
	"profile-97", "profile-199", "profile-499", "profile-997", "profile-1999", "profile-4001",
	"profile-4999", "tick-1", "tick-10", "tick-100", "tick-500", "tick-1000", "tick-5000",
};

struct made {                    /* rates made on demand, in order of first use */
	struct made *next;
	const char *name;
	u32 id;
};

struct cache { struct made *first; u32 n; };

static bool unit_ns(const char *unit, s64 *ns)
{
	static const struct { const char *unit; s64 ns; } units[] = {
		{ "ns", 1 }, { "nsec", 1 }, { "us", 1000 }, { "usec", 1000 },
		{ "ms", 1000000 }, { "msec", 1000000 },
		{ "s", 1000000000 }, { "sec", 1000000000 },
		{ "m", 60000000000 }, { "min", 60000000000 },
		{ "h", 3600000000000 }, { "hour", 3600000000000 },
		{ "d", 86400000000000 }, { "day", 86400000000000 },
	};

	for (u32 i = 0; i < ARRAY_SIZE(units); i++) {
		if (strcasecmp(units[i].unit, unit))
			continue;
		*ns = units[i].ns;
		return true;
	}
	return false;
}

/* Period in ns of a probe name, 0: not a timer, or a rate that is not allowed. */
static s64 period_of(const char *name)
{
	const char *num = !strncmp(name, "profile-", 8) ? name + 8 :
			  !strncmp(name, "tick-", 5) ? name + 5 : NULL;
	s64 n, ns, period;
	char *unit;

	if (!num || *num < '0' || *num > '9')
		return 0;
	errno = 0;
	n = strtoll(num, &unit, 10);
	if (errno || n <= 0)
		return 0;
	if (!*unit || !strcasecmp(unit, "hz"))
		period = 1000000000 / n;
	else if (!unit_ns(unit, &ns) || __builtin_mul_overflow(n, ns, &period))
		return 0;
	return period >= MIN_PERIOD ? period : 0;
}

static int profile_emit(struct dtx_env *env, u32 id, const char *name, dtx_probe_fn *each,
			void *arg)
{
	struct dtx_probe *p = prov_probe(env, &provider_profile, (struct probe_name){
		id, "profile", "", "", name
	});

	p->place.no_filter = *name == 't';     /* a tick belongs to no process */
	if (p->place.no_filter)
		p->prog.kind = PK_TICK;       /* IDENT_ONE */
	else
		perf_kind(env, p);
	p->place.num = period_of(name);
	return each(arg, p);
}

static const struct made *profile_make(struct dtx_env *env, const char *name)
{
	struct cache *c = prov_cache(env, cache_key, sizeof(*c));
	struct made **m;

	for (m = &c->first; *m; m = &(*m)->next)
		if (!strcmp((*m)->name, name))
			return *m;
	*m = ARENA_NEW(env->arena, struct made);
	(*m)->name = arena_strdup(env->arena, name);
	(*m)->id = prov_base(&provider_profile) + ARRAY_SIZE(listed) + c->n++;
	return *m;
}

static int profile_list(struct dtx_env *env, const struct dtx_pattern *pat, dtx_probe_fn *each,
			void *arg)
{
	bool seen = false;

	if (!prov_named(pat, "profile"))
		return 0;
	for (u32 i = 0; i < ARRAY_SIZE(listed); i++) {
		u32 id = prov_base(&provider_profile) + i;
		int err;

		if (!prov_wants(pat, id, "", "", listed[i]))
			continue;
		seen = true;
		err = profile_emit(env, id, listed[i], each, arg);
		if (err)
			return err;
	}
	if (!seen && !pat->id && !glob_is_pattern(pat->name) && period_of(pat->name) &&
	    glob_matches(pat->mod, "") && glob_matches(pat->func, "")) {
		const struct made *m = profile_make(env, pat->name);

		return profile_emit(env, m->id, m->name, each, arg);
	}
	return 0;
}

/* Program counters of the kernel and of the user; 0 for the one that was not running. */
static int profile_args(struct dtx_env *env, struct dtx_probe *p)
{
	prov_args_pc(env, p);
	if (p->prog.kind == PK_TICK) {
		p->args.v[0].text = "dtx_arg_own_pc";
		p->args.v[1].loc = LOC_CONST;
		p->args.v[1].value = 0;
	}
	return 0;
}

static int open_profile(struct attach *at, const struct attach_percpu *pc, int cpu, u32 link)
{
	const struct perf_way w = { pc->prog_fd, pc->cookie, pc->probe->place.num, true };
	int fd = sys_perf_timer(pc->probe->place.num, cpu);

	return fd < 0 ? fd : perf_attach_sampled(at, &w, fd, link);
}

static int attach_profile(struct attach *at, const struct dtx_probe *p, u64 cookie, int prog_fd)
{
	const struct attach_percpu pc = { p, cookie, prog_fd, open_profile, 0 };
	u32 ncpus;
	int err = perf_attach_cpus(at, pc, &ncpus);

	if (!err)
		attach_note(at, "profile:::%s: every %lld ns by a perf clock event on %u CPU%s",
			     p->name, (long long)p->place.num, ncpus, ncpus == 1 ? "" : "s");
	return err;
}

static int attach_tick(struct attach *at, const struct dtx_probe *p, int prog_fd)
{
	int err = ticker_add(&at->ticker, env_cpu(at->env), p->place.num, prog_fd);

	if (!err)
		attach_note(at, "profile:::%s: every %lld ns by a timer of dtx", p->name,
			     (long long)p->place.num);
	return err;
}

static int profile_attach(struct attach *at, const struct dtx_probe **probes, const u64 *cookies,
		  u32 n, int prog_fd)
{
	int err, first = 0;
	u32 done = 0;

	for (u32 i = 0; i < n; i++) {
		if (probes[i]->prog.kind == PK_TICK)
			err = attach_tick(at, probes[i], prog_fd);
		else
			err = attach_profile(at, probes[i], cookies ? cookies[i] : 0, prog_fd);
		if (!err) {
			done++;
			continue;
		}
		first = first ? first : err;
		attach_refuse(at, probes[i], "%s", prov_why(err));
	}
	return done ? 0 : first;
}

static const char *profile_missing(struct dtx_env *env)
{
	return perf_events_open(env) ? NULL :
		"perf events cannot be opened here (not root, or kernel.perf_event_paranoid "
		"forbids it): profile and tick probes are not available";
}

/* Does the name look like that of a timer? */
static const char *profile_advise(struct dtx_env *env, const struct dtx_pattern *pat)
{
	char unit[4] = "";
	int n = 0;

	if ((!strcmp(pat->prov, "tick") || !strcmp(pat->func, "tick")) && atoi(pat->name) > 0)
		return arena_printf(env->arena, "a timer is tick-N: tick-%s", pat->name);
	if (sscanf(pat->name, "profile-%d%3s", &n, unit) == 2 && !strcmp(unit, "ns") && n <= 5000)
		return arena_printf(env->arena, "a number without a unit is nanoseconds, at least "
				    "200000: %d hertz is profile-%d", n, n);
	if (strncmp(pat->name, "profile-", 8) && strncmp(pat->name, "tick-", 5))
		return NULL;
	if (!*pat->name || glob_is_pattern(pat->name) ||
	    (*pat->prov && !prov_named(pat, "profile")))
		return NULL;
	return "a timer is profile-N or tick-N: a rate in hertz, 1 to 5000, or an interval of at "
	       "least 200us with its unit (ns, us, ms, s, m, h, d), as in tick-10s";
}

const struct dtx_provider provider_profile = {
	.name = "profile",
	.doc = "timers: profile-N on every CPU, tick-N on one",
	.list = profile_list,
	.args = profile_args,
	.attach = profile_attach,
	.missing = profile_missing,
	.advise = profile_advise,
};
