/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * types.c - the basic types, constructors, D text of a type, member lookup.
 *
 * Sizes are those of LP64, the only data model.
 */
#include <stdlib.h>

#include <dtx/type.h>

#define BASIC "D"

#define INT_TYPE(var, text, bytes, sign, rank, chr, bool_)                            \
	struct type var = { .kind = T_INT, .name = text, .size = bytes, .is_signed = sign, \
			    .int_rank = rank, .is_char = chr, .is_bool = bool_, .origin = BASIC }

INT_TYPE(ty_bool,   "_Bool",              1, false, 1, false, true);
INT_TYPE(ty_char,   "char",               1, true,  1, true,  false);
INT_TYPE(ty_schar,  "signed char",        1, true,  1, false, false);
INT_TYPE(ty_uchar,  "unsigned char",      1, false, 1, false, false);
INT_TYPE(ty_short,  "short",              2, true,  2, false, false);
INT_TYPE(ty_ushort, "unsigned short",     2, false, 2, false, false);
INT_TYPE(ty_int,    "int",                4, true,  4, false, false);
INT_TYPE(ty_uint,   "unsigned int",       4, false, 4, false, false);
INT_TYPE(ty_long,   "long",               8, true,  5, false, false);
INT_TYPE(ty_ulong,  "unsigned long",      8, false, 5, false, false);
INT_TYPE(ty_llong,  "long long",          8, true,  6, false, false);
INT_TYPE(ty_ullong, "unsigned long long", 8, false, 6, false, false);

INT_TYPE(ty_int128, "__int128",           16, true, 7, false, false);
INT_TYPE(ty_uint128, "unsigned __int128", 16, false, 7, false, false);

struct type ty_void = { .kind = T_VOID, .name = "void", .origin = BASIC };
struct type ty_float = { .kind = T_FLOAT, .name = "float", .size = 4, .origin = BASIC };
struct type ty_double = { .kind = T_FLOAT, .name = "double", .size = 8, .origin = BASIC };
struct type ty_ldouble = { .kind = T_FLOAT, .name = "long double", .size = 16, .origin = BASIC };
struct type ty_string = { .kind = T_STRING, .name = "string", .origin = BASIC };
struct type ty_dyn = { .kind = T_DYN, .name = "array or aggregation", .origin = BASIC };
struct type ty_stack = { .kind = T_STACK, .name = "stack", .size = 8, .origin = BASIC };
struct type ty_ustack = { .kind = T_STACK, .name = "stack", .size = 8, .is_user = true,
			  .origin = BASIC };
struct type ty_pystack = { .kind = T_STACK, .name = "pystack", .size = 8, .is_user = true,
			   .origin = BASIC };
static struct type ty_symaddr = { .kind = T_SYMADDR, .name = "_symaddr", .size = 16,
				  .origin = BASIC };
static struct type ty_usymaddr = { .kind = T_SYMADDR, .name = "_usymaddr", .size = 16,
				   .is_user = true, .origin = BASIC };

#define ALIAS(text, target) \
	{ .kind = T_TYPEDEF, .name = text, .size = sizeof(target), .origin = BASIC, \
	  .to = &ty_##target }
#define ty_u8 ty_uchar
#define ty_u16 ty_ushort
#define ty_u32 ty_uint
#define ty_u64 ty_ulong
#define ty_s8 ty_schar
#define ty_s16 ty_short
#define ty_s32 ty_int
#define ty_s64 ty_long

static struct type aliases[] = {
	ALIAS("int8_t", s8),         ALIAS("uint8_t", u8),
	ALIAS("int16_t", s16),       ALIAS("uint16_t", u16),
	ALIAS("int32_t", s32),       ALIAS("uint32_t", u32),
	ALIAS("int64_t", s64),       ALIAS("uint64_t", u64),
	ALIAS("intptr_t", s64),      ALIAS("uintptr_t", u64),
	ALIAS("size_t", u64),        ALIAS("ssize_t", s64),
	ALIAS("ptrdiff_t", s64),     ALIAS("uchar_t", u8),
	ALIAS("ushort_t", u16),      ALIAS("uint_t", u32),
	ALIAS("ulong_t", u64),       ALIAS("id_t", s32),
	ALIAS("pid_t", s32),
	{ .kind = T_TYPEDEF, .name = "u_longlong_t", .size = 8, .origin = BASIC, .to = &ty_ullong },
	{ .kind = T_TYPEDEF, .name = "longlong_t", .size = 8, .origin = BASIC, .to = &ty_llong },
};

struct type *type_builtin(const char *name)
{
	static struct type *const basic[] = {
		&ty_void, &ty_char, &ty_schar, &ty_uchar, &ty_short, &ty_ushort, &ty_int, &ty_uint,
		&ty_long, &ty_ulong, &ty_llong, &ty_ullong, &ty_bool, &ty_float, &ty_double,
		&ty_ldouble, &ty_int128, &ty_uint128, &ty_string, &ty_symaddr, &ty_usymaddr,
	};

	for (u32 i = 0; i < ARRAY_SIZE(basic); i++) {
		if (!strcmp(basic[i]->name, name))
			return basic[i];
	}
	for (u32 i = 0; i < ARRAY_SIZE(aliases); i++) {
		if (!strcmp(aliases[i].name, name))
			return &aliases[i];
	}
	return NULL;
}

bool type_is_python(const struct type *t)
{
	return t->kind == T_STACK && !strcmp(t->name, ty_pystack.name);
}

bool type_is_scalable(struct type *t)
{
	struct type *b = type_complete(type_base(t));

	for (u32 i = 0; i < 4 && b && !b->size && !b->is_vector; i++)
		b = type_complete(type_base(b->kind == T_STRUCT && b->count ? b->members[0].type :
					    b->kind == T_ARRAY ? b->to : NULL));
	return b && b->is_vector && !b->size;
}

bool type_is_real(const struct type *t)
{
	static const char *const names[] = { "float",    "double",    "long double", "_Float32",
					     "_Float64", "_Float32x", "_Float64x" };

	for (u32 i = 0; t->kind == T_FLOAT && t->name && i < ARRAY_SIZE(names); i++)
		if (!strcmp(t->name, names[i]))
			return true;
	return false;
}

struct type *type_ptr(struct arena *a, struct type *to)
{
	struct type *t = ARENA_NEW(a, struct type);

	t->kind = T_PTR;
	t->size = 8;
	t->to = to;
	return t;
}

struct type *type_array(struct arena *a, struct type *to, u32 count)
{
	struct type *t = ARENA_NEW(a, struct type);

	t->kind = T_ARRAY;
	t->to = to;
	t->count = count;
	t->size = to->size * count;
	return t;
}

struct type *type_string_of(struct arena *a, u32 capacity)
{
	struct type *t = arena_memdup(a, &ty_string, sizeof(*t));

	t->size = capacity;
	return t;
}

struct type *type_complete(struct type *t)
{
	void (*fill)(struct type *);

	if (t && t->fill) {
		fill = t->fill;
		t->fill = NULL;
		fill(t);
	}
	return t;
}

/* Limits for malformed type information, which may nest endlessly or form a cycle. No C type comes
 * near them. */
#define HELD_DEPTH 64
#define RING_STEPS 300

void type_complete_held(struct type *su)
{
	static __thread u32 depth;

	if (depth == HELD_DEPTH)
		return;
	depth++;
	for (u32 i = 0; i < su->count; i++) {
		struct type *m = type_base(su->members[i].type);

		while (m && m->kind == T_ARRAY)
			m = type_base(m->to);
		if (m && (m->kind == T_STRUCT || m->kind == T_UNION))
			type_complete(m);
	}
	depth--;
}

void type_alias(struct type *t, struct type *to)
{
	struct type *end = to;

	while (end && end != t && end->kind == T_TYPEDEF)
		end = end->to;
	t->to = to && end != t ? to : &ty_void;          /* a cycle of typedefs is no type */
	t->size = t->to->size;
}

/*
 * C declarators are written from the inside out: `inner` is the text at the place
 * of the name ("*", "(*)[4]"), and each step makes it longer. `left`: how many
 * more steps are allowed.
 */

static void text_declare(const struct type *t, const char *inner, u32 *left, struct buf *out);

static void text_params(const struct type *t, u32 *left, struct buf *out)
{
	type_complete((struct type *)t);
	buf_putc(out, '(');
	for (u32 i = 0; i < t->count && *left; i++) {
		if (i)
			buf_puts(out, ", ");
		text_declare(t->params[i].type, "", left, out);
	}
	if (t->variadic)
		buf_puts(out, t->count ? ", ..." : "...");
	else if (!t->count)
		buf_puts(out, "void");
	buf_putc(out, ')');
}

static void text_base(const struct type *t, struct buf *out)
{
	static const char *const tags[] = {
		[T_STRUCT] = "struct ", [T_UNION] = "union ", [T_ENUM] = "enum ", [T_DYN] = "",
	};
	const char *tag = tags[t->kind] ? tags[t->kind] : "";

	if (t->is_const)
		buf_puts(out, "const ");
	if (t->name && *t->name)
		buf_printf(out, "%s%s", tag, t->name);
	else
		buf_printf(out, "%s{...}", tag);
}

static void text_declare(const struct type *t, const char *inner, u32 *left, struct buf *out)
{
	struct buf b = { 0 };
	bool wrap;

	*left -= *left > 0;
	switch (t && *left ? t->kind : T_VOID) {
	case T_PTR:
		wrap = t->to && (t->to->kind == T_ARRAY || t->to->kind == T_FUNC);
		buf_printf(&b, "%s*%s%s%s", wrap ? "(" : "", t->is_const && *inner ? "const " :
			   t->is_const ? "const" : "", inner, wrap ? ")" : "");
		text_declare(t->to, b.data, left, out);
		break;
	case T_ARRAY:
		buf_printf(&b, "%s[%u]", inner, t->count);
		text_declare(t->to, b.data, left, out);
		break;
	case T_FUNC:
		buf_puts(&b, inner);
		text_params(t, left, &b);
		text_declare(t->to, b.data, left, out);
		break;
	default:
		text_base(t && *left ? t : &ty_void, out);
		if (*inner)
			buf_printf(out, " %s", inner);
	}
	buf_free(&b);
}

void type_text(const struct type *t, struct buf *out)
{
	u32 left = RING_STEPS;

	text_declare(t, "", &left, out);
}

const char *type_name(struct arena *a, const struct type *t)
{
	struct buf b = { 0 };
	char *s;

	type_text(t, &b);
	s = arena_strndup(a, b.data, b.len);
	buf_free(&b);
	return s;
}

/* `left`: how many more structs may be searched. */
static const struct type_member *find_member(struct type *su, const char *name, u32 *bit_off,
					     u32 *left)
{
	su = type_complete(type_base(su));
	if (!su || (su->kind != T_STRUCT && su->kind != T_UNION) || !*left)
		return NULL;
	--*left;
	for (u32 i = 0; i < su->count; i++) {
		const struct type_member *m = &su->members[i], *in;
		u32 off = 0;

		if (m->name && *m->name) {
			if (strcmp(m->name, name))
				continue;
			*bit_off += m->bit_off;
			return m;
		}
		in = find_member(m->type, name, &off, left);
		if (in) {
			*bit_off += m->bit_off + off;
			return in;
		}
	}
	return NULL;
}

const struct type_member *type_find_member(struct type *su, const char *name, u32 *bit_off)
{
	u32 left = RING_STEPS;

	return find_member(su, name, bit_off, &left);
}
