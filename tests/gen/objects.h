/* SPDX-License-Identifier: BSD-2-Clause */
/* objects.h - random structs as the C compiler lays them out: their members, and what print() makes
 * of one. */
#ifndef GEN_OBJECTS_H
#define GEN_OBJECTS_H

#include "model.h"

#define MEMBERS      8
#define STRUCT_ROOM  512

struct member {
	char name[16];
	const struct type *type;
	const struct object *in; /* a struct, else NULL */
	bool is_enum, field;     /* field: of bits */
	unsigned count;          /* of an array, else 0 */
	unsigned bit, bits;      /* of one element */
};

struct object { const char *name; unsigned n, size, align; struct member m[MEMBERS]; };

/* A number in an object. */
/* Enumerations without a negative value have none: only in arithmetic they are int. */
struct leaf { const struct type *type; unsigned bit, bits; bool is_enum; };

static uint64_t bits_load(const uint8_t *at, const struct leaf *l)
{
	unsigned __int128 raw = 0;
	unsigned up = 64 - l->bits;
	uint64_t v;

	memcpy(&raw, at + l->bit / 8, (l->bit % 8 + l->bits + 7) / 8);
	v = (uint64_t)(raw >> l->bit % 8) << up;
	return l->type->is_signed ? (uint64_t)((int64_t)v >> up) : v >> up;
}

static void bits_store(uint8_t *at, const struct leaf *l, uint64_t v)
{
	for (unsigned i = 0; i < l->bits; i++) {
		uint8_t *byte = at + (l->bit + i) / 8, mask = 1 << (l->bit + i) % 8;

		*byte = v >> i & 1 ? *byte | mask : *byte & ~mask;
	}
}

/* ---- making ------------------------------------------------------------------------- */

static void member_place(struct object *o, struct member *m, unsigned *at)
{
	unsigned align = m->in ? m->in->align : m->is_enum ? 4 : m->type->bytes, unit = 8 * align;
	unsigned whole = m->in ? 8 * m->in->size : unit;

	if (!m->bits || *at / unit != (*at + m->bits - 1) / unit)
		*at = (*at + unit - 1) / unit * unit;
	m->bit = *at;
	*at += m->bits ? m->bits : whole * (m->count ? m->count : 1);
	m->bits = m->bits ? m->bits : whole;
	o->align = align > o->align ? align : o->align;
}

static void object_random(struct object *o, const char *name, const struct object *inner)
{
	unsigned at = 0;

	*o = (struct object){ .name = name, .n = 2 + rnd(MEMBERS - 2), .align = 1 };
	printf("struct %s {", name);
	for (unsigned i = 0; i < o->n; i++) {
		struct member *m = &o->m[i];
		unsigned k = rnd(10);

		snprintf(m->name, sizeof(m->name), "m%u", i);
		m->type = &types[rnd(COUNT(types))];
		m->in = k == 0 || (k == 1 && i == 0) ? inner : NULL;
		m->is_enum = !m->in && k == 2;
		m->count = k != 2 && chance(25) ? 1 + rnd(m->in ? 2 : 7) : 0;
		if (m->in || m->is_enum)
			printf(" %s %s", m->in ? "struct inner" : "enum colour", m->name);
		else
			printf(" %s %s", m->type->name, m->name);
		if (m->count)
			printf("[%u]", m->count);
		else if (!m->in && k >= 3 && k <= 4)
			printf(" : %u", m->bits = 1 + rnd(8 * m->type->bytes));
		m->field = m->bits;
		putchar(';');
		member_place(o, m, &at);
	}
	puts(" };");
	o->size = ((at + 7) / 8 + o->align - 1) / o->align * o->align;
}

/* A number in the object that is called `name`, which grows by the way to it. */
static struct leaf leaf_random(const struct object *o, char *name, size_t size)
{
	const struct member *m;
	unsigned n = strlen(name), i;
	struct leaf l;

	m = &o->m[rnd(o->n)];
	i = m->count ? rnd(m->count) : 0;
	n += snprintf(name + n, size - n, ".%s", m->name);
	if (m->count)
		snprintf(name + n, size - n, "[%u]", i);
	if (m->in) {
		l = leaf_random(m->in, name, size);
		l.bit += m->bit + i * m->bits;
		return l;
	}
	return (struct leaf){ m->is_enum ? type_of("unsigned") : m->type, m->bit + i * m->bits,
			      m->bits, m->is_enum };
}

/* An array in the object, or NULL, if one that is looked at has none. */
static const struct member *array_random(const struct object *o)
{
	const struct member *m = &o->m[rnd(o->n)];

	return m->count && !m->in ? m : NULL;
}

/* Statements that set all numbers of an object. */
static void object_fill(const struct object *o, const char *name, uint8_t *at, unsigned bit)
{
	char text[128];

	for (unsigned i = 0; i < o->n; i++)
		for (unsigned k = 0; k < (o->m[i].count ? o->m[i].count : 1); k++) {
			const struct member *m = &o->m[i];
			struct leaf l = { m->type, bit + m->bit + k * m->bits, m->bits,
					  false };
			uint64_t v = m->is_enum   ? rnd(4)
				     : chance(30) ? 0
				     : chance(40) ? 0x20 + rnd(96)
						  : number();

			snprintf(text, sizeof(text), m->count ? "%s%s[%u]" : "%s%s", name, m->name,
				 k);
			if (m->in) {
				strcat(text, ".");
				object_fill(m->in, text, at, l.bit);
			} else {
				bits_store(at, &l, v);
				printf("\t%s = (%s)%lluULL;\n", text,
				       m->is_enum ? "enum colour" : m->type->name,
				       (unsigned long long)v);
			}
		}
}

/* ---- print() -------------------------------------------------------------------------- */

#define INDENT  44

static bool is_zero(const uint8_t *at, unsigned bit, unsigned bits)
{
	static const struct type one = { "", 8, false };

	for (; bits; bits--)
		if (bits_load(at, &(struct leaf){ &one, bit + bits - 1, 1, false }))
			return false;
	return true;
}

static void object_print(FILE *out, const struct object *o, const uint8_t *at, unsigned bit,
			 unsigned depth);

static void element_print(FILE *out, const struct member *m, const uint8_t *at, unsigned bit,
			  unsigned depth)
{
	static const char *const colours[] = { "RED", "GREEN", "2", "BLUE" };
	struct leaf l = { m->is_enum ? type_of("unsigned") : m->type, bit, m->bits, m->is_enum };
	const char *name = strcmp(m->type->name, "unsigned") ? m->type->name : "unsigned int";
	uint64_t v;

	if (m->in) {
		object_print(out, m->in, at, bit, depth);
		fputs(depth ? ",\n" : "\n", out);
		return;
	}
	v = bits_load(at, &l);
	if (m->is_enum)
		fprintf(out, "(enum colour)%s,\n", colours[v]);
	else if (!strcmp(name, "char") && m->bits == 8 && v >= 0x20 && v < 0x7f)
		fprintf(out, "(char)'%c',\n", (int)v);
	else
		fprintf(out, m->type->is_signed ? "(%s)%lld,\n" : "(%s)%llu,\n", name,
			(long long)v);
}

static void array_print(FILE *out, const struct member *m, const uint8_t *at, unsigned bit,
			unsigned depth)
{
	const char *name = strcmp(m->type->name, "unsigned") ? m->type->name : "unsigned int";

	if (m->in)
		fprintf(out, "(struct %s [%u]) [\n", m->in->name, m->count);
	else
		fprintf(out, "(%s [%u]) [\n", name, m->count);
	for (unsigned k = 0; k < m->count && !is_zero(at, bit, m->bits * m->count); k++) {
		if (!m->in && !strcmp(name, "char") && is_zero(at, bit + k * m->bits, m->bits))
			break;
		fprintf(out, "%*s", INDENT + depth + 1, "");
		element_print(out, m, at, bit + k * m->bits, depth + 1);
	}
	fprintf(out, "%*s],\n", INDENT + depth, "");
}

/* The object, without what follows its last bracket. */
static void object_print(FILE *out, const struct object *o, const uint8_t *at, unsigned bit,
			 unsigned depth)
{
	fprintf(out, "(struct %s) {\n", o->name);
	for (unsigned i = 0; i < o->n; i++) {
		const struct member *m = &o->m[i];

		if (is_zero(at, bit + m->bit, m->bits * (m->count ? m->count : 1)))
			continue;
		fprintf(out, "%*s.%s = ", INDENT + depth + 1, "", m->name);
		if (m->count)
			array_print(out, m, at, bit + m->bit, depth + 1);
		else
			element_print(out, m, at, bit + m->bit, depth + 1);
	}
	fprintf(out, "%*s}", INDENT + depth, "");
}

#endif
