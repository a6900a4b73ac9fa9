/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * expr.c - random integer expressions, and what each must give.
 *
 * usage: expr SEED [EXPRESSIONS [DEPTH]]        the D program on standard output, what it
 *                                               prints on standard error
 *
 * The values are computed here by D's rules, in this compiler's arithmetic: 64 bits
 * throughout, narrowed by casts, stores and records only; the type of an operation is that of
 * the wider operand, of the unsigned one when they are equally wide, and decides how
 * numbers are compared, divided and shifted.
 */
#include "model.h"

#define NODES     4096

static const struct type *const int_type = &types[4];

/* Where variables live: what is in front of their names. */
static const char *const scopes[] = { "", "self->", "this->" };

struct var { const char *scope; const struct type *type; uint64_t value; };

static struct var vars[30];

enum kind { LITERAL, VAR, UNARY, BINARY, COND, CAST, ASSIGN, STEP, COMMA };

struct expr {
	enum kind kind;
	const char *op;
	const struct type *type;
	struct expr *a, *b, *c;
	struct var *var;
	uint64_t value;          /* LITERAL */
	const char *suffix;
	bool negated;            /* LITERAL: -3U is an unsigned int */
	bool prefix;             /* STEP */
};

static struct expr nodes[NODES];
static unsigned nnodes;

/* ---- making -------------------------------------------------------------------------- */

static struct expr *node(enum kind kind, const char *op, const struct type *type,
			 struct expr *a, struct expr *b)
{
	struct expr *e = &nodes[nnodes++];

	if (nnodes == NODES)
		exit(2);
	*e = (struct expr){ .kind = kind, .op = op, .type = type, .a = a, .b = b };
	return e;
}

static struct expr *make(unsigned depth);

static struct expr *literal(void)
{
	static const struct { const char *suffix; unsigned type; uint64_t most; } kinds[] = {
		{ "", 4, INT32_MAX }, { "U", 5, UINT32_MAX }, { "L", 6, INT64_MAX },
		{ "UL", 7, UINT64_MAX }, { "LL", 8, INT64_MAX }, { "ULL", 7, UINT64_MAX },
	};
	unsigned k = rnd(COUNT(kinds));
	struct expr *e = node(LITERAL, "", &types[kinds[k].type], NULL, NULL);

	e->value = number() & kinds[k].most;
	e->suffix = kinds[k].suffix;
	e->negated = kinds[k].type == 5 && !rnd(3);
	return e;
}

static struct expr *variable(void)
{
	struct expr *e = node(VAR, "", NULL, NULL, NULL);

	e->var = &vars[rnd(COUNT(vars))];
	e->type = e->var->type;
	return e;
}

/* Never zero, and not known before the program runs. */
static struct expr *divisor(unsigned depth)
{
	struct expr *one = node(LITERAL, "", int_type, NULL, NULL), *e = make(depth);

	one->value = 1;
	one->suffix = "";
	return node(BINARY, "|", wider(e->type, int_type),
		    node(BINARY, "^", wider(e->type, int_type), e, one), one);
}

static struct expr *binary(unsigned depth)
{
	static const char *const ops[] = {
		"+", "-",  "*", "/",  "%",  "&",  "|",  "^",  "<<", ">>",
		"<", "<=", ">", ">=", "==", "!=", "&&", "||", "^^",
	};
	unsigned k = rnd(COUNT(ops));
	struct expr *a = make(depth), *b = k == 3 || k == 4 ? divisor(depth) : make(depth);

	return node(BINARY, ops[k],
		    k >= 10  ? int_type
		    : k >= 8 ? a->type
			     : wider(a->type, b->type),
		    a, b);
}

static struct expr *change(unsigned depth)
{
	static const char *const ops[] = { "=",  "+=", "-=", "*=",  "/=", "%=",
					   "&=", "|=", "^=", "<<=", ">>=" };
	struct expr *to = variable();
	unsigned k = rnd(COUNT(ops));
	struct expr *e;

	if (rnd(2))
		return node(ASSIGN, ops[k], to->type, to,
			    k == 4 || k == 5 ? divisor(depth) : make(depth));
	e = node(STEP, rnd(2) ? "++" : "--", to->type, to, NULL);
	e->prefix = rnd(2);
	return e;
}

static struct expr *make(unsigned depth)
{
	static const char *const unary[] = { "-", "~", "!", "+" };
	struct expr *a, *b, *e;
	unsigned k = rnd(20);

	if (!depth || k < 2)
		return rnd(3) ? variable() : literal();
	depth--;
	if (k < 11)
		return binary(depth);
	a = make(depth);
	if (k < 14) {
		k = rnd(COUNT(unary));
		return node(UNARY, unary[k], k == 2 ? int_type : a->type, a, NULL);
	}
	if (k < 16)
		return node(CAST, "", &types[rnd(COUNT(types))], a, NULL);
	if (k < 17)
		return change(depth);
	b = make(depth);
	if (k < 18)
		return node(COMMA, ",", b->type, a, b);
	e = node(COND, "?", NULL, variable(), a);
	e->c = b;
	e->type = wider(a->type, b->type);
	return e;
}

/* ---- writing ------------------------------------------------------------------------------- */

static void name(const struct var *v)
{
	printf("%sv%u", v->scope, (unsigned)(v - vars));
}

static void show(const struct expr *e)
{
	putchar('(');
	switch (e->kind) {
	case LITERAL:
		printf("%s%llu%s", e->negated ? "-" : "", (unsigned long long)e->value, e->suffix);
		break;
	case VAR:
		name(e->var);
		break;
	case UNARY:
		printf("%s ", e->op);
		show(e->a);
		break;
	case CAST:
		printf("(%s)", e->type->name);
		show(e->a);
		break;
	case STEP:
		fputs(e->prefix ? e->op : "", stdout);
		name(e->a->var);
		fputs(e->prefix ? "" : e->op, stdout);
		break;
	case ASSIGN:
		name(e->a->var);
		printf(" %s ", e->op);
		show(e->b);
		break;
	default:
		show(e->a);
		printf(" %s ", e->op);
		show(e->b);
	}
	if (e->kind == COND) {
		fputs(" : ", stdout);
		show(e->c);
	}
	putchar(')');
}

/* Known before the program runs: then a minus in front of an unsigned number keeps its width. */
static bool is_constant(const struct expr *e)
{
	switch (e->kind) {
	case LITERAL: return true;
	case UNARY:
	case CAST: return is_constant(e->a);
	case BINARY: return is_constant(e->a) && is_constant(e->b);
	default: return false;
	}
}

/* ---- computing ------------------------------------------------------------------------------ */

static uint64_t divided(uint64_t a, uint64_t b, bool is_signed, bool rest)
{
	if (is_signed && b == ~0ull)
		return rest ? 0 : 0 - a;         /* the least number divided by -1 is itself */
	if (is_signed)
		return rest ? (int64_t)a % (int64_t)b : (int64_t)a / (int64_t)b;
	return rest ? a % b : a / b;
}

static bool compared(const char *op, uint64_t a, uint64_t b, bool is_signed)
{
	bool less = is_signed ? (int64_t)a < (int64_t)b : a < b, equal = a == b;

	switch (op[0]) {
	case '<': return less || (op[1] && equal);
	case '>': return !less && (op[1] || !equal);
	case '=': return equal;
	default: return !equal;
	}
}

static uint64_t computed(const struct expr *e, const char *op, uint64_t a, uint64_t b,
			 const struct type *type)
{
	switch (op[0]) {
	case '+': return a + b;
	case '-': return a - b;
	case '*': return a * b;
	case '/':
	case '%': return divided(a, b, type->is_signed, op[0] == '%');
	case '&': return a & b;
	case '|': return a | b;
	case '^': return op[1] == '^' ? !a != !b : a ^ b;
	}
	if (op[0] == op[1] && op[0] == '<')
		return a << (b & 63);
	if (op[0] == op[1] && op[0] == '>')
		return type->is_signed ? (uint64_t)((int64_t)a >> (b & 63)) : a >> (b & 63);
	return compared(op, a, b, wider(e->a->type, e->b->type)->is_signed);
}

static uint64_t value(const struct expr *e)
{
	uint64_t a, b;

	switch (e->kind) {
	case LITERAL:
		return e->negated ? narrow(0 - e->value, e->type) : e->value;
	case VAR:
		return e->var->value;
	case UNARY:
		a = value(e->a);
		if (*e->op == '-' && !e->type->is_signed && is_constant(e->a))
			return narrow(0 - a, e->type);
		return *e->op == '-' ? 0 - a : *e->op == '~' ? ~a : *e->op == '!' ? !a : a;
	case CAST:
		return narrow(value(e->a), e->type);
	case COND:
		return value(e->a) ? value(e->b) : value(e->c);
	case COMMA:
		value(e->a);
		return value(e->b);
	case STEP:
		a = e->a->var->value;
		b = narrow(a + (*e->op == '+' ? 1 : -1), e->type);
		e->a->var->value = b;
		return e->prefix ? b : a;
	case ASSIGN:
		a = e->a->var->value;
		b = value(e->b);
		if (e->op[0] != '=')
			b = computed(e, e->op, a, b, *e->op == '/' || *e->op == '%' ?
				     wider(e->type, e->b->type) : e->type);
		return e->a->var->value = narrow(b, e->type);
	default:
		a = value(e->a);
		if (e->op[0] == e->op[1] && (e->op[0] == '&' || e->op[0] == '|'))
			return !!a == (e->op[0] == '|') ? !!a : !!value(e->b);
		return computed(e, e->op, a, value(e->b), e->type);
	}
}

/* ---- the program ---------------------------------------------------------------------------- */

static void declare(void)
{
	for (unsigned i = 0; i < COUNT(vars); i++) {
		vars[i].scope = scopes[i % COUNT(scopes)];
		vars[i].type = &types[rnd(COUNT(types))];
		printf("%.4s %s v%u;\n", i % 3 == 0 ? "" : i % 3 == 1 ? "self" : "this",
		       vars[i].type->name, i);
	}
}

/* Stores, so that the checker folds nothing. */
static void initialise(void)
{
	for (unsigned i = 0; i < COUNT(vars); i++) {
		uint64_t v = number();

		vars[i].value = narrow(v, vars[i].type);
		printf("\t");
		name(&vars[i]);
		printf(" = %lluULL;\n", (unsigned long long)v);
	}
}

int main(int argc, char **argv)
{
	unsigned count = argc > 2 ? atoi(argv[2]) : 20, depth = argc > 3 ? atoi(argv[3]) : 4;

	if (argc < 2) {
		fputs("usage: expr SEED [EXPRESSIONS [DEPTH]]\n", stderr);
		return 2;
	}
	state = strtoull(argv[1], NULL, 0);
	declare();
	printf("BEGIN\n{\n");
	initialise();
	for (unsigned i = 0; i < count; i++) {
		struct expr *e;
		uint64_t v;

		nnodes = 0;
		e = make(1 + rnd(depth));
		v = value(e);
		printf("\tprintf(\"%u %%d\\n\", (long long)", i);
		show(e);
		printf(");\n");
		fprintf(stderr, "%u %lld\n", i, (long long)v);
	}
	printf("\texit(0);\n}\n");
	return 0;
}
