/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * deepstacks N [DEPTH]: N different stacks, each made of 14 (DEPTH) functions chosen by the bits of
 * a number; ends each in call().
 */
#include <stdlib.h>

static volatile unsigned sum;

__attribute__((noipa)) void call(unsigned n)
{
	sum += n;
}

static void down(unsigned n, unsigned depth);

__attribute__((noipa)) static void left(unsigned n, unsigned depth)
{
	down(n, depth);
	sum++;
}

__attribute__((noipa)) static void right(unsigned n, unsigned depth)
{
	down(n, depth);
	sum += 2;
}

static void down(unsigned n, unsigned depth)
{
	if (!depth)
		call(n);
	else if (n >> (depth - 1) & 1)
		right(n, depth - 1);
	else
		left(n, depth - 1);
}

int main(int argc, char **argv)
{
	unsigned n = argc > 1 ? atoi(argv[1]) : 1, depth = argc > 2 ? atoi(argv[2]) : 14;

	for (unsigned i = 0; i < n; i++)
		down(i, depth);
	return 0;
}
