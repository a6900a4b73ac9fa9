/* SPDX-License-Identifier: BSD-2-Clause */
/* mallocs SIZE:COUNT…: main calls outer(), which calls inner() COUNT times, which calls
 * malloc(SIZE). */
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) void *inner(size_t size)
{
	void *p = malloc(size);

	__asm__ volatile("" : "+r"(p) : : "memory");
	return p;
}

__attribute__((noinline)) int outer(size_t size, long count)
{
	int failed = 0;

	while (count-- > 0) {
		void *p = inner(size);

		failed |= !p;
		free(p);
	}
	return failed;
}

int main(int argc, char **argv)
{
	int failed = 0;

	for (int i = 1; i < argc; i++)
		failed |= outer(atol(argv[i]),
				strchr(argv[i], ':') ? atol(strchr(argv[i], ':') + 1) : 1);
	return failed;
}
