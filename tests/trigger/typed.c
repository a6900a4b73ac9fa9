/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * typed.c - functions with arguments of many types, each called once with values that the
 * tests know.  Compiled with -g.
 */
#include <stddef.h>
#include <stdint.h>

struct list_head { char mine[3]; };   /* the kernel has another */
struct list_head own = { "ab" };
enum colour { RED = 1, GREEN = 2, BLUE = -3 };
enum shade { PALE = 200, DARK = 40000, BLACK = 3000000000 }; /* each has the top bit of its bytes */
enum far { NEAR = 1, FAR = 0x100000001 };   /* of 8 bytes */
typedef unsigned long tally_t;
typedef struct point { short x, y; } point_t;

struct flags {
	unsigned low : 3, mid : 7;
	int high : 6;
	uint64_t wide : 40;
};

union either {
	int number;
	char text[4];
};

struct item {
	int id;
	enum colour colour;
	char tag[16];
	const char *name;
	struct item *next;
	struct { point_t from, to[2]; } line;
	struct flags flags;
	union either either;
	tally_t tally;
	double weight;
	union { long alias; void *address; };
};

struct pair { long a, b; };              /* in two registers */
struct triple { long a, b, c; };         /* on the stack */
struct single { int a; short b; };       /* in one register */
struct hidden;                           /* never defined */

static struct item second = {
	.id = 43, .colour = BLUE, .tag = "second", .name = "the other", .tally = 7,
};

static struct item first = {
	.id = 42, .colour = GREEN, .tag = "first", .name = "a longer name", .next = &second,
	.line = { { 1, -2 }, { { 3, 4 }, { -5, 6 } } },
	.flags = { 5, 100, -17, 0xabcdef0123 }, .either = { .number = 0x00636261 },
	.tally = 123456789012, .weight = 1.5, .alias = -9,
};

struct item *handle(struct item *item, const char *why, enum colour colour, signed char small)
{
	return item->next;
}

int sum(int a, long b, unsigned char c, short d, int e, long f, int seventh, long eighth)
{
	return a + b + c + d + e + f + seventh + eighth;
}

long by_value(struct single s, struct triple t, int last)
{
	return s.a + s.b + t.a + t.b + t.c + last;
}

long in_two(struct pair p, int last)
{
	return p.a + p.b + last;
}

struct mixed { long a; double d; };      /* in one of each kind */
double mixed(struct mixed m)
{
	return m.a + m.d;
}

struct halves { double a, b; };          /* in two for numbers with a point */
double halves(struct halves h)
{
	return h.a + h.b;
}

struct pair twice(struct pair p)
{
	return (struct pair){ 2 * p.a, 2 * p.b };
}

struct triple thrice(struct triple t)
{
	return (struct triple){ 3 * t.a, 3 * t.b, 3 * t.c };
}

double half(double d, int n)
{
	return d / n;
}

void each(int **numbers, tally_t count, struct hidden *h)
{
	**numbers += count + (h != NULL);
}

int reach(enum far far)
{
	return far != 0;
}

int paint(enum shade shade)
{
	return shade != 0;
}

/* A program reads only what is in memory: touch the texts. */
static void touch(const char *text)
{
	while (*(volatile const char *)text)
		text++;
}

int main(void)
{
	int numbers[] = { 11, 22 }, *p = numbers;

	touch(first.name);
	touch(second.name);
	touch("because");
	handle(&first, "because", BLUE, -1);
	sum(1, -2, 200, -300, 5, 1L << 40, 7, -8);
	by_value((struct single){ 10, -20 }, (struct triple){ 1, 2, -3 }, 99);
	in_two((struct pair){ 1, 2 }, 3);
	half(1.0, 4);
	mixed((struct mixed){ 1, 2 });
	halves((struct halves){ 1, 2 });
	twice((struct pair){ 4, -5 });
	thrice((struct triple){ 1, 2, -3 });
	each(&p, 2, NULL);
	reach(FAR);
	reach(NEAR);
	reach(FAR + NEAR);
	paint(PALE);
	paint(DARK);
	paint(BLACK);
	return 0;
}
