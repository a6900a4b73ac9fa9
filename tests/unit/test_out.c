/* SPDX-License-Identifier: BSD-2-Clause */
/* test_out.c - how sinks of text write: what becomes one write(2), in which order, and errors. */
#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/sink/sink.h"

/* A socket that keeps writes apart shows them. */
struct written {
	struct out o;
	struct buf b;
	int fd;                  /* its other end */
};

static void begin(struct written *w)
{
	int fds[2];

	memset(w, 0, sizeof(*w));
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, fds), 0);
	w->o.file = fdopen(fds[0], "w");
	w->fd = fds[1];
}

static void end(struct written *w)
{
	buf_free(&w->b);
	fclose(w->o.file);
	close(w->fd);
}

/* The next write; NULL: there was none. */
static void expect(struct written *w, const char *text)
{
	char got[64];
	ssize_t n = recv(w->fd, got, sizeof(got), 0);

	if (!text) {
		assert_int_equal(n, -1);
		return;
	}
	assert_int_equal(n, strlen(text));
	assert_memory_equal(got, text, n);
}

static void add(struct written *w, const char *text)
{
	buf_puts(&w->b, text);
	out_write_full(&w->o, &w->b, 8);
}

static void test_pieces(void **state)
{
	struct written w;

	begin(&w);
	add(&w, "abcdefg");
	expect(&w, NULL);
	add(&w, "hij");
	expect(&w, "abcdefgh");
	out_write(&w.o, &w.b);   /* a batch ends */
	expect(&w, "ij");
	add(&w, "klmno");
	expect(&w, NULL);
	add(&w, "p");            /* the piece that began before ends here */
	expect(&w, "klmnop");
	add(&w, "0123456789abcdef01");
	expect(&w, "0123456789abcdef");
	out_write(&w.o, &w.b);
	expect(&w, "01");
	out_write(&w.o, &w.b);
	expect(&w, NULL);
	assert_int_equal(w.o.err, 0);
	end(&w);
}

static void test_order(void **state)
{
	struct written w;

	begin(&w);
	fputs("header", w.o.file);       /* others write to the stream */
	buf_puts(&w.b, "record");
	out_write(&w.o, &w.b);
	out_flush(&w.o);
	expect(&w, "header");
	expect(&w, "record");
	w.o.mute = true;
	add(&w, "dropped, and more");
	out_write(&w.o, &w.b);
	expect(&w, NULL);
	end(&w);
}

static void test_no_descriptor(void **state)
{
	struct out o = { 0 };
	struct buf b = { 0 };
	char *text = NULL;
	size_t n = 0;

	o.file = open_memstream(&text, &n);
	buf_puts(&b, "abc");
	out_write(&o, &b);
	buf_puts(&b, "def");
	out_write(&o, &b);
	out_flush(&o);
	assert_string_equal(text, "abcdef");
	fclose(o.file);
	free(text);
	buf_free(&b);
}

static void test_error(void **state)
{
	static const struct dtx_sink sink = { .lines = true };
	struct out o = { .file = fopen("/dev/full", "w"), .sink = &sink };
	struct buf b = { 0 };

	buf_puts(&b, "abc");
	out_write(&o, &b);
	assert_int_equal(o.err, ENOSPC);
	assert_int_equal(b.len, 0);
	buf_puts(&b, "abcdefghi");
	out_write_pieces(&o, &b, 4);     /* nothing more is tried, and nothing kept for ever */
	assert_int_equal(o.err, ENOSPC);
	assert_true(b.len < 4);
	fclose(o.file);
	buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pieces), cmocka_unit_test(test_order),
		cmocka_unit_test(test_no_descriptor), cmocka_unit_test(test_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
