/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * life.c - what processes do, each thing once: a child that exits, one that is killed, one that
 * dumps, a thread, a program that cannot be executed and one that can, signals sent, ignored,
 * handled, waited for, and a fault.  Prints what it knows by name, as "name value".
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void on_usr1(int sig)
{
	(void)sig;
}

static void *thread(void *arg)
{
	*(long *)arg = syscall(SYS_gettid);
	return NULL;
}

static void child(const char *name, void (*act)(void))
{
	pid_t pid = fork();

	if (!pid) {
		act();
		_exit(0);
	}
	printf("%s %d\n", name, pid);
	waitpid(pid, NULL, 0);
}

static void act_exit(void)
{
	_exit(3);
}

static void act_killed(void)
{
	raise(SIGKILL);
}

static void act_fault(void)
{
	prctl(PR_SET_DUMPABLE, 0);
	*(volatile int *)8 = 1;
}

/* Not in the first process: one that is traced is told of every signal. */
static void act_ignore(void)
{
	signal(SIGUSR2, SIG_IGN);
	kill(getpid(), SIGUSR2);
}

static void act_exec(void)
{
	static char nosuch[] = "/nosuch/program", yes[] = "/bin/true";

	nosuch[0] = yes[0] = '/'; /* in memory: the kernel has not read them yet at the entry */
	execl(nosuch, "program", NULL);
	execl(yes, "yes", "one", "two", NULL);
}

int main(void)
{
	struct timespec soon = { 5, 0 };
	sigset_t wait;
	pthread_t t;
	long tid = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("self %d\n", getpid());
	child("exits", act_exit);
	child("killed", act_killed);
	child("faults", act_fault);
	child("ignores", act_ignore);
	child("execs", act_exec);

	pthread_create(&t, NULL, thread, &tid);
	pthread_join(t, NULL);
	printf("thread %ld\n", tid);

	signal(SIGUSR1, on_usr1);
	raise(SIGUSR1);
	sigemptyset(&wait);
	sigaddset(&wait, SIGRTMIN);
	sigprocmask(SIG_BLOCK, &wait, NULL);
	kill(getpid(), SIGRTMIN);
	sigtimedwait(&wait, NULL, &soon);
	sched_yield();
	return 0;
}
