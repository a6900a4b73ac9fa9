/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_filter.c - filters: events of other processes end a program before its first clause (-p,
 * --follow, --cgroup, --comm).  Nothing is emitted for unused filters and for probes without a
 * process (place.no_filter).
 *
 * The set of --follow, and that of several -p, is a map of process numbers.  Two more programs,
 * not in the manifest, keep the set of --follow: one runs when a process is created, one when it
 * has ended (bpf/filter.bpf.c).
 * Why: docs/decisions/16-filters.md
 */
#include <linux/bpf.h>

#include <dtx/progkind.h>
#include <dtx/opt.h>
#include <dtx/tables/maprole.h>

#include "compiler/emit/expr/rows.h"

static const char *text_option(const struct emit *e, enum opt_id id)
{
	const char *s = opt_text(e->c->env, id);

	return s && *s ? s : NULL;
}

static bool follows(const struct emit *e)
{
	return opt_num(e->c->env, OPT_follow);
}

/* Are there several target processes? */
static bool has_set(const struct emit *e)
{
	return follows(e) || (e->c->env->target_only && e->c->env->targets.n > 1);
}

void emit_filter_maps(struct emit *e)
{
	if (has_set(e))
		emit_new_map(e, ROLE_follow)->max_entries = DTX_FOLLOW_MAX;
	if (text_option(e, OPT_cgroup))
		emit_new_map(e, ROLE_cgroup)->max_entries = 1;
}

static void only_comm(struct emit *e, const char *name, block quit)
{
	u64 word[2] = { 0, 0 };

	memcpy(word, name, MIN(strlen(name), (size_t)DTX_COMM_LEN - 1));
	ll_only_if(e, ll_call(e, "dtx_filter_comm", ll_num(e, word[0]), ll_num(e, word[1])), quit);
}

void emit_filter_process(struct emit *e, block quit)
{
	if (follows(e) || e->c->env->target_only)
		emit_task_offsets(e);
	if (has_set(e))
		ll_only_if(e, ll_call_n(e, "dtx_filter_follow", NULL, 0), quit);
	else if (e->c->env->target_only)
		ll_only_if(e, ll_call_n(e, "dtx_filter_pid", NULL, 0), quit);
}

/* The cheapest first. */
static void only_selected(struct emit *e, block quit)
{
	const char *comm = text_option(e, OPT_comm);

	emit_filter_process(e, quit);
	if (text_option(e, OPT_cgroup))
		ll_only_if(e, ll_call_n(e, "dtx_filter_cgroup", NULL, 0), quit);
	if (comm)
		only_comm(e, comm, quit);
}

void emit_filter(struct emit *e, block quit)
{
	if (!kind_is(e->p.prog->kind, KIND_ONCE) && !e->p.prog->probes[0]->place.no_filter)
		only_selected(e, quit);
}

val emit_selected(struct emit *e, const struct node *n)
{
	block others, end;

	if (!text_option(e, OPT_comm) && !text_option(e, OPT_cgroup) && !follows(e) &&
	    !e->c->env->target_only)
		return ll_num(e, 2);
	others = ll_block(e, "others");
	end = ll_block(e, "known");
	only_selected(e, others);
	block mine = ll_here(e);

	ll_br(e, end);
	ll_at(e, others);
	ll_br(e, end);
	ll_at(e, end);
	return ll_phi(e, e->i64, ll_num(e, 1), mine, ll_num(e, 0), others);
}

/* ---- the set of --follow ------------------------------------------------------------------- */

void emit_filter_programs(struct emit *e)
{
	static const struct { const char *name, *section; } progs[] = {
		{ "dtx_follow_fork", "dtx/fork" }, { "dtx_follow_free", "dtx/free" },
	};

	if (!follows(e) || !e->c->bprogs)
		return;
	for (u32 i = 0; i < ARRAY_SIZE(progs); i++) {
		e->p.prog = e->c->bprogs;
		emit_begin_program(e, arena_printf(e->c->arena, "%s_prog", progs[i].name),
				   progs[i].section);
		emit_frame(e, LLVMGetParam(e->f.fn, 0));
		ll_call(e, progs[i].name, e->f.frame);
		LLVMBuildRet(e->b, ll_num32(e, 0));
	}
}
