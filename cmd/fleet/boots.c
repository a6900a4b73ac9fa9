/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * boots.c - hosts that are one machine.  Each name is asked as a host of its own, and so what
 * happens there is counted as often.  A machine that was copied while it ran has the boot_id of the
 * other: so it is not certain, and is told.  A collector that is a host tells the machines below it
 * to the one above, where all of them are known.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/fleet/fleet-private.h"

struct machine {
	char *boot, *name;
	int order;               /* of the names */
};

struct machines {
	struct machine *v;
	int n;
};

static void add(struct machines *m, const char *boot, char *name)
{
	struct machine *v = realloc(m->v, (m->n + 1) * sizeof(*v));

	if (!v || !name)
		abort();
	m->v = v;
	v[m->n] = (struct machine){ strdup(boot), name, m->n };
	m->n++;
}

/* "BOOT NAME", each with a NUL. */
static void add_below(struct machines *m, const struct peer *p)
{
	for (size_t at = 0; at < p->below.len; at += strlen(p->below.data + at) + 1) {
		char *boot = strdup(p->below.data + at), *space = strchr(boot, ' '), *name;

		if (space) {
			*space = '\0';
			if (asprintf(&name, "%s/%s", p->name, space + 1) < 0)
				name = NULL;
			add(m, boot, name);
		}
		free(boot);
	}
}

static struct machines all_machines(const struct fleet_run *r)
{
	struct machines m = { 0 };

	for (int i = 0; i < r->n; i++) {
		const struct peer *p = &r->peers[i];

		if (p->state != PEER_READY)
			continue;
		add_below(&m, p);
		if (!p->collects && p->boot && *p->boot)
			add(&m, p->boot, strdup(p->name));
	}
	return m;
}

static void free_machines(struct machines *m)
{
	for (int i = 0; i < m->n; i++) {
		free(m->v[i].boot);
		free(m->v[i].name);
	}
	free(m->v);
}

static int by_boot(const void *a, const void *b)
{
	const struct machine *x = a, *y = b;
	int order = strcmp(x->boot, y->boot);

	return order ? order : x->order < y->order ? -1 : 1;
}

static void tell_machine(struct fleet_run *r, const struct machine *v, int n)
{
	char more[32] = "", *text;

	if (n > 2)
		snprintf(more, sizeof(more), " and %d more", n - 2);
	if (asprintf(&text, "%s%s%s%s have the same boot_id: if that is one machine, what happens "
		     "there is counted %d times", v[0].name, n > 2 ? ", " : " and ", v[1].name,
		     more, n) < 0)
		abort();
	fleet_told(r, NULL, text);
	free(text);
}

static void tell_alike(struct fleet_run *r, struct machines *m)
{
	int len;

	if (m->n)
		qsort(m->v, m->n, sizeof(*m->v), by_boot);
	for (int at = 0; at < m->n; at += len) {
		for (len = 1; at + len < m->n; len++)
			if (strcmp(m->v[at].boot, m->v[at + len].boot))
				break;
		if (len > 1)
			tell_machine(r, m->v + at, len);
	}
}

/* For the one above, which is told once; what cannot be written it does not take at all. */
static void tell_above(struct fleet_run *r, const struct machines *m)
{
	struct bytes all = { 0 };
	char text[400];

	for (int i = 0; i < m->n && !r->above_told; i++) {
		snprintf(text, sizeof(text), "%c%s %s", SAID_MACHINE, m->v[i].boot, m->v[i].name);
		bytes_add(&all, text, strlen(text) + 1);
	}
	while (bytes_left(&all) && !bytes_write(&all, r->above_said))
		;
	bytes_free(&all);
	fd_close(&r->above_said);
}

void boots_tell(struct fleet_run *r)
{
	struct machines m = all_machines(r);

	if (r->above_go < 0)
		tell_alike(r, &m);
	else
		tell_above(r, &m);
	free_machines(&m);
}
