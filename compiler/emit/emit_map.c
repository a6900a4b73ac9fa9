/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_map.c - the maps a program brings, as libbpf expects them in an object: a
 * zeroed struct in section .maps whose type says what the map is.
 */
#include <linux/bpf.h>

#include <dtx/progkind.h>

#include "compiler/emit/emit-private.h"

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

/* Adds a map to the manifest. */
struct img_map *emit_new_map(struct emit *e, const char *name, const char *role)
{
	struct img *img = e->c->img;

	ARENA_PUSH(img->arena, img->maps, img->nmaps,
		   ((struct img_map){ .name = name, .role = role }));
	return &img->maps[img->nmaps - 1];
}

/* Slots for all CPUs and levels; the loader knows how many CPUs there are. */
static void add_scratch(struct emit *e)
{
	struct img_map *m = emit_new_map(e, "dtx_scratch", "scratch");

	m->type = BPF_MAP_TYPE_ARRAY;
	m->key_size = 4;
	m->val_size = e->c->plan->scratch_size + 8;       /* the level: bpf/out.bpf.c */
}

static void add_drops(struct emit *e)
{
	struct img_map *m = emit_new_map(e, "dtx_drops", "drops");

	m->type = BPF_MAP_TYPE_PERCPU_ARRAY;
	m->key_size = 4;
	m->val_size = 8 * DTX_DROP_N;
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
	struct img_map *m = emit_new_map(e, "dtx_runs", "runs");

	m->type = BPF_MAP_TYPE_PERCPU_ARRAY;
	m->key_size = 4;
	m->val_size = 8;
	m->max_entries = img_loss_rows(e->c->img);
}

/* Who asked first, and what was kept, by object: __first(), __note(). */
static void add_firsts(struct emit *e)
{
	if (!e->c->uses_first)
		return;
	struct img_map *m = emit_new_map(e, "dtx_firsts", "firsts");

	m->type = BPF_MAP_TYPE_LRU_HASH;
	m->key_size = sizeof(struct dtx_first);
	m->val_size = 8;
	m->max_entries = DTX_FIRSTS_MAX;
}

/* Descriptions of probes that are found at run time. */
static void add_late(struct emit *e)
{
	if (!e->c->img->late)
		return;
	struct img_map *m = emit_new_map(e, "dtx_late", "late");

	m->type = BPF_MAP_TYPE_HASH;
	m->key_size = 4;
	m->val_size = sizeof(struct dtx_late);
	m->max_entries = DTX_LATE_MAX;
	m->flags = BPF_F_NO_PREALLOC;
}

/* The loader knows how many speculations there are. */
static void add_specs(struct emit *e)
{
	struct img_map *m = emit_new_map(e, "dtx_specs", "spec");

	m->type = BPF_MAP_TYPE_ARRAY;
	m->key_size = 4;
	m->val_size = sizeof(struct dtx_spec);
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

/*
 * Addresses of kernel objects change with each boot: the loader writes them here
 * (runtime/load/load.c), and an image stays valid.
 */
static val add_ksyms(struct emit *e)
{
	u32 n = e->c->img->nksyms;
	LLVMTypeRef type = LLVMArrayType2(e->i64, n);
	val g = LLVMAddGlobal(e->mod, type, "dtx_ksyms");

	LLVMSetInitializer(g, LLVMConstNull(type));
	LLVMSetSection(g, IMG_KSYMS);
	LLVMSetAlignment(g, 8);
	dbg_datum(e, g, "dtx_ksyms", 8 * n);
	return g;
}

static val ksyms(struct emit *e)
{
	val g = LLVMGetNamedGlobal(e->mod, "dtx_ksyms");

	return g ? g : add_ksyms(e);
}

val emit_ksym(struct emit *e, u32 index)
{
	return ll_load(e, ll_off(e, ksyms(e), 8 * index), 8, false);
}

val emit_ksym_at(struct emit *e, val index)
{
	val i = ll_call(e, "dtx_clamp", index, ll_num(e, e->c->img->nksyms - 1));

	return ll_load(e, ll_off_var(e, ksyms(e), LLVMBuildShl(e->b, i, ll_num(e, 3), "")), 8,
		       false);
}

void emit_maps(struct emit *e)
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

val emit_shelf(struct emit *e, const char *name)
{
	return emit_map(e, img_map_named(e->c->img, name)->shelf);
}

val emit_slot(struct emit *e, const char *name)
{
	return ll_num(e, img_map_named(e->c->img, name)->slot);
}

val emit_map(struct emit *e, const char *name)
{
	val g = LLVMGetNamedGlobal(e->mod, name);

	if (!g)
		diag_error(&e->c->env->diags, DIAG_NONE, e->p.inst->clause->at,
			   "internal error: there is no map %s", name);
	return g ? g : LLVMGetUndef(e->ptr);
}
