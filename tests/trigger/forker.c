/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * forker.c - processes and threads that make a known number of system calls, when told to.
 *
 *     forker [NAME]     waits for a byte on standard input, then
 *       itself          2 × getppid, of them 1 in a second thread
 *       a child         3 × getppid
 *       its child       5 × getppid, after the child is gone
 *
 * The child and what it starts call themselves NAME.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void calls(int n)
{
	while (n--)
		syscall(SYS_getppid);
}

static void *thread(void *arg)
{
	calls(1);
	return arg;
}

static void grandchild(int parent_gone)
{
	char c;

	if (read(parent_gone, &c, 1))
		_exit(1);
	calls(5);
	_exit(0);
}

static void child(const char *name, int done)
{
	int gone[2];

	if (name)
		prctl(PR_SET_NAME, name);
	if (pipe(gone))
		_exit(1);
	if (!fork()) {
		close(gone[1]);
		grandchild(gone[0]);
	}
	calls(3);
	_exit(0);
}

int main(int argc, char **argv)
{
	int done[2];
	pthread_t t;
	char c;

	if (pipe(done) || read(0, &c, 1) < 0)
		return 1;
	if (!fork()) {
		close(done[0]);
		child(argv[1], done[1]);
	}
	close(done[1]);
	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	calls(1);
	wait(NULL);
	return read(done[0], &c, 1) ? 1 : 0;     /* until all that were started are gone */
}
