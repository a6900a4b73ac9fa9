/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * threads [THREADS [CALLS [syscall]]]: each of THREADS (8) threads calls hit() CALLS (1000000)
 * times, with arguments that no other call has; hit() returns its argument. With "syscall" it is
 * getpgid(argument) instead.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static long calls = 1000000;
static int by_syscall;

__attribute__((noinline, visibility("default"))) long hit(long i)
{
	__asm__ volatile("" : "+r"(i) : : "memory");
	return i;
}

static void *run(void *arg)
{
	long first = (long)arg * calls;

	for (long i = first; i < first + calls; i++) {
		if (by_syscall)
			syscall(SYS_getpgid, i);
		else if (hit(i) != i)
			abort();
	}
	return NULL;
}

int main(int argc, char **argv)
{
	long threads = argc > 1 ? atol(argv[1]) : 8;
	pthread_t thread[threads];

	if (argc > 2)
		calls = atol(argv[2]);
	by_syscall = argc > 3;
	for (long i = 0; i < threads; i++)
		if (pthread_create(&thread[i], NULL, run, (void *)i))
			return 1;
	for (long i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
