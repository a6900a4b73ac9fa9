/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * values.h - variables of every scope and sort, associative arrays, and random expressions of them:
 * written as D, with their values (DTrace guide "Types, Operators, and Expressions", "Strings",
 * "Variables").
 */
#ifndef GEN_VALUES_H
#define GEN_VALUES_H

#include "objects.h"

#define STRING_ROOM  520
#define NUMBERS   18
#define DECLARED     12 /* of the numbers; the others have the type of their widest assignment */
#define STRINGS   6
#define VECTORS   3
#define WIDE      5              /* elements of a vector */
#define ARRAYS    8
#define ELEMENTS  24
#define KEYS      3

enum sort { NUMBER, TEXT, STRUCT };

static const char *const scopes[] = { "", "self->", "this->" };
static const char *const texts[] = {
	"",
	"a",
	"b",
	"ab",
	"abcdefgh",
	"abcdefghi",
	"two words",
	"100% \"quoted\" \\",
	"tab\tand\nnewline",
	"caf\xc3\xa9",
	"/usr/lib//x.so.1",
	"lib/",
	"/",
	"//a",
	"a/b/",
	"abcabc",
	"Abc-XYZ",
	"12",
	"a text of thirty-three characters",
	"a text of sixty-four characters, neither more nor less than that",
};

struct key { uint64_t n; char s[STRING_ROOM]; };

/* Where a value is: its name in D, and its bytes. */
struct place {
	char name[512];
	uint8_t *at;
	struct leaf l;
	bool *set;                               /* of strings that may be NULL */
	bool loose;                              /* not declared */
};

static struct array {
	const char *scope;
	enum sort sort;
	const struct type *type;
	unsigned nkeys;
	const struct type *keys[KEYS];           /* NULL: a string */
} arrays[ARRAYS];
static const struct type *number_types[NUMBERS], *vector_types[VECTORS];
static struct object inner, outer;

/* What a clause changes, and is forgotten where its predicate is false. */
static struct model {
	uint8_t numbers[NUMBERS][8], strings[STRINGS][STRING_ROOM], structs[3][STRUCT_ROOM];
	uint8_t vectors[VECTORS][WIDE * 8];
	struct element {
		struct key keys[KEYS];
		uint8_t at[STRING_ROOM];
		bool set;
	} elements[ARRAYS][ELEMENTS];
	unsigned nelements[ARRAYS];
	bool set[STRINGS];                       /* not NULL; those of a clause never are */
} m;

static unsigned strsize = 255;                /* without the NUL */

/* ---- places ----------------------------------------------------------------------------- */

/* A string has so many bytes at most. */
static void cut(char *to, const char *from)
{
	snprintf(to, STRING_ROOM, "%.*s", (int)strsize, from);
}

static bool same(const struct array *a, const struct key *x, const struct key *y)
{
	for (unsigned k = 0; k < a->nkeys; k++)
		if (x[k].n != y[k].n || strcmp(x[k].s, y[k].s))
			return false;
	return true;
}

/* The element; of one that is not there, zeroes, or with `make` a new one. */
static struct element *element(const struct array *a, const struct key *keys, bool make)
{
	static struct element none;
	unsigned i = a - arrays;

	for (unsigned k = 0; k < m.nelements[i]; k++)
		if (same(a, m.elements[i][k].keys, keys))
			return &m.elements[i][k];
	if (!make || m.nelements[i] == ELEMENTS)
		return &none;
	memcpy(m.elements[i][m.nelements[i]].keys, keys, sizeof(struct key) * KEYS);
	return &m.elements[i][m.nelements[i]++];
}

static struct place place_element(const struct array *a, bool make)
{
	struct place p = { .l = { a->type, 0, a->type ? 8 * a->type->bytes : 0 } };
	struct key keys[KEYS] = { 0 };
	struct element *e;
	int n = snprintf(p.name, sizeof(p.name), "%sa%u[", a->scope, (unsigned)(a - arrays));

	for (unsigned k = 0; k < a->nkeys; k++) {
		uint64_t v = number() & (chance(50) ? 1 : ~0ull);
		const char *s = texts[rnd(5)];

		n += snprintf(p.name + n, sizeof(p.name) - n, k ? ", " : "");
		if (!a->keys[k]) {
			cut(keys[k].s, s);
			n += snprintf(p.name + n, sizeof(p.name) - n, "\"%s\"", s);
		} else {
			keys[k].n = narrow(v, a->keys[k]);
			n += snprintf(p.name + n, sizeof(p.name) - n, "(%s)%lluULL",
				      a->keys[k]->name, (unsigned long long)v);
		}
	}
	snprintf(p.name + n, sizeof(p.name) - n, "]");
	e = element(a, keys, make);
	p.at = e->at;
	p.set = &e->set;
	return p;
}

static struct place place_number(unsigned i)
{
	struct place p = { .at = m.numbers[i],
			   .l = { number_types[i], 0, 8 * number_types[i]->bytes } };

	snprintf(p.name, sizeof(p.name), "%sv%u", scopes[i % COUNT(scopes)], i);
	p.loose = i >= DECLARED;
	return p;
}

/* An element of an array of numbers; which one, a variable may say. */
static struct place place_vector(bool make)
{
	unsigned i = rnd(VECTORS), k = rnd(WIDE), bits = 8 * vector_types[i]->bytes;
	struct place index = place_number(rnd(NUMBERS)), p = { .at = m.vectors[i] };

	if (make || chance(50)) {
		snprintf(p.name, sizeof(p.name), "%sw%u[%u]", scopes[i], i, k);
	} else {
		k = bits_load(index.at, &index.l) & 3;
		snprintf(p.name, sizeof(p.name), "%sw%u[%.20s & 3]", scopes[i], i, index.name);
	}
	p.l = (struct leaf){ vector_types[i], k * bits, bits, false };
	return p;
}

/* Somewhere a value of this sort is. */
static struct place place(enum sort sort, bool make)
{
	struct place p = { 0 };
	const struct array *a = &arrays[rnd(ARRAYS)];
	unsigned i;

	if (a->sort == sort)
		return place_element(a, make);
	if (sort == NUMBER && chance(30)) {
		p = place(STRUCT, make);
		p.l = leaf_random(&outer, p.name, sizeof(p.name));
		return p;
	}
	if (sort == NUMBER)
		return chance(20) ? place_vector(make) : place_number(rnd(NUMBERS));
	i = rnd(sort == TEXT ? STRINGS : COUNT(scopes));
	snprintf(p.name, sizeof(p.name), sort == STRUCT ? "%ssu" : "%ss%u", scopes[i % 3], i);
	p.at = sort == TEXT ? m.strings[i] : m.structs[i];
	p.set = sort == TEXT && i % 3 < 2 ? &m.set[i] : NULL;
	return p;
}

static uint64_t load(const struct place *p)
{
	return bits_load(p->at, &p->l);
}

/* ---- expressions: written, and their values -------------------------------------------------- */

static void text_value(char *out, unsigned depth, bool *null);
static bool text_compare(unsigned depth);

struct number {
	const struct type *type;
	uint64_t v;
	bool small;
}; /* small: a bit-field that an int holds, or an enumeration */

static struct number number_of(const struct type *type, uint64_t v)
{
	return (struct number){ type, v, false };
}

/* What is read at a place. */
static struct number number_at(const struct place *p)
{
	bool field = p->l.bits < 8 * p->l.type->bytes;

	return (struct number){ p->l.type, load(p),
				p->l.is_enum ||
					(field && p->l.bits + !p->l.type->is_signed <= 32) };
}

static const struct type *in_arithmetic(const struct number *n)
{
	return n->small ? type_of("int") : n->type;
}

/* index(), rindex() */
static int64_t found(const char *s, const char *t, bool backwards, const int *start)
{
	int len = strlen(s), from = start ? *start : backwards ? len : 0;

	if (backwards && from < 0)
		return *t ? -1 : 0;
	from = from < 0 ? 0 : from > len ? len : from;
	for (; from >= 0 && from <= len; from += backwards ? -1 : 1)
		if (!strncmp(s + from, t, strlen(t)))
			return from;
	return -1;
}

static struct number position(unsigned depth)
{
	char s[STRING_ROOM], t[STRING_ROOM];
	bool backwards = chance(50), starts = chance(50);
	int start = (int)rnd(14) - 3;

	fputs(backwards ? "rindex(" : "index(", stdout);
	text_value(s, depth, NULL);
	fputs(", ", stdout);
	text_value(t, depth, NULL);
	if (starts)
		printf(", %d", start);
	putchar(')');
	return number_of(type_of("int"), found(s, t, backwards, starts ? &start : NULL));
}

/* A character of a string that has some, else a number. */
static struct number character(void)
{
	unsigned i = rnd(STRINGS), n = strlen((char *)m.strings[i]), at = rnd(n + !n);

	if (n)
		printf("%ss%u[%u]", scopes[i % 3], i, at);
	else
		putchar('7');
	return n ? number_of(type_of("char"), (int8_t)m.strings[i][at])
		 : number_of(type_of("int"), 7);
}

/* a OP b; the last is a comparison. */
static const char *const ops[] = { "+", "-", "&", "|", "^", "<" };

static struct number number_joined(unsigned op, const struct number *a, const struct number *b)
{
	const struct type *t = wider(in_arithmetic(a), in_arithmetic(b));
	uint64_t x = a->v, y = b->v;

	if (op == 5)
		return number_of(type_of("int"), t->is_signed ? (int64_t)x < (int64_t)y : x < y);
	return number_of(t, op == 0   ? x + y
			    : op == 1 ? x - y
			    : op == 2 ? x & y
			    : op == 3 ? x | y
				      : x ^ y);
}

static struct number number_value(unsigned depth)
{
	char s[STRING_ROOM];
	struct number a, b;
	struct place p;
	unsigned k = rnd(depth ? 16 : 8);

	if (k < 2) {
		a = number_of(&PICK(types), number());
		printf("(%s)%lluULL", a.type->name, (unsigned long long)a.v);
		a.v = narrow(a.v, a.type);
		return a;
	}
	if (k < 9) {
		p = place(NUMBER, false);
		fputs(p.name, stdout);
		return number_at(&p);
	}
	if (k == 9) {
		fputs("strlen(", stdout);
		text_value(s, depth - 1, NULL);
		putchar(')');
		return number_of(type_of("unsigned long"), strlen(s));
	}
	if (k == 14)
		return position(depth - 1);
	if (k == 15)
		return character();
	putchar('(');
	if (k == 10) {
		a = number_of(type_of("int"), text_compare(depth - 1));
	} else if (k == 11) {
		p = place(NUMBER, true);
		k = rnd(2);
		printf(k ? "%s++" : "++%s", p.name);
		a = number_of(p.l.type, load(&p));
		a.small = p.l.is_enum;
		bits_store(p.at, &p.l, a.v + 1);
		a.v = k ? a.v : load(&p);
	} else {
		a = number_value(depth - 1);
		k = rnd(COUNT(ops));
		printf(" %s ", ops[k]);
		b = number_value(depth - 1);
		a = number_joined(k, &a, &b);
	}
	putchar(')');
	return a;
}

/* Two texts; a variable that was not set has none, which is behind every text. */
static bool text_compare(unsigned depth)
{
	char s[STRING_ROOM], t[STRING_ROOM];
	bool none = false, other = false;
	unsigned k = rnd(5);
	int order;

	text_value(s, depth, &none);
	if (chance(10)) {
		fputs(k & 1 ? " == NULL" : " != 0", stdout);
		return none == (k & 1);
	}
	printf(" %s ", (const char *const[]){ "==", "<", ">", "<=", "!=" }[k]);
	text_value(t, depth, &other);
	order = none || other ? none - other : strcmp(s, t);
	return k == 0   ? order == 0
	       : k == 1 ? order < 0
	       : k == 2 ? order > 0
	       : k == 3 ? order <= 0
			: order != 0;
}

/* Characters in a struct, as a string; false: it has none. */
static bool text_array(char *out)
{
	const struct member *a = array_random(&outer);
	struct place p;

	if (!a || a->bits != 8)
		return false;
	p = place(STRUCT, false);
	printf("%s.%s", p.name, a->name);
	snprintf(out, a->count + 1, "%.*s", (int)a->count, (char *)p.at + a->bit / 8);
	out[strsize < a->count ? strsize : a->count] = 0;
	return true;
}

/* substr(); without a length it is that of the largest string, also where that begins in front of
 * this one. */
static void part_of(char *out, const char *s, int64_t from, int64_t n)
{
	int64_t len = strlen(s);

	if (from < 0) {
		from += len;
		if (from < 0 && from + n > 0) {
			n += from;
			from = 0;
		}
	}
	if (from >= len || from < 0)
		n = 0;
	else if (n < 0)
		n += len - from;
	snprintf(out, STRING_ROOM, "%.*s", n < 0 ? 0 : (int)n, s + (n > 0 ? from : 0));
}

/* basename() and dirname(), which basename(1) and dirname(1) are like. */
static void part_of_path(char *out, const char *s, bool last)
{
	int end = strlen(s), from;

	while (end > 1 && s[end - 1] == '/')
		end--;
	for (from = end; from && s[from - 1] != '/';)
		from--;
	if (last && end == 1 && *s == '/')
		from = 0;
	if (!last) {
		end = from;
		while (end > 1 && s[end - 1] == '/')
			end--;
		from = 0;
		if (*s == '/' && !end)
			end = 1;
	}
	if (end == from)
		strcpy(out, ".");
	else
		snprintf(out, STRING_ROOM, "%.*s", end - from, s + from);
}

/* cleanpath(): what is between slashes, without "." and what ".." undoes. */
static void clean_path(char *out, const char *s)
{
	const char *parts[STRING_ROOM], *root = *s == '/' ? "/" : "";
	unsigned lens[STRING_ROOM], n = 0, at;

	for (const char *from = s; *from; from += strspn(from, "/")) {
		unsigned len = strcspn(from, "/");
		bool up = len == 2 && !strncmp(from, "..", 2);

		if (up && n && strncmp(parts[n - 1], "..", lens[n - 1])) {
			n--;
		} else if (len && !(len == 1 && *from == '.') && !(up && *root)) {
			parts[n] = from;
			lens[n++] = len;
		}
		from += len;
	}
	at = snprintf(out, STRING_ROOM, "%s", n || !*s || *root ? root : ".");
	for (unsigned i = 0; i < n; i++)
		at += snprintf(out + at, STRING_ROOM - at, "%s%.*s", i ? "/" : "", (int)lens[i],
			       parts[i]);
}

/* A function that has one string, and what it needs besides: parts of it are found. */
static void text_function(char *out, unsigned depth)
{
	static const char *const names[] = { "substr",    "substr",  "basename", "dirname",
					     "cleanpath", "tolower", "toupper",  "strstr",
					     "strchr",    "strrchr", "strtok" };
	unsigned k = rnd(COUNT(names)), at, len;
	int from = (int)rnd(16) - 7, n = (int)rnd(16) - 5;
	char s[STRING_ROOM], t[4] = "", *written;
	FILE *whole = stdout;
	size_t size;

	stdout = open_memstream(&written, &size);
	text_value(s, depth, NULL);
	fclose(stdout);
	stdout = whole;
	len = strlen(s);
	k = k >= 7 && !s[strspn(s, "/.")] ? rnd(7) : k;
	printf("%s(%s", names[k], written);
	free(written);
	at = rnd(len + !len);
	snprintf(t, sizeof(t), "%.*s", k == 7 ? (int)rnd(4) : 1, s + at);
	if (k < 2)
		printf(k ? ", %d, %d" : ", %d", from, n);
	if (k == 7)
		fputs(", ", stdout), write_string(t);
	if (k == 8 || k == 9)
		printf(", %d", *t);
	if (k == 10)
		fputs(", \"/.\"", stdout);
	putchar(')');
	for (char *c = s; (k == 5 || k == 6) && *c; c++)
		if (k == 5 ? *c >= 'A' && *c <= 'Z' : *c >= 'a' && *c <= 'z')
			*c ^= 0x20;
	if (k < 2)
		part_of(out, s, from, k ? n : (int64_t)strsize);
	else if (k < 4)
		part_of_path(out, s, k == 2);
	else if (k == 4)
		clean_path(out, s);
	else if (k == 10)
		snprintf(out, STRING_ROOM, "%.*s", (int)strcspn(s + strspn(s, "/."), "/."),
			 s + strspn(s, "/."));
	else
		cut(out, k == 7   ? strstr(s, t)
			 : k == 8 ? strchr(s, *t)
			 : k == 9 ? strrchr(s, *t)
				  : s);
	out[strsize] = 0;
}

/* Characters that mean something in paths, also more of them than a string has. */
static const char *text_random(void)
{
	static char s[STRING_ROOM];
	unsigned n = chance(80) ? rnd(20) : rnd(300);

	if (chance(60))
		return PICK(texts);
	for (unsigned i = 0; i < n; i++)
		s[i] = "/..abA"[rnd(6)];
	s[n] = 0;
	return s;
}

/* null: of a variable that was not set, too; *null says whether it was one. */
static void text_value(char *out, unsigned depth, bool *null)
{
	char s[2 * STRING_ROOM];
	unsigned k = rnd(depth ? 12 : 6);
	struct number n;
	struct place p;

	if (depth && !null && chance(15) && text_array(out))
		return;
	if (k < 2) {
		const char *t = text_random();

		write_string(t);
		cut(out, t);
	} else if (k < 6) {
		do p = place(TEXT, false);
		while (p.set && !*p.set && !null);
		if (null)
			*null = p.set && !*p.set;
		fputs(p.name, stdout);
		strcpy(out, (char *)p.at);
	} else if (k >= 9) {
		text_function(out, depth - 1);
	} else if (k == 8) {
		fputs("lltostr(", stdout);
		snprintf(s, sizeof(s), "%lld", (long long)number_value(depth - 1).v);
		putchar(')');
		cut(out, s);
	} else if (k == 6) {
		fputs("strjoin(", stdout);
		text_value(s, depth - 1, NULL);
		fputs(", ", stdout);
		text_value(s + strlen(s), depth - 1, NULL);
		putchar(')');
		cut(out, s);
	} else {
		putchar('(');
		n = number_value(0);
		fputs(" ? ", stdout);
		text_value(s, 0, NULL);
		fputs(" : ", stdout);
		text_value(out, 0, NULL);
		putchar(')');
		if (n.v)
			strcpy(out, s);
	}
}

#endif
