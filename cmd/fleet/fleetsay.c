/* SPDX-License-Identifier: BSD-2-Clause */
/* fleetsay.c - what people see of hosts: progress on a terminal, lines of theirs, names of one. */
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

/* ---- hosts that are one machine ------------------------------------------------------- */

static int by_boot(const void *a, const void *b)
{
	const struct peer *x = *(const struct peer *const *)a, *y = *(const struct peer *const *)b;
	int order = strcmp(x->boot, y->boot);

	return order ? order : x < y ? -1 : 1;
}

/* Each name is asked as a host of its own.  A machine that was copied while it ran has the boot_id
 * of the other: so it is not certain. */
static void tell_machine(struct fleet_run *r, const struct peer *const *v, int n)
{
	char more[32] = "";

	if (n > 2)
		snprintf(more, sizeof(more), " and %d more", n - 2);
	fleet_clear(r);
	command_say("warning: %s%s%s%s have the same boot_id: if that is one machine, what happens "
		    "there is counted %d times", v[0]->name, n > 2 ? ", " : " and ", v[1]->name,
		    more, n);
}

void fleet_same_machines(struct fleet_run *r)
{
	const struct peer **v = calloc(r->n, sizeof(*v));
	int n = 0, len;

	for (int i = 0; v && i < r->n; i++) {
		const struct peer *p = &r->peers[i];

		if (p->state == PEER_READY && !p->collects && p->boot && *p->boot)
			v[n++] = p;
	}
	if (n)
		qsort(v, n, sizeof(*v), by_boot);
	for (int at = 0; at < n; at += len) {
		for (len = 1; at + len < n; len++)
			if (strcmp(v[at]->boot, v[at + len]->boot))
				break;
		if (len > 1)
			tell_machine(r, v + at, len);
	}
	free(v);
}
