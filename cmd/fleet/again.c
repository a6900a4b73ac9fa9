/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * again.c - hosts whose connection ended in the middle of the run are called again.  The run there
 * lives on for its lease, and sends from where it was heard last (frame.h): nothing is lost, and
 * nothing comes twice.
 */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>

#include "cmd/fleet/fleet-private.h"

#define TOLD_MOST 3              /* breaks of a host that are told */
#define FIRST_MS  200             /* until the first call; then a call in … */
#define NEXT_MS   1000
#define SILENT_MS 5000           /* of two and a half beats: half of the lease is left */

void again_allow(struct peer *p)
{
	unsigned char bytes[RESUME_TOKEN / 2];

	/* One that asks at the terminal would ask in the middle of the run. */
	if (p->alone || getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		return;
	for (size_t i = 0; i < sizeof(bytes); i++)
		sprintf(p->token + 2 * i, "%02x", bytes[i]);
	p->acked = p->took;
}

/* What the process said last, or NULL. */
static char *words_of(struct peer *p)
{
	if (p->err >= 0 && poll(&(struct pollfd){ p->err, POLLIN, 0 }, 1, 0) == 1)
		talk_words(p);
	return peer_last_words(p);
}

/* The process that led to it first may be the agent itself, whose run goes on: it is left until the
 * end.  Later ones only led to it, and are killed alone: others may have their output open, too. */
static void drop_call(struct peer *p)
{
	fd_close(&p->to);
	fd_close(&p->from);
	fd_close(&p->err);
	bytes_free(&p->got);
	bytes_free(&p->put);
	if (p->pid > 0 && !p->first) {
		p->first = p->pid;
	} else if (p->pid > 0) {
		kill(p->pid, SIGKILL);
		waitpid(p->pid, NULL, 0);
	}
	p->pid = 0;
	p->speaks = p->needs = false;
}

static void again_tell(struct fleet_run *r, const struct peer *p, const char *what)
{
	static const char last[] = " (further times are not told)";
	char text[100];

	if (p->breaks > TOLD_MOST)
		return;
	fleet_line(r, p, text, snprintf(text, sizeof(text), "%s%s", what,
					p->breaks == TOLD_MOST ? last : ""));
}

static bool away_begin(struct fleet_run *r, struct peer *p, int64_t since, const char *why)
{
	if (p->state != PEER_RUNS || !*p->token)
		return false;
	p->frames = p->got.frames;
	p->state = PEER_AWAY;
	p->away = since;
	p->call_at = fleet_now() + FIRST_MS;
	free(p->error);
	p->error = words_of(p);
	drop_call(p);
	p->breaks++;
	again_tell(r, p, why);
	return true;
}

bool again_begin(struct fleet_run *r, struct peer *p)
{
	return away_begin(r, p, fleet_now(), "the connection ended: it is called again");
}

bool again_silent(struct fleet_run *r, struct peer *p, int64_t now)
{
	return now - p->heard > SILENT_MS &&
	       away_begin(r, p, p->heard, "it is silent for 5 s: it is called again");
}

void again_failed(struct peer *p)
{
	char *words = words_of(p);

	if (words) {
		free(p->error);
		p->error = words;
	}
	drop_call(p);
	p->call_at = fleet_now() + NEXT_MS;
}

void again_look(struct fleet_run *r, struct peer *p, int64_t now)
{
	if (p->state != PEER_AWAY)
		return;
	if (now - p->away > AGENT_LEASE_MS) {
		talk_out(r, p, "the connection ended, and there was no other one in %d s%s%s",
			 AGENT_LEASE_MS / 1000, p->error ? ": " : "", p->error ? p->error : "");
		return;
	}
	if (!p->pid && now >= p->call_at) {
		char *command = reach_command(&r->reach, p);

		bytes_free(&p->told);
		if (peer_call(p, command))
			p->call_at = now + NEXT_MS;
		free(command);
	}
}

/* HELLO: an agent is there, which leads to the run. */
void again_ask(struct peer *p)
{
	char text[RESUME_TOKEN + 24];
	int n = snprintf(text, sizeof(text), "%s %llu", p->token, (unsigned long long)p->took);

	peer_send(p, FRAME_RESUME, text, n);
}

void again_back(struct fleet_run *r, struct peer *p)
{
	p->state = PEER_RUNS;
	p->got.frames = p->frames;
	p->acked = p->took;
	free(p->error);
	p->error = NULL;
	if (r->stopping)
		peer_send(p, FRAME_STOP, NULL, 0);
	again_tell(r, p, "it is back, and nothing is missing");
}

#define GOT_EACH (64u << 10)

void again_took(struct peer *p, size_t n)
{
	char text[24];

	p->took += n;
	if (!*p->token || p->took - p->acked < GOT_EACH)
		return;
	p->acked = p->took;
	peer_send(p, FRAME_GOT, text,
		  snprintf(text, sizeof(text), "%llu", (unsigned long long)p->took));
}
