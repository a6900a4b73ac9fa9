/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * leaks SIZE COUNT: keep() takes COUNT blocks of SIZE bytes that are never freed; churn() takes as
 * many and frees them; grow() takes one block of SIZE bytes and makes it COUNT times as large, in
 * COUNT - 1 steps.
 */
#include <stdlib.h>

static void *volatile kept;

__attribute__((noinline)) void keep(size_t size, long count)
{
	while (count-- > 0)
		kept = malloc(size);
}

__attribute__((noinline)) void churn(size_t size, long count)
{
	while (count-- > 0) {
		void *volatile p = calloc(1, size);

		free(p);
	}
}

__attribute__((noinline)) void grow(size_t size, long count)
{
	void *p = NULL;

	for (long i = 1; i <= count; i++) {
		p = realloc(p, i * size);
		kept = p;
	}
}

int main(int argc, char **argv)
{
	size_t size = argc > 1 ? atol(argv[1]) : 100;
	long count = argc > 2 ? atol(argv[2]) : 10;

	keep(size, count);
	churn(size, count);
	grow(size, count);
	return !kept;
}
