/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dump_plan.c - the plan as text (-S plan): programs, their arguments, records, aggregations,
 * variables and maps with their places.  Stable: it is a golden in tests.
 */
#include <dtx/tables/loc.h>
#include <dtx/progkind.h>
#include <dtx/tables/maprole.h>

#include "compiler/dump/dump.h"

static const char *const place_names[] = {
	[PLACE_NONE] = "none", [PLACE_GLOBAL] = "global", [PLACE_LOCAL] = "local",
	[PLACE_SCRATCH] = "scratch", [PLACE_SELF] = "thread", [PLACE_MAP] = "map",
};

static const char *const ftype_names[] = {
	[IMG_INT] = "int", [IMG_STR] = "string", [IMG_BYTES] = "bytes",
	[IMG_STACK] = "stack", [IMG_SYM] = "symbol",
};

static void dump_field(const struct img_field *f, struct buf *out)
{
	buf_printf(out, "      +%-4u %4u %s", f->off, f->size, ftype_names[f->type]);
	if (f->type == IMG_INT)
		buf_printf(out, " %s",
			   f->is_ptr      ? "pointer"
			   : f->is_signed ? "signed"
					  : "unsigned");
	if (f->type == IMG_STR && f->str_max)
		buf_printf(out, " max %u", f->str_max);
	if (f->type == IMG_STACK)
		buf_printf(out, " %s depth %u", f->user ? "user" : "kernel", f->depth);
	if (f->ctype)
		buf_printf(out, " (%s)", f->ctype);
	buf_putc(out, '\n');
}

static void dump_sites(const struct img *img, struct buf *out)
{
	for (u32 i = 0; i < img->nsites; i++) {
		const struct img_site *s = &img->sites[i];

		buf_printf(out, "site %u: clause %u line %u, record %u bytes%s\n", i, s->clause,
			   s->line, s->rec_size, s->is_default ? ", default" : "");
		for (u32 a = 0; a < s->nactions; a++) {
			buf_printf(out, "   %s\n", s->actions[a].name);
			for (u32 f = 0; f < s->actions[a].nfields; f++)
				dump_field(&s->actions[a].fields[f], out);
		}
	}
}

static void dump_aggs(const struct img *img, struct buf *out)
{
	for (u32 i = 0; i < img->naggs; i++) {
		const struct img_agg *a = &img->aggs[i];

		buf_printf(out, "aggregation @%s: %s, key %u, value %u bytes\n", a->name, a->func,
			   a->keyed ? a->key_size : 0, a->val_size);
		for (u32 k = 0; k < a->nkeys; k++)
			dump_field(&a->keys[k], out);
	}
}

/* ---- arguments ------------------------------------------------------------------------------ */

static const char *const loc_names[] = {
#define LOC(name, load, word) [LOC_##name] = word,
#define NO_LOC(name, word) [LOC_##name] = word,
#include <dtx/tables/locs.def>
};

static void dump_place(const struct dtx_arg *a, struct buf *out)
{
	buf_puts(out, loc_names[a->loc]);
	switch (a->loc) {
	case LOC_CTX: case LOC_REG: case LOC_STACK:
		buf_printf(out, " +%d", a->off);
		break;
	case LOC_PTREGS:
		buf_printf(out, " +%d of slot %u", a->off, a->slot);
		break;
	case LOC_DATALOC:
		buf_printf(out, " +%d from %lld", a->off, (long long)a->value);
		break;
	case LOC_USERMEM:
		buf_printf(out, " %u + %u * %u + %lld", a->slot, a->index, a->scale,
			   (long long)a->value);
		break;
	case LOC_CONST: case LOC_LATE:
		buf_printf(out, " %lld", (long long)a->value);
		break;
	case LOC_PLACE: case LOC_VALUE:
		buf_puts(out, " ");
		steps_text(&a->steps, out);
		break;
	default:
		buf_printf(out, "%s%s", a->text ? " " : "", a->text ? a->text : "");
	}
	if (a->loc == LOC_REG && a->value)
		buf_printf(out, " from bit %lld", (long long)a->value);
}

/* Where those that the clauses use are in the first probe. */
static void dump_args(const struct prog_group *g, struct buf *out)
{
	const struct dtx_probe *p = g->nprobes ? g->probes[0] : NULL;
	u64 used = 0;

	for (u32 i = 0; i < g->ninsts; i++)
		used |= g->insts[i]->args_used;
	for (u32 i = 0; p && i < p->args.n; i++) {
		const struct dtx_arg *a = &p->args.v[i];

		if (!(used >> MIN(i, 63u) & 1))
			continue;
		buf_printf(out, "      argument %u%s%s: ", i, a->name ? " " : "",
			   a->name ? a->name : "");
		dump_place(a, out);
		buf_printf(out, ", %u bytes%s%s%s\n", a->size, a->is_signed ? ", signed" : "",
			   a->user ? ", user" : "", a->trusted ? ", trusted" : "");
	}
}

static void dump_progs(struct comp *c, struct buf *out)
{
	for (struct prog *p = c->bprogs; p; p = p->next) {
		buf_printf(out, "program %u: %s, %u probe%s\n", p->index, progkind_names[p->kind],
			   p->nprobes, p->nprobes == 1 ? "" : "s");
		for (u32 g = 0; g < p->ngroups; g++) {
			buf_puts(out, "   clauses");
			for (u32 i = 0; i < p->groups[g].ninsts; i++)
				buf_printf(out, " %u", p->groups[g].insts[i]->clause->index);
			buf_printf(out, " on %u probe%s\n", p->groups[g].nprobes,
				   p->groups[g].nprobes == 1 ? "" : "s");
			dump_args(&p->groups[g], out);
		}
	}
}

static void dump_vars(struct comp *c, struct buf *out)
{
	static const char *const prefix[] = { "", "self->", "this->", "@" };

	for (const struct sym *s = c->syms; s; s = s->next) {
		if (s->kind != SYM_VAR && s->kind != SYM_ASSOC)
			continue;
		buf_printf(out, "variable %s%s: %s +%u, %u bytes", prefix[s->space], s->name,
			   place_names[s->place], s->off, s->size);
		if (s->kind == SYM_ASSOC)
			buf_printf(out, ", key %u bytes", s->key_size);
		buf_putc(out, '\n');
	}
}

void dump_plan(struct comp *c, struct buf *out)
{
	const struct plan *p = c->plan;

	dump_progs(c, out);
	dump_sites(c->img, out);
	dump_aggs(c->img, out);
	dump_vars(c, out);
	for (u32 i = 0; i < c->img->nmaps; i++)
		buf_printf(out, "map %s: %s, key %u, value %u\n", c->img->maps[i].name,
			   maprole_words[c->img->maps[i].role], c->img->maps[i].key_size,
			   c->img->maps[i].val_size);
	buf_printf(out,
		   "scratch: %u bytes (record %u, key %u, this %u, %u strings of %u, memory %u)\n",
		   p->scratch_size, p->rec_size, p->key_size, p->this_size, p->nstrs, p->str_slot,
		   p->mem_size);
}
