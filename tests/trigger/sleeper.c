/* SPDX-License-Identifier: BSD-2-Clause */
/* sleeper [MS [COUNT [STATUS]]]: COUNT (1) times nap(), which sleeps MS (1000) milliseconds; exit
 * with STATUS (0). */
#include <stdlib.h>
#include <time.h>

__attribute__((noinline)) int nap(long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	return nanosleep(&t, NULL);
}

int main(int argc, char **argv)
{
	long ms = argc > 1 ? atol(argv[1]) : 1000;

	for (long count = argc > 2 ? atol(argv[2]) : 1; count > 0; count--)
		nap(ms);
	return argc > 3 ? atoi(argv[3]) : 0;
}
