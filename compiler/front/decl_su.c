/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * decl_su.c - struct, union and enum definitions, laid out as C compilers for Linux do it
 * on machines of 64 bits: natural alignment; a bit-field never crosses a unit of its type; packed
 * structs relax both. packed may come after the closing brace, so members get their places there.
 */
#include <stdlib.h>

#include <dtx/tag.h>

#include "compiler/front/parse.h"
#include "dtx.tab.h"

#define SU_MAX  (1u << 28)       /* bytes of a struct */

/* The map of the program's own tags (scope.c). */
static struct map *tags_of(struct comp *c, enum type_kind kind)
{
	return c->front->types[kind == T_STRUCT ? 0 : kind == T_UNION ? 1 : 2];
}

static enum type_kind kind_of(int token)
{
	return token == TOK_STRUCT ? T_STRUCT : token == TOK_UNION ? T_UNION : T_ENUM;
}

static struct type *tag_new(struct lexer *lx, enum type_kind kind, const char *tag)
{
	struct type *t = ARENA_NEW(lx->comp->arena, struct type);

	t->kind = kind;
	t->name = tag;
	t->incomplete = true;
	t->origin = lx->comp->front->in_lib == LIB_OWN ? lib_origin : "the program";
	if (tag && !(lx->comp->front->in_lib == LIB_OWN && map_get(tags_of(lx->comp, kind), tag)))
		scope_add_type(lx->comp, kind, tag, t);
	return t;
}

/* Which one is meant is asked again when the probes are known (check_twin.c). */
void su_note_kernel(struct lexer *lx, enum type_kind kind, const char *tag, struct type *t,
		    struct range at)
{
	struct comp *c = lx->comp;
	struct kernel_tag *k;

	if (lx->what != IN_CLAUSE || c->front->in_lib || strchr(tag, '`') ||
	    strchr(tag, ':') || t != scope_kernel_tag(c, kind, tag))
		return;
	k = ARENA_NEW(c->arena, struct kernel_tag);
	*k = (struct kernel_tag){ kind, tag, t, at, c->front->kernel_tags };
	c->front->kernel_tags = k;
}

/* struct TAG, without a definition. */
struct type *su_tag(struct lexer *lx, int token, const char *tag, struct range at)
{
	enum type_kind kind = kind_of(token);
	struct type *t = scope_type(lx->comp, kind, tag);
	const char *plain = strrchr(tag, '`');

	if (t)
		su_note_kernel(lx, kind, tag, t, at);
	return t ? t : tag_new(lx, kind, plain ? plain + 1 : tag);
}

/* The type that a definition of the tag fills. */
static struct type *tag_define(struct lexer *lx, enum type_kind kind, const char *tag,
			       struct range at)
{
	struct type *t = tag ? map_get(tags_of(lx->comp, kind), tag) : NULL;

	if (tag && strchr(tag, '`'))
		diag_error(diags_of(lx), D_DECL_SCOPE, at, "'`' is not allowed in a tag");
	if (t && t->incomplete && !t->members && !t->enums)
		return t;
	if (t && t->origin != lib_origin && lx->comp->front->in_lib != LIB_OWN)
		diag_error(diags_of(lx), D_DECL_TYPERED, at, "'%s' is defined already",
			   type_name(lx->comp->arena, t));
	return tag_new(lx, kind, tag);
}

/* ---- struct and union --------------------------------------------------------------- */

/* A member, or padding. */
struct su_item {
	struct type *type;
	const char *name;        /* NULL: an anonymous struct, or padding */
	bool is_bits;
	u32 width;               /* of a bit-field */
	struct attrs attrs;
	struct range at;
};

struct su {
	struct type *type;
	struct range at;
	struct attrs attrs;
	struct su_item *items;
	u32 nitems;
	bool bad;                /* one was refused */
	u32 depth;               /* brackets around its members */
	u64 bits;                /* used so far */
	u64 max;                 /* largest member's end, bits */
	u64 align, limit;        /* bits; the limit of alignment */
};

struct su *su_begin(struct lexer *lx, int token, struct range word, const char *tag,
		    struct range at)
{
	struct su *su = ARENA_NEW(lx->comp->arena, struct su);

	su->type = tag_define(lx, kind_of(token), tag, at);
	su->type->members = ARENA_NEW(lx->comp->arena, struct type_member);     /* begun */
	su->at = at;
	su->depth = lx->levels.n;
	attr_behind(lx, word.to, &su->attrs);
	return su;
}

static struct su_item *item_new(struct lexer *lx, struct su *su, struct declr *d, struct type *type)
{
	struct su_item it = { .type = type, .name = d->name, .attrs = d->attrs, .at = d->at };

	ARENA_PUSH(lx->comp->arena, su->items, su->nitems, it);
	return &su->items[su->nitems - 1];
}

/* ---- places --------------------------------------------------------------------------- */

/* Alignment of a member, in bits: that of its type unless packed. */
static u64 item_align(const struct su *su, const struct su_item *it)
{
	bool ends = it->is_bits && !it->width;           /* a unit, in packed structs too */
	bool packed = su->attrs.packed || it->attrs.packed || it->is_bits;
	u64 align = packed && !ends ? 1 : (u64)type_align(it->type) * 8;

	if (!it->is_bits || it->attrs.align)
		align = MAX(align, MAX(it->attrs.align, 1u) * 8ull);
	return su->limit ? MIN(align, su->limit) : align;
}

/* A bit-field lies in one unit of its type, unless something is packed. */
static void item_unit(struct su *su, const struct su_item *it)
{
	u64 unit = (u64)type_align(it->type) * 8;

	if (it->name)
		su->align = MAX(su->align, su->attrs.packed || it->attrs.packed ? 8
					   : su->limit ? MIN(unit, su->limit)
						       : unit);
	if (su->attrs.packed || it->attrs.packed || su->limit)
		return;
	if (su->bits / unit != (su->bits + it->width - 1) / unit)
		su->bits = ALIGN_UP(su->bits, unit);
}

static u64 item_place(struct lexer *lx, struct su *su, const struct su_item *it)
{
	u64 align = item_align(su, it), at;

	if (su->type->kind == T_UNION)
		su->bits = 0;
	su->bits = ALIGN_UP(su->bits, align);
	if (!it->is_bits || it->attrs.align)
		su->align = MAX(su->align, align);
	if (it->is_bits && it->width)
		item_unit(su, it);
	at = su->bits;
	su->bits += it->is_bits ? it->width : type_size(lx->comp, it->type) * 8;
	su->max = MAX(su->max, su->bits);
	return at;
}

/* Gives all members their places. */
static void su_place(struct lexer *lx, struct su *su)
{
	struct type *t = su->type;

	su->align = 8;
	su->limit = lx->pack * 8ull;
	t->members = ARENA_ARRAY(lx->comp->arena, struct type_member, su->nitems + 1);
	for (u32 i = 0; i < su->nitems; i++) {
		const struct su_item *it = &su->items[i];
		u64 at = item_place(lx, su, it);

		if (!it->is_bits || it->name)
			t->members[t->count++] =
				(struct type_member){ it->name, it->type, at,
						      it->is_bits ? it->width : 0 };
		if (su->max / 8 > SU_MAX) {
			diag_error(diags_of(lx), D_DECL_ARRBIG, it->at,
				   "this struct is larger than 256 MB");
			su->bits = su->max = 0;
			break;
		}
	}
	su->align = MAX(su->align, su->attrs.align * 8ull);
	t->align = su->align / 8;
	t->size = ALIGN_UP((su->max + 7) / 8, su->align / 8);
}

/* ---- members -------------------------------------------------------------------------- */

/* Width of a bit-field; -1 after an error. */
static s64 bit_width(struct lexer *lx, struct declr *d, struct type *type)
{
	s64 width = 0;

	if (!type_is_int(type)) {
		diag_error(diags_of(lx), D_DECL_BFTYPE, d->at,
			   "a bit-field must have an integer type, not '%s'",
			   type_name(lx->comp->arena, type));
		return -1;
	}
	/* Without a name a width of 0 ends the unit, as in C. */
	if (!decl_const(lx, d->bits, &width) || width < 0 || (!width && d->name)) {
		diag_error(diags_of(lx), D_DECL_BFCONST, d->bits->at,
			   "the width of a bit-field must be a positive integer constant");
		return -1;
	}
	if ((u64)width > type_size(lx->comp, type) * 8) {
		diag_error(diags_of(lx), D_DECL_BFSIZE, d->bits->at,
			   "%lld bits do not fit in a bit-field of type '%s'", (long long)width,
			   type_name(lx->comp->arena, type));
		return -1;
	}
	return width;
}

static void member_bits(struct lexer *lx, struct su *su, struct declr *d, struct type *type)
{
	s64 width = bit_width(lx, d, type);
	struct su_item *it;

	if (width < 0)
		return;
	it = item_new(lx, su, d, type);
	it->is_bits = true;
	it->width = width;
}

static void member_one(struct lexer *lx, struct su *su, struct declr *d, struct type *type)
{
	struct type *base = type_base(type);
	u32 before = lx->comp->env->diags.nerrors;

	if (d->name && strchr(d->name, '`'))
		diag_error(diags_of(lx), D_DECL_SCOPE, d->at,
			   "'`' is not allowed in the name of a member");
	else if (d->has_bits)
		member_bits(lx, su, d, type);
	else if (base->kind == T_FUNC)
		diag_error(diags_of(lx), D_DECL_VOIDOBJ, d->at,
			   "'%s' is a function: a member can only point to one", d->name);
	else if (decl_object_type(lx, &type, d->name, d->at))
		item_new(lx, su, d, type);
	su->bad = lx->comp->env->diags.nerrors != before;
}

struct su *su_member(struct lexer *lx, struct su *su, struct declspec *s, struct declrs list)
{
	struct type *base = spec_result(lx, s), *inner = type_base(base);
	struct declr anon = { .at = s->at };

	anon.attrs = attr_take(lx, su->depth, list);
	if (s->bad)
		return su;
	for (struct declr *d = list.first; d; d = d->next)
		member_one(lx, su, d, attr_type(lx, &d->attrs, declr_type(lx, d, base)));
	if (list.first)
		return su;
	if ((inner->kind == T_STRUCT || inner->kind == T_UNION) && !inner->incomplete &&
	    (!inner->name || !*inner->name))
		member_one(lx, su, &anon, base);
	else if (!s->defines)
		diag_error(diags_of(lx), D_DECL_MNAME, s->at, "a member needs a name");
	return su;
}

static int name_cmp(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void check_names(struct lexer *lx, const struct su *su)
{
	const char **names = xcalloc(su->type->count + 1, sizeof(*names));
	u32 n = 0;

	for (u32 i = 0; i < su->type->count; i++)
		if (su->type->members[i].name)
			names[n++] = su->type->members[i].name;
	qsort(names, n, sizeof(*names), name_cmp);
	for (u32 i = 1; i < n; i++)
		if (!strcmp(names[i - 1], names[i]))
			diag_error(diags_of(lx), D_UNKNOWN, su->at, "two members are called '%s'",
				   names[i]);
	free(names);
}

struct type *su_end(struct lexer *lx, struct su *su, struct range end)
{
	struct type *t = su->type;

	attr_behind(lx, end.to, &su->attrs);
	su_place(lx, su);
	check_names(lx, su);
	if (!su->nitems && !su->bad && !cheader_is(su->at))
		diag_error(diags_of(lx), D_SYNTAX, su->at, "this %s has no members",
			   t->kind == T_UNION ? "union" : "struct");
	t->incomplete = false;
	toplevel_add(lx->comp, TOP_TYPE, t);
	return t;
}

/* ---- enum ------------------------------------------------------------------------------ */

struct type *enum_begin(struct lexer *lx, const char *tag, struct range at)
{
	struct type *t = tag_define(lx, T_ENUM, tag, at);

	t->size = 4;
	t->is_signed = true;
	t->incomplete = false;
	return t;
}

static s64 enum_value(struct lexer *lx, struct type *t, struct node *value, struct range at)
{
	s64 v = t->count ? t->enums[t->count - 1].value + 1 : 0;

	if (value && !decl_const(lx, value, &v)) {
		diag_error(diags_of(lx), D_DECL_ENCONST, value->at,
			   "the value of an enumerator must be an integer constant");
		return 0;
	}
	if ((v >= INT32_MIN && v <= INT32_MAX) || cheader_is(at))
		return v;
	diag_error(diags_of(lx), D_DECL_ENOFLOW, value ? value->at : at,
		   "the value of this enumerator does not fit in an int");
	return 0;
}

struct type *enum_item(struct lexer *lx, struct type *t, const char *name, struct node *value,
		       struct range at)
{
	struct comp *c = lx->comp;
	s64 v = enum_value(lx, t, value, at);
	struct sym *s;

	ARENA_PUSH(c->arena, t->enums, t->count, ((struct type_enumerator){ name, v }));
	for (u32 i = 0; i + 1 < t->count; i++) {
		if (strcmp(t->enums[i].name, name))
			continue;
		diag_error(diags_of(lx), D_UNKNOWN, at, "this enum has two enumerators '%s'", name);
		return t;
	}
	/* An enumerator from a header does not replace an existing name. */
	if (cheader_is(at) && (scope_peek(c, SPACE_GLOBAL, name) || builtin_exact(name)))
		return t;
	if (!decl_name_free(lx, SPACE_GLOBAL, name, at))
		return t;
	s = scope_add(c, SPACE_GLOBAL, SYM_ENUM, name, at);
	s->type = t;
	s->value = v;
	s->declared = true;
	return t;
}

/* Like gcc: unsigned unless one is negative, large enough for the largest, but at least an
 * int. */
struct type *enum_end(struct lexer *lx, struct type *t, struct range end)
{
	struct attrs attrs = { 0 };
	s64 low = 0, high = 0;

	attr_behind(lx, end.to, &attrs);
	for (u32 i = 0; i < t->count; i++) {
		low = MIN(low, t->enums[i].value);
		high = MAX(high, t->enums[i].value);
	}
	t->is_signed = low < 0;
	for (t->size = attrs.mode ? attrs.mode : attrs.packed ? 1 : 4; t->size < 8; t->size *= 2)
		if (low >= -(1ll << (8 * t->size - 1)) &&
		    high < 1ll << (8 * t->size - t->is_signed))
			break;
	toplevel_add(lx->comp, TOP_TYPE, t);
	return t;
}
