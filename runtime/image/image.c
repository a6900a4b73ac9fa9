/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image.c - read an image: find the manifest in the ELF object, have imgtext.c read it into
 * the structs of image.h, and check every number that is later used as an index, an
 * offset or a size.
 *
 * What img_read() accepts may be loaded and decoded without further checks of the
 * manifest; records are still never trusted (decode.c).
 */
#include <gelf.h>
#include <linux/bpf.h>

#include <dtx/aggs.h>
#include <dtx/base.h>
#include <dtx/progkind.h>
#include <dtx/stack.h>
#include <dtx/python.h>
#include <dtx/tables/maprole.h>

#include "runtime/image/image-private.h"

/* ---- checks -------------------------------------------------------------------- */

#define IMAGE_KEY_MAX   65536            /* far above the limit of a BPF key */

static bool image_check_indices(struct image_reader *r, const u32 *v, u32 n, u32 limit,
				const char *of)
{
	for (u32 i = 0; i < n; i++)
		if (v[i] >= limit)
			return image_bad(r, "names %s %u, but there are only %u", of, v[i], limit);
	return true;
}

static u32 image_fixed_size(const struct img_field *f, bool in_key)
{
	switch (f->type) {
	case IMG_STR:
		return in_key ? 0 : sizeof(struct dtx_strref);
	case IMG_STACK:
		return sizeof(struct dtx_stackref);
	case IMG_SYM:
		return sizeof(struct dtx_symref);
	default:
		return 0;
	}
}

static bool image_check_field(struct image_reader *r, const struct img_field *f, u32 from,
			      u32 limit, bool in_key)
{
	u32 fixed = image_fixed_size(f, in_key);

	if (f->off < from || f->off > limit || f->size > limit - f->off)
		return image_bad(r, "lies outside of its record or key");
	if (fixed && f->size != fixed)
		return image_bad(r, "has %u bytes instead of %u", f->size, fixed);
	if (f->type == IMG_INT && f->size != 1 && f->size != 2 && f->size != 4 && f->size != 8)
		return image_bad(r, "is a number of %u bytes", f->size);
	if (f->type == IMG_STR && in_key && !f->size)
		return image_bad(r, "is a string without room");
	if (f->type == IMG_SYM && !f->symkind)
		return image_bad(r, "is a symbol of no kind");
	if (f->type == IMG_STACK && !f->depth)
		return image_bad(r, "is a stack without frames");
	if (f->str_max > DTX_REC_MAX)
		return image_bad(r, "is a string of %u bytes", f->str_max);
	return true;
}

/* Where fields may lie: in a key or a record, from one byte on and before another. */
struct image_span {
	u32 from, limit;
	bool in_key;
};

static bool image_check_fields(struct image_reader *r, const char *name,
			       const struct img_field *f, u32 n, struct image_span in)
{
	for (u32 i = 0; i < n; i++) {
		u32 old = image_enter(r, name, -1);
		image_enter(r, NULL, i);
		if (!image_check_field(r, &f[i], in.from, in.limit, in.in_key))
			return false;
		image_leave(r, old);
	}
	return true;
}

static bool image_check_types(struct image_reader *r, const struct img_action *act, u32 ntypes)
{
	for (u32 i = 0; i < act->nfields; i++)
		if (act->fields[i].objtype > ntypes)
			return image_bad(r, "prints type %u, but there are only %u",
					 act->fields[i].objtype, ntypes);
	return true;
}

static bool image_check_convs(struct image_reader *r, const struct img_action *act)
{
	for (u32 i = 0; i < act->nconvs; i++) {
		const struct img_conv *c = &act->convs[i];
		if (c->width < -1 || c->width > IMG_WIDTH_MAX || c->prec < -1 ||
		    c->prec > IMG_WIDTH_MAX)
			return image_bad(r, "has a width or precision out of range");
		if (c->flags && strspn(c->flags, "-0+ #'?@") != strlen(c->flags))
			return image_bad(r, "has an unknown conversion flag");
	}
	return true;
}

static bool image_check_site(struct image_reader *r, const struct img *img,
			     const struct img_site *s)
{
	if (s->rec_size > DTX_REC_MAX || (s->rec_size && s->rec_size < sizeof(struct dtx_rec)))
		return image_bad(r, "has records of %u bytes", s->rec_size);
	if (s->time_off && (s->rec_size < sizeof(struct dtx_rectime) ||
			    s->time_off > s->rec_size - sizeof(struct dtx_rectime)))
		return image_bad(r, "has no room for the time of a record");
	if (s->frame_off && (s->rec_size < sizeof(u64) || s->frame_off > s->rec_size - sizeof(u64)))
		return image_bad(r, "has no room for the frame of a call");
	if (s->nruns % 2 || !image_check_indices(r, s->runs, s->nruns, img->nprobes, "probe"))
		return image_bad(r, "has half a run of probes");
	for (u32 i = 0; i < s->nactions; i++) {
		const struct img_action *act = &s->actions[i];
		u32 old = image_enter(r, "actions", -1);
		image_enter(r, NULL, i);
		if (!image_check_indices(r, act->aggs, act->naggs, img->naggs, "aggregation") ||
		    !image_check_fields(r, "fields", act->fields, act->nfields,
					(struct image_span){ sizeof(struct dtx_rec), s->rec_size,
							     false }) ||
		    !image_check_types(r, act, img->ntypes) || !image_check_convs(r, act))
			return false;
		image_leave(r, old);
	}
	return true;
}

/* The size of a value follows from the row of its function and these constants. */
static bool image_check_agg_value(struct image_reader *r, const struct img_agg *g)
{
	const struct agg_func *f = agg_func(g->func);
	u32 nconsts;
	u64 words;

	if (!f)
		return image_bad(r, "uses %s(), which this dtx does not know", g->func);
	agg_consts(f, &nconsts);
	words = g->nparams == nconsts ? agg_words(f, g->params) : 0;
	if (!words)
		return image_bad(r, "has no valid constants for %s()", g->func);
	if (g->val_size > IMG_AGG_MAX || g->val_size != (words + !g->keyed) * sizeof(u64))
		return image_bad(r, "has values of %u bytes, not of %llu", g->val_size,
				 (unsigned long long)(words + !g->keyed) * sizeof(u64));
	return true;
}

/* In a keyed one the CPU number is between the keys of the tuple or after them. */
static bool image_check_agg_cpu(struct image_reader *r, const struct img_agg *g)
{
	if (g->keyed &&
	    (g->cpu_off > g->key_size || (g->cpu_size != 1 && g->cpu_size != DTX_AGG_CPU_BYTES)))
		return image_bad(r, "has the CPU at byte %u of its key, %u bytes", g->cpu_off,
				 g->cpu_size);
	for (u32 i = 0; i < g->nkeys; i++) {
		const struct img_field *f = &g->keys[i];
		bool string_end = f->type == IMG_STR && g->cpu_size == 1 &&
				  g->cpu_off == f->off + f->size - 1;

		if (g->cpu_off < f->off + f->size && f->off < g->cpu_off + g->cpu_size &&
		    !string_end)
			return image_bad(r, "has the CPU where keys[%u] is", i);
	}
	return true;
}

/* Entries are read into buffers of the sizes that maproles.def says. */
static bool image_check_map(struct image_reader *r, const struct img *img, const struct img_map *m)
{
	const struct maprole *row = &maproles[m->role];
	bool named = row->name && !strcmp(row->name, m->name), taken = false;

	for (u32 i = 0; i < ROLE_N; i++)
		taken |= i != m->role && maproles[i].name && !strcmp(maproles[i].name, m->name);
	if (taken || (named && !maprole_has_type(m->role, m->type)))
		return image_bad(r, "has the name %s, but is not a map of that kind", m->name);
	if (!maprole_has_type(m->role, m->type))
		return image_bad(r, "is the map %s of type %u, which no %s map is", m->name,
				 m->type, maprole_words[m->role]);
	if ((row->name && !named) || (row->key_size && row->key_size != m->key_size) ||
	    (row->val_size && row->val_size != m->val_size))
		return image_bad(r, "is the map %s of %u + %u bytes, which no %s map is", m->name,
				 m->key_size, m->val_size, maprole_words[m->role]);
	return true;
}

/* m: its first map. */
static bool image_check_turn(struct image_reader *r, const struct img *img,
			     const struct img_agg *g, const struct img_map *m, bool reserve)
{
	const struct img_map *t = img_map_named(img, img_agg_turn(r->a, g, reserve));

	return !t ||
	       (t->role == (reserve ? ROLE_aggreserve : ROLE_agg) && t->key_size == m->key_size &&
		t->val_size == m->val_size) ||
	       image_bad(r, "does not fit its second map %s of %u + %u bytes", t->name,
			 t->key_size, t->val_size);
}

static bool image_check_agg_map(struct image_reader *r, const struct img *img,
				const struct img_agg *g)
{
	const struct img_map *m = img_map_named(img, g->map);
	const struct img_map *more =
		g->keyed ? img_map_named(img, img_agg_reserve(r->a, g)) : NULL;

	if (!m)
		return image_bad(r, "is kept in the map %s, which does not exist", g->map);
	if (m->role != (g->keyed ? ROLE_agg : ROLE_aggslots) || m->key_size != img_agg_map_key(g) ||
	    m->val_size != g->val_room || g->val_room < g->val_size)
		return image_bad(r, "does not fit its map %s of %u + %u bytes", g->map, m->key_size,
				 m->val_size);
	if (more && (more->role != ROLE_aggreserve || more->key_size != m->key_size ||
		     more->val_size != m->val_size))
		return image_bad(r, "does not fit its reserve of %u + %u bytes", more->key_size,
				 more->val_size);
	return !g->keyed || (image_check_turn(r, img, g, m, false) &&
			     image_check_turn(r, img, g, m, true));
}

static bool image_check_agg(struct image_reader *r, const struct img *img,
			    const struct img_agg *g)
{
	if (g->key_size > IMAGE_KEY_MAX || g->keyed != !!g->nkeys ||
	    (g->keyed ? g->key_size % 8 : g->key_size != sizeof(u32)))
		return image_bad(r, "has keys of %u bytes", g->key_size);
	return image_check_agg_value(r, g) &&
		image_check_fields(r, "keys", g->keys, g->nkeys,
				  (struct image_span){ 0, g->key_size, true }) &&
		image_check_agg_cpu(r, g) && image_check_agg_map(r, img, g);
}

static bool image_check_prog(struct image_reader *r, const struct img *img,
			     const struct img_prog *p)
{
	if (strncmp(p->section, "dtx/", 4))
		return image_bad(r, "is in the section %s", p->section);
	if (!p->nprobes)
		return image_bad(r, "has no probe");
	return image_check_indices(r, p->probes, p->nprobes, img->nprobes, "probe");
}

static bool image_check_first(struct image_reader *r, const struct img *img, const char *name,
			      s32 i)
{
	if (i >= -1 && (i < 0 || ((u32)i < img->nprogs && kind_is(img->progs[i].kind, KIND_ONCE))))
		return true;
	image_enter(r, name, -1);
	return image_bad(r, "is %d, which is no such program", i);
}

bool image_check_versions(struct image_reader *r, const struct img *img)
{
	if (img->version != IMG_VERSION)
		return image_bad(
			r,
			"the image has version %u, this dtx reads version %u: compile the program "
			"again with this dtx",
			img->version, IMG_VERSION);
	if (img->abi != DTX_ABI_VERSION)
		return image_bad(
			r,
			"the image's records have version %u, this dtx reads version %u: compile "
			"the program again with this dtx",
			img->abi, DTX_ABI_VERSION);
	return true;
}

static bool image_check_type(struct image_reader *r, const struct img *img,
			     const struct img_type *t)
{
	return imgtype_valid(t, t - img->types) ||
		image_bad(r, "is a type that contains itself or what is not there");
}

/* Checks every element of one list; sets the path for messages. */
#define IMAGE_EACH(r, img, list, n, check)                                    \
	for (u32 i = 0; i < (img)->n; i++) {                                  \
		u32 old = image_enter(r, #list, -1);                          \
		image_enter(r, NULL, i);                                      \
		if (!check(r, img, &(img)->list[i]))                          \
			return false;                                         \
		image_leave(r, old);                                          \
	}

static bool image_check(struct image_reader *r, const struct img *img)
{
	if (img->strsize < 1 || img->strsize > DTX_REC_MAX) {
		image_enter(r, "strsize", -1);
		return image_bad(r, "is out of range");
	}
	IMAGE_EACH(r, img, maps, nmaps, image_check_map);
	IMAGE_EACH(r, img, progs, nprogs, image_check_prog);
	IMAGE_EACH(r, img, sites, nsites, image_check_site);
	IMAGE_EACH(r, img, aggs, naggs, image_check_agg);
	IMAGE_EACH(r, img, types, ntypes, image_check_type);
	return image_check_first(r, img, "begin_prog", img->begin_prog) &&
		image_check_first(r, img, "end_prog", img->end_prog);
}

/* ---- the ELF object ---------------------------------------------------------------------- */

static const char *image_section(Elf *elf, const char *wanted, size_t *len)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &sh))
			continue;
		const char *name = elf_strptr(elf, names, sh.sh_name);
		if (!name || strcmp(name, wanted))
			continue;
		Elf_Data *d = elf_rawdata(scn, NULL);
		if (!d || !d->d_buf)
			return NULL;
		*len = d->d_size;
		return d->d_buf;
	}
	return NULL;
}

static struct img *image_parse(struct image_reader *r, const char *text, size_t len)
{
	struct img *img = ARENA_NEW(r->a, struct img);

	while (len && !text[len - 1])
		len--;
	r->at = img->text = text;
	r->end = text + len;
	r->names = img->names = arena_within(r->a);
	img->text_len = len;
	if (!image_text(r, img) || !image_check(r, img))
		return NULL;
	imgtype_build(r->a, img);
	return img;
}

struct img *img_read_text(struct arena *a, struct diags *diags, const char *text, size_t len)
{
	struct image_reader r = { .a = a, .diags = diags };
	struct img *img = image_parse(&r, text, len);

	if (img)
		img->arena = a;
	return img;
}

/* Other files that dtx makes are known by their first bytes: record.h, the machine's zstd. */
static const char *what_it_is(const void *bytes, size_t len)
{
	static const struct { const char *first, *is; } rows[] = {
		{ "DTXREC", "it is a recording, which --replay FILE shows" },
		{ "(\xb5/\xfd", "it is compressed, as the description of a machine is, which "
				       "-x machine=FILE reads" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (len > strlen(rows[i].first) &&
		    !memcmp(bytes, rows[i].first, strlen(rows[i].first)))
			return rows[i].is;
	return "it is not an ELF object; programs are compiled into one with --image FILE";
}

struct img *img_read(struct arena *a, struct diags *diags, const void *elf, size_t len)
{
	struct image_reader r = { .a = a, .diags = diags };
	struct img *img = NULL;
	const char *text = NULL;
	size_t text_len = 0;

	elf_version(EV_CURRENT);
	Elf *e = elf_memory((char *)elf, len);       /* read only */
	if (!e || elf_kind(e) != ELF_K_ELF)
		image_bad(&r, "this is not an image: %s", what_it_is(elf, len));
	else if (!(text = image_section(e, IMG_SECTION, &text_len)))
		image_bad(&r, "this is not an image: it has no section %s", IMG_SECTION);
	else if (image_check_object(&r, e))
		img = image_parse(&r, text, text_len);
	if (e)
		elf_end(e);
	if (!img)
		return NULL;
	img->arena = a;
	img->elf = elf;
	img->elf_len = len;
	return img;
}

bool img_script(const void *elf, size_t len, const char **text, size_t *text_len)
{
	Elf *e;

	elf_version(EV_CURRENT);
	e = elf_memory((char *)elf, len);
	*text = e && elf_kind(e) == ELF_K_ELF ? image_section(e, IMG_SCRIPT, text_len) : NULL;
	if (e)
		elf_end(e);
	while (*text && *text_len && !(*text)[*text_len - 1])
		--*text_len;
	return *text;
}
