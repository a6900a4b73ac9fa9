/* SPDX-License-Identifier: BSD-2-Clause */
/* buf.c - a growing byte buffer, with a NUL after its last byte. */
#include <stdio.h>
#include <stdlib.h>

#include <dtx/base.h>

char *buf_grow(struct buf *b, size_t n)
{
	b->cap = MAX(MAX(b->cap * 2, b->len + n + 1), 64);
	b->data = xrealloc(b->data, b->cap);
	return b->data + b->len;
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

void buf_sparse(struct buf *b, const u64 *v, u32 n)
{
	u32 some = 0, at = 0;

	for (u32 i = 0; i < n; i++)
		some += v[i] != 0;
	buf_varint(b, some);
	for (u32 i = 0; i < n; i++)
		if (v[i]) {
			buf_varint(b, i - at);
			buf_varint(b, v[i]);
			at = i + 1;
		}
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

const bool json_plain_byte[256] = {
	[' '] = true, ['!'] = true, ['#' ... '['] = true, [']' ... 0x7f] = true,
};

size_t json_plain(const char *p, size_t len)
{
	size_t n = 0;

	for (; len - n >= 8; n += 8) {
		u32 plain = json_plain_eight(p + n);

		if (plain < 8)
			return n + plain;
	}
	while (n < len && json_plain_byte[(u8)p[n]])
		n++;
	return n;
}

/* Without zeros before the number. */
static char *decimal_first(u32 n, char *to)
{
	u64 digits = decimal_digits(n);
	u32 zeros = __builtin_ctzll(digits | 1ull << 56) / 8;
	u64 text = (digits | DECIMAL_ZEROS) >> 8 * zeros;

	memcpy(to, &text, 8);
	return to + 8 - zeros;
}

char *decimal(u64 n, char *to)
{
	const u32 part = 100000000;
	u64 high = n / part;

	if (!high)
		return decimal_first(n, to);
	if (high < part) {
		to = decimal_first(high, to);
	} else {
		to = decimal_first(high / part, to);
		decimal_eight(high % part, to);
		to += 8;
	}
	decimal_eight(n % part, to);
	return to + 8;
}

void buf_num(struct buf *b, s64 v)
{
	char *to = buf_room(b, DECIMAL_MOST + 1);

	if (v < 0)
		*to++ = '-';
	buf_end(b, decimal(v < 0 ? -(u64)v : (u64)v, to));
}
