/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emit_like.c - a string against a pattern: =~ and !~.
 *
 * The pattern is constant and becomes a state machine of one word: bit i of the state
 * means that the first i elements (characters, ?, sets) have matched.  A byte c changes
 * the state to (state & table[c]) << 1, and keeps the bits of elements before a *.
 */
#include <stdio.h>

#include "compiler/emit/emit-private.h"

struct machine {
	u64 table[256];          /* the elements that match the byte */
	u64 stars;               /* the elements with a * before them */
	u32 n;                   /* how many */
};

static bool matches(const char *element, u32 len, u8 c)
{
	char text[2] = { (char)c }, one[80];

	snprintf(one, sizeof(one), "%.*s", (int)len, element);
	return c && glob_matches(one, text);
}

/* Bytes of the element at p: a character, an escaped one, ?, a set. */
static u32 element_len(const char *p)
{
	const char *s = p;

	if (*s == '\\' && s[1])
		return 2;
	if (*s != '[')
		return 1;
	for (s += 1 + (s[1] == '!'), s += *s == ']'; *s && *s != ']'; s++)
		s += *s == '\\' && s[1];
	return *s ? s + 1 - p : 1;
}

static void machine_make(struct machine *m, const char *p)
{
	u32 len;

	for (; *p; p += len) {
		len = element_len(p);
		if (*p == '*') {
			m->stars |= 1ull << m->n;
			continue;
		}
		for (u32 c = 1; c < 256; c++)
			if (matches(p, len, c))
				m->table[c] |= 1ull << m->n;
		m->n++;
	}
}

val emit_like(struct emit *e, const struct node *n)
{
	struct machine m = { 0 };
	struct str s = emit_str_own(e, emit_str(e, n->a));
	val table, hit;

	machine_make(&m, n->b->str);
	table = ll_rodata(e, m.table, sizeof(m.table), "like");
	hit = ll_ext(e, ll_call(e, "dtx_like", s.p, ll_num(e, s.cap), table, ll_num(e, m.stars),
				ll_num(e, m.n)), false);
	return n->op == OP_LIKE ? hit : LLVMBuildXor(e->b, hit, ll_num(e, 1), "");
}
