/* SPDX-License-Identifier: BSD-2-Clause */
/* model.h - what the generators that know the answer share: D's integers, conversions of
 * printf(). */
#ifndef GEN_MODEL_H
#define GEN_MODEL_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

struct type { const char *name; unsigned bytes; bool is_signed; };

static const struct type types[] = {
	{ "char", 1, true }, { "unsigned char", 1, false }, { "short", 2, true },
	{ "unsigned short", 2, false }, { "int", 4, true }, { "unsigned", 4, false },
	{ "long", 8, true }, { "unsigned long", 8, false }, { "long long", 8, true },
	{ "uint8_t", 1, false }, { "int16_t", 2, true }, { "uint32_t", 4, false },
	{ "int64_t", 8, true }, { "uint64_t", 8, false },
};

static inline const struct type *type_of(const char *name)
{
	const struct type *t = types;

	while (strcmp(t->name, name))
		t++;
	return t;
}

/* Of the result of an operation. */
static inline const struct type *wider(const struct type *a, const struct type *b)
{
	unsigned ra = 16 * a->bytes + !a->is_signed, rb = 16 * b->bytes + !b->is_signed;

	return ra >= rb ? a : b;
}

/* Numbers of all sizes, near the edges of the types more often than elsewhere. */
static inline uint64_t number(void)
{
	static const uint64_t edges[] = {
		0, 1, 2, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 0x7fffffff, 0x80000000,
		0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000, ~0ull,
	};

	return rnd(2) ? edges[rnd(COUNT(edges))] - rnd(2) : next() >> rnd(64);
}

static inline uint64_t narrow(uint64_t v, const struct type *t)
{
	unsigned up = 64 - 8 * t->bytes;

	return t->is_signed ? (uint64_t)((int64_t)(v << up) >> up) : v << up >> up;
}

static inline void write_string(const char *s)
{
	putchar('"');
	for (; *s; s++)
		if (*s == '\t' || *s == '\n')
			printf("\\%c", *s == '\t' ? 't' : 'n');
		else
			printf(*s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
	putchar('"');
}

/* ---- conversions ------------------------------------------------------------------- */

/* One conversion of a format: as C has it, but for the letter of size, which D finds itself. */
struct conv { char flags[8]; int width, prec; const char *size; char letter; };      /* -1: none */

static inline struct conv conv_random(const char *letters, const char *flags)
{
	struct conv c = {
		.width = -1, .prec = -1, .size = "", .letter = letters[rnd(strlen(letters))]
	};
	unsigned n = 0;

	if (chance(50))
		c.width = 1 + rnd(24);
	if (chance(20))
		c.prec = 1 + rnd(12);
	for (; *flags; flags++)
		if (chance(15))
			c.flags[n++] = *flags;
	return c;
}

/* Writes it, as D has it, with a further flag. */
static inline void conv_text(FILE *out, const struct conv *c, const char *flag)
{
	fprintf(out, "%%%s%s", c->flags, flag);
	if (c->width >= 0)
		fprintf(out, "%d", c->width);
	if (c->prec >= 0)
		fprintf(out, ".%d", c->prec);
	fputc(c->letter, out);
}

/* What it makes of an integer of this type. */
static inline void conv_int(FILE *out, const struct conv *c, uint64_t v, const struct type *t)
{
	struct type u = { .bytes = t->bytes };
	bool decimal = strchr("di", c->letter);
	char letter = decimal && !t->is_signed ? 'u' : c->letter;
	char format[32];

	snprintf(format, sizeof(format), "%%%s*.*ll%c", c->flags, letter);
	fprintf(out, format, c->width < 0 ? 0 : c->width, c->prec, narrow(v, decimal ? t : &u));
}

static inline void conv_string(FILE *out, const struct conv *c, const char *s)
{
	char format[32];

	snprintf(format, sizeof(format), "%%%s*.*s", c->flags);
	fprintf(out, format, c->width < 0 ? 0 : c->width, c->prec, s);
}

#endif
