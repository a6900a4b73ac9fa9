/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * turns.c - random clauses of loops and conditions, and what they leave.
 *
 * usage: turns SEED        the D program on standard output, what it prints on standard error
 *
 * Loops within conditions within loops, left by break, continue and return, over variables of
 * all scopes and widths, elements and an aggregation.  The program is computed here, statement
 * by statement.  Each loop has a variable of its own, so that it ends.
 */
#include <unistd.h>

#include "model.h"

#define DEPTH   5                /* of loops */
#define NESTS   9                /* of loops and conditions */

static const char *const scopes[] = { "", "self->", "this->" };

struct var { const char *scope; const struct type *type; uint64_t value; };

static struct var vars[12], counters[40];
static unsigned ncounters;
static uint64_t elements[8], total;

struct expr {
	const char *op;                  /* "": a literal, "v": a variable, "[": an element */
	const struct type *type;
	struct expr *a, *b;
	struct var *var;
	uint64_t value;
};

enum kind { ASSIGN, ELEMENT, SUM, IF, FOR, WHILE, BREAK, CONTINUE, RETURN };

struct stmt {
	enum kind kind;
	const char *op;
	struct var *var;
	struct expr *to, *e;
	struct stmt *yes, *no, *next;
	uint64_t turns;
};

static unsigned budget, in_loops, nested;

static void *room(size_t n)
{
	void *p = calloc(1, n);

	if (!p)
		exit(2);
	return p;
}

/* ---- making ---------------------------------------------------------------------------- */

static struct expr *expr(unsigned depth)
{
	static const char *const ops[] = { "+", "-", "*", "&", "|", "^" };
	struct expr *e = room(sizeof(*e));
	unsigned k = rnd(10);

	if (depth && k < 4) {
		e->op = PICK(ops);
		e->a = expr(depth - 1);
		e->b = expr(depth - 1);
		e->type = wider(e->a->type, e->b->type);
	} else if (k < 5) {
		e->op = "[";
		e->value = rnd(COUNT(elements));
		e->type = type_of("long");
	} else if (k < 8) {
		e->op = "v";
		e->var = ncounters && chance(40) ? &counters[rnd(ncounters)] : &PICK(vars);
		e->type = e->var->type;
	} else {
		e->op = "";
		e->value = chance(80) ? rnd(12) : number() & INT32_MAX;
		e->type = type_of("int");
	}
	return e;
}

static struct expr *condition(void)
{
	static const char *const ops[] = { "<", "<=", ">", ">=", "==", "!=" };
	struct expr *e = expr(1), *c;

	if (chance(25))
		return e;
	c = room(sizeof(*c));
	c->op = PICK(ops);
	c->a = e;
	c->b = expr(1);
	c->type = type_of("int");
	return c;
}

static struct stmt *list(unsigned n);

static struct stmt *loop(void)
{
	struct stmt *s = room(sizeof(*s));
	struct var *v = &counters[ncounters++];

	s->kind = chance(60) ? FOR : WHILE;
	v->scope = PICK(scopes);
	v->type = &PICK(types);
	s->var = v;
	s->turns = rnd(chance(20) && !in_loops ? 30 : in_loops < 3 ? 7 : 4);
	in_loops++;
	nested++;
	s->yes = list(1 + rnd(4));
	nested--;
	in_loops--;
	return s;
}

static struct stmt *jump(void)
{
	struct stmt *s = room(sizeof(*s));

	s->kind = !in_loops || chance(4) ? RETURN : chance(60) ? BREAK : CONTINUE;
	return s;
}

static struct stmt *branch(void)
{
	struct stmt *s = room(sizeof(*s));

	s->kind = IF;
	s->e = condition();
	nested++;
	s->yes = chance(in_loops ? 30 : 2) ? jump() : list(1 + rnd(3));
	s->no = chance(40) ? list(1 + rnd(3)) : NULL;
	nested--;
	return s;
}

static struct stmt *simple(void)
{
	static const char *const ops[] = { "=", "+=", "-=", "^=", "|=", "*=" };
	struct stmt *s = room(sizeof(*s));

	s->kind = chance(70) ? ASSIGN : chance(60) ? ELEMENT : SUM;
	s->op = s->kind == ASSIGN ? PICK(ops) : "+=";
	s->var = &PICK(vars);
	s->turns = rnd(COUNT(elements));
	s->e = expr(2);
	return s;
}

static struct stmt *list(unsigned n)
{
	struct stmt *first = NULL, **last = &first;

	for (; n && budget; n--, last = &(*last)->next) {
		unsigned k = rnd(100);

		budget--;
		if (k < 30 && nested < NESTS)
			*last = branch();
		else if (k < 50 && nested < NESTS && in_loops < DEPTH &&
			 ncounters < COUNT(counters))
			*last = loop();
		else
			*last = simple();
	}
	return first;
}

/* ---- writing --------------------------------------------------------------------------- */

static void name(const struct var *v)
{
	if (v >= vars && v < vars + COUNT(vars))
		printf("%sv%u", v->scope, (unsigned)(v - vars));
	else
		printf("%si%u", v->scope, (unsigned)(v - counters));
}

static void show(const struct expr *e)
{
	if (*e->op == 'v') {
		name(e->var);
	} else if (*e->op == '[') {
		printf("m[%u]", (unsigned)e->value);
	} else if (!*e->op) {
		printf("%llu", (unsigned long long)e->value);
	} else {
		putchar('(');
		show(e->a);
		printf(" %s ", e->op);
		show(e->b);
		putchar(')');
	}
}

static void write_list(const struct stmt *s, unsigned in);

static void indent(unsigned in)
{
	while (in--)
		putchar('\t');
}

static void write_block(const struct stmt *s, unsigned in)
{
	fputs(" {\n", stdout);
	write_list(s, in + 1);
	indent(in);
	fputs("}\n", stdout);
}

static void write_loop(const struct stmt *s, unsigned in)
{
	if (s->kind == FOR) {
		fputs("for (", stdout);
		name(s->var);
		fputs(" = 0; ", stdout);
		name(s->var);
		printf(" < %u; ", (unsigned)s->turns);
		name(s->var);
		fputs("++)", stdout);
		write_block(s->yes, in);
		return;
	}
	name(s->var);
	fputs(" = 0;\n", stdout);
	indent(in);
	fputs("while (", stdout);
	name(s->var);
	printf("++ < %u)", (unsigned)s->turns);
	write_block(s->yes, in);
}

static void write_one(const struct stmt *s, unsigned in)
{
	indent(in);
	switch (s->kind) {
	case ASSIGN:
		name(s->var);
		printf(" %s ", s->op);
		show(s->e);
		break;
	case ELEMENT:
		printf("m[%u] += ", (unsigned)s->turns);
		show(s->e);
		break;
	case SUM:
		fputs("@ = sum(", stdout);
		show(s->e);
		putchar(')');
		break;
	case IF:
		fputs("if (", stdout);
		show(s->e);
		putchar(')');
		write_block(s->yes, in);
		if (s->no) {
			indent(in);
			fputs("else", stdout);
			write_block(s->no, in);
		}
		return;
	case FOR:
	case WHILE:
		write_loop(s, in);
		return;
	default:
		fputs(s->kind == BREAK ? "break" : s->kind == CONTINUE ? "continue" : "return",
		      stdout);
	}
	fputs(";\n", stdout);
}

static void write_list(const struct stmt *s, unsigned in)
{
	for (; s; s = s->next)
		write_one(s, in);
}

/* ---- computing ------------------------------------------------------------------------- */

static uint64_t value(const struct expr *e)
{
	uint64_t a, b;
	bool less;

	if (!*e->op)
		return e->value;
	if (*e->op == 'v')
		return e->var->value;
	if (*e->op == '[')
		return elements[e->value];
	a = value(e->a);
	b = value(e->b);
	less = wider(e->a->type, e->b->type)->is_signed ? (int64_t)a < (int64_t)b : a < b;
	switch (*e->op) {
	case '+': return a + b;
	case '-': return a - b;
	case '*': return a * b;
	case '&': return a & b;
	case '|': return a | b;
	case '^': return a ^ b;
	case '<': return less || (e->op[1] && a == b);
	case '>': return !less && (e->op[1] || a != b);
	default: return (a == b) == (*e->op == '=');
	}
}

static void assign(struct var *v, const char *op, uint64_t x)
{
	uint64_t old = v->value;

	x = *op == '=' ? x : *op == '+' ? old + x : *op == '-' ? old - x : *op == '^' ? old ^ x :
	    *op == '|' ? old | x : old * x;
	v->value = narrow(x, v->type);
}

/* What ended it: BREAK, CONTINUE, RETURN; else IF. */
static enum kind run(const struct stmt *s);

static enum kind run_loop(const struct stmt *s)
{
	enum kind end;

	for (s->var->value = 0; ; s->var->value += s->kind == FOR) {
		bool on = s->var->value < s->turns;

		if (s->kind == WHILE)
			s->var->value++;
		if (!on)
			return IF;
		end = run(s->yes);
		if (end == BREAK)
			return IF;
		if (end == RETURN)
			return end;
	}
}

static enum kind run_one(const struct stmt *s)
{
	switch (s->kind) {
	case ASSIGN:
		assign(s->var, s->op, value(s->e));
		return IF;
	case ELEMENT:
		elements[s->turns] += value(s->e);
		return IF;
	case SUM:
		total += value(s->e);
		return IF;
	case IF:
		return run(value(s->e) ? s->yes : s->no);
	case FOR:
	case WHILE:
		return run_loop(s);
	default:
		return s->kind;
	}
}

static enum kind run(const struct stmt *s)
{
	enum kind end = IF;

	for (; s && end == IF; s = s->next)
		end = run_one(s);
	return end;
}

/* ---- the program ----------------------------------------------------------------------- */

static void declare(struct var *v)
{
	printf("%.4s %s ", *v->scope ? v->scope : "", v->type->name);
	printf("%s%u;\n", v >= vars && v < vars + COUNT(vars) ? "v" : "i",
	       (unsigned)(v - (v >= vars && v < vars + COUNT(vars) ? vars : counters)));
}

static void print(const struct var *v)
{
	fputs("\tprintf(\"%d\\n\", (long long)", stdout);
	name(v);
	fputs(");\n", stdout);
	fprintf(stderr, "%lld\n", (long long)v->value);
}

int main(int argc, char **argv)
{
	struct stmt *body;

	if (argc < 2) {
		fputs("usage: turns SEED\n", stderr);
		return 2;
	}
	state = strtoull(argv[1], NULL, 0);
	printf("/* CPU %u */\n", rnd(sysconf(_SC_NPROCESSORS_ONLN)));
	puts("#pragma D option quiet\nlong m[int];");
	for (unsigned i = 0; i < COUNT(vars); i++)
		vars[i] = (struct var){ scopes[i % 3], &PICK(types), 0 };
	budget = 5 + rnd(chance(20) ? 80 : 25);
	body = list(3 + rnd(6));
	for (unsigned i = 0; i < COUNT(vars); i++)
		declare(&vars[i]);
	for (unsigned i = 0; i < ncounters; i++)
		declare(&counters[i]);
	puts("BEGIN\n{\n\t@ = sum(0);");
	for (unsigned i = 0; i < COUNT(vars); i++) {
		vars[i].value = narrow(chance(70) ? rnd(9) : number(), vars[i].type);
		putchar('\t');
		name(&vars[i]);
		printf(" = %lluULL;\n", (unsigned long long)vars[i].value);
	}
	puts("}\nBEGIN\n{");
	write_list(body, 1);
	run(body);
	puts("}\nBEGIN\n{");
	for (unsigned i = 0; i < COUNT(vars); i++)
		print(&vars[i]);
	for (unsigned i = 0; i < COUNT(elements); i++) {
		printf("\tprintf(\"%%d\\n\", m[%u]);\n", i);
		fprintf(stderr, "%lld\n", (long long)elements[i]);
	}
	puts("\tprinta(\"%@d\\n\", @);\n\texit(0);\n}");
	fprintf(stderr, "%lld\n\n", (long long)total);
	return 0;
}
