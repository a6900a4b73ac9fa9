/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rawfbt.c - kernel functions as they were compiled: rawfbt:MODULE:FUNCTION:entry and :return.
 *
 * It has functions that fbt leaves out: the clones made by the optimiser ("f.isra.0",
 * "f.constprop.0", "f.part.0") and, if named exactly, functions that ftrace does not know.  A clone
 * may not follow the calling convention of its prototype, so arguments are registers: arg0 …,
 * without types.  All others are also probes of fbt, so nothing is listed unless the provider is
 * named.
 */
#include <stdlib.h>

#include <dtx/feat.h>
#include <dtx/progkind.h>

#include "runtime/code/names.h"
#include "runtime/provider/provider.h"
#include "runtime/kernel/kernel.h"

#define FEW      16              /* perf kprobes up to this many, kprobe.multi above */
#define UNLISTED 400000          /* ordinals of functions not in the kernel's list */

struct found { const char *mod, *func; u32 ordinal, n; };      /* n: functions of this name */

struct listing {
	struct dtx_env *env;
	const struct dtx_pattern *pat;
	VEC(struct found) found;
	u32 position;
};

static const char *const names[] = { "entry", "return" };

static int rawfbt_consider(void *arg, const char *mod, const char *func)
{
	struct listing *l = arg;
	struct found f = { mod, func, l->position++, 1 };

	if (!glob_matches(l->pat->func, func) || !glob_matches(l->pat->mod, mod))
		return 0;
	f.n = glob_is_pattern(l->pat->func) ? kattach_listed(l->env, mod, func) :
					      kattach_functions(l->env, mod, func);
	VEC_PUSH(&l->found, f);
	return 0;
}

/* Of the functions that fbt leaves out: the clones, not those that the kernel protects. */
static int consider_clone(void *arg, const char *mod, const char *func)
{
	struct listing *l = arg;

	return kattach_protected(l->env, func) ? 0 : rawfbt_consider(arg, mod, func);
}

/* A function that ftrace does not list, by its name. */
static void find_unlisted(struct listing *l)
{
	struct prov_made **made = koffset_made(l->env);
	const char *func = l->pat->func, *name, *mod;
	u64 addr, off;

	if (!*func || glob_is_pattern(func) || kattach_protected(l->env, func))
		return;
	addr = ksyms_addr(ksyms_get(l->env), NULL, func);
	if (!addr || !ksyms_find(ksyms_get(l->env), addr, &name, &mod, &off) || off)
		return;
	l->position = UNLISTED + prov_made(l->env, made, func);
	rawfbt_consider(l, mod, arena_strdup(l->env->arena, func));
}

/* The n-th function of the name. */
static int rawfbt_emit(struct listing *l, const struct found *f, u32 nth, dtx_probe_fn *each,
		       void *arg)
{
	bool multi =
		env_has(l->env, FEAT_KPROBE_MULTI) && l->found.n > FEW && f->ordinal < UNLISTED;
	int err = 0;

	for (u32 ret = 0; ret < 2 && !err; ret++) {
		u32 id = prov_base(&provider_rawfbt) + 2 * f->ordinal + ret;
		struct dtx_probe *p;

		if ((l->pat->id && l->pat->id != id) || !glob_matches(l->pat->name, names[ret]))
			continue;
		p = prov_probe(l->env, &provider_rawfbt, (struct probe_name){
			id, "rawfbt", f->mod, f->func, names[ret]
		});
		p->place.target = p->func;
		if (f->n > 1)
			kattach_one_of(p, nth);
		koffset_kind(l->env, p, multi, ret);
		err = each(arg, p);
	}
	return err;
}

static const char *rawfbt_missing(struct dtx_env *env)
{
	if (env_has(env, FEAT_KPROBE))
		return NULL;
	if (env_has(env, FEAT_BPF) && env_perf_denied(env))
		return PROV_PERF_DENIED;
	return env_has(env, FEAT_BPF)
		       ? "this kernel has no kprobes (CONFIG_KPROBE_EVENTS): rawfbt is "
			 "not available here"
		       : "rawfbt needs root, or CAP_BPF and CAP_PERFMON";
}

static int rawfbt_list(struct dtx_env *env, const struct dtx_pattern *pat, dtx_probe_fn *each,
		       void *arg)
{
	struct listing l = { .env = env, .pat = pat };
	bool place;
	int err = koffset_list(env, pat, &provider_rawfbt, &place, each, arg);

	if (place)
		return err;
	if (!prov_named(pat, "rawfbt") || (!pat->id && !pat->prov[strspn(pat->prov, "*")]) ||
	    rawfbt_missing(env) ||
	    (!glob_matches(pat->name, names[0]) && !glob_matches(pat->name, names[1])))
		return 0;
	kattach_each(env, rawfbt_consider, &l);
	kattach_each_left_out(env, consider_clone, &l);
	if (!l.found.n)
		find_unlisted(&l);
	for (u32 i = 0; !err && i < l.found.n; i++)
		for (u32 nth = 0; !err && nth < l.found.v[i].n; nth++)
			err = rawfbt_emit(&l, &l.found.v[i], nth, each, arg);
	VEC_FREE(&l.found);
	return err;
}

static const char *rawfbt_advise(struct dtx_env *env, const struct dtx_pattern *pat)
{
	return koffset_advise(env, pat, &provider_rawfbt);
}

static int rawfbt_args(struct dtx_env *env, struct dtx_probe *p)
{
	p->args.untyped = true;
	if (kind_is(p->prog.kind, KIND_RETURN))
		args_return(env, p, NULL, -1);
	else if (!koffset_is(p))
		args_regs(env, p, NULL, false);
	return 0;
}

const struct dtx_provider provider_rawfbt = {
	.name = "rawfbt",
	.doc = "kernel functions as compiled, with the clones of the optimiser; untyped arguments",
	.list = rawfbt_list,
	.args = rawfbt_args,
	.attach = kattach,
	.missing = rawfbt_missing,
	.advise = rawfbt_advise,
};
