/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gen.c - random D programs that are valid: what dtx must accept and the kernel must load.
 *
 * usage: gen [-p PROBE,…] [-s NAME,…] [-m STATEMENTS] SEED     a program for the seed, on standard
 * output gen -f                                the functions it may call, one a line gen -t NAME a
 * program that calls that one
 *
 *   -p  further probes (those of the machine: fbt::vfs_read:entry …)
 *   -s  functions of -f to leave out (those that are not there yet)
 *
 * The same seed gives the same program.  Types are tracked as far as acceptance depends on
 * them: each generator of expressions below has its type in its name.  Variables are declared
 * at the top of every program, so that all of them may be used from the first clause on.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "random.h"
#include "words.h"

#define MIN(a, b)  ((a) < (b) ? (a) : (b))
#define AGGS       12
#define AGG_KEYS   4

enum key { KEY_INT, KEY_LONG, KEY_CHAR, KEY_STRING, KEY_STACK, KEY_USTACK, KEY_SYM, KEY_N };

struct agg {
	const char *func;
	int params;              /* choice of constant parameters, the same in every use */
	enum key keys[AGG_KEYS];
	unsigned nkeys;
	bool used;
};

static struct agg aggs[AGGS];
static const char *skips = "", *more_probes = "";
static bool in_pred;             /* no side effects */
static unsigned nested;                          /* statements are in so many ifs */

/* Is the word in a list with commas? */
static bool listed(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (; *list; list += strcspn(list, ","), list += *list == ',')
		if (!strncmp(list, word, n) && (!list[n] || list[n] == ','))
			return true;
	return false;
}

/*
 * Prints a template: %i integer, %I the same in parentheses, %d a divisor, %s string, %n small
 * number, %w width of a shift, %l place to store an integer, %v integer variable, %p pointer to
 * scratch, %k task pointer, %c condition.  The rest is copied; %% prints a percent sign.
 */
static void put(unsigned depth, const char *template);

/* ---- leaves ---------------------------------------- */

/* Functions: as they are called, and with it what is called.  Those to be left out are in -s. */
static const struct call { const char *name, *template; } int_calls[] = {
	{ "strlen", "strlen(%s)" }, { "index", "index(%s, %s)" }, { "index",
	"index(%s, %s, %n)" }, { "rindex", "rindex(%s, %s)" }, { "rindex", "rindex(%s, %s, %n)" },
	{ "strtoll", "strtoll(%s)" }, { "strtoll", "strtoll(%s, 16)" }, { "htonl", "htonl(%i)" },
	{ "htonll", "htonll(%i)" }, { "htons", "htons(%i)" }, { "ntohl", "ntohl(%i)" },
	{ "ntohll", "ntohll(%i)" }, { "ntohs", "ntohs(%i)" }, { "getmajor", "getmajor(%i)" },
	{ "getminor", "getminor(%i)" }, { "progenyof", "progenyof(%i)" }, { "rand", "rand()" },
	{ "mutex_owned", "mutex_owned((struct mutex *)%i)" }, { "mutex_type_adaptive",
	"mutex_type_adaptive((struct mutex *)%i)" }, { "rw_iswriter",
	"rw_iswriter((rwlock_t *)%i)" }, { "rw_read_held", "rw_read_held((rwlock_t *)%i)" },
};

static const struct call string_calls[] = {
	{ "basename", "basename(%s)" }, { "dirname", "dirname(%s)" }, { "cleanpath",
	"cleanpath(%s)" }, { "strchr", "strchr(%s, (char)%I)" }, { "strrchr",
	"strrchr(%s, 'l')" }, { "strjoin", "strjoin(%s, %s)" }, { "strstr", "strstr(%s, %s)" },
	{ "strtok", "strtok(%s, %s)" }, { "strtok", "strtok(NULL, %s)" }, { "substr",
	"substr(%s, %i)" }, { "substr", "substr(%s, %i, %i)" }, { "lltostr", "lltostr(%i)" },
	{ "lltostr", "lltostr(%i, 16)" }, { "tolower", "tolower(%s)" }, { "toupper",
	"toupper(%s)" }, { "json", "json(%s, %s)" }, { "str", "str(%i)" }, { "copyinstr",
	"copyinstr(%i)" }, { "copyinstr", "copyinstr(%i, %n)" }, { "inet_ntoa",
	"inet_ntoa((uint32_t *)%p)" }, { "inet_ntop", "inet_ntop(2, %p)" }, { "inet_ntoa6",
	"inet_ntoa6((void *)%p)" }, { "link_ntop", "link_ntop(1, %p)" }, { "cwd", "cwd" },
	{ "root", "root" },
};

static bool has(const char *name)
{
	return !listed(skips, name);
}

static const char *literal(void)
{
	return chance(50) ? PICK(literals) : literals[rnd(6)];
}

/* ---- expressions ---------------------------------------- */

static const char *const int_forms[] = {
	"%i + %i", "%i - %I", "%i * %i", "%I / %d", "%I % %d", "%I & %I", "%I | %I", "%I ^ %I",
	"%I << %w", "%I >> %w", "-%I", "~%I", "!%I", "+%I", "%I < %I", "%I <= %I", "%I > %I",
	"%I >= %I", "%I == %I", "%I != %I", "%c && %c", "%c || %c", "%c ^^ %c", "%c ? %i : %i",
	"%s == %s", "%s != %s", "%s < %s", "%s >= %s", "%s == NULL", "(char)%I", "(uint8_t)%I",
	"(short)%I", "(unsigned short)%I", "(int)%I", "(uint32_t)%I", "(int64_t)%I",
	"(uint64_t)%I", "a_is[%i, %s]", "a_s[%s]", "self->t_assoc[%i]",
	"a_mix[(char)%I, %s, (uint64_t)%I]", "g_array[%I & 7]", "*%p", "%p[%n]", "(int64_t)%k",
	"%k->pid", "%k == NULL", "*(char *)%i", "larger[%i, %i]", "((struct outer *)%i)->in.y",
	"this->c_ptr->a", "this->c_ptr->bits", "%k->real_parent->prio", "sizeof(g_int)",
	"(%i, %i)",
};

static const char *const effect_forms[] = {
	"%l = %i", "%l += %i", "%l -= %i", "%l *= %i", "%l &= %i", "%l |= %i", "%l ^= %i",
	"%l /= %d", "%l %= %d", "%l <<= %w", "%l >>= %w", "%v++", "%v--", "++%v", "--%v",
	"a_s[%s]++", "--a_is[%i, %s]",
};

static const char *const lvalues[] = {
	"%v", "%v", "%v", "a_is[%i, %s]", "a_s[%s]", "self->t_assoc[%i]", "g_array[%I & 7]",
	"a_mix[(char)%I, %s, (uint64_t)%I]", "*%p", "%p[%n]",
};

static void call_of(const struct call *calls, unsigned n, unsigned depth, const char *instead)
{
	const struct call *c = &calls[rnd(n)];

	if (!has(c->name))
		fputs(instead, stdout);
	else
		put(depth, c->template);
}

static void int_expr(unsigned depth)
{
	unsigned k = rnd(100);

	if (!depth || k < 15)
		fputs(k % 3 == 0 ? literal() : k % 3 == 1 ? PICK(int_vars) :
		      PICK(int_leaves), stdout);
	else if (k < 85)
		put(depth - 1, PICK(int_forms));
	else if (k < 95 || in_pred)
		call_of(int_calls, COUNT(int_calls), depth - 1, "pid");
	else {
		putchar('(');
		put(depth - 1, PICK(effect_forms));
		putchar(')');
	}
}

static void string_expr(unsigned depth)
{
	unsigned k = rnd(100);

	if (!depth || k < 35)
		fputs(chance(40) ? PICK(strings) : PICK(string_leaves), stdout);
	else if (k < 50)
		put(depth - 1, "(%c ? %s : %s)");
	else if (k < 60)
		put(depth - 1, chance(50) ? "a_str[%i]" : "self->t_names[%s]");
	else if (k < 64 && !in_pred)
		put(depth - 1, "(g_string = %s)");
	else
		call_of(string_calls, COUNT(string_calls), depth - 1, "execname");
}

static void paren(unsigned depth, void (*expr)(unsigned))
{
	putchar('(');
	expr(depth);
	putchar(')');
}

static void put(unsigned depth, const char *t)
{
	static const char *const scratch[] = { "this->c_ints", "this->c_ints",
		"((int *)this->c_ptr)" };
	static const char *const tasks[] = {
		"curthread", "curthread->real_parent", "curthread->group_leader",
		"((struct task_struct *)%i)",
		"this->c_task",
	};

	for (; *t; t++) {
		if (*t != '%') {
			putchar(*t);
			continue;
		}
		switch (*++t) {
		case 'i': case 'I': case 'c': paren(depth, int_expr); break;
		case 's': string_expr(depth); break;
		case 'd': put(depth, "(%i | 1)"); break;
		case 'w': put(depth, chance(70) ? "%n" : "(%i & 63)"); break;
		case 'n': printf("%u", rnd(4)); break;
		case 'l': put(depth, lvalues[rnd(COUNT(lvalues) - (has("alloca") ? 0 : 2))]); break;
		case 'v': fputs(PICK(int_vars), stdout); break;
		case 'p': fputs(PICK(scratch), stdout); break;
		case 'k': put(depth ? depth - 1 : 0, PICK(tasks)); break;
		case '%': putchar('%'); break;
		default: putchar('%'); t--; break;
		}
	}
}

/* ---- aggregations ---------------------------------------- */

static void aggs_choose(void)
{
	static const char *const funcs[] = {
		"count", "sum", "avg", "min", "max", "stddev", "quantize", "lquantize",
		"llquantize",
	};

	for (unsigned i = 0; i < AGGS; i++) {
		struct agg *a = &aggs[i];

		*a = (struct agg){ .func = funcs[i % COUNT(funcs)], .params = rnd(4),
		.nkeys = rnd(AGG_KEYS + 1) };
		for (unsigned k = 0; k < a->nkeys; k++)
			a->keys[k] = rnd(KEY_N);
	}
}

static void agg_keys(const struct agg *a, unsigned depth)
{
	static const char *const forms[] = {
		"(int)%I", "(long)%I", "(char)%I", "%s", "stack(5)", "ustack(7)", "func(caller)",
	};

	for (unsigned k = 0; k < a->nkeys; k++) {
		fputs(k ? ", " : "[", stdout);
		put(depth, forms[a->keys[k]]);
	}
	if (a->nkeys)
		putchar(']');
}

static void agg_values(const struct agg *a, unsigned depth)
{
	static const char *const linear[] = { "0, 100, 10", "-50, 50, 1", "0, 1000000, 50000",
		"0, 10" };
	static const char *const both[] = { "10, 0, 3, 10", "2, 0, 6, 2", "10, 2, 5, 20",
		"4, 1, 3, 4" };

	if (!strcmp(a->func, "count"))
		return;
	put(depth, "%i");
	if (!strcmp(a->func, "lquantize"))
		printf(", %s", linear[a->params]);
	if (!strcmp(a->func, "llquantize"))
		printf(", %s", both[a->params]);
	if (strstr(a->func, "quantize") && a->params != 3 && chance(30))
		put(depth, ", %i");
}

static void agg_update(unsigned depth)
{
	unsigned i = rnd(AGGS);
	struct agg *a = &aggs[i];

	printf("@a%u", i);
	agg_keys(a, depth);
	printf(" = %s(", a->func);
	agg_values(a, depth);
	fputs(");\n", stdout);
	a->used = true;
}

/* The format of one aggregation's row. */
static void agg_format(const struct agg *a)
{
	static const char *const convs[] = { "%d", "%x", "%c", "%s", "%k", "%k", "%a" };

	for (unsigned k = 0; k < a->nkeys; k++)
		printf("%s ", convs[a->keys[k]]);
	fputs("%@d\\n", stdout);
}

static void agg_action(void)
{
	unsigned i = rnd(AGGS);
	const struct agg *a = &aggs[i];

	if (!a->used)
		return;
	switch (rnd(6)) {
	case 0: printf("printa(@a%u);\n", i); break;
	case 1: printf("clear(@a%u);\n", i); break;
	case 2: printf("trunc(@a%u%s);\n", i, chance(50) ? ", 5" : ""); break;
	case 3: printf("normalize(@a%u, 1000);\n", i); break;
	case 4: printf("denormalize(@a%u);\n", i); break;
	default:
		fputs("printa(\"", stdout);
		agg_format(a);
		printf("\", @a%u);\n", i);
	}
}

/* ---- statements ---------------------------------------- */

static const struct conv { const char *text, *value; } convs[] = {
	{ "%d", "%i" }, { "%5d", "%i" }, { "%-8x", "%i" }, { "%u", "%i" }, { "%o", "%i" }, { "%X",
	"%i" }, { "%c", "(char)%I" }, { "%s", "%s" }, { "%20s", "%s" }, { "%-.3s", "%s" }, { "%p",
	"(uint64_t)%I" }, { "%Y", "walltimestamp" }, { "%k", "stack(3)" }, { "%k", "ustack()" },
	{ "%a", "caller" }, { "%*d", "(int)%I, %i" }, { "%hd", "(short)%I" }, { "%lld",
	"(long long)%I" }, { "%S", "%s" }, { "%A", "ufunc(ucaller)" }, { "%a", "func(arg0)" },
	{ "%s", "curthread->comm" }, { "100%%", NULL },
};

static void print_formatted(unsigned depth)
{
	unsigned n = chance(5) ? 40 + rnd(60) : rnd(8), which[100];

	fputs("printf(\"", stdout);
	for (unsigned i = 0; i < n; i++) {
		which[i] = rnd(COUNT(convs));
		printf("%s ", convs[which[i]].text);
	}
	fputs("\\n\"", stdout);
	for (unsigned i = 0; i < n; i++) {
		if (!convs[which[i]].value)
			continue;
		fputs(", ", stdout);
		put(n > 20 ? 1 : depth, convs[which[i]].value);
	}
	fputs(");\n", stdout);
}

static const struct call statements[] = {
	{ "trace", "trace(%i);\n" }, { "trace", "trace(%s);\n" }, { "trace", "trace(g_su);\n" },
	{ "trace", "trace(curthread->comm);\n" }, { "stack", "stack();\n" }, { "stack",
	"stack(1 + %n);\n" }, { "ustack", "ustack();\n" }, { "ustack", "ustack(9);\n" }, { "ustack",
	"ustack(9, 0);\n" }, { "jstack", "jstack();\n" }, { "sym", "sym(%i);\n" }, { "func",
	"func(caller);\n" }, { "mod", "mod(%i);\n" }, { "usym", "usym(ucaller);\n" }, { "ufunc",
	"ufunc(%i);\n" }, { "umod", "umod(%i);\n" }, { "uaddr", "uaddr(%i);\n" }, { "tracemem",
	"tracemem(curthread, 64);\n" }, { "tracemem", "tracemem(%p, 16, %i);\n" }, { "print",
	"print(&curthread->se);\n" }, { "print", "print(this->c_ptr);\n" }, { "exit",
	"exit(%i);\n" }, { "setopt", "setopt(\"quiet\");\n" }, { "system",
	"system(\"echo %%d %%s\", %i, %s);\n" }, { "freopen", "freopen(\"/tmp/%%s\", %s);\n" },
	{ "ftruncate", "ftruncate();\n" }, { "raise", "raise(%i);\n" }, { "chill",
	"chill(500);\n" }, { "bcopy", "bcopy(%s, this->c_chars, 8);\n" }, { "bcopy",
	"bcopy(&curthread->se, this->c_chars, 16);\n" }, { "alloca",
	"this->c_room = (int *)alloca(16 + (%I & 15));\n" }, { "copyin",
	"this->c_raw = (char *)copyin(%i, 8);\n" }, { "copyinto",
	"copyinto(%i, 8, this->c_chars);\n" }, { "copyout", "copyout(this->c_ints, %i, 4);\n" },
	{ "copyoutstr", "copyoutstr(%s, %i, 8);\n" },
};

/* Assignments and other statements that record nothing; ! needs scratch memory. */
static const char *const plain[] = {
	"%l = %i;\n", "%l = %i;\n", "%l = %i;\n", "g_string = %s;\n", "self->t_string = %s;\n",
	"this->c_string = %s;\n", "a_str[%i] = %s;\n", "self->t_names[%s] = %s;\n",
	"a_str[%i] = 0;\n", "a_s[%s] = 0;\n", "self->t_string = 0;\n", "self->t_int = 0;\n",
	"g_su = *(struct outer *)%i;\n", "this->c_su = g_su;\n", "this->c_su = *this->c_ptr;\n",
	"!this->c_ptr->a = %i;\n", "!this->c_ptr->in.x = %i;\n", "this->c_task = %k;\n",
	"g_su.b = %i;\n", "g_su.bits = %i;\n", "u_num = (int)%I;\n",
	"this->u_wide = (int64_t)%I;\n", "self->u_str = %s;\n", "u_assoc[%s] = (int)%I;\n",
	"@any = count();\n", "a_su[%i] = g_su;\n", "g_su = a_su[%i];\n", "self->t_su = g_su;\n",
};

static void block(unsigned n, unsigned depth);

static void statement(unsigned depth)
{
	const struct call *c = &PICK(statements);
	unsigned k = rnd(100);

	if (k < 35) {
		const char *t = PICK(plain);
		if (*t != '!' || has("alloca"))
			put(depth, t + (*t == '!'));
	} else if (k < 45) {
		put(depth, PICK(effect_forms));
		fputs(";\n", stdout);
	} else if (k < 60) {
		agg_update(depth);
	} else if (k < 72) {
		print_formatted(depth);
	} else if (k < 75) {
		agg_action();
	} else if (k < 85 && nested < 3) {
		nested++;
		put(depth, "if (%c) {\n");
		block(1 + rnd(3), depth);
		if (chance(50)) {
			fputs("} else {\n", stdout);
			block(1 + rnd(3), depth);
		}
		fputs("}\n", stdout);
		nested--;
	} else if (has(c->name)) {
		put(depth, c->template);
	}
}

static void block(unsigned n, unsigned depth)
{
	while (n--)
		statement(depth);
}

/* ---- clauses ---------------------------------------- */

static unsigned most = 10;       /* statements of an ordinary clause */

static const char *const probes[] = {
	"BEGIN", "END", "ERROR", "tick-1s", "profile-97", "syscall::read:entry",
	"syscall::read:return", "syscall::openat:entry", "syscall::write:entry",
	"syscall:::entry", "syscall:::return", "syscall::open*:entry", "BEGIN, END",
	"tick-1s, syscall::read:entry", "tracepoint:sched::sched_switch",
	"rawtp:sched::sched_wakeup", "syscall::read:entry, syscall::write:entry",
};

static void probe(void)
{
	unsigned n = 1;

	for (const char *p = more_probes; *p; p++)
		n += *p == ',';
	if (!*more_probes || chance(70)) {
		fputs(PICK(probes), stdout);
		return;
	}
	const char *p = more_probes;
	for (unsigned skip = rnd(n); skip; skip--)
		p += strcspn(p, ",") + 1;
	printf("%.*s", (int)strcspn(p, ","), p);
}

/* Clauses of speculations may not do all that others do. */
static void speculation(unsigned depth)
{
	switch (rnd(4)) {
	case 0:
		fputs("self->spec = speculation();\n", stdout);
		put(depth, "trace(%i);\n");
		break;
	case 1:
		fputs("speculate(self->spec);\n", stdout);
		print_formatted(depth);
		put(depth, "trace(%s);\n");
		break;
	case 2:
		put(depth, "%l = %i;\ncommit(self->spec);\nself->spec = 0;\n");
		break;
	default:
		put(depth, "discard(self->spec);\nthis->c_int = %i;\n");
	}
}

/* What the templates rely on: pointers to scratch memory, or else to something that is there. */
static void prologue(void)
{
	fputs(has("alloca") ?
	      "this->c_chars = (char *)alloca(32);\nthis->c_ints = (int *)alloca(32);\n"
	      "this->c_ptr = (struct outer *)alloca(sizeof(struct outer));\n" :
	      "this->c_chars = (char *)curthread;\nthis->c_ints = (int *)curthread;\n"
	      "this->c_ptr = (struct outer *)curthread;\n", stdout);
	fputs("this->c_task = curthread;\n", stdout);
}

static void clause(unsigned size)
{
	unsigned depth = 1 + rnd(4);

	probe();
	if (chance(40)) {
		in_pred = chance(80);
		put(depth, "\n/%c/");
		in_pred = false;
	}
	fputs("\n{\n", stdout);
	prologue();
	if (chance(8) && has("speculation") && has("speculate") && has("commit"))
		speculation(depth);
	else
		block(1 + rnd(size), depth);
	fputs("}\n\n", stdout);
}

static void declarations(void)
{
	fputs("#pragma D option destructive\n", stdout);
	if (chance(20))
		printf("#pragma D option strsize=%u\n", 1u << (3 + rnd(8)));
	fputs(declared, stdout);
}

static void program(uint64_t seed)
{
	unsigned n, size;

	state = seed * 0x2545f4914f6cdd1dull;
	aggs_choose();
	declarations();
	n = !rnd(200) ? 100 + rnd(200) : chance(5) ? 20 + rnd(20) : 1 + rnd(5);
	size = n >= 100 ? 1 : chance(5) ? 4 * most : n > 10 ? MIN(most, 4) : most;
	while (n--)
		clause(size);
}

/* ---- the command ---------------------------------------- */

/* The names of a table, or what calls one of them, each as `format` has it. */
static void calls(const struct call *table, unsigned n, const char *name, const char *format)
{
	for (unsigned i = 0; i < n; i++) {
		const char *rest = strchr(format, '@');

		if (!name && (!i || strcmp(table[i].name, table[i - 1].name)))
			puts(table[i].name);
		if (!name || strcmp(table[i].name, name))
			continue;
		printf("%.*s", (int)(rest - format), format);
		put(0, table[i].template);
		puts(rest + 1);
	}
}

/* Every function; with a name a small program that calls it. */
static void functions(const char *name)
{
	if (name) {
		declarations();
		puts("BEGIN\n{");
		prologue();
	}
	calls(int_calls, COUNT(int_calls), name, "trace(@);");
	calls(string_calls, COUNT(string_calls), name, "trace(@);");
	calls(statements, COUNT(statements), name, "@");
	puts(name ? "}" : "speculation\nspeculate\ncommit\ndiscard");
}

int main(int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "p:s:m:ft:")) != -1) {
		switch (c) {
		case 'p': more_probes = optarg; break;
		case 'm': most = strtoul(optarg, NULL, 0); break;
		case 's': skips = optarg; break;
		case 'f': functions(NULL); return 0;
		case 't': functions(optarg); return 0;
		default: return 2;
		}
	}
	if (optind != argc - 1) {
		fputs("usage: gen [-p PROBE,...] [-s NAME,...] [-m STATEMENTS] SEED | gen -f | gen "
		      "-t NAME\n",
		      stderr);
		return 2;
	}
	program(strtoull(argv[optind], NULL, 0));
	return 0;
}
