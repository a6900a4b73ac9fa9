/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probe.c - random C programs with functions and USDT probes, and D programs that use the arguments
 * and results of these in random ways (uses.h): tests/gen/probes compares what both say. The same
 * as a kernel module, with tracepoints in place of USDT probes: tests/gen/module.
 *
 * usage: probe -c SEED     the C program; it writes what dtx must print to the file of its argument
 *        probe -d SEED     the D program, P standing for the path of the other
 *        probe -n SEED     the same for a kernel without types of modules: what functions get and
 *                          return are numbers, which the program casts
 *        probe -m SEED     the module dtx_gen: /proc/dtx_gen makes the calls when it is written
 *                          to, and gives what dtx must print
 *        probe -t SEED     its tracepoints, dtx_gen.h
 *
 * Arguments are what programs pass: parameters, members, elements, globals, constants, sums and
 * casts, of all types of integers; functions get them and return them cut from wider ones, which
 * leaves the rest in the register. The expressions are in both programs, in C with the argument
 * itself. Lines have no order; the first number is that of a use.
 */
#include <stdlib.h>

#include "uses.h"

#define PROBES  8
#define ARGS    10
#define NAMED   8        /* of a function: dtx has ten, two are in front */
#define TURNS   3
#define USED    4

static const struct type { const char *name; enum kind kind; bool narrow; } types[] = {
	{ "char", S32, true }, { "signed char", S32, true }, { "unsigned char", U16, true },
	{ "short", S32, true }, { "unsigned short", U16, true }, { "_Bool", U16, true },
	{ "int", S32, false }, { "unsigned", U32, false }, { "int", S32, false },
	{ "unsigned", U32, false }, { "long", S64, false }, { "unsigned long", U64, false },
	{ "long long", S64, false },
};

static const struct type *const int_type = &types[6], *const long_type = &types[10];

struct arg { char text[64], name[40]; const struct type *type; };

static unsigned nuses = 1; /* 0 is for what has to be in each program */
static bool want_module, want_events, want_numbers;

/* ---- arguments ------------------------------------------------------------------------------- */

static uint64_t number(void)
{
	static const uint64_t edges[] = {
		0, 1, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 0x7fffffff, 0x80000000,
		0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000, ~0ull, -2ull,
		-128ull, -129ull, -32768ull, -32769ull, -0x80000000ull,
	};

	return chance(60) ? PICK(edges) : next() >> rnd(64);
}

static struct consts consts_random(void)
{
	uint64_t v = number();
	struct consts c = { (int)v, (long)v, (unsigned)v, v };

	return c;
}

/* A cast of what is passed: char as the compiler has it. A use's (char) is D's, with a sign. */
static const char *cast(const struct type *type)
{
	return strcmp(type->name, "char") ? type->name : "plain";
}

/* What is passed for parameter a<no> of its type. */
static struct arg arg_of(unsigned probe, unsigned no, const struct type *type)
{
	struct arg a = { .type = type };
	unsigned way = rnd(12);

	if (way < 5)
		put(a.text, sizeof(a.text), "a%u", no);
	else if (way == 5)
		put(a.text, sizeof(a.text), "g%u_%u", probe, no);
	else if (way == 6)
		put(a.text, sizeof(a.text), "t%u_%u[n & 1]", probe, no);
	else if (way == 7)
		put(a.text, sizeof(a.text), "s->m%u", no);
	else if (way == 8)
		put(a.text, sizeof(a.text), "(%s)(a%u ^ n)", cast(type), no);
	else if (way == 9)
		put(a.text, sizeof(a.text), "(%s)%uU", cast(type), (unsigned)number());
	else if (way == 10) {
		put(a.text, sizeof(a.text), "(a%u < 7)", no);
		a.type = int_type;
	} else {
		put(a.text, sizeof(a.text), "(a%u + 1L)", no);
		a.type = type->kind == U64 ? type : long_type;
	}
	return a;
}

/* ---- uses ------------------------------------------------------------------------------------ */

static bool fits(unsigned use, const struct arg *v, const struct arg *w, const struct consts *c)
{
	bool narrow = v->type->narrow || w->type->narrow;

	/* Types below int: D has no promotion to it. */
	if (narrow && (use_has(use, 'w') || strstr(use_texts[use], "v >> ")))
		return false;
	return use_fits(use, v->type->kind, w->type->kind, c);
}

static void c_use(unsigned how, unsigned no, const char *e)
{
	static const char *const said[] = {
		"SAY(%u, 'd', %s)", "SAY(%u, 'x', %s)", "SAY(%u, 'd', (long long)(%s))",
		"fprintf(truth, \"%u %%s\\n\", (%s) ? \"yes\" : \"no\")", "SAY(%u, 'd', %s)",
		"SUM(%u, %s)", "MAX(%u, %s)", "COUNT(%u, %s)",
	};
	char line[700];

	put(line, sizeof(line), said[how], no, e);
	c("\t%s;\n", line);
}

static void d_use(unsigned how, unsigned no, const char *e)
{
	static const char *const said[] = {
		"printf(\"%1$u %%d\\n\", %2$s)", "printf(\"%1$u %%x\\n\", %2$s)",
		"printf(\"%1$u %%s\\n\", lltostr(%2$s))",
		"printf(\"%1$u %%s\\n\", (%2$s) ? \"yes\" : \"no\")",
		"this->t%1$u = %2$s; printf(\"%1$u %%d\\n\", this->t%1$u)",
		"@sum[%1$u] = sum(%2$s)", "@max[%1$u] = max(%2$s)", "@c%1$u[%2$s] = count()",
	};
	char line[700];

	put(line, sizeof(line), said[how], no, e);
	d("\t%s;\n", line);
}

/* The kernel's char has no sign from 6.2 on, D's has one. */
static const char *signed_char(const char *e)
{
	static char text[1024];
	size_t n = 0;

	for (; *e && n < sizeof(text) - 16; e++) {
		if (!strncmp(e, "(char)", 6)) {
			n += put(text + n, sizeof(text) - n, "(signed char)");
			e += 5;
		} else {
			text[n++] = *e;
		}
	}
	text[n] = 0;
	return text;
}

static bool counted[3 * PROBES * ARGS * USED];

static void one_use(const struct arg *args, unsigned n, unsigned i)
{
	unsigned use, how = rnd(8), w = rnd(n);
	struct consts consts;
	char e[512];

	do {
		use = chance(25) ? 0 : rnd(COUNT(use_texts));
		consts = consts_random();
	} while (!fits(use, &args[i], &args[w], &consts));
	counted[nuses] = how == 7;
	use_text(use, args[i].text, args[w].text, &consts, e, sizeof(e));
	c_use(how, nuses, want_module ? signed_char(e) : e);
	use_text(use, args[i].name, args[w].name, &consts, e, sizeof(e));
	d_use(how, nuses, e);
	nuses++;
}

/* ---- programs -------------------------------------------------------------------------------- */

static void uses_of(const struct arg *args, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < 1 + rnd(USED); j++)
			one_use(args, n, i);
}

/* What a function has of its own: variables that the probe passes. */
static void variables(unsigned no, unsigned n, const struct type **params)
{
	for (unsigned i = 0; i < n; i++) {
		c("static volatile %s g%u_%u = (%s)0x%llxull;\n", params[i]->name, no, i,
		  params[i]->name, (unsigned long long)number());
		c("static volatile %s t%u_%u[] = { 1, (%s)0x%llxull };\n", params[i]->name, no, i,
		  params[i]->name, (unsigned long long)number());
	}
	c("struct s%u {", no);
	for (unsigned i = 0; i < n; i++)
		c(" %s m%u;", params[i]->name, i);
	c(" };\n");
}

/* arg0 .. of a function, as its type is written in D. */
static void as_number(struct arg *a, unsigned no)
{
	put(a->name, sizeof(a->name), "((%s)arg%u)",
	    !strcmp(a->type->name, "_Bool") ? "unsigned char" : a->type->name, no);
}

static void entry_uses(unsigned no, unsigned n, const struct type **params)
{
	static const char *const spellings[] = { "a%1$u", "args.a%1$u", "args[%2$u]" };
	struct arg args[ARGS];

	for (unsigned i = 0; i < n; i++) {
		args[i].type = params[i];
		put(args[i].text, sizeof(args[i].text), "a%u", i);
		put(args[i].name, sizeof(args[i].name), spellings[rnd(3)], i, i + 2);
		if (want_numbers)
			as_number(&args[i], i + 2);
	}
	d("uprobe:P:f%u:entry\n{\n", no);
	uses_of(args, n < NAMED ? n : NAMED);
	d("}\n");
}

/* The tracepoint that has the probe's arguments as fields, of their types. */
static void event(unsigned no, unsigned n, const struct arg *args)
{
	printf("TRACE_EVENT(p%u, TP_PROTO(", no);
	for (unsigned i = 0; i < n; i++)
		printf("%s%s v%u", i ? ", " : "", args[i].type->name, i);
	printf("), TP_ARGS(v0");
	for (unsigned i = 1; i < n; i++)
		printf(", v%u", i);
	printf("),\n\tTP_STRUCT__entry(");
	for (unsigned i = 0; i < n; i++)
		printf(" __field(%s, v%u)", args[i].type->name, i);
	printf(" ),\n\tTP_fast_assign(");
	for (unsigned i = 0; i < n; i++)
		printf(" __entry->v%u = v%u;", i, i);
	printf(" ),\n\tTP_printk(\"%%d\", (int)__entry->v0));\n");
}

static void usdt_uses(unsigned no, unsigned n, const struct type **params)
{
	struct arg args[ARGS];

	if (want_module)
		c("\ttrace_p%u(", no);
	else
		c("\tSTAP_PROBE%u(gen, p%u, ", n, no);
	for (unsigned i = 0; i < n; i++) {
		args[i] = arg_of(no, i, params[i]);
		put(args[i].name, sizeof(args[i].name), "args[%u]", i);
		c("%s%s", i ? ", " : "", args[i].text);
	}
	c(");\n");
	if (want_events)
		event(no, n, args);
	d("usdt:P:gen:p%u\n{\n", no);
	uses_of(args, n);
	d("}\n");
}

static void return_uses(unsigned no, const struct type *type)
{
	struct arg result = { "r", "retval", type };

	if (chance(50))
		strcpy(result.name, "args[1]");
	if (want_numbers)
		as_number(&result, 1);
	c("static void got%u(%s r)\n{\n", no, type->name);
	d("uprobe:P:f%u:return\n{\n", no);
	uses_of(&result, 1);
	d("}\n");
	c("}\n");
}

static void the_calls(unsigned no, unsigned n, const struct type **params)
{
	c("static void call%u(void)\n{\n\tstatic volatile struct s%u s;\n", no, no);
	for (unsigned turn = 0; turn < TURNS; turn++) {
		for (unsigned i = 0; i < n; i++) {
			c("\ts.m%u = (%s)0x%llxull;\n", i, params[i]->name,
			  (unsigned long long)number());
			c("\twide[%u] = 0x%llxull;\n", i, (unsigned long long)number());
		}
		c("\twide[%u] = 0x%llxull;\n\tgot%u(f%u(%u, &s", ARGS, (unsigned long long)number(),
		  no, no, turn);
		for (unsigned i = 0; i < n; i++)
			c(", (%s)wide[%u]", params[i]->name, i);
		c("));\n");
	}
	c("}\n\n");
}

static void one_probe(unsigned no)
{
	const struct type *params[ARGS], *result = &PICK(types);
	unsigned n = 1 + rnd(ARGS);

	for (unsigned i = 0; i < n; i++)
		params[i] = &PICK(types);
	variables(no, n, params);
	c("OWN %s f%u(int n, volatile struct s%u *s", result->name, no, no);
	for (unsigned i = 0; i < n; i++)
		c(", %s a%u", params[i]->name, i);
	c(")\n{\n");
	usdt_uses(no, n, params);
	entry_uses(no, n, params);
	c("\treturn (%s)wide[%u];\n}\n", result->name, ARGS);
	return_uses(no, result);
	the_calls(no, n, params);
}

static const char program[] =
	"#include <stdint.h>\n#include <stdio.h>\n#include <sys/sdt.h>\n"
	"#ifdef __clang__\n#define OWN  __attribute__((noinline))\n#else\n"
	"#define OWN  __attribute__((noipa))\n#endif\n"
	"static FILE *truth;\n";

static const char module[] =
	"#include <linux/module.h>\n#include <linux/proc_fs.h>\n#include <linux/uaccess.h>\n"
	"#define CREATE_TRACE_POINTS\n#include \"dtx_gen.h\"\n"
	"#define OWN  noinline __attribute__((noipa))\n"
	"static char truth[1 << 16];\nstatic size_t told;\n"
	"#define fprintf(truth, ...)  \\\n"
	"\t(told += scnprintf(truth + told, sizeof(truth) - told, __VA_ARGS__))\n";

static const char events[] =
	"#undef TRACE_SYSTEM\n#define TRACE_SYSTEM dtx_gen\n"
	"#if !defined(DTX_GEN_H) || defined(TRACE_HEADER_MULTI_READ)\n#define DTX_GEN_H\n"
	"#include <linux/tracepoint.h>\n";

static const char events_end[] =
	"#endif\n#undef TRACE_INCLUDE_PATH\n#define TRACE_INCLUDE_PATH .\n"
	"#undef TRACE_INCLUDE_FILE\n#define TRACE_INCLUDE_FILE dtx_gen\n"
	"#include <trace/define_trace.h>\n";

static const char head[] =
	"typedef char plain;\n"
	"static volatile unsigned long wide[11];\n"
	"static long long sums[2000][2], maxima[2000], seen[2000];\n"
	"#define SAY(no, letter, e)  say(no, letter, (uint64_t)(e), sizeof(e), "
	"(__typeof__(e))-1 < 1)\n"
	"#define DIGITS 1000000000ll\n"
	"#define SUM(no, e)  (seen[no] = 1, sums[no][0] += (long long)(e) / DIGITS, "
	"sums[no][1] += (long long)(e) % DIGITS)\n"
	"#define MAX(no, e)  (maxima[no] = seen[no] != 2 || (long long)(e) > maxima[no] ? "
	"(long long)(e) : maxima[no], seen[no] = 2)\n"
	"#define COUNT(no, e)  fprintf(truth, (__typeof__(e))-1 < 1 ? \"%u %lld +1\\n\" : "
	"\"%u %llu +1\\n\", no, (long long)(e))\n"
	"static void say(unsigned no, char letter, uint64_t v, unsigned bytes, int is_signed)\n"
	"{\n\tunsigned up = 64 - 8 * bytes;\n\n"
	"\tif (letter == 'd' && is_signed)\n"
	"\t\tfprintf(truth, \"%u %lld\\n\", no, (long long)(v << up) >> up);\n"
	"\telse\n"
	"\t\tfprintf(truth, letter == 'd' ? \"%u %llu\\n\" : \"%u %llx\\n\", no, "
	"(unsigned long long)(v << up >> up));\n}\n"
	/* A module has no division of 128 bits: a sum is a number of thousands of millions and the
	 * rest, of one sign in the end. */
	"static void say_sum(unsigned no)\n"
	"{\n\tlong long high = sums[no][0] + sums[no][1] / DIGITS, low = sums[no][1] % DIGITS;\n\n"
	"\tif (high && low && (high < 0) != (low < 0)) {\n"
	"\t\tlow += high < 0 ? -DIGITS : DIGITS;\n\t\thigh += high < 0 ? 1 : -1;\n\t}\n"
	"\tif (high)\n"
	"\t\tfprintf(truth, \"%u %lld%09lld\\n\", no, high, low < 0 ? -low : low);\n"
	"\telse\n\t\tfprintf(truth, \"%u %lld\\n\", no, low);\n}\n";

static const char module_end[] =
	"static ssize_t wrote(struct file *f, const char __user *from, size_t n, loff_t *at)\n"
	"{\n\tall();\n\treturn n;\n}\n"
	"static ssize_t reads(struct file *f, char __user *to, size_t n, loff_t *at)\n"
	"{\n\treturn simple_read_from_buffer(to, n, at, truth, told);\n}\n"
	"static const struct proc_ops ops = { .proc_write = wrote, .proc_read = reads };\n"
	"static int __init begin(void)\n"
	"{\n\treturn proc_create(\"dtx_gen\", 0600, NULL, &ops) ? 0 : -ENOMEM;\n}\n"
	"static void __exit end(void)\n{\n\tremove_proc_entry(\"dtx_gen\", NULL);\n}\n"
	"module_init(begin);\nmodule_exit(end);\nMODULE_LICENSE(\"GPL\");\n";

/* What makes all calls, and tells what is summed up. */
static void all_calls(void)
{
	c("static void all(void)\n{\n\tunsigned i;\n\n");
	for (unsigned i = 0; i < PROBES; i++)
		c("\tcall%u();\n", i);
	c("\tfor (i = 0; i < %u; i++)\n\t\tif (seen[i] == 1)\n\t\t\tsay_sum(i);\n"
	  "\t\telse if (seen[i])\n\t\t\tfprintf(truth, \"%%u %%lld\\n\", i, maxima[i]);\n}\n",
	  nuses);
}

static void the_end(void)
{
	if (want_module)
		c("%s", module_end);
	else
		c("int main(int n, char **args)\n{\n\ttruth = fopen(args[1], \"w\");\n\tall();\n"
		  "\treturn fclose(truth);\n}\n");
	d("BEGIN { @sum[0] = sum(0); @max[0] = max(0); }\n");
	d("END\n{\n\tprinta(\"%%d %%@d\\n\", @sum);\n\tprinta(\"%%d %%@d\\n\", @max);\n");
	for (unsigned i = 0; i < nuses; i++)
		if (counted[i])
			d("\tprinta(\"%u %%d %%@d\\n\", @c%u);\n", i, i);
	d("}\n");
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	want_events = !strcmp(argv[1], "-t");
	want_module = !strcmp(argv[1], "-m");
	/* The tracepoints are printed beside the two programs, of which neither is wanted then. */
	want_numbers = !strcmp(argv[1], "-n");
	want_d = want_numbers || !strcmp(argv[1], "-d");
	want_c = !want_d && !want_events;
	state = strtoull(argv[2], NULL, 0);
	c("%s%s", want_module ? module : program, head);
	if (want_events)
		printf("%s", events);
	for (unsigned i = 0; i < PROBES; i++)
		one_probe(i);
	all_calls();
	the_end();
	if (want_events)
		printf("%s", events_end);
	return 0;
}
