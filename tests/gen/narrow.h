/* SPDX-License-Identifier: BSD-2-Clause */
/* narrow.h - a part of aggs.c: what is aggregated, of types narrower than 64 bits. */
#ifndef GEN_NARROW_H
#define GEN_NARROW_H

#include "model.h"

#define VARS  6

/* Declared of narrow types, but the last: that one is not declared, is an int in its first
 * assignment and takes x later. */
static struct { const struct type *type; uint64_t v; } vars[VARS];

static void vars_declare(void)
{
	for (unsigned i = 0; i < VARS; i++) {
		do vars[i].type = &PICK(types);
		while (i < VARS - 1 && vars[i].type->bytes == 8);
		if (i < VARS - 1)
			printf("%s n%u;\n", vars[i].type->name, i);
	}
	vars[VARS - 1].type = type_of("long");
}

/* What is aggregated: x, x made narrow, a variable that x was stored to, or what two variables
 * give; the function takes all 64 bits of it. */
struct value {
	enum { X, CAST, TRIPLE, STORED, JOINED } how;
	const struct type *type;
	unsigned var, other;
	char op;
};

static struct value value_random(void)
{
	struct value v = { chance(60) ? X : 1 + rnd(JOINED), &PICK(types), rnd(VARS), rnd(VARS),
			   "+-*^"[rnd(4)] };

	return v;
}

static void value_store(const struct value *v)
{
	if (v->how >= STORED)
		printf("n%u = x; ", v->var);
}

static void value_text(const struct value *v, char *out, size_t size)
{
	if (v->how == X)
		snprintf(out, size, "x");
	else if (v->how == CAST || v->how == TRIPLE)
		snprintf(out, size, v->how == CAST ? "(%s)x" : "(%s)x * 3", v->type->name);
	else if (v->how == STORED)
		snprintf(out, size, "n%u", v->var);
	else
		snprintf(out, size, "n%u %c n%u", v->var, v->op, v->other);
}

static int64_t value_made(const struct value *v, uint64_t x)
{
	uint64_t a, b;

	if (v->how < STORED)
		return v->how == X ? x : narrow(x, v->type) * (v->how == TRIPLE ? 3 : 1);
	vars[v->var].v = a = narrow(x, vars[v->var].type);
	b = vars[v->other].v;
	if (v->how == STORED)
		return a;
	return v->op == '+' ? a + b : v->op == '-' ? a - b : v->op == '*' ? a * b : a ^ b;
}

#endif
