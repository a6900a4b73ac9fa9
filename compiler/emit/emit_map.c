/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_map.c - how code names maps and symbols of the kernel; maps of the manifest.
 */
#include <dtx/tables/maprole.h>

#include "compiler/emit/emit-private.h"

/* Adds the map of this role, as its row says, to the manifest. */
struct img_map *emit_new_map(struct emit *e, u32 role)
{
	const struct maprole *row = &maproles[role];
	struct img *img = e->c->img;

	ARENA_PUSH(img->arena, img->maps, img->nmaps,
		   ((struct img_map){ .name = row->name, .role = role, .type = row->type,
				      .key_size = row->key_size, .val_size = row->val_size }));
	return &img->maps[img->nmaps - 1];
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
