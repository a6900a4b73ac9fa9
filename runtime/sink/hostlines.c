/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hostlines.c - text of several hosts: each line begins with its host (option hostprefix).  What a
 * host prints appears by whole lines, so that the lines of two are never mixed.
 */
#include <stdlib.h>

#include "runtime/sink/sink.h"

#define NAME_MOST  40            /* columns: shorter names are padded to the longest so far */
#define LINE_MOST  (64u << 10)   /* bytes of a line that waits for its end */

struct hostline {
	const char *host;
	struct buf rest;         /* its line that has not ended */
};

struct hostlines {
	VEC(struct hostline) of; /* by number of the host */
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
	for (u32 i = 0; i < h->of.n; i++)
		buf_free(&h->of.v[i].rest);
	VEC_FREE(&h->of);
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
	struct hostline *of;
	const char *p, *end, *line;

	while (h->of.n <= ev->host_number)
		VEC_PUSH(&h->of, (struct hostline){ 0 });
	of = &h->of.v[ev->host_number];
	of->host = ev->host;
	buf_add(&of->rest, out->data + from, out->len - from);
	out->len = from;
	p = of->rest.data;
	for (end = p + of->rest.len; (line = memchr(p, '\n', end - p)); p = line + 1)
		put_line(h, of->host, p, line + 1 - p, out);
	if (end - p > LINE_MOST) {
		put_line(h, of->host, p, end - p, out);
		buf_putc(out, '\n');
		p = end;
	}
	memmove(of->rest.data, p, end - p);
	of->rest.len = end - p;
}

void hostlines_end(struct hostlines *h, struct buf *out)
{
	for (u32 i = 0; h && i < h->of.n; i++) {
		struct hostline *of = &h->of.v[i];

		if (!of->rest.len)
			continue;
		put_line(h, of->host, of->rest.data, of->rest.len, out);
		buf_putc(out, '\n');
		buf_reset(&of->rest);
	}
}
