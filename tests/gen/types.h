/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * types.h - random C types for type.c: what is in them, and the places of values in an object of
 * each.
 *
 * A place that is behind a pointer is one of what the pointer is set to: another object of these
 * types, or words and numbers.
 */
#ifndef GEN_TYPES_H
#define GEN_TYPES_H

#include <string.h>

#include "both.h"

#define STRUCTS    8
#define LEAVES     64
#define TEXT       200

enum class { INT, BOOL, FLOAT, WIDE, POINTER, TEXTS, STRUCT };

/* A scalar type, and without qualifiers and typedefs. */
static const struct scalar {
	const char *name, *plain;
	enum class class;
	bool is_unsigned;
} scalars[] = {
	{ "char", "char", INT, false },
	{ "signed char", "signed char", INT, false },
	{ "unsigned char", "unsigned char", INT, true },
	{ "short", "short", INT, false },
	{ "unsigned short", "unsigned short", INT, true },
	{ "int", "int", INT, false },
	{ "unsigned", "unsigned int", INT, true },
	{ "long", "long", INT, false },
	{ "unsigned long", "unsigned long", INT, true },
	{ "long long", "long long", INT, false },
	{ "unsigned long long", "unsigned long long", INT, true },
	{ "enum small", "enum small", INT, true },
	{ "enum sign", "enum sign", INT, false },
	{ "enum wide", "enum wide", INT, true },
	{ "enum deep", "enum deep", INT, false },
	{ "const volatile int", "int", INT, false },
	{ "volatile long", "long", INT, false },
	{ "odd_t", "unsigned short", INT, true },
	{ "odder_t", "unsigned short", INT, true },
	{ "sign_t", "enum sign", INT, false },
	{ "_Bool", "_Bool", BOOL, true },
	{ "yes_t", "_Bool", BOOL, true },
	{ "float", "float", FLOAT, false },
	{ "double", "double", FLOAT, false },
	{ "long double", "long double", FLOAT, false },
	{ "__int128", "__int128", WIDE, false },
};

/* A value in an object: what stands behind the object's name. */
struct leaf {
	char text[TEXT];
	enum class class;
	const char *plain;
	const char *to;                  /* POINTER: to what it is set */
	bool is_unsigned, bits;
	bool behind;                     /* a pointer */
	bool set; /* here: not behind a pointer, nor in a member of a union that another one hides
		   */
	unsigned inner; /* length of the text of a member of the struct that is itself one; 0: none
			 */
	unsigned size;                   /* TEXTS: of the array */
};

struct type {
	char name[40];
	const char *plain;
	enum class class;
	bool is_unsigned, flexible, declared;
	unsigned nleaves;
	struct leaf leaves[LEAVES];
};

static bool want_header;                 /* print the types alone */
static bool tame;                        /* only what a D script may declare, and clang describes */
static unsigned names;
static struct type structs[STRUCTS];
static unsigned nstructs;
static bool nasty_used[64];
static char targets[STRUCTS][2][24];

static void __attribute__((format(printf, 1, 2))) h(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	if (want_header)
		vprintf(format, ap);
	va_end(ap);
}

/* ---- leaves ---------------------------------------------------------------------------- */

static void add_leaf(struct type *t, const struct leaf *from, const char *prefix)
{
	struct leaf l = *from;

	if (t->nleaves == LEAVES || strlen(prefix) + strlen(from->text) >= TEXT)
		return;
	put(l.text, TEXT, "%s%s", prefix, from->text);
	t->leaves[t->nleaves++] = l;
}

/* The leaves of a member; `hidden`: of a union in which another one is set. */
static void add_member(struct type *t, const struct type *m, const char *name, bool hidden,
		       unsigned percent)
{
	for (unsigned i = 0; i < m->nleaves; i++) {
		struct leaf l = m->leaves[i];

		if ((hidden && (l.class != INT || !l.set)) ||
		    (l.class != POINTER && !chance(percent)))
			continue;
		l.set &= !hidden;
		if (m->class == STRUCT && l.set)
			l.inner = strlen(name);
		else if (l.inner)
			l.inner += strlen(name);
		add_leaf(t, &l, name);
	}
}

/* Some of the leaves of what a member points to. */
static void add_target(struct type *t, const struct type *m, const char *name)
{
	char prefix[40];

	put(prefix, sizeof(prefix), ".%s->", name);
	for (unsigned i = 0; i < m->nleaves; i++) {
		struct leaf l = m->leaves[i];

		if (l.text[0] != '.' || !chance(20))
			continue;
		memmove(l.text, l.text + 1, TEXT - 1);
		l.set = false;
		l.behind = true;
		l.inner = 0;
		add_leaf(t, &l, prefix);
	}
}

/* ---- members --------------------------------------------------------------------------- */

static void scalar_type(struct type *t)
{
	const struct scalar *s;
	struct leaf l;

	do s = &PICK(scalars);
	while (tame && (!strcmp(s->name, "enum wide") || !strcmp(s->name, "enum deep")));
	l = (struct leaf){
		.class = s->class, .plain = s->plain, .is_unsigned = s->is_unsigned, .set = true
	};
	memset(t, 0, sizeof(*t));
	strcpy(t->name, s->name);
	t->plain = s->plain;
	t->class = s->class;
	t->is_unsigned = s->is_unsigned;
	add_leaf(t, &l, "");
}

static const char *member_name(void)
{
	static const char *const nasty[] = {
		"self",       "this",   "string",  "stringof", "probe",     "provider",
		"translator", "xlate",  "counter", "import",   "userland",  "pid",
		"tid",        "args",   "arg0",    "execname", "timestamp", "probefunc",
		"ustack",     "count",  "sum",     "quantize", "trace",     "exit",
		"curthread",  "cpu",    "id",      "BEGIN",    "END",       "uint8_t",
		"pid_t",      "size_t", "retval",  "uid",      "ip",        "S1",
		"a",          "p",      "i",
	};
	static char name[24];
	unsigned no = rnd(COUNT(nasty));

	put(name, sizeof(name), "m%u", names++);
	if (chance(25) && !nasty_used[no]) {
		nasty_used[no] = true;
		strcpy(name, nasty[no]);
	}
	return name;
}

static void bit_field(struct type *t, bool hidden)
{
	static const unsigned char bits[] = { 8, 16, 32, 64 };
	struct type m;
	unsigned width, most;
	char name[32];

	do scalar_type(&m);
	while ((m.class != INT && m.class != BOOL) || !strncmp(m.name, "const", 5) ||
	       !strcmp(m.name, "odder_t"));
	most = m.class == BOOL            ? 1
	       : strstr(m.plain, "char")  ? bits[0]
	       : strstr(m.plain, "short") ? bits[1]
	       : strstr(m.plain, "long") || strstr(m.plain, "wide") || strstr(m.plain, "deep")
		       ? bits[3]
		       : bits[2];
	most -= tame &&
		most > 1; /* clang does not write down that one of full width is a bit-field */
	width = chance(10) ? most : 1 + rnd(chance(50) ? most : most < 9 ? most : 9);
	if (!strcmp(m.name, "char"))
		strcpy(m.name, "signed char");           /* as the other compilers have it */
	if (chance(12)) {
		h("\t%s : %u;\n", m.name, chance(30) ? 0 : width);
		return;
	}
	put(name, sizeof(name), ".%s", member_name());
	h("\t%s %s : %u;\n", m.name, name + 1, width);
	m.leaves[0].bits = true;
	add_member(t, &m, name, hidden, 100);
}

static void array_member(struct type *t, const struct type *m, bool hidden)
{
	unsigned n[3] = { 1 + rnd(4), chance(40) ? 1 + rnd(3) : 0, chance(20) ? 1 + rnd(2) : 0 };
	const char *name = member_name();
	char text[80];

	if (!n[1])
		n[2] = 0;
	h("\t%s %s[%u]", m->name, name, n[0]);
	for (unsigned i = 1; i < 3 && n[i]; i++)
		h("[%u]", n[i]);
	h(";\n");
	for (unsigned i = 0; i < n[0]; i++)
		for (unsigned j = 0; j < (n[1] ? n[1] : 1); j++)
			for (unsigned k = 0; k < (n[2] ? n[2] : 1); k++) {
				int at = put(text, sizeof(text), ".%s[%u]", name, i);

				if (n[1])
					at += put(text + at, sizeof(text) - at, "[%u]", j);
				if (n[2])
					put(text + at, sizeof(text) - at, "[%u]", k);
				add_member(t, m, text, hidden, m->class == STRUCT ? 30 : 70);
			}
}

static void text_member(struct type *t, bool hidden)
{
	struct leaf l = { .class = TEXTS, .set = true, .size = 1 + rnd(12), .plain = "char" };

	put(l.text, TEXT, ".%s", member_name());
	h("\tchar %s[%u];\n", l.text + 1, l.size);
	if (!hidden)
		add_leaf(t, &l, "");
}

static void pointer_leaf(struct type *t, const char *name, const char *to, bool hidden)
{
	struct leaf l = {
		.class = POINTER, .to = to, .set = true, .plain = "void *", .is_unsigned = true
	};

	put(l.text, TEXT, ".%s", name);
	if (!hidden)
		add_leaf(t, &l, "");
}

/* A member of type `type`, "%s" standing for its name, which points to `to`. */
static void plain_pointer(struct type *t, const char *type, const char *name, const char *to,
			  bool hidden)
{
	char text[80];

	put(text, sizeof(text), type, name);
	h("\t%s;\n", text);
	pointer_leaf(t, name, to, hidden);
}

static void number_pointer(struct type *t, const char *name, bool hidden)
{
	static const char *const plain[] = { "char",           "unsigned char", "short",
					     "unsigned short", "int",           "unsigned",
					     "long",           "unsigned long", "enum sign",
					     "odd_t" };
	const char *what = PICK(plain);

	h("\t%s%s *%s;\n", chance(30) ? "const " : "", what, name);
	pointer_leaf(t, name, "numbers", hidden);
	for (unsigned i = 0; i < 3 && !hidden; i++) {
		struct leaf l = { .class = INT,
				  .plain = what,
				  .behind = true,
				  .is_unsigned =
					  strstr(what, "unsigned") || !strcmp(what, "odd_t") };

		put(l.text, TEXT, ".%s[%u]", name, i);
		add_leaf(t, &l, "");
	}
}

static void word_pointer(struct type *t, const char *name, bool hidden)
{
	struct leaf l = { .class = TEXTS, .plain = "char", .behind = true };

	plain_pointer(t, "const char *%s", name, "words", hidden);
	put(l.text, TEXT, ".%s", name);
	if (!hidden)
		add_leaf(t, &l, "");
}

static void struct_pointer(struct type *t, const char *name, bool hidden)
{
	unsigned no = rnd(nstructs), at = rnd(2) & !structs[no].flexible;

	h("\t%s *%s;\n", structs[no].name, name);
	pointer_leaf(t, name, targets[no][at], hidden);
	if (!hidden)
		add_target(t, &structs[no], name);
}

static void pointer_member(struct type *t, bool hidden)
{
	char name[32];

	strcpy(name, member_name());
	switch (rnd(7)) {
	case 0: plain_pointer(t, "void *%s", name, "numbers", hidden); break;
	case 1: plain_pointer(t, "int (*%s)(long, void *)", name, "function", hidden); break;
	case 2: plain_pointer(t, "struct not_known *%s", name, "&numbers[2]", hidden); break;
	case 3: word_pointer(t, name, hidden); break;
	case 4: number_pointer(t, name, hidden); break;
	default:
		if (nstructs)
			struct_pointer(t, name, hidden);
		else
			plain_pointer(t, "void *%s", name, "words", hidden);
	}
}

static void members(struct type *t, unsigned n, bool is_union, unsigned depth);

static const char *attribute(bool of_struct)
{
	static const char *const member[] = { "packed", "aligned(2)", "aligned(8)", "aligned(16)",
					      "aligned(32)" };
	static const char *const whole[] = {
		"packed", "packed", "aligned(16)", "aligned(64)", "packed, aligned(4)", "aligned"
	};
	static char text[64];

	*text = '\0';
	if (chance(of_struct ? 25 : 8))
		put(text, sizeof(text), " __attribute__((%s))",
		    of_struct ? PICK(whole) : PICK(member));
	return text;
}

static void inner_struct(struct type *t, bool hidden, unsigned depth)
{
	bool is_union = chance(35), anonymous = chance(50);
	static struct type inner[4];
	struct type *m = &inner[depth];
	char name[32] = "";

	memset(m, 0, sizeof(*m));
	m->class = anonymous ? INT : STRUCT;
	h("\t%s {\n", is_union ? "union" : "struct");
	members(m, 1 + rnd(4), is_union, depth + 1);
	if (!anonymous)
		put(name, sizeof(name), ".%s", member_name());
	h("\t}%s %s;\n", attribute(true), anonymous ? "" : name + 1);
	add_member(t, m, name, hidden, 100);
}

static void plain_member(struct type *t, const struct type *m, bool hidden)
{
	char name[32];

	put(name, sizeof(name), ".%s", member_name());
	h("\t%s %s%s;\n", m->name, name + 1, attribute(false));
	add_member(t, m, name, hidden, 100);
}

static void one_member(struct type *t, bool hidden, unsigned depth)
{
	static struct type scalar;
	const struct type *m = &scalar;
	unsigned no = nstructs ? rnd(nstructs) : 0;

	scalar_type(&scalar);
	if (nstructs && chance(25) && !structs[no].flexible)
		m = &structs[no];
	switch (rnd(10)) {
	case 0: case 1: case 2:
		bit_field(t, hidden);
		break;
	case 3:
		array_member(t, m, hidden);
		break;
	case 4:
		text_member(t, hidden);
		break;
	case 5:
		pointer_member(t, hidden);
		break;
	case 6:
		if (depth < 3) {
			inner_struct(t, hidden, depth);
			break;
		}
		/* fall through */
	default:
		plain_member(t, m, hidden);
	}
}

/* In a union one member is set; the others, as integers, are read only. */
static void members(struct type *t, unsigned n, bool is_union, unsigned depth)
{
	unsigned seen = rnd(n);

	for (unsigned i = 0; i < n; i++)
		one_member(t, is_union && i != seen, depth);
}

/* What may end a struct: pointers to its own kind, arrays without a length. */
static void ending(struct type *t, unsigned no)
{
	char name[32], text[40];

	if (chance(40)) {
		const struct type whole = *t;

		strcpy(name, member_name());
		h("\t%s *%s;\n", t->name, name);
		pointer_leaf(t, name, targets[no][0], false);
		add_target(t, &whole, name);
	}
	if (!tame && chance(10))
		h("\tstruct { } %s;\n", member_name());
	if (t->nleaves && chance(10)) {
		static const char *const ends[] = { "[]", "[0]" };
		struct type m;

		do scalar_type(&m);
		while (m.class != INT);
		strcpy(name, member_name());
		h("\t%s %s%s;\n", m.name, name, PICK(ends));
		t->flexible = true;
		for (unsigned i = 0; i < 3; i++) {
			put(text, sizeof(text), ".%s[%u]", name, i);
			add_member(t, &m, text, false, 100);
		}
	}
}

static void one_struct(unsigned no)
{
	static struct type made;
	bool is_union = chance(12);
	unsigned n = 1 + rnd(chance(60) ? 5 : 12);
	const char *attr;

	memset(&made, 0, sizeof(made));
	memset(nasty_used, 0, sizeof(nasty_used));
	made.class = STRUCT;
	put(made.name, sizeof(made.name), "%s gt%u", is_union ? "union" : "struct", no);
	put(targets[no][0], sizeof(targets[no][0]), "&g%u[0]", no);
	put(targets[no][1], sizeof(targets[no][1]), "&g%u[1]", no);
	h("%s {\n", made.name);
	members(&made, n, is_union, 0);
	if (!is_union)
		ending(&made, no);
	attr = attribute(true);
	h("}%s;\n", attr);
	structs[no] = made;
	if (chance(20)) {
		h("typedef %s gt%u_t;\ntypedef const gt%u_t gt%u_tt;\n", made.name, no, no, no);
		put(structs[no].name, sizeof(made.name), "gt%u_t", no);
	}
	nstructs++;
}

#endif
