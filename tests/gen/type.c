/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * type.c - random C types: a C program that fills objects of them, and the D program that reads
 * these behind a pointer.  tests/gen/types compares what both say.
 *
 * usage: type -c SEED [own]     the C program; it writes lines "KEY VALUE" to the file of its
 * argument type -h SEED           its types alone, which it includes as "SEED.h" type -d SEED [own]
 * the D program, P standing for the probes' program: the same lines own: by types of the D program,
 * which stand in front of it, not by those of the C program.
 */
#include <stdlib.h>

#include "types.h"

#define SHOWN  26                /* values of a struct that are read */

static bool own_types;
static unsigned vars;
static bool writable;            /* what is shown lies in memory of D's own */

/* ---- values ---------------------------------------------------------------------------- */

static void set(const struct leaf *l, const char *object)
{
	static const char letters[] = "abcXYZ.%\\ '\"";
	unsigned long long v = next() >> (chance(50) ? 0 : rnd(60));
	char word[16] = "";

	switch (l->class) {
	case POINTER:
		c("\tSET(void *, %s%s, %s);\n", object, l->text, l->to);
		break;
	case FLOAT:
		c("\tSET(%s, %s%s, %lld.%02llu);\n", l->plain, object, l->text,
		  (long long)v % 100000, v % 100);
		break;
	case TEXTS:
		for (unsigned i = 0, n = rnd(l->size + 1); i < n; i++)
			word[i] = letters[rnd(7)];
		c("\tstrncpy(%s%s, \"%s\", %u);\n", object, l->text, word, l->size);
		break;
	default:
		if (l->class == BOOL)
			v &= 1;
		if (l->bits)
			c("\t%s%s = %lldll;\n", object, l->text, (long long)v);
		else
			c("\tSET(%s, %s%s, 0x%llxull);\n", l->plain, object, l->text, v);
	}
}

/* The same place in D, spelled in one of its ways, behind what is already written of it. */
static const char *spelled(const char *base, const char *text)
{
	static char out[8 * TEXT];
	static char was[8 * TEXT];
	const char *end;

	strcpy(out, base);
	for (; *text; text = end) {
		bool arrow = *text == '-', index = *text == '[';
		int n;

		end = text + (arrow ? 2 : 1);
		end += index ? strcspn(end, "]") + 1 : strcspn(end, ".[-");
		n = end - text;
		strcpy(was, out);
		if (strlen(was) > 3 * TEXT || chance(70))
			put(out, sizeof(out), "%s%.*s", was, n, text);
		else if (index && chance(50))
			put(out, sizeof(out), "%s[this->i%.*s]", was, n - 2, text + 1);
		else if (index)
			put(out, sizeof(out), "(*(%s + %.*s))", was, n - 2, text + 1);
		else if (arrow)
			put(out, sizeof(out), "(*%s).%.*s", was, n - 2, text + 2);
		else
			put(out, sizeof(out), "%s%.*s", was, n, text);
	}
	return out;
}

/* What is stored in a copy is read again, and nothing beside it changes: then the old value
 * returns. */
static void store(const struct leaf *l, const char *key, const char *object, const char *place)
{
	static const char *const ops[] = { "=", "=", "+=", "-=", "^=", "|=" };
	const char *op = l->class == BOOL ? "=" : PICK(ops), *sign = l->is_unsigned ? "u" : "d";
	long long k = next() >> rnd(60);
	unsigned v = vars++;

	d("\tthis->v%u = %s;\n\t%s %s %lld;\n\tprintf(\"%s %%%s\\n\", %s);\n\t%s = this->v%u;\n", v,
	  place, place, op, k, key, sign, place, place, v);
	c("\t{ __typeof__(%s) old = %s;\n", object, object);
	if (l->bits)
		c("\told%s %s %lldll;\n", l->text, op, k);
	else if (*op == '=')
		c("\tSET(%s, old%s, %lldll);\n", l->plain, l->text, k);
	else
		c("\tSET(%s, old%s, old%s %.1s %lldll);\n", l->plain, l->text, l->text, op, k);
	c("\tprintf(\"%s %%ll%s\\n\", (%s long)old%s); }\n", key, sign,
	  l->is_unsigned ? "unsigned long" : "long", l->text);
}

/*
 * How an integer is looked at in D, and the same in C.  1: the key, 2: its place in D, 3: u or d,
 * 4: a new number, 5: signed or unsigned, 6: another value, 7: its place in C.
 */
enum { ANY, NO_BITS, BITS };
static const struct way { unsigned of; const char *d, *c;
} ways[] = {
#define VALUE  "printf(\"%1$s %%ll%3$s\\n\", (%5$s long long)%7$s);"
	{ ANY, "printf(\"%1$s %%%3$s\\n\", %2$s);", VALUE },
	{ ANY,
	  "self->v%4$u = %2$s;\n\tprintf(\"%1$s %%%3$s\\n\", self->v%4$u);\n\tself->v%4$u = 0;",
	  VALUE },
	{ ANY, "v%4$u[%4$u, \"x\"] = %2$s;\n\tprintf(\"%1$s %%%3$s\\n\", v%4$u[%4$u, \"x\"]);",
	  VALUE },
	{ ANY, "@v%4$u[\"%1$s\", %2$s] = count();\n\tprinta(\"%%s %%%3$s\\n\", @v%4$u);", VALUE },
	{ NO_BITS, "this->v%4$u = &%2$s;\n\tprintf(\"%1$s %%%3$s\\n\", *this->v%4$u);", VALUE },
	{ BITS, "this->v%4$u = %2$s;\n\tprintf(\"%1$s %%%3$s\\n\", this->v%4$u);", VALUE },
#undef VALUE
	{ ANY, "@v%4$u[\"%1$s\"] = sum(%2$s);\n\tprinta(\"%%s %%@d\\n\", @v%4$u);",
	  "printf(\"%1$s %%lld\\n\", (long long)%7$s);" },
	{ ANY, "printf(\"%1$s %%d\\n\", (long)%2$s);",
	  "printf(\"%1$s %%lld\\n\", (long long)%7$s);" },
	{ ANY, "printf(\"%1$s %%x\\n\", (%5$s long)%2$s);",
	  "printf(\"%1$s %%llx\\n\", (long long)%7$s);" },
	{ ANY, "printf(\"%1$s %%d\\n\", (%5$s long)%2$s > (%5$s long)%6$lld);",
	  "printf(\"%1$s %%d\\n\", (%5$s long)%7$s > (%5$s long)%6$lld);" },
	{ ANY, "printf(\"%1$s %%d\\n\", %2$s ? 1 : 2);", "printf(\"%1$s %%d\\n\", %7$s ? 1 : 2);" },
	{ ANY, "printf(\"%1$s %%d\\n\", !%2$s);", "printf(\"%1$s %%d\\n\", !%7$s);" },
	{ NO_BITS, "printf(\"%1$s %%d\\n\", sizeof(%2$s));",
	  "printf(\"%1$s %%d\\n\", (int)sizeof(%7$s));" },
};

static void show_integer(const struct leaf *l, const char *key, const char *object,
			 const char *place)
{
	const struct way *w;
	long long k = next() >> rnd(60);
	char in_c[2 * TEXT];
	unsigned v = vars++;

	if (writable && chance(40)) {
		store(l, key, object, place);
		return;
	}
	do w = &PICK(ways);
	while (w->of && l->bits != (w->of == BITS));
	put(in_c, sizeof(in_c), "%s%s", object, l->text);
	putchar('\t');
	printf(want_d ? w->d : w->c, key, place, l->is_unsigned ? "u" : "d", v,
	       l->is_unsigned ? "unsigned" : "signed", k, in_c);
	putchar('\n');
}

static void show(const struct leaf *l, const char *key, const char *object, const char *place)
{
	switch (l->class) {
	case POINTER:
		d("\tprintf(\"%s %%x\\n\", (long)%s);\n", key, place);
		c("\tprintf(\"%s %%lx\\n\", (long)%s%s);\n", key, object, l->text);
		break;
	case FLOAT:
		d("\tprintf(\"%s %%.2f\\n\", %s);\n", key, place);
		c("\tprintf(\"%s %%.2Lf\\n\", (long double)%s%s);\n", key, object, l->text);
		break;
	case WIDE:
		d("\tprintf(\"%s %%d\\n\", sizeof(%s));\n", key, place);
		c("\tprintf(\"%s %%d\\n\", (int)sizeof(%s%s));\n", key, object, l->text);
		break;
	case TEXTS:
		d("\tprintf(\"%s <%%s>\\n\", %s(%s));\n", key,
		  l->size && chance(50) ? "" : "stringof", place);
		c("\tprintf(\"%s <%%.*s>\\n\", %u, %s%s);\n", key, l->size ? l->size : 99, object,
		  l->text);
		break;
	default:
		show_integer(l, key, object, place);
	}
}

/* One leaf of an object, by its pointer or a copy of it. */
static void look(unsigned no, const struct leaf *l, unsigned leaf, const char *how, bool is_return,
		 bool copied)
{
	static const char *const first[] = { "%s->", "(*%s).", "%s[0].", "(%s + 0)->" };
	static const char *const second[] = { "(%s + 1)->", "%s[1].", "(*(%s + 1)).",
					      "(&%s[1])->" };
	unsigned at = !structs[no].flexible && (is_return || chance(25));
	char key[40], object[40], base[80], place[8 * TEXT], part[TEXT];
	unsigned v = vars++;

	put(key, sizeof(key), "f%u.%u.%s", no, leaf, is_return ? "r" : "p");
	put(object, sizeof(object), "g%u[%u]", no, at);
	put(base, sizeof(base), is_return ? "%s->" : at ? PICK(second) : PICK(first), how);
	if (!is_return && !at && !structs[no].flexible && !(own_types && l->behind) && chance(30)) {
		static const char *const copies[] = { "this->copy%u.", "self->copy%u.",
						      "copy%u[1]." };

		put(base, sizeof(base), PICK(copies), no);
	}
	if (l->inner && chance(40)) {
		put(part, sizeof(part), "%.*s", (int)l->inner, l->text);
		put(place, sizeof(place), "%s", spelled(base, part + 1));
		d("\tthis->part%u = %s;\n", v, place);
		put(base, sizeof(base), "this->part%u", v);
		put(place, sizeof(place), "%s", spelled(base, l->text + l->inner));
	} else {
		put(place, sizeof(place), "%s", spelled(base, l->text + 1));
	}
	writable = !l->behind && !structs[no].flexible && !strstr(place, "(*(") &&
		   (copied || strstr(base, "copy") || !strncmp(base, "this->part", 10));
	show(l, key, object, place);
	if (!l->bits && chance(15) && strncmp(base, "this->", 6) && strncmp(base, "self->", 6) &&
	    strncmp(base, "copy", 4)) {
		d("\tprintf(\"%s.at %%d\\n\", (long)&%s - (long)%s);\n", key, place, how);
		c("\tprintf(\"%s.at %%ld\\n\", (long)&%s%s - (long)&g%u[%d]);\n", key, object,
		  l->text, no, is_return && !structs[no].flexible);
	}
}

/* The object's address, when the types are D's own: of user memory, or of a copy in scratch memory
 * (true). */
static bool own_pointer(const struct type *t, const char *p)
{
	/* 1: the type, 2: the size, 3: the variable */
	static const char *const from[] = {
		"\t%3$s = (userland %1$s *)arg0;\n",
		"\t%3$s = (%1$s *)copyin(arg0, %2$s);\n",
		"\t%3$s = (%1$s *)alloca(%2$s);\n\tcopyinto(arg0, %2$s, %3$s);\n",
		"\t%3$s = (%1$s *)alloca(%2$s);\n\tbcopy(copyin(arg0, %2$s), %3$s, %2$s);\n",
	};
	unsigned way = rnd(COUNT(from));
	char size[80];

	put(size, sizeof(size), "2 * sizeof(%s) + 64", t->name);
	d(from[way], t->name, size, p);
	return way;
}

/* Members in a line of their own in what print() shows. */
static void printed(unsigned no, const char *pointer)
{
	const struct type *t = &structs[no];

	for (unsigned i = 0; i < t->nleaves; i++) {
		const struct leaf *l = &t->leaves[i];
		const char *sign = l->is_unsigned ? "u" : "d",
			   *type = l->is_unsigned ? "unsigned" : "signed";

		if (l->class != INT || l->behind || strpbrk(l->text + 1, ".[") ||
		    !strncmp(l->plain, "enum", 4) || !strcmp(l->plain, "char"))
			continue;
		c("\tif (g%u[0]%s)\n\t\tprintf(\"print%u%s %%ll%s\\n\", (%s long long)g%u[0]%s);\n",
		  no, l->text, no, l->text, sign, type, no, l->text);
	}
	if (t->nleaves)
		d("\tprintf(\"print %u\\n\");\n\tprint(%s);\n\tprintf(\"print\\n\");\n", no,
		  pointer);
}

static void one_function(unsigned no)
{
	const struct type *t = &structs[no];
	const char *how[] = { "p", "args[0]", "args.p" };
	bool copied = false;
	char way[80], p[16];

	put(way, sizeof(way), "((userland %s *)arg1)", t->name);
	c("static void call%u(void)\n{\n", no);
	d("uprobe:P:f%u:entry\n{\n", no);
	if (own_types) {
		put(p, sizeof(p), "this->p%u", no);
		how[0] = how[1] = how[2] = p;
		copied = own_pointer(t, p);
	}
	d("\tthis->i0 = 0;\n\tthis->i1 = 1;\n\tthis->i2 = 2;\n\tthis->i3 = 3;\n");
	if (!t->flexible)
		d("\tthis->copy%u = *%s;\n\tself->copy%u = *%s;\n\tcopy%u[1] = *%s;\n", no, *how,
		  no, *how, no, *how);
	for (unsigned i = 0; i < SHOWN && t->nleaves; i++) {
		const struct leaf *l = &t->leaves[rnd(t->nleaves)];
		const char *name = PICK(how);

		if (!own_types || !l->behind || !copied)
			look(no, l, i, name, false, copied);
	}
	printed(no, *how);
	if (t->nleaves) {
		d("\tprintf(\"f%u.size %%d\\n\", sizeof(%s));\n", no,
		  chance(50) || own_types ? t->name : "*p");
		c("\tprintf(\"f%u.size %%d\\n\", (int)sizeof(%s));\n", no, t->name);
	}
	d("\tself->copy%u = 0;\n}\nuprobe:P:f%u:return\n{\n", no, no);
	d("\tthis->i0 = 0;\n\tthis->i1 = 1;\n\tthis->i2 = 2;\n\tthis->i3 = 3;\n");
	for (unsigned i = 0; i < 3 && t->nleaves; i++)
		look(no, &t->leaves[rnd(t->nleaves)], i, own_types ? way : "retval", true, false);
	d("\tprintf(\"f%u.end 1\\n\");\n}\n", no);
	c("\tprintf(\"f%u.end 1\\n\");\n\tf%u(g%u);\n}\n\n", no, no, no);
}

static void fill(unsigned no)
{
	char object[24];

	/* A page that was never touched cannot be read. */
	c("static void fill%u(void)\n{\n\tfor (unsigned i = 0; i < sizeof(room%u); i++)\n"
	  "\t\t((volatile char *)room%u)[i] = 0;\n",
	  no, no, no);
	for (unsigned at = 0; at < 2u - structs[no].flexible; at++) {
		put(object, sizeof(object), "g%u[%u]", no, at);
		for (unsigned i = 0; i < structs[no].nleaves; i++)
			if (structs[no].leaves[i].set)
				set(&structs[no].leaves[i], object);
	}
	c("}\n");
}

int main(int argc, char **argv)
{
	if (argc < 3 || argc > 4)
		return 2;
	want_d = !strcmp(argv[1], "-d");
	own_types = argc == 4 && !strcmp(argv[3], "own");
	want_header = !strcmp(argv[1], "-h");
	state = strtoull(argv[2], NULL, 0);
	tame = state & 1;
	h("enum small { S0, S1 = 200 };\nenum sign { N1 = -1, N2 = 5 };\n");
	if (!tame)
		h("enum wide { W1 = 1ull << 40, W2 = 1 };\nenum deep { D1 = -(1ll << 40), D2 = 1 "
		  "};\n");
	h("typedef volatile unsigned short odd_t;\ntypedef const odd_t odder_t;\ntypedef enum sign "
	  "sign_t;\n"
	  "typedef _Bool yes_t;\nstruct not_known;\n");
	for (unsigned i = 0; i < STRUCTS; i++)
		one_struct(i);
	if (want_header)
		return 0;
	c("#include <stdio.h>\n#include <string.h>\n#include \"%s.h\"\n"
	  "#define SET(type, place, value) do { type set_ = (type)(value); memcpy((void "
	  "*)&(place), &set_, sizeof(set_)); } while (0)\n"
	  "static unsigned long numbers[4] = { 0x%llx, 0x%llx, 0x%llx };\nstatic char words[] = "
	  "\"some words\";\n"
	  "static int function(long a, void *b) { return 0; }\n",
	  argv[2], (unsigned long long)next(), (unsigned long long)next(),
	  (unsigned long long)next());
	for (unsigned i = 0; i < STRUCTS; i++)
		c("static char room%u[2 * sizeof(%s) + 64] __attribute__((aligned(64)));\n#define "
		  "g%u ((%s *)room%u)\n"
		  "__attribute__((noinline)) %s *f%u(%s *p) { __asm__ volatile(\"\" : : \"r\"(p) : "
		  "\"memory\"); return p + %d; }\n",
		  i, structs[i].name, i, structs[i].name, i, structs[i].name, i, structs[i].name,
		  !structs[i].flexible);
	for (unsigned i = 0; i < STRUCTS; i++)
		fill(i);
	for (unsigned i = 0; i < STRUCTS; i++)
		one_function(i);
	c("int main(int n, char **args)\n{\n\tfreopen(args[1], \"w\", stdout);\n");
	for (unsigned i = 0; i < STRUCTS; i++)
		c("\tfill%u();\n", i);
	for (unsigned i = 0; i < STRUCTS; i++)
		c("\tcall%u();\n", i);
	c("\treturn 0;\n}\n");
	return 0;
}
