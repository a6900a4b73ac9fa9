/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * image.c - read an image: find the manifest in the ELF object, parse its JSON into
 * the structs of image.h, and check every number that is later used as an index, an
 * offset or a size.
 *
 * What img_read() accepts may be loaded and decoded without further checks of the
 * manifest; records are still never trusted (decode.c).  Driven by image_fields.def,
 * as is its mirror compiler/manifest.c.
 */
#include <jansson.h>
#include <gelf.h>

#include <dtx/image_fields.h>

#include "runtime.h"

struct image_reader {
	struct arena *a;
	const char *err;         /* first problem, as a sentence */
	char path[160];          /* where we are: "progs[3].probes[0]" */
	u32 path_len;
};

static bool image_bad(struct image_reader *r, const char *fmt, ...) PRINTF_LIKE(2, 3);
static bool image_bad(struct image_reader *r, const char *fmt, ...)
{
	va_list ap;

	if (r->err)
		return false;
	va_start(ap, fmt);
	const char *what = arena_vprintf(r->a, fmt, ap);
	va_end(ap);
	r->err = r->path_len
		? arena_printf(r->a, "the image is damaged: %s %s", r->path, what)
		: what;
	return false;
}

/* ---- the path, for messages --------------------------------------------------- */

static u32 image_enter(struct image_reader *r, const char *name, s64 index)
{
	u32 old = r->path_len, room = sizeof(r->path) - old;
	int n;

	if (index >= 0)
		n = snprintf(r->path + old, room, "[%lld]", (long long)index);
	else
		n = snprintf(r->path + old, room, "%s%s", old ? "." : "", name);
	r->path_len = old + MIN((u32)n, room - 1);
	return old;
}

static void image_leave(struct image_reader *r, u32 old)
{
	r->path_len = old;
	r->path[old] = '\0';
}

/* ---- JSON to structs ------------------------------------------------------------ */

static bool image_struct(struct image_reader *, const struct imgf_struct *, json_t *, void *);

static bool image_num(struct image_reader *r, json_t *v, u32 size, bool is_signed, void *out)
{
	s64 lo = INT64_MIN, hi = INT64_MAX;

	if (!json_is_integer(v))
		return image_bad(r, "is not a number");
	s64 n = json_integer_value(v);
	if (size < 8) {
		hi = is_signed ? (1LL << (8 * size - 1)) - 1 : (1LL << 8 * size) - 1;
		lo = is_signed ? -hi - 1 : 0;
	}
	if (size == 1)           /* the only bytes are bool */
		hi = 1;
	if (n < lo || n > hi)
		return image_bad(r, "is out of range");
	memcpy(out, &n, size);   /* little endian, as the BPF object is */
	return true;
}

/* {"bytes": "…"}: characters U+0000 … U+00FF stand for bytes. */
static bool image_bytes(struct image_reader *r, json_t *v, const char **out)
{
	const u8 *p = (const u8 *)json_string_value(json_object_get(v, "bytes"));
	if (!p)
		return image_bad(r, "is not text");

	char *to = arena_alloc(r->a, strlen((const char *)p) + 1);
	*out = to;
	for (; *p; p++) {
		if (*p < 0x80) {
			*to++ = *p;
			continue;
		}
		if ((*p & 0xfc) != 0xc0 || (p[1] & 0xc0) != 0x80)
			return image_bad(r, "is not a sequence of bytes");
		*to++ = *p << 6 | (p[1] & 0x3f);
		p++;
	}
	return true;
}

static bool image_text(struct image_reader *r, json_t *v, const char **out)
{
	if (json_is_object(v))
		return image_bytes(r, v, out);
	if (!json_is_string(v))
		return image_bad(r, "is not text");
	*out = arena_strdup(r->a, json_string_value(v));
	return true;
}

static bool image_enum(struct image_reader *r, const struct imgf *f, json_t *v, u32 *out)
{
	const char *text = json_string_value(v);
	if (!text)
		return image_bad(r, "is not text");
	for (*out = 0; f->names[*out]; ++*out)
		if (!strcmp(f->names[*out], text))
			return true;
	return image_bad(r, "is \"%s\", which this dtx does not know", text);
}

static bool image_provider(struct image_reader *r, json_t *v, const struct dtx_provider **out)
{
	const char *text = json_string_value(v);
	*out = text ? provider_by_name(text) : NULL;
	return *out || image_bad(r, "is \"%s\": this dtx has no such provider", text ? text : "");
}

static bool image_element(struct image_reader *r, const struct imgf *f, json_t *v, char *data,
			  size_t i)
{
	switch (f->kind) {
	case IMGF_LIST:
		return image_struct(r, f->element, v, data + i * f->element->size);
	case IMGF_NAMES:
		return image_text(r, v, (const char **)data + i);
	case IMGF_NUMS:
		return image_num(r, v, sizeof(u32), false, (u32 *)data + i);
	default:
		return image_num(r, v, sizeof(s64), true, (s64 *)data + i);
	}
}

static bool image_array(struct image_reader *r, const struct imgf *f, json_t *v, void *base)
{
	char *data = (char *)base + f->off;
	size_t n = json_array_size(v);

	if (!json_is_array(v))
		return image_bad(r, "is not a list");
	if (n > UINT32_MAX / 1024)
		return image_bad(r, "is too long");
	if (f->kind == IMGF_FIXED) {
		if (n > f->size / sizeof(s64))
			return image_bad(r, "has %zu numbers, more than there is room for", n);
	} else {
		size_t each = f->kind == IMGF_LIST ? f->element->size
			: f->kind == IMGF_NAMES ? sizeof(char *) : sizeof(u32);
		data = *(char **)data = arena_alloc(r->a, each * n + 1);
	}
	for (size_t i = 0; i < n; i++) {
		u32 old = image_enter(r, NULL, i);
		if (!image_element(r, f, json_array_get(v, i), data, i))
			return false;
		image_leave(r, old);
	}
	*(u32 *)((char *)base + f->count_off) = n;
	return true;
}

static bool image_member(struct image_reader *r, const struct imgf *f, json_t *v, void *base)
{
	char *at = (char *)base + f->off;

	switch (f->kind) {
	case IMGF_NUM:
		return !v || image_num(r, v, f->size, f->is_signed, at);
	case IMGF_ENUM:
		return image_enum(r, f, v, (u32 *)at);
	case IMGF_NAME:
		return v ? image_text(r, v, (const char **)at) : image_bad(r, "is missing");
	case IMGF_TEXT:
		return !v || image_text(r, v, (const char **)at);
	case IMGF_PROVIDER:
		return image_provider(r, v, (const struct dtx_provider **)at);
	default:
		return !v || image_array(r, f, v, base);
	}
}

static bool image_struct(struct image_reader *r, const struct imgf_struct *s, json_t *o,
			 void *base)
{
	if (!json_is_object(o))
		return image_bad(r, "is not an object");
	for (u32 i = 0; i < s->nfields; i++) {
		const struct imgf *f = &s->fields[i];
		u32 old = image_enter(r, f->name, -1);
		if (!image_member(r, f, json_object_get(o, f->name), base))
			return false;
		image_leave(r, old);
	}
	return true;
}

/* ---- checks -------------------------------------------------------------------- */

#define IMAGE_KEY_MAX   65536            /* far above what a BPF key may have */
#define IMAGE_VAL_MAX   (1 << 20)

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

static bool image_check_fields(struct image_reader *r, const char *name,
			       const struct img_field *f, u32 n, u32 from, u32 limit, bool in_key)
{
	for (u32 i = 0; i < n; i++) {
		u32 old = image_enter(r, name, -1);
		image_enter(r, NULL, i);
		if (!image_check_field(r, &f[i], from, limit, in_key))
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
		if (c->width < -1 || c->width > 65535 || c->prec < -1 || c->prec > 65535)
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
	for (u32 i = 0; i < s->nactions; i++) {
		const struct img_action *act = &s->actions[i];
		u32 old = image_enter(r, "actions", -1);
		image_enter(r, NULL, i);
		if (!image_check_indices(r, act->aggs, act->naggs, img->naggs, "aggregation") ||
		    !image_check_fields(r, "fields", act->fields, act->nfields,
					sizeof(struct dtx_rec), s->rec_size, false) ||
		    !image_check_types(r, act, img->ntypes) || !image_check_convs(r, act))
			return false;
		image_leave(r, old);
	}
	return true;
}

static bool image_check_steps(struct image_reader *r, const struct img_agg *g)
{
	if (!strcmp(g->func, "lquantize")) {
		if (g->nparams < 3 || g->params[2] <= 0 || g->params[1] <= g->params[0])
			return image_bad(r, "has no valid range for lquantize()");
		u64 span = (u64)g->params[1] - (u64)g->params[0];
		u64 levels = span / (u64)g->params[2] + 2;
		if (g->val_size / 8 < levels + !g->keyed)
			return image_bad(r, "has room for %u of %llu buckets", g->val_size / 8,
					 (unsigned long long)levels);
	}
	if (!strcmp(g->func, "llquantize") &&
	    (g->nparams < 4 || g->params[0] < 2 || g->params[1] < 0 ||
	     g->params[2] < g->params[1] || g->params[2] > 63 || g->params[3] < 2))
		return image_bad(r, "has no valid range for llquantize()");
	return true;
}

/* A keyed one has the CPU behind the tuple. */
static bool image_check_agg_map(struct image_reader *r, const struct img_agg *g,
				const struct img_map *m)
{
	if (m->key_size == g->key_size + (g->keyed ? DTX_AGG_CPU_BYTES : 0) &&
	    m->val_size == (g->keyed ? g->val_size : ALIGN_UP(g->val_size, DTX_SLOT_ALIGN)))
		return true;
	return image_bad(r, "does not fit its map %s of %u + %u bytes", g->map, m->key_size,
			 m->val_size);
}

static bool image_check_agg(struct image_reader *r, const struct img *img,
			    const struct img_agg *g)
{
	static const struct { const char *func; u32 words; } least[] = {
		{ "count", 1 }, { "sum", 1 }, { "min", 1 }, { "max", 1 }, { "avg", 2 }, { "stats", 2 },
		{ "stddev", 4 }, { "quantize", DTX_AGG_QUANT_BUCKETS }, { "lquantize", 2 },
		{ "llquantize", 2 },
	};
	u32 i, words = g->val_size / 8;

	for (i = 0; i < ARRAY_SIZE(least) && strcmp(least[i].func, g->func); i++)
		;
	if (i == ARRAY_SIZE(least))
		return image_bad(r, "uses %s(), which this dtx does not know", g->func);
	if (g->val_size % 8 || g->val_size > IMAGE_VAL_MAX || words < least[i].words + !g->keyed)
		return image_bad(r, "has values of %u bytes", g->val_size);
	if (g->key_size > IMAGE_KEY_MAX || g->keyed != !!g->nkeys ||
	    (g->keyed ? g->key_size % 8 : g->key_size != sizeof(u32)))
		return image_bad(r, "has keys of %u bytes", g->key_size);
	for (i = 0; i < img->nmaps && strcmp(img->maps[i].name, g->map); i++)
		;
	if (i == img->nmaps)
		return image_bad(r, "is kept in the map %s, which does not exist", g->map);
	return image_check_steps(r, g) &&
		image_check_fields(r, "keys", g->keys, g->nkeys, 0, g->key_size, true) &&
		image_check_agg_map(r, g, &img->maps[i]);
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
	if (i >= -1 && (i < 0 || ((u32)i < img->nprogs && img->progs[i].kind == PK_TESTRUN)))
		return true;
	image_enter(r, name, -1);
	return image_bad(r, "is %d, which is no such program", i);
}

static bool image_check_versions(struct image_reader *r, const struct img *img)
{
	if (img->version != IMG_VERSION)
		return image_bad(r, "the image has version %u, this dtx reads version %u: compile the program again with this dtx",
				 img->version, IMG_VERSION);
	if (img->abi != DTX_ABI_VERSION)
		return image_bad(r, "the image's records have version %u, this dtx reads version %u: compile the program again with this dtx",
				 img->abi, DTX_ABI_VERSION);
	return true;
}

static bool image_check_type(struct image_reader *r, const struct img *img,
			     const struct img_type *t)
{
	return imgtype_valid(t, t - img->types) ||
		image_bad(r, "is a type that contains itself or what is not there");
}

/* Every element of one list, with the path set for messages. */
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
	IMAGE_EACH(r, img, progs, nprogs, image_check_prog);
	IMAGE_EACH(r, img, sites, nsites, image_check_site);
	IMAGE_EACH(r, img, aggs, naggs, image_check_agg);
	IMAGE_EACH(r, img, types, ntypes, image_check_type);
	return image_check_first(r, img, "begin_prog", img->begin_prog) &&
		image_check_first(r, img, "end_prog", img->end_prog);
}

/* ---- the ELF object ---------------------------------------------------------------------- */

static const char *image_section(Elf *elf, size_t *len)
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
		if (!name || strcmp(name, IMG_SECTION))
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
	json_error_t why;

	while (len && !text[len - 1])
		len--;
	json_t *o = json_loadb(text, len, 0, &why);
	if (!o) {
		image_bad(r, "the image is damaged: its manifest is no JSON text: %s", why.text);
		return NULL;
	}
	struct img *img = ARENA_NEW(r->a, struct img);
	img->version = json_integer_value(json_object_get(o, "version"));
	img->abi = json_integer_value(json_object_get(o, "abi"));
	bool ok = image_check_versions(r, img) && image_struct(r, &imgf_img, o, img) &&
		image_check(r, img);
	json_decref(o);
	if (ok)
		imgtype_build(r->a, img);
	return ok ? img : NULL;
}

struct img *img_read(struct arena *a, const void *elf, size_t len, const char **err)
{
	struct image_reader r = { .a = a };
	struct img *img = NULL;
	const char *text = NULL;
	size_t text_len = 0;

	elf_version(EV_CURRENT);
	Elf *e = elf_memory((char *)elf, len);       /* only read from */
	if (!e || elf_kind(e) != ELF_K_ELF)
		image_bad(&r, "this is no image: it is not an ELF object");
	else if (!(text = image_section(e, &text_len)))
		image_bad(&r, "this is no image: it has no section %s", IMG_SECTION);
	else
		img = image_parse(&r, text, text_len);
	if (e)
		elf_end(e);
	*err = r.err;
	if (!img)
		return NULL;
	img->arena = a;
	img->elf = elf;
	img->elf_len = len;
	return img;
}
