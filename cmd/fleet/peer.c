/* SPDX-License-Identifier: BSD-2-Clause */
/* peer.c - the process that leads to a host, and what the host says of itself. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <dtx-run.h>

#include "cmd/fleet/agent.h"
#include "cmd/fleet/peer.h"

#define WORDS_MOST 300           /* bytes of its last words that are shown */
#define BELOW_MOST (1u << 20)    /* bytes of the machines below it: of ten thousand */

static void in_peer(const struct peer *p, const char *command, int to[2], int from[2], int err[2])
{
	static const int defaults[] = { SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP };

	for (size_t i = 0; i < sizeof(defaults) / sizeof(*defaults); i++)
		signal(defaults[i], SIG_DFL);
	/* Ctrl-C is for the collector.  In sessions of their own hosts also share the processor as
	 * programs do, not one program's part (CONFIG_SCHED_AUTOGROUP).  One that asks has to stay
	 * with the terminal; ssh takes Ctrl-C itself while it asks, and not later if it is ignored
	 * now. */
	if (p->session)
		setsid();
	else if (!p->alone)
		setpgid(0, 0);
	else
		signal(SIGINT, SIG_IGN);
	dup2(to[0], 0);
	dup2(from[1], 1);
	if (!p->alone)
		dup2(err[1], 2);
	execl("/bin/sh", "sh", "-c", command, NULL);
	_exit(127);
}

int peer_call(struct peer *p, const char *command)
{
	int pipes[3][2], err = pipes_open(pipes, 3);
	pid_t pid = err ? -1 : fork();

	if (err)
		return err;
	if (pid < 0) {
		err = -errno;
		pipes_close(pipes, 3);
		return err;
	}
	if (!pid)
		in_peer(p, command, pipes[0], pipes[1], pipes[2]);
	p->pid = pid;
	close(pipes[0][0]);
	close(pipes[1][1]);
	close(pipes[2][1]);
	p->to = pipes[0][1];
	p->from = pipes[1][0];
	p->err = pipes[2][0];
	p->since = p->heard = fleet_now();
	return 0;
}

void peer_send(struct peer *p, enum frame_kind kind, const void *data, size_t len)
{
	if (p->to >= 0)
		frame_put(&p->put, kind, data, len);
}

void peer_hang_up(struct peer *p)
{
	if (*p->token && p->to >= 0 && p->speaks) {
		frame_put(&p->put, FRAME_BYE, NULL, 0);
		if (poll(&(struct pollfd){ p->to, POLLOUT, 0 }, 1, 0) == 1)
			bytes_write(&p->put, p->to);
	}
	fd_close(&p->to);
	bytes_free(&p->put);
}

void peer_kill(struct peer *p, int sig)
{
	if (p->pid > 0)
		kill(p->alone ? p->pid : -p->pid, sig);
	if (p->first > 0)
		kill(-p->first, sig);
}

bool peer_ended(struct peer *p)
{
	if (p->pid && waitpid(p->pid, NULL, WNOHANG) == p->pid)
		p->pid = 0;
	if (p->first && waitpid(p->first, NULL, WNOHANG) == p->first)
		p->first = 0;
	return !p->pid && !p->first;
}

static void keep(struct peer *p, const char *name, char *value)
{
	const struct { const char *name; char **to; } rows[] = {
		{ "version", &p->version }, { "kernel", &p->kernel_name },
		{ "machine", &p->machine }, { "build", &p->build }, { "boot", &p->boot },
		{ "rights", &p->rights }, { "clock", &p->clock },
		{ "collects", &p->collects },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (!strcmp(rows[i].name, name) && !*rows[i].to)
			*rows[i].to = dtx_plain_text(value);
}

void peer_hello(struct peer *p, const struct frame *f)
{
	char *text = strndup(f->body, f->len), *save = NULL;

	for (char *l = strtok_r(text, "\n", &save); l; l = strtok_r(NULL, "\n", &save)) {
		char *value = strchr(l, ' ');

		if (!value)
			continue;
		*value = '\0';
		keep(p, l, value + 1);
	}
	free(text);
}

void peer_below(struct peer *p, const char *text, size_t len)
{
	char *copy, *plain;

	if (!p->collects || p->state > PEER_READY || p->below.len + len > BELOW_MOST)
		return;
	copy = strndup(text, len);
	plain = dtx_plain_text(copy);
	bytes_add(&p->below, plain, strlen(plain) + 1);
	free(plain);
	free(copy);
}

/* The last line that is not empty, made plain. */
static char *last_line(const struct bytes *b)
{
	const char *from = b->data + b->at, *end = b->data + b->len, *begin;

	while (end > from && strchr(" \t\r\n", end[-1]))
		end--;
	for (begin = end; begin > from && begin[-1] != '\n';)
		begin--;
	if (begin == end)
		return NULL;
	if (end - begin > WORDS_MOST)
		end = begin + WORDS_MOST;
	char *line = strndup(begin, end - begin), *plain = dtx_plain_text(line);

	free(line);
	return plain;
}

char *peer_last_words(const struct peer *p)
{
	char *words = bytes_left(&p->told) ? last_line(&p->told) : NULL;

	return words || p->speaks || !bytes_left(&p->got) ? words : last_line(&p->got);
}

void peer_free(struct peer *p)
{
	char *texts[] = { p->name, p->version, p->kernel_name, p->machine, p->build, p->boot,
			  p->rights, p->clock, p->collects, p->error, p->why };

	peer_kill(p, SIGKILL);
	if (p->pid > 0)
		waitpid(p->pid, NULL, 0);
	if (p->first > 0)
		waitpid(p->first, NULL, 0);
	fd_close(&p->to);
	fd_close(&p->from);
	fd_close(&p->err);
	bytes_free(&p->got);
	bytes_free(&p->put);
	bytes_free(&p->told);
	bytes_free(&p->line);
	bytes_free(&p->below);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		free(texts[i]);
}
