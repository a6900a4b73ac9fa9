/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * jsonval.c - one value as JSON.
 *
 *   integer, pointer     123                       beyond 2^53 with jsonint=string: "123"
 *   named integer        {"value":2,"name":"SIGINT"}
 *   string               "bash"                    no UTF-8: {"hex":"62ff"}
 *   bytes                {"hex":"00ff"}            floating point: 1.5, or "inf", "nan"
 *   symbol               {"kind":"func","value":ADDRESS,"text":"vmlinux`vfs_read"}
 *   stack                {"user":false,"pid":0,"frames":[{"address":…,"text":…, …}, …]}
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include <dtx/opt.h>

#include "runtime/sink/json/json.h"

void json_init(struct json *j, struct dtx_env *env)
{
	*j = (struct json){ .env = env, .arena = arena_new() };
	j->big_string = !strcmp(opt_text(env, OPT_jsonint), "string");
}

void json_free(struct json *j)
{
	arena_free(j->arena);
	buf_free(&j->tmp);
}

/* ---- text -------------------------------------------------------------------------- */

static const char hex_digits[] = "0123456789abcdef";

static char *json_hex(char *to, const void *data, size_t len)
{
	const u8 *p = data;

	to = stpcpy(to, "{\"hex\":\"");
	for (size_t i = 0; i < len; i++) {
		*to++ = hex_digits[p[i] >> 4];
		*to++ = hex_digits[p[i] & 15];
	}
	return stpcpy(to, "\"}");
}

static char *json_escape(char *to, u8 c)
{
	static const char letters[0x20] = {
		['\n'] = 'n', ['\t'] = 't', ['\r'] = 'r', ['\b'] = 'b', ['\f'] = 'f',
	};

	*to++ = '\\';
	if (c >= sizeof(letters) || letters[c]) {
		*to++ = c < sizeof(letters) ? letters[c] : c;    /* else a quote or a backslash */
		return to;
	}
	memcpy(to, "u00", 3);
	to[3] = hex_digits[c >> 4];
	to[4] = hex_digits[c & 15];
	return to + 5;
}

/* A character that acts or hides on a terminal; the value stays the same. */
static char *json_unseen(char *to, u32 c)
{
	*to++ = '\\';
	*to++ = 'u';
	for (int shift = 12; shift >= 0; shift -= 4)
		*to++ = hex_digits[c >> shift & 15];
	return to;
}

char *json_put_bytes(char *to, const char *p, size_t len)
{
	const char *begin = p, *end = p + len;
	char *start = to;

	*to++ = '"';
	while (p < end) {
		u32 n = end - p >= 8 ? json_plain_eight(p) : 0;

		if (n) {
			memcpy(to, p, 8);
		} else if (json_plain_byte[(u8)*p]) {
			*to = *p;
			n = 1;
		} else if ((u8)*p < 0x80) {
			to = json_escape(to, *p++);
			continue;
		} else {
			n = utf8_len(p, end - p);
			if (!n)          /* no UTF-8: all of it in the other form */
				return json_hex(start, begin, len);
			if (n < 4 && is_unseen(utf8_get(p, n))) {
				to = json_unseen(to, utf8_get(p, n));
				p += n;
				continue;
			}
			memcpy(to, p, n);
		}
		to += n;
		p += n;
	}
	*to++ = '"';
	return to;
}

void json_bytes(struct buf *b, const char *p, size_t len)
{
	buf_end(b, json_put_bytes(buf_room(b, JSON_BYTES_MOST(len)), p, len));
}

void json_str(struct buf *b, const char *text)
{
	if (text)
		json_bytes(b, text, strlen(text));
	else
		buf_add(b, "null", 4);
}

/* A name is program text, which is UTF-8, or at least shown as such. */
void json_name(struct buf *b, const char *name)
{
	size_t start = b->len;

	json_str(b, name);
	if (b->data[start] != '"') {
		b->len = start;
		buf_puts(b, "\"(no UTF-8)\"");
	}
	buf_putc(b, ':');
}

void json_opt_str(struct buf *b, const char *key, const char *text)
{
	if (!text)
		return;
	buf_printf(b, ",\"%s\":", key);
	json_str(b, text);
}

/* ---- numbers ----------------------------------------------------------------------- */

static char *json_put_uint(const struct json *j, char *to, u64 v, bool negative)
{
	bool quoted = j->big_string && v > JSON_EXACT;

	if (quoted)
		*to++ = '"';
	if (negative)
		*to++ = '-';
	to = decimal(v, to);
	if (quoted)
		*to++ = '"';
	return to;
}

void json_int(const struct json *j, struct buf *b, s64 v)
{
	bool negative = v < 0;

	buf_end(b, json_put_uint(j, buf_room(b, JSON_INT_MOST), negative ? -(u64)v : (u64)v,
				 negative));
}

void json_wide(const struct json *j, struct buf *b, s128 v)
{
	const char *quote = j->big_string ? "\"" : "";

	if (agg_s64(v) == v) {
		json_int(j, b, (s64)v);
		return;
	}
	buf_puts(b, quote);
	buf_wide(b, v);
	buf_puts(b, quote);
}

void json_uint(const struct json *j, struct buf *b, u64 v)
{
	buf_end(b, json_put_uint(j, buf_room(b, JSON_INT_MOST), v, false));
}

char *json_put_int(const struct json *j, char *to, const struct val *v)
{
	bool negative = v->is_signed && !v->is_ptr && (s64)v->u < 0;

	return json_put_uint(j, to, negative ? -v->u : v->u, negative);
}

void json_opt_uint(const struct json *j, struct buf *b, const char *key, u64 v)
{
	if (!v)
		return;
	buf_printf(b, ",\"%s\":", key);
	json_uint(j, b, v);
}

/* JSON has no word for infinities. */
static void json_real(struct buf *b, long double v, int digits)
{
	if (isfinite(v))
		buf_printf(b, "%.*Lg", digits, v);
	else
		buf_puts(b, isnan(v) ? "\"nan\"" : v > 0 ? "\"inf\"" : "\"-inf\"");
}

static bool json_float(struct buf *b, const struct val *v)
{
	float f;
	double d;

	if (!v->field || !v->field->is_float)
		return false;
	if (v->len == sizeof(f)) {
		memcpy(&f, v->p, sizeof(f));
		json_real(b, f, 9);
	} else if (v->len == sizeof(d)) {
		memcpy(&d, v->p, sizeof(d));
		json_real(b, d, 17);
	} else {
		return false;
	}
	return true;
}

/* ---- values ------------------------------------------------------------------------- */

static void json_integer(struct json *j, struct buf *b, const struct val *v)
{
	if (v->names)
		buf_puts(b, "{\"value\":");
	buf_end(b, json_put_int(j, buf_room(b, JSON_INT_MOST), v));
	if (!v->names)
		return;
	buf_reset(&j->tmp);
	print_names(v->names, v->u, &j->tmp);
	buf_puts(b, ",\"name\":");
	json_bytes(b, j->tmp.data, j->tmp.len);
	buf_putc(b, '}');
}

static void json_sym(struct json *j, struct buf *b, const struct val *v)
{
	buf_reset(&j->tmp);
	sym_val(j->env, v, &j->tmp);
	buf_puts(b, "{\"kind\":");
	json_str(b, v->symkind ? v->symkind : v->user ? "uaddr" : "addr");
	if (!v->shared) {
		buf_puts(b, ",\"value\":");
		json_uint(j, b, v->u);
	}
	buf_puts(b, ",\"text\":");
	json_bytes(b, j->tmp.data ? j->tmp.data : "", j->tmp.len);
	json_opt_uint(j, b, "pid", v->pid);
	buf_putc(b, '}');
}

static void json_frame(const struct json *j, struct buf *b, const struct frame *f, bool shared)
{
	buf_putc(b, '{');
	if (!shared) {
		buf_puts(b, "\"address\":");
		json_uint(j, b, f->addr);
		buf_putc(b, ',');
	}
	buf_puts(b, "\"text\":");
	json_str(b, f->text);
	json_opt_str(b, "symbol", f->symbol);
	if (f->object) {
		buf_puts(b, ",\"offset\":");
		json_uint(j, b, f->offset);
	}
	json_opt_str(b, "object", f->object);
	json_opt_str(b, "file", f->file);
	json_opt_uint(j, b, "line", f->line);
	if (f->inlined)
		buf_puts(b, ",\"inlined\":true");
	buf_putc(b, '}');
}

static void json_stack(struct json *j, struct buf *b, const struct val *v)
{
	u32 n;
	const struct frame *f = sym_frames(j->env, j->arena, v, &n);

	buf_printf(b, "{\"user\":%s", v->user ? "true" : "false");
	if (!v->shared)
		buf_printf(b, ",\"pid\":%u", v->pid);
	buf_puts(b, ",\"frames\":[");
	for (u32 i = 0; i < n; i++) {
		if (i)
			buf_putc(b, ',');
		json_frame(j, b, &f[i], v->shared);
	}
	buf_putc(b, ']');
	json_opt_str(b, "incomplete", sym_stack_end(v->end));
	buf_putc(b, '}');
}

/* Where a value is written. */
struct json_to {
	struct json *j;
	struct buf *b;
};

static void json_visit_int(void *arg, const struct val *v)
{
	struct json_to *to = arg;

	json_integer(to->j, to->b, v);
}

static void json_visit_text(void *arg, const struct val *v)
{
	struct buf *b = ((struct json_to *)arg)->b;

	if (v->null)
		buf_puts(b, "null");
	else
		json_bytes(b, v->p, v->len);
}

static void json_visit_bytes(void *arg, const struct val *v)
{
	struct buf *b = ((struct json_to *)arg)->b;

	if (!json_float(b, v))
		buf_end(b, json_hex(buf_room(b, JSON_BYTES_MOST(v->len)), v->p, v->len));
}

static void json_visit_stack(void *arg, const struct val *v)
{
	struct json_to *to = arg;

	json_stack(to->j, to->b, v);
}

static void json_visit_sym(void *arg, const struct val *v)
{
	struct json_to *to = arg;

	json_sym(to->j, to->b, v);
}

void json_val(struct json *j, struct buf *b, const struct val *v)
{
	static const struct val_visitor visitor = {
		json_visit_int, json_visit_text, json_visit_bytes, json_visit_stack, json_visit_sym
	};

	val_visit(v, &visitor, &(struct json_to){ j, b });
}
