/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * syscall.c - random system calls that do no harm (harmless.h), and D programs that use their
 * arguments and results in random ways (uses.h): tests/gen/syscalls compares what both say.
 *
 * usage: syscall -d SEED [CALLS]          the D program, for dtx -c
 *        syscall -r SEED FILE [CALLS]     makes the calls, and writes what dtx must print
 *        syscall -n SEED [CALLS]          how many calls these are
 *
 * Each system call is made in a process of its own, by syscall() with all 64 bits of each argument
 * random: what a parameter's type does not hold must not show. This compiler says what each
 * expression gives with variables of the true types. Both modes take the same random walk. Lines of
 * the answers have no order; NUMBER is that of a use.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harmless.h"
#include "uses.h"

#define TURNS   4        /* calls of the same name */
#define PARAMS  6
#define USED    12       /* uses of one parameter, or of the result */
#define MOST    64       /* names in a program */
#define NONE    (-4096L) /* no result of a system call */
#define FIELDS  "/sys/kernel/tracing/events/syscalls/sys_enter_"

enum how {
	PRINTED, TEXT, CHOSEN, THIS, SELF, DECLARED, PREDICATE, BRANCH,
	SUMMED, LOWEST, HIGHEST, MEAN, COUNTED, ARRAY, HOWS
};

struct use {
	enum how how;
	unsigned no, expr, other; /* other: the parameter w */
	struct consts consts;
	char letter;              /* PRINTED: of its conversion */
	unsigned type, scope;     /* DECLARED */
	struct agg { int64_t n; __int128 v; } agg;
};

struct arg {
	char text[64];            /* what dtx calls it */
	enum kind kind;
	uint64_t values[TURNS];   /* all 64 bits of the register */
	unsigned nuses;
	struct use uses[USED];
};

struct made {
	const struct call *call;
	bool tracepoint;
	unsigned turns, nparams;
	struct arg params[PARAMS], results[3];     /* retval, arg1, errno */
};

static struct made made[MOST];
static unsigned nmade, nuses, turns_made;
static FILE *truth;

static const struct { const char *name; unsigned bytes; bool is_signed; } declared[] = {
	{ "int8_t", 1, true }, { "uint8_t", 1, false }, { "int16_t", 2, true },
	{ "uint16_t", 2, false }, { "int", 4, true }, { "unsigned", 4, false },
	{ "int64_t", 8, true }, { "uint64_t", 8, false }, { "char", 1, true },
	{ "short", 2, true }, { "long", 8, true }, { "uint32_t", 4, false },
};
static const char *const scopes[] = { "", "self->", "this->" };
static const char *const scope_words[] = { "", "self ", "this " };

/* ---- the random walk ------------------------------------------------------------------------- */

static uint64_t edge(void)
{
	static const uint64_t edges[] = {
		0, 1, 2, 3, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 0x7fffffff, 0x80000000,
		0xffffff9c, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000, ~0ull,
		-2ull, -100ull, -128ull, -129ull, -32768ull, -32769ull, -0x80000000ull,
	};

	return PICK(edges) + (chance(20) ? rnd(3) - 1 : 0);
}

static uint64_t value(char letter)
{
	static const uint64_t nowhere[] = { 1, 8, 0x8000000000000000, 0xdead000000000000, -1ull };
	uint64_t low = chance(50) ? edge() : next() >> rnd(64), v = low;

	if (letter == 'p')
		return chance(50) ? PICK(nowhere) : next() | 1ull << 63;
	if (letter == 'n') {                       /* beyond any kernel's highest pid */
		low = (low & 0x3fffffff) | 0x40000000;
		v = chance(50) ? low : -low;
	}
	if (letter == 'a')
		return v & ~(uint64_t)MAP_ANONYMOUS;
	if (strchr("iunm", letter) && chance(60))
		v = (v & 0xffffffff) | next() << 32; /* what the parameter does not have */
	return v;
}

static uint64_t typed(uint64_t v, enum kind kind)
{
	switch (kind) {
	case S32: return (uint64_t)(int)v;
	case U32: return (unsigned)v;
	case U16: return (unsigned short)v;
	default:  return v;
	}
}

/* Constants near a value more often than far from it. */
static struct consts consts_near(uint64_t v)
{
	struct consts c = {
		.k = (int)(chance(60) ? v + rnd(3) - 1 : chance(70) ? edge() : next()),
		.l = (long)(chance(60) ? v + rnd(3) - 1 : chance(70) ? edge() : next()),
		.u = (unsigned)(chance(60) ? v + rnd(3) - 1 : chance(70) ? edge() : next()),
		.m = chance(60) ? v + rnd(3) - 1 : chance(70) ? edge() : next(),
	};

	return c;
}

static void add_uses(struct arg *a, const struct arg *all, unsigned n, unsigned turns, bool params)
{
	static const long results[] = { 0, -1, -9, -14, -22, -3, -38, 9, 14, 22, 1 };

	for (a->nuses = 0; a->nuses < 2 + rnd(3);) {
		struct use *u = &a->uses[a->nuses];
		uint64_t near = (uint64_t)PICK(results);

		if (params)
			near = typed(a->values[rnd(turns)], a->kind);
		*u = (struct use){
			.how = rnd(HOWS), .expr = chance(15) ? 0 : rnd(COUNT(use_texts)),
			.other = rnd(n), .letter = "diuxoX"[rnd(6)],
			.type = rnd(COUNT(declared)), .scope = rnd(COUNT(scopes)),
		};
		u->consts = consts_near(near);
		if (!use_fits(u->expr, a->kind, all[u->other].kind, &u->consts))
			continue;
		u->no = nuses++;
		a->nuses++;
	}
}

/* The names of a system call's parameters in this kernel; false: it does not have the call. */
static bool param_names(const struct call *call, char names[PARAMS][32])
{
	char path[128], line[256];
	unsigned n = 0;
	FILE *f;

	snprintf(path, sizeof(path), FIELDS "%s/format", call->name);
	f = fopen(path, "r");
	while (f && n < PARAMS && fgets(line, sizeof(line), f)) {
		char *end = strchr(line, ';'), *name;

		if (!strstr(line, "\tfield:") || strstr(line, " common_") ||
		    strstr(line, "__syscall_nr"))
			continue;
		*end = '\0';
		name = strrchr(line, ' ');
		snprintf(names[n++], 32, "%s", name + 1);
	}
	if (f)
		fclose(f);
	return n == strlen(call->params);
}

/* Can it be written without "args."? Not what D itself calls so. */
static bool is_free(const char *name)
{
	static const char *const taken[] = { "pid", "uid", "gid", "cpu", "id" };

	for (unsigned i = 0; i < COUNT(taken); i++)
		if (!strcmp(name, taken[i]))
			return false;
	return strncmp(name, "arg", 3) != 0;
}

static enum kind kind_of(char letter)
{
	switch (letter) {
	case 'i':
	case 'n': return S32;
	case 'u': return U32;
	case 'm': return U16;
	case 'l': return S64;
	default:  return U64;
	}
}

static void name_param(struct arg *a, unsigned i, const char *name, char letter, bool tracepoint)
{
	unsigned way = rnd(8);

	a->kind = kind_of(letter);
	if (letter == 'p')
		snprintf(a->text, sizeof(a->text), "(uint64_t)args.%s", name);
	else if (tracepoint || way < 3)
		snprintf(a->text, sizeof(a->text), "args.%s", name);
	else if (way < 5 || !is_free(name))
		snprintf(a->text, sizeof(a->text), "args[%u]", i);
	else if (way < 7)
		snprintf(a->text, sizeof(a->text), "%s", name);
	else {
		snprintf(a->text, sizeof(a->text), "arg%u", i);
		a->kind = S64;                     /* all of it */
	}
}

static void walk_results(struct made *m)
{
	static const struct { const char *text; enum kind kind; } results[] = {
		{ "retval", S64 }, { "arg1", S64 }, { "errno", S32 },
	};

	for (unsigned i = 0; i < COUNT(results); i++) {
		strcpy(m->results[i].text, results[i].text);
		m->results[i].kind = results[i].kind;
	}
	for (unsigned i = 0; i < COUNT(results); i++)
		add_uses(&m->results[i], m->results, COUNT(results), m->turns, false);
}

/* false: this kernel does not have the call. */
static bool walk_call(struct made *m, const struct call *call)
{
	char names[PARAMS][32];

	if (!param_names(call, names))
		return false;
	m->call = call;
	m->nparams = strlen(call->params);
	m->tracepoint = chance(20);
	m->turns = 1 + rnd(TURNS);
	turns_made += m->turns;
	for (unsigned i = 0; i < m->nparams; i++) {
		name_param(&m->params[i], i, names[i], call->params[i], m->tracepoint);
		for (unsigned t = 0; t < m->turns; t++)
			m->params[i].values[t] = value(call->params[i]);
	}
	for (unsigned i = 0; i < m->nparams; i++)
		add_uses(&m->params[i], m->params, m->nparams, m->turns, true);
	walk_results(m);
	return true;
}

/* Different system calls until so many are made. */
static void walk(unsigned wanted)
{
	bool taken[COUNT(calls)] = { false };

	for (unsigned tried = 0; turns_made < wanted && nmade < MOST && tried < COUNT(calls);) {
		unsigned i = rnd(COUNT(calls));

		if (taken[i])
			continue;
		taken[i] = true;
		tried++;
		nmade += walk_call(&made[nmade], &calls[i]);
	}
}

/* ---- the D program --------------------------------------------------------------------------- */

static const char *const sums[] = { "sum", "min", "max", "avg" };

static void declarations(const struct use *u)
{
	if (u->how == DECLARED)
		d("%s%s d%u;\n", scope_words[u->scope], declared[u->type].name, u->no);
}

static void statement(const struct use *u, const char *e)
{
	unsigned no = u->no;
	char key[48];

	switch (u->how) {
	case PRINTED:
		d("\tprintf(\"%u %%%c\\n\", %s);\n", no, u->letter, e);
		break;
	case TEXT:
		d("\tprintf(\"%u %%s\\n\", lltostr(%s));\n", no, e);
		break;
	case CHOSEN:
		d("\tprintf(\"%u %%s\\n\", (%s) ? \"yes\" : \"no\");\n", no, e);
		break;
	case THIS:
		d("\tthis->t%u = %s;\n\tprintf(\"%u %%d\\n\", this->t%u);\n", no, e, no, no);
		break;
	case SELF:
		d("\tself->s%u = %s;\n", no, e);
		break;
	case DECLARED:
		d("\t%sd%u = %s;\n", scopes[u->scope], no, e);
		break;
	case BRANCH:
		d("\tif (%s)\n\t\tprintf(\"%u yes\\n\");\n", e, no);
		d("\telse\n\t\tprintf(\"%u no\\n\");\n", no);
		break;
	case COUNTED:
		d("\t@c%u[%s] = count();\n", no, e);
		break;
	case ARRAY:
		const_text('l', &u->consts, key, sizeof(key));
		d("\ta%u[%s] = 7;\n\tprintf(\"%u %%d\\n\", a%u[%s]);\n", no, e, no, no, key);
		d("\ta%u[%s] = 0;\n", no, e);
		break;
	case PREDICATE:
		break;
	default:
		d("\t@%s[%u] = %s(%s);\n", sums[u->how - SUMMED], no, sums[u->how - SUMMED], e);
		break;
	}
}

/* What a clause behind the first one prints: variables that live on. */
static void later(const struct use *u)
{
	if (u->how == SELF)
		d("\tprintf(\"%u %%d\\n\", self->s%u);\n\tself->s%u = 0;\n", u->no, u->no, u->no);
	else if (u->how == DECLARED)
		d("\tprintf(\"%u %%d\\n\", %sd%u);\n", u->no, scopes[u->scope], u->no);
}

static void written(const struct use *u, const struct arg *args, unsigned i, const char *probe)
{
	char e[512];

	use_text(u->expr, args[i].text, args[u->other].text, &u->consts, e, sizeof(e));
	if (!probe)
		statement(u, e);
	else if (u->how == PREDICATE)
		d("%s\n/ppid == $target && (%s)/\n{\n\tprintf(\"%u is\\n\");\n}\n", probe, e,
		  u->no);
}

static void clauses(const struct arg *args, unsigned n, const char *probe)
{
	d("%s\n/ppid == $target/\n{\n", probe);
	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < args[i].nuses; j++)
			written(&args[i].uses[j], args, i, NULL);
	d("}\n%s\n/ppid == $target/\n{\n", probe);
	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < args[i].nuses; j++)
			later(&args[i].uses[j]);
	d("}\n");
	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < args[i].nuses; j++)
			written(&args[i].uses[j], args, i, probe);
}

/* Each use of the whole program. */
static void each_use(void (*f)(const struct use *))
{
	for (const struct made *m = made; m < made + nmade; m++) {
		for (unsigned i = 0; i < m->nparams; i++)
			for (unsigned j = 0; j < m->params[i].nuses; j++)
				f(&m->params[i].uses[j]);
		for (unsigned i = 0; i < COUNT(m->results); i++)
			for (unsigned j = 0; j < m->results[i].nuses; j++)
				f(&m->results[i].uses[j]);
	}
}

static bool aggs_used[COUNT(sums)];

static void at_end(const struct use *u)
{
	if (u->how == COUNTED)
		d("\tprinta(\"%u %%d %%@d\\n\", @c%u);\n", u->no, u->no);
	else if (u->how >= SUMMED && u->how <= MEAN)
		aggs_used[u->how - SUMMED] = true;
}

static void d_program(void)
{
	char probe[128];

	each_use(declarations);
	for (const struct made *m = made; m < made + nmade; m++) {
		const char *name = m->call->name;

		snprintf(probe, sizeof(probe), "%s%s%s",
			 m->tracepoint ? "tracepoint:syscalls:sys_enter_" : "syscall::", name,
			 m->tracepoint ? "" : ":entry");
		clauses(m->params, m->nparams, probe);
		snprintf(probe, sizeof(probe), "syscall::%s:return", name);
		clauses(m->results, COUNT(m->results), probe);
	}
	d("END\n{\n");
	each_use(at_end);
	for (unsigned i = 0; i < COUNT(sums); i++)
		if (aggs_used[i])
			d("\tprinta(\"%%d %%@d\\n\", @%s);\n", sums[i]);
	d("}\n");
}

/* ---- the calls, and the truth ---------------------------------------------------------------- */

/* What a number is in so many bytes. */
static uint64_t narrowed(uint64_t v, unsigned bytes, bool is_signed)
{
	unsigned up = 64 - 8 * bytes;

	return is_signed ? (uint64_t)((int64_t)(v << up) >> up) : v << up >> up;
}

static void say(const struct use *u, char letter, uint64_t v, unsigned bytes, bool is_signed)
{
	char format[16];
	bool decimal = letter == 'd' || letter == 'i';

	snprintf(format, sizeof(format), "%%u %%ll%c\n", decimal && !is_signed ? 'u' : letter);
	fprintf(truth, format, u->no, narrowed(v, bytes, decimal && is_signed));
}

static void aggregate(struct use *u, int64_t v)
{
	bool first = !u->agg.n++;

	if (first || (u->how == LOWEST && v < u->agg.v) || (u->how == HIGHEST && v > u->agg.v))
		u->agg.v = v;
	else if (u->how == SUMMED || u->how == MEAN)
		u->agg.v += v;
}

static void answer(struct use *u, const struct val *v)
{
	uint64_t key = (uint64_t)u->consts.l;    /* of an array, which holds the keys of all uses */

	switch (u->how) {
	case PRINTED:
		say(u, u->letter, v->v, v->bytes, v->is_signed);
		break;
	case TEXT:
		say(u, 'd', v->v, 8, true);
		break;
	case THIS:
	case SELF:
		say(u, 'd', v->v, v->bytes, v->is_signed);
		break;
	case DECLARED:
		say(u, 'd', v->v, declared[u->type].bytes, declared[u->type].is_signed);
		break;
	case CHOSEN:
	case BRANCH:
		fprintf(truth, "%u %s\n", u->no, v->v ? "yes" : "no");
		break;
	case PREDICATE:
		if (v->v)
			fprintf(truth, "%u is\n", u->no);
		break;
	case COUNTED:
		fprintf(truth, v->is_signed ? "%u %lld +1\n" : "%u %llu +1\n", u->no,
			(long long)v->v);
		break;
	case ARRAY:
		fprintf(truth, "%u %d\n", u->no, v->v == key ? 7 : 0);
		break;
	default:
		aggregate(u, (int64_t)v->v);
		break;
	}
}

static void answers(struct arg *args, unsigned n, unsigned turn)
{
	for (unsigned i = 0; i < n; i++)
		for (struct use *u = args[i].uses; u < args[i].uses + args[i].nuses; u++) {
			struct arg *w = &args[u->other];
			struct val v = uses_eval[args[i].kind][w->kind](
				u->expr, args[i].values[turn], w->values[turn], &u->consts);

			answer(u, &v);
		}
}

#define DIGITS 1000000000000000000ll     /* 18, which a part of a number may have */

/* Sums have more than 64 bits. */
static void at_last(const struct use *u)
{
	__int128 v = u->how == MEAN && u->agg.n ? u->agg.v / u->agg.n : u->agg.v;
	long long high = (long long)(v / DIGITS), low = (long long)(v % DIGITS);

	if (u->how < SUMMED || u->how > MEAN || !u->agg.n)
		return;
	if (high)
		fprintf(truth, "%u %lld%018lld\n", u->no, high, low < 0 ? -low : low);
	else
		fprintf(truth, "%u %lld\n", u->no, low);
}

/* One call, in a process that makes no other until it ends: what it gives, or NONE. */
static long call_once(const struct made *m, unsigned turn, volatile long *shared)
{
	long n[PARAMS] = { 0 }, pid;

	for (unsigned i = 0; i < m->nparams; i++)
		n[i] = (long)m->params[i].values[turn];
	*shared = NONE;
	pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (!pid) {
		long r = syscall(m->call->number, n[0], n[1], n[2], n[3], n[4], n[5]);

		*shared = r == -1 ? -errno : r;
		syscall(SYS_exit_group, 0);
	}
	if (pid < 0 || waitpid((pid_t)pid, NULL, 0) < 0)
		return NONE;
	return *shared;
}

static void make_calls(void)
{
	volatile long *shared =
		mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	for (struct made *m = made; m < made + nmade; m++)
		for (unsigned t = 0; t < m->turns; t++) {
			long r = call_once(m, t, shared);

			if (r == NONE)
				fprintf(truth, "no result of %s\n", m->call->name);
			m->results[0].values[t] = m->results[1].values[t] = (uint64_t)r;
			m->results[2].values[t] = r < 0 ? (uint64_t)-r : 0;
			answers(m->params, m->nparams, t);
			answers(m->results, COUNT(m->results), t);
		}
	each_use(at_last);
}

int main(int argc, char **argv)
{
	bool run = argc > 1 && !strcmp(argv[1], "-r");
	int few = run ? 4 : 3;

	if (argc < few)
		return 2;
	want_d = !run;
	state = strtoull(argv[2], NULL, 0);
	walk(argc > few ? (unsigned)atoi(argv[few]) : 20);
	if (!run) {
		if (!strcmp(argv[1], "-n"))
			printf("%u\n", turns_made);
		else
			d_program();
		return 0;
	}
	truth = fopen(argv[3], "w");
	if (!truth || dup2(fileno(truth), 900) < 0)
		return 1;
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
	close_range(0, 899, 0);
	truth = fdopen(900, "w");
	make_calls();
	return fclose(truth) != 0;
}
