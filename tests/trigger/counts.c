/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counts.c - what vminfo, sysinfo and lockstat count, in known numbers: 7 reads of 100 bytes, 5
 * writes of 30, 2 forks, a vfork, 3 threads, a semaphore, 100 pages touched for the first time and
 * 20 written that a child shares, and a mutex of the kernel that a thread has to wait for 50 ms or
 * longer.  getpgid(PHASE) of a number that is no process stands before each part: 2000000001 reads
 * and writes, …2 processes, …3 zeros, …4 copies, …5 the mutex, …6 the end.
 */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/sem.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096

static void phase(int n)
{
	getpgid(2000000000 + n);
}

static void calls(void)
{
	char buf[100] = "";
	struct iovec v = { buf, 30 };
	int zero = open("/dev/zero", O_RDONLY), null = open("/dev/null", O_WRONLY);

	phase(1);
	for (int i = 0; i < 6; i++)
		if (read(zero, buf, sizeof(buf)) != sizeof(buf))
			exit(1);
	if (pread(zero, buf, sizeof(buf), 0) != sizeof(buf))
		exit(1);
	for (int i = 0; i < 4; i++)
		if (write(null, buf, 30) != 30)
			exit(1);
	if (writev(null, &v, 1) != 30)
		exit(1);
}

static void *nothing(void *arg)
{
	return arg;
}

static void processes(void)
{
	struct sembuf up = { 0, 1, 0 };
	pthread_t t;
	int sem;

	phase(2);
	for (int i = 0; i < 2; i++) {
		if (!fork())
			_exit(0);
		wait(NULL);
	}
	if (!vfork())
		_exit(0);
	wait(NULL);
	for (int i = 0; i < 3; i++) {
		pthread_create(&t, NULL, nothing, NULL);
		pthread_join(t, NULL);
	}
	sem = semget(IPC_PRIVATE, 1, 0600);
	semop(sem, &up, 1);
	semctl(sem, 0, IPC_RMID);
}

static void pages(void)
{
	volatile char *p =
		mmap(NULL, 100 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int ends[2];
	char c;

	phase(3);
	for (int i = 0; i < 100; i++)
		p[i * PAGE] = 1;
	phase(0);
	if (pipe(ends))
		exit(1);
	if (!fork()) {
		close(ends[1]);
		_exit(read(ends[0], &c, 1) != 0);
	}
	errno = 0;                       /* its page is shared too; getpgid() sets it */
	phase(4);
	for (int i = 0; i < 20; i++)
		p[i * PAGE] = 2;
	phase(0);
	close(ends[1]);
	wait(NULL);
}

static int slave;
static volatile pid_t reader;

static void *read_line(void *arg)
{
	char line[16];

	reader = syscall(SYS_gettid);
	return read(slave, line, sizeof(line)) > 0 ? NULL : arg;
}

/* A thread that reads a terminal; its number.  Returns when it sleeps. */
static void sleeping_reader(pthread_t *t)
{
	char path[64], state = 0;

	reader = 0;
	pthread_create(t, NULL, read_line, NULL);
	for (; state != 'S'; usleep(1000)) {
		FILE *f;

		snprintf(path, sizeof(path), "/proc/self/task/%d/stat", reader);
		f = reader ? fopen(path, "r") : NULL;
		if (f && fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
			state = 0;
		if (f)
			fclose(f);
	}
}

/* Who reads a terminal holds a mutex while it waits for a line; the second reader waits for the
 * mutex. */
static void mutex(void)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY);
	pthread_t a, b;

	if (master < 0 || grantpt(master) || unlockpt(master) ||
	    (slave = open(ptsname(master), O_RDWR | O_NOCTTY)) < 0)
		exit(1);
	phase(5);
	sleeping_reader(&a);
	sleeping_reader(&b);
	usleep(50000);
	if (write(master, "one\n", 4) != 4)
		exit(1);
	pthread_join(a, NULL);
	if (write(master, "two\n", 4) != 4)
		exit(1);
	pthread_join(b, NULL);
}

int main(void)
{
	calls();
	processes();
	pages();
	mutex();
	phase(6);
	return 0;
}
