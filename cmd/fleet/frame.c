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
int bytes_send(const struct bytes *b, size_t *sent, int fd)
{
	const char *from = b->data + b->at + *sent;
	size_t left = bytes_left(b) - *sent;
	ssize_t n = send(fd, from, left, MSG_DONTWAIT | MSG_NOSIGNAL);

	if (n < 0 && errno == ENOTSOCK)
		n = write(fd, from, left < WRITE_MOST ? left : WRITE_MOST);
	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -errno;
	*sent += n;
	return 0;
}

int bytes_write(struct bytes *b, int fd)
{
	size_t sent = 0;
	int err = bytes_send(b, &sent, fd);

	bytes_skip(b, sent);
	return err;
}

void frame_put(struct bytes *b, enum frame_kind kind, const void *data, size_t len)
{
	const uint32_t n = b->frames++ % FRAME_NUMBERS;
	const unsigned char head[FRAME_HEAD] = { len, len >> 8, len >> 16, len >> 24,
						 kind, n, n >> 8, n >> 16 };

	bytes_add(b, head, sizeof(head));
	bytes_add(b, data, len);
}

void frame_pieces(struct bytes *b, enum frame_kind kind, const void *data, size_t len)
{
	for (size_t at = 0; at < len; at += FRAME_PIECE)
		frame_put(b, kind, (const char *)data + at,
			  len - at < FRAME_PIECE ? len - at : FRAME_PIECE);
}

/* How far the number of this frame is ahead of the one that is due; negative: it came before. */
static int32_t frame_ahead(const struct bytes *b, const unsigned char *head)
{
	uint32_t number = head[5] | head[6] << 8 | (uint32_t)head[7] << 16;
	uint32_t ahead = (number - b->frames) % FRAME_NUMBERS;

	return ahead < FRAME_NUMBERS / 2 ? (int32_t)ahead : (int32_t)ahead - (int32_t)FRAME_NUMBERS;
}

int frame_take(struct bytes *b, struct frame *f)
{
	for (;;) {
		const unsigned char *head = (const unsigned char *)b->data + b->at;
		size_t left = bytes_left(b), len;
		int32_t ahead;

		if (left < FRAME_HEAD)
			return 0;
		len = head[0] | head[1] << 8 | head[2] << 16 | (size_t)head[3] << 24;
		if (len > FRAME_MAX)
			return -EINVAL;
		if (left < FRAME_HEAD + len)
			return 0;
		ahead = frame_ahead(b, head);
		if (ahead > 0)
			return -EILSEQ;
		f->kind = head[4];
		f->body = b->data + b->at + FRAME_HEAD;
		f->len = len;
		bytes_skip(b, FRAME_HEAD + len);
		if (ahead < 0)
			continue;
		b->frames++;
		return 1;
	}
}
