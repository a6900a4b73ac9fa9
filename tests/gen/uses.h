/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * uses.h - a part of syscall.c: expressions, which are both compiled here and written into the D
 * program.
 *
 * v and w are arguments, k l u m constants: int, long, unsigned, unsigned long. Not here is what D
 * states otherwise than C: results that need more bits than their type has, and comparisons of an
 * int with an unsigned of the same width (see uses_fits()).
 */
#ifndef GEN_USES_H
#define GEN_USES_H

#include <ctype.h>
#include <string.h>

#include "both.h"

#define USES(X) \
	X(v) X(v == k) X(v != k) X(v < k) X(v <= k) X(v > k) X(v >= k) X(k == v) X(k < v) \
	X(v == l) X(v != l) X(v < l) X(v <= l) X(v > l) X(l >= v) X(v == u) X(v < u) X(u <= v) \
	X(v == m) X(m < v) X(v >= m) X(v == 0) X(v < 0) X(v > 0) X(v == 1) X(0 != v) \
	X(v == v) X(v < v) X(v >= v) X(v == w) X(v != w) X(v < w) X(v <= w) X(w < v) X(w >= v) \
	X(!v) X(!!v) X(v && w) X(v || k) X(v == k || v == l) X(v >= 0 && v < 100) \
	X(v ? 1 : 0) X(v ? v : k) X(v == k ? v : w) X(v < 0 ? l : k) X(v == l ? 5 : -5) \
	X(v < w ? v : w) X(w ? v : l) X((v == k) + 2 * (v < l)) X(v > 0 ? v : l) \
	X((char)v) X((signed char)v) X((unsigned char)v) X((short)v) X((unsigned short)v) \
	X((int)v) X((unsigned)v) X((long)v) X((unsigned long)v) X((long long)v) \
	X((int8_t)v) X((uint8_t)v) X((int16_t)v) X((uint16_t)v) X((int32_t)v) X((uint32_t)v) \
	X((int64_t)v) X((uint64_t)v) X((long)(int)v) X((unsigned long)(unsigned)v) \
	X((int)v == (int)l) X((unsigned)v == (unsigned)l) X((short)v < 0) X((char)v > (char)l) \
	X((long)v == l) X((unsigned long)v < m) X((unsigned long)v > m) X((int)v < 0) \
	X((unsigned short)v == (unsigned short)l) X((long)v < (long)w) X((int)v <= (int)w) \
	X((long)v + l) X((long)v - (long)w) X((unsigned long)v + m) X((long)v * 3) X(-(long)v) \
	X(~(long)v) X((int)~v) X((int)-v) X((uint32_t)-v) X(v & k) X(v | l) X(v ^ l) X(v & 255) \
	X(v & m) X((uint32_t)(v ^ w)) X(v / 7) X(v % 7) X(v >> 3) X((unsigned long)v >> 33) \
	X((long)v / 1000) X((unsigned)v / 3) X((unsigned)v % 10) X((short)v + 1L) X((char)v - 1L)

static const char *const use_texts[] = {
#define X(e)  #e,
	USES(X)
#undef X
};

enum kind { S32, U32, S64, U64, U16, KINDS };

/* What an expression gives: its value in 64 bits, and its type. */
struct val { uint64_t v; unsigned bytes; bool is_signed; };

struct consts { int k; long l; unsigned u; unsigned long m; };

#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wtautological-compare"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wtype-limits"

#define X(e) \
	if (use == n++) \
		return (struct val){ (uint64_t)(e), sizeof(e), (__typeof__(e))-1 < 1 };
#define PAIR(name, T, T2) \
static struct val name(unsigned use, uint64_t v64, uint64_t w64, const struct consts *c) \
{ \
	T v = (T)v64; \
	T2 w = (T2)w64; \
	int k = c->k; \
	long l = c->l; \
	unsigned u = c->u, n = 0; \
	unsigned long m = c->m; \
	USES(X) \
	return (struct val){ 0 }; \
}
#define WITH(name, T) \
	PAIR(name##_s32, T, int) PAIR(name##_u32, T, unsigned) PAIR(name##_s64, T, long) \
	PAIR(name##_u64, T, unsigned long) PAIR(name##_u16, T, unsigned short)
WITH(s32, int) WITH(u32, unsigned) WITH(s64, long) WITH(u64, unsigned long)
WITH(u16, unsigned short)
#undef X

#define ALL(name)  { name##_s32, name##_u32, name##_s64, name##_u64, name##_u16 }
static struct val (*const uses_eval[KINDS][KINDS])(unsigned, uint64_t, uint64_t,
						   const struct consts *) = {
	ALL(s32), ALL(u32), ALL(s64), ALL(u64), ALL(u16),
};

/* The next name of one letter in an expression; NULL: none. */
static const char *use_letter(const char *s)
{
	for (; *s; s++) {
		size_t n = 0;

		while (isalnum((unsigned char)s[n]) || s[n] == '_')
			n++;
		if (n == 1 && strchr("vwklum", *s))
			return s;
		s += n > 1 ? n - 1 : 0;
	}
	return NULL;
}

static bool use_has(unsigned use, char letter)
{
	for (const char *s = use_texts[use]; (s = use_letter(s)); s++)
		if (*s == letter)
			return true;
	return false;
}

/* D compares in 64 bits: an int and an unsigned are otherwise than in C if the int is negative. */
static bool use_fits(unsigned use, enum kind v, enum kind w, const struct consts *c)
{
	bool has_w = use_has(use, 'w');

	if (use_has(use, 'u') && (v == S32 || (has_w && w == S32)))
		return false;
	if (use_has(use, 'k') && c->k < 0 && (v == U32 || (has_w && w == U32)))
		return false;
	return !has_w || !((v == S32 && w == U32) || (v == U32 && w == S32));
}

static void const_text(char letter, const struct consts *c, char *to, size_t size)
{
	if (letter == 'k')
		put(to, size, c->k == -2147483647 - 1 ? "(-2147483647 - 1)" : "%d", c->k);
	else if (letter == 'l')
		put(to, size,
		    c->l == -9223372036854775807L - 1 ? "(-9223372036854775807L - 1)" : "%ldL",
		    c->l);
	else if (letter == 'u')
		put(to, size, "%uU", c->u);
	else
		put(to, size, "%luUL", c->m);
}

/* The expression as D has it, with the names of its arguments. */
static void use_text(unsigned use, const char *v, const char *w, const struct consts *c, char *to,
		     size_t size)
{
	const char *s = use_texts[use], *at;
	char one[48];
	size_t n = 0;

	for (; (at = use_letter(s)); s = at + 1) {
		const_text(*at, c, one, sizeof(one));
		n += put(to + n, size - n, "%.*s%s", (int)(at - s), s,
			 *at == 'v' ? v : *at == 'w' ? w : one);
	}
	put(to + n, size - n, "%s", s);
}

#endif
