/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aggs.c - random programs of aggregations, and what each must print.
 *
 * usage: aggs SEED ID         the D program on standard output, what it prints on standard error;
 *                             ID is that of syscall::kill:entry, in case the columns are printed
 *        aggs -k CPU SIGNAL   fires that probe, on this CPU: the next part of the program
 *
 * A program runs in parts: BEGIN, then system() starts this command for each further one, then END.
 * As actions on aggregations are done when records are read, and system() is waited for, each part
 * begins when all actions of the one before are done. dtx has to run on the CPU that the first line
 * of the program names, as BEGIN and END run where it does.
 *
 * The answers are computed here from DTrace guide "Aggregations": values by CPU, their sums,
 * orders, rows.
 */
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include "cells.h"
#include "narrow.h"

#define AGGS      9
#define KEYS      4
#define ENTRIES   32
#define POOL      3              /* different values of one key */
#define PARTS     4
#define TEXT      72
#define UNLIKELY  2000000000     /* process that kill() is asked for */

struct key { uint64_t n; char s[TEXT]; };

/* Types of keys, the same for several aggregations so that they can be printed together. */
enum { STRING = COUNT(types), ENUM, KEY_TYPES };
static struct sig { unsigned n; unsigned type[KEYS]; struct key pool[KEYS][POOL]; } sigs[3];

struct entry { struct key keys[KEYS]; struct cell *cells; };       /* one a CPU, and their sum */

static struct agg {
	struct hist h;
	const struct sig *sig;
	unsigned n;
	struct entry e[ENTRIES];
	int64_t norm;
	bool printed;
} aggs[AGGS];
static unsigned naggs;           /* those with a definition, in its order */

static struct { bool quiet, sortkey, sortrev, percpu, zoom; unsigned keypos, pos, strsize; } opt;
static unsigned ncpus, cpus[CPU_SETSIZE], nallowed, home;

/* ---- values ----------------------------------------------------------------------- */

static void entry_clear(struct entry *e)
{
	for (unsigned c = 0; c <= ncpus; c++)
		cell_clear(&e->cells[c]);
}

static bool same_keys(const struct sig *s, const struct key *a, const struct key *b)
{
	for (unsigned k = 0; k < s->n; k++)
		if (a[k].n != b[k].n || strcmp(a[k].s, b[k].s))
			return false;
	return true;
}

static struct entry *find(struct agg *a, const struct key *keys)
{
	for (unsigned i = 0; i < a->n; i++)
		if (same_keys(a->sig, a->e[i].keys, keys))
			return &a->e[i];
	return NULL;
}

static struct entry *find_or_add(struct agg *a, const struct key *keys)
{
	struct entry *e = find(a, keys);

	if (e || a->n == ENTRIES)
		return e;
	e = &a->e[a->n++];
	memcpy(e->keys, keys, sizeof(e->keys));
	e->cells = calloc(ncpus + 1, sizeof(*e->cells));
	entry_clear(e);
	return e;
}

/* ---- order -------------------------------------------------------------------------- */

static const struct agg *const *sorted;          /* aggregations of the rows that are sorted */
static unsigned nsorted;
static bool plain_order;                         /* trunc() does not look at the options */

struct row { const struct key *keys; const struct cell *cells[AGGS]; };

static int compare_keys(const struct row *a, const struct row *b)
{
	const struct sig *s = sorted[0]->sig;
	unsigned first = plain_order || opt.keypos >= s->n ? 0 : opt.keypos;

	for (unsigned i = 0; i < s->n; i++) {
		unsigned k = (first + i) % s->n;
		unsigned bytes = s->type[k] < STRING ? types[s->type[k]].bytes : 4;
		uint64_t x = narrow(a->keys[k].n, &(struct type){ "", bytes, false });
		uint64_t y = narrow(b->keys[k].n, &(struct type){ "", bytes, false });
		int d = s->type[k] == STRING ? strcmp(a->keys[k].s, b->keys[k].s)
			: x < y              ? -1
					     : x > y;

		if (d)
			return d;
	}
	return 0;
}

static int compare_values(const struct row *a, const struct row *b)
{
	unsigned first = opt.pos < nsorted ? opt.pos : 0;

	for (unsigned i = 0; i < nsorted; i++) {
		unsigned k = (first + i) % nsorted;
		int d = cell_compare(&sorted[k]->h, &a->cells[k][ncpus], &b->cells[k][ncpus]);

		if (d)
			return d;
	}
	return 0;
}

static int compare_rows(const void *pa, const void *pb)
{
	const struct row *a = pa, *b = pb;
	bool by_key = opt.sortkey && !plain_order;
	int d = by_key ? compare_keys(a, b) : compare_values(a, b);

	if (!d)
		d = by_key ? compare_values(a, b) : compare_keys(a, b);
	return opt.sortrev && !plain_order ? -d : d;
}

/* Rows of these aggregations joined by their keys, in order. */
static unsigned rows_of(struct agg *const *of, unsigned n, struct row *rows)
{
	struct cell *none = calloc(ncpus + 1, sizeof(*none));
	unsigned nrows = 0;

	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < of[i]->n; j++) {
			const struct key *keys = of[i]->e[j].keys;
			bool seen = false;

			for (unsigned k = 0; k < i; k++)
				seen |= find(of[k], keys) != NULL;
			if (seen)
				continue;
			rows[nrows].keys = keys;
			for (unsigned k = 0; k < n; k++)
				rows[nrows].cells[k] =
					find(of[k], keys) ? find(of[k], keys)->cells : none;
			nrows++;
		}
	sorted = (const struct agg *const *)of;
	nsorted = n;
	qsort(rows, nrows, sizeof(*rows), compare_rows);
	return nrows;
}

/* ---- what is printed ------------------------------------------------------------------ */

static void show_key(unsigned type, const struct key *k)
{
	static const struct type colour = { "", 4, false };      /* no negative values */
	static const int width[] = { [1] = 3, [2] = 5, [4] = 8, [8] = 16 };
	const struct type *t = type < STRING ? &types[type] : &colour;

	if (type == STRING)
		fprintf(stderr, "  %-50s", k->s);
	else if (t->is_signed)
		fprintf(stderr, " %*lld", width[t->bytes], (long long)narrow(k->n, t));
	else
		fprintf(stderr, " %*llu", width[t->bytes], (unsigned long long)narrow(k->n, t));
}

static void show_row(struct agg *const *of, unsigned n, const struct row *r)
{
	for (unsigned k = 0; k < of[0]->sig->n; k++)
		show_key(of[0]->sig->type[k], &r->keys[k]);
	for (unsigned i = 0; i < n; i++) {
		cell_show(&of[i]->h, &r->cells[i][ncpus], of[i]->norm, opt.zoom);
		for (unsigned c = 0; opt.percpu && c < ncpus; c++) {
			fprintf(stderr, "\n    [CPU %u]", c);
			if (cell_lacks(&of[i]->h, &r->cells[i][c], &r->cells[i][ncpus])) {
				fprintf(stderr, "%17s", "no value");
				continue;
			}
			cell_show(&of[i]->h, &r->cells[i][c], of[i]->norm, opt.zoom);
		}
	}
	fputc('\n', stderr);
}

static void show_rows(struct agg *const *of, unsigned n)
{
	struct row rows[AGGS * ENTRIES];
	unsigned nrows = rows_of(of, n, rows);

	for (unsigned i = 0; i < nrows; i++)
		show_row(of, n, &rows[i]);
}

/* ---- printa() ---------------------------------------------------------------------------- */

struct piece { enum { LITERAL, KEY, VALUE } kind; const char *text; struct conv c; };

/* Keys in order, not always all of them, values between. */
static unsigned pieces_random(const struct sig *s, struct piece *p)
{
	static const char *const texts[] = { " ", ": ", "|", "100%", "\n", ", value " };
	unsigned n = 0, k = 0, most = 2 + rnd(7);

	for (; n < most; n++) {
		unsigned what = rnd(3);

		p[n].kind = what == 1 && k == s->n ? VALUE : what;
		if (p[n].kind == LITERAL)
			p[n].text = PICK(texts);
		else if (p[n].kind == KEY)
			p[n].c = s->type[k++] == STRING ? conv_random("s", "-")
							: conv_random("diuxXo", "-0+ #");
		else
			p[n].c = conv_random("diuxXo", "-0+ #");
	}
	p[n].kind = LITERAL;
	p[n++].text = "\n";
	return n;
}

static void pieces_write(const struct piece *p, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (p[i].kind != LITERAL)
			conv_text(stdout, &p[i].c, p[i].kind == VALUE ? "@" : "");
		else
			for (const char *t = p[i].text; *t; t++)
				printf(*t == '\n' ? "\\n" : *t == '%' ? "%%%%" : "%c", *t);
	}
}

/* A sum of more than 64 bits is decimal, whatever the letter. */
static void value_show(const struct hist *h, const struct conv *c, wide v)
{
	static const struct type u64 = { "", 8, false }, s64 = { "", 8, true };
	char text[48];

	if (h->kind != COUNT_OF && v != (int64_t)v)
		fprintf(stderr, strchr(c->flags, '-') ? "%-*s" : "%*s", c->width < 0 ? 0 : c->width,
			wide_text(v, text));
	else
		conv_int(stderr, c, (uint64_t)v, h->kind == COUNT_OF ? &u64 : &s64);
}

static void show_format(struct agg *const *of, unsigned n, const struct piece *p, unsigned np)
{
	static const struct type u32 = { "", 4, false }; /* an enum without negative values */
	struct row rows[AGGS * ENTRIES];
	unsigned nrows = rows_of(of, n, rows);

	for (unsigned r = 0; r < nrows; r++)
		for (unsigned i = 0, key = 0, value = 0; i < np; i++) {
			const struct agg *a = of[value];
			const struct cell *v = &rows[r].cells[value][ncpus];

			if (p[i].kind == LITERAL) {
				fputs(p[i].text, stderr);
			} else if (p[i].kind == KEY) {
				unsigned type = a->sig->type[key];
				const struct key *k = &rows[r].keys[key++];

				if (type == STRING)
					conv_string(stderr, &p[i].c, k->s);
				else
					conv_int(stderr, &p[i].c, k->n,
						 type == ENUM ? &u32 : &types[type]);
			} else {
				if (a->h.kind >= QUANTIZE)
					cell_show(&a->h, v, a->norm, opt.zoom);
				else
					value_show(&a->h, &p[i].c, cell_value(&a->h, v, a->norm));
				value += value + 1 < n;
			}
		}
}

static void agg_name(const struct agg *a)
{
	printf("@a%u", (unsigned)(a - aggs));
}

/* One aggregation, or several with the same keys. */
static void printa(bool percpu)
{
	struct agg *of[AGGS], *first = &aggs[rnd(naggs)];
	struct piece pieces[16];
	unsigned n = 1, np = chance(50) && !percpu ? pieces_random(first->sig, pieces) : 0;

	of[0] = first;
	for (unsigned i = 0; i < naggs && chance(60); i++)
		if (&aggs[i] != first && aggs[i].sig == first->sig)
			of[n++] = &aggs[i];
	fputs("\tprinta(", stdout);
	if (np) {
		putchar('"');
		pieces_write(pieces, np);
		fputs("\", ", stdout);
	}
	for (unsigned i = 0; i < n; i++) {
		fputs(i ? ", " : "", stdout);
		agg_name(of[i]);
		of[i]->printed = true;
	}
	fputs(");\n", stdout);
	if (np) {
		show_format(of, n, pieces, np);
	} else {
		fputc('\n', stderr);
		show_rows(of, n);
	}
}

/* ---- other actions -------------------------------------------------------------------------- */

static void trunc_to(struct agg *a, int64_t n)
{
	struct row rows[ENTRIES];
	struct entry kept[ENTRIES];
	unsigned nrows, nkept = 0, most = n < 0 ? -n : n;

	plain_order = true;
	nrows = rows_of(&a, 1, rows);
	plain_order = false;
	for (unsigned i = 0; i < nrows; i++)
		if (n > 0 ? i + most >= nrows : i < most)
			kept[nkept++] = *find(a, rows[i].keys);
	memcpy(a->e, kept, sizeof(kept));
	a->n = nkept;
}

static void set_option(void)
{
	static const char *const names[] = { "aggsortkey", "aggsortrev", "aggsortkeypos",
					     "aggsortpos" };
	unsigned k = rnd(COUNT(names)), n = rnd(3);

	if (k < 2)
		printf("\tsetopt(\"%s\");\n", names[k]);
	else
		printf("\tsetopt(\"%s\", \"%u\");\n", names[k], n);
	opt.sortkey |= k == 0;
	opt.sortrev |= k == 1;
	opt.keypos = k == 2 ? n : opt.keypos;
	opt.pos = k == 3 ? n : opt.pos;
}

static void action(void)
{
	static const char *const names[] = { "clear", "trunc", "trunc", "normalize",
					     "denormalize" };
	struct agg *a = &aggs[rnd(naggs)];
	unsigned k = rnd(12);
	int64_t n = rnd(9) - 4;

	if (k >= COUNT(names)) {
		k == 5 ? set_option() : printa(opt.percpu);
		return;
	}
	printf("\t%s(", names[k]);
	agg_name(a);
	if (k == 0)
		for (unsigned i = 0; i < a->n; i++)
			entry_clear(&a->e[i]);
	if (k == 1)
		n = 0;
	if (k == 2)
		printf(", %d", (int)n);
	if (k == 1 || k == 2)
		trunc_to(a, n);
	if (k == 3)
		printf(", %lld", (long long)(a->norm = chance(20) ? 1 + (int64_t)(number() >> 2)
								  : 1 + rnd(12)));
	if (k == 4)
		a->norm = 1;
	fputs(");\n", stdout);
}

/* ---- filling --------------------------------------------------------------------------------- */

/* Is the number the same in both types?  If not, the key would get a type that holds both. */
static bool same_in(const struct type *a, const struct type *b, uint64_t n)
{
	return narrow(n, a) == narrow(n, b) &&
	       ((int64_t)narrow(n, a) >= 0 || a->is_signed == b->is_signed);
}

/* Behind the first use, which says what the type is, numbers that fit it may have other types. */
static void write_key(unsigned type, const struct key *k, bool first)
{
	const struct type *other = &PICK(types);

	if (type == STRING)
		write_string(k->s);
	else if (!first && type != ENUM && other->bytes >= types[type].bytes && chance(15) &&
		 same_in(&types[type], other, k->n))
		printf("(%s)%lluULL", other->name, (unsigned long long)k->n);
	else
		printf("(%s)%lluULL", type == ENUM ? "enum colour" : types[type].name,
		       (unsigned long long)k->n);
}

/* looped: one loop is enough for a clause, as the verifier follows its turns. */
static bool update(unsigned cpu, bool looped)
{
	struct agg *a = &aggs[rnd(AGGS)];
	struct key keys[KEYS] = { 0 };
	uint64_t x;
	int64_t weight = chance(90) ? (int64_t)rnd(20) - (chance(20) ? 10 : 0) : (int64_t)number();
	bool weighs, first, loops = !looped && chance(20);
	struct entry *e;
	struct value value = value_random();
	char text[40];
	unsigned times = 1;
	uint64_t by = 0;

	if (a - aggs > naggs)
		a = &aggs[naggs];
	first = a == &aggs[naggs];
	naggs += first;
	x = hist_random(&a->h);
	weighs = a->h.kind >= QUANTIZE && chance(40);
	printf("\tx = %lluULL; ", (unsigned long long)x);
	value_text(&value, text, sizeof(text));
	if (loops) {
		times = rnd(20);
		by = chance(70) ? rnd(9) : number();
		printf("for (i = 0; i < %u; i++) {\n\t\tx += %lluULL; ", times,
		       (unsigned long long)by);
		x += by;
	}
	value_store(&value);
	agg_name(a);
	for (unsigned k = 0; k < a->sig->n; k++) {
		const struct key *from = &a->sig->pool[k][rnd(POOL)];

		fputs(k ? ", " : "[", stdout);
		write_key(a->sig->type[k], from, first);
		keys[k] = *from;
		if (opt.strsize && strlen(from->s) >= opt.strsize)
			keys[k].s[opt.strsize - 1] = 0;
	}
	printf("%s = ", a->sig->n ? "]" : "");
	hist_write(&a->h, text, weighs ? &weight : NULL);
	if (loops)
		fputs("\t}\n", stdout);
	for (e = times ? find_or_add(a, keys) : NULL; e && times; times--, x += by) {
		int64_t v = value_made(&value, x);

		cell_add(&a->h, &e->cells[cpu], v, weighs ? weight : 1);
		cell_add(&a->h, &e->cells[ncpus], v, weighs ? weight : 1);
	}
	return looped || loops;
}

/* ---- the program ----------------------------------------------------------------------------- */

static void probe(unsigned part)
{
	if (part == 0 || part == PARTS)
		printf("%s\n{\n", part ? "END" : "BEGIN");
	else
		printf("syscall::kill:entry\n/arg0 == %d && arg1 == %u && progenyof($pid)/\n{\n",
		       UNLIKELY, part);
}

/* In front of what a clause records. */
static void columns(unsigned part, unsigned cpu, unsigned id)
{
	static bool headed;
	const char *name = part == 0 ? ":BEGIN" : part == PARTS ? ":END" : "kill:entry";

	if (opt.quiet)
		return;
	if (!headed)
		fprintf(stderr, "%3s %6s %32s\n", "CPU", "ID", "FUNCTION:NAME");
	headed = true;
	fprintf(stderr, "%3d %6d %32s ", cpu, part == 0 ? 1 : part == PARTS ? 2 : id, name);
}

static void part(unsigned no, unsigned id, const char *self)
{
	static unsigned cpu, to;
	unsigned updates = no && no < PARTS ? 1 + rnd(16) : 4 + rnd(16);

	cpu = no && no < PARTS ? to : home;
	probe(no);
	if (!no)
		printf("\tn%u = 0;\n", VARS - 1);
	for (bool looped = false; updates--;)
		looped = update(cpu, looped);
	fputs("}\n", stdout);
	for (unsigned clauses = 1 + rnd(3); clauses--;) {
		probe(no);
		columns(no, cpu, id);
		for (unsigned n = 1 + rnd(4); n--;)
			action();
		if (!clauses && no < PARTS - 1) {
			to = cpus[rnd(nallowed)];
			printf("\tsystem(\"%s -k %u %u\");\n", self, to, no + 1);
		} else if (!clauses && no == PARTS - 1) {
			fputs("\texit(0);\n", stdout);
		}
		fputs(opt.quiet ? "" : "\n", stderr);
		fputs("}\n", stdout);
	}
}

static void flag(const char *name, bool *set, unsigned percent)
{
	*set = chance(percent);
	if (*set)
		printf("#pragma D option %s\n", name);
}

static void value_of(const char *name, unsigned *n, unsigned percent, unsigned from, unsigned most)
{
	*n = chance(percent) ? from + rnd(most) : 0;
	if (*n)
		printf("#pragma D option %s=%u\n", name, *n);
}

static void options(void)
{
	puts("#pragma D option destructive");
	flag("quiet", &opt.quiet, 70);
	flag("aggsortkey", &opt.sortkey, 20);
	flag("aggsortrev", &opt.sortrev, 20);
	flag("aggpercpu", &opt.percpu, 15);
	flag("aggzoom", &opt.zoom, 15);
	value_of("aggsortkeypos", &opt.keypos, 30, 0, KEYS + 1);
	value_of("aggsortpos", &opt.pos, 30, 0, 4);
	value_of("strsize", &opt.strsize, 30, 2, 21);
}

static void shapes(void)
{
	static const char *const texts[] = {
		"",
		"a",
		"b",
		"ab",
		"abc",
		"abcdefgh",
		"abcdefghi",
		"Zebra",
		"two words",
		"it's \"quoted\" \\",
		"a text of sixty-four characters, neither more nor less than that",
		"a text of fifty characters, as wide as the column",
	};

	for (unsigned i = 0; i < COUNT(sigs); i++) {
		sigs[i].n = rnd(KEYS + 1);
		for (unsigned k = 0; k < sigs[i].n; k++) {
			sigs[i].type[k] = chance(35) ? STRING : rnd(KEY_TYPES);
			for (unsigned v = 0; v < POOL; v++) {
				struct key *key = &sigs[i].pool[k][v];

				if (sigs[i].type[k] == STRING)
					strcpy(key->s, PICK(texts));
				else
					key->n =
						sigs[i].type[k] == ENUM
							? rnd(4)
							: narrow(number(), &types[sigs[i].type[k]]);
			}
		}
	}
	for (unsigned i = 0; i < AGGS; i++) {
		aggs[i].sig = &sigs[rnd(COUNT(sigs))];
		aggs[i].norm = 1;
		hist_choose(&aggs[i].h);
	}
}

static int fire(unsigned cpu, int signal)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		return 1;
	kill(UNLIKELY, signal);
	return 0;
}

int main(int argc, char **argv)
{
	char self[4096] = "";
	cpu_set_t set;

	if (argc == 4 && !strcmp(argv[1], "-k"))
		return fire(atoi(argv[2]), atoi(argv[3]));
	if (argc != 3 || readlink("/proc/self/exe", self, sizeof(self) - 1) < 0 ||
	    sched_getaffinity(0, sizeof(set), &set))
		return 2;
	state = strtoull(argv[1], NULL, 0);
	ncpus = sysconf(_SC_NPROCESSORS_CONF);
	for (unsigned c = 0; c < ncpus; c++)
		if (CPU_ISSET(c, &set))
			cpus[nallowed++] = c;
	home = cpus[rnd(nallowed)];
	printf("/* CPU %u */\n", home);
	options();
	puts("enum colour { RED, GREEN, BLUE = 3 };\nint64_t x; int i;");
	vars_declare();
	shapes();
	for (unsigned i = 0; i <= PARTS; i++)
		part(i, atoi(argv[2]), self);
	fputc('\n', stderr);
	for (unsigned i = 0; i < naggs; i++) {
		struct agg *a = &aggs[opt.sortrev ? naggs - 1 - i : i];

		if (!a->printed)
			show_rows(&a, 1);
	}
	return 0;
}
