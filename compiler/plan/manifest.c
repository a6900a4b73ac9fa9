/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * manifest.c - writes the plan as JSON text, the manifest section.
 *
 * It follows image_fields.def, like its counterpart runtime/image/imgtext.c: the two cannot
 * disagree.  The text is written while the structs are walked: with thousands of probes, a
 * tree would cost more than compiling.
 */
#include <stdlib.h>

#include <dtx/image_fields.h>

static void manifest_struct(struct buf *, const struct imgf_struct *, const void *base,
			    const void *before);

static bool is_utf8(const char *s)
{
	u32 n;

	for (size_t left = strlen(s); left; s += n, left -= n) {
		n = utf8_len(s, left);
		if (!n)
			return false;
	}
	return true;
}

/* A string; bytes: each byte becomes the character with its number (see image_fields.h). */
static void manifest_chars(struct buf *b, const u8 *p, bool bytes)
{
	static const char chars[] = "\"\\\b\f\n\r\t", names[] = "\"\\bfnrt";
	const char *c;

	buf_putc(b, '"');
	for (const u8 *from = p; ; p++) {
		if (*p >= 0x20 && *p != '"' && *p != '\\' && !(bytes && *p >= 0x80))
			continue;
		buf_add(b, from, p - from);
		from = p + 1;
		if (!*p)
			break;
		if (*p >= 0x80) {
			char text[4];
			buf_add(b, text, utf8_put(*p, text));
		} else if ((c = strchr(chars, *p))) {
			buf_putc(b, '\\');
			buf_putc(b, names[c - chars]);
		} else {
			buf_printf(b, "\\u%04X", *p);
		}
	}
	buf_putc(b, '"');
}

/* Texts of plain characters (nearly all) are copied. */
static bool manifest_plain(struct buf *b, const char *text)
{
	size_t len = strlen(text);

	if (json_plain(text, len) < len)
		return false;
	buf_putc(b, '"');
	buf_add(b, text, len);
	buf_putc(b, '"');
	return true;
}

/* D texts may hold any byte; JSON holds characters. */
static void manifest_text(struct buf *b, const char *text)
{
	if (manifest_plain(b, text))
		return;
	bool bytes = !is_utf8(text);

	if (bytes)
		buf_puts(b, "{\"bytes\":");
	manifest_chars(b, (const u8 *)text, bytes);
	if (bytes)
		buf_putc(b, '}');
}

/* Little endian, like the BPF object; all sizes are handled here, without a call for each. */
static u64 manifest_bits(const struct imgf *f, const void *at)
{
	u64 n = 0;

	switch (f->size) {
	case 4:
		memcpy(&n, at, 4);
		break;
	case 8:
		memcpy(&n, at, 8);
		break;
	default:
		memcpy(&n, at, f->size);
	}
	return n;
}

static s64 manifest_num(const struct imgf *f, const void *at)
{
	s64 n = manifest_bits(f, at);
	u32 unused = 64 - 8 * f->size;

	return f->is_signed ? (s64)((u64)n << unused) >> unused : n;
}

static void manifest_array(struct buf *b, const struct imgf *f, const void *base, u32 n)
{
	const char *data = (const char *)base + f->off;
	if (f->kind != IMGF_FIXED)
		data = *(const char *const *)data;

	buf_putc(b, '[');
	for (u32 i = 0; i < n; i++) {
		const char *element = f->element ? data + (size_t)i * f->element->size : NULL;

		if (i)
			buf_putc(b, ',');
		if (f->element)
			manifest_struct(b, f->element, element,
					f->kind == IMGF_ROWS && i ? element - f->element->size
								  : NULL);
		else if (f->kind == IMGF_NAMES)
			manifest_text(b, ((const char *const *)data)[i]);
		else if (f->kind == IMGF_NUMS)
			buf_num(b, ((const u32 *)data)[i]);
		else
			buf_num(b, ((const s64 *)data)[i]);
	}
	buf_putc(b, ']');
}

/* Does the member differ from its default? */
static bool manifest_has(const struct imgf *f, const void *base)
{
	const char *at = (const char *)base + f->off;

	switch (f->kind) {
	case IMGF_NUM:
		return manifest_num(f, at);
	case IMGF_TEXT:
		return *(const char *const *)at;
	case IMGF_ENUM:
	case IMGF_NAME:
	case IMGF_PROVIDER:
		return true;
	default:
		return *(const u32 *)((const char *)base + f->count_off);
	}
}

/* Does it have the same value as in the previous struct? */
static bool manifest_same(const struct imgf *f, const void *base, const void *before)
{
	const char *at = (const char *)base + f->off, *old = (const char *)before + f->off;
	const char *text, *old_text;

	switch (f->kind) {
	case IMGF_NUM:
	case IMGF_ENUM:
	case IMGF_PROVIDER:
		return manifest_bits(f, at) == manifest_bits(f, old);
	case IMGF_NAME:
	case IMGF_TEXT:
		text = *(const char *const *)at;
		old_text = *(const char *const *)old;
		return text == old_text || (text && old_text && !strcmp(text, old_text));
	default:
		return !manifest_has(f, base) && !manifest_has(f, before);
	}
}

static void manifest_member(struct buf *b, const struct imgf *f, const void *base)
{
	const char *at = (const char *)base + f->off;
	const char *text;

	switch (f->kind) {
	case IMGF_NUM:
		buf_num(b, manifest_num(f, at));
		break;
	case IMGF_ENUM:
		manifest_text(b, f->names[*(const u32 *)at]);
		break;
	case IMGF_NAME:
	case IMGF_TEXT:
		text = *(const char *const *)at;
		if (!text && f->kind == IMGF_TEXT)
			buf_puts(b, "null");
		else
			manifest_text(b, text ? text : "");
		break;
	case IMGF_PROVIDER:
		manifest_text(b, (*(const struct dtx_provider *const *)at)->name);
		break;
	default:
		manifest_array(b, f, base, *(const u32 *)((const char *)base + f->count_off));
	}
}

static void manifest_struct(struct buf *b, const struct imgf_struct *s, const void *base,
			    const void *before)
{
	char between = '{';

	for (u32 i = 0; i < s->nfields; i++) {
		const struct imgf *f = &s->fields[i];

		if (before ? manifest_same(f, base, before) : !manifest_has(f, base))
			continue;
		buf_putc(b, between);
		buf_putc(b, '"');
		buf_puts(b, f->name);
		buf_add(b, "\":", 2);
		manifest_member(b, f, base);
		between = ',';
	}
	if (between == '{')
		buf_putc(b, '{');
	buf_putc(b, '}');
}

char *img_write(const struct img *img, struct arena *a, size_t *len)
{
	struct buf b = { 0 };

	manifest_struct(&b, &imgf_img, img, NULL);
	char *copy = arena_memdup(a, b.data, b.len + 1);
	*len = b.len;
	buf_free(&b);
	return copy;
}
