/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tpnames.c - names of the values of a tracepoint's fields, from the text by which the kernel
 * prints the event:
 *
 *     print fmt: "vec=%u [action=%s]", REC->vec, __print_symbolic(REC->vec, { 0, "HI" }, { 1,
 * "TIMER" }) (REC->flags) ? __print_flags(REC->flags, "|", { 0x01UL, "A" }, { (1UL << 1), "B" }) :
 * "none"
 *
 * A field that is printed like this, plain or masked, gets an enumeration; the text after the
 * colon is the name of 0.  Fields that are shifted first have none.
 */
#include <ctype.h>
#include <stdlib.h>

#include "runtime/types/types-private.h"

/* ---- constant expressions as the preprocessor left them -------------------------------------- */

#define EXPR_DEEPEST 64          /* signs and parentheses within each other: the text may be another
				  * machine's, from a description */

struct expr { const char *p; bool bad; u32 depth; };

static u64 value(struct expr *e, int least);

static void blanks(struct expr *e)
{
	while (*e->p == ' ')
		e->p++;
}

/* Length of a cast like "( unsigned long)" before a number; 0: no cast. */
static size_t cast_len(const char *p)
{
	size_t n = 1 + strspn(p + 1,
			      " abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
	const char *word = p + 1 + strspn(p + 1, " ");

	return p[n] == ')' && (isalpha((u8)*word) || *word == '_') ? n + 1 : 0;
}

static u64 inner(struct expr *e);

static u64 primary(struct expr *e)
{
	u64 v = 0;

	if (e->depth++ < EXPR_DEEPEST)
		v = inner(e);
	else
		e->bad = true;
	e->depth--;
	return v;
}

static u64 inner(struct expr *e)
{
	char *end;
	u64 v;

	blanks(e);
	if (*e->p == '~' || *e->p == '-') {
		bool minus = *e->p++ == '-';

		v = primary(e);
		return minus ? -v : ~v;
	}
	if (*e->p == '(' && cast_len(e->p)) {
		e->p += cast_len(e->p);
		return primary(e);
	}
	if (*e->p == '(') {
		e->p++;
		v = value(e, 0);
		blanks(e);
		e->bad |= *e->p != ')';
		e->p += *e->p == ')';
		return v;
	}
	e->bad |= !isdigit((u8)*e->p);
	v = strtoull(e->p, &end, 0);
	e->p = end + strspn(end, "uUlL");
	return v;
}

/* Operators by precedence, as in C. */
static int binding(const char *p)
{
	static const struct { const char *op; int binding; } ops[] = {
		{ "||", 0 }, { "&&", 0 }, { "<<", 4 }, { ">>", 4 }, { "|", 1 }, { "^", 2 },
		{ "&", 3 }, { "+", 5 }, { "-", 5 }, { "*", 6 },
	};

	for (u32 i = 0; i < ARRAY_SIZE(ops); i++)
		if (!strncmp(p, ops[i].op, strlen(ops[i].op)))
			return ops[i].binding;
	return 0;
}

static u64 apply(char op, u64 a, u64 b)
{
	switch (op) {
	case '<': return b < 64 ? a << b : 0;
	case '>': return b < 64 ? a >> b : 0;
	case '|': return a | b;
	case '^': return a ^ b;
	case '&': return a & b;
	case '+': return a + b;
	case '-': return a - b;
	default:  return a * b;
	}
}

static u64 value(struct expr *e, int least)
{
	u64 v = primary(e);

	for (;;) {
		int b;
		char op;

		blanks(e);
		b = binding(e->p);
		if (!b || b <= least || e->bad)
			return v;
		op = *e->p;
		e->p += b == 4 ? 2 : 1;
		v = apply(op, v, value(e, b));
	}
}

/* ---- one list of names ----------------------------------------------------------------------- */

/* "text" at *p, in the arena; NULL: none. */
static const char *quoted(struct arena *a, const char **p)
{
	const char *from, *end;

	*p += strspn(*p, " ,");
	if (**p != '"' || !(end = strchr(*p + 1, '"')))
		return NULL;
	from = *p + 1;
	*p = end + 1;
	return arena_strndup(a, from, (size_t)(end - from));
}

/* The field whose value is named: "REC->x", in parentheses, or with a mask; the length of its
 * name. */
static size_t named_field(const char **p, bool masked)
{
	size_t len, rest;
	const char *s = *p + strspn(*p, " (");

	if (strncmp(s, "REC->", 5))
		return 0;
	*p = s + 5;
	len = name_span(*p, "");
	rest = strspn(*p + len, " )");
	return (*p)[len + rest] == ',' || (masked && (*p)[len + rest] == '&') ? len : 0;
}

/* The text after the first argument: after a comma outside parentheses. */
static const char *behind_comma(const char *p)
{
	int depth = 0;

	for (; *p && !(depth <= 0 && *p == ','); p++)
		depth += (*p == '(') - (*p == ')');
	return *p ? p + 1 : p;
}

typedef VEC(struct type_enumerator) names_vec;

static const char *read_names(struct arena *a, const char *p, names_vec *v)
{
	for (;;) {
		struct expr e = { NULL, false };
		struct type_enumerator n;

		p += strspn(p, " ,");
		if (*p != '{')
			return p;
		e.p = p + 1;
		n.value = (s64)value(&e, 0);
		p = behind_comma(p + 1);
		n.name = quoted(a, &p);
		if (n.name && !e.bad)
			VEC_PUSH(v, n);
		p += strcspn(p, "}");
		p += *p == '}';
	}
}

static struct tp_field *field_of(struct tp_event *ev, const char *name, size_t len)
{
	for (u32 i = 0; i < ev->nfields; i++)
		if (strlen(ev->fields[i].name) == len && !memcmp(ev->fields[i].name, name, len))
			return &ev->fields[i];
	return NULL;
}

static void read_list(struct arena *a, struct tp_event *ev, const char *p, bool flags)
{
	const char *name = p;
	size_t len = named_field(&name, flags);
	struct tp_field *f = len ? field_of(ev, name, len) : NULL;
	struct type_enumerator zero = { NULL, 0 };
	names_vec v = { 0 };

	if (!f || f->names)
		return;
	p = behind_comma(p);
	if (flags && !quoted(a, &p))
		return;
	p = read_names(a, p, &v);
	p += strspn(p, " )");
	if (flags && *p == ':') {
		p++;
		zero.name = quoted(a, &p);
	}
	if (zero.name)
		VEC_PUSH(&v, zero);
	if (v.n) {
		f->names = ARENA_NEW(a, struct type);
		*f->names = (struct type){
			.kind = T_ENUM, .size = f->size, .is_flags = flags, .count = v.n,
			.enums = arena_memdup(a, v.v, v.n * sizeof(*v.v)),
		};
	}
	VEC_FREE(&v);
}

void tpnames_read(struct arena *a, struct tp_event *ev, const char *fmt)
{
	static const struct { const char *text; bool flags; } calls[] = {
		{ "__print_symbolic(", false }, { "__print_flags(", true },
	};

	for (u32 i = 0; i < ARRAY_SIZE(calls); i++)
		for (const char *p = fmt; (p = strstr(p, calls[i].text));) {
			p += strlen(calls[i].text);
			read_list(a, ev, p, calls[i].flags);
		}
}
