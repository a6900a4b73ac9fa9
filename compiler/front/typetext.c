/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * typetext.c - reads types from D text, as in providers and tables.
 *
 * Supports only what they use: qualifiers, basic types, tags, typedefs, `*` and one
 * `[n]`.
 */
#include <ctype.h>
#include <stdlib.h>

#include "compiler/front/front.h"

struct typetext {
	struct comp *c;
	const char *p;
	char word[128];
};

static bool typetext_word(struct typetext *t)
{
	u32 n = 0;

	while (isspace((unsigned char)*t->p))
		t->p++;
	while (name_char(*t->p) || *t->p == '`') {
		if (n < sizeof(t->word) - 1)
			t->word[n++] = *t->p;
		t->p++;
	}
	t->word[n] = 0;
	return n > 0;
}

/* unsigned long int → the basic type; false: the word is not a basic type. */
struct basic {
	bool is_signed, is_unsigned, seen;
	u32 longs, shorts, chars;
	struct type *other;
};

static bool typetext_basic(struct basic *b, const char *w)
{
	if (!strcmp(w, "unsigned"))
		b->is_unsigned = true;
	else if (!strcmp(w, "signed"))
		b->is_signed = true;
	else if (!strcmp(w, "long"))
		b->longs++;
	else if (!strcmp(w, "short"))
		b->shorts++;
	else if (!strcmp(w, "char"))
		b->chars++;
	else if (!strcmp(w, "double"))
		b->other = &ty_double;
	else if (strcmp(w, "int"))
		return false;
	b->seen = true;
	return true;
}

static struct type *typetext_basic_type(const struct basic *b)
{
	if (b->other)
		return b->longs ? &ty_ldouble : b->other;
	if (b->chars)
		return b->is_unsigned ? &ty_uchar : b->is_signed ? &ty_schar : &ty_char;
	if (b->shorts)
		return b->is_unsigned ? &ty_ushort : &ty_short;
	if (b->longs > 1)
		return b->is_unsigned ? &ty_ullong : &ty_llong;
	if (b->longs)
		return b->is_unsigned ? &ty_ulong : &ty_long;
	return b->is_unsigned ? &ty_uint : &ty_int;
}

static struct type *typetext_tag(struct typetext *t, enum type_kind kind)
{
	struct type *ty;

	if (!typetext_word(t))
		return NULL;
	ty = scope_type(t->c, kind, t->word);
	if (ty)
		return ty;
	ty = ARENA_NEW(t->c->env->arena, struct type);
	ty->kind = kind;
	ty->name = arena_strdup(t->c->env->arena, t->word);
	ty->incomplete = true;
	return ty;
}

static bool typetext_qualifier(const char *w)
{
	return !strcmp(w, "const") || !strcmp(w, "volatile") || !strcmp(w, "restrict");
}

static struct type *typetext_spec(struct typetext *t)
{
	struct basic b = { 0 };
	const char *before = t->p;

	while (typetext_word(t)) {
		if (typetext_qualifier(t->word))
			before = t->p;
		else if (typetext_basic(&b, t->word))
			before = t->p;
		else
			break;
	}
	if (b.seen) {
		t->p = before;
		return typetext_basic_type(&b);
	}
	if (!strcmp(t->word, "struct"))
		return typetext_tag(t, T_STRUCT);
	if (!strcmp(t->word, "union"))
		return typetext_tag(t, T_UNION);
	if (!strcmp(t->word, "enum"))
		return typetext_tag(t, T_ENUM);
	if (!strcmp(t->word, "stack"))
		return &ty_stack;
	if (!strcmp(t->word, "ustack"))
		return &ty_ustack;
	if (!strcmp(t->word, "pystack"))
		return &ty_pystack;
	return t->word[0] ? scope_type(t->c, T_TYPEDEF, t->word) : NULL;
}

struct type *type_parse(struct comp *c, const char *text)
{
	struct typetext t = { .c = c, .p = text };
	struct type *ty = typetext_spec(&t);

	while (ty && *t.p) {
		if (*t.p == '*') {
			ty = type_ptr(c->env->arena, ty);
			t.p++;
		} else if (*t.p == '[') {
			char *end;
			u32 n = strtoul(t.p + 1, &end, 0);

			ty = type_array(c->env->arena, ty, n);
			t.p = *end == ']' ? end + 1 : end + strlen(end);
		} else if (isspace((unsigned char)*t.p)) {
			t.p++;
		} else if (!typetext_word(&t) || !typetext_qualifier(t.word)) {
			return NULL;
		}
	}
	return ty;
}
