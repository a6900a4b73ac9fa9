/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * servehold.c - option serve after the run: pages take what they keep, and with option linger, or
 * for a replay, the server stays until somebody ends it.
 */
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include "runtime/sink/serve/serve.h"

#define HOLD_QUIET  3000000000LL /* ns without a request: the pages have what they keep */
#define HOLD_MOST   10000000000LL        /* ns until a page that is too slow is left behind */

struct hold {
	int key;                 /* standard input, or -1 */
	int signals;             /* interrupts, or -1: they act as before */
	sigset_t before;
	struct termios tty;
};

/* Keys come at once, without Enter. */
static void hold_keys(struct hold *h)
{
	struct termios t;

	h->key = -1;
	if (!isatty(0) || tcgetattr(0, &h->tty))
		return;
	t = h->tty;
	t.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	t.c_cc[VMIN] = 1;
	t.c_cc[VTIME] = 0;
	if (!tcsetattr(0, TCSANOW, &t))
		h->key = 0;
}

static void hold_signals(struct hold *h, bool replayed)
{
	sigset_t stops;

	h->signals = -1;
	if (replayed)                    /* nothing was traced: they end the process */
		return;
	sigemptyset(&stops);
	sigaddset(&stops, SIGINT);
	sigaddset(&stops, SIGTERM);
	sigaddset(&stops, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &stops, &h->before);
	h->signals = signalfd(-1, &stops, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void hold_end(struct hold *h)
{
	struct signalfd_siginfo was;

	if (h->key >= 0)
		tcsetattr(0, TCSANOW, &h->tty);
	if (h->signals < 0)
		return;
	while (read(h->signals, &was, sizeof(was)) > 0)
		;                        /* they have acted */
	close(h->signals);
	pthread_sigmask(SIG_SETMASK, &h->before, NULL);
}

static bool hold_is_over(struct hold *h, const struct pollfd *p)
{
	char key;

	if (p[2].revents)
		return true;
	if (!p[1].revents)
		return false;
	if (read(h->key, &key, 1) == 1)
		return key == 'q' || key == 'Q';
	h->key = -1;                     /* the terminal is gone */
	return false;
}

void serve_hold(struct out *o, int wake)
{
	struct hold h;

	hold_keys(&h);
	hold_signals(&h, o->run->replayed);
	for (bool over = false; !over && !o->err; ) {
		struct pollfd p[] = { { .fd = wake, .events = POLLIN },
				      { .fd = h.key, .events = POLLIN },
				      { .fd = h.signals, .events = POLLIN } };

		poll(p, ARRAY_SIZE(p), 1000);
		serve_work(o);
		over = hold_is_over(&h, p);
	}
	hold_end(&h);
}

void serve_farewell(struct out *o, int wake, struct serve_http *http)
{
	s64 began = clock_ns(CLOCK_MONOTONIC), asked = began, now = began;
	struct pollfd p = { .fd = wake, .events = POLLIN };

	while (!o->err && serve_http_waits(http) && now - asked < HOLD_QUIET &&
	       now - began < HOLD_MOST) {
		bool job = poll(&p, 1, 50) > 0;

		serve_work(o);
		now = clock_ns(CLOCK_MONOTONIC);
		asked = job ? now : asked;
	}
}
