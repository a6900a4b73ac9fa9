/* SPDX-License-Identifier: BSD-2-Clause */
/* frame.c - the frames of frame.h, and the bytes they are in. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cmd/fleet/frame.h"

/* So many bytes are written without waiting, if poll() saw room in the pipe: pipe(7). */
#define WRITE_MOST 4096

void fd_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void bytes_add(struct bytes *b, const void *data, size_t len)
{
	if (b->at && b->at == b->len)
		b->at = b->len = 0;
	if (b->at > b->room / 2) {
		memmove(b->data, b->data + b->at, b->len - b->at);
		b->len -= b->at;
		b->at = 0;
	}
	if (b->len + len + 1 > b->room) {
		size_t room = 2 * (b->len + len) + 64;
		char *more = realloc(b->data, room);

		if (!more)
			abort();
		b->data = more;
		b->room = room;
	}
	if (len)
		memcpy(b->data + b->len, data, len);
	b->len += len;
	b->data[b->len] = '\0';
}

size_t bytes_left(const struct bytes *b)
{
	return b->len - b->at;
}

void bytes_skip(struct bytes *b, size_t n)
{
	b->at += n;
}

void bytes_free(struct bytes *b)
{
	free(b->data);
	*b = (struct bytes){ 0 };
}

long bytes_read(struct bytes *b, int fd, size_t most)
{
	char piece[FRAME_PIECE];
	ssize_t n;

	do
		n = read(fd, piece, most < sizeof(piece) ? most : sizeof(piece));
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	bytes_add(b, piece, n);
	return n;
}

/* A socket says itself when it is full; a pipe has room for WRITE_MOST bytes. */
int bytes_write(struct bytes *b, int fd)
{
	size_t left = bytes_left(b);
	ssize_t n = send(fd, b->data + b->at, left, MSG_DONTWAIT | MSG_NOSIGNAL);

	if (n < 0 && errno == ENOTSOCK)
		n = write(fd, b->data + b->at, left < WRITE_MOST ? left : WRITE_MOST);
	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -errno;
	bytes_skip(b, n);
	return 0;
}

void frame_put(struct bytes *b, enum frame_kind kind, const void *data, size_t len)
{
	const unsigned char head[FRAME_HEAD] = { len, len >> 8, len >> 16, len >> 24, kind };

	bytes_add(b, head, sizeof(head));
	bytes_add(b, data, len);
}

void frame_pieces(struct bytes *b, enum frame_kind kind, const void *data, size_t len)
{
	for (size_t at = 0; at < len; at += FRAME_PIECE)
		frame_put(b, kind, (const char *)data + at,
			  len - at < FRAME_PIECE ? len - at : FRAME_PIECE);
}

int frame_take(struct bytes *b, struct frame *f)
{
	const unsigned char *head = (const unsigned char *)b->data + b->at;
	size_t left = bytes_left(b), len;

	if (left < FRAME_HEAD)
		return 0;
	len = head[0] | head[1] << 8 | head[2] << 16 | (size_t)head[3] << 24;
	if (len > FRAME_MAX || head[5] || head[6] || head[7])
		return -EINVAL;
	if (left < FRAME_HEAD + len)
		return 0;
	f->kind = head[4];
	f->body = b->data + b->at + FRAME_HEAD;
	f->len = len;
	bytes_skip(b, FRAME_HEAD + len);
	return 1;
}
