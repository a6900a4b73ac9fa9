/* SPDX-License-Identifier: BSD-2-Clause */
/* signals.c - the signals of a command: those that end a run, and those of failed writes. */
#include "cmd/signals.h"
#include "cmd/say.h"

#include <dtx-run.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* The handle that the signal handler stops; NULL: there is nothing to stop. */
static struct dtx *volatile running;

void signals_stop(struct dtx *d)
{
	running = d;
}

static volatile int *volatile counter;

void signals_count(volatile int *n)
{
	counter = n;
}

#define ECHO_MS 50               /* signals so close are one */

/* timeout(1) sends its signal twice, to the command and to its group; nobody means that. */
static bool is_echo(void)
{
	static struct timespec last;
	struct timespec now;
	long ms;

	clock_gettime(CLOCK_MONOTONIC, &now);
	ms = (now.tv_sec - last.tv_sec) * 1000 + (now.tv_nsec - last.tv_nsec) / 1000000;
	if (last.tv_sec && ms < ECHO_MS)
		return true;
	last = now;
	return false;
}

/* The first one ends the run in order, the second without reading the remaining records, the
 * third at once. */
static void on_signal(int sig)
{
	static volatile sig_atomic_t before;
	struct dtx *d = running;

	if (counter && !is_echo())
		*counter = *counter + 1;
	if (counter)
		return;
	if (!d) {                        /* nothing is traced: nothing to stop */
		dtx_leave_screen();
		_exit(128 + sig);
	}
	if (is_echo())
		return;
	if (before == 2) {
		dtx_leave_screen();
		say_at_once("interrupted for the third time: ended at once");
		_exit(128 + sig);
	}
	before = before + 1;
	dtx_interrupt(d, sig == SIGINT);
	if (sig != SIGINT)
		alarm(1);
}

/* A write that waits for a reader is interrupted, and given up the second time. */
static void on_alarm(int sig)
{
	alarm(1);
}

static void on_failed_write(int sig)
{
}

void signals_survive_writes(void)
{
	struct sigaction act = { .sa_handler = on_failed_write, .sa_flags = SA_RESTART };

	sigaction(SIGPIPE, &act, NULL);
	sigaction(SIGXFSZ, &act, NULL);
}

void signals_catch(void)
{
	static const int stops[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction act = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	struct sigaction old;

	for (size_t i = 0; i < sizeof(stops) / sizeof(stops[0]); i++) {
		sigaction(stops[i], NULL, &old);
		if (old.sa_handler != SIG_IGN)
			sigaction(stops[i], &act, NULL);
	}
	act = (struct sigaction){ .sa_handler = on_alarm };      /* no SA_RESTART */
	sigaction(SIGALRM, &act, NULL);
}
