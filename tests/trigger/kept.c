/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kept.c - what threads keep: each tells a number to be kept, getpriority(KEEP, number), and later
 * which number it must have, getpriority(HAS, number). Threads at the same time, forks and vfork,
 * exec by the first thread and by another one, a process that gets the number of one that ended.
 * Prints how often it told and asked, its children included.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEEP     77
#define HAS      78
#define THREADS  20
#define ROUNDS   10

static char *self;
static struct { int keeps, asks, reused; } *n;

static void keep(long v)
{
	__atomic_add_fetch(&n->keeps, 1, __ATOMIC_SEQ_CST);
	syscall(SYS_getpriority, KEEP, v);
}

static void has(long v)
{
	__atomic_add_fetch(&n->asks, 1, __ATOMIC_SEQ_CST);
	syscall(SYS_getpriority, HAS, v);
}

/* A new thread has nothing. */
static void new_one(long v)
{
	has(0);
	keep(v);
	sched_yield();
	has(v);
}

static void executes(long v)
{
	new_one(v);
	char text[24];
	snprintf(text, sizeof(text), "%ld", v);
	execl("/proc/self/exe", self, text, NULL);
	_exit(1);
}

static void *another_executes(void *arg)
{
	executes((long)arg);
	return NULL;
}

static void *thread(void *arg)
{
	long v = (long)arg;

	new_one(v);
	if (v & 1) {
		pid_t pid = fork();

		if (!pid) {
			new_one(v + 100);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
		has(v);
	}
	return NULL;
}

static void threads(void)
{
	pthread_t t[THREADS];

	for (long i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, thread, (void *)(i + 10));
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
}

static pid_t child(void)
{
	pid_t pid = fork();

	if (!pid) {
		new_one(3);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	return pid;
}

/* The kernel is told the last number that it gave. */
static void same_number(void)
{
	for (int i = 0; i < 50 && !n->reused; i++) {
		pid_t pid = child();
		int fd = open("/proc/sys/kernel/ns_last_pid", O_WRONLY);

		if (fd >= 0)
			dprintf(fd, "%d", pid - 1);
		close(fd);
		n->reused = child() == pid;
	}
}

static void all(void)
{
	pid_t pid;
	pthread_t t;

	new_one(5);
	for (int i = 0; i < ROUNDS; i++)
		threads();
	if (!(pid = fork()))
		executes(501);
	waitpid(pid, NULL, 0);
	if (!(pid = fork())) {
		new_one(4);
		pthread_create(&t, NULL, another_executes, (void *)502);
		for (;;)
			pause();
	}
	waitpid(pid, NULL, 0);
	if (!(pid = vfork())) {
		new_one(7);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	same_number();
	has(5);
	keep(0);
	has(0);
}

int main(int argc, char **argv)
{
	static char name[] = "/dev/shm/dtx-kept-XXXXXX";
	const char *path = getenv("KEPT");
	int fd = path ? open(path, O_RDWR) : mkstemp(name);

	self = argv[0];
	if (fd < 0 || ftruncate(fd, sizeof(*n)))
		return 1;
	n = mmap(NULL, sizeof(*n), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (n == MAP_FAILED)
		return 1;
	if (argc > 1) {
		has(atol(argv[1]));
		return 0;
	}
	setenv("KEPT", name, 1);
	all();
	unlink(name);
	printf("keeps %d\nasks %d\nreused %d\n", n->keeps, n->asks, n->reused);
	return 0;
}
