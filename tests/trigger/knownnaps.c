/* SPDX-License-Identifier: BSD-2-Clause */
/* knownnaps THREADS MS COUNT: after a byte on standard input, THREADS threads sleep MS
 * milliseconds, COUNT times each. Prints how long they slept together, in microseconds. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static long ms, count;
static atomic_long slept;

static long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static void *naps(void *unused)
{
	for (long i = 0; i < count; i++) {
		long from = now();

		nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000 }, NULL);
		slept += now() - from;
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t t[16];
	int n = argc > 3 ? atoi(argv[1]) : 0;
	char c;

	ms = atol(argv[2]);
	count = atol(argv[3]);
	if (read(0, &c, 1) != 1)
		return 1;
	for (int i = 0; i < n; i++)
		pthread_create(&t[i], NULL, naps, NULL);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	printf("%ld\n", slept);
	return 0;
}
