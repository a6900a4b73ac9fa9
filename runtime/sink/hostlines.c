/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hostlines.c - text of several hosts: each line begins with its host (option hostprefix).  What a
 * host prints appears by whole lines, so that the lines of two are never mixed.
 */
#include <stdlib.h>

#include "runtime/sink/sink.h"

#define NAME_MOST  40            /* columns: shorter names are padded to the longest so far */
#define LINE_MOST  (64u << 10)   /* bytes of a line that waits for its end */

struct hostlines {
	VEC(struct buf) rest;    /* by host: its line that has not ended */
	VEC(const char *) names;
	int widest;
};

struct hostlines *hostlines_new(void)
{
	return xcalloc(1, sizeof(struct hostlines));
}

void hostlines_free(struct hostlines *h)
{
	if (!h)
		return;
	for (u32 i = 0; i < h->rest.n; i++)
		buf_free(&h->rest.v[i]);
	VEC_FREE(&h->rest);
	VEC_FREE(&h->names);
	free(h);
}

static void put_line(struct hostlines *h, const char *name, const char *p, size_t n, struct buf *to)
{
	if (*p == '\n') {                /* between records: it needs no host */
		buf_putc(to, *p);
		return;
	}
	int wide = (int)MIN(strlen(name), (size_t)NAME_MOST);

	h->widest = MAX(h->widest, wide);
	buf_puts(to, name);
	buf_puts(to, ": ");
	buf_pad(to, ' ', h->widest - wide);
	buf_add(to, p, n);
}

void hostlines_put(struct hostlines *h, const struct event *ev, struct buf *out, size_t from)
{
	struct buf all;
	const char *p, *end, *line;

	while (h->rest.n <= ev->host_number) {
		VEC_PUSH(&h->rest, (struct buf){ 0 });
		VEC_PUSH(&h->names, "");
	}
	h->names.v[ev->host_number] = ev->host;
	all = h->rest.v[ev->host_number];
	buf_add(&all, out->data + from, out->len - from);
	out->len = from;
	for (p = all.data, end = p + all.len; (line = memchr(p, '\n', end - p)); p = line + 1)
		put_line(h, ev->host, p, line + 1 - p, out);
	if (end - p > LINE_MOST) {
		put_line(h, ev->host, p, end - p, out);
		buf_putc(out, '\n');
		p = end;
	}
	memmove(all.data, p, end - p);
	all.len = end - p;
	h->rest.v[ev->host_number] = all;
}

void hostlines_end(struct hostlines *h, struct buf *out)
{
	for (u32 i = 0; h && i < h->rest.n; i++) {
		struct buf *b = &h->rest.v[i];

		if (!b->len)
			continue;
		put_line(h, h->names.v[i], b->data, b->len, out);
		buf_putc(out, '\n');
		buf_reset(b);
	}
}
