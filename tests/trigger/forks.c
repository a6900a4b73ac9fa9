/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * forks PROCESSES [THREADS]: PROCESSES (100) short-lived children one after the other, each of
 * which calls getpgid(i) once in each of its THREADS (1) threads; they end without cleaning up.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void *call(void *arg)
{
	syscall(SYS_getpgid, (long)arg);
	return NULL;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 100, threads = argc > 2 ? atol(argv[2]) : 1;

	for (long i = 0; i < n; i++) {
		pid_t pid = fork();

		if (pid < 0)
			return 1;
		if (!pid) {
			for (long k = 1; k < threads; k++) {
				pthread_t t;

				if (pthread_create(&t, NULL, call, (void *)i))
					_exit(1);
				pthread_join(t, NULL);
			}
			call((void *)i);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
	return 0;
}
