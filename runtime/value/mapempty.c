/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mapempty.c - takes all rows out of a hash map, in batches (Linux 5.6).
 */
#include <errno.h>
#include <stdlib.h>

#include <bpf/bpf.h>

#include <dtx/base.h>

#include "runtime/value/decode.h"

void map_empty(const struct map_rows *m, void (*row)(void *arg, void *key, void *val), void *arg)
{
	u32 cap = m->many, token = 0, *in = NULL, n;
	u8 *keys = NULL, *vals = NULL;
	int err = -ENOSPC;

	while (!err || err == -ENOSPC) {
		if (err) {
			keys = xrealloc(keys, (size_t)cap * m->kbytes);
			vals = xrealloc(vals, (size_t)cap * m->vbytes);
		}
		n = cap;
		err = bpf_map_lookup_and_delete_batch(m->fd, in, &token, keys, vals, &n, NULL);
		if (err == -ENOSPC && cap >= m->most)
			break;
		/* A chain of the kernel's hash that does not fit returns nothing. */
		if (err == -ENOSPC) {
			cap *= 2;
			continue;
		}
		for (u32 i = 0; (!err || err == -ENOENT) && i < n; i++)
			row(arg, keys + (size_t)i * m->kbytes, vals + (size_t)i * m->vbytes);
		in = &token;
	}
	free(keys);
	free(vals);
}
