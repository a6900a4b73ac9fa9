/* SPDX-License-Identifier: BSD-2-Clause */
/* spin [MS]: use the CPU for MS (1000) milliseconds of CPU time, in burn(), called by work(),
 * called by main(). */
#include <stdlib.h>
#include <time.h>

__attribute__((noinline)) void burn(long rounds)
{
	while (rounds-- > 0)
		__asm__ volatile("");
}

__attribute__((noinline)) void work(long ms)
{
	while (clock() < ms * (CLOCKS_PER_SEC / 1000))
		burn(1000000);
}

int main(int argc, char **argv)
{
	work(argc > 1 ? atol(argv[1]) : 1000);
	return 0;
}
