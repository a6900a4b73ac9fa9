/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * iter.c - the existing objects of the kernel: iter:task, iter:task_file, iter:task_vma,
 * iter:bpf_map …
 *
 * The program runs once for each object, when tracing begins (BPF iterators).  Arguments are
 * those of struct bpf_iter__NAME: task, file, fd, vma … A separate thread walks, and records
 * are read meanwhile; if nothing else is traced, the run ends with the walk.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <dtx/feat.h>
#include <dtx/kind.h>
#include <dtx/tables/loc.h>

#include "runtime/provider/provider.h"
#include "runtime/types/types.h"
#include "runtime/kernel/kernel.h"
#include "runtime/provider/attach.h"

extern const struct dtx_provider provider_iter;

#define PREFIX "bpf_iter_"

struct listing {
	struct dtx_env *env;
	const struct dtx_pattern *pat;
	dtx_probe_fn *each;
	void *arg;
};

/* struct bpf_iter__NAME, the context of the program. */
static struct type *context(struct dtx_env *env, const char *name)
{
	struct btf_src *btf = btf_src_open(env);
	struct type_source *types = btf ? btf_src_types(btf) : NULL;
	struct type *t = types ? types->by_name(types, env->arena, T_STRUCT,
				arena_printf(env->arena, "bpf_iter__%s", name)) : NULL;

	return t ? type_complete(t) : NULL;
}

/* Iterators over elements of a map need a map. */
static bool needs_map(const char *name)
{
	return !strcmp(name, "bpf_map_elem") || !strcmp(name, "bpf_sk_storage_map") ||
	       !strcmp(name, "sockmap") || !strcmp(name, "cgroup");
}

static int iter_consider(void *arg, const char *func, u32 id)
{
	struct listing *l = arg;
	const char *name = func + strlen(PREFIX);
	struct dtx_probe *p;

	if (strncmp(func, PREFIX, strlen(PREFIX)) ||
	    !prov_wants(l->pat, prov_base(&provider_iter) + id, "", "", name) || needs_map(name) ||
	    !context(l->env, name))
		return 0;
	p = prov_probe(l->env, &provider_iter, (struct probe_name){
		prov_base(&provider_iter) + id, "iter", "", "",
		arena_strdup(l->env->arena, name)
	});
	p->prog.kind = PK_ITER;
	p->prog.ident = IDENT_ONE;
	p->prog.btf_id = id;
	p->place.no_filter = true;
	return l->each(l->arg, p);
}

static int iter_list(struct dtx_env *env, const struct dtx_pattern *pat, dtx_probe_fn *each,
		     void *arg)
{
	struct listing l = { env, pat, each, arg };
	struct btf_src *btf;
	const char *name = NULL;
	u32 id, obj = 0;

	if (!prov_named(pat, "iter") || !env_has(env, FEAT_TP_BTF) || !(btf = btf_src_open(env)))
		return 0;
	if (pat->id || glob_is_pattern(pat->name))
		return btf_each_func(btf, iter_consider, &l);
	name = arena_printf(env->arena, PREFIX "%s", pat->name);
	id = btf_func_id(btf, name, NULL, &obj);
	return id && !obj ? iter_consider(&l, name, id) : 0;
}

/* The member of the union that each object is in: 8 bytes, for a pointer of any width. */
static const struct type_member *object(const struct type_member *m)
{
	struct type *u = type_base(m->type);

	if (m->name && *m->name)
		return m;
	type_complete(u);
	return u->count ? &u->members[0] : m;
}

static int iter_args(struct dtx_env *env, struct dtx_probe *p)
{
	struct type *ctx = context(env, p->name);
	u32 n = ctx && ctx->count ? ctx->count - 1 : 0;
	struct dtx_arg *a = prov_args(env, p, n);

	for (u32 i = 0; i < n; i++) {            /* the first is the walk itself */
		const struct type_member *m = object(&ctx->members[i + 1]);
		struct type *t = type_base(m->type),
			    *to = t->kind == T_PTR ? type_base(t->to) : NULL;

		a[i].name = m->name;
		a[i].type = m->type;
		a[i].loc = LOC_CTX;
		a[i].off = ctx->members[i + 1].bit_off / 8;
		a[i].size = t->kind == T_PTR ? 8 : t->size;
		a[i].is_signed = t->kind == T_INT && t->is_signed;
		a[i].trusted = to && (to->kind == T_STRUCT || to->kind == T_UNION);
	}
	return 0;
}

/* ---- walking --------------------------------------------------------------------------- */

static int iter_attach(struct attach *at, const struct dtx_probe **probes, const u64 *cookies,
		  u32 n, int prog_fd)
{
	int link = sys_link_iter(prog_fd), fd = link < 0 ? link : sys_iter_create(link);

	if (link >= 0)
		attach_keep(at, link);
	if (fd < 0) {
		attach_refuse(at, probes[0], "%s", prov_why(fd));
		return fd;
	}
	VEC_PUSH(&at->walks, fd);
	attach_note(at, "iter:%s: by a BPF iterator, once", probes[0]->name);
	return 0;
}

static const char *iter_advise(struct dtx_env *env, const struct dtx_pattern *pat)
{
	if (strcmp(pat->prov, "iter"))
		return NULL;
	if (!env_has(env, FEAT_TP_BTF))
		return "this kernel has no BPF iterators for dtx: iter probes are not available";
	return TOOL " -ln iter::: lists the kinds of objects that this kernel can walk";
}

const struct dtx_provider provider_iter = {
	.name = "iter",
	.doc = "objects of the kernel, each once: iter:task, iter:task_file",
	.list = iter_list,
	.args = iter_args,
	.attach = iter_attach,
	.advise = iter_advise,
};
