/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * many [N CALLS]: 4,000 functions, many_0000 … many_3999, to set probes on.  CALLS calls of the
 * first N, one after the other; prints the nanoseconds of processor time they took.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define TEN(f, n) f(n##0) f(n##1) f(n##2) f(n##3) f(n##4) f(n##5) f(n##6) f(n##7) f(n##8) f(n##9)
#define HUNDRED(f, n)  TEN(f, n##0) TEN(f, n##1) TEN(f, n##2) TEN(f, n##3) TEN(f, n##4) \
		       TEN(f, n##5) TEN(f, n##6) TEN(f, n##7) TEN(f, n##8) TEN(f, n##9)
#define THOUSAND(f, n)                                                                       \
	HUNDRED(f, n##0)                                                                     \
	HUNDRED(f, n##1) HUNDRED(f, n##2) HUNDRED(f, n##3) HUNDRED(f, n##4) HUNDRED(f, n##5) \
		HUNDRED(f, n##6) HUNDRED(f, n##7) HUNDRED(f, n##8) HUNDRED(f, n##9)
#define ALL(f)         THOUSAND(f, 0) THOUSAND(f, 1) THOUSAND(f, 2) THOUSAND(f, 3)

#define DEFINE(n)                                     \
	__attribute__((noinline)) int many_##n(int x) \
	{                                             \
		asm volatile("");                     \
		return x + 1##n;                      \
	}
ALL(DEFINE)

#define NAME(n) many_##n,
static int (*const all[])(int) = { ALL(NAME) };

static long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 1, calls = argc > 2 ? atol(argv[2]) : 0, from = now();

	if (n < 1 || n > (long)(sizeof(all) / sizeof(*all)))
		return 2;
	for (long i = 0; i < calls; i++)
		all[i % n](i);
	printf("%ld\n", now() - from);
	return 0;
}
