/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * imgtext.c - reads the JSON text of a manifest into the structs of image.h, by image_fields.def;
 * compiler/plan/manifest.c writes it by the same table.
 *
 * The text may come from anybody.  It is read directly into the structs: with thousands of probes,
 * a tree would cost more than all other steps up to the first event.  Members are expected in the
 * order of the table, but accepted in any order; unknown ones are ignored.
 */
#include <errno.h>
#include <stdlib.h>

#include <dtx/image_fields.h>

#include "runtime/image/image-private.h"

#define NESTED  64               /* levels of lists and objects, far more than in a manifest */

/* ---- where we are, for messages ------------------------------------------------ */

u32 image_enter(struct image_reader *r, const char *name, s64 index)
{
	if (r->depth < ARRAY_SIZE(r->path))
		r->path[r->depth] = (struct image_step){ name, index };
	return r->depth++;
}

void image_leave(struct image_reader *r, u32 old)
{
	r->depth = old;
}

/* Only the first error is kept; later ones may follow from it. */
bool image_bad(struct image_reader *r, const char *fmt, ...)
{
	struct buf b = { 0 };
	va_list ap;

	if (r->bad)
		return false;
	if (r->depth)
		buf_puts(&b, "the image is damaged: ");
	for (u32 i = 0; i < MIN(r->depth, ARRAY_SIZE(r->path)); i++) {
		if (r->path[i].index >= 0)
			buf_printf(&b, "[%lld]", (long long)r->path[i].index);
		else
			buf_printf(&b, "%s%s", i ? "." : "", r->path[i].name);
	}
	if (r->depth)
		buf_putc(&b, ' ');
	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	diags_fail(r->diags, (struct failure){ .kind = DTX_FAILURE, .error = -EINVAL }, "%s",
		   b.data);
	r->bad = true;
	buf_free(&b);
	return false;
}

/* ---- JSON -------------------------------------------------------------------------- */

static char peek(struct image_reader *r)
{
	if (r->at < r->end && *r->at > ' ')      /* the usual case */
		return *r->at;
	while (r->at < r->end &&
	       (*r->at == ' ' || *r->at == '\n' || *r->at == '\t' || *r->at == '\r'))
		r->at++;
	return r->at < r->end ? *r->at : '\0';
}

static bool take(struct image_reader *r, char c)
{
	if (peek(r) != c)
		return false;
	r->at++;
	return true;
}

/* Reads four hexadecimal digits; -1: not hexadecimal. */
static s32 hex4(const char *p, const char *end)
{
	s32 v = 0;

	for (u32 i = 0; i < 4; i++, p++) {
		u32 d = p >= end                               ? 99
			: *p >= '0' && *p <= '9'               ? *p - '0'
			: (*p | 32) >= 'a' && (*p | 32) <= 'f' ? (*p | 32) - 'a' + 10
							       : 99;

		if (d > 15)
			return -1;
		v = v << 4 | d;
	}
	return v;
}

/* The content of a string, with its escapes. */
static bool raw_string(struct image_reader *r, const char **text, size_t *len)
{
	if (!take(r, '"'))
		return false;
	*text = r->at;
	r->at += json_plain(r->at, r->end - r->at);
	for (; r->at < r->end && *r->at != '"'; r->at++) {
		if ((u8)*r->at < 0x20)
			return false;
		if (*r->at != '\\')
			continue;
		if (++r->at >= r->end || !strchr("\"\\/bfnrtu", *r->at) || !*r->at)
			return false;
		if (*r->at == 'u' && hex4(r->at + 1, r->end) <= 0)
			return false;
	}
	*len = r->at - *text;
	return take(r, '"');
}

static bool skip_digits(struct image_reader *r)
{
	const char *from = r->at;

	while (r->at < r->end && *r->at >= '0' && *r->at <= '9')
		r->at++;
	return r->at > from;
}

static bool skip_number(struct image_reader *r)
{
	if (r->at < r->end && *r->at == '-')
		r->at++;
	if (!skip_digits(r))
		return false;
	if (r->at < r->end && *r->at == '.') {
		r->at++;
		if (!skip_digits(r))
			return false;
	}
	if (r->at < r->end && (*r->at | 32) == 'e') {
		r->at++;
		if (r->at < r->end && (*r->at == '+' || *r->at == '-'))
			r->at++;
		return skip_digits(r);
	}
	return true;
}

static bool skip_word(struct image_reader *r)
{
	static const char *const words[] = { "true", "false", "null" };

	for (u32 i = 0; i < ARRAY_SIZE(words); i++) {
		size_t n = strlen(words[i]);

		if ((size_t)(r->end - r->at) >= n && !memcmp(r->at, words[i], n)) {
			r->at += n;
			return true;
		}
	}
	return false;
}

/* Skips any value; false: not JSON. */
static bool skip_value(struct image_reader *r, u32 level)
{
	char open = peek(r), close = open == '{' ? '}' : ']';
	const char *text;
	size_t len;

	if (open == '"')
		return raw_string(r, &text, &len);
	if (open != '{' && open != '[')
		return open == '-' || (open >= '0' && open <= '9') ? skip_number(r) : skip_word(r);
	r->at++;
	if (level >= NESTED)
		return false;
	if (take(r, close))
		return true;
	do {
		if (open == '{' && (!raw_string(r, &text, &len) || !take(r, ':')))
			return false;
		if (!skip_value(r, level + 1))
			return false;
	} while (take(r, ','));
	return take(r, close);
}

static bool no_json(struct image_reader *r)
{
	r->depth = 0;
	return image_bad(
		r, "the image is damaged: its manifest is not JSON, %zu bytes before its end",
		(size_t)(r->end - r->at));
}

/* ---- values -------------------------------------------------------------------------- */

static bool text_num(struct image_reader *r, u32 size, bool is_signed, void *out)
{
	s64 lo = INT64_MIN, hi = INT64_MAX, n = 0;
	bool minus = peek(r) == '-', over = false;
	const char *from = r->at += minus;

	for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++)
		over |= __builtin_mul_overflow(n, 10, &n) ||
			__builtin_sub_overflow(n, *r->at - '0', &n);
	if (r->at == from || (r->at < r->end && (*r->at == '.' || (*r->at | 32) == 'e')))
		return image_bad(r, "is not a number");
	if (!minus)
		over |= __builtin_sub_overflow(0, n, &n);
	if (size < 8) {
		hi = is_signed ? (1LL << (8 * size - 1)) - 1 : (1LL << 8 * size) - 1;
		lo = is_signed ? -hi - 1 : 0;
	}
	if (size == 1)           /* the only one-byte numbers are bool */
		hi = 1;
	if (over || n < lo || n > hi)
		return image_bad(r, "is out of range");
	memcpy(out, &n, size);   /* little endian, as the BPF object is */
	return true;
}

/* A character of \u; two \u if UTF-16 needs two. */
static const char *text_unicode(const char *p, const char *end, char **to)
{
	s32 c = hex4(p, end), low;

	p += 4;
	if (c >= 0xd800 && c < 0xdc00 && end - p >= 6 && p[0] == '\\' && p[1] == 'u' &&
	    (low = hex4(p + 2, end)) >= 0xdc00 && low < 0xe000) {
		c = 0x10000 + ((c - 0xd800) << 10 | (low - 0xdc00));
		p += 6;
	}
	*to += utf8_put(c, *to);
	return p;
}

/* A string, in the arena; never longer than its escapes. */
static bool text_string(struct image_reader *r, const char **out)
{
	static const char names[] = "bfnrt", chars[] = "\b\f\n\r\t";
	const char *p;
	size_t len;

	if (!raw_string(r, &p, &len))
		return image_bad(r, "is not text");
	char *to = arena_alloc(r->a, len + 1);
	*out = to;
	if (!memchr(p, '\\', len)) {
		memcpy(to, p, len);
		return true;
	}
	for (const char *end = p + len, *name; p < end; ) {
		if (*p != '\\') {
			*to++ = *p++;
		} else if (p[1] == 'u') {
			p = text_unicode(p + 2, end, &to);
		} else {
			name = strchr(names, p[1]);
			*to++ = name ? chars[name - names] : p[1];
			p += 2;
		}
	}
	return true;
}

/* {"bytes": "…"}: characters U+0000 … U+00FF stand for bytes. */
static bool text_bytes(struct image_reader *r, const char **out)
{
	const char *name;
	size_t len;

	if (!take(r, '{') || !raw_string(r, &name, &len) || len != 5 || memcmp(name, "bytes", 5) ||
	    !take(r, ':') || !text_string(r, out) || !take(r, '}'))
		return image_bad(r, "is not text");
	u8 *to = (u8 *)*out;             /* in place: the text never grows */
	for (const u8 *p = to; *p; p++) {
		if (*p < 0x80) {
			*to++ = *p;
			continue;
		}
		if ((*p & 0xfc) != 0xc0 || (p[1] & 0xc0) != 0x80)
			return image_bad(r, "is not a sequence of bytes");
		*to++ = *p << 6 | (p[1] & 0x3f);
		p++;
	}
	*to = '\0';
	return true;
}

static bool text_text(struct image_reader *r, const char **out)
{
	return peek(r) == '{' ? text_bytes(r, out) : text_string(r, out);
}

static bool text_apart(struct image_reader *r, const char **out)
{
	struct arena *a = r->a;

	r->a = r->names;
	bool ok = text_text(r, out);

	r->a = a;
	return ok;
}

static bool text_or_null(struct image_reader *r, const char **out)
{
	if (peek(r) != 'n')
		return text_text(r, out);
	*out = NULL;
	return skip_word(r) || image_bad(r, "is not text");
}

static bool text_is_word(const char *word, const char *text, size_t len)
{
	return !strncmp(word, text, len) && !word[len];
}

static bool text_enum(struct image_reader *r, const struct imgf *f, u32 *out)
{
	const char *text;
	size_t len;

	if (!raw_string(r, &text, &len))
		return image_bad(r, "is not text");
	for (*out = 0; f->names[*out]; ++*out)
		if (text_is_word(f->names[*out], text, len))
			return true;
	return image_bad(r, "is \"%.*s\", which this dtx does not know", (int)MIN(len, 100u), text);
}

static bool text_provider(struct image_reader *r, const struct dtx_provider **out)
{
	const struct dtx_provider *last = r->provider;
	const char *text;

	if (!text_string(r, &text))
		return false;
	*out = last && !strcmp(last->name, text) ? last : provider_by_name(text);
	r->provider = *out;
	return *out || image_bad(r, "is \"%s\": this dtx has no such provider", text);
}

/* ---- lists and structs ------------------------------------------------------------------ */

static bool text_struct(struct image_reader *, const struct imgf_struct *, void *, u64 seen);

static bool text_element(struct image_reader *r, const struct imgf *f, char *data, size_t i)
{
	switch (f->kind) {
	case IMGF_ROWS:
	case IMGF_LIST:
		return text_struct(r, f->element, data + i * f->element->size,
				   f->kind == IMGF_ROWS && i ? ~0ull : 0);
	case IMGF_NAMES:
		return text_text(r, (const char **)data + i);
	case IMGF_NUMS:
		return text_num(r, sizeof(u32), false, (u32 *)data + i);
	default:
		return text_num(r, sizeof(s64), true, (s64 *)data + i);
	}
}

/* The elements, in heap memory; NULL: an error, or more than `most`. */
static char *text_elements(struct image_reader *r, const struct imgf *f, size_t each, size_t most,
			   size_t *n)
{
	size_t room = 0;
	char *data = NULL;

	for (*n = 0; !take(r, ']'); ++*n) {
		if (*n == room) {
			room = room ? room * 2 : 8;
			data = xrealloc(data, room * each);
		}
		if (*n && f->kind == IMGF_ROWS)
			memcpy(data + *n * each, data + (*n - 1) * each, each);
		else
			memset(data + *n * each, 0, each);
		if (*n && !take(r, ','))
			no_json(r);
		else if (*n == most)
			image_bad(r, "has more than %zu elements, more than there is room for",
				  most);
		else
			image_enter(r, NULL, *n);
		if (r->bad || !text_element(r, f, data, *n))
			break;
		image_leave(r, r->depth - 1);
	}
	if (!r->bad)
		return data ? data : xcalloc(1, 1);
	free(data);
	return NULL;
}

static bool text_array(struct image_reader *r, const struct imgf *f, void *base)
{
	char *at = (char *)base + f->off;
	size_t room = f->kind == IMGF_FIXED ? f->size / sizeof(s64) : UINT32_MAX / 1024, n;
	size_t each = f->element ? f->element->size : f->kind == IMGF_NAMES ? sizeof(char *)
		: f->kind == IMGF_NUMS ? sizeof(u32) : sizeof(s64);

	if (!take(r, '['))
		return image_bad(r, "is not a list");
	char *data = text_elements(r, f, each, room, &n);
	if (!data)
		return false;
	if (f->kind == IMGF_FIXED)
		memcpy(at, data, n * each);
	else
		*(char **)at = arena_memdup(r->a, data, n * each);
	*(u32 *)((char *)base + f->count_off) = n;
	free(data);
	return true;
}

static bool text_member(struct image_reader *r, const struct imgf *f, void *base)
{
	char *at = (char *)base + f->off;

	switch (f->kind) {
	case IMGF_NUM:
		return text_num(r, f->size, f->is_signed, at);
	case IMGF_ENUM:
		return text_enum(r, f, (u32 *)at);
	case IMGF_NAME:
		return f->apart ? text_apart(r, (const char **)at)
				: text_text(r, (const char **)at);
	case IMGF_TEXT:
		return text_or_null(r, (const char **)at);
	case IMGF_PROVIDER:
		return text_provider(r, (const struct dtx_provider **)at);
	default:
		return text_array(r, f, base);
	}
}

/* The row of a member; usually the one after *last. */
static const struct imgf *text_row(const struct imgf_struct *s, const char *name, size_t len,
				   u32 *last)
{
	for (u32 k = 0; k < s->nfields; k++) {
		u32 i = (*last + k) % s->nfields;

		if (*s->fields[i].name == *name && text_is_word(s->fields[i].name, name, len)) {
			*last = i + 1;
			return &s->fields[i];
		}
	}
	return NULL;
}

/* Members that must not be missing. */
static bool text_complete(struct image_reader *r, const struct imgf_struct *s, u64 seen)
{
	for (u32 i = 0; i < s->nfields; i++) {
		enum imgf_kind kind = s->fields[i].kind;

		if (seen >> i & 1 ||
		    (kind != IMGF_NAME && kind != IMGF_ENUM && kind != IMGF_PROVIDER))
			continue;
		image_enter(r, s->fields[i].name, -1);
		return image_bad(r, "is missing");
	}
	return true;
}

/* seen: a bit for each member read so far. */
static bool text_struct(struct image_reader *r, const struct imgf_struct *s, void *base, u64 seen)
{
	u32 last = 0;

	if (!take(r, '{'))
		return image_bad(r, "is not an object");
	for (bool first = true; !take(r, '}'); first = false) {
		const struct imgf *f;
		const char *name;
		size_t len;

		if ((!first && !take(r, ',')) || !raw_string(r, &name, &len) || !take(r, ':'))
			return no_json(r);
		f = text_row(s, name, len, &last);
		if (f) {
			u32 old = image_enter(r, f->name, -1);
			if (!text_member(r, f, base))
				return false;
			image_leave(r, old);
			seen |= 1ull << (f - s->fields);
		} else if (!skip_value(r, 0)) {
			return no_json(r);
		}
	}
	return text_complete(r, s, seen);
}

/* A number at the top level, for values checked first; 0: missing. */
static u32 text_top(struct image_reader *r, const char *wanted)
{
	struct image_reader top = {
		.a = r->a, .bad = true, .at = r->at, .end = r->end
	}; /* ignored */
	const char *name;
	size_t len;
	u32 n = 0;

	if (!take(&top, '{'))
		return 0;
	while (raw_string(&top, &name, &len) && take(&top, ':')) {
		if (text_is_word(wanted, name, len))
			return text_num(&top, sizeof(n), false, &n) ? n : 0;
		if (!skip_value(&top, 0) || !take(&top, ','))
			break;
	}
	return 0;
}

bool image_text(struct image_reader *r, struct img *img)
{
	_Static_assert(ARRAY_SIZE(imgf_rows_img) <= 64 && ARRAY_SIZE(imgf_rows_dtx_probe) <= 64,
		       "bits of `seen`");
	if (peek(r) != '{')
		return no_json(r);
	img->version = text_top(r, "version");
	img->abi = text_top(r, "abi");
	if (!image_check_versions(r, img) || !text_struct(r, &imgf_img, img, 0))
		return false;
	return (peek(r), r->at == r->end) || no_json(r);
}
