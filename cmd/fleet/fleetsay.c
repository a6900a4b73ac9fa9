/* SPDX-License-Identifier: BSD-2-Clause */
/* fleetsay.c - what people see of hosts: progress on a terminal, and lines of theirs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dtx-run.h>

#include "cmd/fleet/fleet-private.h"
#include "cmd/say.h"

void fleet_clear(struct fleet_run *r)
{
	if (r->shown)
		fprintf(stderr, "\r%*s\r", r->shown, "");
	r->shown = 0;
}

void fleet_progress(struct fleet_run *r)
{
	int out, ready, speak;

	if (!isatty(2) || r->going)
		return;
	for (int i = 0; i < r->n; i++)
		if (r->peers[i].alone && r->peers[i].state == PEER_CALLED)
			return;                  /* it asks there */
	out = talk_count(r, PEER_OVER, PEER_OVER);
	ready = talk_count(r, PEER_READY, PEER_READY);
	speak = talk_count(r, PEER_KNOWN, PEER_READY);
	fleet_clear(r);
	r->shown = fprintf(stderr, "%d of %d hosts answered, %d are ready", speak, r->n, ready);
	if (out)
		r->shown += fprintf(stderr, ", %d left out", out);
	fflush(stderr);
}

/* Each line with its host in front; what acts on a terminal is escaped. */
void fleet_line(struct fleet_run *r, const struct peer *p, const char *text, size_t len)
{
	char *copy = strndup(text, len), *plain = dtx_plain_text(copy);

	fleet_clear(r);
	for (const char *l = plain; *l; l += strcspn(l, "\n"), l += *l == '\n')
		fprintf(stderr, "%s: %.*s\n", p->name, (int)strcspn(l, "\n"), l);
	free(plain);
	free(copy);
}

void fleet_told(struct fleet_run *r, const char *host, const char *text)
{
	fleet_clear(r);
	if (host)
		command_say("%s: %s", host, text);
	else
		command_say("warning: %s", text);
	dtx_fleet_note(r->merged, host, text);
}
