/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * namesakes.c - hosts that call themselves alike.  The built-in `hostname` is the same on them, and
 * so rows that have it as a key are added: right, but not what somebody expects who wrote it.
 */
#include <stdlib.h>

#include "runtime/fleet/fleet-private.h"

#define NAMES_SHOWN 5

static int by_own_name(const void *a, const void *b)
{
	const struct host *x = *(const struct host *const *)a, *y = *(const struct host *const *)b;
	int order = strcmp(x->info.host, y->info.host);

	return order ? order : x->number < y->number ? -1 : 1;
}

/* "web1, web2 and 38 more" */
static void say_namesakes(struct fleet *f, struct host *const *v, u32 n)
{
	const char *own = plain_name(f->arena, v[0]->info.host);
	struct buf names = { 0 };

	for (u32 i = 0; i < n && i < NAMES_SHOWN; i++)
		buf_printf(&names, "%s%s", !i ? "" : i == n - 1 ? " and " : ", ", v[i]->name);
	if (n > NAMES_SHOWN)
		buf_printf(&names, " and %u more", n - NAMES_SHOWN);
	fleet_say(f, NULL, DTX_WARNING, "%s call themselves '%s' (uname -n): hostname does "
		  "not tell them apart", names.data, own);
	buf_free(&names);
}

void fleet_namesakes(struct fleet *f)
{
	struct host **v;
	u32 n = 0, len;

	if (f->namesakes || !f->img->hostname || !fleet_several(f))
		return;
	f->namesakes = true;
	v = xcalloc(f->hosts.n, sizeof(*v));
	for (u32 i = 0; i < f->hosts.n; i++) {
		const struct run_info *info = &f->hosts.v[i]->info;

		if (info->host && !info->nhosts) /* a run of several has no name of its own */
			v[n++] = f->hosts.v[i];
	}
	qsort(v, n, sizeof(*v), by_own_name);
	for (u32 at = 0; at < n; at += len) {
		for (len = 1; at + len < n; len++)
			if (strcmp(v[at]->info.host, v[at + len]->info.host))
				break;
		if (len > 1)
			say_namesakes(f, v + at, len);
	}
	free(v);
}
