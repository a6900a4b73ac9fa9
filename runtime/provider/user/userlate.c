/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * userlate.c - functions and probes of programs and libraries that come later (-Z), for uprobe, pid
 * and usdt: one placeholder stands for them (dtx_probe.late).
 * Why: docs/decisions/33-later-programs.md
 */
#include <dtx/tables/loc.h>
#include <dtx/env.h>

#include "runtime/proc/proc.h"
#include "runtime/provider/provider.h"
#include "runtime/provider/user/codewalk.h"

struct dtx_probe *user_placeholder(struct dtx_env *env, const struct dtx_pattern *pat,
				   const struct user_where *w, bool ret)
{
	struct user_where own = *w;
	struct dtx_probe *p;

	/* There is no path yet: what is waited for tells placeholders apart. */
	own.path = arena_printf(env->arena, "-Z %s", w->mod);
	p = user_probe(env, &own, pat->func, pat->name, 0, ret);
	if (p->prog.ident != IDENT_COOKIE)            /* each would need a program of its own */
		return NULL;
	p->late = true;
	p->place.target = NULL;
	return p;
}

static int any(void *arg, struct dtx_probe *p)
{
	return 1;
}

bool user_matches_now(struct dtx_env *env, const struct dtx_provider *of,
		      const struct dtx_pattern *pat)
{
	return of->list(env, pat, any, NULL) > 0;
}

/* Functions that are there already keep their types: they have no placeholder. */
struct dtx_probe *user_late(struct dtx_env *env, const struct dtx_pattern *pat,
			    const struct user_where *w)
{
	static const struct dtx_guard sometimes;         /* it may: the map says it */
	bool ret = !strcmp(pat->name, "return");
	struct dtx_probe *p;

	if (user_never(env) || pat->id || !*pat->func ||
	    (!ret && strcmp(pat->name, "entry")) || user_matches_now(env, w->of, pat))
		return NULL;
	p = user_placeholder(env, pat, w, ret && user_by_kernel(env));
	if (p) {
		p->place.guard = &sometimes;
		p->place.past = 1;       /* those that come may be moved: user_for_needs() */
	}
	return p;
}

bool user_is_file(struct dtx_env *env, const char *mod, const struct proc_object *po)
{
	struct file_id named, mapped;

	if (!strchr(mod, '/'))
		return process_object_named(po, mod);
	if (glob_is_pattern(mod))
		return glob_matches(mod, po->path);
	named = file_identity(user_literal(env, mod));
	mapped = file_identity(po->path);
	return mapped.ino && file_id_same(&named, &mapped);
}

int user_late_args(struct dtx_env *env, struct dtx_probe *p)
{
	struct dtx_arg *a = prov_args(env, p, DTX_MAX_ARGS);

	for (u32 i = 0; i < DTX_MAX_ARGS; i++)
		a[i] = (struct dtx_arg){ .loc = LOC_LATE, .value = i, .size = 8, .user = true,
					 .is_signed = true, .ctype = "int64_t" };
	return 0;
}
