/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * manifest.c - the plan as the JSON text of the manifest section.
 *
 * Driven by image_fields.def, as is its mirror runtime/image.c, so that the two cannot
 * disagree.  The tree is built with jansson and dumped once.
 */
#include <stdlib.h>

#include <jansson.h>

#include <dtx/image_fields.h>

static json_t *manifest_struct(const struct imgf_struct *, const void *);

/* D texts may hold any byte; JSON holds characters (see image_fields.h). */
static json_t *manifest_text(const char *text)
{
	json_t *s = json_string(text);
	if (s)
		return s;
	struct buf chars = { 0 };
	for (const u8 *p = (const u8 *)text; *p; p++) {
		if (*p < 0x80) {
			buf_putc(&chars, *p);
		} else {
			buf_putc(&chars, 0xc0 | *p >> 6);
			buf_putc(&chars, 0x80 | (*p & 0x3f));
		}
	}
	s = json_pack("{s:s}", "bytes", chars.data);
	buf_free(&chars);
	return s;
}

static s64 manifest_num(const struct imgf *f, const void *at)
{
	s64 n = 0;
	u32 unused = 64 - 8 * f->size;

	memcpy(&n, at, f->size);         /* little endian, as the BPF object is */
	return f->is_signed ? (s64)((u64)n << unused) >> unused : n;
}

static json_t *manifest_array(const struct imgf *f, const void *base, u32 n)
{
	json_t *a = json_array();
	const char *data = (const char *)base + f->off;
	if (f->kind != IMGF_FIXED)
		data = *(const char *const *)data;

	for (u32 i = 0; i < n; i++) {
		json_t *e;
		if (f->kind == IMGF_LIST)
			e = manifest_struct(f->element, data + (size_t)i * f->element->size);
		else if (f->kind == IMGF_NAMES)
			e = manifest_text(((const char *const *)data)[i]);
		else if (f->kind == IMGF_NUMS)
			e = json_integer(((const u32 *)data)[i]);
		else
			e = json_integer(((const s64 *)data)[i]);
		json_array_append_new(a, e);
	}
	return a;
}

/* NULL: the member has its default and is left out. */
static json_t *manifest_member(const struct imgf *f, const void *base)
{
	const char *at = (const char *)base + f->off;
	const char *text;
	u32 n;

	switch (f->kind) {
	case IMGF_NUM:
		return manifest_num(f, at) ? json_integer(manifest_num(f, at)) : NULL;
	case IMGF_ENUM:
		return json_string(f->names[*(const u32 *)at]);
	case IMGF_NAME:
	case IMGF_TEXT:
		text = *(const char *const *)at;
		if (!text && f->kind == IMGF_NAME)
			text = "";
		return text ? manifest_text(text) : NULL;
	case IMGF_PROVIDER:
		return json_string((*(const struct dtx_provider *const *)at)->name);
	default:
		n = *(const u32 *)((const char *)base + f->count_off);
		return n ? manifest_array(f, base, n) : NULL;
	}
}

static json_t *manifest_struct(const struct imgf_struct *s, const void *base)
{
	json_t *o = json_object();

	for (u32 i = 0; i < s->nfields; i++) {
		json_t *v = manifest_member(&s->fields[i], base);
		if (v)
			json_object_set_new_nocheck(o, s->fields[i].name, v);
	}
	return o;
}

char *img_write(const struct img *img, struct arena *a, size_t *len)
{
	json_t *o = manifest_struct(&imgf_img, img);
	char *text = json_dumps(o, JSON_COMPACT);

	json_decref(o);
	if (!text)
		return NULL;
	char *copy = arena_strdup(a, text);
	free(text);
	*len = strlen(copy);
	return copy;
}
