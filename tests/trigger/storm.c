/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * storm.c - processes whose threads end in all ways, many at once; prints what it made, by name:
 *
 *   processes, threads (those beside the first of each), killed, execs
 *   forks  by how much "processes" of /proc/stat grew meanwhile: all tasks of the machine
 *
 * It calls getpgid() of 1 and 2 around the first reading of /proc/stat, of 3 and 4 around the
 * second.  With an argument it ends at once: that is what a thread executes.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 4
#define ROUNDS  25

static pthread_barrier_t start;
static const char *self;

static void *end(void *arg)
{
	pthread_barrier_wait(&start);
	return arg;
}

static void *wait_long(void *arg)
{
	pause();
	return arg;
}

static void *execute(void *arg)
{
	execl(self, self, "end", NULL);
	return arg;
}

/* The first thread and the others end at the same time. */
static void together(void)
{
	pthread_barrier_wait(&start);
}

static void joined(pthread_t *t)
{
	pthread_barrier_wait(&start);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
}

static long forks(void)
{
	static char text[1 << 20];
	int fd = open("/proc/stat", O_RDONLY);
	ssize_t n, len = 0;
	const char *at;

	while ((n = read(fd, text + len, sizeof(text) - 1 - len)) > 0)
		len += n;
	close(fd);
	text[len] = '\0';
	at = strstr(text, "\nprocesses ");
	return at ? atol(at + 11) : 0;
}

static void child(int how)
{
	void *(*run)(void *) = how == 2 || how == 3 ? wait_long : end;
	pthread_t t[THREADS];

	pthread_barrier_init(&start, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, how == 3 && i == THREADS - 1 ? execute : run, NULL);
	switch (how) {
	case 0: joined(t); break;
	case 1: together(); break;
	case 2: kill(getpid(), SIGKILL); break;
	case 3: pause(); break;
	case 4: together(); pthread_exit(NULL);
	}
	_exit(how);
}

int main(int argc, char **argv)
{
	int made = 0, vforks = 0, killed = 0, status;
	long before;

	if (argc > 1)
		_exit(0);
	self = argv[0];
	getpgid(1);
	before = forks();
	getpgid(2);
	for (int i = 0; i < ROUNDS; i++) {
		for (int how = 0; how < 5; how++, made++)
			if (!fork())
				child(how);
		if (!vfork())
			_exit(0);
		vforks++;
	}
	while (wait(&status) > 0)
		killed += WIFSIGNALED(status);
	getpgid(3);
	printf("forks %ld\n", forks() - before);
	getpgid(4);
	printf("processes %d\nthreads %d\nkilled %d\nexecs %d\n", made + vforks, made * THREADS,
	       killed, ROUNDS);
	return 0;
}
