/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * provider.c - the table of providers, and what is asked of all of them.
 * Why: docs/decisions/60-what-a-probe-keeps.md
 */
#include <errno.h>
#include <stdlib.h>

#include <dtx/progkind.h>

#include "runtime/proc/proc.h"
#include "runtime/provider/provider.h"
#include "runtime/kernel/kernel.h"

#define PROVIDER(name, base) extern const struct dtx_provider provider_##name;
#include <dtx/tables/providers.def>
#undef PROVIDER

const struct dtx_provider *const dtx_providers[] = {
#define PROVIDER(name, base) &provider_##name,
#include <dtx/tables/providers.def>
#undef PROVIDER
	NULL
};

#define NPROVIDERS (ARRAY_SIZE(dtx_providers) - 1)

const struct dtx_provider *provider_by_name(const char *name)
{
	for (u32 i = 0; i < NPROVIDERS; i++)
		if (!strcmp(dtx_providers[i]->name, name))
			return dtx_providers[i];
	if (!strcmp(name, "sdt"))
		return &provider_tracepoint;
	return prov_is_pid(name) ? &provider_pid : NULL;
}

/* BEGIN, END and ERROR alone belong to dtrace (D guide): other providers are not asked. */
static bool is_reserved(const struct dtx_pattern *p)
{
	return !*p->prov && !*p->mod && !*p->func && !p->id &&
	       (!strcmp(p->name, "BEGIN") || !strcmp(p->name, "END") || !strcmp(p->name, "ERROR"));
}

int provider_list(struct dtx_env *env, const struct dtx_pattern *pat, dtx_probe_fn *each, void *arg)
{
	u32 base = pat->id ? prov_base_of(pat->id) : 0;

	if (is_reserved(pat))
		return provider_dtrace.list(env, pat, each, arg);
	for (u32 i = 0; i < NPROVIDERS; i++) {
		int err;

		if (base && base != prov_base(dtx_providers[i]))
			continue;
		err = dtx_providers[i]->list(env, pat, each, arg);
		if (err)
			return err;
	}
	return 0;
}

const char *provider_missing(struct dtx_env *env, const struct dtx_pattern *pat)
{
	const char *why = NULL;

	for (u32 i = 0; i < NPROVIDERS && !why; i++) {
		const struct dtx_provider *p = dtx_providers[i];

		if (p->missing && *pat->prov && glob_matches(pat->prov, p->name))
			why = p->missing(env);
		if (!why && p->advise)
			why = p->advise(env, pat);
	}
	if (!why && !machine_is_here(env))       /* no program runs where it is described */
		why = usdt_absent(env, pat);
	why = why ? why : stable_absent(env, pat);
	return why ? why : usdt_absent(env, pat);
}

int provider_args(struct dtx_env *env, struct dtx_probe *p, enum args_state want)
{
	int err = 0;

	want = p->place.user_ctx ? want : ARGS_TYPED;
	if (p->args.state >= want)
		return 0;
	p->args.state = want;
	if (p->stable)
		err = stable_args(env, p);
	else if (p->provider->args)
		err = p->provider->args(env, p);
	return err < 0 ? err : 1;
}

const char *provider_stability(const char *provider, u32 field)
{
	static const struct { const char *providers, *of[STAB_N]; } rows[] = {
#define STABILITY(providers, ...) { providers, { __VA_ARGS__ } },
#include <dtx/tables/stability.def>
#undef STABILITY
	};
	char word[80];
	u32 i;

	snprintf(word, sizeof(word), " %s ", provider);
	for (i = 0; rows[i].providers[0]; i++)
		if (strstr(rows[i].providers, word))
			break;
	return rows[i].of[field];
}
