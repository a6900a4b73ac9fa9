/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * call.c - random C programs that call functions of random prototypes, and the D program that
 * reads the arguments and results of these: tests/gen/calls compares what both say.
 *
 * usage: call -c SEED     the C program; it writes a line "KEY MUST VALUE" for each value to the
 * file of its argument call -d SEED     the D program, P standing for the probes' program: lines
 * "KEY VALUE"
 *
 * MUST is 0 where dtx may say that it cannot read the value: in floating-point or in several
 * registers. Both programs come from the same random walk.  Floating-point values are only in the
 * way of the others.
 */
#include <stdlib.h>
#include <string.h>

#include "both.h"

#define FUNCS      10
#define PARAMS     10            /* dtx has no more */
#define LEAVES     24
#define STRUCTS    12
#define MEMBERS    6

enum class { INT, BOOL, FLOAT, STRUCT, POINTER };

static const struct scalar { const char *name; enum class class;
} scalars[] = {
	{ "char", INT },
	{ "signed char", INT },
	{ "unsigned char", INT },
	{ "short", INT },
	{ "unsigned short", INT },
	{ "int", INT },
	{ "unsigned", INT },
	{ "long", INT },
	{ "unsigned long", INT },
	{ "long long", INT },
	{ "_Atomic short", INT },
	{ "enum small", INT },
	{ "enum sign", INT },
	{ "enum wide", INT },
	{ "enum packed", INT },
	{ "odd_t", INT },
	{ "_Bool", BOOL },
	{ "int", INT },
	{ "long", INT },
	{ "float", FLOAT },
	{ "double", FLOAT },
	{ "long double", FLOAT },
	{ "_Complex float", FLOAT },
	{ "_Complex double", FLOAT },
	{ "_Complex long double", FLOAT },
	{ "_Float128", FLOAT },
	{ "__int128", FLOAT },
	{ "v8_t", FLOAT },
	{ "v16_t", FLOAT },
	{ "v32_t", FLOAT },
};

/* A type, and what of it is compared: expressions behind the name of a variable. */
struct type {
	char name[24];
	enum class class;
	bool floats; /* anywhere in it; or packed: it may be elsewhere than in a general register */
	unsigned nleaves;
	struct leaf { char text[48]; enum class class; } leaves[LEAVES];
};

static unsigned names;
static struct type structs[STRUCTS];
static unsigned nstructs;
static bool packed;                      /* the struct that is being made */

/* ---- types ----------------------------------------------------------------------------------- */

static void add_leaf(struct type *t, enum class class, const char *text)
{
	if (t->nleaves < LEAVES && strlen(text) < sizeof(t->leaves[0].text)) {
		strcpy(t->leaves[t->nleaves].text, text);
		t->leaves[t->nleaves++].class = class;
	}
}

/* Adds a member of type m: all of it, or in a union where another one is compared nothing. */
static void add_member(struct type *t, const struct type *m, const char *name, bool compared)
{
	char text[128];

	t->floats |= m->floats;
	for (unsigned i = 0; compared && i < m->nleaves; i++) {
		snprintf(text, sizeof(text), "%s%s", name, m->leaves[i].text);
		add_leaf(t, m->leaves[i].class, text);
	}
}

static struct type scalar_type(void)
{
	const struct scalar *s = &scalars[rnd(COUNT(scalars))];
	struct type t = { .class = s->class, .floats = s->class == FLOAT };

	strcpy(t.name, s->name);
	if (s->class != FLOAT)
		add_leaf(&t, s->class, "");
	return t;
}

/* No source says that a packed struct may lie anywhere: with large numbers in it none could tell
 * where that is. */
static struct type member_type(void)
{
	struct type t;

	do t = nstructs && chance(15) ? structs[rnd(nstructs)] : scalar_type();
	while (t.floats && (packed || chance(60)));
	return t;
}

static void one_member(struct type *t, bool is_union, bool compared)
{
	static const char *const aligned[] = { "",
					       "",
					       "",
					       "",
					       "",
					       " __attribute__((aligned(16)))",
					       " __attribute__((aligned(32)))",
					       " __attribute__((packed))" };
	struct type m = member_type();
	char name[32];
	unsigned no = names++, kind = rnd(10);

	if (kind == 0 && m.class == INT && m.name[0] != '_') {
		c("\t%s m%u : %u;\n", m.name, no, 1 + rnd(7));
		snprintf(name, sizeof(name), ".m%u", no);
		add_member(t, &m, name, compared);
	} else if (kind == 1 && m.class != STRUCT) {
		unsigned n = 1 + rnd(3);

		c("\t%s m%u[%u];\n", m.name, no, n);
		for (unsigned i = 0; i < n; i++) {
			snprintf(name, sizeof(name), ".m%u[%u]", no, i);
			add_member(t, &m, name, compared);
		}
	} else if (kind == 2) {
		c("\tstruct { %s m%u; };\n", m.name, no);
		snprintf(name, sizeof(name), ".m%u", no);
		add_member(t, &m, name, compared);
	} else {
		const char *how = aligned[rnd(COUNT(aligned) - m.floats)]; /* the last one packs */

		c("\t%s m%u%s;\n", m.name, no, how);
		m.floats |= strstr(how, "packed") != NULL;
		snprintf(name, sizeof(name), ".m%u", no);
		add_member(t, &m, name, compared);
	}
	/* In a union gcc counts it as an integer, which debugging information does not say. */
	if (!is_union && chance(3))
		c("\tint : 0;\n");
}

static void one_struct(void)
{
	static const char *const attrs[] = { "",
					     "",
					     "",
					     "",
					     "",
					     " __attribute__((packed))",
					     " __attribute__((aligned(16)))",
					     " __attribute__((packed, aligned(4)))" };
	struct type t = { .class = STRUCT };
	const char *attr = attrs[rnd(COUNT(attrs))];
	bool is_union = chance(20);
	unsigned n = chance(5) ? 0 : 1 + rnd(chance(60) ? 3 : MEMBERS), seen = n ? rnd(n) : 0;

	packed = !strcmp(attr, " __attribute__((packed))");
	snprintf(t.name, sizeof(t.name), "%s s%u", is_union ? "union" : "struct", nstructs);
	c("%s {\n", t.name);
	for (unsigned i = 0; i < n; i++)
		one_member(&t, is_union, !is_union || i == seen);
	c("}%s;\n", attr);
	t.floats |= strstr(attr, "packed") != NULL;
	structs[nstructs++] = t;
}

/* A pointer to one of a type, compared with what is behind it. */
static struct type pointer_to(const struct type *to)
{
	struct type t = { .class = POINTER };

	snprintf(t.name, sizeof(t.name), "%.20s *", to->name);
	add_leaf(&t, POINTER, "");
	return t;
}

static struct type param_type(void)
{
	struct type t;

	if (chance(35))
		return structs[rnd(nstructs)];
	t = scalar_type();
	return chance(10) ? pointer_to(chance(50) ? &structs[rnd(nstructs)] : &t) : t;
}

/* ---- functions ------------------------------------------------------------------------------- */

/* Statements that set a variable, in C. */
static void set(const struct type *t, const char *var)
{
	for (unsigned i = 0; i < t->nleaves; i++) {
		unsigned long long v = next() >> (chance(50) ? 0 : rnd(60));

		if (t->leaves[i].class == POINTER)
			c("\t%s%s = (void *)&%s;\n", var, t->leaves[i].text, var);
		else
			c("\t%s%s = %s0x%llxull;\n", var, t->leaves[i].text,
			  t->leaves[i].class == BOOL ? "1 & " : "", v);
	}
}

/* Its values: in C, of the variable; in D, of what dtx calls it. */
static void compare(const struct type *t, const char *var, const char *name, const char *must)
{
	for (unsigned i = 0; i < t->nleaves; i++) {
		const char *text = t->leaves[i].text;

		c("\tprintf(\"%s%s %%d %%lld\\n\", %s, (long long)%s%s);\n", var, text, must, var,
		  text);
		d("\tprintf(\"%s%s %%d\\n\", (long)%s%s);\n", var, text, name, text);
	}
}

/* What dtx must be able to read: what is in general registers, or too large for registers. */
static const char *must(const struct type *t)
{
	static char text[128];

	if (t->class != STRUCT)
		return t->floats ? "0" : "1";
	snprintf(text, sizeof(text), "sizeof(%.23s) > 16 | %d", t->name, !t->floats);
	return text;
}

static void one_function(unsigned no)
{
	static const char *const spellings[] = { "a%2$u", "args[%1$u]", "args.a%2$u" };
	struct type params[PARAMS], result = param_type();
	unsigned n = rnd(PARAMS + 1);
	bool is_void = chance(15);
	char var[32], name[32];

	for (unsigned i = 0; i < n; i++) {
		params[i] = param_type();
		c("static %s f%u_a%u;\n", params[i].name, no, i);
	}
	c("static %s f%u_r;\n", result.name, no);
	c("%s__attribute__((noipa)) %s f%u(", chance(30) ? "static " : "",
	  is_void ? "void" : result.name, no);
	for (unsigned i = 0; i < n; i++)
		c("%s%s a%u", i ? ", " : "", params[i].name, i);
	c("%s)\n{\n", n ? "" : "void");
	c(is_void ? "}\n\n" : "\treturn f%u_r;\n}\n\n", no);
	c("static void call%u(void)\n{\n", no);
	d("uprobe:P:f%u:entry\n{\n", no);
	for (unsigned i = 0; i < n; i++) {
		snprintf(var, sizeof(var), "f%u_a%u", no, i);
		snprintf(name, sizeof(name), spellings[rnd(COUNT(spellings))], i, i);
		set(&params[i], var);
		compare(&params[i], var, name, must(&params[i]));
	}
	d("}\nuprobe:P:f%u:return\n{\n", no);
	snprintf(var, sizeof(var), "f%u_r", no);
	set(&result, var);
	if (!is_void)
		compare(&result, var, chance(50) ? "retval" : "args[1]", must(&result));
	d("}\n");
	c("\tf%u(", no);
	for (unsigned i = 0; i < n; i++)
		c("%sf%u_a%u", i ? ", " : "", no, i);
	c(");\n}\n\n");
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	want_d = !strcmp(argv[1], "-d");
	state = strtoull(argv[2], NULL, 0);
	c("#include <stdio.h>\n"
	  "enum small { S0, S1 = 200 }; enum sign { N1 = -1, N2 = 5 }; enum wide { W1 = 1ull << "
	  "40, W2 = 1 };\n"
	  "enum packed { P0, P1 = 3 } __attribute__((packed));\ntypedef volatile unsigned short "
	  "odd_t;\n"
	  "typedef int v8_t __attribute__((vector_size(8)));\ntypedef int v16_t "
	  "__attribute__((vector_size(16)));\n"
	  "typedef int v32_t __attribute__((vector_size(32)));\n");
	for (unsigned i = 0; i < STRUCTS; i++)
		one_struct();
	for (unsigned i = 0; i < FUNCS; i++)
		one_function(i);
	c("int main(int n, char **args)\n{\n\tfreopen(args[1], \"w\", stdout);\n");
	for (unsigned i = 0; i < FUNCS; i++)
		c("\tcall%u();\n", i);
	c("\treturn 0;\n}\n");
	return 0;
}
