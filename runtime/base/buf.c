/* SPDX-License-Identifier: BSD-2-Clause */
/* buf.c - a growing byte buffer, NUL-terminated behind its end. */
#include <stdio.h>
#include <stdlib.h>

#include <dtx/base.h>

static void buf_room(struct buf *b, size_t n)
{
	if (b->cap - b->len > n)
		return;
	b->cap = MAX(MAX(b->cap * 2, b->len + n + 1), 64);
	b->data = xrealloc(b->data, b->cap);
}

void buf_add(struct buf *b, const void *data, size_t n)
{
	buf_room(b, n);
	if (n)
		memcpy(b->data + b->len, data, n);
	b->len += n;
	b->data[b->len] = '\0';
}

void buf_puts(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void buf_putc(struct buf *b, char c)
{
	buf_add(b, &c, 1);
}

void buf_pad(struct buf *b, char c, int n)
{
	if (n <= 0)
		return;
	buf_room(b, n);
	memset(b->data + b->len, c, n);
	b->len += n;
	b->data[b->len] = '\0';
}

void buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	buf_room(b, 64);
	va_copy(again, ap);
	n = vsnprintf(b->data + b->len, b->cap - b->len, fmt, again);
	va_end(again);
	if (n < 0) {
		b->data[b->len] = '\0';
		return;
	}
	if ((size_t)n >= b->cap - b->len) {
		buf_room(b, n);
		vsnprintf(b->data + b->len, b->cap - b->len, fmt, ap);
	}
	b->len += n;
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(b, fmt, ap);
	va_end(ap);
}

void buf_reset(struct buf *b)
{
	b->len = 0;
	if (b->data)
		b->data[0] = '\0';
}

void buf_free(struct buf *b)
{
	free(b->data);
	memset(b, 0, sizeof(*b));
}
