/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernlate.c - functions and events of kernel modules that are loaded later (-Z), for fbt and
 * tracepoint: one placeholder stands for them (dtx_probe.late).
 * Why: docs/decisions/33-later-programs.md
 */
#include <dtx/arch.h>
#include <dtx/tables/loc.h>
#include <dtx/env.h>
#include <dtx/abi.h>

#include "runtime/provider/provider.h"
#include "runtime/types/types.h"

#define SITES   0x40000000u      /* placeholders have one number, and sites from here on */

static int any(void *arg, struct dtx_probe *p)
{
	return 1;
}

void provider_modules_anew(struct dtx_env *env)
{
	kattach_outdated(env);
	tpevents_outdated(env);
	btf_src_outdated(fbt_types(env));
}

/* What is there already keeps its types: it has no placeholder, and nothing else is waited for. */
bool kernlate_waits(struct dtx_env *env, const struct dtx_provider *of,
		    const struct dtx_pattern *pat)
{
	return !pat->id && strcmp(pat->mod, "vmlinux") &&
	       (*pat->mod || *pat->func || *pat->name) &&
	       of->list(env, pat, any, NULL) == 0;
}

struct dtx_probe *kernlate_probe(struct dtx_env *env, const struct dtx_provider *of,
				 const struct dtx_pattern *pat)
{
	struct prov_made **made = koffset_made(env);
	struct dtx_probe *p = prov_probe(env, of, (struct probe_name){
		prov_base(of), pat->prov, pat->mod, pat->func, pat->name
	});

	/* What is waited for tells placeholders apart. */
	p->place.site = SITES + prov_made(env, made, arena_printf(env->arena, "-Z " PROBE_NAME,
								  PROBE_PARTS(pat)));
	p->prog.ident = IDENT_COOKIE;
	p->late = true;
	return p;
}

void kernlate_args(struct dtx_env *env, struct dtx_probe *p, bool ret)
{
	struct dtx_arg *a = prov_args(env, p, DTX_MAX_ARGS);

	for (u32 i = 0; i < DTX_MAX_ARGS; i++)
		a[i] = (struct dtx_arg){ .loc = LOC_LATE, .value = i, .size = 8,
					 .is_signed = true };
	for (u32 i = ret ? 2 : ARCH_ARG_REGS; i < DTX_MAX_ARGS; i++)
		a[i] = (struct dtx_arg){ .loc = LOC_NONE, .size = 8,
					 .text = ret ? "a return has one value, arg1" :
					 "it is not in a register, and functions of modules that "
					 "are loaded later are read by registers alone" };
	p->args.untyped = true;
	p->args.why = "the parameters of functions are not known before their module is loaded";
	p->args.ret = ret ? 1 : -1;
}
