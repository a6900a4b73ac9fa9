/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * print.c - print(): an object of any type, with the names of its members (DTrace guide "Output
 * Formatting").
 *
 *   0xffff888004a3c000 = *
 *                                               (struct path) {
 *                                                .mnt = (struct vfsmount *)0xffff8880058b1a20,
 *                                               },
 *
 * The type is found by its D text in the type sources, or comes with the program.
 * Members whose bytes are all zero are left out.
 */
#include <float.h>
#include <inttypes.h>
#include <stdlib.h>

#include "runtime/sink/sink.h"

#define INDENT     44            /* blanks before the outermost level */
#define DEPTH_MAX  10

struct printing {
	struct arena *arena;
	struct buf *out;
	const u8 *data;
	size_t len;              /* bytes captured */
	int depth;
};

/* ---- from text to type ----------------------------------------------------------- */

static struct type *type_by_name(struct dtx_env *env, struct arena *a, const char *text)
{
	static const struct { const char *word; enum type_kind kind; } tags[] = {
		{ "struct ", T_STRUCT }, { "union ", T_UNION }, { "enum ", T_ENUM },
	};
	enum type_kind kind = T_TYPEDEF;
	struct type *t;

	for (u32 i = 0; i < ARRAY_SIZE(tags); i++) {
		size_t n = strlen(tags[i].word);

		if (!strncmp(text, tags[i].word, n)) {
			kind = tags[i].kind;
			text += n;
		}
	}
	for (u32 i = 0; i < ARRAY_SIZE(env->sources) && env->sources[i]; i++) {
		t = env->sources[i]->by_name(env->sources[i], a, kind, text);
		if (t)
			return t;
	}
	return kind == T_TYPEDEF ? type_builtin(text) : NULL;
}

/* "struct path", "const struct path", "char [16]", "struct path *" (then what it points to). */
static struct type *print_type(struct dtx_env *env, struct arena *a, const char *ctype)
{
	bool is_const = !strncmp(ctype, "const ", 6);
	char *text = arena_strdup(a, is_const ? ctype + 6 : ctype);
	char *end = strpbrk(text, "*[");
	u32 count = end && *end == '[' ? strtoul(end + 1, NULL, 0) : 0;
	struct type *t;

	if (end && *end == '*' && strpbrk(end + 1, "*[("))
		return NULL;
	for (end = end ? end : text + strlen(text); end > text && end[-1] == ' ';)
		end--;
	*end = '\0';
	t = type_complete(type_by_name(env, a, text));
	if (t && is_const) {
		t = arena_memdup(a, t, sizeof(*t));
		t->is_const = true;
	}
	return t && count ? type_array(a, t, count) : t;
}

/* ---- scalars --------------------------------------------------------------------- */

static bool print_zero(const struct printing *p, u64 at, u64 size)
{
	for (u64 i = at; i < at + size && i < p->len; i++)
		if (p->data[i])
			return false;
	return true;
}

static void print_line(struct printing *p)
{
	buf_pad(p->out, ' ', INDENT + p->depth);
}

static void print_cast(struct printing *p, const struct type *t)
{
	const struct type *base = type_base((struct type *)t);

	if (!t->name && (base->kind == T_STRUCT || base->kind == T_UNION)) {
		buf_puts(p->out, base->kind == T_UNION ? "(union)" : "(struct)");
		return;
	}
	buf_putc(p->out, '(');
	type_text(t, p->out);
	buf_putc(p->out, ')');
}

static u64 print_load(const struct printing *p, u64 bit, u32 bits, bool is_signed)
{
	unsigned __int128 raw = 0;
	u64 first = bit / 8, n = MIN((u64)sizeof(raw), p->len - first);

	memcpy(&raw, p->data + first, n);
	u64 v = (u64)(raw >> bit % 8);

	if (bits < 64) {
		v &= (1ull << bits) - 1;
		if (is_signed && bits && v >> (bits - 1))
			v |= ~0ull << bits;
	}
	return v;
}

#define X87_BITS    64           /* of the fraction of a long double that is one of the x87 … */
#define X87_BYTES32 12           /* … which has so many bytes in a 32-bit program */

bool real_read(const void *p, size_t size, long double *n)
{
	float f;
	double d;

	*n = 0;
	if (size == sizeof(f))
		*n = (memcpy(&f, p, sizeof(f)), f);
	else if (size == sizeof(d))
		*n = (memcpy(&d, p, sizeof(d)), d);
	else if (size == sizeof(*n) || (size == X87_BYTES32 && LDBL_MANT_DIG == X87_BITS))
		memcpy(n, p, size);
	else
		return false;
	return true;
}

/* A value that is not a number: its bytes, the first one first. */
static void print_bytes(struct printing *p, const struct type *t, u64 at)
{
	for (u64 i = 0; i < t->size; i++)
		buf_printf(p->out, "%s%02x", i ? " " : "", p->data[at + i]);
}

static void print_float(struct printing *p, const struct type *t, u64 at)
{
	long double n;

	if (type_is_real(t) && real_read(p->data + at, t->size, &n))
		buf_printf(p->out, "%Lg", n);
	else
		print_bytes(p, t, at);
}

/* All 128 bits; as a number if 64 are enough. */
static void print_wide(struct printing *p, const struct type *t, u64 at)
{
	u64 half[2];

	memcpy(half, p->data + at, sizeof(half));
	if (half[1] == (t->is_signed && half[0] >> 63 ? ~0ull : 0))
		buf_printf(p->out, t->is_signed ? "%" PRId64 : "%" PRIu64, half[0]);
	else
		buf_printf(p->out, "0x%" PRIx64 "%016" PRIx64, half[1], half[0]);
}

static void print_int(struct printing *p, const struct type *t, u64 v, u32 bits)
{
	if (t->is_char && bits == 8 && v >= 0x20 && v < 0x7f)
		buf_printf(p->out, "'%c'", (char)v);
	else if (t->is_signed)
		buf_printf(p->out, "%" PRId64, (s64)v);
	else
		buf_printf(p->out, "%" PRIu64, v);
}

/* Names of the bits, as the kernel prints them; bits without a name in hexadecimal. */
static void print_flags(const struct type *t, u64 v, struct buf *out)
{
	const char *sep = "";

	for (u32 i = 0; i < t->count && v; i++) {
		u64 bits = (u64)t->enums[i].value;

		if (!bits || (v & bits) != bits)
			continue;
		buf_printf(out, "%s%s", sep, t->enums[i].name);
		v &= ~bits;
		sep = "|";
	}
	if (v)
		buf_printf(out, "%s0x%" PRIx64, sep, v);
}

/* A value of less than 8 bytes may be sign-extended or not. */
static bool is_value(const struct type *t, s64 named, u64 v)
{
	return t->size == 8 ? (u64)named == v : (u32)named == (u32)v;
}

void print_names(const struct type *t, u64 v, struct buf *out)
{
	for (u32 i = 0; i < t->count; i++)
		if (is_value(t, t->enums[i].value, v) && (!t->is_flags || !v)) {
			buf_puts(out, t->enums[i].name);
			return;
		}
	if (t->is_flags && v)
		print_flags(t, v, out);
	else
		buf_printf(out, "%" PRId64, t->size == 8 ? (s64)v : (s64)(s32)v);
}

static void print_scalar(struct printing *p, const struct type *shown, const struct type *t,
			 u64 bit, u32 bits)
{
	u64 v = print_load(p, bit, bits, t->is_signed);

	print_cast(p, shown);
	switch (t->kind) {
	case T_PTR:
	case T_FUNC:
		buf_printf(p->out, "0x%" PRIx64, v);
		break;
	case T_ENUM:
		print_names(t, v, p->out);
		break;
	case T_FLOAT:
		print_float(p, t, bit / 8);
		break;
	default:
		if (bits == 128)
			print_wide(p, t, bit / 8);
		else
			print_int(p, t, v, bits);
	}
}

/* ---- objects --------------------------------------------------------------------- */

static void print_any(struct printing *p, struct type *shown, u64 bit, u32 bits);

/* More than was captured, or too deep: prints one line that says so. */
static bool print_cut(struct printing *p, bool cut)
{
	if (cut) {
		print_line(p);
		buf_puts(p->out, "...\n");
	}
	return cut;
}

static void print_members(struct printing *p, struct type *t, u64 bit)
{
	for (u32 i = 0; i < t->count; i++) {
		const struct type_member *m = &t->members[i];
		struct type *mt = type_base(m->type);
		u64 at = bit + m->bit_off;
		u32 bits = m->bit_size ? m->bit_size : (u32)mt->size * 8;

		if (!bits)
			continue;
		if (print_cut(p, (at + bits + 7) / 8 > p->len))
			return;
		if (m->bit_size ? !print_load(p, at, bits, false) :
				  print_zero(p, at / 8, mt->size))
			continue;
		print_line(p);
		if (m->name && *m->name)
			buf_printf(p->out, ".%s = ", m->name);
		print_any(p, m->type, at, bits);
	}
}

static void print_elements(struct printing *p, struct type *t, u64 bit)
{
	const struct type *e = type_base(t->to);
	bool text = e->kind == T_INT && e->is_char;

	for (u32 i = 0; i < t->count && e->size; i++) {
		u64 at = bit / 8 + i * e->size;

		if (print_cut(p, at + e->size > p->len))
			return;
		if (text && !p->data[at])
			return;
		print_line(p);
		print_any(p, t->to, at * 8, e->size * 8);
	}
}

/* What is in it is not known, but it is there: a kind of number that D does not have. */
static bool print_opaque(struct printing *p, struct type *shown, const struct type *t, u64 bit)
{
	u64 at = bit / 8;

	if (t->kind != T_STRUCT || t->count || print_zero(p, at, t->size) || at + t->size > p->len)
		return false;
	print_cast(p, shown);
	print_bytes(p, t, at);
	return true;
}

static void print_any(struct printing *p, struct type *shown, u64 bit, u32 bits)
{
	struct type *t = type_complete(type_base(shown));
	bool array = t->kind == T_ARRAY;

	if (print_opaque(p, shown, t, bit)) {
		buf_puts(p->out, p->depth ? ",\n" : "\n");
		return;
	}
	if (!array && t->kind != T_STRUCT && t->kind != T_UNION) {
		print_scalar(p, shown, t, bit, bits);
		buf_puts(p->out, ",\n");
		return;
	}
	print_cast(p, shown);
	buf_puts(p->out, array ? " [\n" : " {\n");
	p->depth++;
	if (!print_cut(p, p->depth > DEPTH_MAX)) {
		if (array && !print_zero(p, bit / 8, t->size))
			print_elements(p, t, bit);
		else if (!array)
			print_members(p, t, bit);
	}
	p->depth--;
	print_line(p);
	buf_putc(p->out, array ? ']' : '}');
	buf_puts(p->out, p->depth || array ? ",\n" : "\n");
}

/* The object at `addr`, of which `len` bytes were captured. */
static void print_object(struct dtx_env *env, const struct img_field *f, u64 addr,
			 const void *data, size_t len, struct buf *out)
{
	struct printing p = { .arena = arena_new(), .out = out, .data = data, .len = len };
	const char *ctype = f->ctype;
	struct type *t = f->obj ? f->obj : ctype ? print_type(env, p.arena, ctype) : NULL;

	buf_printf(out, "0x%" PRIx64 " = *\n", addr);
	print_line(&p);
	if (t) {
		print_any(&p, t, 0, type_base(t)->size * 8);
	} else {
		buf_printf(out, "(%s)", ctype ? ctype : "void");
		for (size_t i = 0; i < len; i++)
			buf_printf(out, " %02x", p.data[i]);
		buf_putc(out, '\n');
	}
	arena_free(p.arena);
}

void item_object(struct dtx_env *env, const struct item *it, struct buf *out)
{
	const struct val *obj = &it->vals[1];
	bool number = obj->kind == VAL_INT;

	if (it->text)
		buf_add(out, it->text, it->len);
	else if (it->act->nfields > 1)
		print_object(env, &it->act->fields[1], it->vals[0].u,
			     number ? (const void *)&obj->u : obj->p,
			     number ? obj->size : obj->len, out);
}
