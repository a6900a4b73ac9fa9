/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shows.c - random programs that set variables and show them, and what each must print.
 *
 * usage: shows SEED           the D program on standard output, what it prints on standard error;
 * PTR is an address
 *
 * Everything is done in the clauses of BEGIN: numbers, strings and structs are kept in variables of
 * every scope and in associative arrays, deleted, and shown by trace(), printf(), tracemem() and
 * print(), at once or in speculations.  A clause whose predicate is false is made as the others
 * are, and what it did is forgotten. The answers are computed here from the
 * DTrace guide: "Variables", "Output Formatting", "Actions and Subroutines".
 */
#include <sched.h>
#include <stdarg.h>

#include "values.h"

#define SPECS  3

/* What the clause shows. */
static struct { unsigned written; bool recorded; char text[1 << 16]; } out;
static struct { char text[1 << 15]; unsigned written; bool closed; } specs[SPECS];
static bool quiet;

/* A fault in what is executed: what is behind it in the clause is not, nor is what the clause
 * showed. */
static struct { bool never, live, happened; unsigned count; struct model m; } fault;
static unsigned cpu;

static void __attribute__((format(printf, 1, 2))) show(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	out.written +=
		vsnprintf(out.text + out.written, sizeof(out.text) - out.written, format, ap);
	va_end(ap);
	out.recorded = true;
}

static void show_bytes(const char *s, unsigned n)
{
	memcpy(out.text + out.written, s, n);
	out.written += n;
	out.recorded = true;
}

/* ---- statements that change ------------------------------------------------------------------ */

/* A variable that is not declared: never a value of a type wider than it is meant to have. */
static void assign_loose(const struct place *p)
{
	const struct type *as, *t = p->l.type;

	do as = &PICK(types);
	while (as->bytes > t->bytes || (as->bytes == 8 && as->is_signed != t->is_signed));
	printf("\t%s = (%s)(", p->name, as->name);
	bits_store(p->at, &p->l, narrow(number_value(2).v, as));
	fputs(");\n", stdout);
}

static void assign(void)
{
	static const char *const ops[] = { "=", "=", "=", "+=", "-=", "|=", "&=", "^=" };
	struct place p = place(NUMBER, true);
	unsigned k = rnd(COUNT(ops));
	uint64_t v, old;

	if (p.loose) {
		assign_loose(&p);
		return;
	}
	printf("\t%s %s ", p.name, ops[k]);
	old = load(&p);
	v = number_value(2).v;
	bits_store(p.at, &p.l,
		   k < 3    ? v
		   : k == 3 ? old + v
		   : k == 4 ? old - v
		   : k == 5 ? old | v
		   : k == 6 ? old & v
			    : old ^ v);
	fputs(";\n", stdout);
}

static void assign_text(void)
{
	struct place p = place(TEXT, true);
	char s[STRING_ROOM];

	printf("\t%s = ", p.name);
	text_value(s, 2, NULL);
	strcpy((char *)p.at, s);
	if (p.set)
		*p.set = true;
	fputs(";\n", stdout);
}

/* A struct, or where they have some, one that is a member of it. */
static void assign_struct(void)
{
	struct place to = place(STRUCT, true), from = place(STRUCT, false);
	const struct member *a = &outer.m[rnd(outer.n)], *b = &outer.m[rnd(outer.n)];
	uint8_t copy[STRUCT_ROOM];

	if (a->in && b->in) {
		memcpy(copy, from.at + b->bit / 8, inner.size);
		memcpy(to.at + a->bit / 8, copy, inner.size);
		printf("\t%s.%s%s = %s.%s%s;\n", to.name, a->name, a->count ? "[0]" : "", from.name,
		       b->name, b->count ? "[0]" : "");
		return;
	}
	memcpy(copy, from.at, sizeof(copy));
	memcpy(to.at, copy, sizeof(copy));
	printf("\t%s = %s;\n", to.name, from.name);
}

/* By 0: an element of any sort, or a thread's variable. */
static void assign_null(void)
{
	struct place p = place(TEXT, true);

	if (!p.set) {
		puts("\t;");
		return;
	}
	printf("\t%s = %s;\n", p.name, chance(50) ? "NULL" : "0");
	memset(p.at, 0, STRING_ROOM);
	*p.set = false;
}

static void delete(void)
{
	const struct array *a = &arrays[rnd(ARRAYS)];
	struct place p = place_element(a, true);
	unsigned i = 1 + 3 * rnd(2);

	if (chance(30)) {
		printf("\tself->s%u = 0;\n", i);
		memset(m.strings[i], 0, STRING_ROOM);
		m.set[i] = false;
	} else if (chance(20)) {
		puts("\tself->su = 0;");
		memset(m.structs[1], 0, STRUCT_ROOM);
	} else {
		printf("\t%s = 0;\n", p.name);
		memset(p.at, 0, STRING_ROOM);
		*p.set = false;
	}
}

static void change(void)
{
	unsigned k = rnd(10);

	k < 5        ? assign()
	: k < 8      ? assign_text()
	: k < 9      ? assign_struct()
	: chance(30) ? assign_null()
		     : delete ();
}

/* ---- statements that show -------------------------------------------------------------------- */

static void show_dump(const uint8_t *p, unsigned n)
{
	if (n)
		show("\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  "
		     "0123456789abcdef\n");
	for (unsigned at = 0; at < n; at += 16) {
		show("     %5x:", at);
		for (unsigned i = at; i < at + 16; i++)
			i < n ? show(" %02x", p[i]) : show("   ");
		show("  ");
		for (unsigned i = at; i < at + 16 && i < n; i++)
			show("%c", p[i] >= 0x20 && p[i] < 0x7f ? p[i] : '.');
		show("\n");
	}
}

static void trace_number(void)
{
	static const int widths[9] = { [1] = 3, [2] = 5, [4] = 10, [8] = 19 };
	struct number n;
	int w;

	n = number_value(2);
	w = quiet ? 0 : widths[n.type->bytes] + (n.type->bytes == 8 && !n.type->is_signed);
	show(quiet ? "" : " ");
	if (n.type->is_signed)
		show("%*lld", w, (long long)narrow(n.v, n.type));
	else
		show("%*llu", w, (unsigned long long)narrow(n.v, n.type));
}

static void fault_here(void)
{
	if (fault.live && !fault.happened) {
		fault.happened = true;
		fault.count++;
		fault.m = m;
	}
}

/* What has no text cannot be shown. */
static void shown_text(char *s)
{
	bool none = false;

	text_value(s, 2, fault.never ? NULL : &none);
	if (none)
		fault_here();
}

static void trace(void)
{
	unsigned k = rnd(8);
	char s[STRING_ROOM];
	struct place p;

	fputs("\ttrace(", stdout);
	if (k < 4) {
		trace_number();
	} else if (k < 7) {
		shown_text(s);
		show(quiet ? "%s" : "  %-33s", s);
	} else {
		const struct member *a = array_random(&outer);

		p = place(STRUCT, false);
		fputs(p.name, stdout);
		if (a)
			printf(".%s", a->name);
		if (a && a->bits == 8) {         /* characters are a string */
			snprintf(s, sizeof(s), "%.*s",
				 (int)(a->count < strsize ? a->count : strsize),
				 (char *)p.at + a->bit / 8);
			show(quiet ? "%s" : "  %-33s", s);
		} else {
			show_dump(p.at + (a ? a->bit / 8 : 0),
				  a ? a->count * a->bits / 8 : outer.size);
		}
	}
	fputs(");\n", stdout);
}

static void tracemem(void)
{
	unsigned n = 1 + rnd(40);
	uint8_t bytes[64];
	struct number most = { 0 };

	printf("\tthis->mem = (char *)alloca(%u);\n", n);
	for (unsigned i = 0; i < n; i++) {
		bytes[i] = chance(50) ? 0x20 + rnd(96) : rnd(256);
		printf("%sthis->mem[%u] = %u;%s", i % 8 ? " " : "\t", i, bytes[i],
		       i % 8 == 7 || i + 1 == n ? "\n" : "");
	}
	printf("\ttracemem(this->mem, %u", n);
	if (chance(60)) {
		fputs(", ", stdout);
		if (chance(60))
			most = number_of(type_of("int"), rnd(50)),
			printf("%llu", (unsigned long long)most.v);
		else
			most = number_value(1);
		most.v = narrow(most.v, most.type);
		if (most.v < n && !(most.type->is_signed && (int64_t)most.v < 0))
			n = most.v;
	}
	out.recorded = true;
	show_dump(bytes, n);
	fputs(");\n", stdout);
}

/* An object in scratch memory, each member set; all of it, or one of its members. */
static void print(void)
{
	uint8_t bytes[STRUCT_ROOM] = { 0 };
	const struct member *one = chance(30) ? &outer.m[rnd(outer.n)] : NULL;
	char text[1 << 14] = "";
	FILE *to = fmemopen(text, sizeof(text), "w");

	puts("\tthis->obj = (struct outer *)alloca(sizeof(struct outer));\n\t*this->obj = zero;");
	object_fill(&outer, "this->obj->", bytes, 0);
	fprintf(to, "PTR = *\n%*s", INDENT, "");
	if (one && one->bits % 8 == 0 && one->bit % 8 == 0 && !one->field) {
		printf("\tprint(&this->obj->%s);\n", one->name);
		if (one->count)
			array_print(to, one, bytes, one->bit, 0);
		else
			element_print(to, one, bytes, one->bit, 0);
	} else {
		puts("\tprint(this->obj);");
		object_print(to, &outer, bytes, 0, 0);
		fputc('\n', to);
	}
	fclose(to);
	show("%s", text);
}

#include "formats.h"

/* ---- clauses --------------------------------------------------------------------------------- */

static void columns(void)
{
	out.recorded = true;
	if (!quiet)
		show("%3d %6d %32s ", cpu, 1, ":BEGIN");
}

/* What the clause showed goes out, or into a speculation. */
static void clause_end(int spec)
{
	if (out.recorded && !quiet)
		show("\n");
	if (out.recorded && spec < 0) {
		fwrite(out.text, 1, out.written, stderr);
	} else if (out.recorded && !specs[spec].closed) {
		memcpy(specs[spec].text + specs[spec].written, out.text, out.written);
		specs[spec].written += out.written;
	}
}

static void statements(unsigned n, bool shows, unsigned depth);

static void make_fault(bool shows)
{
	static const char *const texts[] = { "v0 = 7 / nought", "v0 = *(int *)nought",
					     "v0 = strlen(self->unset)",
					     "self->v1 = (short)(5 / (unsigned char)nought)",
					     "trace(v0 % nought)" };

	printf("\t%s;\n", texts[rnd(COUNT(texts) - !shows)]);
	fault_here();
}

/* What the branch that is not taken did is forgotten. */
static void branch(bool taken, bool shows, unsigned depth)
{
	struct model *before = malloc(sizeof(m));
	unsigned written = out.written;
	bool live = fault.live;

	*before = m;
	fault.live &= taken;
	puts("{");
	statements(1 + rnd(2), shows, depth + 1);
	fputs("\t}", stdout);
	if (!taken) {
		m = *before;
		out.written = written;
	}
	free(before);
	fault.live = live;
}

static void statements(unsigned n, bool shows, unsigned depth)
{
	while (n--)
		if (depth < 2 && chance(10)) {
			bool taken;

			fputs("\tif (", stdout);
			taken = number_value(1).v;
			fputs(") ", stdout);
			branch(taken, shows, depth);
			if (chance(50)) {
				fputs(" else ", stdout);
				branch(!taken, shows, depth);
			}
			fputs("\n", stdout);
		} else if (chance(2) && !fault.never) {
			make_fault(shows);
		} else if (shows && chance(60)) {
			display();
		} else {
			change();
		}
}

static void clause(void)
{
	static struct model before;
	bool runs = true, shows = chance(80);
	int spec = chance(25) ? (int)rnd(SPECS) : -1;
	unsigned k = rnd(3);

	out.written = out.recorded = 0;
	fputs("BEGIN\n", stdout);
	if (chance(25)) {
		putchar('/');
		runs = number_value(2).v;
		fputs("/\n", stdout);
	}
	before = m;
	fputs("{\n", stdout);
	if (spec >= 0 && k == 0) {
		bool commits = chance(60);

		printf("\t%s(spec%d);\n", commits ? "commit" : "discard", spec);
		if (runs && !specs[spec].closed) {
			if (commits)
				fwrite(specs[spec].text, 1, specs[spec].written, stderr);
			specs[spec].closed = true;
		}
		shows = false;
	} else if (spec >= 0) {
		printf("\tspeculate(spec%d);\n", spec);
		runs &= !specs[spec].closed;     /* nothing behind it is done then */
	}
	if (shows)
		columns();
	out.recorded = shows;
	fault.never = spec >= 0 && k == 0; /* whether a fault undoes commit(), no source says */
	fault.live = runs;
	fault.happened = false;
	statements(1 + rnd(6), shows, 0);
	if (shows)
		display();
	fputs("}\n", stdout);
	if (fault.happened)
		m = fault.m;
	else if (runs)
		clause_end(spec >= 0 && k ? spec : -1);
	else
		m = before;
}

/* ---- the program ----------------------------------------------------------------------------- */

static void declare_arrays(void)
{
	for (unsigned i = 0; i < ARRAYS; i++) {
		struct array *a = &arrays[i];

		*a = (struct array){ scopes[rnd(2)],
				     chance(50)   ? NUMBER
				     : chance(70) ? TEXT
						  : STRUCT,
				     NULL,
				     1 + rnd(KEYS),
				     { 0 } };
		a->type = a->sort == NUMBER ? &PICK(types) : NULL;
		printf("%s%s a%u[", *a->scope ? "self " : "",
		       a->sort == NUMBER ? a->type->name
		       : a->sort == TEXT ? "string"
					 : "struct outer",
		       i);
		for (unsigned k = 0; k < a->nkeys; k++) {
			a->keys[k] = chance(35) ? NULL : &PICK(types);
			printf("%s%s", k ? ", " : "", a->keys[k] ? a->keys[k]->name : "string");
		}
		puts("];");
	}
}

static void declare(void)
{
	static const char *const words[] = { "", "self ", "this " };

	puts("enum colour { RED, GREEN, BLUE = 3 };");
	object_random(&inner, "inner", NULL);
	object_random(&outer, "outer", &inner);
	for (unsigned i = 0; i < NUMBERS; i++) {
		static const char *const loose[] = { "int", "long", "unsigned long" };

		number_types[i] = i < DECLARED ? &PICK(types) : type_of(loose[rnd(3)]);
		if (i < DECLARED)
			printf("%s%s v%u;\n", words[i % 3], number_types[i]->name, i);
	}
	for (unsigned i = 0; i < VECTORS; i++) {
		vector_types[i] = &PICK(types);
		printf("%s%s w%u[%u];\n", words[i % 3], vector_types[i]->name, i, WIDE);
	}
	for (unsigned i = 0; i < STRINGS; i++) {
		printf("%sstring s%u;\n", words[i % 3], i);
		m.set[i] = i % 3 != 1;           /* those of a thread begin as NULL */
	}
	for (unsigned i = 0; i < COUNT(words); i++)
		printf("%sstruct outer su;\n", words[i]);
	declare_arrays();
	for (unsigned i = 0; i < SPECS; i++)
		printf("int spec%u;\n", i);
	puts("this char *mem; this struct outer *obj; struct outer zero; int64_t nought; self "
	     "string unset; int faults;");
}

/* The first assignment of those that are not declared, and the one that says how wide they are. */
static void loose_numbers(bool first)
{
	for (unsigned i = DECLARED; i < NUMBERS; i++)
		printf("\t%sv%u = (%s)0;\n", scopes[i % COUNT(scopes)], i,
		       first ? "int" : number_types[i]->name);
}

int main(int argc, char **argv)
{
	cpu_set_t set;

	if (argc < 2 || sched_getaffinity(0, sizeof(set), &set))
		return 2;
	state = strtoull(argv[1], NULL, 0);
	do cpu = rnd(CPU_COUNT(&set) * 8);
	while (!CPU_ISSET(cpu, &set));
	printf("/* CPU %u */\n#pragma D option nspec=%d\n#pragma D option scratchsize=2048\n", cpu,
	       SPECS);
	quiet = chance(60);
	if (quiet)
		puts("#pragma D option quiet");
	if (chance(30))
		printf("#pragma D option strsize=%u\n", 1 + (strsize = 1 + rnd(40)));
	declare();
	puts("BEGIN\n{");
	loose_numbers(true);
	for (unsigned i = 0; i < SPECS; i++)
		printf("\tspec%u = speculation();\n", i);
	for (unsigned n = rnd(30); n--;)
		change();
	puts("}");
	if (!quiet)
		fprintf(stderr, "%3s %6s %32s\n", "CPU", "ID", "FUNCTION:NAME");
	for (unsigned n = 3 + rnd(10); n--;)
		clause();
	puts("ERROR\n{\n\tfaults++;\n}\nBEGIN\n{");
	loose_numbers(false);
	puts("\tprintf(\"%d faults\", faults);\n\texit(0);\n}");
	if (!quiet)
		fprintf(stderr, "%3d %6d %32s ", cpu, 1, ":BEGIN");
	fprintf(stderr, quiet ? "%u faults\n" : "%u faults\n\n", fault.count);
	return 0;
}
