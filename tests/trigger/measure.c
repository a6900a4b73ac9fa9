/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * measure N COMMAND ARG…: run COMMAND N times with its output thrown away, and print the median
 * wall time in microseconds, the median CPU time in microseconds, and the largest resident size in
 * kilobytes.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int compare(const void *a, const void *b)
{
	long x = *(long *)a, y = *(long *)b;

	return x < y ? -1 : x > y;
}

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[1]) : 0;
	long wall[n + 1], cpu[n + 1], resident = 0;

	if (n < 1)
		return 2;
	for (int i = 0; i < n; i++) {
		struct timespec t0, t1;
		struct rusage use;
		int status;

		clock_gettime(CLOCK_MONOTONIC, &t0);
		pid_t pid = vfork();
		if (pid == 0) {
			int null = open("/dev/null", O_RDWR);

			dup2(null, 0);
			dup2(null, 1);
			dup2(null, 2);
			execvp(argv[2], argv + 2);
			_exit(127);
		}
		wait4(pid, &status, 0, &use);
		clock_gettime(CLOCK_MONOTONIC, &t1);
		if (status) {
			fprintf(stderr, "%s: status %#x\n", argv[2], status);
			return 1;
		}
		wall[i] = (t1.tv_sec - t0.tv_sec) * 1000000 + (t1.tv_nsec - t0.tv_nsec) / 1000;
		cpu[i] = (use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1000000 +
			 use.ru_utime.tv_usec + use.ru_stime.tv_usec;
		if (use.ru_maxrss > resident)
			resident = use.ru_maxrss;
	}
	qsort(wall, n, sizeof(long), compare);
	qsort(cpu, n, sizeof(long), compare);
	printf("%ld %ld %ld\n", wall[n / 2], cpu[n / 2], resident);
	return 0;
}
