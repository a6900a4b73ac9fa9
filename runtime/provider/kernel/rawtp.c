/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rawtp.c - raw tracepoints: rawtp:GROUP::EVENT, with the arguments that the kernel passes to
 * the tracepoint, before any field of the event is made.
 *
 * Types come from BTF, by the typedef btf_trace_EVENT.
 */
#include <errno.h>
#include <stdlib.h>

#include <dtx/tables/loc.h>
#include <dtx/progkind.h>

#include "runtime/provider/provider.h"
#include "runtime/types/types.h"
#include "runtime/kernel/kernel.h"
#include "runtime/provider/attach.h"

struct listing {
	struct dtx_env *env;
	const struct dtx_pattern *pat;
	VEC(struct tp_id) found;
};

static bool has_raw(const char *group)
{
	return strcmp(group, "syscalls") && strcmp(group, "kprobes") && strcmp(group, "uprobes") &&
	       strcmp(group, "synthetic");
}

static int find_event(void *arg, const struct tp_id *t)
{
	struct listing *l = arg;

	if (has_raw(t->group) &&
	    prov_wants(l->pat, prov_base(&provider_rawtp) + t->id, t->group, "", t->name))
		VEC_PUSH(&l->found, *t);
	return 0;
}

static int rawtp_emit(struct listing *l, const struct tp_id *t, dtx_probe_fn *each, void *arg)
{
	struct dtx_env *env = l->env;
	struct dtx_probe *p = prov_probe(env, &provider_rawtp, (struct probe_name){
		prov_base(&provider_rawtp) + t->id, "rawtp", t->group, "", t->name
	});
	u32 object, id = tpevents_btf(env, t->name, &object);

	p->place.target = p->name;
	tpevents_kind_of(env, p, l->found.n > 1, id, object);
	return each(arg, p);
}

static int rawtp_list(struct dtx_env *env, const struct dtx_pattern *pat, dtx_probe_fn *each,
		      void *arg)
{
	struct listing l = { .env = env, .pat = pat };
	int err = 0;

	if (!prov_named(pat, "rawtp") || !glob_matches(pat->func, ""))
		return 0;
	tpevents_each(env, pat->mod, pat->name, find_event, &l);
	for (u32 i = 0; !err && i < l.found.n; i++)
		err = rawtp_emit(&l, &l.found.v[i], each, arg);
	VEC_FREE(&l.found);
	return err;
}

/* What BTF does not tell is tried: all arguments at once; if that is refused, one by one. */
static void distrust(struct dtx_env *env, struct dtx_probe *p)
{
	u32 all = 0;

	for (u32 i = 0; i < p->args.n; i++)
		all |= p->args.v[i].trusted ? 1u << p->args.v[i].off / 8 : 0;
	if (!all || feature_tp_btf_reads(env, p->place.target, p->prog.btf_id, p->prog.btf_obj_id,
					 all))
		return;
	for (u32 i = 0; i < p->args.n; i++)
		p->args.v[i].trusted = p->args.v[i].trusted &&
			feature_tp_btf_reads(env, p->place.target, p->prog.btf_id,
					     p->prog.btf_obj_id, 1u << p->args.v[i].off / 8);
}

static int rawtp_args(struct dtx_env *env, struct dtx_probe *p)
{
	struct btf_src *btf = btf_src_open(env);
	struct type *proto = NULL;
	u32 n;

	if (btf && btf_rawtp_id(btf, p->place.target, &proto, env->arena) && proto) {
		args_slots(env, p, proto, 0, 0, kind_is(p->prog.kind, KIND_TYPED));
		distrust(env, p);
		return 0;
	}
	prov_args(env, p, DTX_MAX_ARGS);
	for (n = 0; n < DTX_MAX_ARGS; n++) {
		p->args.v[n].loc = LOC_CTX;
		p->args.v[n].off = 8 * n;
		p->args.v[n].size = 8;
	}
	p->args.untyped = true;
	return 0;
}

static int rawtp_attach(struct attach *at, const struct dtx_probe **probes, const u64 *cookies,
		  u32 n, int prog_fd)
{
	int first = 0;
	u32 done = 0;

	for (u32 i = 0; i < n; i++) {
		const struct dtx_probe *p = probes[i];
		int fd = tpevents_link(p, prog_fd, p->prog.ident == IDENT_COOKIE ? cookies[i] : 0);

		if (fd < 0) {
			first = first ? first : fd;
			attach_refuse(at, p, "%s", tpevents_why(at->env, p, fd));
			continue;
		}
		attach_keep(at, fd);
		done++;
	}
	if (done)
		attach_note(at, "%s: %u raw tracepoint%s by %s", prov_common(at->arena, probes, n),
			    done, done == 1 ? "" : "s",
			    progkinds[probes[0]->prog.kind].name);
	return done ? 0 : first;
}

static const char *rawtp_missing(struct dtx_env *env)
{
	return tracefs_path(env) ? NULL :
		"tracefs is not mounted or not readable, so tracepoints cannot be found: run as "
		"root, 'mount -t tracefs nodev /sys/kernel/tracing'";
}

const struct dtx_provider provider_rawtp = {
	.name = "rawtp",
	.doc = "kernel tracepoints with the arguments of the tracepoint itself",
	.list = rawtp_list,
	.args = rawtp_args,
	.attach = rawtp_attach,
	.missing = rawtp_missing,
};
