/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_data.c - the data of the module: constants of the library, the manifest, and the maps that
 * a program brings, as libbpf expects them in an object: a zeroed struct in section .maps whose
 * type says what the map is.
 */
#include <linux/bpf.h>

#include <dtx/feat.h>
#include <dtx/progkind.h>
#include <dtx/tables/maprole.h>

#include "compiler/emit/emit-private.h"

/* ---- maps ---------------------------------------------------------------------------------- */

static val add_map(struct emit *e, const struct img_map *m)
{
	LLVMTypeRef type = LLVMArrayType2(e->i64, 8);    /* at least its members */
	val g = LLVMGetNamedGlobal(e->mod, m->name);

	if (g)
		return g;
	g = LLVMAddGlobal(e->mod, type, m->name);
	LLVMSetInitializer(g, LLVMConstNull(type));
	LLVMSetSection(g, ".maps");
	LLVMSetAlignment(g, 8);
	dbg_map(e, g, m);
	return g;
}

/* Slots for all CPUs and levels; the loader knows how many CPUs there are. */
static void add_scratch(struct emit *e)
{
	struct img_map *m = emit_new_map(e, ROLE_scratch);

	m->val_size = e->c->plan->scratch_size + 8;       /* the level: bpf/out.bpf.c */
}

static void add_drops(struct emit *e)
{
	struct img_map *m = emit_new_map(e, ROLE_drops);

	m->max_entries = img_loss_rows(e->c->img);
}

/* How often the programs of perf events ran: by probe or by program, like losses. */
static void add_runs(struct emit *e)
{
	const struct prog *p = e->c->bprogs;

	while (p && !kind_is(p->kind, KIND_SAMPLE))
		p = p->next;
	if (!p)
		return;
	struct img_map *m = emit_new_map(e, ROLE_runs);

	m->max_entries = img_loss_rows(e->c->img);
}

/* Who asked first, and what was kept, by object: __first(), __note(). */
static void add_firsts(struct emit *e)
{
	if (!e->c->uses_first)
		return;
	struct img_map *m = emit_new_map(e, ROLE_firsts);

	m->max_entries = DTX_FIRSTS_MAX;
}

/* Descriptions of probes that are found at run time. */
static void add_late(struct emit *e)
{
	if (!e->c->img->late)
		return;
	struct img_map *m = emit_new_map(e, ROLE_late);

	m->max_entries = DTX_LATE_MAX;
	m->flags = BPF_F_NO_PREALLOC;
}

/* The loader knows how many speculations there are. */
static void add_specs(struct emit *e)
{
	emit_new_map(e, ROLE_spec);
}

/* The control block, in a separate section: it becomes a separate map. */
static void add_ctl(struct emit *e)
{
	LLVMTypeRef type = LLVMArrayType2(e->i64, sizeof(struct dtx_ctl) / 8);
	val g = LLVMAddGlobal(e->mod, type, "dtx_ctl");

	LLVMSetInitializer(g, LLVMConstNull(type));
	LLVMSetSection(g, ".data.dtxctl");
	LLVMSetAlignment(g, 8);
	dbg_datum(e, g, "dtx_ctl", sizeof(struct dtx_ctl));
}

static void add_maps(struct emit *e)
{
	const struct img *img = e->c->img;

	add_scratch(e);
	add_drops(e);
	add_runs(e);
	add_firsts(e);
	add_late(e);
	add_specs(e);
	add_ctl(e);
	emit_filter_maps(e);
	emit_vtime_map(e);
	emit_entry_map(e);
	emit_guard_map(e);
	emit_stack_maps(e);
	for (u32 i = 0; i < img->nmaps; i++)
		add_map(e, &img->maps[i]);
}

/* ---- the rest ------------------------------------------------------------------------------ */

static void constant(struct emit *e, const char *name, u32 value)
{
	val g = LLVMAddGlobal(e->mod, e->i32, name);

	LLVMSetInitializer(g, ll_num32(e, value));
	LLVMSetGlobalConstant(g, true);
}

static void add_text(struct emit *e, const char *name, const char *section, const char *text,
		      size_t len)
{
	val bytes = LLVMConstStringInContext(e->ctx, text, len, false);
	val g = LLVMAddGlobal(e->mod, LLVMTypeOf(bytes), name);

	LLVMSetInitializer(g, bytes);
	LLVMSetGlobalConstant(g, true);
	LLVMSetSection(g, section);
}

void emit_manifest(struct emit *e)
{
	size_t len;
	char *text = img_write(e->c->img, e->c->arena, &len);

	add_text(e, "_license", "license", "Dual BSD/GPL", 12);
	add_text(e, "dtx_manifest", IMG_SECTION, text, len);
	text = (char *)e->c->img->script;
	if (text)
		add_text(e, "dtx_script", IMG_SCRIPT, text, strlen(text));
}

static void add_constants(struct emit *e)
{
	constant(e, "dtx_opt_atomics", env_has(e->c->env, FEAT_ATOMICS));
	constant(e, "dtx_opt_scratch", e->c->plan->scratch_size);
	constant(e, "dtx_opt_strmax", e->c->plan->strsize + 1);
	constant(e, "dtx_opt_work", e->c->plan->work_off);
	constant(e, "dtx_opt_walk", e->c->plan->walk_off);
	constant(e, "dtx_opt_tables", e->c->plan->walk == WALK_TABLES);
	constant(e, "dtx_opt_kends", e->c->plan->kends.size != 0);
	constant(e, "dtx_opt_blind", e->c->plan->made.blind);
	constant(e, "dtx_opt_pidns", e->c->env->pidns);
	constant(e, "dtx_opt_drops", img_losses_by_probe(e->c->img));
	constant(e, "dtx_opt_storage", env_has(e->c->env, FEAT_TASK_STORAGE));
	if (e->c->env->pidns)
		emit_task_offsets(e);
	emit_stack_constants(e);
}

void emit_data(struct emit *e)
{
	add_constants(e);
	add_maps(e);
}
