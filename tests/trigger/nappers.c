/* SPDX-License-Identifier: BSD-2-Clause */
/* nappers THREADS MS: THREADS threads sleep in nanosleep(2) for MS milliseconds, all at the same
 * time. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static pthread_barrier_t all;
static struct timespec nap;

static void *run(void *arg)
{
	pthread_barrier_wait(&all);
	nanosleep(&nap, NULL);
	return arg;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 8;
	long ms = argc > 2 ? atol(argv[2]) : 100;
	pthread_t *thread = calloc(n, sizeof(*thread));
	pthread_attr_t small;

	nap = (struct timespec){ ms / 1000, ms % 1000 * 1000000 };
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	pthread_barrier_init(&all, NULL, n);
	for (int i = 0; i < n; i++)
		if (pthread_create(&thread[i], &small, run, NULL))
			return 1;
	for (int i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
